"""Building a scoreboard from rows: every arm on one gold version, compared, corrected, and all left out named."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import HEADLINE_KIND, GoldVersion
from answertrail_pipeline.hashing import fingerprint
from answertrail_pipeline.scoring.board import (
    BoardArm,
    BoardCell,
    BoardDefinition,
    BoardFinding,
    BoardJudgedAlso,
    BoardMetric,
    BoardQuestion,
    BoardRunMetric,
    Kind,
    LeftOut,
    Scoreboard,
    board_comparison,
    board_correction,
    board_judge,
    board_metric,
    board_registration,
)
from answertrail_pipeline.scoring.board_calibration import board_calibration
from answertrail_pipeline.scoring.compare import COMPARED, Comparison, compare
from answertrail_pipeline.scoring.correction import Corrected, corrected
from answertrail_pipeline.scoring.folding import FoldedRun, Line, comparable, fold, lines
from answertrail_pipeline.scoring.hypotheses import Registration, mark_planned
from answertrail_pipeline.scoring.identities import violated_identities
from answertrail_pipeline.scoring.intervals import Resampling
from answertrail_pipeline.scoring.items import UNSCORED
from answertrail_pipeline.scoring.metrics import TIERS, resampling, score_tallies
from answertrail_pipeline.scoring.notes import calibration_notes, gold_notes, line_notes
from answertrail_pipeline.scoring.profile import COST_PER_NUGGET, FIGURES
from answertrail_pipeline.scoring.sensitivity import JudgedAlso, judged_also
from answertrail_pipeline.scoring.shares import SHARES
from answertrail_pipeline.scoring.source import Source
from answertrail_pipeline.scoring.types import CalibrationWord, LabelledPair, Metric, ScoredTrail

_PURPOSES = {share.name: share.purposes for share in SHARES}


def build_scoreboard(source: Source, gold_version: str | None = None) -> Scoreboard:
    """Return the scoreboard of any source of rows; the same rows give the same bytes.

    Runs that must not be pooled, and those on other gold versions, are listed with the reason.

    Raises:
        UserError: there is no run to score, or a hypothesis names what is not there.
    """
    how = resampling(source.scoring)
    chosen, left_out = _choose_gold(source, gold_version)
    gold = source.gold(chosen)
    folded: list[FoldedRun] = []
    for run in source.runs():
        if run.gold_version != chosen:
            continue
        made = fold(source, run)
        if isinstance(made, FoldedRun):
            folded.append(made)
        else:
            left_out.append(LeftOut(kind="run", id=run.run_key, reason="; ".join(made)))
    all_lines = lines(folded)
    calibrations, labels, checks = source.calibrations(), source.labels(), source.checks()
    metrics = {line.name: score_tallies(line.tallies, line.trails, how) for line in all_lines}
    registration = source.registration()
    comparisons, unmatched = _comparisons(all_lines, gold.corpus_id, metrics, registration, how)
    board_registered = registration and board_registration(
        registration, before_runs=_before(registration, all_lines, source.started_at())
    )
    judges = sorted({judge for line in all_lines for judge in line.judges}, key=lambda judge: judge.judge_id)
    used = {judge.judge_id for judge in judges}
    return Scoreboard(
        channel=source.channel,
        gold_version=chosen,
        gold_as_of=gold.as_of.isoformat(),
        gold_sha256=fingerprint(gold.model_dump(mode="json")),
        policy=gold.policy,
        reviewers=gold.reviewers,
        gold_writers=tuple(sorted({nugget.written_by for q in gold.questions for nugget in q.nuggets})),
        task_hashes=gold.task_hashes,
        confidence=how.confidence,
        resamples=how.resamples,
        max_unscored_share=source.scoring.max_unscored_share,
        min_kappa=source.scoring.min_kappa,
        notes=tuple(gold_notes(gold, checks, source.uses())),
        arms=tuple(
            _arm(
                line,
                metrics[line.name],
                line_notes(line, gold, checks),
                calibrations,
                judged_also(source, line, how),
            )
            for line in all_lines
        ),
        comparisons=tuple(board_comparison(one) for one in comparisons),
        corrections=tuple(
            board_correction(line.name, made)
            for line in all_lines
            for made in _corrections(line, metrics[line.name], labels, how)
        ),
        questions=tuple(_questions(gold, folded)),
        findings=tuple(_findings(all_lines)),
        judges=tuple(board_judge(judge) for judge in judges),
        calibrations=tuple(board_calibration(word) for word in calibrations if word.judge_id in used),
        registration=board_registered,
        left_out=(*left_out, *_questions_left_out(gold), *unmatched),
        broken_identities=tuple(
            f"{line.name} {wrong}" for line in all_lines for wrong in violated_identities(metrics[line.name])
        ),
        definitions=tuple(_definitions()),
    )


def _choose_gold(source: Source, gold_version: str | None) -> tuple[str, list[LeftOut]]:
    scored = {run.gold_version for run in source.runs()}
    known = [name for name in source.gold_versions() if name in scored]
    if gold_version is not None and gold_version not in known:
        raise UserError(
            f"No runs on gold `{gold_version}` in {source.channel}.",
            f"Gold with runs: {', '.join(known) or 'none'}. Make runs with `answertrail evaluate`.",
        )
    if not known:
        raise UserError(f"No runs to score in {source.channel}.", "Make some with `answertrail evaluate`.")
    chosen = gold_version or known[-1]
    others = [
        LeftOut(kind="gold version", id=name, reason="another gold version; scores of two are not compared")
        for name in known
        if name != chosen
    ]
    return chosen, others


def _comparisons(
    all_lines: Sequence[Line],
    gold_corpus: str | None,
    metrics: Mapping[str, Sequence[Metric]],
    registration: Registration | None,
    how: Resampling,
) -> tuple[list[Comparison], list[LeftOut]]:
    wanted = {(line.arm, line.against) for line in registration.hypotheses} if registration else set()
    found: list[Comparison] = []
    for new, old in comparable(all_lines, gold_corpus, wanted):
        first, second = (old, new) if (old.name, new.name) in wanted else (new, old)
        for tier in TIERS:
            ours, theirs = (_by_name(metrics[line.name], tier) for line in (first, second))
            if ours and theirs:
                found += compare(tier, first.name, second.name, ours, theirs, how)
    marked = mark_planned(found, registration, how.confidence)
    matched = {one.hypothesis for one in marked}
    unmatched = [
        LeftOut(
            kind="hypothesis",
            id=line.id,
            reason=f"no pair of runs for {line.arm} against {line.against}, {line.tier} {line.metric}",
        )
        for line in (registration.hypotheses if registration else ())
        if line.id not in matched
    ]
    return marked, unmatched


def _before(registration: Registration, all_lines: Sequence[Line], started: Mapping[str, datetime]) -> bool:
    """Whether the file was committed before every run of the arms that it names."""
    planned = {name for line in registration.hypotheses for name in (line.arm, line.against)}
    runs = [one.run.run_key for line in all_lines if line.name in planned for one in line.folded]
    committed = registration.committed_at
    if committed is None or not runs:
        return False
    return all(key in started and committed < started[key] for key in runs)


def _by_name(metrics: Iterable[Metric], tier: str) -> dict[str, Metric]:
    return {metric.name: metric for metric in metrics if metric.tier == tier}


def _arm(
    line: Line,
    metrics: Sequence[Metric],
    notes: Sequence[str],
    calibrations: Sequence[CalibrationWord],
    also: Sequence[JudgedAlso],
) -> BoardArm:
    run, settings = line.run, line.run.whole_arm.settings
    return BoardArm(
        name=line.name,
        arm=run.arm,
        arm_hash=run.arm_hash,
        agent=settings.agent,
        model=run.whole_arm.model_name,
        family=run.family,
        retriever=None if settings.agent == "external" else settings.retriever.name,
        corpus_id=run.corpus_id,
        corpus=line.corpus,
        runs=tuple(one.run.run_key for one in line.folded),
        judges=tuple(judge.judge_id for judge in line.judges),
        notes=tuple(notes),
        metrics=tuple(_with_notes(metric, line, calibrations) for metric in metrics),
        by_run=tuple(one for each in line.folded for one in _by_run(each)),
        by_other_judges=tuple(
            BoardJudgedAlso(
                judge_id=one.judge.judge_id,
                model=one.judge.model,
                family=one.judge.family,
                recall=board_metric(one.recall, calibration_notes([one.judge], ("recall",), calibrations)),
            )
            for one in also
        ),
    )


def _with_notes(metric: Metric, line: Line, calibrations: Sequence[CalibrationWord]) -> BoardMetric:
    purposes = _PURPOSES.get(metric.name.removesuffix("_macro"), ())
    return board_metric(metric, calibration_notes(line.judges, purposes, calibrations))


def _by_run(folded: FoldedRun) -> list[BoardRunMetric]:
    return [
        BoardRunMetric(
            run_key=folded.run.run_key,
            tier=metric.tier,
            name=metric.name,
            hits=metric.hits,
            total=metric.total,
            value=metric.value,
        )
        for metric in score_tallies(folded.tallies, folded.trails, None)
        if metric.name.removesuffix("_macro") in COMPARED
    ]


def _corrections(
    line: Line, metrics: Iterable[Metric], labels: Sequence[LabelledPair], how: Resampling
) -> list[Corrected]:
    """Correct a line's shares by the labels of its judge; of a line with several judges none speaks for all."""
    if len(line.judges) != 1:
        return []
    own = [pair for pair in labels if pair.judge_id == line.judges[0].judge_id]
    made: list[Corrected] = []
    for metric in metrics:
        purposes = _PURPOSES.get(metric.name, ())
        if metric.name in COMPARED and len(purposes) == 1:
            made += corrected(metric, [pair for pair in own if pair.purpose == purposes[0]], how)
    return made


