"""What each stage is made from."""

DEPENDS_ON: dict[str, tuple[str, ...]] = {
    "videos": (),
    "chunks": ("videos",),
    "embeddings": ("chunks",),
    "claims": ("chunks",),
    "term_stats": ("embeddings",),
    "threads": ("claims",),
    "questions": ("threads", "claims"),
    "nuggets": ("questions",),
    "agent_runs": ("nuggets", "embeddings", "term_stats"),
    "assertions": ("agent_runs",),
    "verdicts": ("agent_runs", "assertions"),
    "metrics": ("verdicts",),
    "calibration": ("verdicts",),
    "pools": ("verdicts",),
    "scoreboard": ("metrics", "calibration", "pools"),
    "series": ("metrics", "calibration"),
    "report": ("scoreboard", "series"),
}
"""What each stage is made from: the lineage that Dagster shows, in the order of the pipeline."""


def upstream(stage: str) -> set[str]:
    """Return every stage that a stage hangs on, near or far.

    >>> sorted(upstream("claims"))
    ['chunks', 'videos']
    """
    found: set[str] = set()
    ahead = list(DEPENDS_ON[stage])
    while ahead:
        one = ahead.pop()
        if one not in found:
            found.add(one)
            ahead += DEPENDS_ON[one]
    return found
