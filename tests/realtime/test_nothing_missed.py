"""No change is missed, repeated or out of order, even with many writers and a restart of the database."""

import asyncio
from contextlib import ExitStack
from pathlib import Path

import pytest

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import Database, EmbeddedPostgres, migrate
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.storage import new_sealing_key
from tests.factories import make_session
from tests.people import Person, sign_up
from tests.realtime.conftest import TokenFor
from tests.realtime.stress import StressRun
from tests.serving import serving

SECRET = "a secret of at least thirty-two characters"


async def test_many_subscribers_on_two_servers_receive_everything_once_and_in_order(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    mallory: Person,
    address: str,
    second_address: str,
    keyring: Keyring,
    token_for: TokenFor,
) -> None:
    people = (rosa, mallory)
    stress = StressRun(
        database,
        notifier,
        # A session can be signed 20 times.
        sessions={person.company: [await make_session(database, person) for _ in range(40)] for person in people},
        tokens={person.company: token_for(person) for person in people},
        addresses=[address, second_address],
        api_key=keyring.anon_key,
    )
    await stress.run(row_count=240, writer_count=8, subscriber_count=8)
    stress.verify()
    assert sum(visit.stayed_to_the_end for visit in stress.visits) == 8


@pytest.mark.slow
async def test_no_signing_is_missed_when_the_database_restarts_under_load(tmp_path: Path) -> None:
    postgres = EmbeddedPostgres(tmp_path / "database")
    settings = AuthSettings(jwt_secret=SECRET, signing_key=new_signing_key())
    sealing_key = new_sealing_key()
    keyring = Keyring(settings)
    with ExitStack() as stack:
        database_stack = stack.enter_context(ExitStack())
        database_stack.enter_context(postgres.running())
        await migrate(postgres.url())
        servers = [
            stack.enter_context(
                serving(
                    tmp_path / name,
                    # Rendering five thousand documents would take the CPU time that this test needs.
                    worker=False,
                    settings={
                        "CAIRN_DATABASE__URL": postgres.url(),
                        "CAIRN_DATABASE__LOGIN_PASSWORD": "the same for both",
                        "CAIRN_AUTH__JWT_SECRET": SECRET,
                        "CAIRN_AUTH__SIGNING_KEY": settings.signing_key.get_secret_value(),
                        "CAIRN_STORAGE__SEALING_KEY": sealing_key,
                    },
                )
            )
            for name in ("one", "two")
        ]

        async def restart() -> None:
            await asyncio.to_thread(database_stack.close)
            await asyncio.sleep(0.5)
            await asyncio.to_thread(database_stack.enter_context, postgres.running())

        async with (
            Database(postgres.url("authenticator")) as database,
            OutboxNotifier(postgres.url("authenticator")) as notifier,
        ):
            people = [
                await sign_up(database, "rosa@rio-rafting.example", "Rosa Marín", company="Rio Rafting"),
                await sign_up(database, "mallory@rapid-rivals.example", "Mallory Quick", company="Rapid Rivals"),
            ]
            stress = StressRun(
                database,
                notifier,
                sessions={
                    person.company: [await make_session(database, person) for _ in range(500)] for person in people
                },
                tokens={
                    person.company: keyring.access_token({"sub": str(person.id), "email": person.email}, now())
                    for person in people
                },
                addresses=[f"{server.url.removeprefix('http://')}/realtime/v1" for server in servers],
                api_key=keyring.anon_key,
            )
            await stress.run(row_count=5000, writer_count=8, subscriber_count=20, at_halfway=restart)
        stress.verify()
        assert len(stress.written_rows) == 5000
        assert sum(visit.stayed_to_the_end for visit in stress.visits) == 20
