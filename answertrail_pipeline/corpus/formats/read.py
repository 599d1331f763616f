"""Any caption file: which format it is, found from its content, and its cues."""

from answertrail_pipeline.corpus.cues import content_sha256, normalize
from answertrail_pipeline.corpus.formats.decode import decode
from answertrail_pipeline.corpus.formats.detect import find_reader
from answertrail_pipeline.corpus.formats.reading import CaptionError, Loss, Parsed, Reading, shown


def read_captions(data: bytes) -> Reading:
    """Read a caption file whatever its format and encoding.

    Raises:
        CaptionError: it holds nothing (`no_captions`), cues without text (`valid_but_empty`), no format that is
            known (`unknown_format`), a chat (`live_chat`), or breaks off (`cut_off`). Nothing else is raised,
            whatever the bytes.
    """
    if not data.strip():
        raise CaptionError("no_captions", f"The file holds nothing: {len(data)} bytes.")
    text, encoding, guessed, losses = decode(data)
    name, read = find_reader(text)
    parsed = read()
    parsed.losses[:0] = losses
    return finish(parsed, name, encoding, guessed)


def finish(parsed: Parsed, name: str, encoding: str = "utf-8", guessed: bool = False) -> Reading:
    """Turn what a reader found into a reading, or say why it cannot be used.

    Raises:
        CaptionError: as `read_captions`.
    """
    losses: list[Loss] = parsed.losses
    lost = sum(loss.cues for loss in losses)
    if parsed.cut_off:
        raise CaptionError(
            parsed.cut_off.code,
            f"{name}: {parsed.cut_off}.",
            kept=len(parsed.cues),
            lost=lost + parsed.cut_off.cues,
        )
    if not parsed.cues:
        if lost:
            raise CaptionError("malformed", f"{name}: no cue could be read: {shown(losses)}.", lost=lost)
        if parsed.empty:
            raise CaptionError("valid_but_empty", f"{name}: {parsed.empty} cues, none with text.")
        raise CaptionError("no_captions", f"{name}: the file is valid and holds no cue.")
    cues = normalize(parsed.cues)
    return Reading(
        name, cues, encoding, guessed, parsed.automatic, lost, tuple(losses), content_sha256(cues), parsed.language
    )
