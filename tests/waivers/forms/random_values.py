"""Answers to each kind of question, valid and invalid, from which the random cases of forms are drawn."""

from typing import Any

PNG = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ"
    "AAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
)
JPEG = "data:image/jpeg;base64,/9j/" + "4AAQSkZJRgABAQAAAQABAAD" * 4 + "/9k="
OPTIONS = [{"value": value, "label": value.title()} for value in ("never", "some", "well", "a b", "1")]

NAMES = ["Mia Okafor", " Noa\tOkafor ", "José", "李小龍", "محمد علي", "नमिता", "Θάλεια", "🌊 River", "O\u2019Neil"]
BLANK: list[Any] = ["", "  ", "\u200b\u00a0", "\u202e", None]
TEXTS = [*NAMES, "a", "yes", "12", "a\u0007b", "\ufeffx", "\u3000wide\u3000", "two\nlines"]
NOT_TEXT: list[Any] = [7, True, False, ["a"], {"a": "b"}]
CONTACT = {"name": "Ana Okafor", "phone": "+1 555 0100"}
ADDRESS = {"street": "1 River Road", "city": "Moab"}

VALID: dict[str, list[Any]] = {
    "short_text": [*TEXTS, "x" * 500],
    "long_text": [*TEXTS, "one\n\ntwo"],
    "email": [
        "gil@example.com",
        " GIL@Example.com ",
        "gil+a@b",
        "jörg@münchen.example",
        "\uff47il@example.com",
        "a@b.c.d",
    ],
    "phone": ["+1 555 0100", "0049 (30) 12345", "  5550100  ", "(030)12345", "12.34/56-78", "12345", "1" * 29],
    "date": ["2026-05-01", "2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29"],
    "birth_date": ["1980-02-29", "1990-12-31", "1999-01-01", "1955-06-15", "1898-03-01", "2014-05-05"],
    "number": [0, 1, -1, 42, 12.5, 1e12, -1e12, 0.000000000001, 3.25],
    "yes_no": [True, False],
    "one_of": [option["value"] for option in OPTIONS],
    "several_of": [["never"], ["some", "well"], ["1", "a b", "never"]],
    "agreement": [True],
    "initials": ["GO", " M.O. ", "李", "x" * 10, PNG, JPEG],
    "address": [
        ADDRESS,
        {**ADDRESS, "region": "Utah", "postal_code": "84532", "country": "US"},
        {**ADDRESS, "region": " ", "country": None},
        {**ADDRESS, "street": "s" * 200},
    ],
    "emergency_contact": [CONTACT, {**CONTACT, "relationship": "sister"}, {**CONTACT, "relationship": ""}],
    "photo": [PNG, JPEG],
}
INVALID: dict[str, list[Any]] = {
    "short_text": [*NOT_TEXT, "x" * 501],
    "long_text": NOT_TEXT,
    "email": [
        *NOT_TEXT, "gil", "@", "a@", "@b", "a@b@c", "a b@c", "a@b..c", "a@.b", "a@b.", "<a@b>", "a@b,c@d", "=?x?=@b",
        "a\u200b@b", "a@b\u3002c", f"{'a' * 319}@b",
    ],
    "phone": [*NOT_TEXT, "none", "1234", "+", "555-0100x", "++15550100", "1" * 30, "5550100-",
              "\u0661\u0662\u0663\u0664\u0665"],
    "date": [*NOT_TEXT, "2026-02-30", "2025-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-01-00",
             "0000-01-01", "1 May 2026", "2026-5-1", "2026-04-31", "2026-05-01\n"],
    "birth_date": [*NOT_TEXT, "2999-01-01", "1890-01-01", "1980-02-30", "x"],
    "number": ["1", True, [1], {"a": 1}, 1000000000001, 0.0000000000001, -1e13],
    "yes_no": ["yes", 1, 0, "true", [True]],
    "one_of": ["badly", "Never", 1, True, ["never"], " never"],
    "several_of": ["never", ["never", "never"], ["badly"], [1], True, [["never"]], {"never": True}],
    "agreement": [False, "true", 1],
    "initials": [7, "x" * 11, "data:text/plain,GO", PNG + "?", ["GO"]],
    "address": [*NOT_TEXT, {"street": "1 River Road"}, {**ADDRESS, "planet": "Earth"}, {**ADDRESS, "city": 7},
                {**ADDRESS, "city": "c" * 201}, [ADDRESS]],
    "emergency_contact": [*NOT_TEXT, {"name": "Ana"}, {**CONTACT, "phone": "none"}, {**CONTACT, "age": "3"},
                          {"phone": "5550100"}, {**CONTACT, "name": " "}],
    "photo": [*NOT_TEXT, "data:image/gif;base64,R0lGODlh", PNG[:60], PNG + "?", "https://example.com/photo.png"],
}  # fmt: skip
