"""What a run left that is judged: the answer, its assertions, and the chunks that it retrieved."""

from dataclasses import dataclass
from typing import Literal

from sqlalchemy import Connection, text

from answertrail_pipeline.errors import UnitError
from answertrail_pipeline.store.shipped import read_sql
from answertrail_pipeline.tasks.judge import LabelledChunk, chunk_set_text

# White space and what else shows nothing: zero-width characters, joiners, the byte order mark.
_INVISIBLE = dict.fromkeys([0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, 0x00AD, 0x180E])


@dataclass(frozen=True)
class StoredAssertion:
    """One assertion of an answer; `ordinal` counts from 1."""

    ordinal: int
    text: str
    cited_chunk_ids: tuple[str, ...]


@dataclass(frozen=True)
class JudgedTrail:
    """One run's trail for one question.

    Attributes:
        evidence: what the answer can be checked against: all chunks retrieved, only those cited, or nothing.
        chunks: retrieved (or cited) chunks with their dates.
    """

    question: str
    answer: str
    citations: tuple[str, ...]
    evidence: Literal["retrieved", "cited", "none"]
    chunks: tuple[LabelledChunk, ...]
    assertions: tuple[StoredAssertion, ...]

    @property
    def is_empty(self) -> bool:
        """Whether the answer shows no character at all."""
        return not self.answer.translate(_INVISIBLE).strip()

    @property
    def chunk_set(self) -> str:
        """All chunks as one judged text; empty where there are none."""
        return chunk_set_text(self.chunks)

    def cited_set(self, assertion: StoredAssertion) -> str:
        """Return the chunks that an assertion cites as one judged text."""
        wanted = set(assertion.cited_chunk_ids)
        return chunk_set_text(chunk for chunk in self.chunks if chunk.chunk_id in wanted)


def load_trail(connection: Connection, run_key: str, question_id: str) -> JudgedTrail:
    """Read a finished trail with its assertions.

    Raises:
        UnitError: `no_trail`, or `no_text` where the text of a retrieved chunk is not kept.
    """
    where = {"run_key": run_key, "question_id": question_id}
    row = connection.execute(
        text(
            "select question, answer, citations, evidence from trails"
            " where run_key = :run_key and question_id = :question_id and state = 'done'"
        ),
        where,
    ).one_or_none()
    if row is None:
        raise UnitError("no_trail", f"{run_key} has no finished trail for {question_id}")
    chunks = connection.execute(text(read_sql("queries/judged_chunks.sql")), where).all()
    lost = [chunk.chunk_id for chunk in chunks if chunk.text is None]
    if lost:
        raise UnitError("no_text", f"the text of {', '.join(lost)} is not kept")
    assertions = connection.execute(
        text(
            "select ordinal, text, cited_chunk_ids from assertions"
            " where run_key = :run_key and question_id = :question_id order by ordinal"
        ),
        where,
    )
    return JudgedTrail(
        row.question,
        row.answer or "",
        tuple(row.citations),
        row.evidence,
        tuple(LabelledChunk(c.chunk_id, c.published and c.published.date(), c.text) for c in chunks),
        tuple(StoredAssertion(a.ordinal, a.text, tuple(a.cited_chunk_ids)) for a in assertions),
    )
