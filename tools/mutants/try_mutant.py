"""Runs the tests against one mutant and decides the outcome."""

import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

from pydantic import BaseModel

from tools.mutants import create_database, database_created, prepared_cluster
from tools.mutants.database_created import DATABASE_CREATED_VARIABLE
from tools.mutants.mutant import Mutant
from tools.mutants.prepared_cluster import PREPARED_CLUSTER_VARIABLE
from tools.mutants.run_process import Finished, run_process
from tools.mutants.tree_copy import planted

Outcome = Literal["caught", "survived", "invalid", "too slow"]
"""`invalid`: the code cannot be started with this fault, or the test fails without it too. Both prove nothing."""

_LIMIT_SECONDS = 300.0
_START_LIMIT_SECONDS = 120.0
_SOME_TESTS_FAILED = 1
_OUTPUT_LINES = 15


class Result(BaseModel, frozen=True):
    mutant: str
    fingerprint: str
    outcome: Outcome
    caught_by: str = ""
    detail: str = ""
    """Why the outcome is `invalid` or `too slow`: the end of the output, or the reason that `baseline` gives."""
    seconds: float = 0.0


def try_mutant(mutant: Mutant, tree: Path, variables: Mapping[str, str], fingerprint: str) -> Result:
    """Plants the mutant in the copy `tree` and runs its tests until one fails. `variables` is the environment."""
    started_at = time.monotonic()
    with planted(mutant, tree):
        outcome, caught_by, detail = _outcome(mutant, tree, variables)
    seconds = time.monotonic() - started_at
    return Result(
        mutant=mutant.id, fingerprint=fingerprint, outcome=outcome, caught_by=caught_by, detail=detail, seconds=seconds
    )


def _outcome(mutant: Mutant, tree: Path, variables: Mapping[str, str]) -> tuple[Outcome, str, str]:
    report, database_note = Path(variables["TMPDIR"]) / "report", Path(variables["TMPDIR"]) / "database-created"
    for file in (report, database_note):
        file.unlink(missing_ok=True)
    finished = run_tests(
        mutant.tests,
        tree,
        {**variables, DATABASE_CREATED_VARIABLE: str(database_note)},
        report,
        stops_at_failure=True,
        limit_seconds=_LIMIT_SECONDS,
        plugins=_plugins(mutant, variables),
    )
    if finished.exit_code is None:
        return "too slow", "", _end_of(finished.output)
    if finished.exit_code == 0:
        return "survived", "", ""
    failed_test = next(failed_tests(report, mutant.language), None)
    if finished.exit_code != _SOME_TESTS_FAILED or failed_test is None:
        return "invalid", "", _end_of(finished.output)
    start = None if database_note.exists() else _start_command(mutant)
    if start is not None:
        started = run_process(start, folder=tree, variables=variables, limit_seconds=_START_LIMIT_SECONDS)
        if started.exit_code != 0:
            return "invalid", "", _end_of(started.output)
    return "caught", failed_test, ""


def _plugins(mutant: Mutant, variables: Mapping[str, str]) -> list[str]:
    uses_prepared_cluster = PREPARED_CLUSTER_VARIABLE in variables and not mutant.file.startswith("cairn/db/")
    return [
        *([database_created.__name__] if mutant.language == "SQL" else []),
        *([prepared_cluster.__name__] if uses_prepared_cluster else []),
    ]


def prepare_cluster(tree: Path, folder: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """Creates a database cluster in `folder` from the unchanged code, and returns the variables for copying it."""
    created = run_process(
        [sys.executable, "-m", create_database.__name__, str(folder)],
        folder=tree,
        variables=variables,
        limit_seconds=_START_LIMIT_SECONDS,
    )
    if created.exit_code != 0:
        raise SystemExit(f"error: the unchanged code cannot create a database: {_end_of(created.output)}")
    return {PREPARED_CLUSTER_VARIABLE: str(folder / "postgres")}


def _start_command(mutant: Mutant) -> list[str] | None:
    """Returns a command that fails if the code cannot be started with this mutant. TypeScript has none.

    It needs none: if a file cannot be imported, its test runner reports no failed test, and the mutant is `invalid`.
    """
    if mutant.language == "SQL":
        return [sys.executable, "-m", create_database.__name__]
    if mutant.language == "Python":
        module = mutant.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        return [sys.executable, "-c", f"import {module}, cairn.app"]
    return None


def run_tests(
    tests: tuple[str, ...],
    tree: Path,
    variables: Mapping[str, str],
    report: Path,
    *,
    stops_at_failure: bool,
    limit_seconds: float,
    plugins: Sequence[str] = (),
) -> Finished:
    """Runs tests of one language, either Python or TypeScript, and writes their results to the file `report`.

    `plugins` are modules that pytest loads.
    """
    if tests[0].startswith("web/"):
        files = [test.removeprefix("web/") for test in tests]
        options = [*(["--bail=1"] if stops_at_failure else []), "--reporter=json", f"--outputFile={report}"]
        command, folder = ["node_modules/.bin/vitest", "run", *options, *files], tree / "web"
    else:
        plugin_options = [f"-p{plugin}" for plugin in ("no:cacheprovider", *plugins)]
        options = [*(["-x"] if stops_at_failure else []), *plugin_options, f"--junitxml={report}"]
        command, folder = [sys.executable, "-m", "pytest", *options, *tests], tree
    return run_process(command, folder=folder, variables=variables, limit_seconds=limit_seconds)


def failed_tests(report: Path, language: str) -> Iterator[str]:
    """Yields the names of the tests that failed. A file that cannot be imported has no tests and yields nothing."""
    if not report.exists():
        return
    if language == "TypeScript":
        yield from _failed_in_vitest(json.loads(report.read_text("utf-8")))
    else:
        yield from _failed_in_pytest(ElementTree.parse(report).getroot())  # noqa: S314 - pytest has just written it


def _failed_in_vitest(report: dict[str, Any]) -> Iterator[str]:
    for file in report["testResults"]:
        for test in file["assertionResults"]:
            if test["status"] == "failed":
                yield f"{Path(file['name']).name}: {test['fullName']}"


def _failed_in_pytest(report: ElementTree.Element) -> Iterator[str]:
    for test in report.iter("testcase"):
        has_failed = test.find("failure") is not None or test.find("error") is not None
        # A file that could not be imported appears as a test without a class.
        if has_failed and test.get("classname"):
            yield _test_id(str(test.get("classname")), str(test.get("name")))


def _test_id(class_name: str, name: str) -> str:
    """For example, `tests.rest.test_rivals` and `test_a_rival` become `tests/rest/test_rivals.py::test_a_rival`."""
    parts = class_name.split(".")
    module_end = max(number for number, part in enumerate(parts, 1) if part.startswith("test_"))
    return "::".join(["/".join(parts[:module_end]) + ".py", *parts[module_end:], name])


def environment_for(tree: Path, temporary_folder: Path, variables: Mapping[str, str]) -> dict[str, str]:
    """Returns the variables with which the code of the copy is used instead of the installed one."""
    temporary_folder.mkdir(parents=True, exist_ok=True)
    inherited = {name: value for name, value in variables.items() if not name.startswith("CAIRN_")}
    path = f"{tree / '.venv' / 'bin'}{os.pathsep}{variables['PATH']}"
    return {**inherited, "PATH": path, "PYTHONPATH": str(tree), "TMPDIR": str(temporary_folder)}


def _end_of(output: str) -> str:
    return "\n".join(output.rstrip().splitlines()[-_OUTPUT_LINES:])
