"""Nothing missed and nothing twice: under load, and across a restart of the database."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import pytest

from cairn.auth import Keyring
from cairn.db import Database, DatabaseUnreachable, EmbeddedPostgres, migrate
from cairn.jobs import Bell
from cairn.realtime import RealtimeSettings, service
from tests.cast import Person, sign_up
from tests.make import make_session, sign
from tests.realtime.client import Client, connected
from tests.realtime.conftest import TokenFor, served


async def told_ids(client: Client, until: set[UUID]) -> list[UUID]:
    """Everything that is told, up to the moment when all of `until` was."""
    told: list[UUID] = []
    while not until <= set(told):
        told.append(UUID((await client.change(within=10))["data"]["record"]["id"]))
    assert await client.hears_nothing(0.3)
    return told


@pytest.mark.parametrize("joins_after", [0, 7, 25])
async def test_who_joins_while_fifty_sign_misses_none_after_the_join(
    database: Database, bell: Bell, rosa: Person, anyone: Client, token_for: TokenFor, joins_after: int
) -> None:
    session = await make_session(database, rosa)
    finished: list[UUID] = []
    begun: list[UUID] = []
    enough = asyncio.Event()

    async def writer() -> None:
        while len(begun) < 50:
            waiver = uuid4()
            begun.append(waiver)
            await sign(database, session, id=waiver)
            bell.ring()
            finished.append(waiver)
            if len(finished) >= joins_after:
                enough.set()

    writers = asyncio.gather(*(writer() for _ in range(4)))
    await enough.wait()
    before = set(finished)
    await anyone.watch(token_for(rosa))
    already_begun = set(begun)
    await writers

    after = set(begun) - already_begun
    told = await told_ids(anyone, until=after)

    assert after
    assert len(told) == len(set(told))
    assert not before & set(told)


@asynccontextmanager
async def a_house_of_its_own(data: Path) -> AsyncIterator[tuple[EmbeddedPostgres, ExitStack, Database, Bell]]:
    postgres = EmbeddedPostgres(data)
    with ExitStack() as running:
        running.enter_context(postgres.running())
        await migrate(postgres.url())
        login = postgres.url("authenticator")
        async with Database(login) as database, Bell(login) as bell:
            yield postgres, running, database, bell


@pytest.mark.slow
async def test_a_restart_of_the_database_neither_loses_nor_repeats(
    tmp_path: Path, keyring: Keyring, token_for: TokenFor
) -> None:
    async with a_house_of_its_own(tmp_path) as (postgres, running, database, bell):
        rosa = await sign_up(database, "rosa@rio-rafting.example", "Rosa Marín", company="Rio Rafting")
        session = await make_session(database, rosa)
        app = service(database, bell=bell, principal_of=keyring.principal, settings=RealtimeSettings())
        async with served(app) as address, connected(address, keyring.anon_key) as client:
            await client.watch(token_for(rosa))

            async def writer() -> list[UUID]:
                waivers = [uuid4() for _ in range(20)]
                for waiver in waivers:
                    await sign_stubbornly(database, session, waiver)
                    bell.ring()
                    await asyncio.sleep(0.02)
                return waivers

            writers = [asyncio.create_task(writer()) for _ in range(3)]
            await asyncio.sleep(0.2)
            await asyncio.to_thread(running.close)
            running.enter_context(postgres.running())

            signed = {waiver for written in await asyncio.gather(*writers) for waiver in written}
            told = await told_ids(client, until=signed)
    assert len(told) == len(signed)
    assert set(told) == signed


async def sign_stubbornly(database: Database, session: UUID, waiver: UUID) -> None:
    """As a browser would: again with the same id, until there is an answer."""
    while True:
        try:
            await sign(database, session, id=waiver)
        except DatabaseUnreachable:
            await asyncio.sleep(0.1)
        else:
            return
