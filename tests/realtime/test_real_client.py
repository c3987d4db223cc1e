"""The room as an application meets it, through the real client."""

import asyncio
import json
from collections.abc import AsyncIterator
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
from tests.cast import Person
from tests.make import make_session, sign
from tests.realtime.conftest import TokenFor, served

SCRIPT = Path(__file__).with_name("real_client.mjs")


class RealClient:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    async def order(self, what: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{what}\n".encode())
        await self._process.stdin.drain()

    async def says(self, *, beats: bool = False) -> list[Any]:
        """The next thing it says; heartbeats come in between whenever they like."""
        assert self._process.stdout is not None
        async with asyncio.timeout(10):
            while True:
                said: list[Any] = json.loads(await self._process.stdout.readline())
                if (said[0] == "heartbeat") == beats:
                    return said


@asynccontextmanager
async def real_client(root: Path, *arguments: str) -> AsyncIterator[RealClient]:
    process = await asyncio.create_subprocess_exec(
        root / ".venv/bin/node",
        SCRIPT,
        *arguments,
        cwd=root,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    try:
        yield RealClient(process)
    finally:
        # Closes its input, at which it ends.
        await process.communicate()


@pytest.mark.slow
@pytest.mark.accept("RT-07")
async def test_the_real_client_joins_hears_and_leaves(
    root: Path, database: Database, notifier: OutboxNotifier, rosa: Person, keyring: Keyring, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    realtime = Realtime(database, notifier=notifier, principal_of=keyring.principal, settings=RealtimeSettings())
    async with realtime, served(Starlette(routes=[Mount("/realtime/v1", realtime.app)])) as address:
        url, key, token = f"http://{address}", keyring.anon_key, token_for(rosa)
        async with real_client(root, url, key, token) as client:
            assert [await client.says() for _ in range(3)] == [
                ["state", "closed"],
                ["state", "joining"],
                ["SUBSCRIBED", "joined"],
            ]
            what, system = await client.says()
            assert (what, system["message"]) == ("system", "Subscribed to PostgreSQL")

            waiver = await sign(database, session)
            notifier.notify()
            what, change = await client.says()
            assert what == "change"
            assert set(change) == {"schema", "table", "commit_timestamp", "eventType", "new", "old", "errors"}
            assert (change["eventType"], change["new"]["id"]) == ("INSERT", str(waiver["id"]))

            await client.order("send")
            assert sorted([await client.says(), await client.says()]) == [
                ["broadcast", {"text": "hello"}],
                ["sent", "ok"],
            ]
            assert ["heartbeat", "ok"] in [await client.says(beats=True) for _ in range(3)]

            await client.order("leave")
            assert [await client.says() for _ in range(3)] == [
                ["CLOSED", "closed"],
                ["left", "ok"],
                ["state", "closed"],
            ]
