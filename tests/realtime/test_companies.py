"""A change is checked only for people of its company, or for all subscribers if a policy shows the table to others.

9A2 is a finding in docs/security.md.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, NamedTuple

import asyncpg
import pytest

from cairn.auth import Keyring
from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.realtime import store
from cairn.realtime.channels import Channel, Identity
from cairn.realtime.table import Table
from tests.factories import make_session, sign
from tests.people import Person, sign_up
from tests.realtime.client import SIGNED_WAIVERS, TOPIC, Client
from tests.realtime.conftest import Audience, OpenClient, TokenFor
from tests.realtime.test_rows import NOTIFICATIONS, add_notification, execute_as
from tests.waivers.forms.sample_forms import EMERGENCY, GUARDIAN, minor, open_session, sign_form

# For each identity, by its user or role: how many rows were checked for it.
Checks = Counter[str]
TEMPLATES = {**NOTIFICATIONS, "table": "waiver_templates"}
PARTICIPANTS = {**SIGNED_WAIVERS, "table": "participants"}


class Scene(NamedTuple):
    database: Database
    notifier: OutboxNotifier
    token_for: TokenFor
    admin: "asyncpg.Connection[asyncpg.Record]"


@pytest.fixture
def scene(
    database: Database,
    notifier: OutboxNotifier,
    token_for: TokenFor,
    admin: "asyncpg.Connection[asyncpg.Record]",
) -> Scene:
    return Scene(database, notifier, token_for, admin)


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    """Counts the rows that PostgreSQL checks for each identity."""
    counter: Checks = Counter()
    visible_records = store.visible_records

    async def count_and_check(
        connection: Connection, table: Table, rows: Sequence[str], readers: Mapping[Identity, Sequence[int]]
    ) -> Any:
        for (role, claims), numbers in readers.items():
            counter[json.loads(claims).get("sub", role)] += len(numbers)
        return await visible_records(connection, table, rows, readers)

    monkeypatch.setattr(store, "visible_records", count_and_check)
    return counter


def counts_of(checks: Checks, *people: Person) -> list[int]:
    return [checks[str(person.id)] for person in people]


@pytest.mark.accept("OPS-26")
async def test_a_signing_is_checked_only_for_people_of_its_company(
    scene: Scene, rosa: Person, bea: Person, gil: Person, open_client: OpenClient, checks: Checks
) -> None:
    """Each identity is checked once, however many windows it has. The public key is one identity for all visitors."""
    rivals = [
        await sign_up(scene.database, f"owner{number}@example.com", "Owner", company=f"Rival {number}")
        for number in range(5)
    ]
    session = await make_session(scene.database, rosa)
    tokens = [*map(scene.token_for, (rosa, rosa, bea, gil)), None, None, *map(scene.token_for, rivals)]
    async with AsyncExitStack() as clients:
        windows = [await clients.enter_async_context(open_client()) for _ in tokens]
        for window, token in zip(windows, tokens, strict=True):
            await window.watch(token)
        await sign(scene.database, session)
        scene.notifier.notify()
        for window in windows[:3]:
            assert (await window.next_change())["data"]["record"]["session_id"] == str(session)
        for window in windows[3:]:
            assert await window.receives_nothing(0)

    assert checks == {str(rosa.id): 1, str(bea.id): 1, "anon": 1}


@pytest.mark.accept("FORM-44")
async def test_new_participants_are_delivered_to_their_company_and_checked_for_no_one_else(
    scene: Scene, rosa: Person, bea: Person, gil: Person, mallory: Person, open_client: OpenClient, checks: Checks
) -> None:
    session = await open_session(scene.database, rosa)
    async with AsyncExitStack() as clients:
        windows = [await clients.enter_async_context(open_client()) for _ in range(4)]
        for window, person in zip(windows, (rosa, bea, mallory, gil), strict=True):
            await window.watch(scene.token_for(person), PARTICIPANTS)
        waiver = await sign_form(
            scene.database,
            session,
            answers={"emergency": EMERGENCY, "asthma": False},
            participants=[minor(answers={"asthma": True, "swims": "badly"})],
            guardian=GUARDIAN,
        )
        scene.notifier.notify()
        for window in windows[:2]:
            people = [(await window.next_change())["data"]["record"] for _ in range(2)]
            assert [(person["name"], person["kind"]) for person in people] == [
                ("Gil Okafor", "adult"),
                ("Mia Okafor", "minor"),
            ]
            assert {person["waiver_id"] for person in people} == {str(waiver["id"])}
            assert [flag["text"] for flag in people[1]["flags"]] == ["Cannot swim well", "Asthma"]
        for window in windows[2:]:
            assert await window.receives_nothing(0)

    assert checks == {str(rosa.id): 2, str(bea.id): 2}


@pytest.mark.accept("FORM-44")
async def test_a_visitor_cannot_watch_participants(client: Client) -> None:
    assert (await client.join(PARTICIPANTS))["status"] == "ok"
    assert (await client.receive())["payload"]["status"] == "error"


@pytest.mark.accept("FORM-44")
async def test_a_guardian_who_does_not_take_part_is_not_delivered(scene: Scene, rosa: Person, client: Client) -> None:
    form = {"covers": {"signer": False, "minors": {}}, "questions": []}
    session = await open_session(scene.database, rosa, form)
    await client.watch(scene.token_for(rosa), PARTICIPANTS)
    await sign_form(scene.database, session, participants=[minor(answers={})], guardian=GUARDIAN)
    scene.notifier.notify()

    assert (await client.next_change())["data"]["record"]["name"] == "Mia Okafor"
    assert await client.receives_nothing()


async def test_9a2_the_channels_of_someone_who_cannot_see_a_change_are_not_read(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    token_for: TokenFor,
    open_client: OpenClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Reading thousands of channels of a stranger for each change would stop the server for a moment."""
    read_topics: set[str] = set()
    joined_after_commit_of = Channel.joined_after_commit_of

    def record_and_compare(channel: Channel, xid: int) -> bool:
        read_topics.add(channel.topic)
        return joined_after_commit_of(channel, xid)

    monkeypatch.setattr(Channel, "joined_after_commit_of", record_and_compare)
    session = await make_session(database, rosa)
    async with open_client() as window, open_client() as stranger:
        for number in range(3):
            await stranger.watch(topic=f"realtime:stranger {number}")
        await window.watch(token_for(rosa))
        await sign(database, session)
        notifier.notify()
        assert (await window.next_change())["data"]["record"]["session_id"] == str(session)

    assert read_topics == {TOPIC}


