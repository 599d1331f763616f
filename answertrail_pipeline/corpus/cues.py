"""Cues in order, with times that can be trusted."""

import hashlib
import json
import math
from collections.abc import Sequence

from answertrail_pipeline.corpus.formats.reading import RawCue
from answertrail_pipeline.corpus.types import Cue

# A cue without an end lasts until the next one, but no longer than slow speech takes for it.
SLOW_CHARACTERS_PER_SECOND = 4


def normalize(raw: Sequence[RawCue]) -> list[Cue]:
    """Return cues ordered by start, each ending at the next one's start at the latest.

    Equal starts keep the file's order. An end before the start becomes the start: no duration is negative. So
    display times that overlap (YouTube's start + duration) do not inflate the speech time.
    """
    ordered = sorted(raw, key=lambda cue: cue.start)
    cues = []
    following = [*(cue.start for cue in ordered[1:]), math.inf]
    for (start, said_end, text), next_start in zip(ordered, following, strict=True):
        end = said_end
        if end is None:
            end = round(start + max(1.0, len(text) / SLOW_CHARACTERS_PER_SECOND), 3)
        end = min(end, next_start)
        cues.append(Cue(start, max(end, start), text))
    return cues


def content_sha256(cues: Sequence[Cue]) -> str:
    """Return the hash of normalized cues, the same whatever format they came in."""
    digest = hashlib.sha256()
    for cue in cues:
        digest.update(json.dumps(cue, ensure_ascii=False).encode())
        digest.update(b"\n")
    return digest.hexdigest()
