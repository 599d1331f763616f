"""Keys of units: readable, safe as Dagster partition keys and in URLs whatever an id contains."""

from urllib.parse import quote, unquote


def join_key(*parts: str) -> str:
    """Join parts into one key; everything but letters, digits, `-` and `_` is percent-encoded.

    >>> join_key("talks", "-a.b/c")
    'talks/-a%2Eb%2Fc'
    """
    return "/".join(quote(part, safe="").replace(".", "%2E").replace("~", "%7E") for part in parts)


def split_key(key: str) -> tuple[str, ...]:
    """Return the parts that `join_key` joined."""
    return tuple(unquote(part) for part in key.split("/"))


def video_key(channel: str, video_id: str) -> str:
    """Return the partition key of a video: `channel/video_id`."""
    return join_key(channel, video_id)


def run_key(channel: str, arm: str, gold_version: str, corpus_number: int, repetition: int, epoch: int = 1) -> str:
    """Return the partition key of a run, such as `talks/react-dense/v1/c3/r1`; a later epoch adds `e2`."""
    repeated = f"r{repetition}" if epoch == 1 else f"r{repetition}e{epoch}"
    return join_key(channel, arm, gold_version, f"c{corpus_number}", repeated)
