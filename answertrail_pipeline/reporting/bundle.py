"""A bundle: all that a third party needs to score again, without model and without database.

A zip file of JSON lines. Under `scored/` lies what `rescore` reads; under `words/` what was judged, for people:
answers, claims, texts and reasons. The same rows give the same bytes.
"""

import json
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError
from sqlalchemy import text

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.errors import UserError
from answertrail_pipeline.gold.types import GoldVersion
from answertrail_pipeline.scoring.board import Scoreboard, to_bytes
from answertrail_pipeline.scoring.build import build_scoreboard
from answertrail_pipeline.scoring.hypotheses import Registration
from answertrail_pipeline.scoring.model_checks import Use
from answertrail_pipeline.scoring.source import DatabaseSource, Source
from answertrail_pipeline.scoring.types import (
    CalibrationWord,
    JudgeUsed,
    LabelledPair,
    ModelCheck,
    ScoredTrail,
    ScoredVerdict,
)
from answertrail_pipeline.settings import ScoringSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.shipped import read_sql

FORMAT = "answertrail-bundle/2"
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold: no time of day in the bytes
_WORDS = ("answers", "assertions", "judged", "texts", "chunks")


@dataclass(frozen=True)
class Rescored:
    """A scoreboard made again from a bundle, and whether it is the one that the bundle holds, byte for byte."""

    board: Scoreboard
    same: bool


def export_bundle(
    database: Database, channel: str, settings: Settings, path: Path, gold_version: str | None = None
) -> Scoreboard:
    """Write a channel's bundle to a zip file and return its scoreboard.

    Raises:
        UserError: there is no run to score.
    """
    source = DatabaseSource(database, channel, settings)
    board = build_scoreboard(source, gold_version)
    run_keys = sorted(run.run_key for run in source.runs() if run.gold_version == board.gold_version)
    with database.begin() as connection:
        words = {
            f"words/{name}.jsonl": (
                dict(row._mapping)
                for row in connection.execution_options(yield_per=10_000).execute(
                    text(read_sql(f"queries/bundle_{name}.sql")), {"channel": channel, "run_keys": run_keys}
                )
            )
            for name in _WORDS
        }
        write_bundle(source, board, path, words)
    return board


