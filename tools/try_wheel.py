"""Proves a wheel: in an empty virtual environment, far from the sources, it installs, serves a page and stops.

`python -m tools.try_wheel dist/cairn-….whl`. Needs no Node, because the browser side is inside.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

ROOT = Path(__file__).parent.parent
STARTING_SECONDS = 60
STOPPING_SECONDS = 30


def main(wheel: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-wheel-") as name:
        folder = Path(name)
        print(f"Installing {wheel.name} into an empty virtual environment", flush=True)
        cairn = installed(wheel.resolve(), folder / "venv")
        port = free_port()
        with serving(cairn, folder, port):
            page = first_answer(f"http://127.0.0.1:{port}/")
        if "<html" not in page or "Cairn" not in page:
            raise SystemExit("error: the installed wheel served something that is not our page")
        print(f"The page answered with {len(page)} characters and the server stopped cleanly")


def installed(wheel: Path, venv: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [str(venv / "bin" / "python"), "-m", "pip", "install", "-qq"]
    subprocess.run([*pip, "--no-compile", "--require-hashes", "-r", str(ROOT / "requirements" / "run.txt")], check=True)
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    return venv / "bin" / "cairn"


@contextmanager
def serving(cairn: Path, folder: Path, port: int) -> Iterator[None]:
    # A bare environment: nothing of this clone, no Node on the way.
    environment = {"PATH": os.defpath, "HOME": str(folder)}
    command = [str(cairn), "serve", "--data", str(folder / "data"), "--port", str(port)]
    server = subprocess.Popen(command, cwd=folder, env=environment)
    try:
        yield
    finally:
        server.terminate()
        status = server.wait(STOPPING_SECONDS)
    if status != 0:
        raise SystemExit(f"error: the server ended with status {status}")


def first_answer(address: str) -> str:
    deadline = time.monotonic() + STARTING_SECONDS
    while True:
        try:
            return httpx.get(address).raise_for_status().text
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


def free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


if __name__ == "__main__":
    main(Path(sys.argv[1]))
