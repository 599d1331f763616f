"""The whole chain on six short videos: first run, nothing to do, one change, a cosmetic change, a removed file."""

from sqlalchemy import text

from answertrail_pipeline.pipeline.channel_pass import ChannelReport
from answertrail_pipeline.pipeline.plan import plan_channel
from answertrail_pipeline.pipeline.run import evaluate_channels, run_channels
from answertrail_pipeline.pipeline.watch import Silent
from answertrail_pipeline_tests.e2e.conftest import Workplace
from answertrail_pipeline_tests.e2e.library import SPEECH, write_video


def run(workplace: Workplace, policy: str = "people") -> ChannelReport:
    with workplace.open() as project:
        [report] = project.run(run_channels(project, ["bridges"], policy, Silent()))  # type: ignore[arg-type]
        return report


def computed(report: ChannelReport) -> dict[str, int]:
    """Return the units computed by stage, over all runs, without the stages that did nothing."""
    counts: dict[str, int] = {}
    for stage in report.stages:
        counts[stage.stage] = counts.get(stage.stage, 0) + stage.computed
    return {stage: count for stage, count in counts.items() if count}


def calls(workplace: Workplace) -> int:
    with workplace.open() as project, project.database.begin() as connection:
        return connection.execute(text("select count(*) from model_calls")).scalar_one()


def test_the_pass_stops_at_the_desk_of_people_until_gold_is_frozen(workplace: Workplace) -> None:
    first = run(workplace)
    assert first.errors == {}
    made = computed(first)
    assert made["chunks"] == made["embeddings"] == made["claims"] == 6
    assert first.runs == []
    assert "agent_runs" not in made


def test_the_chain_ends_in_scores_and_a_second_run_does_nothing(workplace: Workplace) -> None:
    workplace.freeze()
    first = run(workplace)
    assert first.errors == {}
    made = computed(first)
    assert made["agent_runs"] == made["assertions"] == made["verdicts"] == 6, "3 questions x 2 arms"
    assert made["metrics"] == 2
    assert made["scoreboard"] == made["report"] == 1
    before = calls(workplace)
    again = run(workplace)
    assert computed(again) == {}
    assert calls(workplace) == before
    with workplace.open() as project:
        assert {line.units for line in project.run(plan_channel(project, "bridges"))} == {0}


def test_imported_gold_starts_at_the_agents(workplace: Workplace) -> None:
    workplace.freeze()
    with workplace.open() as project:
        [report] = project.run(evaluate_channels(project, ["bridges"], Silent(), (), 1))
    made = computed(report)
    assert (made["chunks"], made["embeddings"], made["agent_runs"], made["metrics"]) == (6, 6, 6, 2)
    assert not made.keys() & {"claims", "threads", "questions", "nuggets"}, "nothing is proposed beside it"


def test_one_changed_video_touches_what_hangs_on_it_and_no_more(workplace: Workplace) -> None:
    workplace.freeze()
    run(workplace)
    day, speech = SPEECH["paint-00004"]
    write_video(workplace.captions, "paint-00004", day, speech.replace("41 litres", "43 litres"))
    made = computed(run(workplace))
    assert made["chunks"] == made["embeddings"] == made["claims"] == 1
    assert made["threads"] <= 1


def test_a_cosmetic_change_stops_at_the_chunks(workplace: Workplace) -> None:
    workplace.freeze()
    run(workplace)
    path = workplace.captions / "paint-00004.en.srt"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert computed(run(workplace)) == {"chunks": 1}


def test_a_new_video_is_added_and_the_others_stay(workplace: Workplace) -> None:
    workplace.freeze()
    run(workplace)
    write_video(workplace.captions, "paint-00007", "2025-11-20", "The Orn Bridge now has 2 coats of zinc primer.")
    made = computed(run(workplace))
    assert made["chunks"] == made["embeddings"] == made["claims"] == 1
    assert made["metrics"] == 2, "the corpus is another one, so its runs are new"


def test_an_unreadable_file_is_quarantined_and_stops_nobody(workplace: Workplace) -> None:
    (workplace.captions / "paint-00002.en.srt").write_bytes(b"")
    report = run(workplace)
    assert report.errors == {}
    assert computed(report)["chunks"] == 5
    with workplace.open() as project, project.database.begin() as connection:
        assert connection.execute(text("select video_id, code from quarantine")).all() == [
            ("paint-00002", "no_captions")
        ]
    day, speech = SPEECH["paint-00002"]
    write_video(workplace.captions, "paint-00002", day, speech)
    assert computed(run(workplace))["chunks"] == 1
    with workplace.open() as project, project.database.begin() as connection:
        assert connection.execute(text("select count(*) from quarantine")).scalar_one() == 0
