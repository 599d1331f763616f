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


@pytest.mark.parametrize(
    ("question", "language", "topic"),
    [
        ("What's the host's latest take on open-weight models compared with a year ago?", "en",
         "open-weight models"),
        ("Did her opinion on nuclear power ever flip, and if so when?", "en",
         "nuclear power"),
        ("In which ways did the podcast's attitude to remote work become more positive"
         " or more negative between spring 2024 and autumn 2025?",
         "en",
         "remote work"),
        ("Walk me through how his thinking about carbon taxes has developed.", "en",
         "carbon taxes"),
        ("From initial skepticism to endorsement: how did the channel come round to rust in the kernel?", "en",
         "rust in the kernel"),
        ("Is he still as critical of crypto as he was in 2023?", "en",
         "crypto"),
        ("What changed in her advice on sleep tracking over the last two years?", "en",
         "sleep tracking"),
        ("Chart the trajectory of opinions on universal basic income expressed in the videos.", "en",
         "universal basic income"),
        ("Over time, what has been said about battery recycling?", "en",
         "battery recycling"),
        ("At what point did the speaker stop recommending keto diets?", "en",
         "keto diets"),
        ("Summarise every shift in stance regarding zoning reform from January 2024 to June 2025.", "en",
         "zoning reform"),
        ("How do the early videos' claims about self-driving cars differ from the recent ones?", "en",
         "self-driving cars"),
        ("Why did he go from praising to criticising the Raspberry Pi 5?", "en",
         "Raspberry Pi 5"),
        ("Tell the story of the channel's relationship with Patreon.", "en",
         "Patreon"),
        ("To what extent has the author's confidence in quantum error correction grown since 2022?", "en",
         "quantum error correction"),
        ("What were the creator's views on sourdough hydration before and after 2024?", "en",
         "sourdough hydration"),
        ("When did she first mention perovskite cells, and how has her enthusiasm for them evolved since?", "en",
         "perovskite cells"),
        ("How has the way the host explains inflation changed over the past three years?", "en",
         "inflation"),
        ("Compare what was said about RAG in early 2025 with what was said in late 2025.", "en",
         "RAG"),
        ("Has the team's plan for stateless clients been delayed or altered?", "en",
         "stateless clients"),
        ("how does opinion on TypeScript change", "en",
         "TypeScript"),
        ("Timeline of statements on the Jones Act", "en",
         "Jones Act"),
        ("what is the current status of PeerDAS and how did it get there?", "en",
         "PeerDAS"),
        ("Wie stand der Podcaster früher zu Wärmepumpen und wie sieht er sie heute?", "de",
         "Wärmepumpen"),
        ("Hat sich seine Meinung über Kernkraft zwischen 2022 und 2024 geändert?", "de",
         "Kernkraft"),
        ("Welche Entwicklung nahm die Haltung des Kanals gegenüber Elektroautos?", "de",
         "Elektroautos"),
        ("Beschreibe, wie sich ihre Sicht auf das Bürgergeld im Laufe der Zeit gewandelt hat.", "de",
         "Bürgergeld"),
        ("Inwiefern beurteilt der Sprecher künstliche Intelligenz inzwischen anders als zu Beginn?", "de",
         "künstliche Intelligenz"),
        ("Comment son opinion sur l'énergie nucléaire a-t-elle changé au fil du temps ?", "fr",
         "l'énergie nucléaire"),
        ("En quoi le point de vue de l'auteur sur la laïcité a-t-il évolué depuis 2019 ?", "fr",
         "laïcité"),
        ("Que pensait-elle du télétravail au début, et qu'en pense-t-elle aujourd'hui ?", "fr",
         "télétravail"),
        ("Décrivez l'évolution de la position de la chaîne à l'égard des voitures électriques entre 2021 et 2024.",
         "fr",
         "voitures électriques"),
        ("A-t-il changé d'avis sur le revenu universel ?", "fr",
         "revenu universel"),
        ("¿Cómo ha cambiado la opinión del autor sobre la energía nuclear a lo largo del tiempo?", "es",
         "energía nuclear"),
        ("¿Ha cambiado de opinión sobre el teletrabajo entre 2021 y 2023?", "es",
         "teletrabajo"),
        ("Describe la evolución de su postura respecto a los coches eléctricos.", "es",
         "coches eléctricos"),
        ("¿Qué pensaba al principio de las criptomonedas y qué piensa ahora?", "es",
         "criptomonedas"),
        ("¿De qué manera se transformó la visión del canal sobre la inteligencia artificial?", "es",
         "inteligencia artificial"),
        ("司会者の原子力発電に対する意見は時間とともにどう変わりましたか？", "ja",
         "原子力発電"),
        ("2023年から2025年にかけて、リモートワークについての考え方はどのように変化したか。", "ja",
         "リモートワーク"),
        ("電気自動車に関する彼女の立場の変遷を説明してください。", "ja",
         "電気自動車"),
        ("彼は仮想通貨について考えを変えましたか？", "ja",
         "仮想通貨"),
        ("このチャンネルの人工知能への見方は当初と比べてどう変わった？", "ja",
         "人工知能"),
        ("Como mudou a opinião do apresentador sobre energia nuclear ao longo do tempo?", "pt",
         "energia nuclear"),
        ("Come si è evoluta la posizione del canale sull'energia nucleare tra il 2021 e il 2024?", "it",
         "sull'energia nucleare"),
        ("Is zijn mening over kernenergie in de loop van de tijd veranderd?", "nl",
         "kernenergie"),
        ("Как со временем изменилось отношение автора к атомной энергетике?", "ru",
         "атомной энергетике"),
        ("随着时间的推移,主持人对核能的态度发生了怎样的变化？", "zh",
         "核能"),
        ("他对加密货币的看法有没有改变？", "zh",
         "加密货币"),
        ("시간이 지나면서 진행자의 원자력에 대한 의견은 어떻게 바뀌었나요?", "ko",
         "원자력"),
    ],
)  # fmt: skip
def test_any_phrasing_leaves_its_topic(question: str, language: str, topic: str) -> None:
    assert core_topic(question, language) == topic


@pytest.mark.parametrize(
    ("question", "topic"),
    [
        ("Which banks issued the Kelp bond, and when did the bond fall due?",
         "banks issued the Kelp bond, and when did the bond fall due"),
        ("How does the Kelp reward work, and why does it rely on tides rather than on wind?",
         "Kelp reward work, and why does it rely on tides rather than on wind"),
        ("What did he say about the first mover?", "first mover"),
        ("What did she say about stop words and layer two?", "stop words and layer two"),
    ],
)  # fmt: skip
def test_what_a_question_for_facts_asks_for_stays(question: str, topic: str) -> None:
    assert core_topic(question, "en") == topic


@given(st.text(), st.sampled_from(["en", "de", "fr", "ja", "ko", "xx"]))
def test_a_topic_is_made_of_the_questions_words(question: str, language: str) -> None:
    topic = core_topic(question, language)
    assert bool(topic) == bool(question.split())
    assert set("".join(topic.split())) <= set("".join(question.split()))
