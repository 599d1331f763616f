"""Having a judge judge calibration pairs: the controls, and every pair for a judge that they were not drawn by."""

from sqlalchemy import text

from answertrail_pipeline.judging.ask import JudgedPair, JudgedText, all_of, judge_claims, store_pairs
from answertrail_pipeline.judging.judges import AnyJudge
from answertrail_pipeline.judging.pairs import BlindPair, blind_pairs
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.judge import JudgedClaim


async def judge_pairs(database: Database, door: Door, judge: AnyJudge, channel: str) -> dict[str, JudgedPair]:
    """Ask a judge about every calibration pair that it has no word on, and return its words by pair id.

    Raises:
        ModelError: the model cannot be had at all.
    """
    open_pairs = [pair for pair in blind_pairs(database, channel) if pair.pair_id not in _judged(database, judge)]
    by_text: dict[tuple[str, JudgedText], dict[str, BlindPair]] = {}
    for pair in open_pairs:
        judged = JudgedText(pair.text, pair.text_kind, pair.question, pair.language)  # type: ignore[arg-type]
        by_text.setdefault((pair.purpose, judged), {})[pair.pair_id] = pair
    account = Account(channel, "calibration", judge.judge_id)
    answers = await all_of(
        judge_claims(
            database,
            door,
            judge,
            purpose,  # type: ignore[arg-type]
            judged,
            {key: pair_claim(pair) for key, pair in pairs.items()},
            account,
        )
        for (purpose, judged), pairs in by_text.items()
    )
    made = {key: pair for answer in answers for key, pair in answer.items()}
    links = [
        {"pair_id": key, "judge_id": judge.judge_id, "verdict_id": pair.verdict.verdict_id}
        for key, pair in sorted(made.items())
    ]
    with database.begin() as connection:
        store_pairs(connection, made.values())
        for link in links:  # an unscored word gives way to a later label
            connection.execute(text(read_sql("queries/link_pair_verdict.sql")), link)
    return made


def pair_claim(pair: BlindPair) -> JudgedClaim:
    """Return the claim of a pair as a judge is asked about it."""
    return JudgedClaim(
        text=pair.claim,
        kind=pair.claim_kind,
        window=pair.claim_window,
        window_from=pair.window_from,
        window_to=pair.window_to,
    )


def _judged(database: Database, judge: AnyJudge) -> set[str]:
    """Return the pairs on which the judge gave a label."""
    with database.begin() as connection:
        return set(
            connection.execute(
                text(
                    "select pair_id from pair_verdicts join verdicts using (verdict_id)"
                    " where pair_verdicts.judge_id = :judge_id and label is not null"
                ),
                {"judge_id": judge.judge_id},
            ).scalars()
        )
