"""The requests that every server gets: list ten trips, insert one, sign in, refresh."""

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
START_SECONDS = 60
PERSON = {"email": "gil@example.com", "password": "seven rivers"}


class PeerMissing(Exception):
    """It could not be installed or started; the bench continues without it and reports that."""


@dataclass(frozen=True, slots=True)
class Goals:
    """Our rates divided by theirs, and our time for a refresh divided by theirs. None: only reported."""

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
    """Builds the next request from the body of the previous response."""

    goals: Goals = Goals()


def install(command: Sequence[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(command, cwd=folder, env=with_node(), capture_output=True, text=True, check=True, timeout=300)
    except (OSError, subprocess.SubprocessError) as failed:
        raise PeerMissing(f"{' '.join(command[:4])} … failed") from failed


def with_node() -> dict[str, str]:
    """Node is installed in the virtual environment."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def wait_until_it_responds(process: "subprocess.Popen[bytes]", url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(url).status_code < 500:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise PeerMissing(f"no response from {url}")
