"""What an event's words come to: kind of office, charge and place; and whether two events are one post."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from answertrail_pipeline.gold.biographies.lexicon import UNSPACED, Item, Lexicon, fold_word
from answertrail_pipeline.language.career_events import CareerEvent

Likeness = Literal["same", "alike", "different", "composite", "unsure"]
GOVERNMENT = "government"
_TOPICAL = frozenset(
    ("minister", "vice_minister", "parliamentary_vice_minister", "administrative_vice_minister", "agency_head",
     "chair", "vice_chair")
)  # fmt: skip
_OF_GOVERNMENT = _TOPICAL - {"chair", "vice_chair"} | {
    "prime_minister", "deputy_prime_minister", "spokesperson", "chief_cabinet_secretary",
    "deputy_chief_cabinet_secretary", "minister_without_portfolio", "lord_chancellor",
}  # fmt: skip
_PREPOSITIONS = frozenset(
    ("of", "to", "the", "for", "de", "du", "del", "da", "do", "des", "der", "di", "la", "le", "l", "d", "au", "a",
     "του", "της", "των")
)  # fmt: skip
_CHAIRS = frozenset(("chair", "vice_chair"))
_SPEAKING_ROLES = frozenset(("chair", "speaker"))
_CHARGED = ("charge", "chargee")
_ATTACHED = ("aupre",)
MIN_SHARED = 1 / 3
"""Two portfolios with known topics are one post's if they share at least this part of all their topics."""


@dataclass(frozen=True)
class Post:
    """An event's role and organization, read by the lexicon.

    Attributes:
        kinds: heads of its titles, in order; more than one makes a composite.
        words: words of the role that the lexicon does not know, where it knows no head.
        topics: what it is in charge of: keys, and unknown words marked `?`.
        generic: the role names no topic and is one of several in its department, whose topics `topics` are.
        department: topics of the organization.
        place: body, government, or the words of an organization; states and cities where they are named. Empty
            of a chair whose organization only repeats the role.
    """

    kinds: tuple[str, ...]
    words: frozenset[str]
    topics: frozenset[str]
    generic: bool
    department: frozenset[str]
    place: frozenset[str]

    @property
    def composite(self) -> bool:
        """Whether several titles are in one role."""
        return len(self.kinds) > 1

    @property
    def kind(self) -> str | None:
        """The first head; None where the lexicon knows none."""
        return self.kinds[0] if self.kinds else None

    @property
    def knows_all(self) -> bool:
        """Whether the lexicon knows every word that could tell it apart."""
        return not self.words and not any(part.startswith("?") for part in (*self.topics, *self.place))


def compare(
    a: CareerEvent, b: CareerEvent, lexicon: Lexicon, *, one_source: bool = False, country: str = ""
) -> Likeness:
    """Say whether two events of one person are the same post, by role and organization alone; symmetric.

    `alike`: what they are in charge of overlaps, or one says so only by its department, which has more than one
    minister: they are one post if they began in one month.

    Args:
        one_source: both are of one list. A list with two different texts of one language means two posts, so all
            must be equal.
        country: of the person: its name tells no two posts apart.
    """
    first, second = read_post(a, lexicon, country), read_post(b, lexicon, country)
    if first == second or _split_elsewhere(a, b, lexicon):
        return "same"
    if one_source and _tongue(a) == _tongue(b):
        return "different"
    if first.composite != second.composite:
        part, whole = (second, first) if first.composite else (first, second)
        return "composite" if set(part.kinds) <= set(whole.kinds) else "different"
    found = _compare_posts(first, second, lexicon)
    if found == "different" and not (first.knows_all and second.knows_all) and _tongue(a) != _tongue(b):
        return "unsure" if _may_be_one(first, second) else "different"
    return found


