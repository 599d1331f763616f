"""The log on standard error: lines for people, or JSON for machines, one line a unit of work."""

import json
import logging
from datetime import UTC, datetime
from typing import Any

from answertrail_pipeline.store.keys import split_key

_OF_VIDEOS = ("videos", "chunks", "embeddings", "claims")
_RUN_PARTS = 5
_QUESTION_PARTS = 6
_PAIR = 2


def set_up_logs(*, verbose: bool, as_json: bool) -> None:
    """Send the log to standard error.

    Args:
        verbose: every unit of work, not only what failed; a log for machines always holds them.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if as_json else logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logging.basicConfig(level=logging.WARNING if as_json else logging.ERROR, handlers=[handler])
    logging.getLogger("answertrail_pipeline").setLevel(
        logging.INFO if verbose or as_json else logging.ERROR  # only ours: others log addresses with their keys
    )


class JsonLines(logging.Formatter):
    """One JSON object a line: `at`, `level`, `message`; of a unit its stage, ids, state, seconds and counts."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as JSON."""
        line: dict[str, Any] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
        }
        unit = getattr(record, "unit", None)
        if unit:
            line |= unit | ids(unit["stage"], unit["key"])
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)


def ids(stage: str, key: str) -> dict[str, str]:
    """Return whose unit it is: its video, its run, its question, as far as the key tells.

    >>> ids("claims", "talks/abc")
    {'video': 'abc'}
    >>> ids("verdicts", "talks/react/v1/c1/r1/q%2E7")
    {'run': 'talks/react/v1/c1/r1', 'question': 'q.7'}
    """
    parts = split_key(key)
    if stage in _OF_VIDEOS and len(parts) == _PAIR:
        return {"video": parts[1]}
    if stage == "nuggets" and len(parts) == _PAIR:
        return {"question": parts[1]}
    if stage not in ("agent_runs", "assertions", "verdicts", "metrics"):
        return {}
    run = {"run": "/".join(key.split("/")[:_RUN_PARTS])}
    return run | ({"question": parts[5]} if len(parts) == _QUESTION_PARTS else {})
