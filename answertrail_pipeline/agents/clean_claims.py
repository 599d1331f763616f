"""Which claims an arm must not search by: those that a nugget of the gold cites. The key is not in the search."""

from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.settings import RetrieverSettings


def cited_claims(gold: GoldVersion | None) -> tuple[str, ...]:
    """Return the claims that nuggets of a gold version cite, sorted; none without a gold."""
    questions = gold.questions if gold else ()
    return tuple(sorted({claim for one in questions for nugget in one.nuggets for claim in nugget.claim_ids}))


def left_out(retriever: RetrieverSettings, gold: GoldVersion | None) -> tuple[str, ...]:
    """Return the claims that a retriever leaves out on a gold version."""
    return cited_claims(gold) if retriever.claims == "clean" else ()


def shares_claims(retriever: RetrieverSettings, gold: GoldVersion) -> bool:
    """Return whether a retriever finds evidence by claims that the gold's nuggets were made from."""
    return retriever.claims == "all" and bool(cited_claims(gold))
