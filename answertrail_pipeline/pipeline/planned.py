"""One line of a plan."""

from dataclasses import dataclass

from answertrail_pipeline.models.estimate import CostRange


@dataclass(frozen=True)
class Planned:
    """One line of a plan.

    Attributes:
        units: how many would be computed; None where what it needs does not exist yet.
        calls: model calls that would be made, or None where they depend on replies.
        cost: dollars, lowest and highest; None inside where a price is unknown.
        why: what people should know about the figures.
    """

    channel: str
    what: str
    units: int | None
    calls: int | None
    cost: CostRange
    why: str = ""
