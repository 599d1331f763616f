"""Where a text denies: the places of `not`, `never`, `without`, `failed to`, `no longer`, by language."""

from collections.abc import Sequence

from answertrail_pipeline.language.tokens import base_language
from answertrail_pipeline.language.words import Word, find_words

_LISTS = {
    "en": """
        not no never none neither nor cannot without nothing nobody nowhere hardly barely rarely seldom unable
        dont doesnt didnt isnt wasnt arent werent cant couldnt wont wouldnt hasnt havent hadnt fails failed fail
        lacks lack lacked lacking untrue false refuses refused denies denied impossible
    """,
    "de": "nicht kein keine keinen keinem keiner nie niemals ohne weder niemand nichts kaum",
    "fr": "pas jamais sans aucun aucune rien personne ni guère",
    "es": "no nunca jamás sin ningún ninguna ninguno nada nadie tampoco ni",
    "it": "non mai senza nessun nessuno nessuna niente nulla né",
    "pt": "não nunca jamais sem nenhum nenhuma nada ninguém nem",
    "nl": "niet geen nooit zonder niemand niets noch",
    "ru": "не нет никогда без ни нельзя никто ничего",
    "el": "δεν μην όχι ποτέ χωρίς κανείς καμία τίποτα",
}
_DENIALS = {language: frozenset(words.split()) for language, words in _LISTS.items()}
_DENIALS_UNSPACED = {
    "ja": ("ない", "なか", "ませ", "ぬ", "ずに"),
    "zh": ("不", "没", "沒", "未", "无", "無", "非"),
}


def denials(text: str, language: str = "en") -> list[int]:
    """Return the indices of the words that deny, in order."""
    return find_denials(find_words(text), language)


def find_denials(words: Sequence[Word], language: str = "en") -> list[int]:
    """Return the indices of the words that deny, in order.

    `not only`, `no doubt` and `no matter` deny nothing.
    """
    code = base_language(language)
    lower = [word.text.casefold() for word in words]
    if code in _DENIALS_UNSPACED:
        marks = _DENIALS_UNSPACED[code]
        return [at for at, word in enumerate(lower) if any(mark in word for mark in marks)]
    denying = _DENIALS.get(code, frozenset())
    if code != "en":
        return [at for at, word in enumerate(lower) if word in denying]
    return [
        at for at, word in enumerate(lower) if (word in denying or word.endswith("n't")) and _denies(lower, at)
    ]


def _denies(lower: Sequence[str], at: int) -> bool:
    word, behind = lower[at], lower[at + 1] if at + 1 < len(lower) else ""
    if word == "not":
        return behind not in ("only", "just", "merely", "necessarily")
    if word == "no":
        return behind not in ("doubt", "matter", "wonder", "problem", "no") and lower[at - 1 : at] != ["no"]
    return True
