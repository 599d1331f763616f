"""`answertrail check-model`: items with right answers for every task, and what a model makes of them.

The passages and views are invented: no model can know them, and none of them is anybody's text.
"""
