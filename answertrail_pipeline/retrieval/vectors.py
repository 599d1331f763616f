"""Vectors as Postgres reads them."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from answertrail_pipeline.models.embedders import Vectors


def vector_texts(vectors: "Vectors") -> list[str]:
    """Return each row in the text form of `halfvec`, rounded to what a half-precision number holds."""
    import numpy as np

    return ["[" + ",".join(map(str, row)) + "]" for row in vectors.astype(np.float16).tolist()]
