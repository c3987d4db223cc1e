"""Texts, plurals and dates are written in the language of the catalogue, and in English without one."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from cairn.translations import catalogue, in_language, plural, spoken_date, spoken_time, text

WAIVERS = plural("One waiver of {company} is open.", "{count} waivers of {company} are open.")
# Polish has three forms: for 1, for numbers such as 2 to 4, and for all others, such as 5.
POLISH = r"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\n"

msgid "Please sign {template_name}"
msgstr "Podpisz {template_name}"

msgid "One waiver of {company} is open."
msgid_plural "{count} waivers of {company} are open."
msgstr[0] "Jedno oświadczenie dla {company}."
msgstr[1] "{count} oświadczenia dla {company}."
msgstr[2] "{count} oświadczeń dla {company}."
"""
EVENING = datetime(2026, 11, 16, 2, 6, 55, tzinfo=UTC)


@pytest.fixture
def polish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "pl.po").write_text(POLISH, "utf-8")
    monkeypatch.setattr(catalogue, "FOLDER", tmp_path)


def test_a_text_in_the_code_is_english() -> None:
    assert text("Please sign {template_name}").format(template_name="Rafting") == "Please sign Rafting"
    assert str(text("Sign in")) == "Sign in"


def test_a_text_of_a_page_is_escaped() -> None:
    assert text("Name & address <both>").html() == "Name &amp; address &lt;both&gt;"


@pytest.mark.accept("LANG-03")
@pytest.mark.usefixtures("polish")
def test_a_catalogue_translates_the_texts_and_others_stay_english() -> None:
    with in_language("pl"):
        assert text("Please sign {template_name}").format(template_name="Rafting") == "Podpisz Rafting"
        assert str(text("Sign in")) == "Sign in"
    assert text("Please sign {template_name}").format(template_name="Rafting") == "Please sign Rafting"


@pytest.mark.accept("LANG-03")
@pytest.mark.usefixtures("polish")
def test_plurals_follow_the_language() -> None:
    assert WAIVERS.format(1, company="Rio") == "One waiver of Rio is open."
    assert WAIVERS.format(5, company="Rio") == "5 waivers of Rio are open."
    with in_language("pl"):
        assert WAIVERS.format(1, company="Rio") == "Jedno oświadczenie dla Rio."
        assert WAIVERS.format(3, company="Rio") == "3 oświadczenia dla Rio."
        assert WAIVERS.format(5, company="Rio") == "5 oświadczeń dla Rio."


@pytest.mark.accept("LANG-03")
@pytest.mark.parametrize(
    ("time_zone", "time"),
    [
        ("America/Denver", "November 15, 2026 at 7:06 PM (Mountain Time)"),
        ("Europe/Madrid", "November 16, 2026 at 3:06 AM (Central European Time)"),
        ("Etc/GMT+5", "November 15, 2026 at 9:06 PM (UTC-05:00)"),
        ("UTC", "November 16, 2026 at 2:06 AM (UTC)"),
    ],
)
def test_dates_are_written_as_people_say_them_in_the_time_zone_of_the_reader(time_zone: str, time: str) -> None:
    assert spoken_date(EVENING, time_zone) == time.partition(" at ")[0]
    assert spoken_time(EVENING, time_zone) == time


@pytest.mark.accept("LANG-03")
@pytest.mark.parametrize("time_zone", [None, "", "Middle/Earth", "../../etc/passwd"])
def test_without_a_known_time_zone_dates_are_in_utc(time_zone: str | None) -> None:
    assert spoken_date(EVENING, time_zone) == "November 16, 2026"
    assert spoken_time(EVENING, time_zone) == "November 16, 2026 at 2:06 AM (UTC)"


@pytest.mark.accept("LANG-03")
@pytest.mark.usefixtures("polish")
def test_dates_follow_the_language() -> None:
    with in_language("pl"):
        assert spoken_date(EVENING, "Europe/Madrid") == "16 listopada 2026"
