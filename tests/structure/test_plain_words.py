"""No retired word comes back. The test reads the list of words from docs/glossary.md."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.kit import frozen_dataclass
from tests.structure.tree import ROOT, read_source, relative_name, source_files

GLOSSARY = ROOT / "docs" / "glossary.md"
READ_SUFFIXES = {".py", ".sql", ".ts", ".tsx", ".js", ".css", ".html", ".md", ".typ", ".toml", ".txt", ""}
# These texts may contain the words: the acceptance rows and the table made from them, the SQL of the first edition, and
# articles and marketing pages, where words such as paper, desk and door have their ordinary meaning. The list of claims
# repeats the sentences of these pages.
EXEMPT_PATHS = (
    "cairn/db/first_edition/",
    "docs/acceptance.md",
    "docs/claims.md",
    "docs/glossary.md",
    "requirements/",
    "tests/db/first_edition.txt",
    "tools/acceptance_rows.txt",
    "web/app/content/",
    "web/app/routes/marketing/",
)
EXEMPT_FILES = {"tests/db/test_adoption.py", "tests/structure/test_plain_words.py", "web/package-lock.json"}
# Here a retired word is part of a longer name or has its ordinary meaning.
ALLOWED = re.compile(
    r"[Mm]ath\.floor|\bfloor\(|letter-spacing|letterSpacing|lettering|text-ink|capital letter|outdoors?\b|house number"
    # The consent text, a sample waiver and the public pages use these words with their ordinary meaning.
    r"|instead of on paper|a paper copy|have told \[COMPANY NAME\]|Less paper at the dock|plain_words|retired words"
    # A form asks questions.
    r"|\basked_of\b|_not_asked\b|\bis_asked(?:_of_all)?\b"
    # Icons keep the names of their library.
    r"|\bBell(?:Ring)?\b",
)
WORD_IN_IDENTIFIER = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
# Matches `asked = …`, `asked: str`, `def asked(` and `for asked in …`. Elsewhere a single word may be prose.
DECLARATION = re.compile(
    r"(?:\b(?:def|class|const|let|function|type|for|as) |^\s*|[(,] ?)(\w+)(?= ?(?:=(?!=)|:(?: |$)|\(| in\b))"
)
GLOSSARY_ROW = re.compile(r"^\| (?P<words>[^|]+) \| (?P<where>names|everywhere) \| [^|]+ \|$", re.MULTILINE)


@frozen_dataclass
class RetiredWords:
    in_names: frozenset[str]
    in_text: re.Pattern[str]


def read_retired_words() -> RetiredWords:
    rows = [
        ([word.strip() for word in row["words"].split(",")], row["where"])
        for row in GLOSSARY_ROW.finditer(read_source(GLOSSARY))
    ]
    names = frozenset(word for words, _ in rows for word in words if " " not in word)
    everywhere = [word for words, where in rows if where == "everywhere" for word in words]
    return RetiredWords(names, re.compile(rf"\b(?:{'|'.join(everywhere)})\b", re.IGNORECASE))


def find_retired_words(source: str, words: RetiredWords) -> Iterator[str]:
    for number, line in enumerate(source.splitlines(), start=1):
        checked_text = ALLOWED.sub(" ", line)
        hits = {match[0].lower() for match in words.in_text.finditer(checked_text)}
        hits |= {
            part for identifier in identifiers_in(checked_text) for part in split_identifier(identifier)
        } & words.in_names
        yield from (f"{number}: {hit}: {line.strip()[:100]}" for hit in sorted(hits))


def identifiers_in(line: str) -> Iterator[str]:
    """Yields compound identifiers anywhere, and single words where they are declared."""
    yield from (identifier for identifier in IDENTIFIER.findall(line) if len(split_identifier(identifier)) > 1)
    yield from DECLARATION.findall(line)


def split_identifier(identifier: str) -> list[str]:
    return [part.lower() for part in WORD_IN_IDENTIFIER.findall(identifier)]


def retired_words_in_name(path: Path, words: RetiredWords) -> set[str]:
    parts = re.findall(r"[a-z]+", str(path.relative_to(ROOT)).lower())
    return set(parts) & words.in_names


def checked_files() -> list[Path]:
    return [
        path
        for path in source_files()
        if path.suffix in READ_SUFFIXES
        and not relative_name(path).startswith(EXEMPT_PATHS)
        and relative_name(path) not in EXEMPT_FILES
    ]


def test_no_file_contains_a_retired_word() -> None:
    words = read_retired_words()
    hits = [
        f"{relative_name(path)}:{hit}"
        for path in checked_files()
        for hit in find_retired_words(read_source(path), words)
    ]

    assert len(words.in_names) > 30
    assert hits == [], f"{len(hits)} retired words, see docs/glossary.md"


def test_no_file_is_named_by_a_retired_word() -> None:
    words = read_retired_words()

    assert {relative_name(path): hits for path in checked_files() if (hits := retired_words_in_name(path, words))} == {}


@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, "-m", "cairn", "--help"],
        *(
            [sys.executable, "-m", "cairn", verb, "--help"]
            for verb in ("serve", "worker", "demo", "doctor", "verify", "audit")
        ),
        ["make", "help"],
    ],
    ids=lambda command: " ".join(command[1:]),
)
def test_no_command_prints_a_retired_word(command: list[str]) -> None:
    output = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout

    assert output
    assert list(find_retired_words(output, read_retired_words())) == []


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
def test_a_retired_word_is_found(line: str, hit: str) -> None:
    assert any(f": {hit}: " in found for found in find_retired_words(line, read_retired_words()))


@pytest.mark.parametrize(
    "line",
    ["x = math.floor(y)", "select floor(x)", "letter-spacing: 1px", "The user is asked for a password.", "warehouse"],
)
def test_an_ordinary_word_is_accepted(line: str) -> None:
    assert list(find_retired_words(line, read_retired_words())) == []
