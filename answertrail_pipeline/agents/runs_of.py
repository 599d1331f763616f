"""The archive of another arm's run over the same gold and corpus: what long-context baselines are given."""

from sqlalchemy import Connection, text

from answertrail_pipeline.agents.session import Session
from answertrail_pipeline.agents.trails import load_trail
from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.retrieval.types import Hit
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.keys import split_key


def donor_run_key(connection: Connection, run_key: str, donor: str | None) -> str | None:
    """Return the run of a donor arm over the same gold, corpus, repetition and epoch; None where there is none."""
    found: str | None = connection.execute(
        text(
            "select donor.run_key from runs own join runs donor on donor.channel = own.channel"
            " and donor.gold_version = own.gold_version and donor.corpus_id = own.corpus_id"
            " and donor.repetition = own.repetition and donor.epoch = own.epoch and donor.arm = :donor"
            " where own.run_key = :run_key"
        ),
        {"donor": donor, "run_key": run_key},
    ).scalar()
    return found


def donor_trails(database: Database, run_key: str, donor: str | None) -> dict[str, str]:
    """Return what each ended trail of a run's donor is, by question: its output hash, or `error`."""
    with database.begin() as connection:
        key = donor_run_key(connection, run_key, donor)
        rows = connection.execute(
            text(
                "select key, case state when 'done' then output_hash else state end as made from stage_run"
                " where stage = 'agent_runs' and state in ('done', 'error') and starts_with(key, :prefix)"
            ),
            {"prefix": f"{key}/"},
        )
        return {split_key(row.key)[-1]: row.made for row in rows} if key else {}


def donor_archive(session: Session) -> list[Hit]:
    """Return the chunks that the donor arm kept for the same person, in the order in which it kept them.

    Raises:
        UnitError: `no_donor` where no donor is named, or it has no finished trail for the person yet.
    """
    donor = session.arm.settings.biography.donor
    database = session.corpus.database
    with database.begin() as connection:
        key = donor_run_key(connection, session.account.run_key or "", donor)
    stored = load_trail(database, key, session.asked.question_id) if key else None
    if stored is None or stored.error:
        raise UnitError(
            "no_donor", f"The donor arm `{donor}` has no finished trail for this person; run it first."
        )
    return [chunk.hit for chunk in stored.trail.retrieved if chunk.kept]
