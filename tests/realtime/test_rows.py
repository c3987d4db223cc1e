"""Updates and deletes are delivered, including those of tables that are published while the server runs."""

from collections.abc import Awaitable, Callable
from uuid import UUID

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from tests.people import Person
from tests.realtime.client import Client
from tests.realtime.conftest import Audience, OpenClient, TokenFor

NOTIFICATIONS = {"event": "*", "schema": "public", "table": "notifications"}
Execute = Callable[[str], Awaitable[None]]


async def add_notification(database: Database, person: Person, title: str = "New Waiver Signed") -> UUID:
    async with database.acting_as(SERVICE) as connection:
        notification_id: UUID = await connection.fetchval(
            """
            insert into notifications (company_id, title, message, about)
            values ($1, $2, 'Gil has signed', gen_random_uuid()) returning id
            """,
            person.company,
            title,
        )
    return notification_id


async def execute_as(
    database: Database, notifier: OutboxNotifier, person: Person, statement: str, *values: object
) -> None:
    async with database.acting_as(person.principal) as connection:
        await connection.execute(statement, *values)
    notifier.notify()


@pytest.mark.accept("NOTIF-02")
async def test_reading_and_clearing_notifications_updates_every_window(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    bea: Person,
    token_for: TokenFor,
    open_client: OpenClient,
) -> None:
    notification_id = await add_notification(database, rosa)
    async with open_client("1.0.0") as rosas_window, open_client() as beas_window:
        await rosas_window.watch(token_for(rosa), NOTIFICATIONS)
        await beas_window.watch(token_for(bea), NOTIFICATIONS)
        await execute_as(
            database, notifier, rosa, "update notifications set read = true where id = $1", notification_id
        )
        await execute_as(database, notifier, bea, "delete from notifications where id = $1", notification_id)
        changes_by_window = [
            [(await window.next_change())["data"] for _ in range(2)] for window in (rosas_window, beas_window)
        ]

    for update, delete in changes_by_window:
        assert (update["type"], delete["type"]) == ("UPDATE", "DELETE")
        assert update["record"]["id"] == update["old_record"]["id"] == str(notification_id)
        assert (update["old_record"]["read"], update["record"]["read"]) == (False, True)
        assert delete["old_record"] == update["record"]
        assert "record" not in delete


async def test_each_committed_state_of_a_row_is_delivered(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    """A state that was overwritten before the feed polled is still delivered, because the outbox has every state."""
    await client.watch(token_for(rosa), NOTIFICATIONS)
    notification_id = await add_notification(database, rosa)
    for read in (True, False):
        await execute_as(
            database, notifier, rosa, "update notifications set read = $2 where id = $1", notification_id, read
        )
    await execute_as(database, notifier, rosa, "delete from notifications where id = $1", notification_id)

    changes = [(await client.next_change())["data"] for _ in range(4)]
    assert [data["type"] for data in changes] == ["INSERT", "UPDATE", "UPDATE", "DELETE"]
    assert [data["record"]["read"] for data in changes[:3]] == [False, True, False]


@pytest.mark.accept("NOTIF-03", "RT-08")
async def test_a_rival_receives_no_update_and_no_delete(
    database: Database, notifier: OutboxNotifier, rosa: Person, mallory: Person, token_for: TokenFor, audience: Audience
) -> None:
    """Another company does not even receive the primary key, and a filter by that key reveals nothing."""
    notification_id = await add_notification(database, rosa)
    owner, rival, stranger = audience
    await owner.watch(token_for(rosa), NOTIFICATIONS)
    await rival.watch(token_for(mallory), NOTIFICATIONS, {**NOTIFICATIONS, "filter": f"id=eq.{notification_id}"})
    assert (await stranger.join(NOTIFICATIONS))["status"] == "ok"
    assert (await stranger.receive())["payload"]["status"] == "error"

    await execute_as(database, notifier, rosa, "update notifications set read = true where id = $1", notification_id)
    await execute_as(database, notifier, rosa, "delete from notifications where id = $1", notification_id)
    assert [(await owner.next_change())["data"]["type"] for _ in range(2)] == ["UPDATE", "DELETE"]
    assert await rival.receives_nothing(0.2)
    assert await stranger.receives_nothing(0)


async def test_filters_apply_to_deletes(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    not_matching = await add_notification(database, rosa, "Gorge trip")
    matching = await add_notification(database, rosa, "Lake trip")
    subscription = {**NOTIFICATIONS, "event": "DELETE", "filter": "title=like.L%"}
    await client.watch(token_for(rosa), subscription)
    for notification_id in (not_matching, matching):
        await execute_as(database, notifier, rosa, "delete from notifications where id = $1", notification_id)
    assert (await client.next_change())["data"]["old_record"]["id"] == str(matching)
    assert await client.receives_nothing(0.1)


# The following tests use tables that the operator creates.

CREATE_TOURS = """
create table public.tours (river text, day date, places int8, secret text, primary key (river, day));
alter table public.tours enable row level security;
create policy "everyone reads open tours" on public.tours for select to anon, authenticated using (places > 0);
grant select (river, day, places) on public.tours to anon, authenticated;
grant select on public.tours to service_role;
select realtime.publish('public.tours');
"""
TOURS = {"event": "*", "schema": "public", "table": "tours"}


@pytest.fixture
def execute_as_admin(admin: "asyncpg.Connection[asyncpg.Record]", notifier: OutboxNotifier) -> Execute:
    async def execute(statement: str) -> None:
        await admin.execute(statement)
        notifier.notify()

    return execute


async def test_a_table_is_published_while_the_server_runs(client: Client, execute_as_admin: Execute) -> None:
    assert (await client.join(TOURS))["status"] == "ok"
    assert "Please check Realtime is enabled" in (await client.receive())["payload"]["message"]
    await execute_as_admin(CREATE_TOURS)
    await client.watch(None, TOURS, topic="realtime:again")
    await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 9007199254740993, 'margin 40%')")
    data = (await client.next_change())["data"]
    assert data["record"] == {"river": "Soča", "day": "2026-05-01", "places": 9007199254740993}
    assert data["columns"] == [
        {"name": "river", "type": "text"},
        {"name": "day", "type": "date"},
        {"name": "places", "type": "int8"},
    ]
    await execute_as_admin("alter table tours add guide text; grant select (guide) on tours to anon")
    await execute_as_admin("update tours set guide = 'Bea'")
    data = (await client.next_change())["data"]
    assert data["record"]["guide"] == "Bea"
    assert data["columns"][-1] == {"name": "guide", "type": "text"}
    await execute_as_admin("select realtime.unpublish('public.tours'); update tours set guide = 'Gil'")
    assert await client.receives_nothing(0.2)


async def test_a_row_that_becomes_visible_is_delivered_as_an_update_with_only_its_old_key(
    client: Client, execute_as_admin: Execute
) -> None:
    await execute_as_admin(CREATE_TOURS)
    await client.watch(None, TOURS)
    await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 0)")
    await execute_as_admin("update tours set places = 7")
    await execute_as_admin("update tours set places = 0")
    await execute_as_admin("delete from tours")
    data = (await client.next_change())["data"]
    # The row was not visible before, so the old record contains only the key.
    assert (data["type"], data["old_record"]) == ("UPDATE", {"river": "Soča", "day": "2026-05-01"})
    assert await client.receives_nothing(0.2)


