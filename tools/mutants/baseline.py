"""Runs the named tests without a fault, because a test that always fails catches nothing."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.mutants.mutant import Mutant
from tools.mutants.try_mutant import failed_tests, run_tests

_LIMIT_SECONDS = 3600.0


def tests_of(mutants: Iterable[Mutant]) -> set[str]:
    return {test for mutant in mutants for test in mutant.tests}


def check_baseline(tests: set[str], tree: Path, variables: Mapping[str, str]) -> list[str]:
    """Returns one line for each test that fails without a fault, and for each run that did not end properly."""
    web_tests = tuple(sorted(test for test in tests if test.startswith("web/")))
    python_tests = tuple(sorted(tests - set(web_tests)))
    return [
        problem
        for language, some_tests in (("Python", python_tests), ("TypeScript", web_tests))
        if some_tests
        for problem in _problems(language, some_tests, tree, variables)
    ]


def _problems(language: str, tests: tuple[str, ...], tree: Path, variables: Mapping[str, str]) -> list[str]:
    report = Path(variables["TMPDIR"]) / "baseline"
    report.unlink(missing_ok=True)
    finished = run_tests(tests, tree, variables, report, stops_at_failure=False, limit_seconds=_LIMIT_SECONDS)
    if finished.exit_code == 0:
        return []
    return [*failed_tests(report, language)] or [
        f"the {language} tests did not end properly: {finished.output[-2000:]}"
    ]
