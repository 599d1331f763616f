"""AnswerTrail Pipeline: measures a deep-research agent over a bounded, dated corpus."""

__version__ = "0.1.0"
