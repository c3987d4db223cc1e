"""A token ends; the socket it opened hears nothing more."""

from datetime import timedelta
from uuid import UUID

import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.realtime import RealtimeSettings
from tests.cast import Person
from tests.make import make_session, sign
from tests.realtime.client import SIGNINGS, TOPIC, Client
from tests.realtime.conftest import TokenFor

OFTEN = pytest.mark.parametrize("settings", [RealtimeSettings(token_check=timedelta(milliseconds=100))])


async def sign_in(database: Database, person: Person) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        session: UUID = await connection.fetchval(
            "insert into auth.sessions (user_id) values ($1) returning id", person.id
        )
    return session


async def sign_out(database: Database, session: UUID) -> None:
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("delete from auth.sessions where id = $1", session)


async def is_told(client: Client, message: str) -> None:
    told, closed = await client.receive(), await client.receive()
    assert (told["event"], told["payload"]["status"], told["payload"]["message"]) == ("system", "error", message)
    assert (closed["event"], closed["topic"]) == ("phx_close", TOPIC)


@pytest.mark.accept("RT-09")
async def test_an_expired_token_is_told_so_instead_of_the_signing(
    database: Database, notifier: OutboxNotifier, rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    token = token_for(rosa, exp=int(now().timestamp()) + 2)
    await anyone.watch(token)
    assert await anyone.receives_nothing(2.1)

    await sign(database, session)
    notifier.notify()

    await is_told(anyone, "Token has expired")
    assert await anyone.receives_nothing()


@pytest.mark.accept("RT-09")
async def test_signing_out_elsewhere_ends_delivery_at_once(
    database: Database, notifier: OutboxNotifier, rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    session, signed_in = await make_session(database, rosa), await sign_in(database, rosa)
    await anyone.watch(token_for(rosa, session_id=str(signed_in)))

    await sign_out(database, signed_in)
    await sign(database, session)
    notifier.notify()

    await is_told(anyone, "The session of this token has ended")
    assert await anyone.receives_nothing()


@OFTEN
async def test_a_quiet_channel_is_told_of_the_end_as_well(
    database: Database, rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    signed_in = await sign_in(database, rosa)
    await anyone.watch(token_for(rosa, session_id=str(signed_in)))
    assert await anyone.receives_nothing(0.3)
    await sign_out(database, signed_in)
    await is_told(anyone, "The session of this token has ended")


async def test_a_token_of_an_ended_session_does_not_join(
    database: Database, rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    signed_in = await sign_in(database, rosa)
    await sign_out(database, signed_in)
    for session_id in (str(signed_in), "not even an id"):
        reply = await anyone.join(SIGNINGS, token=token_for(rosa, session_id=session_id))
        assert reply["response"]["reason"] == "InvalidJWTToken: The session of this token has ended"


async def test_an_expired_token_does_not_join(rosa: Person, anyone: Client, token_for: TokenFor) -> None:
    reply = await anyone.join(SIGNINGS, token=token_for(rosa, issued_at=now() - timedelta(hours=2)))
    assert reply == {"status": "error", "response": {"reason": "InvalidJWTToken: Token has expired"}}


@OFTEN
async def test_a_fresh_token_in_time_keeps_the_channel_open(
    database: Database, notifier: OutboxNotifier, rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await anyone.watch(token_for(rosa, exp=int(now().timestamp()) + 2))
    await anyone.send(TOPIC, "access_token", {"access_token": token_for(rosa)}, join_ref="1")
    assert await anyone.receives_nothing(2.2)

    await sign(database, session)
    notifier.notify()
    assert await anyone.change()


async def test_a_token_that_comes_after_the_join_brings_its_rights(
    database: Database, notifier: OutboxNotifier, rosa: Person, anyone: Client, token_for: TokenFor
) -> None:
    """As new clients do it: they join with the public key and name the user a moment later."""
    session = await make_session(database, rosa)
    await anyone.watch()
    await anyone.send(TOPIC, "access_token", {"access_token": token_for(rosa)}, join_ref="1")
    for ignored in (None, "sb_publishable_x"):
        await anyone.send(TOPIC, "access_token", {"access_token": ignored}, join_ref="1")
    assert await anyone.receives_nothing(0)

    await sign(database, session)
    notifier.notify()
    assert await anyone.change()


async def test_a_token_of_a_rival_takes_the_rights_away(
    database: Database, notifier: OutboxNotifier, rosa: Person, mallory: Person, anyone: Client, token_for: TokenFor
) -> None:
    session = await make_session(database, rosa)
    await anyone.watch(token_for(rosa))
    await anyone.send(TOPIC, "access_token", {"access_token": token_for(mallory)}, join_ref="1")
    assert await anyone.receives_nothing(0)

    await sign(database, session)
    notifier.notify()
    assert await anyone.receives_nothing()


async def test_a_forged_token_ends_the_channel(rosa: Person, anyone: Client, token_for: TokenFor) -> None:
    await anyone.watch(token_for(rosa))
    await anyone.send(TOPIC, "access_token", {"access_token": token_for(rosa)[:-8] + "AAAAAAAA"}, join_ref="1")
    await is_told(anyone, "Failed to validate JWT signature")
