"""Tables for people, cut from the frames that scoring returns; HTML and Markdown show the same ones."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from answertrail_pipeline.reporting import words
from answertrail_pipeline.reporting.details import Details
from answertrail_pipeline.reporting.figures.heat import worst_first
from answertrail_pipeline.scoring.board import BoardFinding, Scoreboard

WORST = 15
MOST_FINDINGS = 200


@dataclass(frozen=True)
class Cell:
    """One cell: its words, a smaller second line, and where it links to."""

    words: str
    small: str = ""
    href: str | None = None


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        numeric: columns that are set to the right.
        note: said below it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    numeric: frozenset[int] = frozenset()
    note: str = ""


Href = Callable[[str, str], str | None]


def numbers(board: Scoreboard, tier: str) -> Table:
    """Return every number of a tier: a row a number, a column an arm."""
    arms = [arm for arm in board.arms if any(metric.tier == tier for metric in arm.metrics)]
    names = [one.name for one in board.definitions if any(arm.metric(tier, one.name) for arm in arms)]
    rows = []
    for name in names:
        meaning = board.definition(name)
        micro = ", micro" if f"{name}_macro" in names else ""
        row = [Cell(f"{meaning.title}{micro}", f"of {meaning.of}")]
        for arm in arms:
            metric = arm.metric(tier, name)
            if metric is None:
                row.append(Cell(words.NONE))
                continue
            share = meaning.kind == "share"
            if metric.value is None:
                row.append(Cell(words.NONE, metric.reason or ""))
                continue
            small = [words.interval(metric.interval, share=share), words.counts(metric)]
            small += [words.bounds(metric)] if metric.unscored else []
            small += [f"{metric.not_found} misses not found"] if metric.not_found else []
            small += list(metric.notes)
            row.append(Cell(words.value(metric, share=share), " · ".join(small)))
        rows.append(tuple(row))
    return Table(
        f"All numbers, {tier}",
        ("", *(arm.name for arm in arms)),
        tuple(rows),
        frozenset(range(1, len(arms) + 1)),
    )


def runs(board: Scoreboard) -> Table:
    """Return headline recall run by run: the range behind each pooled number."""
    rows = [
        (
            Cell(one.run_key.partition("/")[2]),
            Cell(one.tier),
            Cell(words.percent(one.value) if one.value is not None else words.NONE),
            Cell(f"{words.count(one.hits or 0)}/{words.count(one.total or 0)}"),
        )
        for arm in board.arms
        for one in arm.by_run
        if one.name == "recall"
    ]
    note = "One run has no interval of its own here: its pooled arm has, over the same questions."
    return Table("Recall by run", ("run", "tier", "recall", "stated"), tuple(rows), frozenset({2, 3}), note)


def comparisons(board: Scoreboard) -> Table:
    """Return every difference between arms."""
    rows = [
        (
            Cell(f"{one.new} − {one.old}", f"{one.tier}, {board.definition(one.metric).title.lower()}"),
            Cell(words.difference(one)),
            Cell(f"{words.count(one.new_hits)}/{words.count(one.new_total)}",
                 f"{words.count(one.old_hits)}/{words.count(one.old_total)}"),
            Cell(str(one.questions), f"{len(one.not_shared)} not shared" if one.not_shared else ""),
            Cell(words.probability(one.p), f"Holm {words.probability(one.p_holm)}"),
            Cell(words.detectable(one.detectable)),
            Cell(one.hypothesis or "found", _word(one.holds, one.direction)),
        )
        for one in board.comparisons
    ]  # fmt: skip
    return Table(
        "Differences between arms",
        ("arms", "points", "counts", "questions", "p", "could show", "planned"),
        tuple(rows),
        frozenset({1, 2, 3, 4, 5}),
        "Points over shared questions. p: sign-flip permutation; Holm within planned ones, and within each number"
        " for those found afterwards. Could show: the smallest difference found with 80% power.",
    )


def _word(holds: bool | None, direction: str | None) -> str:
    if holds is None:
        return ""
    return f"{direction}: {'holds' if holds else 'not shown'}"


def sensitivity(board: Scoreboard) -> Table:
    """Return headline recall by other judges beside that of the scoring judge."""
    rows = []
    for arm in board.arms:
        for one in arm.by_other_judges:
            ours = arm.metric(one.recall.tier, "recall")
            rows.append(
                (
                    Cell(arm.name, one.recall.tier),
                    Cell(one.family or "rules", one.model),
                    Cell(words.number(one.recall, share=True), words.listed(one.recall.notes)),
                    Cell(words.number(ours, share=True) if ours else words.NONE),
                )
            )
    return Table(
        "Recall by other judges",
        ("arm", "judge's family", "recall by it", "recall as scored"),
        tuple(rows),
        note="Over the same nuggets and answers; a judge that saw only a part of them is not shown.",
    )


def corrections(board: Scoreboard) -> Table:
    """Return judge-corrected scores beside the raw ones."""
    rows = []
    for one in board.corrections:
        raw = next(arm for arm in board.arms if arm.name == one.arm).metric(one.tier, one.metric)
        rows.append(
            (
                Cell(one.arm, f"{one.tier}, {board.definition(one.metric).title.lower()}"),
                Cell(words.number(raw, share=True) if raw else words.NONE),
                Cell(
                    words.percent(one.value) if one.value is not None else words.NONE,
                    words.interval(one.interval, share=True),
                ),
                Cell(one.method, one.note),
                Cell(str(one.pairs)),
            )
        )
    return Table(
        "Corrected for the judge",
        ("arm", "raw", "corrected", "how", "pairs"),
        tuple(rows),
        frozenset({4}),
        note="The judge is taken to err alike on the answers of every arm.",
    )


def worst(board: Scoreboard, details: Details, tier: str, href: Href) -> Table:
    """Return the questions of least recall over all runs, with links to their trails."""
    rows = []
    for question in worst_first(board, tier)[:WORST]:
        stated = sum(cell.stated for cell in question.cells)
        scored = sum(cell.total - cell.unscored for cell in question.cells)
        retrieved = sum(cell.retrieved or 0 for cell in question.cells)
        known = details.questions.get(question.question_id)
        first = question.cells[0].run_key
        rows.append(
            (
                Cell(question.question_id, href=href(first, question.question_id)),
                Cell(known.text if known else ""),
                Cell(words.percent(stated / scored) if scored else words.NONE, f"{stated}/{scored}"),
                Cell(f"{retrieved}/{scored}"),
            )
        )
    return Table(
        f"Worst questions, {tier}",
        ("question", "", "stated", "retrieved"),
        tuple(rows),
        frozenset({2, 3}),
        "Over all runs of all arms. One question alone has no interval.",
    )


def findings(board: Scoreboard, details: Details, what: str, href: Href) -> Table:
    """Return violations, or unscored verdicts, one by one."""
    found = [one for one in board.findings if one.what == what]
    rows = []
    for one in found[:MOST_FINDINGS]:
        claim, reason = details.reasons.get((one.run_key, one.question_id, one.purpose, one.item_id), ("", ""))
        rows.append(
            (
                Cell(f"{one.arm} {one.run_key.rpartition('/')[2]}", one.tier),
                Cell(f"{one.question_id} {one.item_id}", one.purpose, href(one.run_key, one.question_id)),
                Cell(claim or _nugget_text(details, one)),
                Cell(one.detail or reason),
            )
        )
    titles = {"violation": "Stated, never retrieved", "unscored": "Unscored verdicts"}
    more = len(found) - len(rows)
    note = f"{more} more are in tables/findings.csv." if more else ""
    return Table(titles[what], ("run", "item", "claim", "reason"), tuple(rows), note=note)


def _nugget_text(details: Details, finding: BoardFinding) -> str:
    question = details.questions.get(finding.question_id)
    nuggets = question.nuggets if question else ()
    return next((nugget.text for nugget in nuggets if nugget.nugget_id == finding.item_id), "")


def disagreements(details: Details) -> Table:
    """Return every labelled pair on which a person and the judge differ, with both reasons."""
    rows = tuple(
        (
            Cell(one.question_id, f"{one.purpose}, {one.tier}"),
            Cell(one.claim),
            Cell(one.judge, one.judge_reason),
            Cell(one.label, f"{one.person}: {one.reason}" if one.reason else one.person),
        )
        for one in details.disagreements
    )
    return Table("Where a person and the judge differ", ("question", "claim", "judge", "person"), rows)


def left_out(board: Scoreboard) -> Table:
    """Return what is in no number, and why."""
    rows = tuple((Cell(one.kind), Cell(one.id), Cell(one.reason)) for one in board.left_out)
    return Table("Left out", ("what", "which", "why"), rows)


def provenance(board: Scoreboard, details: Details) -> Table:
    """Return all that a number hangs on, with full hashes."""
    pairs: list[tuple[str, str]] = [
        ("channel", board.channel),
        ("gold", f"{board.gold_version}, as of {board.gold_as_of}, sha256 {board.gold_sha256}"),
        ("gold decided by", f"{board.policy}" + (f": {words.listed(board.reviewers)}" if board.reviewers else "")),
        ("nuggets written by", words.listed(board.gold_writers)),
        *((f"prompt of {task}", digest) for task, digest in sorted(board.task_hashes.items())),
    ]
    for judge in board.judges:
        pairs.append(("judge", f"{judge.model}, mode {judge.mode}, family {judge.family or 'none'}"))
        pairs.append(("judge's prompt", f"{judge.prompt_hash}; id {judge.judge_id}"))
    for arm in board.arms:
        what = [arm.agent, arm.model, *([arm.retriever] if arm.retriever else [])]
        pairs.append((f"arm {arm.name}", f"{words.listed(what)}; family {arm.family or 'none'}; {arm.arm_hash}"))
        pairs.append(("its runs", f"{len(arm.runs)} over corpus {arm.corpus} ({arm.corpus_id})"))
    pairs.append(("intervals", f"{board.confidence:.0%}, {board.resamples:,} resamples of questions"))
    pairs.append(("unscored allowed", f"{board.max_unscored_share:.1%} of a run's verdicts of one purpose"))
    pairs.append(("pre-registration", _registered(board)))
    pairs.append(("code", details.commit or "commit not known"))
    return Table("Provenance", ("", ""), tuple((Cell(name), Cell(said)) for name, said in pairs))


def _registered(board: Scoreboard) -> str:
    made = board.registration
    if made is None:
        return "none"
    when = f"committed {made.committed_at}" if made.committed_at else made.problem or "time not known"
    before = "before every run" if made.before_runs else "not shown to be before the runs"
    return f"{len(made.hypotheses)} hypotheses, {when}, {before}; sha256 {made.sha256}"


def definitions(board: Scoreboard) -> Table:
    """Return what each number means."""
    shown = {metric.name for arm in board.arms for metric in arm.metrics}
    rows = tuple(
        (Cell(one.title, f"of {one.of}"), Cell(one.explanation)) for one in board.definitions if one.name in shown
    )
    return Table("What each number means", ("number", ""), rows)


def filled(tables: Sequence[Table]) -> list[Table]:
    """Return the tables that have rows."""
    return [table for table in tables if table.rows]
