"""Cut an answer into the statements that could be checked, each with the chunks that it cites."""

import re

from pydantic import BaseModel, ConfigDict

from answertrail_pipeline.language.sentences import sentences
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.tasks.fence import fence
from answertrail_pipeline.tasks.task import Task

MIN_TOKENS = 2
"""A piece with fewer words that carry meaning states nothing."""
_ABOUT_THE_ANSWER = re.compile(
    r"\b(?:could not|couldn't|cannot|can't|did not|didn't|unable to|was not able to|were not able to|no way to)"
    r" (?:find|locate|answer|determine|confirm|verify|be (?:found|answered|determined))\b"
    r"|\b(?:transcripts?|passages?|corpus|collection|evidence|sources?|videos?|documents?|searches|results?)"
    r" (?:do(?:es)? not|don't|doesn't|did not|didn't)"
    r" (?:say|contain|mention|answer|state|include|provide|show|cover)\b"
    r"|\bno (?:evidence|information|mention|answer|passages?|results?|relevant \w+)"
    r"(?: of \w+)? (?:was|were|is|are|could be|can be)? ?(?:found|available|provided|given)"
    r"|\bi (?:searched|looked|do not know|don't know|have no)\b"
    r"|^(?:here (?:is|are)|below (?:is|are)|this answer|the (?:above|following)|as an ai)\b"
    r"|^(?:in )?(?:short|summary|conclusion|sources?|references?|citations?|answer)\s*[:.]?$",
    re.IGNORECASE,
)

_UNSTATED = re.compile(
    r"^[ \t]*#{1,6}[ \t][^\n]*$"
    r"|^[ \t]*(`{3,}|~{3,})[\s\S]*?^[ \t]*\1[ \t]*$"
    r"|^[^\n|]*\|[^\n]*\n(?=[ \t|]*:?-{3,})",
    re.MULTILINE,
)
"""Headings, blocks of code and the head of a table."""
_OPEN_END = re.compile(r"[?？؟:：]!?[\"'”’」』»)\]]*$")
"""A question, or what only leads to a list."""


class _Frozen(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class AssertionsInput(_Frozen):
    """An answer to be cut.

    Attributes:
        citations: ids of the chunks that the answer cites in square brackets.
    """

    question: str
    answer: str
    citations: tuple[str, ...]
    language: str = "en"


class Assertion(_Frozen):
    """One statement that could be checked, understandable alone, without citation marks."""

    text: str
    cited_chunk_ids: tuple[str, ...] = ()


class AssertionsOutput(_Frozen):
    """The statements in order; none where the answer states nothing."""

    assertions: tuple[Assertion, ...]


def render(given: AssertionsInput) -> str:
    """Return the user message: answer, question, ids."""
    ids = "\n".join(given.citations) or "(none)"
    return "\n\n".join(
        [
            f"ANSWER\n{fence(given.answer, 'answer')}",
            f"QUESTION\n{fence(given.question, 'question')}",
            f"IDS THAT MAY BE CITED\n{fence(ids, 'ids')}",
        ]
    )


def by_rules(given: AssertionsInput) -> AssertionsOutput:
    """Cut the answer at its sentences and list items; marks that stand alone belong to the statement before."""
    found: list[Assertion] = []
    for sentence in sentences(_UNSTATED.sub("", given.answer), given.language):
        text, cited = _without_marks(sentence, given.citations)
        if _is_assertion(text, given.language):
            found.append(Assertion(text=text, cited_chunk_ids=cited))
        elif cited and found and not _says_anything(text, given.language):
            all_cited = tuple(dict.fromkeys((*found[-1].cited_chunk_ids, *cited)))
            found[-1] = Assertion(text=found[-1].text, cited_chunk_ids=all_cited)
    return AssertionsOutput(assertions=tuple(found))


def _without_marks(sentence: str, citations: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Return a sentence without the brackets that hold known ids, and these ids."""
    known = set(citations)
    cited: dict[str, None] = {}

    def take(match: re.Match[str]) -> str:
        parts = [part for part in re.split(r"[\s,;]+", match.group(1)) if part]
        if not parts or not known.issuperset(parts):
            return match.group()
        cited.update(dict.fromkeys(parts))
        return ""

    text = re.sub(r"\[([^\[\]\n]+)\]", take, sentence)
    text = re.sub(r"\s+(?=[.,;:!?。！？।]|$)", "", text)
    return re.sub(r"\s{2,}", " ", text).strip(), tuple(cited)


def _says_anything(text: str, language: str) -> bool:
    return len(set(tokens(text, language))) >= MIN_TOKENS


def _is_assertion(text: str, language: str) -> bool:
    if _OPEN_END.search(text) or not _says_anything(text, language):
        return False
    return not _ABOUT_THE_ANSWER.search(text)


def check(given: AssertionsInput, made: AssertionsOutput) -> list[str]:
    """Return what is wrong: ids that the answer does not cite, statements without words."""
    known = set(given.citations)
    foreign = sorted({i for one in made.assertions for i in one.cited_chunk_ids} - known)
    problems = [f"`{chunk_id}` is not cited in the answer" for chunk_id in foreign]
    problems += [f"assertion {n} is empty" for n, one in enumerate(made.assertions, 1) if not one.text.strip()]
    return problems


ASSERTIONS: Task[AssertionsInput, AssertionsOutput] = Task(
    name="assertions",
    version="1",
    input_type=AssertionsInput,
    output_type=AssertionsOutput,
    render=render,
    baseline=by_rules,
    check=check,
)
