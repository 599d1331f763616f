"""Where a text denies."""

import pytest

from answertrail_pipeline.language.negation import denials


@pytest.mark.parametrize(
    ("text", "language", "count"),
    [
        ("it did not work", "en", 1),
        ("it can't, won't and never did", "en", 3),
        ("it failed to improve without help", "en", 2),
        ("not only fast but cheap", "en", 0),
        ("no doubt, no matter what", "en", 0),
        ("no no no that is fine", "en", 0),
        ("es funktioniert nicht und hat keine Zukunft", "de", 2),
        ("cela ne marche pas", "fr", 1),
        ("これは正しくない", "ja", 1),
        ("它不工作", "zh", 2),  # both pairs of characters that hold it
        ("it works", "en", 0),
    ],
)
def test_denials(text: str, language: str, count: int) -> None:
    assert len(denials(text, language)) == count