@pytest.mark.accept("OPS-26")
async def test_changes_of_two_companies_are_checked_only_for_their_own_people(
    scene: Scene, rosa: Person, mallory: Person, audience: Audience, checks: Checks
) -> None:
    """Both changes are in one transaction, so they are delivered together."""
    owner, rival, _ = audience
    await owner.watch(scene.token_for(rosa), NOTIFICATIONS)
    await rival.watch(scene.token_for(mallory), NOTIFICATIONS)
    await add_notification(scene.database, rosa)
    await add_notification(scene.database, mallory)
    scene.notifier.notify()
    for window, person in ((owner, rosa), (rival, mallory)):
        assert (await window.next_change())["data"]["record"]["company_id"] == str(person.company)
    checks.clear()

    await scene.admin.execute("update notifications set read = true; delete from notifications where read")
    scene.notifier.notify()

    for window, person in ((owner, rosa), (rival, mallory)):
        update, delete = (await window.next_change())["data"], (await window.next_change())["data"]
        assert (update["type"], update["old_record"]["company_id"]) == ("UPDATE", str(person.company))
        assert (delete["type"], delete["old_record"]["company_id"]) == ("DELETE", str(person.company))
        assert await window.receives_nothing(0)
    # Two states of the notification are checked: before and after the update. The delete has the second state again.
    assert counts_of(checks, rosa, mallory) == [2, 2]


