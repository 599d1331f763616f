from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.agents.citations import citation_problems, cited_ids, without_markers

IDS = st.from_regex(r"[A-Za-z0-9_-]{1,11}:[0-9]{5,7}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_characters="[]\n", codec="utf-8"), max_size=30)


@given(st.lists(st.tuples(TEXTS, st.lists(IDS, min_size=1, max_size=3)), max_size=5))
def test_ids_come_out_as_they_went_in(parts: list[tuple[str, list[str]]]) -> None:
    answer = " ".join(f"{said} [{', '.join(ids)}]" for said, ids in parts)
    assert cited_ids(answer) == tuple(dict.fromkeys(each for _said, ids in parts for each in ids))


@given(st.text(max_size=300))
def test_any_text_can_be_read(answer: str) -> None:
    assert set(cited_ids(answer)) == set(cited_ids(answer + " " + " ".join(f"[{i}]" for i in cited_ids(answer))))


def test_other_brackets_are_text() -> None:
    assert cited_ids("He [sic] said [1] so [a:00030; b:01200] and [see a:00060] [x:123]") == ("a:00030", "b:01200")
    assert cited_ids("Two [a:00030][a:00060] and again [a:00030].") == ("a:00030", "a:00060")
    assert cited_ids("Foreign [foreign#0123456789ab].") == ("foreign#0123456789ab",)


def test_markers_leave_no_gap() -> None:
    assert without_markers("It is 31 m tall [a:00030]. He [sic] said so [b:00000] [c:00030], twice.") == (
        "It is 31 m tall. He [sic] said so, twice."
    )


def test_every_rule_of_citation_has_its_own_sentence() -> None:
    def problems(answer: str, listed: list[str], abstained: bool = False) -> list[str]:
        return citation_problems(
            answer, listed, abstained, {"a:00000", "a:00030"}, {"a:00000", "a:00030", "b:00000"}
        )

    assert problems("Yes [a:00000].", ["a:00000"]) == []
    assert problems("Yes [z:00000].", ["z:00000"]) == ["`z:00000` does not exist in the corpus."]
    assert problems("Yes [b:00000].", ["b:00000"]) == ["`b:00000` was not retrieved in this run."]
    assert problems("Yes [a:00000].", ["a:00000", "a:00030"]) == [
        "`a:00030` is listed but stands nowhere in the answer."
    ]
    assert problems("Yes [a:00000] [a:00030].", ["a:00000"]) == [
        "`a:00030` stands in the answer but is not listed."
    ]
    assert problems("Yes.", []) == ["No statement carries the id of a passage in square brackets."]
    assert problems("The transcripts do not say.", [], abstained=True) == []
    assert problems("  ", []) == ["The answer is empty."]
