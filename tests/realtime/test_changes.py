"""Inserted rows are delivered to the right subscribers, in time and in order."""

from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import ANON, Connection, Database
from cairn.jobs import OutboxNotifier
from tests.factories import make_session, sign, signature_data_url
from tests.people import Person
from tests.realtime.client import SIGNED_WAIVERS, Client
from tests.realtime.conftest import Audience, OpenClient, TokenFor
from tests.realtime.test_rows import add_notification


@pytest_asyncio.fixture
async def rosas_client(client: Client, rosa: Person, token_for: TokenFor) -> Client:
    """Returns a client that watches the signed waivers of Rosa's company."""
    await client.watch(token_for(rosa))
    return client


async def insert_waiver(connection: Connection, session: UUID) -> None:
    """Signs a waiver within a transaction that the test commits or rolls back."""
    await connection.execute(
        "insert into signed_waivers (session_id, signer_name, signer_email, signature) values ($1, $2, $3, $4)",
        session,
        "Gil",
        "gil@example.com",
        signature_data_url(),
    )


@pytest.mark.accept("RT-06", "RT-07")
@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_an_owner_receives_a_signing_within_two_seconds(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    token_for: TokenFor,
    version: str,
    open_client: OpenClient,
) -> None:
    session = await make_session(database, rosa)
    async with open_client(version) as client:
        join_reply = await client.join(SIGNED_WAIVERS, token=token_for(rosa))
        system_frame = await client.receive()
        waiver = await sign(database, session, name="Gil Okafor")
        notifier.notify()

        change = await client.next_change(timeout_seconds=2)

    system_fields, data = {"extension": "postgres_changes", "channel": "signed-waivers-changes"}, change["data"]
    assert system_frame["payload"] == {**system_fields, "status": "ok", "message": "Subscribed to PostgreSQL"}
    assert change["ids"] == [join_reply["response"]["postgres_changes"][0]["id"]]
    assert (data["schema"], data["table"], data["type"]) == ("public", "signed_waivers", "INSERT")
    assert data["errors"] is None
    assert data["commit_timestamp"].endswith("Z")
    assert data["record"]["id"] == str(waiver["id"])
    assert data["record"]["signer_name"] == "Gil Okafor"
    assert {"name": "signed_at", "type": "timestamptz"} in data["columns"]
    assert [column["name"] for column in data["columns"]] == list(data["record"])


@pytest.mark.accept("RT-06")
async def test_a_rolled_back_signing_is_never_delivered(
    database: Database, notifier: OutboxNotifier, rosa: Person, rosas_client: Client
) -> None:
    session = await make_session(database, rosa)
    with pytest.raises(ZeroDivisionError):
        async with database.acting_as(ANON) as connection:
            await insert_waiver(connection, session)
            raise ZeroDivisionError
    notifier.notify()
    assert await rosas_client.receives_nothing()

    waiver = await sign(database, session)
    notifier.notify()
    assert (await rosas_client.next_change())["data"]["record"]["id"] == str(waiver["id"])


async def test_each_of_several_subscribers_in_turn_receives_the_signings_after_its_join(
    database: Database, notifier: OutboxNotifier, rosa: Person, token_for: TokenFor, open_client: OpenClient
) -> None:
    """The feed is idle while there is no subscriber, so it must skip what was signed in the meantime."""
    for name in ("First", "Second", "Third"):
        await sign(database, await make_session(database, rosa), name=f"{name}, before the join")
        notifier.notify()
        session = await make_session(database, rosa)
        async with open_client() as client:
            await client.watch(token_for(rosa))
            await sign(database, session, name=name)
            notifier.notify()
            assert (await client.next_change())["data"]["record"]["signer_name"] == name


