"""Verdicts: the judge, assertions, calibration, panels."""
