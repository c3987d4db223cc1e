"""Tests a wheel: installs it in a new virtual environment outside the sources, serves a page and stops.

The environment has only the packages that the product requires. They are linked from the environment that runs this
script, because installing them again would take more than a minute.

Run it with `python -m tools.try_wheel dist/cairn-….whl`. It needs no Node: the wheel contains the built web app.
"""

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import distribution
from pathlib import Path

import httpx

from tests.serving import free_port

ROOT = Path(__file__).parent.parent
START_TIMEOUT_SECONDS = 180
STOP_TIMEOUT_SECONDS = 60


def main(wheel: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="cairn-wheel-") as folder_name:
        folder = Path(folder_name)
        print(f"Installing {wheel.name} into an empty virtual environment", flush=True)
        cairn = install(wheel.resolve(), folder / "venv")
        port = free_port()
        with serving(cairn, folder, port):
            page = fetch_when_ready(f"http://127.0.0.1:{port}/")
        if "<html" not in page or "Cairn" not in page:
            raise SystemExit("error: the installed wheel served something other than the start page")
        print(f"The page has {len(page)} characters, and the server stopped cleanly")


def install(wheel: Path, venv: Path) -> Path:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    python = venv / "bin" / "python"
    [site_packages] = venv.glob("lib/python*/site-packages")
    link_requirements(site_packages)
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "-qq", "--no-compile"]
    subprocess.run([*pip, "--no-deps", "--no-index", str(wheel)], check=True)
    return venv / "bin" / "cairn"


def link_requirements(site_packages: Path) -> None:
    """Links each file of each package in requirements/run.txt, except for their commands."""
    requirements = (ROOT / "requirements" / "run.txt").read_text("utf-8")
    for name in re.findall(r"^([\w.-]+)==", requirements, re.MULTILINE):
        package = distribution(name)
        for file in package.files or []:
            if ".." in file.parts:
                continue
            link = site_packages / file
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(Path(str(package.locate_file(file))).absolute())


@contextmanager
def serving(cairn: Path, folder: Path, port: int) -> Iterator[None]:
    # The environment is almost empty, so the server uses nothing of this clone and finds no Node on the path.
    environment = {"PATH": os.defpath, "HOME": str(folder)}
    command = [str(cairn), "serve", "--data", str(folder / "data"), "--port", str(port)]
    server = subprocess.Popen(command, cwd=folder, env=environment)
    try:
        yield
    finally:
        server.terminate()
        status = server.wait(STOP_TIMEOUT_SECONDS)
    if status != 0:
        raise SystemExit(f"error: the server ended with status {status}")


def fetch_when_ready(url: str) -> str:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while True:
        try:
            return httpx.get(url, timeout=START_TIMEOUT_SECONDS).raise_for_status().text
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
