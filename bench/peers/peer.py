"""Describes a peer: its port, and the requests that list ten trips, insert one, sign in and refresh a session."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import httpx

from cairn.kit import frozen_dataclass

CACHE = Path(__file__).parent.parent.parent / ".cache" / "bench"
START_TIMEOUT_SECONDS = 60
ACCOUNT = {"email": "gil@example.com", "password": "seven rivers"}


class PeerMissing(Exception):
    """A peer could not be installed or started. The bench reports that and continues without it."""


@frozen_dataclass
class Goals:
    """Sets goals for our rates divided by those of the peer, and for our time of a refresh divided by the peer's.

    A ratio without a goal is only reported.
    """

    lists: float | None = None
    inserts: float | None = None
    sign_ins: float | None = None
    refreshes: float | None = None


@frozen_dataclass
class Peer:
    name: str
    port: int
    list_request: bytes
    insert_request: bytes
    # A successful insert has this status.
    insert_status: int
    sign_in_request: bytes
    # This function builds the next request from the body of the previous response.
    build_refresh_request: Callable[[dict[str, Any]], bytes]
    goals: Goals = Goals()


def install(command: Sequence[str], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(
            command, cwd=folder, env=environment_with_node(), capture_output=True, text=True, check=True, timeout=300
        )
    except (OSError, subprocess.SubprocessError) as error:
        raise PeerMissing(f"{' '.join(command[:4])} … failed") from error


def environment_with_node() -> dict[str, str]:
    """Returns the environment with the virtual environment on the path, because Node is installed there."""
    return {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}


def wait_until_responding(process: "subprocess.Popen[bytes]", url: str) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            if httpx.get(url).status_code < 500:
                return
        except httpx.TransportError:
            time.sleep(0.1)
    raise PeerMissing(f"no response from {url}")