@pytest.mark.accept("OPS-26")
async def test_the_tables_of_the_product_are_checked_by_company(scene: Scene, rosa: Person) -> None:
    tables = await store.published_tables(scene.admin)
    relations = {table.name: table.trigger_table for table in tables.values()}
    assert set(relations) == {
        "activities", "bookings", "checkins", "notifications", "participants", "sent_waivers", "signed_waivers",
        "trips", "waiver_sessions", "waiver_templates",
    }  # fmt: skip
    pairs = {(relation, str(rosa.company)) for relation in relations.values() if relation is not None}

    assert await store.possible_readers(scene.admin, pairs) == dict.fromkeys(pairs, frozenset({rosa.id}))


@pytest.mark.accept("OPS-27")
async def test_the_service_key_receives_changes_of_all_companies(
    scene: Scene, rosa: Person, mallory: Person, client: Client, keyring: Keyring
) -> None:
    sessions = [await make_session(scene.database, rosa), await make_session(scene.database, mallory)]
    await client.watch(keyring.service_key)
    for session in sessions:
        await sign(scene.database, session)
    scene.notifier.notify()
    received = [(await client.next_change())["data"]["record"]["session_id"] for _ in sessions]
    assert received == [str(session) for session in sessions]


@pytest.mark.accept("OPS-27")
async def test_samples_are_delivered_to_every_company_but_not_to_guests(
    scene: Scene, rosa: Person, mallory: Person, gil: Person, audience: Audience
) -> None:
    for window, person in zip(audience, (rosa, mallory, gil), strict=True):
        await window.watch(scene.token_for(person), TEMPLATES)
    await scene.admin.execute(
        "update waiver_templates set name = 'Day trip' where id = 'template-general-liability' and company_id is null"
    )
    scene.notifier.notify()
    for window in (audience.owner, audience.rival):
        assert (await window.next_change())["data"]["record"]["name"] == "Day trip"
    assert await audience.stranger.receives_nothing(0)


@pytest.mark.accept("OPS-27")
async def test_a_guest_receives_own_rows_of_a_table_that_also_belongs_to_companies(
    scene: Scene, rosa: Person, mallory: Person, gil: Person, audience: Audience
) -> None:
    """The second policy shows rows to people outside the company, so rights are checked for all subscribers."""
    await scene.admin.execute(
        """
        create table public.reservations (id int primary key, company_id uuid, guest_id uuid);
        alter table public.reservations enable row level security;
        create policy "company reads its reservations" on public.reservations
            for select to authenticated using (company_id = (select accounts.my_company()));
        create policy "guests read their own reservations" on public.reservations
            for select to authenticated using (guest_id = (select auth.uid()));
        grant select on public.reservations to authenticated;
        select realtime.publish('public.reservations');
        """
    )
    for window, person in zip(audience, (rosa, mallory, gil), strict=True):
        await window.watch(scene.token_for(person), {"event": "*", "schema": "public", "table": "reservations"})
    await scene.admin.execute("insert into reservations values (1, $1, $2)", rosa.company, gil.id)
    await scene.admin.execute("delete from reservations")
    scene.notifier.notify()
    for window in (audience.owner, audience.stranger):
        assert [(await window.next_change())["data"]["type"] for _ in range(2)] == ["INSERT", "DELETE"]
    assert await audience.rival.receives_nothing(0)


@pytest.mark.accept("OPS-27")
async def test_a_policy_that_an_operator_adds_takes_effect_immediately(
    scene: Scene, rosa: Person, mallory: Person, client: Client
) -> None:
    session = await make_session(scene.database, rosa)
    await client.watch(scene.token_for(mallory))
    await scene.admin.execute(
        f"""
        create policy "an auditor reads all signed waivers" on waivers.signed
            for select to authenticated using ((select auth.uid()) = '{mallory.id}')
        """
    )
    await sign(scene.database, session)
    scene.notifier.notify()
    assert (await client.next_change())["data"]["record"]["session_id"] == str(session)