def _split_elsewhere(a: CareerEvent, b: CareerEvent, lexicon: Lexicon) -> bool:
    """Whether one text without spaces was only cut at another place: 兵庫県連 + 幹事長, 兵庫県 + 連幹事長."""
    whole, other = (
        "".join((lexicon.plain(event.organization) + lexicon.plain(event.role)).split()) for event in (a, b)
    )
    return whole == other and bool(UNSPACED.search(whole))


@lru_cache(maxsize=50_000)
def _read(role: str, organization: str, lexicon: Lexicon, country: str) -> Post:
    return _read_post(role, organization, lexicon, country)


def read_post(event: CareerEvent, lexicon: Lexicon, country: str = "") -> Post:
    """Return an event's role and organization as the lexicon reads them, without the name of a country."""
    return _read(event.role, event.organization, lexicon, country)


def _read_post(role: str, organization: str, lexicon: Lexicon, country: str) -> Post:
    own = {fold_word(word) for word in lexicon.plain(country).split()}
    role_items = _without(own, lexicon.role.read(lexicon.plain(role)))
    place_items = _without(own, lexicon.organization.read(lexicon.plain(organization)))
    repeats = lexicon.plain(organization) == lexicon.plain(role)
    if repeats:
        place_items = _without_heads(role_items, place_items)
    kinds = tuple(item.key for item in role_items if _is_head(item))
    if any(item.key == "spokesperson" for item in place_items):
        kinds = ("spokesperson",)
    own_topics = _topics(role_items)
    charged, attached = _segment(place_items)
    department = _topics(charged)
    kind = kinds[0] if kinds else None
    if kind is None:
        unknown = frozenset(item.form for item in role_items if item.category in ("word", "topic", "kind"))
        return Post((), unknown, frozenset(), False, department, _place(place_items, department, own_topics))
    if kind == "ambassador":
        return Post(kinds, frozenset(), frozenset(), False, frozenset(), _posting(role_items, place_items))
    if kind not in _TOPICAL:
        place = _place(place_items, department, frozenset(), of_government=kind in _OF_GOVERNMENT)
        named = frozenset(part for part in own_topics if part.startswith("?"))
        if place == {GOVERNMENT} and kind not in _OF_GOVERNMENT and named:
            place = named
        return Post(kinds, frozenset(), frozenset(), False, frozenset(), place)
    topics = own_topics or department
    place = _place(place_items, department, topics, of_government=kind in _OF_GOVERNMENT)
    if kind in _CHAIRS and repeats:
        place = frozenset()
    junior = any(item.form in lexicon.junior for item in role_items)
    return Post(kinds, frozenset(), topics, not own_topics and (junior or attached), department, place)


def _without(words: set[str], items: list[Item]) -> list[Item]:
    return [item for item in items if item.category != "word" or item.key not in words]


def _without_heads(role: list[Item], organization: list[Item]) -> list[Item]:
    """Return what an organization that only repeats the role says of the place: `Mayor of Paris` is Paris."""
    heads = [item.form for item in role if item.category == "kind"]
    return [
        item for item in organization if item.category != "word" or not any(item.form in head for head in heads)
    ]


def _is_head(item: Item) -> bool:
    return item.category == "kind" and item.after not in _PREPOSITIONS


def _topics(items: list[Item]) -> frozenset[str]:
    known = {item.key for item in items if item.category == "topic"}
    unknown = {f"?{item.key}" for item in items if item.category == "word" and not item.key.isdecimal()}
    return frozenset(known | unknown)


def _segment(items: list[Item]) -> tuple[list[Item], bool]:
    """Return what an organization is charged with ("chargé de"), else what it is attached to ("auprès de")."""
    forms = [item.form for item in items]
    charged = next((at for at, form in enumerate(forms) if form in _CHARGED), None)
    attached = next((at for at, form in enumerate(forms) if form in _ATTACHED), None)
    if charged is not None:
        end = attached if attached is not None and attached > charged else len(items)
        return items[charged + 1 : end], False
    if attached is not None:
        return items[attached + 1 :], True
    return items, False


