"""What a caption file turned out to hold, and what of it was lost."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from answertrail_pipeline.corpus.types import Cue
from answertrail_pipeline.errors import UnitError

SHOWN_LOSSES = 5


class RawCue(NamedTuple):
    """A cue as its file says it: seconds, `end` None where the format has none, text of one or more lines."""

    start: float
    end: float | None
    text: str


class Loss(NamedTuple):
    """Something in a file that could not be read.

    Attributes:
        code: short stable reason.
        where: `line 12`, `byte 3107`, `event 4`.
        what: the offending piece, shortened.
        cues: how many cues were lost by it; 0 where only a character was.
    """

    code: str
    where: str
    what: str
    cues: int = 1

    def __str__(self) -> str:
        return f"{self.code} at {self.where}: {self.what}" if self.what else f"{self.code} at {self.where}"


@dataclass
class Parsed:
    """What a format's reader gives back, before times are mended.

    Attributes:
        cues: every cue with text, in file order.
        empty: cues that hold no text; they are no loss.
        losses: what could not be read.
        automatic: speech recognition made it, as the content itself shows; None where it does not show.
        cut_off: why the rest of the file could not be read, or None.
        language: what the file says about its language, or None.
    """

    cues: list[RawCue] = field(default_factory=list)
    empty: int = 0
    losses: list[Loss] = field(default_factory=list)
    automatic: bool | None = None
    cut_off: Loss | None = None
    language: str | None = None


@dataclass(frozen=True)
class Reading:
    """A caption file that was read: cues in order of time, ready to be cut into chunks.

    Attributes:
        format: `vtt`, `srt`, `sbv`, `json3`, ... as found in the content.
        encoding: how its bytes were decoded.
        encoding_guessed: whether that is a guess.
        lost: how many cues could not be read.
        losses: the same, one by one.
        content_sha256: of the normalized cues.
    """

    format: str
    cues: Sequence[Cue]
    encoding: str
    encoding_guessed: bool
    automatic: bool | None
    lost: int
    losses: Sequence[Loss]
    content_sha256: str
    language: str | None = None

    @property
    def lost_share(self) -> float:
        """Share of the file's cues that could not be read."""
        return self.lost / (self.lost + len(self.cues))


class CaptionError(UnitError):
    """A caption file that cannot be used: it leads to the quarantine and nowhere else.

    Args:
        code: `no_captions` (nothing in it), `valid_but_empty` (cues, but no text), `unknown_format`,
            `live_chat`, `cut_off`, `malformed`, `unreadable`.
        message: one sentence for people, with line or byte offset where there is one.
        kept: cues that could be read all the same.
        lost: cues that could not.
    """

    def __init__(self, code: str, message: str, *, kept: int = 0, lost: int = 0) -> None:
        super().__init__(code, message)
        self.kept = kept
        self.lost = lost


def shown(losses: Sequence[Loss]) -> str:
    """Return the first losses as a sentence."""
    more = f"; and {len(losses) - SHOWN_LOSSES} more" if len(losses) > SHOWN_LOSSES else ""
    return "; ".join(map(str, losses[:SHOWN_LOSSES])) + more
