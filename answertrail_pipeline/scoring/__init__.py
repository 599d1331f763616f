"""From verdict rows to numbers: metrics, intervals, comparisons, costs. Pure functions; no model is asked."""
