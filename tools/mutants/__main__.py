"""The command line of `make mutants`.

`python -m tools.mutants` tries all mutants. `--package waivers` tries those of one package, `--mutant waivers/NAME` one
of them, and `--continue` those that an interrupted run has left. The exit code is 1 if fewer than 95 % were caught, or
if the code does not start with one of the mutants.
"""

import argparse
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory, gettempdir
from threading import Event

from tools.check import environment
from tools.mutants.baseline import check_baseline, tests_of
from tools.mutants.mutant import ROOT, Mutant, find_misfits, load_mutants
from tools.mutants.results import Results, is_good_enough, progress_line, summary_lines
from tools.mutants.run_process import interrupt_all
from tools.mutants.tree_copy import copy_tree
from tools.mutants.try_mutant import Result, environment_for, try_mutant

_WORKERS = 2


def main(arguments: Sequence[str]) -> int:
    options = _parse(arguments)
    mutants = _selected(load_mutants(), options.package, options.mutant)
    misfits = list(find_misfits(mutants))
    if misfits:
        print(*(f"{mutant}: {reason}" for mutant, reason in misfits), sep="\n")
        return 1
    fingerprints = {mutant.id: mutant.fingerprint(ROOT) for mutant in mutants}
    stored = Results(keeps_earlier=options.continues or bool(options.package or options.mutant))
    done = stored.of(fingerprints) if options.continues else {}
    run = Run(
        [mutant for mutant in mutants if mutant.id not in done],
        fingerprints,
        stored,
        done,
        passed_tests=stored.passed_tests() if options.continues else set(),
    )
    with environment() as variables:
        folder_of_copies = variables.get("TMPDIR", gettempdir())
        with TemporaryDirectory(prefix="mutants-", dir=folder_of_copies, ignore_cleanup_errors=True) as folder:
            is_baseline_good = run.run(Path(folder), variables)
    if not is_baseline_good:
        return 1
    print(*summary_lines(mutants, run.results), sep="\n")
    return 0 if is_good_enough(run.results) and not run.is_stopped.is_set() else 1


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make mutants", description="Plants faults in a copy of the code and reports which tests catch them."
    )
    parser.add_argument(
        "--package", help="try only the mutants of this package or list, for example waivers or waivers-evidence"
    )
    parser.add_argument("--mutant", help="try only this mutant, for example waivers/expired-session-is-signed")
    parser.add_argument(
        "--continue",
        dest="continues",
        action="store_true",
        help="skip mutants that were tried before and did not change",
    )
    return parser.parse_args(arguments)


def _selected(mutants: list[Mutant], package: str | None, mutant_id: str | None) -> list[Mutant]:
    selected = [
        mutant
        for mutant in mutants
        if (package is None or _belongs_to(mutant, package)) and mutant.id == (mutant_id or mutant.id)
    ]
    if not selected:
        raise SystemExit("error: there is no such mutant or package. The lists are in tools/mutants/faults.")
    return selected


def _belongs_to(mutant: Mutant, package: str) -> bool:
    """The faults of a large package are in several lists. For example, `waivers-evidence` belongs to `waivers`."""
    return mutant.package == package or mutant.package.startswith(f"{package}-")


class Run:
    """Tries the `waiting` mutants in two copies of the code.

    `done` are the results of an interrupted run, and `passed_tests` the tests that have passed in it without a fault.
    """

    def __init__(
        self,
        waiting: list[Mutant],
        fingerprints: dict[str, str],
        stored: Results,
        done: dict[str, Result],
        *,
        passed_tests: set[str],
    ) -> None:
        self.results = dict(done)
        self.is_stopped = Event()
        self._waiting = waiting
        self._passed_tests = passed_tests
        self._fingerprints = fingerprints
        self._stored = stored
        self._queue: SimpleQueue[Mutant] = SimpleQueue()

    def run(self, folder: Path, variables: Mapping[str, str]) -> bool:
        """Returns False if a test fails without a fault."""
        for mutant in self._waiting:
            self._queue.put(mutant)
        trees = [folder / f"copy{number}" for number in range(1, _WORKERS + 1)]
        for tree in trees:
            copy_tree(tree)
        environments = [environment_for(tree, folder / f"for-{tree.name}", variables) for tree in trees]
        if not self._passes_baseline(trees[0], environments[0]):
            return False
        with ThreadPoolExecutor(_WORKERS) as threads:
            workers = [threads.submit(self._work, *pair) for pair in zip(trees, environments, strict=True)]
            try:
                for worker in workers:
                    worker.result()
            except BaseException as error:
                self.is_stopped.set()
                interrupt_all()
                if not isinstance(error, KeyboardInterrupt):
                    raise
                print("\nInterrupted. `--continue` tries the remaining mutants.", flush=True)
        return True

    def _passes_baseline(self, tree: Path, variables: Mapping[str, str]) -> bool:
        tests = tests_of(self._waiting) - self._passed_tests
        if not tests:
            return True
        print(f"Running the {len(tests)} named tests and test files without a fault", flush=True)
        problems = check_baseline(tests, tree, variables)
        if problems:
            print("These tests fail without a fault, so they catch nothing:", *problems, sep="\n  ")
            return False
        self._stored.add_passed_tests(tests)
        return True

    def _work(self, tree: Path, variables: Mapping[str, str]) -> None:
        while not self.is_stopped.is_set():
            try:
                mutant = self._queue.get_nowait()
            except Empty:
                return
            result = try_mutant(mutant, tree, variables, self._fingerprints[mutant.id])
            if self.is_stopped.is_set():
                return
            self.results[mutant.id] = result
            self._stored.add(result)
            print(progress_line(result, len(self.results), len(self._fingerprints)), flush=True)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
