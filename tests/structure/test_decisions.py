"""Each decision record is in the index and has the same sections, and every link to a record leads to a file."""

import re
from pathlib import Path

from tests.structure.tree import ROOT, read_source, relative_name, source_files

FOLDER = ROOT / "docs" / "decisions"
RECORDS = sorted(path for path in FOLDER.glob("*.md") if path.name != "README.md")
SECTIONS = ["Context", "Decision", "Consequences"]
# An entry of the index has a summary; the "Also" links have none.
INDEX_ENTRY = re.compile(r"^- \[(?P<number>\d{4})\]\((?P<file>[^)]+)\):\s\S.+(?:\n  .+)*\.$", re.MULTILINE)
LINK = re.compile(r"\[[^]]*\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
# Files outside docs/decisions refer to a record as `decisions/0070-….md` or as "decision 70".
RECORD_PATH = re.compile(r"decisions/(?P<file>[\w.-]+\.md)")
RECORD_NUMBER = re.compile(r"\bdecisions? (?P<number>\d{1,4})\b", re.IGNORECASE)
FILE_NAME = re.compile(r"`(?P<file>(?:bench|cairn|tests|tools|web)/[\w/.-]+)`")
READ_SUFFIXES = {".py", ".sql", ".ts", ".tsx", ".js", ".css", ".html", ".md", ".toml", ".typ", ""}


def slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower().replace("'", "")).strip("-")


def title_of(record: Path) -> str:
    return read_source(record).partition("\n")[0]


def test_the_title_of_a_record_matches_its_file_name() -> None:
    titles = {path.name: re.fullmatch(r"# (\d{4}): ([A-Za-z].+[^.])", title_of(path)) for path in RECORDS}

    assert len(RECORDS) > 30
    assert [file for file, match in titles.items() if match is None] == []
    assert [file for file, match in titles.items() if match and f"{match[1]}-{slug(match[2])}.md" != file] == []


def test_a_record_has_context_decision_and_consequences() -> None:
    assert {
        path.name: sections
        for path in RECORDS
        if (sections := re.findall(r"^## (.+)$", read_source(path), re.MULTILINE)) != SECTIONS
    } == {}


def test_a_number_is_used_once() -> None:
    numbers = [path.name[:4] for path in RECORDS]

    assert len(numbers) == len(set(numbers))


def test_the_index_lists_every_record_once_with_a_summary() -> None:
    entries = [(match["number"], match["file"]) for match in INDEX_ENTRY.finditer(read_source(FOLDER / "README.md"))]

    assert sorted(file for _, file in entries) == [path.name for path in RECORDS]
    assert [file for number, file in entries if not file.startswith(number)] == []


def test_every_link_in_the_records_leads_to_a_file() -> None:
    links = [
        (path.name, match["target"])
        for path in (*RECORDS, FOLDER / "README.md")
        for match in LINK.finditer(read_source(path))
        if "://" not in match["target"]
    ]

    assert len(links) > len(RECORDS)
    assert [(file, target) for file, target in links if not (FOLDER / target).is_file()] == []


def test_every_file_that_a_record_names_exists() -> None:
    named_files = [(path.name, match["file"]) for path in RECORDS for match in FILE_NAME.finditer(read_source(path))]

    assert named_files
    assert [(record, file) for record, file in named_files if not (ROOT / file).exists()] == []


def test_every_reference_to_a_record_leads_to_a_file() -> None:
    numbers = {int(path.name[:4]) for path in RECORDS}
    sources = [path for path in source_files() if path.suffix in READ_SUFFIXES and path != Path(__file__)]
    paths = [
        (relative_name(path), match["file"]) for path in sources for match in RECORD_PATH.finditer(read_source(path))
    ]
    mentions = [
        (relative_name(path), match["number"])
        for path in sources
        for match in RECORD_NUMBER.finditer(read_source(path))
    ]

    assert paths
    assert mentions
    assert [(file, target) for file, target in paths if not (FOLDER / target).is_file()] == []
    assert [(file, number) for file, number in mentions if int(number) not in numbers] == []
