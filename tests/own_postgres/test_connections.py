"""All connections to the database use TLS as the URL says, have a name, and stay within the documented number."""

import asyncio
import re
from collections import Counter
from pathlib import Path

import asyncpg
import httpx
import pytest

from cairn.db import connect
from cairn.kit import Problem, default_ssl_context
from tests.messaging.mail_providers import certificate_for
from tests.own_postgres.servers import LOGIN_PASSWORD, OLDEST, OwnPostgres, pgbouncer
from tests.serving import RunningServer, serving
from tests.waiting import PATIENCE_SECONDS

_REQUESTS = 120
_DOCUMENTED_ROW = re.compile(r"^\| [^|]+ \| `(cairn[a-z ]*)` \|([\d +]*)\|([\d +]*)\|", re.MULTILINE)


@pytest.mark.slow
@pytest.mark.accept("OPS-32")
@pytest.mark.parametrize("server", [OLDEST], indirect=True)
async def test_all_connections_use_tls_and_have_a_name_and_a_limit(
    owned_server: OwnPostgres, pgbouncer_program: str, tmp_path: Path, root: Path
) -> None:
    certificate = certificate_for("127.0.0.1", tmp_path)
    # The pooler refuses clients that do not use TLS.
    tls = {"client_tls_sslmode": "require", "client_tls_key_file": certificate, "client_tls_cert_file": certificate}
    with pgbouncer(pgbouncer_program, tmp_path / "pooler", owned_server, "session", tls) as port:
        url = owned_server.url("owner", "cairn", port=port)
        with pytest.raises(Problem, match=r"cannot be reached \(.*certificate verify failed") as untrusted:
            await connect(f"{url}?sslmode=verify-full&sslrootcert={certificate_for('localhost', tmp_path)}")
        assert "\n" not in str(untrusted.value)
        settings = {
            "CAIRN_DATABASE__URL": f"{url}?sslmode=verify-full&sslrootcert={certificate}",
            "CAIRN_DATABASE__LOGIN_PASSWORD": LOGIN_PASSWORD,
        }
        with serving(tmp_path / "data", settings=settings) as server:
            counts = await count_connections_under_load(owned_server, server)

    limits = documented_limits(root)
    assert counts.keys() == limits.keys(), counts
    assert {name: count for name, count in counts.items() if count > limits[name]} == {}
    assert counts["cairn"] > 8, "the requests should have filled a pool"


def documented_limits(root: Path) -> dict[str, int]:
    """Returns how many connections of each name a server and a worker open together, according to the docs."""
    rows = _DOCUMENTED_ROW.findall((root / "docs/operations.md").read_text())
    return {
        name: sum(int(number) for number in re.findall(r"\d+", f"{server} {worker}")) for name, server, worker in rows
    }


async def count_connections_under_load(postgres: OwnPostgres, server: RunningServer) -> Counter[str]:
    """Returns the largest number of connections of each name during many requests at once."""
    largest: Counter[str] = Counter()
    admin = await asyncpg.connect(postgres.url(database="cairn"))
    load = asyncio.create_task(send_requests(server))
    while not load.done():
        rows = await admin.fetch(
            "select application_name as name from pg_stat_activity where usename = 'authenticator'"
        )
        # A connection that the pooler keeps without a client has no name.
        largest |= Counter(row["name"] for row in rows if row["name"])
        await asyncio.sleep(0.05)
    await load
    await admin.close()
    return largest


async def send_requests(server: RunningServer) -> None:
    """Waits for the worker, then sends requests that need only one statement, and others that need a transaction."""
    headers = {"apikey": server.service_key, "Authorization": f"Bearer {server.service_key}"}
    async with httpx.AsyncClient(
        base_url=server.url, headers=headers, verify=default_ssl_context(), timeout=60
    ) as client:
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await client.get("/health/ready")).status_code != 200:  # noqa: ASYNC110 - another process starts
                await asyncio.sleep(0.2)
        paths = ("/rest/v1/companies?select=id", "/auth/v1/admin/users")
        await asyncio.gather(*(client.get(paths[number % 2]) for number in range(_REQUESTS)))
