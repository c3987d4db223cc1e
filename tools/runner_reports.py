"""Reads the reports that the test runners write: JUnit XML of pytest, and JSON of vitest.

`python -m tools.check` lets each runner write its report into test-results/reports. A report that is missing belongs to
a check that did not run or that was stopped.
"""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from cairn.kit import frozen_dataclass

ROOT = Path(__file__).parent.parent
REPORTS = ROOT / "test-results" / "reports"
# The file names of the reports, each with the tests that it is about.
PYTEST_REPORTS = {"python.xml": "Python tests", "timing.xml": "timing tests", "browser.xml": "browser tests"}
VITEST_REPORTS = {"web.json": "TypeScript tests", "contract.json": "contract tests"}

ROW_ID = re.compile(r"\b[A-Z]+-\d\d\b")
# tests/conftest.py adds these properties to the report of each test that is marked with `accept`.
TEST_PROPERTY, ROW_PROPERTY = "test", "accept"
_MAX_MESSAGE_LENGTH = 300


@frozen_dataclass
class MarkedTest:
    """A test that names an acceptance row. Neither a failed nor a skipped test has passed."""

    row: str
    file: str
    name: str
    has_passed: bool


class MissingReports(Exception):
    def __init__(self, missing_tests: Iterable[str]) -> None:
        super().__init__(f"There is no report of the {', '.join(missing_tests)}. `make test` writes all reports.")


def read_marked_tests(folder: Path = REPORTS, root: Path = ROOT) -> list[MarkedTest]:
    """Returns all tests of the last run that name an acceptance row, a test once for each row."""
    all_reports = {**PYTEST_REPORTS, **VITEST_REPORTS}
    missing_tests = [tests for file, tests in all_reports.items() if not (folder / file).is_file()]
    if missing_tests:
        raise MissingReports(missing_tests)
    pytest_tests = [test for file in PYTEST_REPORTS for test in _read_pytest_report(folder / file)]
    vitest_tests = [test for file in VITEST_REPORTS for test in _read_vitest_report(folder / file, root)]
    return _merge_parameter_sets([*pytest_tests, *vitest_tests])


def read_failures(report: Path) -> list[str]:
    """Returns the name and the first line of the message of each test that failed."""
    return list(_vitest_failures(report) if report.suffix == ".json" else _pytest_failures(report))


def _pytest_failures(report: Path) -> Iterator[str]:
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - our own test run wrote this file
        for failure in [*case.iter("failure"), *case.iter("error")]:
            yield _failure(f"{case.get('classname')}.{case.get('name')}", failure.get("message", ""))


def _vitest_failures(report: Path) -> Iterator[str]:
    for file in json.loads(report.read_text("utf-8"))["testResults"]:
        failed_cases = [case for case in file["assertionResults"] if case["status"] == "failed"]
        # If a file failed although none of its tests did, its set-up failed.
        if file["status"] == "failed" and not failed_cases:
            yield _failure(Path(file["name"]).name, file["message"])
        for case in failed_cases:
            yield _failure(f"{Path(file['name']).name} {_full_title(case)}", "\n".join(case["failureMessages"]))


def _failure(name: str, message: str) -> str:
    first_line = message.strip().partition("\n")[0]
    return f"{name}: {first_line[:_MAX_MESSAGE_LENGTH]}"


def _read_pytest_report(report: Path) -> Iterator[MarkedTest]:
    for case in ElementTree.parse(report).iter("testcase"):  # noqa: S314 - our own test run wrote this file
        properties = [(item.get("name"), item.get("value", "")) for item in case.iter("property")]
        has_passed = all(case.find(tag) is None for tag in ("failure", "error", "skipped"))
        for test in (value for name, value in properties if name == TEST_PROPERTY):
            file, _, function = test.partition("::")
            for row in (value for name, value in properties if name == ROW_PROPERTY):
                yield MarkedTest(row, file, function, has_passed)


def _read_vitest_report(report: Path, root: Path) -> Iterator[MarkedTest]:
    for file in json.loads(report.read_text("utf-8"))["testResults"]:
        name = Path(file["name"]).relative_to(root).as_posix()
        for case in file["assertionResults"]:
            title = _full_title(case)
            for row in dict.fromkeys(ROW_ID.findall(title)):
                yield MarkedTest(row, name, title, case["status"] == "passed")


def _full_title(case: dict[str, Any]) -> str:
    return " ".join(filter(None, [*case["ancestorTitles"], case["title"]]))


def _merge_parameter_sets(tests: Iterable[MarkedTest]) -> list[MarkedTest]:
    """Merges the parameter sets of a test, which has passed only if it has passed with all of them."""
    merged: dict[tuple[str, str, str], bool] = {}
    for test in tests:
        key = (test.row, test.file, test.name)
        merged[key] = merged.get(key, True) and test.has_passed
    return [MarkedTest(*key, has_passed) for key, has_passed in sorted(merged.items())]
