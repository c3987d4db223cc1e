"""The service works with the real client library."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.auth import Keyring
from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import Realtime, RealtimeSettings
from tests.factories import make_session, sign
from tests.people import Person
from tests.realtime.conftest import TokenFor, serve_app

SCRIPT = Path(__file__).with_name("real_client.mjs")


class RealClient:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def send_command(self, command: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{command}\n".encode())
        await self._process.stdin.drain()

    async def next_output(self, *, heartbeat: bool = False) -> list[Any]:
        """Returns the next line of output that is a heartbeat, or without `heartbeat` the next line that is not one."""
        assert self._process.stdout is not None
        async with asyncio.timeout(10):
            while True:
                output: list[Any] = json.loads(await self._process.stdout.readline())
                if (output[0] == "heartbeat") == heartbeat:
                    return output


@asynccontextmanager
async def real_client(
    root: Path, *arguments: str, heartbeat_ms: int = 300, variables: Mapping[str, str] | None = None
) -> AsyncIterator[RealClient]:
    process = await asyncio.create_subprocess_exec(
        root / ".venv/bin/node",
        SCRIPT,
        *arguments,
        cwd=root,
        env={**os.environ, "HEARTBEAT_MS": str(heartbeat_ms), **(variables or {})},
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield RealClient(process)
    finally:
        # The process ends when its input is closed.
        assert process.stdin is not None
        process.stdin.close()
        await process.communicate()


@pytest.mark.slow
@pytest.mark.accept("RT-07")
async def test_the_real_client_joins_receives_and_leaves(
    root: Path, database: Database, notifier: OutboxNotifier, rosa: Person, keyring: Keyring, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    realtime = Realtime(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
    async with realtime, serve_app(Starlette(routes=[Mount("/realtime/v1", realtime.app)])) as address:
        url, key, token = f"http://{address}", keyring.anon_key, token_for(rosa)
        async with real_client(root, url, key, token) as client:
            assert [await client.next_output() for _ in range(3)] == [
                ["state", "closed"],
                ["state", "joining"],
                ["SUBSCRIBED", "joined"],
            ]
            kind, system = await client.next_output()
            assert (kind, system["message"]) == ("system", "Subscribed to PostgreSQL")

            waiver = await sign(database, session)
            notifier.notify()
            kind, change = await client.next_output()
            assert kind == "change"
            assert set(change) == {"schema", "table", "commit_timestamp", "eventType", "new", "old", "errors"}
            assert (change["eventType"], change["new"]["id"]) == ("INSERT", str(waiver["id"]))

            await client.send_command("send")
            assert sorted([await client.next_output(), await client.next_output()]) == [
                ["broadcast", {"text": "hello"}],
                ["sent", "ok"],
            ]
            assert ["heartbeat", "ok"] in [await client.next_output(heartbeat=True) for _ in range(3)]

            await client.send_command("leave")
            assert [await client.next_output() for _ in range(3)] == [
                ["CLOSED", "closed"],
                ["left", "ok"],
                ["state", "closed"],
            ]
