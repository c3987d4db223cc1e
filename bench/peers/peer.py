"""What is asked of each of them: the ten newest trips, one trip more, and somebody who comes in and stays."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

CACHE = Path(__file__).parent.parent.parent / ".cache" / "bench"
STARTING_SECONDS = 60
PERSON = {"email": "gil@example.com", "password": "seven rivers"}


class PeerMissing(Exception):
    """It could not be installed or started here; the bench goes on without it and says so."""


@dataclass(frozen=True, slots=True)
class Goals:
    """How many times as many as theirs, and how many times their time a refresh may take. None: told, not aimed at."""

    listed: float | None = None
    inserted: float | None = None
    signed_in: float | None = None
    refreshed: float | None = None


@dataclass(frozen=True, slots=True)
class Peer:
    name: str
    port: int
    listing: bytes
    inserting: bytes
    inserted: int
    """The status of a successful insert."""

    signing_in: bytes
    refreshing: Callable[[dict[str, Any]], bytes]
    """The next request of somebody who was answered this."""

    goals: Goals = Goals()


def install(command: Sequence[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(command, cwd=folder, env=with_node(), capture_output=True, text=True, check=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as failed:
        raise PeerMissing(f"{' '.join(command[:4])} … failed") from failed


def with_node() -> dict[str, str]:
    """Node comes with our own environment."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def wait_until_it_answers(process: "subprocess.Popen[bytes]", url: str) -> None:
    deadline = time.monotonic() + STARTING_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(url).status_code < 500:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise PeerMissing(f"nothing answers at {url}")
