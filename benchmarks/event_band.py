"""Whether an embedding could decide pairs of events that the lexicon is unsure of: it could not, and is not used.

    python benchmarks/event_band.py [FOLDER]    FOLDER holds people.jsonl

The shipped lexicon is unsure of no real pair, so forms are taken out of it: all of one language, or a drawn share.
Printed are the pairs that it is unsure of then, and their cosines (`role, organization`, the packaged multilingual
model). A second table has the cosines of ministers of the same and of different charges in two languages, made of
the lexicon's own forms (docs/politnuggets.md has what follows).
"""

import random
import sys
import tomllib
from collections.abc import Callable, Sequence
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from event_matcher import DATA, events_of, people
from numpy.typing import NDArray

from answertrail_pipeline.gold.biographies.lexicon import Lexicon, make_lexicon, shipped_lexicon
from answertrail_pipeline.language.career_events import CareerEvent
from answertrail_pipeline.models.embedders import MultilingualE5
from answertrail_pipeline.scoring.factnet.matchers import same_year
from answertrail_pipeline.scoring.factnet.relations import LexiconMatcher
from answertrail_pipeline.scoring.factnet.types import Counts, Match

LEVELS = (0.85, 0.88, 0.90, 0.92, 0.95)
MINISTERS = {
    "en": "Minister of {}, Government", "fr": "Ministre, Ministère de {}", "es": "Ministro de {}, Gobierno",
    "pt": "Ministro de {}, Governo", "de": "Minister für {}, Regierung", "it": "Ministro di {}, Governo",
    "ja": "{}大臣, 内閣",
}  # fmt: skip


class Pair(NamedTuple):
    """Two events of one person with one year of start."""

    a: CareerEvent
    b: CareerEvent
    one_source: bool
    same: bool


def same_year_pairs(folder: Path) -> list[Pair]:
    return [
        Pair(a, b, row_a["source"] == row_b["source"], row_a["cluster"] == row_b["cluster"])
        for person in people(folder)
        for (a, row_a), (b, row_b) in combinations(events_of(person).values(), 2)
        if same_year(a, b)
    ]


def lexicon_without(dropped: Callable[[str, str], bool]) -> Lexicon:
    """Return the shipped lexicon without some forms.

    Args:
        dropped: takes a language and a form.
    """
    source = files("answertrail_pipeline.gold.biographies").joinpath("lexicon.toml").read_text("utf-8")

    def kept(entry: Any) -> Any:
        if not isinstance(entry, dict):
            return entry
        return {
            key: [form for form in value if not dropped(key, form)] if isinstance(value, list) else kept(value)
            for key, value in entry.items()
        }

    data = tomllib.loads(source)
    whole = {name: data[name] for name in ("version", "within", "terms")}
    return make_lexicon({name: kept(entry) for name, entry in data.items()} | whole)


def shown(event: CareerEvent) -> str:
    return f"{event.role}, {event.organization}"


def cosines(model: MultilingualE5, pairs: Sequence[tuple[str, str]]) -> NDArray[np.float32]:
    texts = sorted({text for pair in pairs for text in pair})
    vectors = dict(zip(texts, model.embed_documents(texts), strict=True))
    return np.array([vectors[a] @ vectors[b] for a, b in pairs], np.float32)


def unsure_of(name: str, lexicon: Lexicon, pairs: Sequence[Pair]) -> list[Pair]:
    """Print what a lexicon says by itself, and return the pairs that it is unsure of."""
    matcher = LexiconMatcher(lexicon)
    words = [matcher.match(pair.a, pair.b, one_source=pair.one_source) for pair in pairs]
    yes = [pair for pair, word in zip(pairs, words, strict=True) if word is Match.YES]
    unsure = [pair for pair, word in zip(pairs, words, strict=True) if word is Match.UNSURE]
    tp, same = sum(pair.same for pair in yes), sum(pair.same for pair in pairs)
    counts = Counts(tp, len(yes) - tp, same - tp)
    print(f"{name:28} P {counts.precision:.3f} R {counts.recall:.3f} ({tp}/{same})  "
          f"unsure {len(unsure)}, of these same {sum(pair.same for pair in unsure)}")  # fmt: skip
    return unsure


def at_levels(name: str, values: NDArray[np.float32]) -> None:
    shares = "  ".join(f">= {level:.2f}: {(values >= level).mean():.3f}" for level in LEVELS)
    print(f"{name:10} {len(values):6} pairs, {values.min():.3f}..{values.max():.3f}  {shares}")


def ministers(model: MultilingualE5) -> None:
    """Print the cosines of ministers in two languages: of one charge, and of two."""
    source = files("answertrail_pipeline.gold.biographies").joinpath("lexicon.toml").read_text("utf-8")
    named = [
        (topic, language, MINISTERS[language].format(forms[0]))
        for topic, by_language in tomllib.loads(source)["portfolios"].items()
        for language, forms in by_language.items()
        if language in MINISTERS and forms
    ]
    pairs = [(one, other) for one, other in combinations(named, 2) if one[1] != other[1]]
    values = cosines(model, [(one[2], other[2]) for one, other in pairs])
    same = np.array([one[0] == other[0] for one, other in pairs])
    at_levels("one charge", values[same])
    at_levels("two", values[~same])


def main(folder: Path) -> None:
    pairs = same_year_pairs(folder)
    unsure_of("shipped", shipped_lexicon(), pairs)
    unsure: list[Pair] = []
    for language in ("en", "fr", "ja", "es", "el"):
        without = lexicon_without(lambda lang, _form, language=language: lang == language)
        unsure += unsure_of(f"without {language}", without, pairs)
    for share in (0.25, 0.5):
        for seed in range(4):
            drawn = lexicon_without(
                lambda lang, form, seed=seed, share=share: random.Random(f"{seed} {lang} {form}").random() < share
            )
            unsure += unsure_of(f"without {share:.0%}, draw {seed}", drawn, pairs)
    model = MultilingualE5()
    values = cosines(model, [(shown(pair.a), shown(pair.b)) for pair in unsure])
    same = np.array([pair.same for pair in unsure])
    print("cosines of the pairs that these were unsure of (the same pair counts once for each lexicon):")
    at_levels("same", values[same])
    at_levels("different", values[~same])
    print("cosines of ministers in two languages, from the lexicon's forms:")
    ministers(model)


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else DATA)
