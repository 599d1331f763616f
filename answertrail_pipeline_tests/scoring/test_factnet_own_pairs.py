"""Pairs of events that we made up, of the kinds that real sources hold: languages, scripts, spans, composites."""

import pytest

from answertrail_pipeline.gold.biographies.lexicon import shipped_lexicon
from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.scoring.factnet.relations import relation


def told(role: str, organization: str, start: str, end: str | None = None, lang: str = "en") -> CareerEvent:
    return event_from_json(
        {"role": role, "organization": organization, "start": start, "end": end, "lang": lang, "title": role}
    )


PAIRS = [
    (
        "same",
        told("Minister of Defence", "Government of Ukraine", "2019-08", "2020-03"),
        told("Мiністр оборони України", "Уряд України", "2019-08", "2020-03", "uk"),
    ),
    (
        "same",
        told("Minister of Defen\u0441e", "Government of Ukraine", "2019-08"),
        told("Minister of Defence", "Government of Ukraine", "2019-08"),
    ),
    (
        "same",
        told("Ministre de l’Économie et des Finances", "Gouvernement", "2017-05", "2020-07", "fr"),
        told("Minister of Economy and Finance", "Government of France", "2017-05", "2020-07"),
    ),
    (
        "same",
        told("Ministre de l'Éducation nationale", "Ministère de l'éducation nationale", "2017-05", None, "fr"),
        told("Minister of National Education", "Government of France", "2017-05"),
    ),
    (
        "same",
        told("Ministra de Salud", "Gobierno de Chile", "2014-03", "2018-03", "es"),
        told("Minister of Health", "Government of Chile", "2014-03", "2018-03"),
    ),
    (
        "same",
        told("Secretario de Relaciones Exteriores", "Gobierno de México", "2018-12", None, "es"),
        told("Secretary of Foreign Affairs", "Government of Mexico", "2018-12"),
    ),
    (
        "same",
        told("Ministro da Educação", "Governo do Brasil", "2019-04", None, "pt"),
        told("Minister of Education", "Government of Brazil", "2019-04"),
    ),
    (
        "same",
        told("Υπουργός Υγείας", "Κυβέρνηση", "2019-07", None, "el"),
        told("Minister for Health", "Government of Greece", "2019-07"),
    ),
    (
        "same",
        told("외교부 장관", "대한민국 정부", "2017-06", None, "ko"),
        told("Minister of Foreign Affairs", "Government of South Korea", "2017-06"),
    ),
    (
        "same",
        told("Sağlık Bakanı", "Türkiye Hükümeti", "2014-08", None, "tr"),
        told("Minister of Health", "Government of Turkey", "2014-08"),
    ),
    (
        "same",
        told("厚生労働大臣", "厚生労働省", "2020-09", None, "ja"),
        told("Minister of Health, Labour and Welfare", "Government of Japan", "2020-09"),
    ),
    (
        "same",
        told("環境大臣", "環境省", "2019-09", None, "ja"),
        told("Minister of the Environment", "Government of Japan", "2019-09"),
    ),
    (
        "same",
        told("衆議院議員", "衆議院", "2009", None, "ja"),
        told("member", "House of Representatives of Japan", "2009-08"),
    ),
    (
        "same",
        told("Representative", "United States House of Representatives", "2011-01", "2013-01"),
        told("member", "U.S. House of Representatives", "2011"),
    ),
    (
        "same",
        told("Senator", "United States Senate", "2013-01"),
        told("member", "United States Senate", "2013-01"),
    ),
    (
        "same",
        told("Home Secretary", "Home Office", "2019-07"),
        told("Secretary of State for the Home Department", "Government of the United Kingdom", "2019-07"),
    ),
    (
        "same",
        told("Foreign Secretary", "Foreign Office", "2018-07"),
        told(
            "Secretary of State for Foreign and Commonwealth Affairs",
            "Government of the United Kingdom",
            "2018-07",
        ),
    ),
    (
        "same",
        told("Chancellor of the Exchequer", "HM Treasury", "2016-07"),
        told("Chancellor of the Exchequer", "Government of the United Kingdom", "2016-07"),
    ),
    ("same", told("sénateur", "Sénat", "2014-10", None, "fr"), told("member", "French Senate", "2014-10")),
    ("same", told("maire", "Ville de Lyon", "2001", None, "fr"), told("Mayor", "Lyon", "2001")),
    (
        "same",
        told("Mayor", "City of Austin", "2001", "2005"),
        told("Mayor of Austin", "Austin, Texas", "2001", "2005"),
    ),
    (
        "same",
        told("State Senator", "Texas Senate", "2003", "2009"),
        told("member", "Texas State Senate", "2003", "2009"),
    ),
    (
        "different",
        told("Minister of State for Security", "Home Office", "2019-07", "2020-02"),
        told("Minister of State for Policing", "Home Office", "2019-07", "2020-02"),
    ),
    (
        "different",
        told("Minister of Defence", "Government of Japan", "2010-09"),
        told("Vice-Minister of Defense", "Government of Japan", "2010-09"),
    ),
    ("different", told("State Senator", "Texas Senate", "2003"), told("Senator", "United States Senate", "2003")),
    (
        "different",
        told("財務副大臣", "財務省", "2012", None, "ja"),
        told("Minister of Finance", "Government of Japan", "2012"),
    ),
    (
        "different",
        told("参議院議員", "参議院", "2004", None, "ja"),
        told("member", "House of Representatives of Japan", "2004"),
    ),
    (
        "different",
        told("Minister of Labour", "Government of X", "2004"),
        told("Minister of Social Affairs", "Government of X", "2004"),
    ),
    (
        "part_of_composite",
        told("Secretary of State for Justice and Lord Chancellor", "Ministry of Justice", "2019-07"),
        told("Lord Chancellor", "Government of the United Kingdom", "2019-07"),
    ),
    (
        "continuation",
        told("Minister of Health", "Government of X", "2014-03", "2016-05"),
        told("Minister of Health", "Government of X", "2016-05", "2018-01"),
    ),
    (
        "part_of_time",
        told("Minister of Health", "Government of X", "2014-03", "2018-01"),
        told("Minister of Health", "Government of X", "2014-03", "2016-05"),
    ),
    (
        "different",
        told("Minister of Health", "Government of X", "2010-03", "2012-01"),
        told("Minister of Health", "Government of X", "2014-03", "2016-05"),
    ),
    (
        "same",
        told("Deputy Prime Minister", "Government of Ukraine", "2016-04"),
        told("Віце-прем’єр-міністр України", "Кабінет Міністрів України", "2016-04", None, "uk"),
    ),
    (
        "same",
        told("President of the National Assembly", "National Assembly", "2018-09"),
        told("président de l’Assemblée nationale", "Assemblée nationale", "2018-09", None, "fr"),
    ),
    (
        "same",
        told("Prefeito", "Município de São Paulo", "2013-01", None, "pt"),
        told("Mayor", "São Paulo", "2013-01"),
    ),
    (
        "same",
        told("Gobernador", "Estado de Chiapas", "2006-12", None, "es"),
        told("Governor", "Chiapas", "2006-12"),
    ),
    (
        "same",
        told("diputado", "Cámara de Diputados de Chile", "2010-03", None, "es"),
        told("member", "Chamber of Deputies of Chile", "2010-03"),
    ),
    (
        "same",
        told("Βουλευτής", "Βουλή των Ελλήνων", "2012-05", None, "el"),
        told("member", "Hellenic Parliament", "2012-05"),
    ),
    (
        "same",
        told("국회의원", "대한민국 국회", "2016-05", None, "ko"),
        told("member", "National Assembly of South Korea", "2016-05"),
    ),
    (
        "same",
        told("народний депутат України", "Верховна Рада України", "2014-11", None, "uk"),
        told("member", "Verkhovna Rada", "2014-11"),
    ),
    (
        "same",
        told("milletvekili", "Türkiye Büyük Millet Meclisi", "2011-06", None, "tr"),
        told("member", "Grand National Assembly of Turkey", "2011-06"),
    ),
]


@pytest.mark.parametrize(("wanted", "one", "other"), PAIRS, ids=[f"{w} {a.role} {b.role}" for w, a, b in PAIRS])
def test_how_two_events_stand_to_each_other(wanted: str, one: CareerEvent, other: CareerEvent) -> None:
    assert relation(one, other, shipped_lexicon()) == wanted
    assert relation(other, one, shipped_lexicon()) == wanted
