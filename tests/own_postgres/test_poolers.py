"""Cairn works through PgBouncer: in session mode with one URL, in transaction mode with a direct URL beside it."""

import asyncio
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import asyncpg
import httpx
import pytest

from cairn.auth import AuthSettings, Keyring, new_signing_key
from cairn.db import Database, migrate, with_login_role
from cairn.db.errors import PoolerInTransactionMode
from cairn.jobs import OutboxNotifier
from cairn.kit import Problem, default_ssl_context, now
from cairn.storage import new_sealing_key
from tests.factories import make_session
from tests.own_postgres.servers import LOGIN_PASSWORD, OLDEST, OwnPostgres
from tests.people import sign_up
from tests.realtime.stress import StressRun
from tests.serving import RunningServer, serving
from tests.waiting import wait_until_true

pytestmark = pytest.mark.parametrize("server", [OLDEST], indirect=True)
_SECRET = "a secret of at least thirty-two characters"
_ROWS = 12
CLIENT_NAMES = {
    "cairn", "cairn schema listener", "cairn outbox notifier", "cairn worker locks", "cairn message bus", "cairn queue",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.accept("OPS-31")
async def test_two_servers_and_a_worker_work_through_a_pooler_in_transaction_mode(
    owned_server: OwnPostgres, transaction_pooler: int, tmp_path: Path
) -> None:
    direct_url = owned_server.url("owner", "cairn")
    with ExitStack() as stack:
        pooler_url = owned_server.url("owner", "cairn", port=transaction_pooler)
        environment = {"CAIRN_DATABASE__URL": pooler_url, "CAIRN_DATABASE__DIRECT_URL": direct_url, **secrets()}
        servers = [
            stack.enter_context(serving(tmp_path / "one", settings=environment)),
            stack.enter_context(serving(tmp_path / "two", settings=environment, worker=False)),
        ]
        pools = Database(
            with_login_role(direct_url, LOGIN_PASSWORD), pooler_url=with_login_role(pooler_url, LOGIN_PASSWORD)
        )
        async with pools as database:
            await sign_and_watch(database, servers, environment)
        await check_documents_and_names(owned_server)
        assert count_csv_lines(servers[1], keyring_of(environment)) == _ROWS + 1
        # A busy server may refuse some of the requests with 503.
        assert await statuses_of_requests(servers, keyring_of(environment)) - {503} == {200}


@pytest.mark.slow
@pytest.mark.accept("OPS-31")
async def test_a_server_and_a_worker_work_through_a_pooler_in_session_mode(
    owned_server: OwnPostgres, session_pooler: int, tmp_path: Path
) -> None:
    url = owned_server.url("owner", "cairn", port=session_pooler)
    environment = {"CAIRN_DATABASE__URL": url, **secrets()}
    with serving(tmp_path / "one", settings=environment) as server:
        async with Database(with_login_role(url, LOGIN_PASSWORD)) as database:
            await sign_and_watch(database, [server], environment)
        await check_documents_and_names(owned_server)


@pytest.mark.accept("OPS-33")
async def test_a_pooler_in_transaction_mode_without_a_direct_url_is_named(
    owned_server: OwnPostgres, transaction_pooler: int
) -> None:
    url = owned_server.url("owner", "cairn", port=transaction_pooler)
    with pytest.raises(PoolerInTransactionMode, match="Set CAIRN_DATABASE__DIRECT_URL"):
        await migrate(url)
    # `Database` detects the pooler too, for a server or worker that starts without a migration.
    with pytest.raises(PoolerInTransactionMode):
        async with Database(url):
            pass


@pytest.mark.accept("OPS-33")
async def test_a_pooler_that_does_not_know_the_login_role_is_named(
    owned_server: OwnPostgres, transaction_pooler: int
) -> None:
    url = with_login_role(owned_server.url("owner", "cairn", port=transaction_pooler), "another password")
    with pytest.raises(Problem, match=f"127.0.0.1:{transaction_pooler} .*authenticat") as refused:
        async with Database(owned_server.url("authenticator", "cairn"), pooler_url=url):
            pass
    assert "\n" not in str(refused.value)


async def check_documents_and_names(server: OwnPostgres) -> None:
    admin = await asyncpg.connect(server.url(database="cairn"))
    documents = f"select count(*) = {_ROWS} from waivers.signed where document_path is not null"
    await wait_until_true(admin, documents, timeout_seconds=120)
    # The pooler passes on the names of its clients. A connection that it keeps without a client has no name.
    rows = await admin.fetch("select distinct application_name from pg_stat_activity where usename = 'authenticator'")
    assert {row["application_name"] for row in rows} - {""} == CLIENT_NAMES
    await admin.close()


def secrets() -> dict[str, str]:
    """Returns the secrets that both servers need."""
    return {
        "CAIRN_DATABASE__LOGIN_PASSWORD": LOGIN_PASSWORD,
        "CAIRN_AUTH__JWT_SECRET": _SECRET,
        "CAIRN_AUTH__SIGNING_KEY": new_signing_key(),
        "CAIRN_STORAGE__SEALING_KEY": new_sealing_key(),
    }


async def sign_and_watch(database: Database, servers: list[RunningServer], environment: Mapping[str, str]) -> None:
    """Signs waivers in the database. Clients of all servers receive each of them once and in order."""
    keyring = keyring_of(environment)
    people = [
        await sign_up(database, "rosa@rio-rafting.example", "Rosa Marín", company="Rio Rafting"),
        await sign_up(database, "mallory@rapid-rivals.example", "Mallory Quick", company="Rapid Rivals"),
    ]
    async with OutboxNotifier(database.url) as notifier:
        stress = StressRun(
            database,
            notifier,
            sessions={person.company: [await make_session(database, person) for _ in range(10)] for person in people},
            tokens={
                person.company: keyring.access_token({"sub": str(person.id), "email": person.email}, now())
                for person in people
            },
            addresses=[f"{server.url.removeprefix('http://')}/realtime/v1" for server in servers],
            api_key=keyring.anon_key,
        )
        await stress.run(row_count=_ROWS, writer_count=6, subscriber_count=4)
        stress.verify()


def keyring_of(environment: Mapping[str, str]) -> Keyring:
    return Keyring(AuthSettings(jwt_secret=_SECRET, signing_key=environment["CAIRN_AUTH__SIGNING_KEY"]))


def count_csv_lines(server: RunningServer, keyring: Keyring) -> int:
    """Reads all signed waivers with a cursor, which needs several statements of one transaction."""
    headers = {"apikey": keyring.service_key, "Accept": "text/csv"}
    url = f"{server.url}/rest/v1/signed_waivers?select=id"
    response = httpx.get(url, headers=headers, verify=default_ssl_context())
    return len(response.raise_for_status().text.splitlines())


async def statuses_of_requests(servers: list[RunningServer], keyring: Keyring) -> set[int]:
    """Sends many requests at once, so that the connections of the pooler change their clients."""
    tables = ("companies", "profiles", "waiver_sessions", "signed_waivers", "waiver_templates")
    urls = [f"{server.url}/rest/v1/{table}?select=id" for server in servers for table in tables]
    async with httpx.AsyncClient(headers={"apikey": keyring.service_key}, verify=default_ssl_context()) as client:
        responses = await asyncio.gather(*(client.get(url, timeout=60) for url in urls * 6))
    return {response.status_code for response in responses}
