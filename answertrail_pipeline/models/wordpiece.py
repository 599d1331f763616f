"""The WordPiece tokenizer of BERT's uncased models, from the vocabulary that ships inside `blingfire`."""

import hashlib
import struct
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from answertrail_pipeline.errors import UserError

if TYPE_CHECKING:
    from tokenizers import Tokenizer

_SHA256 = "1726bb621dcd08fb3cced286e8fd48b98f8e47ff967e8e7565116d0b5f15515c"
_COUNT_AT = 96  # byte of the number of pieces; then where each piece ends, then their text
_UNKNOWN, _START, _END = "[unk]", "[cls]", "[sep]"


def load_wordpiece(max_tokens: int) -> "Tokenizer":
    """Return the tokenizer, which adds start and end marks and cuts at `max_tokens` of both together.

    Words of more than 100 characters become the unknown token, as in the reference. Marks such as `[CLS]` written
    in a text are plain characters.

    Raises:
        UserError: the vocabulary is not the one this program was measured with.
    """
    from tokenizers import Tokenizer
    from tokenizers.models import WordPiece
    from tokenizers.normalizers import BertNormalizer
    from tokenizers.pre_tokenizers import BertPreTokenizer
    from tokenizers.processors import BertProcessing

    vocabulary = {piece: at for at, piece in enumerate(read_pieces())}
    tokenizer = Tokenizer(WordPiece(vocabulary, unk_token=_UNKNOWN, max_input_chars_per_word=100))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.post_processor = BertProcessing((_END, vocabulary[_END]), (_START, vocabulary[_START]))
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def read_pieces() -> list[str]:
    """Return the 30,522 pieces in order of their ids; those that continue a word begin with `##`."""
    spec = find_spec("blingfire")  # found, not imported: its native library is not needed
    if spec is None or spec.origin is None:
        raise UserError("The package blingfire is not installed.", "Install the packages of requirements.lock.")
    path = Path(spec.origin).parent / "bert_base_tok.i2w"
    raw = path.read_bytes()
    found = hashlib.sha256(raw).hexdigest()
    if found != _SHA256:
        raise UserError(
            f"The vocabulary at {path} has SHA-256 {found[:12]}, not {_SHA256[:12]}.",
            "Reinstall the packages of requirements.lock.",
        )
    (count,) = struct.unpack_from("<I", raw, _COUNT_AT)
    ends = struct.unpack_from(f"<{count + 1}I", raw, _COUNT_AT + 4)
    text_at = _COUNT_AT + 8 + 4 * count
    words = [raw[text_at + start : text_at + end].decode("utf-8") for start, end in pairwise(ends)]
    return [word[1:] if word.startswith(" ") else f"##{word}" for word in words]
