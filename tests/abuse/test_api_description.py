"""A3: requests for the OpenAPI description of the REST service take turns, as all other reads do.

A3 is a finding in docs/security.md.
"""

import asyncio

from cairn.db import SERVICE, Connection, Database
from tests.rest.conftest import Callbacks, client_for, rest_app

REQUESTS_IN_FLIGHT = 24


async def test_a3_requests_of_one_network_for_descriptions_leave_connections_to_others(
    database: Database, admin: Connection
) -> None:
    """The test locks the table of all comments, which each description reads, so that the requests have to wait."""
    async with client_for(rest_app(database, Callbacks())) as client:
        assert (await client.get("/")).status_code == 200
        async with admin.transaction():
            await admin.execute("lock table pg_catalog.pg_description in access exclusive mode")
            requests = [asyncio.create_task(client.get("/")) for _ in range(REQUESTS_IN_FLIGHT)]
            await asyncio.sleep(1)
            async with asyncio.timeout(2), database.acting_as(SERVICE) as connection:
                assert await connection.fetchval("select 1") == 1
        responses = await asyncio.gather(*requests)

    assert {response.status_code for response in responses} <= {200, 503}
