"""A corpus of six chunks about a lighthouse, a search by shared words, and arms that are ready to be asked."""

from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from answertrail_pipeline.agents.arms import make_arm
from answertrail_pipeline.agents.ask import ReadyArm, ready_arm
from answertrail_pipeline.agents.corpus_view import CorpusView
from answertrail_pipeline.agents.search_tool import Search
from answertrail_pipeline.gold.types import GoldNugget, GoldQuestion, GoldVersion
from answertrail_pipeline.hashing import text_sha256
from answertrail_pipeline.language.tokens import tokens
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.types import Account
from answertrail_pipeline.retrieval.types import Query, SearchResult
from answertrail_pipeline.settings import FileSettings, Settings
from answertrail_pipeline.store.database import Database
from answertrail_pipeline.store.rows import insert_rows

CHANNEL = "coast"
ACCOUNT = Account(CHANNEL, "agent_runs", "coast/q", "coast/run", "arm")
FACT = "How tall is the lighthouse at Pellan Point?"
CHANGE = "How did the keeper's view of the electric lamp change from early 2025 to late 2025?"
VIDEOS = {
    "jan": (datetime(2025, 1, 10, 12, tzinfo=UTC), "Winter round"),
    "jun": (datetime(2025, 6, 20, 12, tzinfo=UTC), "Summer round"),
    "nov": (datetime(2025, 11, 5, 12, tzinfo=UTC), "Autumn round"),
}
CHUNKS = {
    "jan:00000": "The lighthouse at Pellan Point is thirty one metres tall and was built of granite.",
    "jan:00030": "I do not trust the electric lamp, it goes out in every storm we have had this winter.",
    "jun:00000": "The electric lamp burned through the whole of June and I must say it surprised the keeper.",
    "jun:00030": "Seals came back to the beach below the cliff and stayed for two weeks.",
    "nov:00000": "Now I would never go back, the electric lamp is better than oil in every way, says the keeper.",
    "nov:00030": "The oil store was emptied and turned into a room for visitors.",
}


def store_corpus(database: Database, chunks: dict[str, str] = CHUNKS) -> None:
    """Store the videos and chunks of the corpus."""
    with database.begin() as connection:
        insert_rows(connection, "videos", [
            {"channel": CHANNEL, "video_id": video, "title": title, "published_at": at,
             "published_precision": "second", "published_source": "test", "language": "en",
             "content_sha256": video}
            for video, (at, title) in VIDEOS.items()
        ])  # fmt: skip
        insert_rows(connection, "chunk_texts", [
            {"channel": CHANNEL, "chunk_id": each, "text_sha256": text_sha256(said), "text": said}
            for each, said in chunks.items()
        ])  # fmt: skip
        insert_rows(connection, "chunks", [
            {"channel": CHANNEL, "chunk_id": each, "video_id": each.split(":")[0], "position": at,
             "start_seconds": float(each.split(":")[1]), "end_seconds": float(each.split(":")[1]) + 30,
             "text_sha256": text_sha256(said), "spoken_text": said}
            for at, (each, said) in enumerate(chunks.items())
        ])  # fmt: skip


def by_shared_words(corpus: CorpusView, k: int = 3) -> Search:
    """Return a search that ranks by the number of shared words, ties by id, within the window."""

    async def search(query: Query, subqueries: Sequence[str]) -> SearchResult:
        wanted = set(tokens(" ".join([query.text, *subqueries]), "en"))
        found = []
        for chunk_id, hit in corpus.chunks(CHUNKS).items():
            day = hit.published_at.date()
            shared = len(wanted & set(tokens(hit.text, "en")))
            if shared and (query.since or date.min) <= day <= (query.until or date.max):
                found.append((-shared, chunk_id, hit))
        return SearchResult(tuple(hit for _shared, _id, hit in sorted(found)[: query.k or k]))

    return search


def settings(root: Path, **arm: Any) -> Settings:
    """Return settings with one channel and one arm named `arm`."""
    parsed = FileSettings.model_validate(
        {
            "channels": {CHANNEL: {"title": "Coast", "source": {"kind": "folder", "path": "captions"}}},
            "arms": {"arm": arm},
            "data_dir": root,
        }
    )
    values = {name: getattr(parsed, name) for name in FileSettings.model_fields}
    return Settings.model_construct(**values, config=root / "answertrail.toml", database_url=None)


def ready(door: Door, root: Path, search: Search | None = None, **arm: Any) -> ReadyArm:
    """Return an arm, ready to be asked, over the search by shared words."""
    given = settings(root, **arm)
    whole = make_arm("arm", given, CHANNEL)
    made = ready_arm(door, given, NoEmbedder(), CHANNEL, whole)
    return ReadyArm(whole, made.agent, door, made.corpus, search or by_shared_words(made.corpus), "Coast")


class NoEmbedder:
    """Stands where an embedding model would; the search by shared words embeds nothing."""

    model_id = "none"

    def embed_documents(self, texts: Sequence[str]) -> Any:
        raise NotImplementedError

    def embed_query(self, text: str) -> Any:
        raise NotImplementedError


def gold(version: str = "v1", fact: str = FACT, nugget: str = "It is 31 metres tall.") -> GoldVersion:
    """Return a gold version with the two questions, the second one segregated."""
    return GoldVersion(
        channel=CHANNEL,
        gold_version=version,
        as_of=date(2025, 11, 5),
        corpus_id=None,
        policy="people",
        questions=(
            GoldQuestion(
                question_id="q1",
                tier="factual",
                text=fact,
                state="kept",
                nuggets=(GoldNugget(nugget_id="n1", kind="fact", text=nugget),),
            ),
            GoldQuestion(question_id="q2", tier="longitudinal", text=CHANGE, state="segregated", nuggets=()),
        ),
    )
