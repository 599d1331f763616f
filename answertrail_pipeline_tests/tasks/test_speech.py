"""Who speaks, told from the text of captions alone."""

from answertrail_pipeline.tasks.speech import MARKED_TURNS, spoken_sentences

TURNS = " ".join(f"Ada Lund: Gate {n} is open. Per: I closed gate {n}." for n in range(MARKED_TURNS // 2))


def _said(text: str) -> list[tuple[str | None, str]]:
    return [(sentence.speaker, sentence.text) for sentence in spoken_sentences([text], "en")]


def test_a_name_that_returns_is_a_speaker() -> None:
    assert _said(TURNS)[:3] == [
        ("Ada Lund", "Gate 0 is open."), ("Per", "I closed gate 0."), ("Ada Lund", "Gate 1 is open."),
    ]  # fmt: skip


def test_where_every_turn_is_marked_a_guest_is_a_speaker_too() -> None:
    text = f"{TURNS} Ida Moss (Harbour): I am new here. Ada Lund: One thing: welcome. A remark: none."
    assert _said(text)[-3:] == [
        ("Ida Moss (Harbour)", "I am new here."), ("Ada Lund", "One thing: welcome."),
        ("Ada Lund", "A remark: none."),
    ]  # fmt: skip


def test_elsewhere_capitals_before_a_colon_make_no_speaker() -> None:
    assert _said("We read The Long Gate: it is a book. Ada Lund: once named.") == [
        (None, "We read The Long Gate: it is a book."), (None, "Ada Lund: once named."),
    ]  # fmt: skip
