"""Writes docs/acceptance.md, a table of every acceptance row with its text and the tests that prove it.

A Python test names its rows with `@pytest.mark.accept("REST-05")`. A TypeScript test names them in its title. A row is
proved if tests that name it ran in the last `make test` and all of them passed. If a row is not proved, the tool fails.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from cairn.kit import frozen_dataclass
from tools.runner_reports import ROOT, ROW_ID, MarkedTest, MissingReports, read_marked_tests

DOCS = ROOT / "docs" / "acceptance.md"
ROWS_FILE = ROOT / "tools" / "acceptance_rows.txt"
NOT_BUILT = "*(amendment not built yet:"
# A test with many parameter sets has a title for each. This many are listed for one row and file.
LISTED_TITLES = 3

INTRODUCTION = """# Acceptance

Every statement about the product that can be checked, and the tests that prove it. `make test` writes this file from
the reports of the test runners: a row is proved if tests that name it ran and all of them passed. If a row is not
proved, `make test` fails.

Visible texts are in quotes, exactly as on the screen. The end of a row says how it relates to the product
specification ("the spec"):

- *as is*: built exactly as the specification says.
- *made real*: the specification describes a mock or only a claim. It really works, and every visible text stays.
- *secured*: the specification describes something insecure or untrue, or data is lost. The row says what replaces it.
- *ours*: the specification is silent. The row says what was decided.
- *amended*: the second edition changed the row, and the amendment counts where the two differ.
- *clarified*: the row left something open, and this is how it was decided.
- *amendment not built yet*: the tests prove the row without its amendment.

P1 to P8 are the principles behind the decisions: P1 texts and constants are exact; P2 mocks become real; P3 security;
P4 nothing is untrue and nothing is lost; P5 `/dashboard/sent-waivers` stays undefined; P6 the real name of the company;
P7 samples are shared and edited as a copy; P8 neither trial nor limit locks records or stops a guest.
"""


@frozen_dataclass
class Section:
    title: str
    # The text of each row by the id of the row.
    rows: Mapping[str, str]


def main() -> int:
    try:
        tests = read_marked_tests()
    except MissingReports as error:
        print(f"error: {error}")
        return 1
    sections = read_sections()
    DOCS.write_text(render(sections, tests), "utf-8")
    problems = list(find_problems(sections, tests))
    for problem in problems:
        print(f"error: {problem}")
    print(headline(sections, tests))
    return 1 if problems else 0


def read_sections(file: Path = ROWS_FILE) -> list[Section]:
    blocks = file.read_text("utf-8").strip().split("\n\n")
    return [_read_section(block.splitlines()) for block in blocks]


def _read_section(lines: Sequence[str]) -> Section:
    title, *rows = lines
    return Section(title.removeprefix("# "), {row: text for row, _, text in (line.partition(" ") for line in rows)})


def find_problems(sections: Sequence[Section], tests: Sequence[MarkedTest]) -> Iterator[str]:
    """Yields a sentence for each row that is not proved, and for each test that names an unknown row."""
    tests_by_row = _group_by_row(tests)
    for row in _all_rows(sections):
        if row not in tests_by_row:
            yield f"{row} is not proved: no test that ran names it."
        for test in tests_by_row.get(row, []):
            if not test.has_passed:
                yield f"{row} is not proved: {test.file} did not pass: {test.name}"
    for row in sorted(tests_by_row.keys() - _all_rows(sections).keys()):
        yield f"{tests_by_row[row][0].file} names {row}, which is not in {ROWS_FILE.relative_to(ROOT)}."


def headline(sections: Sequence[Section], tests: Sequence[MarkedTest]) -> str:
    rows, proved_rows = _all_rows(sections), find_proved_rows(tests)
    proved_count = len(rows.keys() & proved_rows)
    unbuilt_count = sum(NOT_BUILT in text for text in rows.values())
    unbuilt = f" {unbuilt_count} rows have an amendment that is not built yet." if unbuilt_count else ""
    return f"{proved_count} of {len(rows)} rows are proved.{unbuilt}"


def find_proved_rows(tests: Sequence[MarkedTest]) -> set[str]:
    return {row for row, own in _group_by_row(tests).items() if all(test.has_passed for test in own)}


def _all_rows(sections: Sequence[Section]) -> dict[str, str]:
    return {row: text for section in sections for row, text in section.rows.items()}


def _group_by_row(tests: Sequence[MarkedTest]) -> dict[str, list[MarkedTest]]:
    tests_by_row: dict[str, list[MarkedTest]] = {}
    for test in tests:
        tests_by_row.setdefault(test.row, []).append(test)
    return tests_by_row


def render(sections: Sequence[Section], tests: Sequence[MarkedTest]) -> str:
    tests_by_row, proved_rows = _group_by_row(tests), find_proved_rows(tests)
    parts = [INTRODUCTION, f"**{headline(sections, tests)}**\n"]
    for section in sections:
        proved_count = len(section.rows.keys() & proved_rows)
        lines = [f"## {section.title}: {proved_count} of {len(section.rows)}", "", "| row | text | proved by |"]
        lines += ["|---|---|---|"]
        for row, text in section.rows.items():
            proofs = _render_proofs(tests_by_row[row]) if row in proved_rows else "**not proved**"
            lines.append(f"| {row} | {text.replace('|', '&#124;')} | {proofs} |")
        parts.append("\n".join([*lines, ""]))
    return "\n".join(parts)


def _render_proofs(tests: Sequence[MarkedTest]) -> str:
    titles_by_file: dict[str, list[str]] = {}
    for test in tests:
        titles_by_file.setdefault(test.file, []).append(_as_sentence(test.name))
    return "<br>".join(link for file, titles in titles_by_file.items() for link in _render_links(file, titles))


def _render_links(file: str, titles: Sequence[str]) -> Iterator[str]:
    yield from (f"[{title}](../{file})" for title in titles[:LISTED_TITLES])
    if len(titles) > LISTED_TITLES:
        yield f"and {len(titles) - LISTED_TITLES} more tests in this file"


def _as_sentence(name: str) -> str:
    """Returns the name of the test as a sentence, without ids and Markdown characters."""
    sentence = ROW_ID.sub("", name.removeprefix("test_").replace("_", " "))
    return re.sub(r"[\[\]|<>`*]", "", " ".join(sentence.split())).strip(" :,;()")


if __name__ == "__main__":
    raise SystemExit(main())
