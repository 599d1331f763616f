"""The rules that make a question of a sentence: leave an amount out, or ask what was said of what it is about."""

import re
from dataclasses import dataclass
from datetime import date

from answertrail_pipeline.language.tokens import base_language


def _words(line: str) -> frozenset[str]:
    return frozenset(line.split())


_PRONOUNS = _words("i we you he she it they this that these those there who which what and but so because if when")
_LEAD = re.compile(
    r"^(?:i (?:really |still |also |personally )?(?:think|believe|guess|would say|feel|expect|hope)(?: that)?,? "
    r"|(?:in fact|for example|today|currently|right now|as of now|at the moment|of course),? )+",
    re.IGNORECASE,
)
_ABOUT = (
    r"(?:about |around |nearly |over |almost |close to |approximately |roughly |more than |less than |up to"
    r" |only |just )*"
)
_NUMBER = r"[$€£]?\d[\d.,]*\d?(?: ?%| percent| thousand| million| billion| trillion|k\b|m\b|b\b|x\b)*"
_UNIT = r"(?P<unit>(?: [a-z][\w-]+){1,3})?"
_AUXILIARY = r"(?P<aux>has|have|had|is|are|was|were|will|can)"
_SUBJECT = r"(?P<subject>[^,;:]{2,70}?)"
_BASE_VERBS = (
    "cost take use need have require contain hold weigh reach score achieve get earn pay make produce sell cover"
    " support serve run process train employ host read write save spend offer show find lose win add"
)
_PAST = {
    "cost": "cost", "took": "take", "used": "use", "needed": "need", "had": "have", "required": "require",
    "held": "hold", "weighed": "weigh", "reached": "reach", "scored": "score", "achieved": "achieve", "got": "get",
    "earned": "earn", "paid": "pay", "made": "make", "produced": "produce", "sold": "sell", "ran": "run",
    "processed": "process", "trained": "train", "saved": "save", "spent": "spend", "raised": "raise",
    "found": "find", "lost": "lose", "won": "win", "added": "add", "built": "build", "wrote": "write",
}  # fmt: skip
_PRESENT = {base + "s": base for base in _BASE_VERBS.split()} | {"has": "have", "reaches": "reach"}
_MONEY = ("$", "€", "£", "dollar", "euro", "pound", "cent")
_NO_SUBJECT = _words(
    "in on at for to from with by of or only one after before since during until as about over under between than"
    " say says like even just also then now all some most many more less every each"
)
_UNIT_ENDS = _words(
    "a an the of in on at for to from with by per and or but so than that which who when while as is are was were"
    " it now today because if after before since every each more less only about"
)

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip


@dataclass(frozen=True)
class _Amount:
    subject: str
    unit: str
    money: bool
    percent: bool
    auxiliary: str
    verb: str


def asks_for_amount(claim: str, language: str) -> bool:
    """Whether a sentence has the form of subject, verb, amount, so that the amount can be asked for."""
    return base_language(language) == "en" and _amount(_plain(claim)) is not None


def amount_question(claim: str) -> str | None:
    """Return the question for the amount of an English sentence, or None where it has not that form.

    >>> amount_question("The north kiln takes about 14 hours to cool.")
    'How many hours does the north kiln take?'
    >>> amount_question("Mayo Clinic has digitized 12 million glass slides.")
    'How many glass slides has Mayo Clinic digitized?'
    """
    amount = _amount(_plain(claim))
    if amount is None:
        return None
    if amount.money:
        asked = "How much"
    elif amount.percent:
        asked = "What percentage"
    else:
        asked = f"How many {amount.unit}"
    verb = f" {amount.verb}" if amount.verb else ""
    return f"{asked} {amount.auxiliary} {amount.subject}{verb}?"


def about_question(topics: list[str], speaker: str | None, said_on: date | None, language: str) -> str | None:
    """Return a question for what was said of one or two topics, by whom and in which month."""
    if not topics:
        return None
    when = _month(said_on, language)
    if base_language(language) == "fr":
        things = " et de ".join(f"« {topic} »" for topic in topics[:2])
        return f"Qu'est-ce que {speaker or 'l’orateur'} a dit de {things}{when} ?"
    things = " in connection with ".join(topics[:2])
    if speaker:
        return f"What did {speaker} say about {things}{when}?"
    return f"What was said about {things}{when}?"