async def test_a_filter_reveals_nothing_about_an_unreadable_column(client: Client, execute_as_admin: Execute) -> None:
    await execute_as_admin(CREATE_TOURS)
    await client.watch(None, {**TOURS, "filter": "secret=eq.margin"})
    await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 7, 'margin')")
    assert await client.receives_nothing(0.2)


async def test_selected_columns_include_the_key(client: Client, execute_as_admin: Execute) -> None:
    await execute_as_admin(CREATE_TOURS)
    await client.watch(None, {**TOURS, "select": ["places", "secret"]})
    await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 7, 'margin')")
    data = (await client.next_change())["data"]
    assert data["record"] == {"river": "Soča", "day": "2026-05-01", "places": 7}


async def test_a_row_that_is_too_large_is_delivered_without_its_large_values(
    client: Client, execute_as_admin: Execute
) -> None:
    await execute_as_admin(CREATE_TOURS.replace("(river, day, places)", "(river, day, places, secret)"))
    await client.watch(None, TOURS)
    await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 7, repeat('x', 1100000))")
    data = (await client.next_change())["data"]
    assert data["errors"] == ["Error 413: Payload Too Large"]
    assert data["record"] == {"river": "Soča", "day": "2026-05-01", "places": 7}


async def test_a_change_in_a_table_without_a_primary_key_has_an_error(
    client: Client, execute_as_admin: Execute
) -> None:
    await execute_as_admin("create table public.loose (title text); grant select on public.loose to anon")
    await execute_as_admin("select realtime.publish('public.loose')")
    await client.watch(None, {"event": "INSERT", "schema": "public", "table": "loose"})
    await execute_as_admin("insert into loose values ('hello')")
    data = (await client.next_change())["data"]
    assert data["errors"] == ["Error 400: Bad Request, no primary key"]
    assert "record" not in data


async def test_a_policy_that_fails_for_one_subscriber_does_not_affect_the_others(
    rosa: Person, token_for: TokenFor, execute_as_admin: Execute, open_client: OpenClient
) -> None:
    await execute_as_admin(
        CREATE_TOURS.replace("using (places > 0)", "using (places / length(auth.jwt() ->> 'email') >= 0)")
    )
    async with open_client() as unaffected, open_client() as failing:
        await unaffected.watch(token_for(rosa), TOURS)
        await failing.watch(token_for(rosa, email=""), TOURS)
        await execute_as_admin("insert into tours values ('Soča', '2026-05-01', 7)")
        assert await unaffected.next_change()
        assert await failing.receives_nothing(0.2)


async def test_changes_of_a_company_are_delivered_only_to_its_own_windows(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    bea: Person,
    mallory: Person,
    token_for: TokenFor,
    open_client: OpenClient,
) -> None:
    templates = {**NOTIFICATIONS, "table": "waiver_templates"}
    insert_statement = "insert into waiver_templates (name, content) values ($1, 'Rivers are wet.')"
    async with open_client() as owner, open_client() as rival:
        await owner.watch(token_for(bea), templates)
        await rival.watch(token_for(mallory), templates)
        await execute_as(database, notifier, rosa, insert_statement, "Gorge trip")
        await execute_as(
            database, notifier, rosa, "update waiver_templates set archived_at = now() where company_id is not null"
        )
        await execute_as(database, notifier, mallory, insert_statement, "Canyon trip")
        owner_changes = [(await owner.next_change())["data"] for _ in range(2)]
        rival_change = (await rival.next_change())["data"]

    assert [(data["type"], data["record"]["name"]) for data in owner_changes] == [
        ("INSERT", "Gorge trip"),
        ("UPDATE", "Gorge trip"),
    ]
    assert owner_changes[1]["record"]["archived_at"] is not None
    assert rival_change["record"]["name"] == "Canyon trip"
