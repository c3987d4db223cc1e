"""Nothing is delivered to a channel after its token has expired or its user has signed out."""

from datetime import timedelta
from uuid import UUID

import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.realtime import RealtimeSettings
from tests.factories import make_session, sign
from tests.people import Person
from tests.realtime.client import SIGNED_WAIVERS, TOPIC, Client
from tests.realtime.conftest import TokenFor

FREQUENT_CHECKS = pytest.mark.parametrize("settings", [RealtimeSettings(token_check=timedelta(milliseconds=100))])


async def sign_in(database: Database, person: Person) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        auth_session_id: UUID = await connection.fetchval(
            "insert into auth.sessions (user_id) values ($1) returning id", person.id
        )
    return auth_session_id


async def sign_out(database: Database, auth_session_id: UUID) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from auth.sessions where id = $1", auth_session_id)


async def assert_channel_ended(client: Client, message: str) -> None:
    system_frame, close_frame = await client.receive(), await client.receive()
    payload = system_frame["payload"]
    assert (system_frame["event"], payload["status"], payload["message"]) == ("system", "error", message)
    assert (close_frame["event"], close_frame["topic"]) == ("phx_close", TOPIC)


@pytest.mark.accept("RT-09")
async def test_an_expired_token_ends_the_channel_before_delivery(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    token = token_for(rosa, exp=int(now().timestamp()) + 2)
    await client.watch(token)
    assert await client.receives_nothing(2.1)

    await sign(database, session)
    notifier.notify()

    await assert_channel_ended(client, "Token has expired")
    assert await client.receives_nothing()


@pytest.mark.accept("RT-09")
async def test_signing_out_elsewhere_ends_delivery_immediately(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session, auth_session = await make_session(database, rosa), await sign_in(database, rosa)
    await client.watch(token_for(rosa, session_id=str(auth_session)))

    await sign_out(database, auth_session)
    await sign(database, session)
    notifier.notify()

    await assert_channel_ended(client, "The session of this token has ended")
    assert await client.receives_nothing()


@FREQUENT_CHECKS
async def test_an_idle_channel_is_ended_after_its_user_signs_out(
    database: Database, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    auth_session = await sign_in(database, rosa)
    await client.watch(token_for(rosa, session_id=str(auth_session)))
    assert await client.receives_nothing(0.3)
    await sign_out(database, auth_session)
    await assert_channel_ended(client, "The session of this token has ended")


async def test_a_token_of_an_ended_session_cannot_join(
    database: Database, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    auth_session = await sign_in(database, rosa)
    await sign_out(database, auth_session)
    for session_id in (str(auth_session), "not an id"):
        reply = await client.join(SIGNED_WAIVERS, token=token_for(rosa, session_id=session_id))
        assert reply["response"]["reason"] == "InvalidJWTToken: The session of this token has ended"


async def test_an_expired_token_cannot_join(rosa: Person, client: Client, token_for: TokenFor) -> None:
    reply = await client.join(SIGNED_WAIVERS, token=token_for(rosa, issued_at=now() - timedelta(hours=2)))
    assert reply == {"status": "error", "response": {"reason": "InvalidJWTToken: Token has expired"}}


@FREQUENT_CHECKS
async def test_a_renewed_token_keeps_the_channel_open(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await client.watch(token_for(rosa, exp=int(now().timestamp()) + 2))
    await client.send(TOPIC, "access_token", {"access_token": token_for(rosa)}, join_ref="1")
    assert await client.receives_nothing(2.2)

    await sign(database, session)
    notifier.notify()
    assert await client.next_change()


async def test_a_token_sent_after_the_join_takes_effect(
    database: Database, notifier: OutboxNotifier, rosa: Person, client: Client, token_for: TokenFor
) -> None:
    """New clients join with the public key and send the user's token afterwards."""
    session = await make_session(database, rosa)
    await client.watch()
    await client.send(TOPIC, "access_token", {"access_token": token_for(rosa)}, join_ref="1")
    for ignored_token in (None, "sb_publishable_x"):
        await client.send(TOPIC, "access_token", {"access_token": ignored_token}, join_ref="1")
    assert await client.receives_nothing(0)

    await sign(database, session)
    notifier.notify()
    assert await client.next_change()


async def test_a_token_of_a_rival_removes_the_permissions(
    database: Database, notifier: OutboxNotifier, rosa: Person, mallory: Person, client: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await client.watch(token_for(rosa))
    await client.send(TOPIC, "access_token", {"access_token": token_for(mallory)}, join_ref="1")
    assert await client.receives_nothing(0)

    await sign(database, session)
    notifier.notify()
    assert await client.receives_nothing()


async def test_a_forged_token_ends_the_channel(rosa: Person, client: Client, token_for: TokenFor) -> None:
    await client.watch(token_for(rosa))
    await client.send(TOPIC, "access_token", {"access_token": token_for(rosa)[:-8] + "AAAAAAAA"}, join_ref="1")
    await assert_channel_ended(client, "Failed to validate JWT signature")
