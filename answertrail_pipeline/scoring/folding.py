"""Runs folded into counts, and put together to the lines of a scoreboard."""

import itertools
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from answertrail_pipeline.agents.runs import Run
from answertrail_pipeline.scoring.items import Finding, Tally, tally
from answertrail_pipeline.scoring.readiness import refusals
from answertrail_pipeline.scoring.source import Source
from answertrail_pipeline.scoring.types import JudgeUsed, ScoredTrail
from answertrail_pipeline.store.keys import split_key


@dataclass(frozen=True)
class FoldedRun:
    """A run that may be pooled, its outcomes counted by question."""

    run: Run
    tallies: tuple[Tally, ...]
    trails: tuple[ScoredTrail, ...]
    judges: tuple[JudgeUsed, ...]

    @property
    def findings(self) -> list[Finding]:
        """What should be read one by one, of the questions that count."""
        counted = {trail.question_id for trail in self.trails if trail.counts}
        return [finding for made in self.tallies if made.question_id in counted for finding in made.findings]


@dataclass(frozen=True)
class Line:
    """The runs that one line of the scoreboard pools: one arm as configured, one corpus, one epoch."""

    name: str
    folded: tuple[FoldedRun, ...]

    @property
    def run(self) -> Run:
        """The first of its runs."""
        return self.folded[0].run

    @property
    def corpus(self) -> str:
        """The corpus by its number: c1, c2, ..."""
        return corpus_of(self.run)

    @property
    def tallies(self) -> list[Tally]:
        """All tallies of its runs."""
        return [made for one in self.folded for made in one.tallies]

    @property
    def trails(self) -> list[ScoredTrail]:
        """All trails of its runs."""
        return [trail for one in self.folded for trail in one.trails]

    @property
    def judges(self) -> list[JudgeUsed]:
        """The judges of its verdicts, by id."""
        return sorted({judge for one in self.folded for judge in one.judges}, key=lambda judge: judge.judge_id)


def fold(source: Source, run: Run) -> FoldedRun | list[str]:
    """Read a run and count it, or return the reasons why it must not be pooled."""
    tallies = tuple(tally(source.verdicts(run)))
    trails = tuple(source.trails(run))
    reasons = refusals(tallies, trails, source.scoring.max_unscored_share)
    return reasons or FoldedRun(run, tallies, trails, tuple(source.judges(run)))


def lines(folded: Iterable[FoldedRun]) -> list[Line]:
    """Put runs together to lines, sorted by name; a name tells only what sets it apart.

    `react` alone; `react@c2` where the arm ran over several corpora; `react.e2` where in several epochs;
    `react#1a2b3c` where it was configured anew.
    """
    groups: dict[tuple[str, str, str, int], list[FoldedRun]] = defaultdict(list)
    for one in folded:
        run = one.run
        groups[run.arm, run.arm_hash, corpus_of(run), run.epoch].append(one)
    made = []
    for (arm, arm_hash, corpus, epoch), group in groups.items():
        rivals = [key for key in groups if key[0] == arm]
        several = [len({key[part] for key in rivals}) > 1 for part in (1, 2, 3)]
        name = arm + (f"#{arm_hash[:6]}" * several[0]) + (f"@{corpus}" * several[1]) + (f".e{epoch}" * several[2])
        made.append(Line(name, tuple(sorted(group, key=lambda each: each.run.run_key))))
    return sorted(made, key=lambda line: line.name)


def corpus_of(run: Run) -> str:
    """Return the number of a run's corpus as its key has it: c1, c2, ..."""
    return split_key(run.run_key)[3]


def comparable(
    made: Sequence[Line], gold_corpus: str | None, wanted: Collection[tuple[str, str]] = ()
) -> list[tuple[Line, Line]]:
    """Return the pairs (new, old) that are compared: as many for two arms, however often they were asked again.

    Two arms over the newest corpus that both have, and over that of the gold; one arm with what it was before.
    Further pairs would only make Holm's correction harder on these. Pairs that were registered are compared in any
    case, if they share the arm or the corpus.

    Args:
        gold_corpus: corpus_id that the gold was made on, if it is known.
        wanted: names of registered pairs.
    """
    chosen = {
        frozenset((new.name, old.name)) for new, old in (*_over_one_corpus(made, gold_corpus), *_before(made))
    }
    chosen |= {frozenset(pair) for pair in wanted}
    pairs: list[tuple[Line, Line]] = []
    for position, old in enumerate(made):
        for new in made[position + 1 :]:
            same_arm, same_corpus = new.run.arm == old.run.arm, new.corpus == old.corpus
            if (same_arm or same_corpus) and frozenset((new.name, old.name)) in chosen:
                pairs.append((new, old) if not same_arm or _age(new) > _age(old) else (old, new))
    return pairs


def _over_one_corpus(made: Sequence[Line], gold_corpus: str | None) -> Iterator[tuple[Line, Line]]:
    """Yield two arms, or one that was configured anew, over each corpus that counts for them."""
    newest: dict[tuple[str, str], dict[str, Line]] = defaultdict(dict)
    for line in sorted(made, key=_age):  # of several epochs over one corpus the last
        newest[line.run.arm, line.run.arm_hash][line.corpus] = line
    for mine, theirs in itertools.combinations(newest.values(), 2):
        shared = sorted(mine.keys() & theirs.keys(), key=_number)
        for corpus in shared:
            if corpus == shared[-1] or mine[corpus].run.corpus_id == gold_corpus:
                yield mine[corpus], theirs[corpus]


def _before(made: Sequence[Line]) -> Iterator[tuple[Line, Line]]:
    """Yield each arm's newest line with the one before it."""
    lines_of: dict[str, list[Line]] = defaultdict(list)
    for line in sorted(made, key=_age):
        lines_of[line.run.arm].append(line)
    for own in lines_of.values():
        if len(own) > 1:
            yield own[-1], own[-2]


def _age(line: Line) -> tuple[Any, ...]:
    return _number(line.corpus), line.run.epoch, line.name


def _number(corpus: str) -> int:
    return int(corpus[1:])
