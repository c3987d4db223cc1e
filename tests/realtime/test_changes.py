"""Delivery of inserted rows: to which subscribers, when, and in which order."""

import pytest

from cairn.auth import Keyring
from cairn.db import ANON, SERVICE, Database
from cairn.jobs import OutboxNotifier
from tests.cast import Person
from tests.factories import make_session, sign, signature_data_url
from tests.realtime.client import SIGNED_WAIVERS, Client, connected
from tests.realtime.conftest import TokenFor


@pytest.mark.accept("RT-06", "RT-07")
@pytest.mark.parametrize("version", ["1.0.0", "2.0.0"])
async def test_an_owner_receives_a_signing_within_two_seconds(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    address: str,
    keyring: Keyring,
    token_for: TokenFor,
    version: str,
) -> None:
    session = await make_session(database, rosa)
    async with connected(address, keyring.anon_key, version) as client:
        joined = await client.join(SIGNED_WAIVERS, token=token_for(rosa))
        system = await client.receive()
        waiver = await sign(database, session, name="Gil Okafor")
        notifier.notify()

        change = await client.change(within=2)

    system_fields, data = {"extension": "postgres_changes", "channel": "signed-waivers-changes"}, change["data"]
    assert system["payload"] == {**system_fields, "status": "ok", "message": "Subscribed to PostgreSQL"}
    assert change["ids"] == [joined["response"]["postgres_changes"][0]["id"]]
    assert (data["schema"], data["table"], data["type"]) == ("public", "signed_waivers", "INSERT")
    assert data["errors"] is None
    assert data["commit_timestamp"].endswith("Z")
    assert data["record"]["id"] == str(waiver["id"])
    assert data["record"]["signer_name"] == "Gil Okafor"
    assert {"name": "signed_at", "type": "timestamptz"} in data["columns"]
    assert [column["name"] for column in data["columns"]] == list(data["record"])