def _questions(gold: GoldVersion, folded: Sequence[FoldedRun]) -> list[BoardQuestion]:
    cells: dict[str, list[BoardCell]] = {}
    trails: dict[str, ScoredTrail] = {}
    for one in folded:
        trails |= {trail.question_id: trail for trail in one.trails}
        for made in one.tallies:
            kind = HEADLINE_KIND[made.tier]
            outcomes = [(o, times) for o, times in made.outcomes.items() if o.kind == kind and o.recall]
            asked = any(o.ceiling for o, _ in outcomes)
            cell = BoardCell(
                run_key=made.run_key,
                stated=sum(times for o, times in outcomes if o.recall == "HIT"),
                retrieved=sum(times for o, times in outcomes if o.ceiling == "HIT") if asked else None,
                total=sum(times for _, times in outcomes),
                unscored=sum(times for o, times in outcomes if o.recall == UNSCORED),
            )
            cells.setdefault(made.question_id, []).append(cell)
    return [
        BoardQuestion(
            question_id=question.question_id,
            tier=question.tier,
            nuggets=len(question.nuggets),
            out="segregated" if question.state == "segregated" else None if question.nuggets else "no nuggets",
            unanswerable=question.question_id in trails and trails[question.question_id].unanswerable,
            cells=tuple(cells.get(question.question_id, ())),
        )
        for question in sorted(gold.questions, key=lambda question: question.question_id)
        if question.tier in TIERS
    ]


