"""CONTRIBUTING.md answers five questions with one file each, and each file contains the answer."""

import re

import pytest

from tests.structure.tree import ROOT, read_source

GUIDE = read_source(ROOT / "CONTRIBUTING.md")
ANSWER_ROW = re.compile(r"^\| (?P<question>[^|]+\?) \| \[(?P<file>[^]]+)\]\((?P<link>[^)]+)\)", re.MULTILINE)
EXPECTED_CONTENT = {
    "Where is signing?": ["create or replace function waivers.sign()", "insert into waivers.signed"],
    "Which policies guard a session?": ["on waivers.sessions"],
    "What happens after `waiver.signed`?": ['on="waiver.signed"', "prepare_document", "notify_company"],
    "Where is the text of the reminder mail?": ["Reminder:", "is still waiting for your signature"],
    "How do I add a setting?": ["class Settings(", "reads them from the environment"],
}


def test_the_guide_answers_the_five_questions() -> None:
    assert [match["question"] for match in ANSWER_ROW.finditer(GUIDE)] == list(EXPECTED_CONTENT)


@pytest.mark.parametrize("question", EXPECTED_CONTENT)
def test_the_file_contains_the_answer(question: str) -> None:
    [answer] = [match for match in ANSWER_ROW.finditer(GUIDE) if match["question"] == question]
    content = read_source(ROOT / answer["link"])

    assert answer["file"] == answer["link"]
    assert [expected for expected in EXPECTED_CONTENT[question] if expected not in content] == []


def test_every_link_leads_to_a_file() -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", GUIDE)

    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).exists()] == []