def _place(
    items: list[Item], department: frozenset[str], topics: frozenset[str], *, of_government: bool = False
) -> frozenset[str]:
    bodies = {item.key for item in items if item.category == "body"}
    words = {f"?{item.key}" for item in items if item.category == "word" and not item.key.isdecimal()}
    if bodies and not of_government:
        return frozenset(bodies | words)
    if of_government or any(item.category == "government" for item in items):
        known = any(not topic.startswith("?") for topic in department)
        return frozenset({GOVERNMENT} | (set() if known or (of_government and words <= topics) else words))
    return frozenset(words | {item.key for item in items if item.category == "topic"}) or frozenset(
        {GOVERNMENT} if any(item.category == "country" for item in items) else ()
    )


def _posting(role: list[Item], organization: list[Item]) -> frozenset[str]:
    """Return where an ambassador is posted: what the role names, else the organization."""
    for items in (role, organization):
        named = frozenset(
            f"?{item.form}" for item in items if item.category in ("country", "word", "topic")
        )  # fmt: skip
        if named:
            return named
    return frozenset()


def _compare_posts(a: Post, b: Post, lexicon: Lexicon) -> Likeness:
    if a.kind is None and b.kind is None:
        return _compare_words(a, b)
    if a.kind != b.kind and not {a.kind, b.kind} <= _SPEAKING_ROLES:
        return "different"
    if a.kind not in _TOPICAL:
        return "same" if a.place == b.place or _one_town(a, b) else "different"
    if not _places_agree(a, b):
        return "different"
    if a.topics == b.topics and a.generic == b.generic:
        return "same"
    return "alike" if _topics_overlap(a, b, lexicon) else "different"


def _one_town(a: Post, b: Post) -> bool:
    """Whether two mayors are of one town, with or without the name of its state: Austin, and Austin in Texas."""
    small, large = sorted((a.place, b.place), key=len)
    return a.kind == "mayor" and bool(small) and small <= large


def _compare_words(a: Post, b: Post) -> Likeness:
    """Compare roles that the lexicon does not know: by their words, and the rest by containment."""
    shared = a.words & b.words
    if not shared:
        return "different"
    rest_a = {word.lstrip("?") for word in (a.words - shared) | a.place} - {GOVERNMENT}
    rest_b = {word.lstrip("?") for word in (b.words - shared) | b.place} - {GOVERNMENT}
    small, large = sorted((rest_a, rest_b), key=len)
    return "same" if small <= large and (small or not large) else "different"


def _places_agree(a: Post, b: Post) -> bool:
    extra_a, extra_b = a.place - {GOVERNMENT}, b.place - {GOVERNMENT}
    if a.kind in _CHAIRS:
        return a.place == b.place or (a.topics == b.topics and bool(a.topics) and not (a.place and b.place))
    return extra_a == extra_b or not extra_a or not extra_b


def _topics_overlap(a: Post, b: Post, lexicon: Lexicon) -> bool:
    shared = a.topics & b.topics
    if shared and (a.topics <= b.topics or b.topics <= a.topics):
        return True
    if shared and len(shared) >= MIN_SHARED * len(a.topics | b.topics):
        return True
    return any(
        generic.generic
        and special.topics
        and all(_lies_in(topic, generic.topics, lexicon) for topic in special.topics)
        for generic, special in ((a, b), (b, a))
    )


def _lies_in(topic: str, department: frozenset[str], lexicon: Lexicon) -> bool:
    return topic in department or bool(lexicon.within.get(topic, frozenset()) & department)


def _may_be_one(a: Post, b: Post) -> bool:
    """Whether only words that the lexicon does not know keep two posts apart."""
    if a.kind is not None and b.kind is not None and a.kind != b.kind:
        return False
    bodies = [{part for part in post.place if not part.startswith("?")} for post in (a, b)]
    return not bodies[0] or not bodies[1] or bodies[0] == bodies[1]


def _tongue(event: CareerEvent) -> str:
    return event.lang.split("-")[0]
