"""While S3 is down, guests sign as always, and their documents are sealed as soon as it responds again."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path

from tests.faults.scene import fault_scene, short_and_long
from tests.storage.s3 import FlakyProxy, proxy_to, s3_server


@short_and_long("OPS-64")
async def test_documents_wait_while_s3_is_down(tmp_path: Path, seconds: int) -> None:
    async with s3_that_can_fail() as s3, fault_scene(tmp_path, s3_environment(s3.port)) as scene:
        async with scene.guests_signing():
            s3.break_now()
            ends_at = time.monotonic() + seconds
            await scene.wait_for_signatures(2)
            observation = await scene.observe()
            await asyncio.sleep(max(0, ends_at - time.monotonic()))
            s3.repair()
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)

    assert observation.failed_checks == {"files": "files cannot be stored"}
    assert observation.failed_findings["files"].startswith("files cannot be stored in cairn")


@asynccontextmanager
async def s3_that_can_fail() -> AsyncIterator[FlakyProxy]:
    with ExitStack() as stack:
        port = await asyncio.to_thread(stack.enter_context, s3_server())
        async with proxy_to(port) as proxy:
            yield proxy


def s3_environment(port: int) -> dict[str, str]:
    settings = {
        "BUCKET": "cairn",
        "ENDPOINT": f"http://127.0.0.1:{port}",
        "ACCESS_KEY_ID": "key",
        "SECRET_ACCESS_KEY": "secret",
    }
    return {f"CAIRN_STORAGE__S3__{name}": value for name, value in settings.items()}
