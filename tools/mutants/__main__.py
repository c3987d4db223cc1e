"""The command line of `make mutants`.

`python -m tools.mutants` tries all mutants. `--package waivers` tries those of one package, `--mutant waivers/NAME` one
of them, and `--continue` those that an interrupted run has left. The exit code is 1 if fewer than 95 % were caught, if
a mutant does not fit the code, or if the code cannot be started with one of the mutants.
"""

import argparse
import signal
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from tempfile import TemporaryDirectory, gettempdir
from threading import Event

from tools.check import environment
from tools.mutants.baseline import repeated_test, wrongly_caught
from tools.mutants.mutant import ROOT, Mutant, find_misfits, load_mutants
from tools.mutants.results import Results, is_good_enough, progress_line, summary_lines
from tools.mutants.run_process import interrupt_all
from tools.mutants.tree_copy import copy_tree
from tools.mutants.try_mutant import Result, environment_for, prepare_cluster, try_mutant

_DEFAULT_WORKERS = 2


def main(arguments: Sequence[str]) -> int:
    options = _parse(arguments)
    mutants = _selected(load_mutants(), packages=options.package, mutant_id=options.mutant)
    misfits = list(find_misfits(mutants))
    print(*(f"misfit   {mutant}: {reason}" for mutant, reason in misfits), sep="\n", end="\n" if misfits else "")
    mutants = [mutant for mutant in mutants if mutant.id not in {misfit.mutant for misfit in misfits}]
    fingerprints = {mutant.id: mutant.fingerprint(ROOT) for mutant in mutants}
    stored = Results(keeps_earlier=options.continues or bool(options.package or options.mutant))
    done = stored.of(fingerprints) if options.continues else {}
    run = Run(
        mutants,
        fingerprints,
        stored,
        done,
        passed_tests=stored.passed_tests() if options.continues else set(),
        workers=options.workers,
    )
    # Without this, a run in the background would ignore interrupts, and leave servers behind when it is terminated.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    with environment() as variables:
        folder_of_copies = variables.get("TMPDIR", gettempdir())
        with TemporaryDirectory(prefix="mutants-", dir=folder_of_copies, ignore_cleanup_errors=True) as folder:
            run.run(Path(folder), variables)
    print(*summary_lines(mutants, run.results), sep="\n")
    return 0 if is_good_enough(run.results) and not misfits and not run.is_stopped.is_set() else 1


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="make mutants", description="Plants faults in a copy of the code and reports which tests catch them."
    )
    parser.add_argument(
        "--package",
        action="append",
        default=[],
        help="try only the mutants of this package or list, for example waivers or waivers-evidence; can be repeated",
    )
    parser.add_argument("--mutant", help="try only this mutant, for example waivers/expired-session-is-signed")
    parser.add_argument(
        "--continue",
        dest="continues",
        action="store_true",
        help="skip mutants that were tried before and did not change",
    )
    parser.add_argument(
        "--workers", type=int, default=_DEFAULT_WORKERS, help="how many mutants are tried at the same time"
    )
    return parser.parse_args(arguments)


def _selected(mutants: list[Mutant], *, packages: list[str], mutant_id: str | None) -> list[Mutant]:
    selected = [
        mutant
        for mutant in mutants
        if (not packages or any(_belongs_to(mutant, package) for package in packages))
        and mutant.id == (mutant_id or mutant.id)
    ]
    if not selected:
        raise SystemExit("error: there is no such mutant or package. The lists are in tools/mutants/faults.")
    return selected


def _belongs_to(mutant: Mutant, package: str) -> bool:
    """The faults of a large package are in several lists. For example, `waivers-evidence` belongs to `waivers`."""
    return mutant.package == package or mutant.package.startswith(f"{package}-")


class Run:
    """Tries mutants in as many copies of the code as there are `workers`.

    `done` are the results of an interrupted run, and `passed_tests` those that passed in it with the unchanged code.
    """

    def __init__(
        self,
        mutants: list[Mutant],
        fingerprints: dict[str, str],
        stored: Results,
        done: dict[str, Result],
        *,
        passed_tests: set[str],
        workers: int,
    ) -> None:
        self.results = dict(done)
        self.is_stopped = Event()
        self._mutants = mutants
        self._passed_tests = passed_tests
        self._workers = workers
        self._fingerprints = fingerprints
        self._stored = stored
        self._queue: SimpleQueue[Mutant] = SimpleQueue()

    def run(self, folder: Path, variables: Mapping[str, str]) -> None:
        trees = [folder / f"copy{number}" for number in range(1, self._workers + 1)]
        for tree in trees:
            copy_tree(tree)
        environments = [environment_for(tree, folder / f"for-{tree.name}", variables) for tree in trees]
        try:
            self._try_waiting(trees, environments, folder / "cluster")
            self._repeat_without_fault(trees[0], environments[0])
        except KeyboardInterrupt:
            self.is_stopped.set()
            print("\nInterrupted. `--continue` tries the remaining mutants.", flush=True)

    def _try_waiting(self, trees: list[Path], environments: list[dict[str, str]], cluster: Path) -> None:
        waiting = [mutant for mutant in self._mutants if mutant.id not in self.results]
        for mutant in waiting:
            self._queue.put(mutant)
        if any(mutant.language != "TypeScript" for mutant in waiting):
            cluster_variables = prepare_cluster(trees[0], cluster, environments[0])
            environments = [{**variables, **cluster_variables} for variables in environments]
        with ThreadPoolExecutor(self._workers) as threads:
            workers = [threads.submit(self._work, *pair) for pair in zip(trees, environments, strict=True)]
            try:
                for worker in workers:
                    worker.result()
            except BaseException:
                self.is_stopped.set()
                interrupt_all()
                raise

    def _repeat_without_fault(self, tree: Path, variables: Mapping[str, str]) -> None:
        """Runs each test that has caught a mutant on the unchanged code, unless it has passed there already."""
        caught = {
            mutant.id: repeated_test(mutant, self.results[mutant.id])
            for mutant in self._mutants
            if self.results[mutant.id].outcome == "caught"
        }
        tests = set(caught.values()) - self._passed_tests
        if not tests:
            return
        print(f"Without a fault, running the {len(tests)} tests and test files that have caught a mutant", flush=True)
        doubtful = wrongly_caught([self.results[mutant] for mutant in caught], tests, tree, variables)
        for result in doubtful:
            self.results[result.mutant] = result
            self._stored.add(result)
        self._stored.add_passed_tests(tests - {caught[result.mutant] for result in doubtful})

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
