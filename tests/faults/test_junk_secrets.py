"""With junk instead of its secrets, the server does not start, and says so in one line. Nothing is overwritten."""

import asyncio
import time
from pathlib import Path

import pytest

from tests.faults.scene import fault_scene
from tests.serving import run_cairn


@pytest.mark.accept("OPS-66")
async def test_nothing_is_lost_when_the_secrets_are_junk_for_a_while(tmp_path: Path) -> None:
    async with fault_scene(tmp_path) as scene:
        async with scene.guests_signing():
            await scene.stop_server()
            secrets_file = tmp_path / "secrets.json"
            secrets = secrets_file.read_bytes()
            for command, junk in (("serve", b"\x00\xffjunk"), ("doctor", secrets[: len(secrets) // 2])):
                secrets_file.write_bytes(junk)
                refusal = await asyncio.to_thread(run_cairn, command, "--data", tmp_path, **scene.settings)
                assert secrets_file.read_bytes() == junk
                assert refusal.returncode != 0
                [line] = refusal.stderr.splitlines()
                assert line.startswith(f"cairn: The secrets in {secrets_file} cannot be read"), line
            secrets_file.write_bytes(secrets)
            await scene.start_server()
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)
