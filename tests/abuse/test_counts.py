"""H6: no count, error or query plan reveals anything about rows that row-level security hides.

PostgreSQL's planner reads statistics of the whole table. So the row estimate for `company_id=eq.<rival>` is the true
number of the rival's rows, even for callers who may see none of them.

H6 is a finding in docs/security.md.
"""

from uuid import uuid4

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database
from cairn.rest import RestSettings
from tests.factories import make_session, sign
from tests.people import Person
from tests.rest.conftest import Callbacks, Client, HeadersFor, callbacks, client, headers_for, settings

# These fixtures are imported, so that pytest finds them in this module.
__all__ = ["callbacks", "client", "headers_for", "settings"]

COUNTS = ["planned", "estimated", "exact"]
WAIVER_COUNT = 40
EMAIL = "frequent.signer@example.com"


@pytest_asyncio.fixture
async def rosas_company(database: Database, admin: Connection, rosa: Person, mallory: Person) -> str:
    """Rosa's company has many rows, and the statistics of the planner include them."""
    for _ in range(WAIVER_COUNT):
        await sign(database, await make_session(database, rosa, email=EMAIL), signer_email=EMAIL)
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            """
            insert into emails (company_id, recipient, subject, body)
            select $1, 'g@x.org', 'Hi', 'b' from generate_series(1, $2)
            """,
            rosa.company, WAIVER_COUNT,
        )  # fmt: skip
    # The rival's own row makes the statistics distinguish the two companies.
    await sign(database, await make_session(database, mallory))
    await admin.execute("analyze")
    return str(rosa.company)


@pytest.fixture
def callers(headers_for: HeadersFor, mallory: Person, gil: Person) -> dict[str, dict[str, str]]:
    return {"anon": {}, "guest": headers_for(gil), "rival": headers_for(mallory)}


@pytest.mark.parametrize("count", COUNTS)
@pytest.mark.accept("SAFE-16")
async def test_h6_a_count_says_nothing_about_rows_of_others(
    client: Client, rosas_company: str, callers: dict[str, dict[str, str]], count: str
) -> None:
    filters = [
        f"signed_waivers?company_id=eq.{rosas_company}",
        f"signed_waivers?signer_email=eq.{EMAIL}&company_id=eq.{rosas_company}",
        f"waiver_sessions?company_id=eq.{rosas_company}",
        f"waiver_sessions?company_id=eq.{rosas_company}&status=in.(signed,pending)",
        f"waiver_sessions?recipient_email=eq.{EMAIL}",
        f"emails?company_id=eq.{rosas_company}",
        f"companies?select=id,emails!inner(id)&id=eq.{rosas_company}",
        f"signed_waivers?select=id&or=(company_id.eq.{rosas_company},company_id.eq.{uuid4()})",
    ]
    for caller, headers in callers.items():
        for query in filters:
            for request in (client.get, client.head):
                response = await request(f"/{query}", headers={**headers, "Prefer": f"count={count}"})
                total = response.headers.get("content-range")
                assert response.status_code in (401, 403) or total == "*/0", f"{caller} counts {query}: {total}"


@pytest.mark.usefixtures("rosas_company")
@pytest.mark.parametrize("count", COUNTS)
async def test_h6_an_address_is_counted_only_among_own_rows(
    client: Client, headers_for: HeadersFor, rosa: Person, mallory: Person, count: str
) -> None:
    prefer = {"Prefer": f"count={count}"}
    for person, own_waivers in ((rosa, WAIVER_COUNT), (mallory, 1)):
        everything = await client.head("/signed_waivers", headers={**headers_for(person), **prefer})
        assert everything.headers["content-range"].partition("/")[2] == str(own_waivers)
    frequent = await client.head(f"/signed_waivers?signer_email=eq.{EMAIL}", headers={**headers_for(mallory), **prefer})
    assert frequent.headers["content-range"] == "*/0"


class TestManyRows:
    """With more rows than the limit, the count depends only on the caller's own rows and on the requested page."""

    @pytest.fixture
    def settings(self) -> RestSettings:
        return RestSettings(max_rows=10)

    @pytest.mark.usefixtures("rosas_company")
    @pytest.mark.parametrize("count", ["planned", "estimated"])
    async def test_h6_a_long_list_has_a_count_that_shows_only_that_there_are_more_rows(
        self, client: Client, headers_for: HeadersFor, rosa: Person, count: str
    ) -> None:
        headers = {**headers_for(rosa), "Prefer": f"count={count}"}

        async def page(query: str) -> tuple[int, str]:
            response = await client.get(f"/signed_waivers?select=id&order=id&{query}", headers=headers)
            return response.status_code, response.headers["content-range"]

        assert await page("limit=5") == (206, "0-4/11")
        assert await page("offset=20&limit=5") == (206, "20-24/31")
        assert await page("offset=30") == (206, f"30-39/{WAIVER_COUNT}")
        assert await page("offset=35") == (206, f"35-39/{WAIVER_COUNT}")
        assert await page("offset=41") == (416, f"*/{WAIVER_COUNT}")

    @pytest.mark.parametrize("count", ["planned", "estimated"])
    async def test_the_service_role_gets_the_estimate_of_the_planner(
        self, client: Client, rosas_company: str, callbacks: Callbacks, count: str
    ) -> None:
        assert callbacks.tokens["service"] == SERVICE
        headers = {"Authorization": "Bearer service", "Prefer": f"count={count}"}
        response = await client.get(f"/signed_waivers?select=id&company_id=eq.{rosas_company}", headers=headers)

        assert response.headers["content-range"] == f"0-9/{WAIVER_COUNT}"


async def test_h6_query_plans_are_off(client: Client, callers: dict[str, dict[str, str]]) -> None:
    for headers in callers.values():
        accept = {"Accept": "application/vnd.pgrst.plan+json"}
        response = await client.get("/signed_waivers?select=id", headers={**headers, **accept})
        assert (response.status_code, response.json()["code"]) == (406, "PGRST107")