@pytest.mark.accept("OPS-27", "OPS-28")
async def test_people_who_change_their_company_receive_changes_of_the_new_one_only(
    scene: Scene, rosa: Person, mallory: Person, client: Client
) -> None:
    session, rivals_session = await make_session(scene.database, rosa), await make_session(scene.database, mallory)
    await client.watch(scene.token_for(mallory))
    await scene.admin.execute("update profiles set company_id = $2 where id = $1", mallory.id, rosa.company)
    await sign(scene.database, rivals_session)
    await sign(scene.database, session)
    scene.notifier.notify()
    assert (await client.next_change())["data"]["record"]["session_id"] == str(session)
    assert await client.receives_nothing(0)


@pytest.mark.accept("OPS-27", "OPS-28")
async def test_a_row_that_moves_to_another_company_is_delivered_there_without_its_old_values(
    scene: Scene, rosa: Person, mallory: Person, audience: Audience
) -> None:
    owner, rival, _ = audience
    notification = await add_notification(scene.database, rosa)
    await owner.watch(scene.token_for(rosa), NOTIFICATIONS)
    await rival.watch(scene.token_for(mallory), NOTIFICATIONS)
    await scene.admin.execute("update notifications set company_id = $1, title = 'Moved'", mallory.company)
    await execute_as(scene.database, scene.notifier, mallory, "delete from notifications")

    update, delete = (await rival.next_change())["data"], (await rival.next_change())["data"]
    assert (update["record"]["title"], update["old_record"]) == ("Moved", {"id": str(notification)})
    assert (delete["type"], delete["old_record"]["title"]) == ("DELETE", "Moved")
    assert await owner.receives_nothing(0)


@pytest.mark.accept("OPS-28")
async def test_a_socket_that_presents_the_token_of_another_user_receives_the_changes_of_that_user(
    scene: Scene, rosa: Person, mallory: Person, client: Client, checks: Checks
) -> None:
    session, rivals_session = await make_session(scene.database, rosa), await make_session(scene.database, mallory)
    await client.watch(scene.token_for(mallory))
    await client.send(TOPIC, "access_token", {"access_token": scene.token_for(rosa)}, join_ref="1")
    assert await client.receives_nothing(0)
    await sign(scene.database, rivals_session)
    await sign(scene.database, session)
    scene.notifier.notify()
    assert (await client.next_change())["data"]["record"]["session_id"] == str(session)
    assert await client.receives_nothing(0)
    assert counts_of(checks, rosa, mallory) == [1, 0]

    await client.send(TOPIC, "phx_leave", {}, join_ref="1")
    assert (await client.receive())["event"] == "phx_reply"
    checks.clear()
    assert (await client.receive())["event"] == "phx_close"
    await client.watch(None, topic="realtime:other")
    await sign(scene.database, session)
    scene.notifier.notify()
    assert await client.receives_nothing()
    assert checks == {"anon": 1}


@pytest.mark.accept("OPS-28")
async def test_policies_apply_even_if_the_list_of_people_is_wrong(
    scene: Scene, rosa: Person, mallory: Person, audience: Audience, checks: Checks
) -> None:
    await scene.admin.execute(
        """
        create or replace function realtime.possible_readers(relation regclass, company text) returns uuid[]
            language sql stable strict security definer set search_path = '' as $$
            select array(select p.user_id from accounts.people p)
        $$
        """
    )
    owner, rival, _ = audience
    session = await make_session(scene.database, rosa)
    await owner.watch(scene.token_for(rosa), SIGNED_WAIVERS, NOTIFICATIONS)
    await rival.watch(scene.token_for(mallory), SIGNED_WAIVERS, NOTIFICATIONS)
    await sign(scene.database, session)
    await add_notification(scene.database, rosa)
    scene.notifier.notify()
    assert {(await owner.next_change())["data"]["table"] for _ in range(2)} == {"signed_waivers", "notifications"}
    assert await rival.receives_nothing(0)
    assert counts_of(checks, rosa, mallory) == [2, 2]
