"""No retired word comes back. The list is in docs/glossary.md, so that the words and the test cannot differ."""

import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.structure.tree import ROOT, files, name, text

GLOSSARY = ROOT / "docs" / "glossary.md"
READ = {".py", ".sql", ".ts", ".tsx", ".js", ".css", ".html", ".md", ".typ", ".toml", ".txt", ""}
# Texts that stay as they are: the acceptance rows, the table made from them, the first edition's SQL, and articles and
# marketing pages, which speak of real paper, desks and doors.
FIXED = (
    "cairn/db/first_edition/",
    "docs/acceptance.md",
    "docs/glossary.md",
    "requirements/",
    "tests/db/first_edition.txt",
    "tools/acceptance_rows.txt",
    "web/app/content/",
    "web/app/routes/marketing/",
)
FIXED_FILES = {"tests/db/test_adoption.py", "tests/structure/test_plain_words.py", "web/package-lock.json"}
# The same characters with an ordinary meaning.
ALLOWED = re.compile(
    r"[Mm]ath\.floor|\bfloor\(|letter-spacing|letterSpacing|lettering|text-ink|capital letter|outdoors?\b|house number"
    # Real paper in the consent text and the marketing, and what a signer declares in the samples.
    r"|instead of on paper|a paper copy|have told \[COMPANY NAME\]|Less paper at the dock|plain_words|retired words"
    # Icons keep the names of their library.
    r"|\bBell(?:Ring)?\b",
)
PART = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# `asked = …`, `asked: str`, `def asked(`, `for asked in …`; elsewhere a single word may be prose.
DECLARED = re.compile(
    r"(?:\b(?:def|class|const|let|function|type|for|as) |^\s*|[(,] ?)(\w+)(?= ?(?:=(?!=)|:(?: |$)|\(| in\b))"
)
ROW = re.compile(r"^\| (?P<words>[^|]+) \| (?P<where>names|everywhere) \| [^|]+ \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Retired:
    in_names: frozenset[str]
    in_text: re.Pattern[str]


def retired() -> Retired:
    rows = [([word.strip() for word in row["words"].split(",")], row["where"]) for row in ROW.finditer(text(GLOSSARY))]
    names = frozenset(word for words, _ in rows for word in words if " " not in word)
    everywhere = [word for words, where in rows if where == "everywhere" for word in words]
    return Retired(names, re.compile(rf"\b(?:{'|'.join(everywhere)})\b", re.IGNORECASE))


def found_in(source: str, words: Retired) -> Iterator[str]:
    for number, line in enumerate(source.splitlines(), start=1):
        plain = ALLOWED.sub(" ", line)
        hits = {match[0].lower() for match in words.in_text.finditer(plain)}
        hits |= {part for identifier in identifiers_in(plain) for part in parts_of(identifier)} & words.in_names
        yield from (f"{number}: {hit}: {line.strip()[:100]}" for hit in sorted(hits))


def identifiers_in(line: str) -> Iterator[str]:
    """Compound identifiers, and single words where they are plainly declared."""
    yield from (identifier for identifier in IDENTIFIER.findall(line) if len(parts_of(identifier)) > 1)
    yield from DECLARED.findall(line)


def parts_of(identifier: str) -> list[str]:
    return [part.lower() for part in PART.findall(identifier)]


def named_by(path: Path, words: Retired) -> set[str]:
    parts = re.findall(r"[a-z]+", str(path.relative_to(ROOT)).lower())
    return set(parts) & words.in_names


def read_files() -> list[Path]:
    return [
        path
        for path in files()
        if path.suffix in READ and not name(path).startswith(FIXED) and name(path) not in FIXED_FILES
    ]


def test_no_file_contains_a_retired_word() -> None:
    words = retired()
    hits = [f"{name(path)}:{hit}" for path in read_files() for hit in found_in(text(path), words)]

    assert len(words.in_names) > 30
    assert hits == [], f"{len(hits)} retired words, see docs/glossary.md"


def test_no_file_is_named_by_a_retired_word() -> None:
    words = retired()

    assert {name(path): hits for path in read_files() if (hits := named_by(path, words))} == {}


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "cairn", "--help"],
        *([sys.executable, "-m", "cairn", verb, "--help"] for verb in ("serve", "worker", "demo", "doctor", "verify")),
        ["make", "help"],
    ],
    ids=lambda command: " ".join(command[1:]),
)
def test_no_command_prints_a_retired_word(command: list[str]) -> None:
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert printed
    assert list(found_in(printed, retired())) == []


@pytest.mark.parametrize(
    ("line", "hit"),
    [
        ("def open_desk() -> None:", "desk"),
        ("    asked = parse(body)", "asked"),
        ("def send(conn: Connection, words: str) -> None:", "words"),
        ("for words in lines:", "words"),
        ("const isAskedAgain = true;", "asked"),
        ("-- A company is told once.", "told"),
        ("Take the pictures of the papers anew", "anew"),
    ],
)
def test_a_retired_word_is_noticed(line: str, hit: str) -> None:
    assert any(f": {hit}: " in found for found in found_in(line, retired()))


@pytest.mark.parametrize(
    "line",
    ["x = math.floor(y)", "select floor(x)", "letter-spacing: 1px", "The user is asked for a password.", "warehouse"],
)
def test_an_ordinary_word_is_left_alone(line: str) -> None:
    assert list(found_in(line, retired())) == []
