"""Every check holds on a finished channel and fails where its rule is broken, in a rolled-back transaction."""

from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest
from sqlalchemy import Connection, text

from answertrail_pipeline.assets.checks import check_results, check_specs
from answertrail_pipeline.pipeline.check_rules import CHECKS, Scope
from answertrail_pipeline.pipeline.checks import (
    GateFailedError,
    all_checks,
    check_stage,
    refuse_behind_failed_gates,
    run_check,
)
from answertrail_pipeline.pipeline.lineage import DEPENDS_ON, upstream
from answertrail_pipeline.pipeline.project import Project
from answertrail_pipeline.pipeline.run import reevaluate_channels, run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline.store.checks import CheckOutcome
from answertrail_pipeline.store.postgres import EmbeddedPostgres
from answertrail_pipeline_tests.conftest import new_database
from answertrail_pipeline_tests.e2e.conftest import Workplace, make_workplace

RUN, OTHER = "bridges/single-shot/v1/c1/r1", "bridges/react-hybrid/v1/c1/r1"


@pytest.fixture(scope="module")
def project(server: EmbeddedPostgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Project]:
    """Six videos, run to the report and re-evaluated once; nothing in it is changed for good."""
    with new_database(server, dagster=True) as database:
        workplace = make_workplace(tmp_path_factory.mktemp("checks") / "one", database)
        with workplace.environment():
            workplace.freeze()
            with workplace.open() as opened:
                opened.run(run_channels(opened, ["bridges"], "people", Silent()))
                opened.run(reevaluate_channels(opened, ["bridges"], Silent()))
                yield opened


@pytest.fixture
def connection(project: Project) -> Iterator[Connection]:
    """A transaction in which rows may be broken: it is rolled back."""
    with project.database.engine.connect() as opened, opened.begin() as transaction:
        opened.execute(text("set local answertrail.erasing = 'on'"))
        yield opened
        transaction.rollback()


def look(project: Project, connection: Connection, name: str, run_key: str | None = None) -> CheckOutcome:
    [check] = [check for check in CHECKS if check.name == name]
    return run_check(connection, check, Scope(project, "bridges", run_key))


EXPECTED = {"judge_calibrated", "interval_width", "no_leaks", "no_bundles"}
"""What may fail on the little library though nothing was broken: warnings."""


def test_all_hold_on_a_finished_channel(project: Project) -> None:
    failed = {one.name: one.examples for one in all_checks(project, "bridges") if not one.passed}
    assert failed.keys() <= EXPECTED, failed
    assert {check.stage for check in CHECKS} <= DEPENDS_ON.keys()
    assert len({check.name for check in CHECKS}) == len(CHECKS) == 24


def add_stage(name: str, gate: str, key: str) -> Callable[[Connection], None]:
    def break_it(connection: Connection) -> None:
        connection.execute(
            text(
                "insert into gates (stage, key, gate, channel, passed, blocking, description)"
                " values (:stage, :key, :gate, 'bridges', false, true, 'it is not so')"
                " on conflict (stage, key, gate) do update set passed = false, description = excluded.description"
            ),
            {"stage": name, "key": key, "gate": gate},
        )

    return break_it


def sql(*statements: str) -> Callable[[Connection], None]:
    def break_it(connection: Connection) -> None:
        for statement in statements:
            connection.execute(text(statement))

    return break_it


THREAD = (
    "insert into threads values ('bridges', 't-x', '{topic}', array['{claim}'], {videos}, '2025-01-10', '{last}')"
)
QUESTION = (
    "insert into questions (channel, question_id, tier, text, written_by, detail, state) values"
    " ('bridges', 'qx', 'factual', 'How many?', 'baseline', '{detail}', 'proposed')"
)
NUGGET = (
    "insert into nuggets (channel, question_id, nugget_id, kind, text, written_by, detail) values"
    " ('bridges', 'qx', 'n1', '{kind}', 'Many.', 'baseline', '{detail}')"
)
WARNED = '{{"warnings": [{{"gate": "{gate}", "message": "so it seems"}}]}}'

