"""Pick the claims of a video that are most worth a question."""

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.language.names import names
from answertrail_pipeline.language.numbers import numbers
from answertrail_pipeline.tasks.claim_rules import is_substantial
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.question_rules import asks_for_amount
from answertrail_pipeline.tasks.task import Task


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ClaimToSelect(_Frozen):
    """A claim with its tags."""

    text: str
    topics: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


class SelectClaimsInput(_Frozen):
    """The high-confidence claims of one video in order of time."""

    language: str
    claims: tuple[ClaimToSelect, ...]


class SelectedClaims(_Frozen):
    """Numbers of the list; None where nothing is worth a question."""

    primary: int | None
    fallback: int | None


def render(given: SelectClaimsInput) -> str:
    """Return the user message: the numbered claims with their topics."""
    lines = [f"{number}: {claim.text} [{'; '.join(claim.topics)}]" for number, claim in enumerate(given.claims)]
    return fence("\n".join(lines), "claims")


def check(given: SelectClaimsInput, made: SelectedClaims) -> list[str]:
    """Return what is wrong with the numbers."""
    picked = [number for number in (made.primary, made.fallback) if number is not None]
    problems = [f"there is no claim {number}" for number in picked if not 0 <= number < len(given.claims)]
    if len(set(picked)) < len(picked):
        problems.append("primary and fallback are the same claim")
    if made.primary is None and made.fallback is not None:
        problems.append("a fallback without a primary")
    return problems


def by_rules(given: SelectClaimsInput) -> SelectedClaims:
    """Of the claims that say enough, prefer those that leave an amount to ask for, name things, and are short."""
    good = [i for i, claim in enumerate(given.claims) if is_substantial(claim.text, given.language)]
    order = sorted(good, key=lambda i: (-_worth(given.claims[i], given.language), i))
    return SelectedClaims(primary=order[0] if order else None, fallback=order[1] if len(order) > 1 else None)


def _worth(claim: ClaimToSelect, language: str) -> float:
    strong = [quantity for quantity in numbers(claim.text, language) if not quantity.weak]
    words = len(claim.text.split())
    worth = 2.0 * asks_for_amount(claim.text, language) + min(1.0, 0.7 * len(strong))
    worth += min(1.2, 0.4 * len({name.key for name in names(claim.text)}))
    worth += min(0.9, 0.3 * len(claim.topics))
    return worth - 0.5 * (words > 30) - 0.5 * (words < 8)


SELECT_CLAIMS: Task[SelectClaimsInput, SelectedClaims] = Task(
    name="select_claims",
    version="2",
    input_type=SelectClaimsInput,
    output_type=SelectedClaims,
    render=render,
    baseline=by_rules,
    check=check,
)
