import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.language.tokens import MAX_TOKEN, content_words, tokens


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("The running dogs are jumping", "en", ["run", "dog", "jump"]),
        ("GPT-5", "en", ["gpt", "5", "gpt5"]),
        ("gpt5", "en", ["gpt", "5", "gpt5"]),
        ("GPT 5", "en", ["gpt", "5"]),
        ("gpt-4o", "en", ["gpt", "4o", "gpt4o"]),
        ("H100", "en", ["h100"]),
        ("claude-3.5-sonnet", "en", ["claud", "3.5", "claude3.5", "sonnet"]),
        ("it grew 3.5% to 1,250,000.", "en", ["grew", "3.5", "1250000"]),
        ("3,5 % von 1.250", "de", ["3.5", "1250"]),
        ("don't, it's Ann's", "en", ["ann"]),
        ("L'économie", "fr", ["econom"]),
        ("economie", "fr", ["econom"]),
        ("Größe der Häuser", "de", ["gross", "haus"]),
        ("ＧＰＴ", "en", ["gpt"]),
        ("co-ordination", "en", ["co", "ordin"]),
    ],
)
def test_tokens_of_spaced_languages(text: str, language: str, expected: list[str]) -> None:
    assert tokens(text, language) == expected


def test_unspaced_scripts_give_character_bigrams() -> None:
    assert tokens("人工知能はGPT-5", "ja") == ["人工", "工知", "知能", "能は", "gpt", "5", "gpt5"]
    assert tokens("人", "zh") == ["人"]
    # Half-width kana are the same letters: U+FF76 U+FF9E is the one letter U+30AC.
    assert tokens("\uff76\uff9eス", "ja") == tokens("\u30acス", "ja") == ["\u30acス"]
    # A Korean noun is found whatever particle follows it.
    assert set(tokens("지능은", "ko")) & set(tokens("지능이", "ko")) == {"지능"}


def test_vowel_signs_stay_in_their_word() -> None:
    assert content_words("हिन्दी शब्द", "hi") == ["हिन्दी", "शब्द"]


def test_an_accented_word_and_its_plain_spelling_meet() -> None:
    for accented, plain, language in [
        ("Poincaré", "Poincare", "fr"),
        ("Ἀθήνα", "Αθηνα", "el"),
        ("França", "Franca", "pt-BR"),
    ]:
        assert tokens(accented, language) == tokens(plain, language)


def test_a_language_without_stemmer_keeps_its_words() -> None:
    assert tokens("Running THE dogs", "xx") == ["running", "the", "dogs"]
    assert tokens("running dogs", "en_GB") == ["run", "dog"]


@given(st.text(), st.sampled_from(["en", "fr", "de", "ja", "hi", "tr", "xx"]))
def test_any_text_gives_short_plain_tokens(text: str, language: str) -> None:
    made = tokens(text, language)
    assert made == tokens(text, language)
    assert all(
        0 < len(token) <= MAX_TOKEN + 4 and not any(c.isspace() or c == "\x00" for c in token) for token in made
    )


@given(st.lists(st.sampled_from(["gpt-5", "evidence", "Häuser", "人工知能", "3.5", "don't"]), max_size=8))
def test_tokens_of_words_are_the_words_tokens(words: list[str]) -> None:
    assert tokens(" ".join(words), "en") == [token for word in words for token in tokens(word, "en")]
