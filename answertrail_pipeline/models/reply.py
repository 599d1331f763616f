"""The reply contract: which part of a model's text counts as its answer, and when there is none.

The last complete, outermost JSON object that fits the task's output type is the answer. A reply whose last object
is cut off, or whose last object of the right kind does not fit, has no answer: nothing is taken from an earlier
draft, from inside a broken object, or from prose.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

Out = TypeVar("Out", bound=BaseModel)

_MAX_STRAYS = 20  # braces in prose that are never closed
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]', re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])', re.DOTALL)
_OPENING = re.compile(r"\{|\[(?=\s*\{)")
_THOUGHTS = re.compile(r"[\ufeff\s]*<(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_THOUGHTS_END = re.compile(r"</(?:think|thinking|thought|reasoning)>", re.IGNORECASE)
_OBJECT_START = re.compile(r'\{\s*["}]')


@dataclass(frozen=True)
class Answer(Generic[Out]):
    """A reply that keeps the contract."""

    output: Out


@dataclass(frozen=True)
class Breach:
    """A reply that does not; `problem` is written for the model, which gets one chance to mend it."""

    code: Literal["schema", "no_valid_object", "truncated"]
    problem: str


def read_reply(text: str, output_type: type[Out], check: Callable[[Out], list[str]]) -> Answer[Out] | Breach:
    """Return the answer that a reply holds, or how it breaks the contract.

    Args:
        check: what is wrong with an output beyond its schema.
    """
    try:
        values = list(_values(_answering(text)))
    except _CutOffError:
        return Breach(
            "truncated", "The reply is not complete: an object, or thoughts, are opened and never closed."
        )
    except _StraysError:
        return Breach("no_valid_object", "Too many braces are opened and never closed.")
    except RecursionError:
        return Breach("no_valid_object", "The JSON is nested too deeply.")
    for value in reversed(values):
        found = _read_value(value, output_type, check)
        if found is not None:
            return found
    if values:
        return Breach("schema", f"No JSON object with the fields {_names(output_type)} was found.")
    return Breach("no_valid_object", "No JSON object was found.")


def without_thoughts(text: str) -> str | None:
    """Return a reply without the thoughts that some servers leave before it, as in `<think> ... </think>`.

    Some leave only the closing tag: what stands before it is thought, unless it is inside an object. None where
    thoughts are opened and never closed, so that the answer never came.
    """
    opening = _THOUGHTS.match(text)
    closing = _THOUGHTS_END.search(text, opening.end() if opening else 0)
    if opening and not closing:
        return None
    if closing and (opening or not _inside_object(text, closing.start())):
        return text[closing.end() :]
    return text


def _answering(text: str) -> str:
    said = without_thoughts(text)
    if said is None:
        raise _CutOffError
    return said


def _inside_object(text: str, place: int) -> bool:
    """Whether an object that looks like JSON is opened before a place and closed behind it."""
    position = 0
    while opening := _OBJECT_START.search(text, position, place):
        end = _closing(text, opening.start())
        if end is None or end > place:
            return end is not None
        position = end
    return False


def _read_value(
    value: Any, output_type: type[Out], check: Callable[[Out], list[str]]
) -> Answer[Out] | Breach | None:
    """Read one value; None where it is no try at the answer (an aside), so that an earlier one may be it."""
    if isinstance(value, list):
        return Breach("schema", "The reply is a list; one JSON object is wanted.")
    if isinstance(value, _Unreadable):
        return Breach("schema", f"The JSON cannot be read: {value.problem}.") if value.may_be_answer else None
    try:
        output = output_type.model_validate(value)
    except ValidationError as error:
        wanted = {name for name, field in output_type.model_fields.items() if field.is_required()}
        is_a_try = bool(wanted & value.keys()) or not wanted
        return Breach("schema", _first_problems(error)) if is_a_try else None
    if not _storable(value):
        return Breach("schema", "The reply holds characters that are no text (NUL or half of a surrogate pair).")
    problems = check(output)
    return Breach("schema", "; ".join(problems)) if problems else Answer(output)


class _CutOffError(Exception):
    """The text ends inside an object, or inside thoughts."""


class _StraysError(Exception):
    """Each brace that is never closed costs one look through the rest of the text."""


@dataclass(frozen=True)
class _Unreadable:
    problem: str
    may_be_answer: bool


def _values(text: str) -> Iterator[Any]:
    """Yield the outermost objects of a text in order, and lists of objects; `_Unreadable` for broken ones.

    Raises:
        _CutOffError: an object that looks like JSON is never closed.
        _StraysError: far too many braces are not.
    """
    position = strays = 0
    while opening := _OPENING.search(text, position):
        start = opening.start()
        end = _closing(text, start)
        looks_like_json = text[start] == "[" or _OBJECT_START.match(text, start) is not None
        if end is None:
            if looks_like_json:
                raise _CutOffError
            strays += 1
            if strays > _MAX_STRAYS:
                raise _StraysError
            position = start + 1
            continue
        yield _decode(text[start:end], looks_like_json)
        position = end


def _closing(text: str, start: int) -> int | None:
    """Return where the bracket at `start` is closed, counting no bracket inside a string; None if nowhere."""
    depth = 0
    for token in _TOKEN.finditer(text, start):
        if token.group() in "{[":
            depth += 1
        elif token.group() in "}]":
            depth -= 1
            if depth == 0:
                return token.end()
    return None


def _decode(block: str, looks_like_json: bool) -> Any:
    """Read a balanced block, mending only trailing commas and raw line breaks in strings."""
    try:
        return STRICT.decode(block)
    except ValueError as error:
        problem = str(error)
    try:
        return STRICT.decode(_TRAILING_COMMA.sub(lambda match: match.group(1) or "", block))
    except ValueError:
        return _Unreadable(problem, looks_like_json and ":" in block)


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a key occurs twice in one object")
    return made


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON value")


STRICT = json.JSONDecoder(strict=False, object_pairs_hook=_unique_keys, parse_constant=_no_constant)
"""Reads JSON in which no key occurs twice and no NaN stands; line breaks in strings are borne."""


def _storable(value: Any) -> bool:
    try:
        return "\\u0000" not in json.dumps(value).replace("\\\\", "") and bool(
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        )
    except UnicodeEncodeError:
        return False


def _names(output_type: type[BaseModel]) -> str:
    return ", ".join(f"`{name}`" for name in output_type.model_fields)


def _first_problems(error: ValidationError) -> str:
    problems = [
        f"{'.'.join(str(part) for part in problem['loc']) or 'the object'}: {problem['msg']}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)[:5]
    ]
    return "; ".join(problems)
