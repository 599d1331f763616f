"""Pre-registration: comparisons that were written down and committed before the runs, in `hypotheses.toml`.

[[hypothesis]]
id = "loop-helps"
arm = "react-dense"
against = "single-shot"
tier = "longitudinal"
metric = "recall"
direction = "higher"
"""

import subprocess
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.scoring.compare import COMPARED, Comparison, with_holm

FILE_NAME = "hypotheses.toml"


class Hypothesis(BaseModel):
    """One planned comparison."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str
    arm: str
    against: str
    tier: Literal["factual", "longitudinal"]
    metric: str = "recall"
    direction: Literal["higher", "lower", "different"] = "different"


class Registration(BaseModel):
    """The file as it was read.

    Attributes:
        sha256: of its bytes.
        committed_at: of the last commit that touched it; None where it has changes or no history.
        problem: why its time is not known.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: str
    committed_at: datetime | None
    problem: str | None = None
    hypotheses: tuple[Hypothesis, ...]


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    hypothesis: list[Hypothesis] = []


def read_registration(root: Path) -> Registration | None:
    """Read `hypotheses.toml` in the project's folder; None where there is none.

    Raises:
        UserError: it is no TOML, a line does not fit, two have one id, or a metric cannot be compared.
    """
    path = root / FILE_NAME
    if not path.is_file():
        return None
    try:
        raw = path.read_bytes()
        made = _File.model_validate(tomllib.loads(raw.decode("utf-8")))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, ValidationError) as error:
        raise UserError(f"{path} does not fit: {error}.", "See docs/intervals.md for its lines.") from error
    seen: set[str] = set()
    for line in made.hypothesis:
        if line.id in seen:
            raise UserError(f"{path} has two hypotheses `{line.id}`.", "Give each an id of its own.")
        if line.metric not in COMPARED:
            raise UserError(
                f"{path}: `{line.id}` compares `{line.metric}`, which is not compared.",
                f"Choose one of {', '.join(COMPARED)}.",
            )
        seen.add(line.id)
    committed_at, problem = _committed_at(path)
    return Registration(
        sha256=sha256(raw).hexdigest(),
        committed_at=committed_at,
        problem=problem,
        hypotheses=tuple(made.hypothesis),
    )


def _committed_at(path: Path) -> tuple[datetime | None, str | None]:
    try:
        changed = _git(path, "status", "--porcelain", "--", path.name)
    except (OSError, subprocess.CalledProcessError):
        return None, "not under version control"
    try:
        stamp = _git(path, "log", "-1", "--format=%cI", "--", path.name)
    except subprocess.CalledProcessError:  # a repository without any commit
        stamp = ""
    if not stamp:
        return None, "never committed"
    return (None, "changed since it was committed") if changed else (datetime.fromisoformat(stamp), None)


def _git(path: Path, *arguments: str) -> str:
    command = ["git", "-C", str(path.parent), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=30).stdout.strip()


def mark_planned(
    comparisons: Sequence[Comparison], registration: Registration | None, confidence: float
) -> list[Comparison]:
    """Return the comparisons with Holm's p: the planned ones as a family of their own, the found ones by metric.

    A planned comparison holds if its corrected p is at most 1 - confidence and its sign is the one announced.
    """
    lines = registration.hypotheses if registration else ()
    planned: list[Comparison] = []
    found = list(comparisons)
    for line in lines:
        wanted = [
            one
            for one in comparisons
            if (one.tier, one.metric, one.new, one.old) == (line.tier, line.metric, line.arm, line.against)
        ]
        planned += [replace(one, hypothesis=line.id, direction=line.direction) for one in wanted]
        found = [one for one in found if one not in wanted]
    families = [[one for one in found if one.metric == metric] for metric in COMPARED]
    marked = [_judged(one, 1 - confidence) for one in with_holm(planned)]
    return marked + [one for family in families for one in with_holm(family)]


def _judged(one: Comparison, alpha: float) -> Comparison:
    if one.p_holm is None or one.difference is None:
        return one
    signs = {"higher": one.difference > 0, "lower": one.difference < 0, "different": True}
    return replace(one, holds=one.p_holm <= alpha and signs[one.direction or "different"])
