"""Citations: inline markers `[chunk_id]`, and the rules that an answer's citations must keep."""

import re
from collections.abc import Collection, Sequence

from answertrail_pipeline.agents.types import FOREIGN

_BRACKETS = re.compile(r"\[([^\[\]\n]{3,500})\]")
_SEPARATOR = re.compile(r"\s*[,;]\s*|\s+")
_CHUNK_ID = re.compile(rf"\S+:\d{{5,}}|{re.escape(FOREIGN)}[0-9a-f]+")


def cited_ids(answer: str) -> tuple[str, ...]:
    """Return the ids of an answer's markers in order of first appearance, each once.

    A marker is a pair of square brackets that holds ids (`video_id:SSSSS`) and nothing else, several of them
    parted by commas, semicolons or spaces. Other brackets, such as `[sic]` or `[1]`, are text.
    """
    found: dict[str, None] = {}
    for match in _BRACKETS.finditer(answer):
        parts = [part for part in _SEPARATOR.split(match.group(1).strip()) if part]
        if parts and all(_CHUNK_ID.fullmatch(part) for part in parts):
            found.update(dict.fromkeys(parts))
    return tuple(found)


def without_markers(answer: str) -> str:
    """Return an answer's words without its markers."""
    plain = _BRACKETS.sub(lambda match: "" if cited_ids(match.group()) else match.group(), answer)
    return re.sub(r"[ \t]+(?=[.,;:!?\s]|$)", "", plain)


def citation_problems(
    answer: str,
    listed: Sequence[str],
    abstained: bool,
    retrieved: Collection[str],
    existing: Collection[str],
) -> list[str]:
    """Return what is wrong with an answer's citations, each as a sentence for its writer; empty where nothing is.

    Args:
        listed: the ids that the writer listed beside the answer.
        abstained: the writer says that nothing answers the question; then no citation is needed.
        retrieved: ids of what this run retrieved.
        existing: those of the cited ids that exist in the corpus, or are foreign evidence of this run.
    """
    inline = cited_ids(answer)
    problems = []
    if not answer.strip():
        problems.append("The answer is empty.")
    elif not inline and not abstained:
        problems.append("No statement carries the id of a passage in square brackets.")
    for chunk_id in dict.fromkeys((*inline, *listed)):
        if chunk_id not in existing:
            problems.append(f"`{chunk_id}` does not exist in the corpus.")
        elif chunk_id not in retrieved:
            problems.append(f"`{chunk_id}` was not retrieved in this run.")
    problems += [f"`{chunk_id}` is listed but stands nowhere in the answer." for chunk_id in _less(listed, inline)]
    problems += [f"`{chunk_id}` stands in the answer but is not listed." for chunk_id in _less(inline, listed)]
    return problems


def _less(these: Sequence[str], those: Sequence[str]) -> list[str]:
    return [each for each in dict.fromkeys(these) if each not in those]
