"""Non-speech marks in transcripts: [Music], (Applaudissements), ♪."""

import re

_BRACKETS = re.compile(r"\[[^\[\]]{0,60}\]|［[^［］]{0,60}］|【[^【】]{0,60}】")
_PARENTHESES = re.compile(r"\([^()]{1,60}\)|（[^（）]{1,60}）|\*{1,3}[^*]{1,60}\*{1,3}")
_MUSIC = re.compile(r"[♩♪♫♬🎵🎶]+|#(?=\s|$)")
# Stems of sound words. A parenthesis inside speech is a mark only if it holds one; one alone in its cue is a mark.
_SOUND = re.compile(
    r"applau|apla[u]s|beifall|laugh|rire|risas|lachen|gelächter|risos|risate|music|musik|musique|música|cheer|"
    r"clap|cough|sigh|inaudible|unverständlich|silence|hu[ée]es|sifflet|acclam|ovation|chant|crowd|crosstalk|"
    r"foreign|noise|bruit|beep|bell|click|gasp|groan|sniff|whistl|аплод|смех|музык|掌声|笑声|音乐|拍手|笑|音楽|박수|웃음|음악",
    re.IGNORECASE,
)


def without_marks(text: str) -> tuple[str, int]:
    """Return a cue's text without its non-speech marks, and how many there were.

    In square brackets anything short is a mark. In parentheses or asterisks it is one if it holds a sound word, or
    is all that the cue says. Of a line that is sung only the music signs are taken out: its words were uttered.

    >>> without_marks("[Music] welcome back (Applause)")
    ('welcome back', 2)
    >>> without_marks("the law (of 2012) passed")
    ('the law (of 2012) passed', 0)
    """
    if not _may_hold_marks(text):
        return text, 0
    alone = _PARENTHESES.fullmatch(text.strip(" -–—>.:!"))
    spoken, brackets = _BRACKETS.subn(" ", text)
    marks = 0

    def drop(match: re.Match[str]) -> str:
        nonlocal marks
        if not alone and not _SOUND.search(match[0]):
            return match[0]
        marks += 1
        return " "

    spoken, music = _MUSIC.subn(" ", _PARENTHESES.sub(drop, spoken))
    found = brackets + marks + music
    if not found:
        return text, 0
    spoken = " ".join(spoken.split())
    return (spoken if any(character.isalnum() for character in spoken) else ""), found


def _may_hold_marks(text: str) -> bool:
    return any(sign in text for sign in "[(（［【*♩♪♫♬🎵🎶#")
