"""FactNet: coded biographies scored against a truth that a declared set of runs adds to (docs/politnuggets.md)."""
