"""How well the lexicon tells that two texts name one event: on labelled pairs and on all pairs of one person.

    python benchmarks/event_matcher.py [FOLDER]    FOLDER holds event_pairs.jsonl and people.jsonl

The lexicon was written from common knowledge and mended by the misses of the half `construction` only; the half
`held out` is reported apart. A person's half is decided by a hash of the person's id (docs/politnuggets.md).
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from answertrail_pipeline.gold.biographies.lexicon import Lexicon, shipped_lexicon
from answertrail_pipeline.hashing import stable_seed
from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.scoring.factnet.relations import LexiconMatcher, relation
from answertrail_pipeline.scoring.factnet.types import Counts, Match

DATA = Path(__file__).resolve().parents[2] / "shared/data/politnuggets"


@dataclass
class Result:
    """What the matcher said of some pairs."""

    counts: Counts = field(default_factory=Counts)
    called_same: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)
    relation_right: Counter[str] = field(default_factory=Counter)
    misses: list[str] = field(default_factory=list)

    def add(self, label: str, said: str, shown: str) -> None:
        same, called = label == "same", said == "same"
        self.counts += Counts(int(same and called), int(called and not same), int(same and not called))
        self.labels[label] += 1
        self.called_same[label] += called
        self.relation_right[label] += said == label
        if same != called:
            self.misses.append(shown)


def held_out(person_id: str) -> bool:
    """Whether a person is in the half that the lexicon was not checked against."""
    return bool(stable_seed("lexicon half", person_id) % 2)


def people(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "people.jsonl").read_text("utf-8").splitlines()]


def events_of(person: Mapping[str, Any]) -> dict[str, tuple[CareerEvent, Mapping[str, Any]]]:
    return {row["event_id"]: (event_from_json({**row, "title": row["role"]}), row) for row in person["events"]}


def labelled_pairs(folder: Path, lexicon: Lexicon) -> dict[str, Result]:
    """Judge event_pairs.jsonl; by half."""
    by_person = {person["person_id"]: events_of(person) for person in people(folder)}
    results: dict[str, Result] = defaultdict(Result)
    for line in (folder / "event_pairs.jsonl").read_text("utf-8").splitlines():
        pair = json.loads(line)
        events = by_person[pair["person_id"]]
        (a, row_a), (b, row_b) = events[pair["a"]], events[pair["b"]]
        said = relation(
            a,
            b,
            lexicon,
            one_source=row_a["source"] == row_b["source"],
            others=[event for event, _ in events.values()],
        )
        half = "held out" if held_out(pair["person_id"]) else "construction"
        shown = f"{pair['pair_id']} {pair['relation']} -> {said}: {_text(row_a)} || {_text(row_b)}"
        for name in (half, "all"):
            results[name].add(pair["relation"], said, shown)
    return dict(results)


def same_person_pairs(folder: Path, lexicon: Lexicon) -> dict[str, Result]:
    """Judge every pair of events of one person as FactNet does, by the clusters of people.jsonl; by half."""
    matcher = LexiconMatcher(lexicon)
    results: dict[str, Result] = defaultdict(Result)
    for person in people(folder):
        for (a, row_a), (b, row_b) in combinations(events_of(person).values(), 2):
            said = matcher.match(a, b, one_source=row_a["source"] == row_b["source"])
            label = "same" if row_a["cluster"] == row_b["cluster"] else "different"
            shown = f"{person['person_id']} {label} -> {said.value}: {_text(row_a)} || {_text(row_b)}"
            for name in ("held out" if held_out(person["person_id"]) else "construction", "all"):
                results[name].add(label, "same" if said is Match.YES else "different", shown)
    return dict(results)


def _text(row: Mapping[str, Any]) -> str:
    return f"{row['role']} @ {row['organization']} {row['start']}..{row['end'] or '?'}"


def _line(name: str, result: Result) -> str:
    counts = result.counts
    ratios = " ".join(
        f"{label} {value:.3f}" if value is not None else f"{label} -"
        for label, value in (("precision", counts.precision), ("recall", counts.recall), ("F1", counts.f1))
    )
    return f"{name:12} {ratios}  (tp {counts.tp}, fp {counts.fp}, fn {counts.fn})"


def main(folder: Path, shown: Iterable[str] = ("all",)) -> None:
    lexicon = shipped_lexicon()
    print(f"lexicon {lexicon.version[:12]}")
    print("labelled pairs, called same:")
    pairs = labelled_pairs(folder, lexicon)
    for name, result in sorted(pairs.items()):
        print(" ", _line(name, result))
    everything = pairs["all"]
    for label, count in sorted(everything.labels.items()):
        right = everything.relation_right[label]
        print(f"    {label:18} {count:3}: called same {everything.called_same[label]:3}, relation right {right:3}")
    print("all pairs of one person, called the same event:")
    events = same_person_pairs(folder, lexicon)
    for name, result in sorted(events.items()):
        print(" ", _line(name, result))
    for name in shown:
        for what, results in (("labelled", pairs), ("event", events)):
            print(f"misses, {what}, {name}:")
            print(*(f"  {miss}" for miss in results[name].misses), sep="\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA, sys.argv[2:] or ("all",))
