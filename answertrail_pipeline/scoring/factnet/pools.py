"""The truth of one person: base and pool, each a function of sets, so that no order of runs can matter."""

from collections.abc import Iterable, Mapping

from answertrail_pipeline.scoring.factnet.joining import cluster, join_rows
from answertrail_pipeline.scoring.factnet.types import BASE, Cluster, Joined, Match, Matcher, Pool, Row


def build_pool(base: Iterable[Row], runs: Mapping[str, Iterable[Row]], matcher: Matcher) -> Pool:
    """Return G' = clusters(base without W, and every supported, not covered row of every run).

    Whether a row is accepted depends on the row, its own archive and the reference: never on the base, nor on
    other runs. So the accepted rows are a union of sets, and building the pool again from its own clusters adds
    nothing. An event without a year of start can be matched by nobody and is no truth.

    Args:
        base: the frozen truth; its covered rows are W.
        runs: by run key, the rows that the run coded.
    """
    of_base = join_rows(BASE, base, matcher)
    told = [joined for joined in of_base if joined.covered and joined.event.start]
    joined_runs = {key: tuple(join_rows(key, rows, matcher)) for key, rows in sorted(runs.items())}
    accepted = [
        joined
        for rows in joined_runs.values()
        for joined in rows
        if joined.supported and joined.event.start and not is_covered(joined, told, matcher)
    ]
    open_base = [joined for joined in of_base if not joined.covered and joined.event.start]
    return Pool(tuple(cluster([*open_base, *accepted], matcher)), tuple(cluster(told, matcher)), joined_runs)


def is_covered(joined: Joined, told: Iterable[Joined], matcher: Matcher) -> bool:
    """Return whether the reference tells an event, by itself or as one of the base's covered events."""
    return joined.covered or any(matcher.match(joined.event, each.event) is Match.YES for each in told)


def consolidated_base(runs: Mapping[str, Iterable[Row]], matcher: Matcher, at_least: int = 2) -> list[Row]:
    """Return a base made from construction runs: the events that the archives of at least k runs support.

    A base made from the arms under test favours them; a table that uses one must say so.

    Args:
        at_least: k; 1 is nearest to the published method.
    """
    supported = [
        joined
        for key, rows in sorted(runs.items())
        for joined in join_rows(key, rows, matcher)
        if joined.supported
    ]
    kept: list[Cluster] = [each for each in cluster(supported, matcher) if len(each.found_by) >= at_least]
    return [row for each in kept for member in each.members for row in member.rows if row.supported]


def pool_rows(pool: Pool) -> list[Row]:
    """Return a pool's clusters as rows of a base: feeding them back must change nothing."""
    return [row for each in (*pool.clusters, *pool.covered) for member in each.members for row in member.rows
            if row.supported]  # fmt: skip