def split_speaker(claim: str) -> tuple[str | None, str]:
    """Return who speaks ("Tim Beiko: We ship."), if the claim says so, and what is said."""
    name, colon, said = claim.partition(": ")
    if colon and 1 <= len(name.split()) <= 5 and not re.search(r"[.?!](?:\s|$)", name):
        return name, said
    return None, claim


def month_name(day: date) -> str:
    """Return a month as time windows read it, such as `March 2025`, whatever the machine's locale."""
    return f"{_MONTHS[day.month - 1]} {day.year}"


def _month(said_on: date | None, language: str) -> str:
    if said_on is None:
        return ""
    if base_language(language) == "fr":
        return f" ({said_on:%m/%Y})"
    return f" in {month_name(said_on)}"


def _plain(claim: str) -> str:
    return _LEAD.sub("", split_speaker(claim)[1]).strip()


def _amount(text: str) -> _Amount | None:
    for form in (_participle, _verb, _being):
        found = form(text)
        if found and _is_subject(found.subject) and (found.money or found.percent or found.unit):
            return found
    return None


def _participle(text: str) -> _Amount | None:
    """`Mayo Clinic has digitized 12 million glass slides`."""
    participle = r"(?P<verb>\w+(?:ed|en|de|lt|nt|un))"
    match = re.match(rf"{_SUBJECT} {_AUXILIARY} {participle} {_ABOUT}(?P<n>{_NUMBER}){_UNIT}", text)
    return match and _read(match, match["aux"], match["verb"])


def _verb(text: str) -> _Amount | None:
    """`The kiln takes 14 hours`, `S1 scored 50 %`."""
    forms = "|".join(sorted({*_PRESENT, *_PAST}, key=len, reverse=True))
    match = re.match(rf"{_SUBJECT} (?P<verb>{forms}) {_ABOUT}(?P<n>{_NUMBER}){_UNIT}", text)
    if match is None:
        return None
    verb = match["verb"]
    if verb in _PAST and not (verb == "cost" and match["subject"].endswith("s")):
        return _read(match, "did", _PAST[verb])
    return _read(match, "does" if verb in _PRESENT else "do", _PRESENT.get(verb, verb))


def _being(text: str) -> _Amount | None:
    """`The kiln rent is 240 dollars`."""
    auxiliary = "(?P<aux>is|are|was|were) (?:now |currently )?"
    match = re.match(rf"{_SUBJECT} {auxiliary}{_ABOUT}(?P<n>{_NUMBER}){_UNIT}", text)
    found = match and _read(match, match["aux"], "")
    return found if found and (found.money or found.percent) else None


def _read(match: re.Match[str], auxiliary: str, verb: str) -> _Amount:
    number, unit = match["n"], _unit(match["unit"] or "")
    money = number.startswith(("$", "€", "£")) or unit.split(" ")[0].startswith(_MONEY)
    percent = "%" in number or "percent" in number
    subject = match["subject"]
    if subject.split(" ")[0] in ("The", "A", "An", "Our", "My", "Your", "Their", "Its", "Each", "Every", "One"):
        subject = subject[0].lower() + subject[1:]
    return _Amount(subject, unit, money, percent, auxiliary, verb)


def _unit(words: str) -> str:
    """Return what is counted, up to its plural, without which one cannot ask `how many`."""
    kept: list[str] = []
    for word in words.split():
        if word in _UNIT_ENDS or word.endswith(("ly", "ed", "ing")):
            break
        kept.append(word)
    while kept and not (kept[-1] == "people" or re.search(r"[^s]s$", kept[-1])):
        kept.pop()
    return " ".join(kept)


def _is_subject(subject: str) -> bool:
    words = subject.split()
    opens = words[0].casefold().split("'")[0].strip('"“')
    nested = re.search(
        r"\b(?:that|which|who|is|are|was|were|has|have|because|if|when|say|says|thing|there|we|you|i|they)\b",
        subject,
    )
    return 1 <= len(words) <= 9 and opens not in _PRONOUNS | _NO_SUBJECT and nested is None and '"' not in subject
