"""The benchmark of scale works on a small channel, and what is planted there comes through."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "benchmarks"))


def test_the_same_size_gives_the_same_channel(tmp_path: Path) -> None:
    from scale_corpus import shifts, write_channel

    for name in ("one", "two"):
        write_channel(tmp_path / name, 20)
    files = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*.jsonl"))
    assert len(files) == 21
    for path in files:
        assert (tmp_path / "one" / path).read_bytes() == (tmp_path / "two" / path).read_bytes()
    said = "".join(path.read_text("utf-8") for path in (tmp_path / "one" / "captions").iterdir())
    for shift in shifts():
        # Three videos with the old view, three with the new one, and one fact.
        assert (said.count(shift.before), said.count(shift.after), said.count(shift.fact)) == (3, 3, 1)


def test_generated_vectors_are_near_where_words_are_shared() -> None:
    from scale_corpus import GeneratedVectors

    near, far, same = GeneratedVectors().embed_documents(["zinc primer holds", "cats sleep a lot", "zinc primer"])
    assert near @ same > 0.7
    assert abs(far @ same) < 0.3
    assert near @ near == pytest.approx(1)


@pytest.mark.scale
def test_a_small_size_is_measured(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    command = [sys.executable, str(ROOT / "benchmarks" / "scale.py"), "50", "--folder", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr[-2000:]
    figures = json.loads(done.stderr.splitlines()[-1])
    assert (figures["videos"], figures["chunks"], figures["partitions"]) == (50, 2500, 51)
    assert figures["planted topics with a thread"] >= 8
    assert figures["no-op rerun, s"] < 0.02 * figures["first run, s"]
    assert "a no-op rerun is" in done.stdout