def _questions_left_out(gold: GoldVersion) -> list[LeftOut]:
    reasons = {
        question.question_id: "segregated: asked and shown, in no denominator"
        if question.state == "segregated"
        else "no nuggets: nothing to find"
        for question in gold.questions
        if not question.counts and question.tier in TIERS
    }
    return [LeftOut(kind="question", id=key, reason=reasons[key]) for key in sorted(reasons)]


def _findings(all_lines: Iterable[Line]) -> list[BoardFinding]:
    return [
        BoardFinding(arm=line.name, **finding._asdict())
        for line in all_lines
        for one in line.folded
        for finding in one.findings
    ]


def _definitions() -> list[BoardDefinition]:
    made: list[BoardDefinition] = []
    for share in SHARES:
        made.append(_definition(share.name, share.title, "share", share.of, share.explanation))
        if share.macro:
            said = f"The mean over questions of: {share.explanation[0].lower()}{share.explanation[1:]}"
            made.append(_definition(f"{share.name}_macro", f"{share.title}, macro", "share", "questions", said))
    for one in (*FIGURES, COST_PER_NUGGET):
        kind: Kind = "share" if one.share else "mean" if one.of == "trails" else "ratio"
        made.append(_definition(one.name, one.title, kind, one.of, one.explanation))
    return made


def _definition(name: str, title: str, kind: Kind, of: str, explanation: str) -> BoardDefinition:
    return BoardDefinition(name=name, title=title, kind=kind, of=of, explanation=explanation)
