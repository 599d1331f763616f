"""Partial dates, ends, Japanese eras, one spelling for every script."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answertrail_pipeline.language.career_events import CareerEvent, event_from_json
from answertrail_pipeline.language.eras import find_era_dates, parse_era_date
from answertrail_pipeline.language.partial_dates import End, PartialDate, parse_end, parse_partial_date
from answertrail_pipeline.language.scripts import exact_title, is_named, name_words, plain_spelling


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2010", "2010"), ("2010-03", "2010-03"), ("2010-03-31", "2010-03-31"), ("2010-02-30", None),
        ("2010-13", None), ("March 2010", "2010-03"), ("mars 2012", "2012-03"), ("3 janvier 2010", "2010-01-03"),
        ("12 de marzo de 2018", "2018-03-12"), ("Μάρτιος 2015", "2015-03"), ("січень 2020", "2020-01"),
        ("2016년 5월", "2016-05"), ("2012年3月", "2012-03"), ("平成28年9月1日", "2016-09-01"),
        ("令和元年", "2019"),
        ("昭和５４年３月", "1979-03"), ("H28.9.1", "2016-09-01"), ("平成二十八年", "2016"), ("昭和70年", None),
        ("Temmuz 2018", "2018-07"), ("janvier", None), ("about ten", None), ("2001-01-03T00:00:00", "2001-01-03"),
    ],
)  # fmt: skip
def test_a_date_has_the_precision_that_was_written(text: str, expected: str | None) -> None:
    found = parse_partial_date(text)
    assert (str(found) if found else None) == expected


@given(st.dates(min_value=__import__("datetime").date(1000, 1, 1)), st.sampled_from(["year", "month", "day"]))
def test_iso_dates_come_back_as_they_were(day, precision: str) -> None:
    parts = {"year": (day.year,), "month": (day.year, day.month), "day": (day.year, day.month, day.day)}[precision]
    date = PartialDate(*parts)
    assert parse_partial_date(str(date)) == date
    assert date.precision == precision


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2010-00-00", "2010"), ("2010-03-00", "2010-03"), ("2010-XX", "2010"), ("2010-03-XX", "2010-03"),
        ("20100305", "2010-03-05"), ("2010/3/5", "2010-03-05"), ("2010.03", "2010-03"), ("2010?", "2010"),
        ("c. 2010", "2010"), ("circa March 2010", "2010-03"), ("early 2010", "2010"), ("約2010年", "2010"),
        ("since 2010", "2010"), ("Since March 2010", "2010-03"), ("depuis mars 2012", "2012-03"),
        ("desde 2018", "2018"), ("ab März 2010", "2010-03"), ("από Ιανουάριο 2015", "2015-01"),
        ("з березня 2010", "2010-03"), ("2010 onwards", "2010"), ("2010年から", "2010"), ("2010年度", "2010"),
        ("２０１０년 ３월", "2010-03"), ("平成 28 年 9 月", "2016-09"), ("平成28.9.1", "2016-09-01"),
        ("R元.5.1", "2019-05-01"), ("二〇一〇年三月", "2010-03"), ("平成31年（2019年）4月", "2019-04"),
        ("2019年（平成31年）4月", "2019-04"), ("昭和50年代", None), ("2010s", None), ("2010-2012", None),
        ("May 2010 – June 2012", None), ("201003", None), ("0000-00-00", None), ("12", None),
    ],
)  # fmt: skip
def test_words_around_a_date_do_not_change_it_and_what_is_open_stays_open(text: str, expected: str | None) -> None:
    found = parse_partial_date(text)
    assert (str(found) if found else None) == expected


@given(st.dates(min_value=__import__("datetime").date(1000, 1, 1)))
def test_full_width_digits_are_digits(day) -> None:
    wide = str.maketrans("0123456789", "０１２３４５６７８９")
    for text in (f"{day:%Y-%m-%d}", f"{day.year:04d}年{day.month}月{day.day}日"):
        assert parse_partial_date(text.translate(wide)) == parse_partial_date(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(Present)", "ongoing"), ("~現在", "ongoing"), ("（現在）", "ongoing"), ("to present", "ongoing"),
        ("à ce jour", "ongoing"), ("hasta la fecha", "ongoing"), ("até hoje", "ongoing"), ("bis heute", "ongoing"),
        ("μέχρι σήμερα", "ongoing"), ("до сьогодні", "ongoing"), ("현재까지", "ongoing"), ("재임 중", "ongoing"),
        ("görevde", "ongoing"), ("現職中", "ongoing"), ("aujourd\u0027hui", "ongoing"),
        ("aujourd\u2019hui", "ongoing"),
        ("until 2012", "2012"), ("jusqu’en juin 2012", "2012-06"), ("2012年まで", "2012"), ("bis 2012", "2012"),
        ("n.a.", "unknown"), ("–", "unknown"), ("TBD", "unknown"), ("None", "unknown"),
        ("presently unknown", "unknown"),
        ("\u3000", "unstated"), ("unstated", "unstated"),
    ],
)  # fmt: skip
def test_ends_in_many_words(text: str, expected: str) -> None:
    assert str(parse_end(text)) == expected


def test_present_na_and_nothing_are_three_things() -> None:
    assert {parse_end(text).state for text in ("Present", "ongoing", "現在", "en cours", "Aujourd’hui")} == {
        "ongoing"
    }
    assert {parse_end(text).state for text in ("NA", "n/a", "unknown", "?")} == {"unknown"}
    assert {parse_end(text).state for text in ("", None, "  ")} == {"unstated"}
    assert parse_end("2012-06") == End("known", PartialDate(2012, 6))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # Showa 54 = 1925 + 54 = 1979; the elided 58 is Showa too; Heisei 8 = 1988 + 8 = 1996; Reiwa 3 = 2018 + 3.
        ("昭和30年12月17日生、同54年3月卒、同年入社、同58年当選", ["1955-12-17", "1979-03", "1979", "1983"]),
        ("平成8年副議長、同13年会長、令和元年委員長、同3年大臣", ["1996", "2001", "2019", "2021"]),
        ("平成26年、27年理事。平成28年、29年、30年副長官", ["2014", "2015", "2016", "2017", "2018"]),
        ("1952年生。75年卒業。94～96年委員。05年議員", ["1952", "1975", "1994", "2005"]),
        ("昭和50年入学、8年間勤務、3年生を教える、2期目", ["1975"]),
        ("同28年当選", []),  # nothing before it to take the era from
    ],
)
def test_elided_eras_and_centuries(text: str, expected: list[str]) -> None:
    assert [str(found.date) for found in find_era_dates(text)] == expected


def test_a_range_of_two_digit_years_has_both_ends() -> None:
    first, second, third = find_era_dates("1990年教授。2002～04年大使。13年～名誉教授")[0:3]
    assert (str(second.date), str(second.until)) == ("2002", "2004")
    assert (str(third.date), third.until, third.open) == ("2013", None, True)
    assert first.until is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("平成元年4月〜同3年3月　課長", [("1989-04", "1991-03")]),  # Heisei 3 = 1988 + 3
        ("平成28年9月1日～平成29年8月3日", [("2016-09-01", "2017-08-03")]),
        ("令和元年5月から令和3年10月まで大臣", [("2019-05", "2021-10")]),
        ("1994～96年委員、98年議員", [("1994", "1996"), ("1998", None)]),
        ("昭和63年から議員", [("1988", None)]),
        ("1990年入省、翌年課長、翌93年退職", [("1990", None), ("1991", None), ("1993", None)]),
    ],
)
def test_ranges_of_whole_dates(text: str, expected: list[tuple[str, str | None]]) -> None:
    found = find_era_dates(text)
    assert [(str(each.date), str(each.until) if each.until else None) for each in found] == expected


@given(st.integers(1, 31), st.integers(1, 12))
def test_heisei_years_are_1988_and_more(year: int, month: int) -> None:
    assert parse_era_date(f"平成{year}年{month}月") == PartialDate(1988 + year, month)


@given(st.text(max_size=80))
def test_no_text_breaks_the_readers(text: str) -> None:
    find_era_dates(text)
    assert plain_spelling(plain_spelling(text)) == plain_spelling(text)
    parse_end(text)


def test_real_japanese_rows_start_where_their_profiles_say(shared_data: Path) -> None:
    """Every start of a Japanese row is a date that the reader finds in the profile that it was read from."""
    folder = shared_data / "politnuggets"
    documents = map(json.loads, (folder / "documents.jsonl").read_text("utf-8").splitlines())
    profiles = {each["person_id"]: each["text"] for each in documents if each["language"] == "ja"}
    rows = found = 0
    for line in (folder / "people.jsonl").read_text("utf-8").splitlines():
        person = json.loads(line)
        dates = [each.date for each in find_era_dates(profiles.get(person["person_id"], ""))]
        for row in person["events"]:
            if row["source"] == "sangiin":
                rows += 1
                start = parse_partial_date(row["start"])
                found += any(start.holds(date) or date == start for date in dates)
    assert rows == 131
    assert found == rows


def test_spellings_of_real_rows(shared_data: Path) -> None:
    people = map(json.loads, (shared_data / "politnuggets/people.jsonl").read_text("utf-8").splitlines())
    rows = {row["event_id"]: row for person in people for row in person["events"]}
    curly, straight = rows["fr-PA607846#e02"]["organization"], rows["fr-PA607846#e03"]["organization"]
    assert "\u2019" in curly
    assert "'" in straight
    assert plain_spelling(curly) == plain_spelling(straight)
    mixed = rows["ua-Q4392444#e04"]["role"]
    assert "\u0441" in mixed  # a Cyrillic letter in an English word
    assert plain_spelling(mixed) == "minister of defence of ukraine"


def test_marks_go_only_where_they_are_accents() -> None:
    assert plain_spelling("Élisabeth ΥΠΟΥΡΓΌΣ Й") == "elisabeth υπουργοσ и"  # case folding knows one sigma
    assert plain_spelling("ガバナー") == "ガバナー"  # the voicing mark of kana is a letter's part
    assert plain_spelling("क्षेत्रीय") == plain_spelling(plain_spelling("क्षेत्रीय")) != "कषतरय"
    assert plain_spelling("ＡＮＡ（全日空）") == "ana 全日空"


def test_exact_titles_keep_accents_and_punctuation() -> None:
    assert exact_title("Ministre  de l’Action") == exact_title("ministre de l'action")
    assert exact_title("Ministère") != exact_title("Ministere")


def test_names_in_any_order_and_script() -> None:
    assert name_words("BIDEN, Joseph") == name_words("Joseph Biden")
    assert name_words("末松 信介") == name_words("末松信介")
    assert is_named("末松 信介", "昨日、末松信介氏は")
    assert is_named("Kyriakos Mitsotakis", "Then MITSOTAKIS, Kyriakos, spoke.")
    assert not is_named("Kim Jin", "Kim met Park and much later that day a man called Jin.")


def test_events_come_back_from_json() -> None:
    event = event_from_json(
        {
            "role": "maire",
            "organization": "Ville",
            "start": "mars 2001",
            "end": "Présent",
            "title": "Maire",
            "lang": "fr",
        }
    )
    assert str(event.start) == "2001-03"
    assert event.end.state == "ongoing"
    assert event_from_json(event.as_json()) == event
    with pytest.raises(ValueError, match="no date"):
        event_from_json({"role": "a", "organization": "b", "start": "some time"})
    with pytest.raises(ValueError, match="role"):
        event_from_json({"role": "", "organization": "b"})
    assert CareerEvent("a", "b").sentence("X") == "X was a at b."
