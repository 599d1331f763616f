"""Vectors as the ledger keeps them: base64 of 32-bit little-endian floats, a quarter of their JSON."""

import base64
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def write_vectors(vectors: Sequence[Sequence[float]]) -> str:
    """Return vectors of equal length as text."""
    import numpy as np

    return base64.b64encode(np.asarray(vectors, "<f4").tobytes()).decode("ascii")


def read_vectors(written: str, rows: int) -> "NDArray[np.float32]":
    """Return what `write_vectors` wrote: shape (rows, dimensions)."""
    import numpy as np

    return np.frombuffer(base64.b64decode(written), "<f4").reshape(rows, -1).astype(np.float32)
