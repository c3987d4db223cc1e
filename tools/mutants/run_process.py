"""Runs one command with a time limit, and leaves no process behind."""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryFile

from cairn.kit import frozen_dataclass

# A test runner that is interrupted gets this long to stop its servers.
_INTERRUPT_SECONDS = 20.0

_running_processes: "set[subprocess.Popen[bytes]]" = set()


@frozen_dataclass
class Finished:
    exit_code: int | None
    """None if the command took too long and was stopped."""
    output: str


def run_process(
    command: Sequence[str], *, folder: Path, variables: Mapping[str, str], limit_seconds: float
) -> Finished:
    """Runs the command in `folder` and waits at most `limit_seconds` for its end."""
    with TemporaryFile() as output:
        process = subprocess.Popen(
            command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        _running_processes.add(process)
        try:
            exit_code: int | None = process.wait(limit_seconds)
        except subprocess.TimeoutExpired:
            exit_code = None
        finally:
            _running_processes.discard(process)
            _stop(process, Path(variables["TMPDIR"]))
        output.seek(0)
        return Finished(exit_code, output.read().decode(errors="replace"))


def interrupt_all() -> None:
    """Interrupts the running commands. Each of them then ends by itself, and `run_process` returns."""
    for process in list(_running_processes):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)


def _stop(process: "subprocess.Popen[bytes]", temporary_folder: Path) -> None:
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_INTERRUPT_SECONDS)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _stop_databases(temporary_folder)


def _stop_databases(folder: Path) -> None:
    """Stops database servers that a killed test runner has left behind. They do not belong to its process group."""
    for pid_file in folder.rglob("postmaster.pid"):
        with suppress(OSError, ValueError, IndexError):
            pid = int(pid_file.read_text().split()[0])
            # The number may belong to another process by now, so the command line must name this cluster.
            if str(pid_file.parent).encode() in Path(f"/proc/{pid}/cmdline").read_bytes():
                os.kill(pid, signal.SIGQUIT)
