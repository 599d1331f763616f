import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.retrieval.topic import core_topic


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("How did the creator's view of paper batteries evolve from May through June 2025?", "paper batteries"),
        ("How did her view and explanation of paper batteries-their price-evolve from May to July 2025?",
         "paper batteries-their price"),
        ("What did the speaker think about climate change in 2025, and did that change?", "climate change"),
        ("How have views on climate change changed?", "climate change"),
        ("Trace how the host's opinion on tidal power shifted between 2024 and 2026.", "tidal power"),
        ("Over the course of 2025, how has the channel's position on positional encoding changed?",
         "positional encoding"),
        ("How did the discussion of the block gas limit (EIP-7935) develop from April 2025 through August 2026?",
         "block gas limit (EIP-7935)"),
        ("How did the creator's 'three cups' puzzle and his assessment of models' scores on it change over time?",
         "'three cups' puzzle models' scores"),
        ("How did his diagnosis of memory evolve from June 2025 as he met it in other papers?", "memory"),
        ("Has the creator changed his mind about tidal power?", "tidal power"),
        ("Describe the evolution of the host's coverage of tidal power since March 2025.", "tidal power"),
        ("climate change", "climate change"),
        ("paper batteries 2025 price", "paper batteries 2025 price"),
        ("How did it evolve?", "How did it evolve"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_frame_of_an_english_question_goes(question: str, topic: str) -> None:
    assert core_topic(question, "en") == topic


@pytest.mark.parametrize(
    ("question", "language", "topic"),
    [
        ("Wie hat sich die Einschätzung des Autors zu Papierbatterien von Anfang 2025 bis 2026 verändert?", "de",
         "Papierbatterien"),
        ("Comment la position du créateur sur l'énergie marine a-t-elle évolué entre 2012 et 2017 ?", "fr",
         "l'énergie marine"),
        ("¿Cómo evolucionó la opinión del creador sobre las baterías de papel desde principios de 2025?",
         "es", "baterías de papel"),
        ("Come è cambiata l'opinione dell'autore sugli agenti nel 2025?", "it", "agenti"),
        ("Como evoluiu a visão do criador sobre modelos de mundo em 2025?", "pt", "modelos de mundo"),
        ("Hoe is de mening van de maker over papieren batterijen in 2025 veranderd?", "nl", "papieren batterijen"),
        ("Как изменилось мнение автора об энергии моря в 2025 году?", "ru", "энергии моря"),
        ("クリエイターの紙電池に対する評価は2025年から2026年にかけてどのように変化しましたか？", "ja", "紙電池"),
        ("作者对纸电池的看法从2025年到2026年如何变化？", "zh", "纸电池"),
        ("제작자의 종이 배터리에 대한 평가는 2025년부터 어떻게 변화했습니까?", "ko", "종이 배터리"),
        ("How did the creator's view of laïcité evolve from 2012 through 2017?", "fr", "laïcité"),
        ("Ki tuxtu 2025 q'ij", "xx", "Ki tuxtu 2025 q'ij"),
    ],
)  # fmt: skip
def test_the_frame_goes_in_other_languages(question: str, language: str, topic: str) -> None:
    assert core_topic(question, language) == topic


@given(st.text(), st.sampled_from(["en", "de", "fr", "ja", "ko", "xx"]))
def test_a_topic_is_made_of_the_questions_words(question: str, language: str) -> None:
    topic = core_topic(question, language)
    assert bool(topic) == bool(question.split())
    assert set("".join(topic.split())) <= set("".join(question.split()))
