"""The agents under test, and the trail that each leaves."""
