"""While the mail server accepts connections and says nothing, documents are sealed, and the emails are sent later."""

import asyncio
import time
from pathlib import Path

from tests.faults.scene import fault_scene, short_and_long


@short_and_long("OPS-65")
async def test_emails_wait_while_the_mail_server_is_silent(tmp_path: Path, seconds: int) -> None:
    async with fault_scene(tmp_path, {"CAIRN_MESSAGING__SMTP__TIMEOUT_SECONDS": "2"}) as scene:
        async with scene.guests_signing():
            scene.mail_server.is_silent = True
            ends_at = time.monotonic() + seconds
            await scene.wait_for_signatures(2)
            observation = await scene.observe()
            await asyncio.sleep(max(0, ends_at - time.monotonic()))
            scene.mail_server.is_silent = False
            recovered_at = time.monotonic()
        await scene.expect_recovery(recovered_at)

    assert observation.failed_checks == {}, "guests can sign, and documents are sealed"
    assert "does not accept mail" in observation.failed_findings["mail"]
