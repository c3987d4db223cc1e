"""Runs the tests that have caught a fault on the unchanged code, because a test that always fails catches nothing."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from tools.mutants.mutant import Mutant
from tools.mutants.try_mutant import Result, failed_tests, run_tests

_LIMIT_SECONDS = 3600.0
_REASON = "The test that failed with this fault fails without it, too."


def repeated_test(mutant: Mutant, result: Result) -> str:
    """Returns the test that caught the mutant or, for TypeScript, the file of that test."""
    if mutant.language != "TypeScript":
        return _without_parameters(result.caught_by)
    file_name = result.caught_by.partition(":")[0]
    return next(file for file in mutant.test_files if Path(file).name == file_name)


def wrongly_caught(caught: Iterable[Result], tests: set[str], tree: Path, variables: Mapping[str, str]) -> list[Result]:
    """Runs the `tests` on the unchanged code. Returns new results for the mutants that no test has really caught."""
    web_tests = tuple(sorted(test for test in tests if test.startswith("web/")))
    python_tests = tuple(sorted(tests - set(web_tests)))
    failed = {
        _without_parameters(test)
        for language, some_tests in (("Python", python_tests), ("TypeScript", web_tests))
        if some_tests
        for test in _failures(language, some_tests, tree, variables)
    }
    return [
        result.model_copy(update={"outcome": "invalid", "detail": f"{_REASON} It is {result.caught_by}."})
        for result in caught
        if _without_parameters(result.caught_by) in failed
    ]


def _failures(language: str, tests: tuple[str, ...], tree: Path, variables: Mapping[str, str]) -> list[str]:
    report = Path(variables["TMPDIR"]) / "baseline"
    report.unlink(missing_ok=True)
    finished = run_tests(tests, tree, variables, report, stops_at_failure=False, limit_seconds=_LIMIT_SECONDS)
    failures = [*failed_tests(report, language)]
    if finished.exit_code != 0 and not failures:
        raise SystemExit(f"error: the {language} tests did not end properly: {finished.output[-2000:]}")
    return failures


def _without_parameters(test: str) -> str:
    return test.partition("[")[0]
