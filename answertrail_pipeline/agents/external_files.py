"""Finished answers from a JSON-lines file: our own format, or castorini's runs (TREC RAG)."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from answertrail_pipeline.agents.external_calls import Call
from answertrail_pipeline.errors import UnitError, UserError

ANSWER_FILE = "file:"


class _Lenient(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Sentence(_Lenient):
    text: str
    citations: tuple[int | str, ...] = ()


class _Document(_Lenient):
    segment: str | None = None
    contents: str | None = None
    title: str = ""


class _Candidate(_Lenient):
    docid: str | int
    doc: _Document = _Document()


class _Summary(_Lenient):
    candidates: tuple[_Candidate, ...] = ()


class _CastoriniAnswer(_Lenient):
    """A line of a run: sentences that cite by place in `references`, or by document id."""

    answer: tuple[_Sentence, ...]
    references: tuple[str | int, ...] = ()
    rag_exec_summary: _Summary = Field(default=_Summary())


def answer_file(endpoint: str, root: Path) -> str:
    """Return the text of the file that an endpoint `file:PATH` names.

    Raises:
        UserError: it cannot be read.
    """
    path = root / endpoint.removeprefix(ANSWER_FILE)
    try:
        return path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"Cannot read the answers in {path}: {error}.", "Check the arm's `endpoint`.") from error


def call_file(endpoint: str, root: Path) -> Call:
    """Return a call that looks a question up in a file, by its id or else by its words.

    Raises:
        UserError: the file cannot be read, a line is no JSON object, or a question is answered twice.
    """
    answers = _by_question(answer_file(endpoint, root), root / endpoint.removeprefix(ANSWER_FILE))

    async def call(request: dict[str, Any]) -> Any:
        for key in (request["question_id"], _words(request["question"])):
            if key in answers:
                return _own_format(answers[key])
        raise UnitError("no_answer", f"The file holds no answer to `{request['question_id']}`.")

    return call


def _by_question(text: str, path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise UserError(f"{path}, line {number} is no JSON: {error}.", "Write one object a line.") from error
        key = _question_key(row)
        if key is None:
            raise UserError(
                f"{path}, line {number} names no question.", "Give each object a `question_id` or a `question`."
            )
        if key in found:
            raise UserError(f"{path}, line {number} answers `{key}` again.", "Keep one answer a question.")
        found[key] = row
    return found


def _question_key(row: Any) -> str | None:
    if not isinstance(row, dict):
        return None
    metadata = row.get("metadata")
    places = (row, metadata) if isinstance(metadata, dict) else (row,)
    for name in ("question_id", "topic_id", "qid", "narrative_id"):
        for place in places:
            if isinstance(place.get(name), str | int):
                return str(place[name])
    for name in ("question", "topic"):
        if isinstance(row.get(name), str):
            return _words(row[name])
    return None


def _words(question: str) -> str:
    return " ".join(question.casefold().split())


def _own_format(row: dict[str, Any]) -> dict[str, Any]:
    if not isinstance(row.get("answer"), list):
        return row
    try:
        run = _CastoriniAnswer.model_validate(row)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise UnitError("wrong_shape", f"The line does not fit: {where}: {first['msg']}.") from error
    cited = [[_reference(run, each) for each in sentence.citations] for sentence in run.answer]
    prose = " ".join(
        " ".join([sentence.text.strip(), *(f"[{each}]" for each in ids)])
        for sentence, ids in zip(run.answer, cited, strict=True)
    )
    candidates = run.rag_exec_summary.candidates
    return {
        "answer": prose,
        "citations": list(dict.fromkeys(each for ids in cited for each in ids)),
        "retrieved": [_retrieved(candidate) for candidate in candidates] or None,
    }


def _reference(run: _CastoriniAnswer, citation: int | str) -> str:
    if isinstance(citation, str):
        return citation
    if not 0 <= citation < len(run.references):
        raise UnitError("wrong_shape", f"Citation {citation} has no place among {len(run.references)} references.")
    return str(run.references[citation])


def _retrieved(candidate: _Candidate) -> dict[str, Any]:
    text = candidate.doc.segment or candidate.doc.contents
    if text is None:
        return {"chunk_id": str(candidate.docid)}
    return {"id": str(candidate.docid), "text": text, "title": candidate.doc.title}