@pytest.mark.accept("RT-08", "NOTIF-03")
async def test_a_rival_company_and_a_stranger_receive_nothing(
    database: Database, notifier: OutboxNotifier, rosa: Person, mallory: Person, token_for: TokenFor, audience: Audience
) -> None:
    session = await make_session(database, rosa)
    everything = {"event": "*", "schema": "*"}
    owner, rival, stranger = audience
    await owner.watch(token_for(rosa))
    await rival.watch(token_for(mallory), SIGNED_WAIVERS, everything)
    await stranger.watch(None)

    await sign(database, session)
    await add_notification(database, rosa)
    notifier.notify()

    assert await owner.next_change()
    assert await rival.receives_nothing()
    assert await stranger.receives_nothing(0)


async def test_a_colleague_receives_the_signing(
    database: Database, notifier: OutboxNotifier, rosa: Person, bea: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await client.watch(token_for(bea))
    await sign(database, session)
    notifier.notify()
    assert (await client.next_change())["data"]["record"]["session_id"] == str(session)


async def test_a_notification_is_delivered_with_the_types_of_its_values(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    await client.watch(token_for(rosa), {"event": "*", "schema": "public", "table": "notifications"})
    await add_notification(database, rosa)
    notifier.notify()
    record = (await client.next_change())["data"]["record"]
    assert (record["read"], record["data"], record["company_id"]) == (False, {}, str(rosa.company))


async def test_the_feed_polls_even_if_it_is_not_notified(
    database: Database, rosa: Person, rosas_client: Client
) -> None:
    session = await make_session(database, rosa)
    await sign(database, session)
    assert await rosas_client.next_change(timeout_seconds=2)


@pytest.mark.parametrize("polls_in_between", [True, False])
async def test_changes_are_delivered_in_commit_order(
    database: Database, notifier: OutboxNotifier, rosa: Person, rosas_client: Client, polls_in_between: bool
) -> None:
    """An open transaction delays no other transaction. Within one poll, the order is that of the commits."""
    started_first, committed_first = await make_session(database, rosa), await make_session(database, rosa)
    received_sessions: list[str] = []

    async with database.acting_as(ANON) as connection:
        await insert_waiver(connection, started_first)
        await sign(database, committed_first)
        if polls_in_between:
            notifier.notify()
            received_sessions.append((await rosas_client.next_change())["data"]["record"]["session_id"])
            assert await rosas_client.receives_nothing(0.1)
    notifier.notify()
    while len(received_sessions) < 2:
        received_sessions.append((await rosas_client.next_change())["data"]["record"]["session_id"])

    assert received_sessions == [str(committed_first), str(started_first)]
    assert await rosas_client.receives_nothing(0.1)


async def test_changes_before_the_join_are_not_delivered(
    database: Database, notifier: OutboxNotifier, rosa: Person, open_client: OpenClient, token_for: TokenFor
) -> None:
    earlier_session, later_session = await make_session(database, rosa), await make_session(database, rosa)
    async with open_client() as first_window, open_client() as second_window:
        await first_window.watch(token_for(rosa))
        # The feed is not notified of this change, so it reads it after the second window has joined.
        await sign(database, earlier_session)
        await second_window.watch(token_for(rosa))
        await sign(database, later_session)
        notifier.notify()

        assert (await first_window.next_change())["data"]["record"]["session_id"] == str(earlier_session)
        assert (await second_window.next_change())["data"]["record"]["session_id"] == str(later_session)
        assert await second_window.receives_nothing(0.2)


async def test_a_subscription_delivers_only_matching_rows_and_selected_columns(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    matching = {**SIGNED_WAIVERS, "filter": "signer_name=in.(Ana,Gil)", "select": ["signer_name"]}
    not_matching = {**SIGNED_WAIVERS, "filter": f"session_id=neq.{session}"}
    join_reply = await client.join(matching, not_matching, token=token_for(rosa))
    await client.receive()

    await sign(database, session, name="Someone else")
    waiver = await sign(database, session, name="Gil")
    notifier.notify()

    change = await client.next_change()
    assert change["ids"] == [join_reply["response"]["postgres_changes"][0]["id"]]
    assert change["data"]["record"] == {"id": str(waiver["id"]), "signer_name": "Gil"}
    assert [column["name"] for column in change["data"]["columns"]] == ["id", "signer_name"]
    assert await client.receives_nothing(0.2)
