"""The web pages that people work in."""
