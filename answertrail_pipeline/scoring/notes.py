"""What must be read with a number: who decided the gold, who judged, and what was assumed."""

from collections.abc import Iterable, Iterator, Sequence

from answertrail_pipeline.agents.arms import Arm
from answertrail_pipeline.agents.clean_claims import shares_claims
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.judging.judges import shapes_replies
from answertrail_pipeline.judging.kinship import writers
from answertrail_pipeline.models.families import UNKNOWN, are_kin, family_of
from answertrail_pipeline.scoring.folding import Line
from answertrail_pipeline.scoring.model_checks import Use, check_notes
from answertrail_pipeline.scoring.types import CalibrationWord, JudgeUsed, ModelCheck
from answertrail_pipeline.settings import ModelRole
from answertrail_pipeline.tasks.judge import JUDGE
from answertrail_pipeline.tasks.judge_batch import JUDGE_BATCH

UNCALIBRATED = "judge: uncalibrated"
BY_TRUTH_FILE = "judge: calibrated on a truth file, not by people"
_AGENTS_TASKS = ("code_events", "focus_search", "plan_gaps", "write_answer")
"""What an agent's model does in single replies; the steps of its loop can only be judged by its scores."""


def gold_notes(gold: GoldVersion, checks: Sequence[ModelCheck], uses: Iterable[Use] = ()) -> list[str]:
    """Return what the gold, and the cutting of answers, put on every number.

    Args:
        uses: of the channel's ledger; those of other prompts than the gold's are left out.
    """
    notes = ["policy: auto (no person decided this gold)"] if gold.policy == "auto" else []
    used = [(one, "write_nuggets", gold.task_hashes.get("write_nuggets", "")) for one in _model_writers(gold)]
    used += [use for use in uses if gold.task_hashes.get(use[1], use[2]) == use[2]]
    return notes + check_notes(used, checks)


def _model_writers(gold: GoldVersion) -> list[str]:
    """Return the models among those who wrote, by their makers; no reviewer, whatever the name, and no file."""
    return [
        writer
        for writer in writers(gold)
        if family_of(ModelRole(model=writer)) not in (None, UNKNOWN)
        and writer not in gold.reviewers
        and not writer.startswith("file ")
    ]


def line_notes(line: Line, gold: GoldVersion, checks: Sequence[ModelCheck]) -> list[str]:
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
    notes += check_notes(judging(line.judges), checks)
    notes += check_notes(answering(arm), [one for one in checks if one.config == shapes_replies(arm.role)])
    notes += _kinship(line.judges, run.family, arm.role, gold)
    evidence = {trail.reports_retrieval for trail in line.trails}
    if False in evidence:
        notes.append("agent does not report what it retrieved; groundedness is against its citations, if any")
    if shares_claims(arm.settings.retriever, gold):
        notes.append("index shares claims with gold")
    return notes


def judging(judges: Iterable[JudgeUsed]) -> Iterator[Use]:
    """Yield what judges did; the members of a panel each by themselves, on today's prompt."""
    for judge in judges:
        if judge.mode == "rules":
            continue
        task = JUDGE_BATCH if judge.mode == "batched" else JUDGE
        members = judge.model.split(" + ")
        for model in members:
            yield model, task.name, judge.prompt_hash if len(members) == 1 else task.prompt_hash


def answering(arm: Arm) -> Iterator[Use]:
    """Yield what an agent's model did; an external agent's prompts are not ours."""
    if arm.settings.agent != "external" and not arm.role.is_baseline:
        for task in _AGENTS_TASKS:
            if task in arm.prompts:
                yield arm.role.model, task, arm.prompts[task]


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
    judges: Sequence[JudgeUsed], purposes: Sequence[str], calibrations: Iterable[CalibrationWord]
) -> list[str]:
    """Return what a number's judges are not calibrated for, and what no person's labels stand behind."""
    passed: dict[tuple[str, str], CalibrationWord] = {
        (word.judge_id, word.purpose): word for word in calibrations if word.calibrated
    }
    needed = {purpose: [passed.get((judge.judge_id, purpose)) for judge in judges] for purpose in purposes}
    missing = [purpose for purpose, words in needed.items() if None in words]
    by_file = [purpose for purpose, words in needed.items() if any(word and word.truth_file for word in words)]
    notes = [f"{UNCALIBRATED} ({', '.join(missing)})"] if missing else []
    return [*notes, f"{BY_TRUTH_FILE} ({', '.join(by_file)})"] if by_file else notes
