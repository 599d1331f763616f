"""Lines of a large file, plain or gzip, read once as a stream and then by position."""

import gzip
import tempfile
import weakref
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, cast

from answertrail_pipeline.corpus.listing import unreadable

_BREAKS = (OSError, EOFError, zlib.error)


class SeekableLines:
    """A file of lines. Gzip cannot be read by position, so it is unpacked to a temporary file when first needed.

    Attributes:
        broken: why the file breaks off, once `lines` has found that it does.
    """

    def __init__(self, path: Path) -> None:
        self.broken: str | None = None
        self._path = path
        self._file: IO[bytes] | None = None

    def lines(self) -> Iterator[bytes]:
        """Yield the lines with their ends, one in memory at a time, up to where the file breaks off."""
        try:
            with self._open() as file:
                yield from file
        except _BREAKS as error:
            self.broken = f"{type(error).__name__}: {error}"

    def read(self, spans: Sequence[tuple[int, int]]) -> bytes:
        """Return the bytes from each begin to its end.

        Raises:
            CaptionError: `unreadable`.
        """
        try:
            if self._file is None:
                self._file = self._by_position()
                weakref.finalize(self, self._file.close)
            pieces = []
            for begin, end in spans:
                self._file.seek(begin)
                pieces.append(self._file.read(end - begin))
        except _BREAKS as error:
            raise unreadable(f"{self._path.name} cannot be read: {error}.") from error
        return b"".join(pieces)

    def _open(self) -> IO[bytes]:
        if self._path.suffix == ".gz":
            return cast(IO[bytes], gzip.open(self._path))
        return self._path.open("rb")

    def _by_position(self) -> IO[bytes]:
        if self._path.suffix != ".gz":
            return self._path.open("rb")
        unpacked = tempfile.TemporaryFile()  # noqa: SIM115  (closed with the object)
        unpacked.writelines(self.lines())  # up to a break, as when it was listed
        return unpacked