BROKEN = {
    "captions_readable": sql(
        "insert into quarantine (channel, file, code, found_in, message) values"
        " ('bridges', 'x.srt', 'no_captions', 'reading', 'nothing in it')"
    ),
    "chunk_windows": sql("update chunks set end_seconds = -1 where chunk_id = (select min(chunk_id) from chunks)"),
    "words_covered": sql(
        "update stage_run set finished_at = now() where stage = 'chunks'",
        "update chunk_texts set text = text || ' more' where chunk_id = (select min(chunk_id) from chunks)",
    ),
    "embeddings_complete": sql("delete from embeddings where unit_id = (select min(unit_id) from embeddings)"),
    "embeddings_of_one_model": sql(
        "update embeddings set model = 'another' where unit_id = (select min(unit_id) from embeddings)"
    ),
    "claim_citations": sql(
        "update claims set chunk_ids = array['paint-00006:00000']"
        " where claim_id = (select min(claim_id) from claims)"
    ),
    "no_stop_topics": sql(THREAD.format(topic="video", claim="x", videos=3, last="2025-10-30")),
    "thread_rule": sql(THREAD.format(topic="primer", claim="x", videos=2, last="2025-01-20")),
    "no_leaks": sql(QUESTION.format(detail=WARNED.format(gate="gives_away"))),
    "no_bundles": sql(NUGGET.format(kind="fact", detail=WARNED.format(gate="bundled"))),
    "nuggets_have_windows": sql(NUGGET.format(kind="stance", detail="{}")),
    "gold_frozen": sql(
        "update gold_versions set content = jsonb_set(content, '{questions,0,text}', '\"Another question?\"')"
    ),
    "gold_adjudicated": sql(QUESTION.format(detail="{}").replace("'qx'", "'q1'")),
    "gold_by_people": sql("update gold_versions set policy = 'auto'"),
    "citations_retrieved": sql(f"update trails set citations = array['made:00000'] where run_key = '{RUN}'"),
    "units_finished": sql(
        f"update stage_run set state = 'error', reason = 'x' where stage = 'verdicts' and key = '{RUN}/q1'"
    ),
    "unscored_within_limit": sql(
        "update verdicts set label = null, unscored = 'no reply' where verdict_id in"
        f" (select verdict_id from run_verdicts where run_key = '{RUN}' and purpose = 'recall')"
    ),
    "judge_not_kin": add_stage("verdicts", "judge_not_kin_to_agent", f"{RUN}/q1"),
    "judge_not_kin_to_gold": add_stage("verdicts", "judge_not_kin_to_gold", f"{RUN}/q1"),
    "score_identities": add_stage("metrics", "score_identities", RUN),
    "interval_width": sql(
        f"update metrics set low = 0.1, high = 0.9 where metric = 'recall' and run_key = '{RUN}'"
    ),
    "judge_calibrated": sql("update verdicts set by_rule = false"),
    "regression": add_stage("series", "regression", "bridges/v1/00001/single-shot"),
}


def test_each_check_has_a_way_to_break_it() -> None:
    assert BROKEN.keys() | {"claims_per_video"} == {check.name for check in CHECKS}


@pytest.mark.parametrize("name", sorted(BROKEN.keys() - {"gold_adjudicated"}))
def test_a_broken_rule_is_found(project: Project, connection: Connection, name: str) -> None:
    [check] = [check for check in CHECKS if check.name == name]
    before = look(project, connection, name)
    BROKEN[name](connection)
    found = look(project, connection, name)
    assert not found.passed
    assert found.violations > before.violations or name == "judge_calibrated"
    assert found.examples
    assert found.description == check.description
    assert isinstance(found.numbers["of"], int)
    if check.per_run:
        here, there = (look(project, connection, name, key).violations for key in (RUN, OTHER))
        assert here > 0
        assert here + there == found.violations


def test_unreadable_files_warn_up_to_a_share_and_fail_above(project: Project, connection: Connection) -> None:
    # 6 good files and one bad: 1/7 = 14%, above 5%. With 19 more good ones: 1/26 = 3.8%.
    BROKEN["captions_readable"](connection)
    above = look(project, connection, "captions_readable")
    assert (above.violations, above.numbers["of"], above.severity) == (1, 7, "error")
    connection.execute(
        text(
            "insert into caption_files (channel, video_id, file, automatic, encoding_guessed, cues_kept,"
            " cues_lost, used) select 'bridges', 'v', 'good' || n, false, false, 1, 0, true"
            " from generate_series(1, 19) n"
        )
    )
    below = look(project, connection, "captions_readable")
    assert (below.violations, below.numbers["of"], below.severity) == (1, 26, "warn")
    assert not below.passed


