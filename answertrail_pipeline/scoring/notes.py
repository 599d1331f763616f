"""What must be read with a number: who decided the gold, who judged, and what was assumed."""

from collections.abc import Iterable, Sequence

from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.kinship import writers
from answertrail_pipeline.models.families import UNKNOWN, are_kin
from answertrail_pipeline.scoring.folding import Line
from answertrail_pipeline.scoring.types import CalibrationWord, JudgeUsed
from answertrail_pipeline.settings import ModelRole


def gold_notes(gold: GoldVersion) -> list[str]:
    """Return what the gold puts on every number."""
    return ["policy: auto (no person decided this gold)"] if gold.policy == "auto" else []


def line_notes(line: Line, gold: GoldVersion) -> list[str]:
    """Return what must be read with every number of a line."""
    notes = []
    arm, run = line.run.whole_arm, line.run
    if gold.corpus_id and run.corpus_id != gold.corpus_id:
        notes.append(f"gold of {gold.as_of}, corpus {line.corpus} is another")
    if any(judge.mode == "rules" for judge in line.judges):
        notes.append("judge: rule-based")
    if len(line.judges) > 1:
        notes.append(f"judged by {len(line.judges)} judges")
    if run.family == UNKNOWN:
        notes.append("agent: family unknown, kinship with the judge cannot be ruled out")
    notes += _kinship(line.judges, run.family, arm.role, gold)
    evidence = {trail.reports_retrieval for trail in line.trails}
    if False in evidence:
        notes.append("agent does not report what it retrieved; groundedness is against its citations, if any")
    if arm.settings.retriever.claims not in ("none", "clean"):
        notes.append("index shares claims with gold")
    return notes


def _kinship(judges: Sequence[JudgeUsed], family: str | None, agent: ModelRole, gold: GoldVersion) -> list[str]:
    notes = []
    for judge in judges:
        role = ModelRole(model=judge.model, family=judge.family)
        if judge.mode == "rules":
            continue
        if are_kin(role, agent.model_copy(update={"family": family})):
            notes.append(f"judge {judge.model} is kin to the agent ({family})")
        kin = [writer for writer in writers(gold) if are_kin(role, ModelRole(model=writer))]
        if kin:
            notes.append(f"judge {judge.model} is kin to the gold's writer ({', '.join(kin)})")
    return notes


def calibration_notes(
    judges: Iterable[JudgeUsed], purposes: Sequence[str], calibrations: Iterable[CalibrationWord]
) -> list[str]:
    """Return `judge: uncalibrated` with the purposes on which a judge has not passed its gate."""
    passed = {(word.judge_id, word.purpose) for word in calibrations if word.calibrated}
    missing = [purpose for purpose in purposes if not all((judge.judge_id, purpose) in passed for judge in judges)]
    return [f"judge: uncalibrated ({', '.join(missing)})"] if missing else []
