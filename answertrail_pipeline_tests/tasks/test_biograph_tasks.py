"""The rules of coder, supervisor and searcher, and evidence as the judge reads it."""

import pytest

from answertrail_pipeline.gold.biographies.people import Person
from answertrail_pipeline.judging.event_claims import (
    ArchivedText,
    archive_lines,
    event_claim,
    nearest,
    slot_claim,
    with_numbers,
)
from answertrail_pipeline.language.career_events import event_from_json
from answertrail_pipeline.tasks.code_events import CODE_EVENTS, CodedCareer, CodedEvent, CodeEventsInput, Fragment
from answertrail_pipeline.tasks.code_events_rules import read_dated_lines
from answertrail_pipeline.tasks.focus_search import FOCUS_SEARCH, FocusSearchInput
from answertrail_pipeline.tasks.plan_gaps import PLAN_GAPS, Gap, NamedIn, PlanGapsInput

NAMES = (NamedIn(text="Irena Valdo", lang="en"), NamedIn(text="猪連 波瑠土", lang="ja"))


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("Clerk, Fish Board, March 2010 to June 2012.", "en", ("Clerk", "Fish Board", "2010-03", "2012-06")),
        ("member of the assembly, 1988-1992; born in 1950", "en", ("member", "assembly", "1988", "1992")),
        ("De mars 2010 à juin 2012 : maire, Ville", "fr", ("maire", "Ville", "2010-03", "2012-06")),
        ("Depuis janvier 2015 : maire, Ville", "fr", ("maire", "Ville", "2015-01", "ongoing")),
        ("2015 to present: rector, University", "en", ("rector", "University", "2015", "ongoing")),
        ("2010 to unknown: rector, University", "en", ("rector", "University", "2010", "unknown")),
        ("Clerk, Fish Board, 2014-", "en", ("Clerk", "Fish Board", "2014", "ongoing")),
        ("Depuis le 3 mars 2012 : maire, Ville", "fr", ("maire", "Ville", "2012-03-03", "ongoing")),
        ("Alcalde, Ciudad (11 de marzo de 2014 – presente)", "es", ("Alcalde", "Ciudad", "2014-03-11", "ongoing")),
        ("2010년 3월 ~ 2012년 6월 장관, 기획재정부", "ko", ("장관", "기획재정부", "2010-03", "2012-06")),
        ("平成元年4月〜同3年3月　外務省課長", "ja", ("課長", "外務省", "1989-04", "1991-03")),
        ("平成28年～現在　参議院議員", "ja", ("参議院議員", "参議院", "2016", "ongoing")),
        ("昭和54年卒業、平成20年財務大臣政務官", "ja", ("財務大臣政務官", "内閣", "2008", "unknown")),
        ("2004年参議院議員初当選", "ja", ("参議院議員", "参議院", "2004", "unknown")),
    ],
)  # fmt: skip
def test_dated_lines(text: str, language: str, expected: tuple[str, ...]) -> None:
    assert [tuple(line) for line in read_dated_lines(text, language)] == [expected]


@pytest.mark.parametrize(
    "text", ["graduated, Harvard, 1984", "unsuccessful candidate for mayor, 1990", "née en 1950", ""]
)
def test_no_office_no_event(text: str) -> None:
    assert read_dated_lines(text, "en") == []


def test_the_coder_joins_what_two_fragments_say_and_is_checked() -> None:
    fragments = tuple(
        Fragment(
            chunk_id=f"d{n}:00000", language="en", title="t", date="2020-01-01", text="Mayor, Town, 2000 to 2004."
        )
        for n in (1, 2)
    )
    given = CodeEventsInput(names=("Irena Valdo",), country="X", fragments=fragments)
    (event,) = CODE_EVENTS.baseline(given).events
    assert event.chunk_ids == ("d1:00000", "d2:00000")
    assert CODE_EVENTS.check(given, CodedCareer(events=(event,))) == []
    wrong = CodedEvent(role="r", organization="o", start="some day", end="", titles=(), chunk_ids=("nowhere",))
    problems = CODE_EVENTS.check(given, CodedCareer(events=(wrong,)))
    assert any("nowhere" in each for each in problems)
    assert any("no date" in each for each in problems)


def test_the_supervisor_plans_in_every_language_and_ends_when_nothing_new_comes() -> None:
    given = PlanGapsInput(names=NAMES, country="X", languages=("en", "ja"))
    plan = PLAN_GAPS.baseline(given)
    assert [(gap.language, gap.query.split(" ")[0]) for gap in plan.gaps] == [("en", "Irena"), ("ja", "猪連")]
    later = given.model_copy(update={"round": 2, "new_kept": 0, "searched": plan.gaps})
    assert PLAN_GAPS.baseline(later).done


def test_the_searcher_leaves_namesakes_and_pages_that_only_mention() -> None:
    def passage(number: int, title: str, text: str) -> Fragment:
        return Fragment(chunk_id=f"d{number}:00000", language="en", title=title, date="2020-01-01", text=text)

    mention = "Mayor, Town, 2000. " + "More words of no interest. " * 5 + "Irena Valdo is listed apart."
    passages = (
        passage(1, "Valdo, Irena - Register", "Mayor, Town, 2000 to 2004."),
        passage(2, "Irena Valdo-Brandt - Register", "Mayor, Kelp, 2003 to 2008."),
        passage(3, "Tomas Okabe", mention),
    )
    given = FocusSearchInput(
        names=NAMES, country="X", gap=Gap(query="q", language="ja"), query="q", passages=passages
    )
    assert FOCUS_SEARCH.baseline(given).keep == ("d1:00000",)
    nothing = given.model_copy(update={"passages": ()})
    assert FOCUS_SEARCH.baseline(nothing).query == "猪連 波瑠土"


def test_evidence_is_the_nearest_lines_with_dates_as_numbers() -> None:
    assert with_numbers("昭和54年3月卒業、同58年当選", "ja") == "昭和54年3月 (1979-03)卒業、同58年 (1983)当選"
    assert with_numbers("De mars 2010 à 2012", "fr") == "De mars 2010 (2010-03) à 2012"
    page = "Mayor, Town, 2000 to 2004.\nJudge, Court, March 2010.\nWeather was fine.\nClerk, Town, 1990."
    lines = archive_lines([ArchivedText("d:00000", "d", "Irena Valdo", "en", page)])
    person = Person("p", "Irena Valdo", "X", "R", None, (("Irena Valdo", "en"), ("猪連 波瑠土", "ja")), "s")
    judge = event_from_json(
        {"role": "Judge", "organization": "Court", "start": "2010-03", "end": "ongoing", "title": "Judge"}
    )
    near = nearest(judge, lines)
    assert "Judge, Court" in near[0].text
    assert "(2010-03)" in near[0].text
    assert not any("Weather" in line.text for line in near)
    assert event_claim(person, judge).text == "Irena Valdo: Judge, Court, from 2010"
    assert slot_claim(person, judge, "start").text == "Irena Valdo: Judge, from 2010-03"
    year_only = event_from_json({"role": "Judge", "organization": "Court", "start": "2010", "lang": "ja"})
    assert slot_claim(person, year_only, "start") is None
    assert slot_claim(person, year_only, "end") is None
    assert event_claim(person, year_only).text.startswith("猪連 波瑠土")
