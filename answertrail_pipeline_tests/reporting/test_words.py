import doctest

import pytest

from answertrail_pipeline.reporting import words
from answertrail_pipeline.reporting.figures import cost, svg
from answertrail_pipeline.scoring import compare, gold_index
from answertrail_pipeline.scoring.board import BoardInterval, BoardMetric


@pytest.mark.parametrize("module", [words, svg, cost, compare, gold_index], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


def metric(**changes: object) -> BoardMetric:
    interval = BoardInterval(
        low=0.2, high=0.4, method="linearised t over questions", reason=None, indicative=True, questions=5
    )
    return BoardMetric.model_validate(
        {
            "tier": "factual",
            "name": "recall",
            "hits": 3,
            "total": 10,
            "value": 0.3,
            "interval": interval,
            **changes,
        }
    )


def test_a_number_is_never_bare() -> None:
    assert words.number(metric(), share=True) == "30.0% [20.0, 40.0] t, indicative 3/10"


def test_a_number_without_an_interval_says_why() -> None:
    none = BoardInterval(low=None, high=None, method="none", reason="one question", indicative=True, questions=1)
    assert words.number(metric(interval=none), share=True) == "30.0% no interval: one question 3/10"


def test_an_undefined_number_says_why() -> None:
    assert words.number(metric(value=None, hits=None, total=None, reason="no assertions"), share=True) == (
        "– (no assertions)"
    )
