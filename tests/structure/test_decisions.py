"""Decision records: each is in the index, has a plain form, and every link to one leads to a file."""

import re
from pathlib import Path

from tests.structure.tree import ROOT, files, name, text

FOLDER = ROOT / "docs" / "decisions"
RECORDS = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
SECTIONS = ["Context", "Decision", "Consequences"]
# An entry must have a summary, so that "Also" links are not entries.
ENTRY = re.compile(r"^- \[(?P<number>\d{4})\]\((?P<file>[^)]+)\):\s\S.+(?:\n  .+)*\.$", re.MULTILINE)
LINK = re.compile(r"\[[^]]*\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
# `[0070](0070-….md)` beside the records, `decisions/0070-….md` elsewhere, and "decision 70" in comments.
PATH = re.compile(r"decisions/(?P<file>[\w.-]+\.md)")
MENTION = re.compile(r"\bdecisions? (?P<number>\d{1,4})\b", re.IGNORECASE)
FILE = re.compile(r"`(?P<file>(?:bench|cairn|tests|tools|web)/[\w/.-]+)`")
READ = {".py", ".sql", ".ts", ".tsx", ".js", ".css", ".html", ".md", ".toml", ".typ", ""}


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", "")).strip("-")


def title_of(record: Path) -> str:
    return text(record).partition("\n")[0]


def test_a_record_is_titled_like_its_file() -> None:
    expected = {path.name: re.fullmatch(r"# (\d{4}): ([A-Za-z].+[^.])", title_of(path)) for path in RECORDS}

    assert len(RECORDS) > 30
    assert [file for file, match in expected.items() if match is None] == []
    assert [file for file, match in expected.items() if match and f"{match[1]}-{slug(match[2])}.md" != file] == []


def test_a_record_has_context_decision_and_consequences() -> None:
    assert {
        path.name: sections
        for path in RECORDS
        if (sections := re.findall(r"^## (.+)$", text(path), re.MULTILINE)) != SECTIONS
    } == {}


def test_a_number_is_used_once() -> None:
    numbers = [path.name[:4] for path in RECORDS]

    assert len(numbers) == len(set(numbers))


def test_the_index_lists_every_record_once_with_a_summary() -> None:
    entries = [(match["number"], match["file"]) for match in ENTRY.finditer(text(FOLDER / "README.md"))]

    assert sorted(file for _, file in entries) == [path.name for path in RECORDS]
    assert [file for number, file in entries if not file.startswith(number)] == []


def test_every_link_in_the_records_leads_to_a_file() -> None:
    links = [
        (path.name, match["target"])
        for path in (*RECORDS, FOLDER / "README.md")
        for match in LINK.finditer(text(path))
        if "://" not in match["target"]
    ]

    assert len(links) > len(RECORDS)
    assert [(file, target) for file, target in links if not (FOLDER / target).is_file()] == []


def test_every_file_that_a_record_names_exists() -> None:
    named = [(path.name, match["file"]) for path in RECORDS for match in FILE.finditer(text(path))]

    assert named
    assert [(record, file) for record, file in named if not (ROOT / file).exists()] == []


def test_every_reference_to_a_record_leads_to_a_file() -> None:
    numbers = {int(path.name[:4]) for path in RECORDS}
    sources = [path for path in files() if path.suffix in READ and path != Path(__file__)]
    paths = [(name(path), match["file"]) for path in sources for match in PATH.finditer(text(path))]
    mentions = [(name(path), match["number"]) for path in sources for match in MENTION.finditer(text(path))]

    assert paths
    assert mentions
    assert [(file, target) for file, target in paths if not (FOLDER / target).is_file()] == []
    assert [(file, number) for file, number in mentions if int(number) not in numbers] == []
