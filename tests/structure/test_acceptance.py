"""A row of docs/acceptance.md counts as proved only if its tests passed, according to the reports of test runners."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from cairn.kit import frozen_dataclass
from tests.structure.tree import ROOT
from tools import acceptance
from tools.acceptance import Section
from tools.runner_reports import MarkedTest, MissingReports, read_marked_tests

SECOND_EDITION = {"SAFE", "TRUE", "OPS", "APP", "FORM", "TRIP", "KIOSK", "TEAM", "LANG"}
TWO_ROWS = [Section("Signing", {"SIGN-01": "The page has a form.", "SIGN-02": "The page shows the id."})]


@frozen_dataclass
class Reports:
    """The reports of a run, which a test fills."""

    folder: Path

    def write_pytest_report(self, name: str, *cases: str) -> None:
        (self.folder / name).write_text(f"<testsuites><testsuite>{''.join(cases)}</testsuite></testsuites>")

    def write_vitest_report(self, name: str, **status_by_title: str) -> None:
        cases = [
            {"ancestorTitles": ["the pad"], "title": title, "status": status}
            for title, status in status_by_title.items()
        ]
        results = [{"name": str(ROOT / "web" / "sign" / "pad.test.tsx"), "assertionResults": cases}] if cases else []
        (self.folder / name).write_text(json.dumps({"testResults": results}))

    def read(self) -> list[MarkedTest]:
        return read_marked_tests(self.folder)


@pytest.fixture
def reports(tmp_path: Path) -> Reports:
    """Returns reports of five runs without any test."""
    reports = Reports(tmp_path)
    for name in ("python.xml", "timing.xml", "browser.xml"):
        reports.write_pytest_report(name)
    for name in ("web.json", "contract.json"):
        reports.write_vitest_report(name)
    return reports


def pytest_case(row: str, function: str, outcome: str = "") -> str:
    return (
        f'<testcase><properties><property name="test" value="tests/test_it.py::{function}"/>'
        f'<property name="accept" value="{row}"/></properties>{outcome}</testcase>'
    )


@pytest.mark.accept("TRUE-01")
def test_every_row_has_a_text_and_the_first_edition_has_451_rows() -> None:
    rows = {row: text for section in acceptance.read_sections() for row, text in section.rows.items()}
    first_edition = [row for row in rows if row.split("-")[0] not in SECOND_EDITION]

    assert len(first_edition) == 451
    assert [row for row, text in rows.items() if len(text) < 20 or not re.fullmatch(r"[A-Z]+-\d\d", row)] == []


@pytest.mark.parametrize("outcome", ["<failure/>", "<error/>", "<skipped/>"])
@pytest.mark.accept("TRUE-02")
def test_a_python_test_that_failed_or_was_skipped_proves_nothing(reports: Reports, outcome: str) -> None:
    reports.write_pytest_report(
        "browser.xml", pytest_case("SIGN-01", "test_a"), pytest_case("SIGN-02", "test_b", outcome)
    )

    tests = reports.read()

    assert acceptance.find_proved_rows(tests) == {"SIGN-01"}
    assert list(acceptance.find_problems(TWO_ROWS, tests)) == [
        "SIGN-02 is not proved: tests/test_it.py did not pass: test_b"
    ]


@pytest.mark.parametrize("status", ["failed", "skipped", "todo", "pending"])
@pytest.mark.accept("TRUE-02")
def test_a_typescript_test_that_failed_or_was_skipped_proves_nothing(reports: Reports, status: str) -> None:
    reports.write_vitest_report("web.json", **{"SIGN-01 it has a form": "passed", "SIGN-02 it shows the id": status})

    assert acceptance.find_proved_rows(reports.read()) == {"SIGN-01"}


@pytest.mark.accept("TRUE-02")
def test_one_failed_parameter_set_or_test_is_enough_to_leave_a_row_unproved(reports: Reports) -> None:
    reports.write_pytest_report(
        "python.xml",
        pytest_case("SIGN-01", "test_a"),
        pytest_case("SIGN-01", "test_a", "<failure/>"),
        pytest_case("SIGN-01", "test_a"),
        pytest_case("SIGN-02", "test_b"),
    )
    reports.write_vitest_report("contract.json", **{"SIGN-02 it shows the id": "failed"})

    assert acceptance.find_proved_rows(reports.read()) == set()


@pytest.mark.accept("TRUE-02")
def test_a_row_that_no_test_names_and_a_test_that_names_no_row_are_reported(reports: Reports) -> None:
    reports.write_pytest_report("python.xml", pytest_case("SIGN-01", "test_a"), pytest_case("SIGN-99", "test_b"))

    assert list(acceptance.find_problems(TWO_ROWS, reports.read())) == [
        "SIGN-02 is not proved: no test that ran names it.",
        "tests/test_it.py names SIGN-99, which is not in tools/acceptance_rows.txt.",
    ]


@pytest.mark.accept("TRUE-02")
def test_tests_without_a_report_are_named(reports: Reports) -> None:
    (reports.folder / "contract.json").unlink()
    (reports.folder / "browser.xml").unlink()

    with pytest.raises(MissingReports, match="no report of the browser tests, contract tests. `make test` writes"):
        reports.read()


@pytest.mark.accept("TRUE-01")
def test_the_table_has_the_text_of_each_row_beside_its_tests(reports: Reports) -> None:
    reports.write_pytest_report("python.xml", pytest_case("SIGN-01", "test_the_form_is_there"))
    titles = [f"SIGN-01 is {size} px wide" for size in range(5)]
    reports.write_vitest_report("web.json", **dict.fromkeys(titles, "passed"))

    lines = acceptance.render(TWO_ROWS, reports.read()).splitlines()

    assert "**1 of 2 rows are proved.**" in lines
    assert (
        "| SIGN-01 | The page has a form. | [the form is there](../tests/test_it.py)<br>"
        "[the pad is 0 px wide](../web/sign/pad.test.tsx)<br>[the pad is 1 px wide](../web/sign/pad.test.tsx)<br>"
        "[the pad is 2 px wide](../web/sign/pad.test.tsx)<br>and 2 more tests in this file |" in lines
    )
    assert "| SIGN-02 | The page shows the id. | **not proved** |" in lines


@pytest.mark.accept("TRUE-01", "TRUE-02")
def test_the_table_is_written_and_the_check_fails_if_a_row_is_not_proved(
    reports: Reports, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    docs = reports.folder / "acceptance.md"
    monkeypatch.setattr(acceptance, "DOCS", docs)
    monkeypatch.setattr(acceptance, "read_sections", lambda: [Section("Signing", {"SIGN-01": "The page has a form."})])
    monkeypatch.setattr(acceptance, "read_marked_tests", reports.read)
    reports.write_pytest_report("python.xml", pytest_case("SIGN-01", "test_the_form_is_there"))

    assert acceptance.main() == 0
    assert "[the form is there](../tests/test_it.py)" in docs.read_text()

    reports.write_pytest_report("python.xml", pytest_case("SIGN-01", "test_the_form_is_there", "<failure/>"))
    assert acceptance.main() == 1
    assert "error: SIGN-01 is not proved" in capsys.readouterr().out
    assert "| SIGN-01 | The page has a form. | **not proved** |" in docs.read_text()

    (reports.folder / "web.json").unlink()
    table = docs.read_text()
    assert acceptance.main() == 1
    assert "error: There is no report of the TypeScript tests." in capsys.readouterr().out
    assert docs.read_text() == table, "incomplete reports change nothing"


@pytest.mark.accept("TRUE-02")
def test_pytest_reports_the_rows_of_each_test(tmp_path: Path) -> None:
    """Runs the conftest.py of this repository with two tests, in several processes as `make test` does."""
    test_file = tmp_path / "test_two.py"
    test_file.write_text(
        "import pytest\n\n"
        "@pytest.mark.parametrize('number', [1, pytest.param(2, marks=pytest.mark.accept('SIGN-02'))])\n"
        "@pytest.mark.accept('SIGN-01')\n"
        "def test_numbers(number): assert number == 1\n\n"
        "def test_without_a_row(): ...\n"
    )
    command = [sys.executable, "-m", "pytest", "-p", "tests.conftest", "-c", str(ROOT / "pyproject.toml")]
    options = ["--rootdir", str(tmp_path), "-n", "2", "--dist", "loadgroup", f"--junitxml={tmp_path / 'python.xml'}"]
    subprocess.run([*command, *options, str(test_file)], cwd=ROOT, capture_output=True, check=False)

    reports = Reports(tmp_path)
    reports.write_pytest_report("timing.xml")
    reports.write_pytest_report("browser.xml")
    reports.write_vitest_report("web.json")
    reports.write_vitest_report("contract.json")

    assert reports.read() == [
        MarkedTest("SIGN-01", "test_two.py", "test_numbers", has_passed=False),
        MarkedTest("SIGN-02", "test_two.py", "test_numbers", has_passed=False),
    ]
