"""A client that goes away before its request is complete causes no error in the log.

As docs/security.md says, tests of small findings have `low` in their names.
"""

import asyncio
import logging
from pathlib import Path

import pytest

from tests.realtime.conftest import serve_app
from tests.whole_app import WholeApp, whole_app

PATHS = [
    "/auth/v1/signup",
    "/rest/v1/waiver_sessions",
    "/realtime/v1/api/broadcast",
    "/storage/v1/object/profile-pictures/a.png",
    "/storage/v1/object/list/profile-pictures",
    "/functions/v1/verify-document",
    "/billing/webhook/sandbox",
    "/mail-reports/resend",
    "/contact",
    "/reminders/stop/00000000-0000-4000-8000-000000000000",
]


async def send_half_a_request(address: str, whole: WholeApp, path: str, body: bytes) -> None:
    host, port = address.split(":")
    _, writer = await asyncio.open_connection(host, int(port))
    key = whole.keyring.anon_key
    head = f"POST {path} HTTP/1.1\r\nHost: cairn\r\napikey: {key}\r\nAuthorization: Bearer {key}\r\n"
    writer.write(f"{head}Content-Type: application/json\r\nContent-Length: 50000\r\n\r\n".encode() + body)
    await writer.drain()
    await asyncio.sleep(0.2)
    writer.transport.abort()


async def test_low_a_client_that_goes_away_leaves_no_error_in_the_log(
    login_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with whole_app(login_url, tmp_path / "data") as whole, serve_app(whole.app) as address:
        caplog.clear()
        for body in (b"", b'{"half": "of a'):
            await asyncio.gather(*(send_half_a_request(address, whole, path, body) for path in PATHS))
        await asyncio.sleep(0.5)

    errors = [record for record in caplog.records if record.levelno >= logging.WARNING or record.exc_info]
    assert [(record.getMessage(), record.exc_info) for record in errors] == []