def test_a_video_far_outside_the_channels_band(project: Project, connection: Connection) -> None:
    # Ten videos of one spoken chunk with 4 claims each, but one with 40: quartiles 4 and 4, so the band is 4 to 4.
    connection.execute(text("delete from claims"))
    connection.execute(text("update chunks set spoken_text = '' where position > 0"))
    connection.execute(
        text(
            "insert into videos (channel, video_id, title, published_at, published_precision, published_source,"
            " language, content_sha256, state) select channel, video_id || n, title, published_at,"
            " published_precision, published_source, language, content_sha256, state"
            " from videos, generate_series(1, 1) n where video_id < 'paint-00005'"
        )
    )
    connection.execute(
        text(
            "insert into chunk_texts select 'bridges', video_id || '-0', 'x', 'words' from videos"
            " where length(video_id) > 11"
        )
    )
    connection.execute(
        text(
            "insert into chunks (channel, chunk_id, video_id, position, start_seconds, end_seconds, text_sha256,"
            " spoken_text) select 'bridges', video_id || '-0', video_id, 0, 0, 30, 'x', 'words' from videos"
            " where length(video_id) > 11"
        )
    )
    connection.execute(
        text(
            "insert into claims (channel, claim_id, video_id, text, confidence, chunk_ids, topics, entities)"
            " select 'bridges', video_id || '#c' || n, video_id, 'x', 'high', array['x'], '{}', '{}' from videos,"
            " generate_series(1, 40) n where n <= 4 or video_id = 'paint-00003'"
        )
    )
    found = look(project, connection, "claims_per_video")
    assert found.severity == "warn"
    assert found.examples == (
        "bridges/paint-00003: 40 claims for 1 chunks; the channel's band is 4.00 to 4.00 for each",
    )


def test_gold_that_nobody_decided(project: Project, connection: Connection) -> None:
    assert look(project, connection, "gold_adjudicated").passed, "imported gold says itself who decided"
    BROKEN["gold_adjudicated"](connection)
    found = look(project, connection, "gold_adjudicated")
    assert found.examples == (
        "bridges/v1/q1: was decided by no person",
        "bridges/v1/q1/n1: was decided by no person",
    )
    connection.execute(
        text(
            "insert into adjudications (channel, item_kind, item_id, item_sha256, decision, reviewer) values"
            " ('bridges', 'question', 'q1', '-', 'keep', 'Ada'),"
            " ('bridges', 'nugget', 'q1/n1', '-', 'keep', 'Ada')"
        )
    )
    assert look(project, connection, "gold_adjudicated").passed


def test_words_are_counted_anew_only_where_a_video_is_new(project: Project, connection: Connection) -> None:
    connection.execute(text("update chunk_texts set text = text || ' more'"))
    assert look(project, connection, "words_covered").passed, "all of them were counted before"
    connection.execute(text("delete from check_outcomes where check_name = 'words_covered'"))
    assert look(project, connection, "words_covered").violations == 6


def test_what_hangs_on_a_failed_blocking_check_is_not_computed(
    workplace: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workplace.freeze()
    with workplace.open() as project:
        project.run(run_channels(project, ["bridges"], "people", Silent()))
        with project.database.begin() as connection:
            connection.execute(text("update claims set chunk_ids = array['elsewhere:00000']"))
        assert any(one.stops for one in check_stage(project, "bridges", "claims"))
        with pytest.raises(GateFailedError, match="threads of bridges waits for claim_citations: ") as refused:
            refuse_behind_failed_gates(project, "bridges", "threads")
        assert "is no chunk of its video" in str(refused.value)
        [report] = project.run(run_channels(project, ["bridges"], "people", Silent()))
        [stopped] = report.stopped
        assert stopped.startswith("threads of bridges waits for claim_citations: ")
        assert "threads" not in {stage.stage for stage in report.stages}
        results = list(check_results(project, [dg.AssetCheckKey(dg.AssetKey("claims"), "claim_citations")]))
        assert not results[0].passed
        assert results[0].severity is dg.AssetCheckSeverity.ERROR
        assert results[0].metadata["violations"].value == results[0].metadata["of"].value
    assert {spec.name: spec.blocking for spec in check_specs("claims")} == {
        "claim_citations": True,
        "claims_per_video": False,
    }


def test_upstream_is_all_that_a_stage_hangs_on() -> None:
    assert upstream("threads") == {"claims", "chunks", "videos"}
    assert "series" not in upstream("scoreboard")


@pytest.fixture
def workplace(tmp_path: Path, database) -> Iterator[Workplace]:
    made = make_workplace(tmp_path / "one", database)
    with made.environment():
        yield made
