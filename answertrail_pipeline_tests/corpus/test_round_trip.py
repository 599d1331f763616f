"""Random cues written in every format and read back."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from answertrail_pipeline.corpus.chunking import ChunkRules, chunk_cues
from answertrail_pipeline.corpus.document_chunks import chunk_document
from answertrail_pipeline.corpus.formats.read import read_captions
from answertrail_pipeline_tests.corpus.writers import WRITERS, Timed

# No digits (a cue of one number is ambiguous in SubRip), no `:` (a time in plain text), no CJK (joined otherwise).
LETTERS = "abcXYZéßœöñçłжщёאבשابتहिदीกขঅ'’-,.!?&#%\"“”…"
words = st.text(LETTERS, min_size=1, max_size=8).map(lambda word: f"w{word}")
texts = st.lists(words, min_size=1, max_size=12)


@st.composite
def timed(draw: st.DrawFn) -> list[Timed]:
    at = draw(st.integers(0, 400_000_000))
    cues = []
    for spoken in draw(st.lists(texts, min_size=1, max_size=12)):
        at += draw(st.integers(1, 40_000))
        length = draw(st.integers(1, 14_000))
        separator = draw(st.sampled_from([" ", "\n", " \n"]))
        cues.append((at, at + length, separator.join(spoken)))
        at += length
    return cues


@pytest.mark.parametrize("name", sorted(WRITERS))
@given(cues=timed())
@settings(max_examples=60, deadline=None)
def test_what_is_written_is_read(name: str, cues: list[Timed]) -> None:
    reading = read_captions(WRITERS[name](cues).encode())
    assert reading.format == name
    assert reading.lost == 0
    assert [cue.text for cue in reading.cues] == [" ".join(text.split()) for _, _, text in cues]
    assert [round(cue.start * 1000) for cue in reading.cues] == [start for start, _, _ in cues]
    if name != "stamped_text":  # it has no ends
        assert [round(cue.end * 1000) for cue in reading.cues] == [end for _, end, _ in cues]


@given(st.lists(texts, min_size=1, max_size=8), st.integers(1, 40), st.integers(1, 40))
@settings(max_examples=200, deadline=None)
def test_every_word_of_a_document_is_in_exactly_one_chunk(
    spoken: list[list[str]], size: int, characters: int
) -> None:
    paragraphs = [" ".join(paragraph) for paragraph in spoken]
    whole = "\n".join(paragraphs)
    chunks = chunk_document("d", paragraphs, size, characters, "en")
    assert " ".join(chunk.text for chunk in chunks).split() == whole.split()
    for chunk in chunks:
        offset = int(chunk.chunk_id.partition(":")[2])
        assert whole[offset:].startswith(chunk.text.split()[0])


@given(cues=timed(), window=st.integers(1, 600), long_seconds=st.floats(0.5, 30))
@example(cues=[(1, 2, "w?"), (3, 4, "w?"), (5, 6, "w?"), (7, 8, "w?")], window=1, long_seconds=1.0)
@settings(max_examples=200, deadline=None)
def test_every_word_is_in_exactly_one_chunk(cues: list[Timed], window: int, long_seconds: float) -> None:
    reading = read_captions(WRITERS["srt"](cues).encode())
    chunks = chunk_cues("v", reading.cues, [False] * len(reading.cues), ChunkRules(window, long_seconds, "en"))
    said = " ".join(text for _, _, text in cues).split()
    assert " ".join(chunk.text for chunk in chunks).split() == said
    assert len({chunk.chunk_id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        second = int(chunk.chunk_id.partition(":")[2])
        assert second % window == 0
        assert second <= chunk.start_seconds < second + window
        assert chunk.end_seconds >= chunk.start_seconds
        assert chunk.text