@pytest.mark.accept("RT-06")
async def test_a_rolled_back_signing_is_never_delivered(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await client.watch(token_for(rosa))

    with pytest.raises(ZeroDivisionError):
        async with database.acting_as(ANON) as connection:
            await connection.execute(
                "insert into signed_waivers (session_id, signer_name, signer_email, signature) values ($1, $2, $3, $4)",
                session, "Gil", "gil@example.com", signature_data_url(),
            )  # fmt: skip
            raise ZeroDivisionError
    notifier.notify()
    assert await client.receives_nothing()

    kept = await sign(database, session)
    notifier.notify()
    assert (await client.change())["data"]["record"]["id"] == str(kept["id"])


async def test_a_subscriber_after_an_idle_period_receives_later_signings(
    database: Database, notifier: OutboxNotifier, rosa: Person, address: str, keyring: Keyring, token_for: TokenFor
) -> None:
    for name in ("First", "Second", "Third"):
        await sign(database, await make_session(database, rosa), name=f"Before the {name}")
        notifier.notify()
        session = await make_session(database, rosa)
        async with connected(address, keyring.anon_key) as client:
            await client.watch(token_for(rosa))
            await sign(database, session, name=name)
            notifier.notify()
            assert (await client.change())["data"]["record"]["signer_name"] == name


@pytest.mark.accept("RT-08", "NOTIF-03")
async def test_a_rival_company_and_a_stranger_receive_nothing(
    database: Database,
    notifier: OutboxNotifier,
    rosa: Person,
    mallory: Person,
    address: str,
    keyring: Keyring,
    token_for: TokenFor,
) -> None:
    session = await make_session(database, rosa)
    everything = {"event": "*", "schema": "*"}
    async with (
        connected(address, keyring.anon_key) as owner,
        connected(address, keyring.anon_key) as rival,
        connected(address, keyring.anon_key) as stranger,
    ):
        await owner.watch(token_for(rosa))
        await rival.watch(token_for(mallory), SIGNED_WAIVERS, everything)
        await stranger.watch(None)

        await sign(database, session)
        await _notify(database, rosa)
        notifier.notify()

        assert await owner.change()
        assert await rival.receives_nothing()
        assert await stranger.receives_nothing(0)


async def _notify(database: Database, owner: Person) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute(
            "insert into notifications (company_id, title, message, about) values ($1, 'New', 'Signed', $1)",
            owner.company,
        )


async def test_a_colleague_receives_the_signing_too(
    database: Database, notifier: OutboxNotifier, rosa: Person, bea: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await client.watch(token_for(bea))
    await sign(database, session)
    notifier.notify()
    assert (await client.change())["data"]["record"]["session_id"] == str(session)


async def test_notifications_are_live_and_values_keep_their_types(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    await client.watch(token_for(rosa), {"event": "*", "schema": "public", "table": "notifications"})
    await _notify(database, rosa)
    notifier.notify()
    record = (await client.change())["data"]["record"]
    assert (record["read"], record["data"], record["company_id"]) == (False, {}, str(rosa.company))


async def test_the_feed_polls_without_a_notification(
    database: Database, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await client.watch(token_for(rosa))
    await sign(database, session)
    assert await client.change(within=2)


async def test_changes_are_delivered_in_commit_order_and_an_open_transaction_delays_no_other(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    early, late = await make_session(database, rosa), await make_session(database, rosa)
    await client.watch(token_for(rosa))

    async with database.acting_as(ANON) as connection:
        await connection.execute(
            "insert into signed_waivers (session_id, signer_name, signer_email, signature) values ($1, $2, $3, $4)",
            early, "Gil", "gil@example.com", signature_data_url(),
        )  # fmt: skip
        await sign(database, late)
        notifier.notify()
        assert (await client.change())["data"]["record"]["session_id"] == str(late)
        assert await client.receives_nothing(0.1)
    notifier.notify()
    assert (await client.change())["data"]["record"]["session_id"] == str(early)
    assert await client.receives_nothing(0.1)


async def test_commit_order_is_kept_within_one_poll(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    """Not in the order of writing or of transaction ids, because the server records commit times."""
    early, late = await make_session(database, rosa), await make_session(database, rosa)
    await client.watch(token_for(rosa))
    async with database.acting_as(ANON) as connection:
        await connection.execute(
            "insert into signed_waivers (session_id, signer_name, signer_email, signature) values ($1, $2, $3, $4)",
            early, "Gil", "gil@example.com", signature_data_url(),
        )  # fmt: skip
        await sign(database, late)
    notifier.notify()
    received = [(await client.change())["data"]["record"]["session_id"] for _ in range(2)]
    assert received == [str(late), str(early)]


async def test_changes_before_the_join_are_not_delivered(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    before, after = await make_session(database, rosa), await make_session(database, rosa)
    async with database.acting_as(SERVICE) as held_open:
        # While an older transaction is open, the feed may not have read the commit before the join.
        await held_open.execute("select pg_current_xact_id()")
        await sign(database, before)
        await client.watch(token_for(rosa))
    await sign(database, after)
    notifier.notify()
    assert (await client.change())["data"]["record"]["session_id"] == str(after)
    assert await client.receives_nothing(0.2)


async def test_filters_and_selected_columns(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    named = {**SIGNED_WAIVERS, "filter": "signer_name=in.(Ana,Gil)", "select": ["signer_name"]}
    other = {**SIGNED_WAIVERS, "filter": f"session_id=neq.{session}"}
    joined = await client.join(named, other, token=token_for(rosa))
    await client.receive()

    await sign(database, session, name="Someone else")
    waiver = await sign(database, session, name="Gil")
    notifier.notify()

    change = await client.change()
    assert change["ids"] == [joined["response"]["postgres_changes"][0]["id"]]
    assert change["data"]["record"] == {"id": str(waiver["id"]), "signer_name": "Gil"}
    assert [column["name"] for column in change["data"]["columns"]] == ["id", "signer_name"]
    assert await client.receives_nothing(0.2)
