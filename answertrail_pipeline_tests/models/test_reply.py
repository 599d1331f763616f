"""The reply contract: what counts as the answer, and that nothing is taken from anything else."""

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from answertrail_pipeline.models.reply import Answer, Breach, read_reply


class Judgement(BaseModel):
    label: Literal["HIT", "MISS"]
    reason: str


class One(BaseModel):
    id: str
    label: Literal["HIT", "MISS"]


class Many(BaseModel):
    verdicts: list[One]


def read(text: str, output_type: type[BaseModel] = Judgement) -> Any:
    return read_reply(text, output_type, lambda _output: [])


HIT = '{"label": "HIT", "reason": "it says so"}'
MISS = '{"label": "MISS", "reason": "it does not"}'


@pytest.mark.parametrize(
    "text",
    [
        HIT,
        f"```json\n{HIT}\n```",
        f"```{HIT}```",
        f"```json {HIT}",
        f"```json\n{HIT}",
        f"Per [1]: {HIT}",
        f"The set {{a, b}} is given. {HIT}",
        f"{HIT} as in {{a, b}}.",
        f"{HIT}\n\nI read chunks [1], [2] and {{x}}.",
        f"Use {{ to open. {HIT}",
        f'{{"aside": 1}} {HIT}',
        f'{HIT} {{"confidence": 0.9}}',
        f"{MISS}\nOn reflection:\n{HIT}",
        f"<think>{MISS}</think>{HIT}",
        f'\n<think>I could say {{"label": ... and\n</think>\n\n{HIT}',
        f"<thinking>\n{MISS}\n</thinking>\n{HIT}",
        f"Perhaps {MISS}\n</think>\n\n{HIT}",
        f'Perhaps {{"label": ... </think> {HIT}',
        f"\ufeff{HIT}",
        f"~~~~JSON\n{HIT}\n~~~~",
        '{"label": "HIT", "reason": "it says so",}',
        '{"label": "HIT",\n "reason": "it says so",\n}',
    ],
    ids=range(22),
)
def test_the_last_whole_object_is_the_answer(text: str) -> None:
    assert read(text) == Answer(Judgement(label="HIT", reason="it says so"))


@pytest.mark.parametrize(
    "reason",
    [
        "a `tick` and ``` three",
        "closes } early",
        "opens { only",
        'a "quote" inside',
        "line\nbreak",
        "a, ] and , }",
        'ends a </think> and "label": "MISS"',
        "long " * 50_000,
    ],
)
def test_a_reason_is_kept_as_it_is(reason: str) -> None:
    text = f"```json\n{json.dumps({'label': 'HIT', 'reason': reason})}\n```"
    assert read(text) == Answer(Judgement(label="HIT", reason=reason))


def test_a_raw_line_break_in_a_string_is_mended() -> None:
    assert read('{"label": "HIT", "reason": "two\nlines"}') == Answer(Judgement(label="HIT", reason="two\nlines"))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "no_valid_object"),
        (" \u00a0\n", "no_valid_object"),
        ("There are 5 reasons to say nugget 1 is covered 9 of 10.", "no_valid_object"),
        ("GRADE: cannot say", "no_valid_object"),
        ("HIT", "no_valid_object"),
        ("label: HIT", "no_valid_object"),
        ('"HIT"', "no_valid_object"),
        ('{"label": "HIT", "reason": "it sa', "truncated"),
        ('{"label": "HIT"', "truncated"),
        (
            f'{HIT}\nNo, wait: {{"label": "MI',
            "truncated",
        ),  # a cut-off revision does not leave the draft standing
        (f"<think>Perhaps {HIT} or not", "truncated"),  # thoughts are no answer, closed or not
        (f"<think>Perhaps {HIT}</think> I cannot say.", "no_valid_object"),
        (f"Perhaps {HIT}</think> I cannot say.", "no_valid_object"),
        (f'{{"draft": {HIT}, "final": {{"label"', "truncated"),  # nothing from inside a cut-off object
        ('{"label": "hit", "reason": "r"}', "schema"),
        ('{"label": "PARTIAL", "reason": "r"}', "schema"),
        (f'{HIT} {{"label": "PARTIAL", "reason": "r"}}', "schema"),  # the last word does not fit: no answer
        ('{"label": "HIT"}', "schema"),
        ('{"label": "HIT", "label": "MISS", "reason": "r"}', "schema"),
        (f"[{HIT}]", "schema"),
        (f"[{HIT}, {MISS}]", "schema"),
        (f"{HIT}\n[{MISS}]", "schema"),
        (f"[{HIT}, ", "truncated"),
        ('{"verdict": {"label": "HIT", "reason": "r"}}', "schema"),  # nothing from inside another object
        ('{"label": NaN, "reason": "r"}', "schema"),
        ('{"label": "HIT" "reason": "r"}', "schema"),
        ('{"label": "HIT", "reason": "a \\u0000 b"}', "schema"),
        ('{"label": "HIT", "reason": "a \\ud83d b"}', "schema"),
        ("{" * 100_000, "no_valid_object"),
        ('{"a":' * 100_000 + "1" + "}" * 100_000, "no_valid_object"),
        ("{x" * 20_000 + "}" * 10_000, "no_valid_object"),
    ],
    ids=range(31),
)
def test_anything_else_is_no_answer(text: str, code: str) -> None:
    found = read(text)
    assert isinstance(found, Breach), found
    assert found.code == code


def test_a_cut_off_batch_gives_nothing_even_where_its_parts_would_fit() -> None:
    text = '{"verdicts": [{"id": "1", "label": "HIT"}, {"id": "2", "la'
    assert isinstance(read(text, Many), Breach)
    assert isinstance(read(text, One), Breach)


def test_what_the_task_objects_to_is_a_breach_and_no_earlier_draft_stands_in() -> None:
    draft, final = '{"verdicts": [{"id": "1", "label": "HIT"}]}', '{"verdicts": [{"id": "2", "label": "HIT"}]}'
    found = read_reply(
        f"{draft} {final}", Many, lambda made: [] if made.verdicts[0].id == "1" else ["id 2 was not asked"]
    )
    assert found == Breach("schema", "id 2 was not asked")


def test_the_problem_is_one_a_model_can_act_on() -> None:
    found = read('{"label": "PARTIAL"}')
    assert isinstance(found, Breach)
    assert "label" in found.problem
    assert "reason" in found.problem


prose = st.text(alphabet=st.characters(blacklist_characters='{}[]"', blacklist_categories=("Cs",)), max_size=80)
reasons = st.text(alphabet=st.characters(blacklist_categories=("Cs",), blacklist_characters="\0"), max_size=60)


@given(before=prose, reason=reasons, after=prose, fenced=st.booleans(), spaced=st.booleans())
def test_any_reason_survives_any_prose_around_it(
    before: str, reason: str, after: str, fenced: bool, spaced: bool
) -> None:
    written = json.dumps({"label": "MISS", "reason": reason}, indent=2 if spaced else None)
    text = f"{before}```json\n{written}\n```{after}" if fenced else f"{before}{written}{after}"
    assert read(text) == Answer(Judgement(label="MISS", reason=reason))


@given(reason=reasons, share=st.floats(0, 1, exclude_max=True))
def test_no_beginning_of_an_answer_is_one(reason: str, share: float) -> None:
    whole = json.dumps({"label": "HIT", "reason": reason})
    assert isinstance(read(whole[: int(len(whole) * share)]), Breach)


@given(text=st.text(max_size=300))
def test_no_text_without_the_fields_is_an_answer_or_a_crash(text: str) -> None:
    assert isinstance(read(text.replace("label", "")), Breach)
