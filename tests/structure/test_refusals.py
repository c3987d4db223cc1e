"""Every refusal raised in SQL has a stable code, which is listed once in SQL and once in the browser."""

import re

from cairn.db import shipped_definitions
from tests.refusals import listed_refusals
from tests.structure.tree import ROOT

REFUSE = re.compile(
    r"\b(\w+)\.refuse(?:_row|_answer|_participant)?\((.*?)(?:jsonb_build_object|\)(?:;| where))", re.DOTALL
)
TEXT = re.compile(r'^ +(\w+):\s+"((?:[^"\\]|\\.)*)",$', re.MULTILINE)


def test_every_refusal_is_listed_by_its_package_and_used() -> None:
    raised_refusals = {
        (schema, code)
        for definition in shipped_definitions()
        if not definition.file.endswith("/refusals.sql")
        for schema, arguments in REFUSE.findall(definition.sql)
        for code in re.findall(r"'(\w+)'", arguments)
    }
    packages = {
        (definition.file.split("/")[1], schema)
        for definition in shipped_definitions()
        for schema, _ in REFUSE.findall(definition.sql)
    }

    assert raised_refusals == {(refusal.package, refusal.code) for refusal in listed_refusals()}
    assert all(package == schema for package, schema in packages)


def test_codes_are_unique() -> None:
    codes = [refusal.code for refusal in listed_refusals()]

    assert len(set(codes)) == len(codes) > 25


def test_errors_are_raised_in_one_place() -> None:
    files = {definition.file for definition in shipped_definitions() if "raise exception" in definition.sql}

    assert files == {"cairn/db/sql/raise_refusal.sql"}


def test_the_browser_has_a_text_for_every_code() -> None:
    texts = dict(TEXT.findall((ROOT / "web/app/lib/refusals.ts").read_text("utf-8")))

    # Refusals of forms and answers (PGRST) have other texts, for example in web/app/lib/waiver-form/refusal-text.ts.
    shown_refusals = [refusal for refusal in listed_refusals() if refusal.sqlstate != "PGRST"]
    assert texts == {refusal.code: refusal.message for refusal in shown_refusals}
