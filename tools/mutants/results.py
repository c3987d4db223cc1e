"""Stores the outcomes of a run, so that it can be continued, and prints the summary."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools.mutants.mutant import ROOT, Mutant
from tools.mutants.try_mutant import Result

RESULTS_FILE = ROOT / ".cache" / "mutants.jsonl"
REQUIRED_PERCENT = 95.0


class Results:
    """A file of JSON lines: each has the outcome of one mutant, or a list of tests that passed without a fault."""

    def __init__(self, file: Path = RESULTS_FILE, *, keeps_earlier: bool) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        if not keeps_earlier:
            file.unlink(missing_ok=True)

    def add(self, result: Result) -> None:
        self._append({"result": result.model_dump()})

    def add_passed_tests(self, tests: set[str]) -> None:
        self._append({"passed_tests": sorted(tests)})

    def of(self, fingerprints: dict[str, str]) -> dict[str, Result]:
        """Returns the outcomes by mutant, without those of an earlier state of the code."""
        results = [Result(**line["result"]) for line in self._lines() if "result" in line]
        return {result.mutant: result for result in results if fingerprints.get(result.mutant) == result.fingerprint}

    def passed_tests(self) -> set[str]:
        return {test for line in self._lines() for test in line.get("passed_tests", ())}

    def _append(self, line: dict[str, object]) -> None:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def _lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._file.read_text("utf-8").splitlines()] if self._file.exists() else []


def progress_line(result: Result, number: int, total: int) -> str:
    by = f" by {result.caught_by}" if result.caught_by else ""
    return f"[{number:>{len(str(total))}}/{total}] {result.outcome:<8} {result.mutant}{by} ({result.seconds:.0f} s)"


def summary_lines(mutants: Sequence[Mutant], results: dict[str, Result]) -> list[str]:
    """Returns the summary for the mutants that were tried. Each mutant that was not caught has its own lines."""
    tried = [(mutant, results[mutant.id]) for mutant in mutants if mutant.id in results]
    counts = Counter(result.outcome for _, result in tried)
    lines = ["", *_language_lines(tried)]
    for mutant, result in tried:
        if result.outcome != "caught":
            lines += ["", f"{result.outcome}: {mutant.id} ({mutant.file})", f"  What it breaks: {mutant.breaks}"]
            lines += [f"  Why: {_explanation(mutant, result)}"]
    waiting = [mutant.id for mutant in mutants if mutant.id not in results]
    if waiting:
        lines += ["", f"{len(waiting)} mutants were not tried yet. `--continue` tries them:"]
        lines += [f"  {mutant_id}" for mutant_id in waiting]
    lines.append("")
    others = ", ".join(
        f"{counts[outcome]} {outcome}" for outcome in ("survived", "invalid", "too slow") if counts[outcome]
    )
    ending = f"; {others}" if others else ""
    return [
        *lines,
        f"{counts['caught']} of {len(tried)} mutants were caught ({percent_caught(results):.1f} %){ending}.",
    ]


def _language_lines(tried: Sequence[tuple[Mutant, Result]]) -> list[str]:
    totals = Counter(mutant.language for mutant, _ in tried)
    caught = Counter(mutant.language for mutant, result in tried if result.outcome == "caught")
    return [f"{language}: {caught[language]} of {totals[language]} caught" for language in sorted(totals)]


def _explanation(mutant: Mutant, result: Result) -> str:
    if result.outcome == "survived":
        return mutant.survives_because or "not explained yet. Write a test that fails with this fault."
    return "\n    ".join(["the end of the output is", *result.detail.splitlines()])


def percent_caught(results: dict[str, Result]) -> float:
    """Returns the share of the mutants that were caught. An invalid mutant proves nothing, so it is left out."""
    outcomes = [result.outcome for result in results.values() if result.outcome != "invalid"]
    return 100.0 * outcomes.count("caught") / len(outcomes) if outcomes else 100.0


def is_good_enough(results: dict[str, Result]) -> bool:
    has_invalid = any(result.outcome == "invalid" for result in results.values())
    return not has_invalid and percent_caught(results) >= REQUIRED_PERCENT
