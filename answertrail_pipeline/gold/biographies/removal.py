"""Removing a person, and everything that was made of the person's career."""

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.store.keys import join_key

_RUNS = "run_key in (select run_key from runs where channel = :channel)"
_PAIRS = "pair_id in (select pair_id from calibration_pairs where channel = :channel and question_id = :person)"
_POOLS = "pool_id in (select pool_id from pools where channel = :channel)"
_HASHES = f"(select content_hash from coded_events where question_id = :person and {_RUNS})"  # noqa: S608
_VERDICTS = f"""
select verdict_id from run_verdicts where question_id = :person and {_RUNS}
union select verdict_id from base_coverage where channel = :channel and question_id = :person
    and verdict_id is not null
union select verdict_id from pair_verdicts where {_PAIRS}
union select verdict_id from same_events where first_hash in {_HASHES} or second_hash in {_HASHES}
"""  # noqa: S608
_STATEMENTS = (
    f"delete from labels where {_PAIRS}",  # noqa: S608
    f"delete from pair_verdicts where {_PAIRS}",  # noqa: S608
    "delete from calibration_pairs where channel = :channel and question_id = :person",
    f"delete from same_events where first_hash in {_HASHES} or second_hash in {_HASHES}",  # noqa: S608
    *(
        f"delete from {table} where question_id = :person and {_RUNS}"  # noqa: S608
        for table in ("run_verdicts", "coded_events", "biography_scores", "assertions", "timings", "trails")
    ),
    "delete from base_coverage where channel = :channel and question_id = :person",
    f"delete from pool_events where question_id = :person and {_POOLS}",  # noqa: S608
    "delete from promotions where channel = :channel and question_id = :person",
    "delete from nuggets where channel = :channel and question_id = :person",
    "delete from questions where channel = :channel and question_id = :person",
    "delete from verdicts v where verdict_id = any(:verdicts)"
    " and not exists (select from run_verdicts r where r.verdict_id = v.verdict_id)"
    " and not exists (select from base_coverage r where r.verdict_id = v.verdict_id)"
    " and not exists (select from pair_verdicts r where r.verdict_id = v.verdict_id)"
    " and not exists (select from calibration_pairs r where r.verdict_id = v.verdict_id)"
    " and not exists (select from same_events r where r.verdict_id = v.verdict_id)",
    "delete from biography_boards where channel = :channel",
    "delete from stage_run where channel = :channel and (right(key, length(:unit)) = :unit or key = :board)",
    # What was asked and said goes, what it cost stays.
    "update model_calls set call_key = 'removed ' || call_key, request = '{}', reply = null"
    " where channel = :channel and right(unit_key, length(:unit)) = :unit",
    "update gold_versions set content = jsonb_set(content, '{questions}', coalesce((select jsonb_agg(q) from"
    " jsonb_array_elements(content->'questions') q where q->>'question_id' <> :person), '[]'::jsonb))"
    " where channel = :channel and content @? cast('$.questions[*]' as jsonpath)",
    "delete from people where channel = :channel and person_id = :person",
)


def remove_person(connection: Connection, channel: str, person_id: str) -> int:
    """Delete a person and everything that was made of the person's career; return how many rows went.

    Documents stay: they belong to the corpus, and are retired by removing them from its source. Frozen gold
    versions stay as they were frozen but for this person's question, which is cut out of them. Of model calls only
    what they cost stays. The next pass makes the channel's board and report without the person.

    Raises:
        UserError: there is no such person.
    """
    where = {
        "channel": channel,
        "person": person_id,
        "unit": f"/{join_key(person_id)}",
        "board": join_key(channel, "biographies"),
    }
    found = connection.execute(text(_VERDICTS), where).scalars().all()
    connection.execute(text("set local answertrail.erasing = 'on'"))  # frozen versions are append-only otherwise
    values = {**where, "verdicts": list(found)}
    counts = [connection.execute(text(statement), values).rowcount for statement in _STATEMENTS]
    if not counts[-1]:
        raise UserError(
            f"No person `{person_id}` in {channel}.", "List them with `answertrail politnuggets people`."
        )
    return sum(counts)
