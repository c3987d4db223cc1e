"""The catalog notices changes of the database schema."""

import asyncio
import time
from collections.abc import Awaitable, Callable

import asyncpg
import httpx
from starlette.applications import Starlette
from starlette.routing import Mount

from cairn.db import Database
from cairn.rest import RestSettings, service
from cairn.rest.catalog import LiveCatalog, build_catalog
from cairn.rest.catalog.live import BURST_READS
from cairn.rest.run import read_catalog
from tests.rest.conftest import Callbacks, Client, rest_app

EMPTY_CATALOG = '{"tables": [], "foreign_keys": [], "functions": [], "types": [], "geojson": null}'


async def test_new_tables_columns_and_functions_are_found_immediately(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    assert (await client.get("/boats")).status_code == 404

    await admin.execute("create table public.boats (id int primary key); grant all on public.boats to anon")
    assert (await client.post("/boats", json={"id": 1})).status_code == 201
    assert (await client.get("/boats")).json() == [{"id": 1}]

    await admin.execute("alter table public.boats add column name text default 'Argo'")
    assert (await client.get("/boats")).json() == [{"id": 1, "name": "Argo"}]
    assert (await client.get("/boats?name=eq.Argo&select=name")).json() == [{"name": "Argo"}]

    await admin.execute("create function public.launch(boat int) returns int language sql as 'select boat'")
    assert (await client.post("/rpc/launch", json={"boat": 7})).json() == 7


async def test_a_changed_column_type_is_noticed(client: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute("create table public.boats (id int); grant all on public.boats to anon")
    await admin.execute("insert into public.boats values (7)")
    assert (await client.get("/boats?id=eq.7")).json() == [{"id": 7}]

    await admin.execute("alter table public.boats alter column id type text")

    assert (await client.get("/boats?id=eq.7")).json() == [{"id": "7"}]


async def test_a_dropped_table_is_not_found(client: Client, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await admin.execute("create table public.boats (id int); grant all on public.boats to anon")
    await client.get("/boats")

    await admin.execute("drop table public.boats")

    response = await client.get("/boats")
    assert (response.status_code, response.json()["code"]) == (404, "PGRST205")


class FakeDatabase:
    """Counts how often the catalog and the fingerprint are read."""

    def __init__(self) -> None:
        self.schema_version = 1
        self.read_count = 0
        self.check_count = 0

    async def read(self) -> str:
        self.read_count += 1
        return EMPTY_CATALOG

    async def fingerprint(self) -> str:
        self.check_count += 1
        await asyncio.sleep(0.01)
        return str(self.schema_version)


async def test_simultaneous_callers_share_one_check_for_changes() -> None:
    fake = FakeDatabase()
    live_catalog = LiveCatalog(fake.read, fake.fingerprint, min_interval_seconds=60)
    catalog = await live_catalog.current()
    started_at = time.monotonic()

    catalogs = await asyncio.gather(*(live_catalog.newer_than(catalog) for _ in range(100)))

    assert fake.read_count == 1
    # The initial read makes one check, the first caller another one, and all later callers share the third.
    assert fake.check_count == 3
    assert all(newer is catalog for newer in catalogs)
    assert time.monotonic() - started_at < 30, "no caller waits for the interval"


async def test_frequent_schema_changes_are_read_at_a_limited_rate() -> None:
    fake = FakeDatabase()
    live_catalog = LiveCatalog(fake.read, fake.fingerprint, min_interval_seconds=0.2)
    started_at = time.monotonic()
    for version in range(BURST_READS):
        fake.schema_version = version
        await live_catalog.newer_than(await live_catalog.current())
    burst_seconds = time.monotonic() - started_at

    for version in range(BURST_READS, BURST_READS + 3):
        fake.schema_version = version
        await live_catalog.newer_than(await live_catalog.current())

    assert burst_seconds < 0.5
    assert fake.read_count == BURST_READS + 3
    assert time.monotonic() - started_at > 0.3


async def test_the_catalog_is_refreshed_while_requests_arrive(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """A second foreign key makes an embed ambiguous, although every name in it is in the old catalog."""
    await admin.execute("""
        create table public.docks (id int primary key);
        create table public.boats (id int, dock_id int references public.docks);
        grant all on public.docks, public.boats to anon
    """)
    assert (await client.get("/boats?select=id,docks(id)")).status_code == 200

    await admin.execute("alter table public.boats add column winter_dock_id int references public.docks")

    assert await _status_becomes(300, lambda: client.get("/boats?select=id,docks(id)"))


async def test_notify_pgrst_refreshes_the_catalog_immediately(
    database: Database, callbacks: Callbacks, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("""
        create table public.docks (id int primary key);
        create table public.boats (id int, dock_id int references public.docks);
        grant all on public.docks, public.boats to anon
    """)
    settings = RestSettings(catalog_reload_seconds=3600)
    app = service(database, principal_of=callbacks.principal_of, settings=settings, after_write=callbacks.after_write)
    async with app, Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test") as client:
        assert (await client.get("/boats?select=id,docks(id)")).status_code == 200
        await admin.execute("alter table public.boats add column winter_dock_id int references public.docks")
        assert (await client.get("/boats?select=id,docks(id)")).status_code == 200

        await admin.execute("notify pgrst, 'reload schema'")

        assert await _status_becomes(300, lambda: client.get("/boats?select=id,docks(id)"))


async def _status_becomes(status: int, send: Callable[[], Awaitable[httpx.Response]]) -> bool:
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline:
        if (await send()).status_code == status:
            return True
        await asyncio.sleep(0.02)
    return False


async def test_views_have_the_keys_and_relationships_of_their_tables(database: Database) -> None:
    catalog = build_catalog(await read_catalog(database, ("public",)))
    sessions = catalog.tables["public", "waiver_sessions"]
    relationships = {
        (relationship.target[1], relationship.cardinality, relationship.columns)
        for relationship in catalog.relationships["public", "signed_waivers"]
    }

    assert sessions.primary_key == ("id",)
    assert sessions.supported_writes >= {"insert", "update"}
    assert ("waiver_sessions", "many-to-one", (("session_id", "id"),)) in relationships
    assert not any(schema != "public" for schema, _ in catalog.tables)


async def test_defaults_of_columns_domains_and_view_tables_are_applied(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    """A default belongs to the column, to its domain, or to the table behind a view."""
    await admin.execute("""
        create domain public.colour as text default 'blue';
        create table public.boats (id int primary key, name text default 'Argo', paint public.colour);
        create view public.fleet as select id as number, name as called, paint from public.boats;
        grant all on public.boats, public.fleet to anon;
    """)
    headers = {"Prefer": "missing=default, return=representation"}

    boats = await client.post(
        "/boats?columns=id,name,paint", json=[{"id": 1}, {"id": 2, "name": None}], headers=headers
    )
    fleet = await client.post("/fleet?columns=number,called,paint", json=[{"number": 3}], headers=headers)

    assert boats.json() == [
        {"id": 1, "name": "Argo", "paint": "blue"},
        {"id": 2, "name": None, "paint": "blue"},
    ]
    assert fleet.json() == [{"number": 3, "called": "Argo", "paint": "blue"}]


async def test_out_arguments_are_not_taken_for_inputs(
    client: Client, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await admin.execute("""
        create table public.boats (id int primary key);
        insert into public.boats values (1);
        grant all on public.boats to anon;
        create function public.flagship(out boat public.boats) stable language sql as
            'select * from public.boats limit 1';
        create function public.number(boat public.boats, out label text) stable language sql as
            $$select 'No ' || boat.id$$;
    """)

    assert (await client.get("/rpc/flagship")).json() == {"id": 1}
    assert (await client.get("/boats?select=flagship(id)")).json()["code"] == "PGRST200"
    assert (await client.get("/boats?select=number&number=eq.No 1")).json() == [{"number": "No 1"}]


async def test_the_service_can_be_mounted_under_a_path(database: Database, callbacks: Callbacks) -> None:
    app = Starlette(routes=[Mount("/rest/v1", rest_app(database, callbacks))])
    async with Client(transport=httpx.ASGITransport(app=app), base_url="http://cairn.test/rest/v1") as client:
        response = await client.get("/companies?select=id", headers={"apikey": "service"})
        call = await client.post("/rpc/enable_realtime_for_table", json={"table_name": "signed_waivers"})

    assert (response.status_code, response.json()) == (200, [])
    assert call.status_code == 204
