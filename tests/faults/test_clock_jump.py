"""When the clock of the machine jumps ahead and back, retries that were scheduled in between do not wait for hours."""

import shutil
import subprocess
import time
from datetime import timedelta
from pathlib import Path

import pytest

from tests.faults.scene import fault_scene


class ShiftedClock:
    """The clock of all processes that run with `environment`, which are the server, the worker and PostgreSQL."""

    def __init__(self, folder: Path) -> None:
        compiler = shutil.which("cc")
        if compiler is None:
            pytest.skip("without a C compiler, the clock of PostgreSQL cannot be shifted")
        library, self._file = folder / "shifted_clock.so", folder / "shift"
        source = Path(__file__).with_name("shifted_clock.c")
        subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
        self._file.write_bytes(bytes(8))
        self.environment = {"LD_PRELOAD": str(library), "SHIFTED_CLOCK_FILE": str(self._file)}

    def set_ahead(self, duration: timedelta) -> None:
        with self._file.open("r+b") as file:
            file.write(int(duration.total_seconds()).to_bytes(8, "little"))


@pytest.mark.faults
async def test_nothing_is_lost_when_the_clock_jumps_ahead_and_back(tmp_path: Path) -> None:
    clock = ShiftedClock(tmp_path)
    async with fault_scene(tmp_path / "data", clock.environment) as scene:
        async with scene.guests_signing():
            clock.set_ahead(timedelta(hours=2))
            # The next tries of these emails are two hours ahead when the clock goes back.
            scene.mail_server.reply = "451 Come back later"
            await scene.wait_for_signatures(2)
            observation = await scene.observe()
            clock.set_ahead(timedelta(0))
            scene.mail_server.reply = "250 OK"
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)

    assert observation.failed_checks == {}
    assert observation.failed_findings == {}