def write_bundle(
    source: Source, board: Scoreboard, path: Path, words: Mapping[str, Iterable[Mapping[str, Any]]]
) -> None:
    """Write the bundle of a scoreboard that was made from a source.

    Args:
        words: rows for people by file name.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(f".{path.name}.half")
    digests: dict[str, str] = {}
    with zipfile.ZipFile(half, "w", zipfile.ZIP_DEFLATED) as archive:

        def put(name: str, chunks: Iterable[bytes]) -> None:
            digest = sha256()
            with archive.open(zipfile.ZipInfo(name, _FIRST_DAY), "w", force_zip64=True) as entry:
                for chunk in chunks:
                    digest.update(chunk)
                    entry.write(chunk)
            digests[name] = digest.hexdigest()

        for name, rows in _scored(source, board):
            put(name, map(_line, rows))
        for name, rows in sorted(words.items()):
            put(name, map(_line, rows))
        put("scoreboard.json", [to_bytes(board)])
        manifest = {"format": FORMAT, "channel": source.channel, "gold": board.gold_version, "sha256": digests}
        put("manifest.json", [_line(manifest)])
    half.replace(path)


def _scored(source: Source, board: Scoreboard) -> Iterator[tuple[str, Iterable[Any]]]:
    runs = source.runs()
    registration = source.registration()
    yield "scored/settings.jsonl", [source.scoring.model_dump(mode="json")]
    yield "scored/gold_versions.jsonl", source.gold_versions()
    yield "scored/gold.jsonl", [source.gold(board.gold_version).model_dump(mode="json")]
    yield "scored/runs.jsonl", [vars(run) for run in runs]
    yield "scored/labels.jsonl", map(asdict, source.labels())
    yield "scored/calibrations.jsonl", map(asdict, source.calibrations())
    yield "scored/checks.jsonl", map(asdict, source.checks())
    yield "scored/uses.jsonl", source.uses()
    yield "scored/registration.jsonl", [registration.model_dump(mode="json")] if registration else []
    yield "scored/started_at.jsonl", [[key, when.isoformat()] for key, when in source.started_at().items()]
    for number, run in enumerate(runs):
        if run.gold_version == board.gold_version:
            yield f"scored/judges/{number}.jsonl", map(asdict, source.judges(run))
            others = ({"judge": asdict(j), "verdicts": list(map(asdict, v))} for j, v in source.other_judges(run))
            yield f"scored/other_judges/{number}.jsonl", others
            yield f"scored/trails/{number}.jsonl", map(asdict, source.trails(run))
            yield f"scored/verdicts/{number}.jsonl", map(asdict, source.verdicts(run))


def _line(value: Any) -> bytes:
    written = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=_word)
    return (written + "\n").encode("utf-8", "surrogatepass")


def _word(value: Any) -> str:
    if isinstance(value, Decimal):
        return str(value)
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} has no place in a bundle")


class BundleSource:
    """The rows of a bundle, as a source of a scoreboard."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        manifest = self._one("manifest.json")
        self.channel: str = manifest["channel"]
        self.gold_version: str = manifest["gold"]
        self.scoring = ScoringSettings.model_validate(self._one("scored/settings.jsonl"))

    def runs(self) -> list[Run]:
        """Return all runs, by run key."""
        return [Run(**row) for row in self._rows("scored/runs.jsonl")]

    def gold_versions(self) -> list[str]:
        """Return the names of the frozen gold versions, oldest first."""
        return list(self._rows("scored/gold_versions.jsonl"))

    def gold(self, gold_version: str) -> GoldVersion:
        """Return the gold version that the bundle holds."""
        return GoldVersion.model_validate(self._one("scored/gold.jsonl"))

    def trails(self, run: Run) -> list[ScoredTrail]:
        """Return a run's trails, one a gold question."""
        rows = self._rows(f"scored/trails/{self._number[run.run_key]}.jsonl")
        return [ScoredTrail(**{**row, "cost_usd": _decimal(row["cost_usd"])}) for row in rows]

    def verdicts(self, run: Run) -> Iterator[ScoredVerdict]:
        """Yield a run's verdicts, those of one question together."""
        for row in self._rows(f"scored/verdicts/{self._number[run.run_key]}.jsonl"):
            yield ScoredVerdict(**row)

    def judges(self, run: Run) -> list[JudgeUsed]:
        """Return the judges of a run's verdicts."""
        return [JudgeUsed(**row) for row in self._rows(f"scored/judges/{self._number[run.run_key]}.jsonl")]

    def other_judges(self, run: Run) -> list[tuple[JudgeUsed, list[ScoredVerdict]]]:
        """Return what other judges say of a run's recall, by judge id."""
        rows = self._rows(f"scored/other_judges/{self._number[run.run_key]}.jsonl")
        return [(JudgeUsed(**row["judge"]), [ScoredVerdict(**one) for one in row["verdicts"]]) for row in rows]

    def labels(self) -> list[LabelledPair]:
        """Return the pairs that people labelled."""
        return [LabelledPair(**row) for row in self._rows("scored/labels.jsonl")]

    def calibrations(self) -> list[CalibrationWord]:
        """Return what calibrations say of each judge."""
        reader = TypeAdapter(CalibrationWord)  # it holds other values
        return [reader.validate_python(row) for row in self._rows("scored/calibrations.jsonl")]

    def checks(self) -> list[ModelCheck]:
        """Return what `check-model` found, by model and task."""
        return [ModelCheck(**row) for row in self._rows("scored/checks.jsonl")]

    def uses(self) -> list[Use]:
        """Return which models did the tasks behind the gold and the assertions."""
        return [(model, task, prompt_hash) for model, task, prompt_hash in self._rows("scored/uses.jsonl")]

    def registration(self) -> Registration | None:
        """Return the pre-registered comparisons."""
        found = [Registration.model_validate(row) for row in self._rows("scored/registration.jsonl")]
        return found[0] if found else None

    def started_at(self) -> dict[str, datetime]:
        """Return when each run was declared, by run key."""
        return {key: datetime.fromisoformat(when) for key, when in self._rows("scored/started_at.jsonl")}

    @cached_property
    def _number(self) -> dict[str, int]:
        return {run.run_key: number for number, run in enumerate(self.runs())}

    def _rows(self, name: str) -> Iterator[Any]:
        with self._archive.open(name) as entry:
            for line in entry:
                yield json.loads(line.decode("utf-8", "surrogatepass"))

    def _one(self, name: str) -> Any:
        return next(self._rows(name))


def _decimal(value: str | None) -> Decimal | None:
    return None if value is None else Decimal(value)


def rescore(path: Path) -> Rescored:
    """Make the scoreboard of a bundle again: no model, no database, no configuration.

    Raises:
        UserError: the file is no bundle, or its content is not what its manifest says.
    """
    return _read(path, _rescore)


def _rescore(archive: zipfile.ZipFile) -> Rescored:
    source = BundleSource(archive)
    board = build_scoreboard(source, source.gold_version)
    return Rescored(board, to_bytes(board) == archive.read("scoreboard.json"))


def _read(path: Path, work: Callable[[zipfile.ZipFile], Rescored]) -> Rescored:
    way_out = "Make one with `answertrail export --bundle FILE.zip`."
    try:
        with zipfile.ZipFile(path) as archive:
            _check(path, archive)
            return work(archive)
    except (OSError, zipfile.BadZipFile) as error:
        raise UserError(f"Cannot read {path}: {error}.", way_out) from error
    except (KeyError, StopIteration, TypeError, ValueError, ValidationError) as error:
        raise UserError(f"{path} is no bundle that this version can read: {error}.", way_out) from error


def _check(path: Path, archive: zipfile.ZipFile) -> None:
    manifest = json.loads(archive.read("manifest.json"))
    if manifest.get("format") != FORMAT:
        raise UserError(f"{path} has format {manifest.get('format')!r}.", f"This version reads {FORMAT}.")
    for name, expected in sorted(manifest["sha256"].items()):
        digest = sha256()
        with archive.open(name) as entry:
            while block := entry.read(1 << 20):
                digest.update(block)
        if digest.hexdigest() != expected:
            raise UserError(f"{name} in {path} is not what the manifest says.", "Ask for the bundle again.")
