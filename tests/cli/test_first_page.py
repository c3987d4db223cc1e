"""`make run` is one command: after the set-up, it serves the first page from an empty data folder."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.faults.scene import slowness
from tests.serving import environment, free_port

FIRST_PAGE_SECONDS = 20.0
# `make -o` treats these files as up to date, so that the test does not run the set-up again.
SET_UP_FILES = (".venv/.ready", "web/node_modules/.ready", "cairn/web_build/.ready")


@pytest.mark.timing
@pytest.mark.accept("OPS-71")
def test_make_run_serves_the_first_page_within_20_seconds(tmp_path: Path, root: Path) -> None:
    started_at = time.monotonic()
    with make_run(root, tmp_path / "data") as url:
        page = first_page(url, started_at + FIRST_PAGE_SECONDS * slowness())

    assert page.headers["content-type"].startswith("text/html")
    assert "<title>" in page.text


@contextmanager
def make_run(root: Path, data: Path) -> Iterator[str]:
    port = free_port()
    finished = [part for file in SET_UP_FILES for part in ("-o", file)]
    process = subprocess.Popen(
        ["make", *finished, "run", f"PORT={port}", f"DATA={data}"], cwd=root, env=environment(), start_new_session=True
    )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(60)


def first_page(url: str, deadline: float) -> httpx.Response:
    while True:
        try:
            return httpx.get(f"{url}/").raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        assert time.monotonic() < deadline, "the first page takes too long"
