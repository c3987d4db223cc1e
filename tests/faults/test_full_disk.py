"""While the disk is full, only what is stored is acknowledged, and work goes on when there is space again."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.faults.scene import fault_scene


@pytest.mark.faults
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
async def test_nothing_is_lost_while_the_disk_is_full(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data", megabytes=200) as data:
        async with fault_scene(data) as scene:
            async with scene.guests_signing():
                ballast = fill_disk(data)
                observation = await scene.observe()
                ballast.unlink()
                recovered_at = time.monotonic()
            await scene.expect_recovery(recovered_at)

    assert observation.failed_checks["files"] == "files cannot be stored"
    assert "files cannot be stored" in observation.failed_findings["files"]


@contextmanager
def small_disk(folder: Path, *, megabytes: int) -> Iterator[Path]:
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m", "tmpfs", str(folder)]
    if subprocess.run(mount, check=False, capture_output=True).returncode != 0:
        pytest.skip("this machine does not allow mounting a small disk")
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def fill_disk(folder: Path) -> Path:
    """Writes a file that takes all free space, and returns its path."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    return ballast
