"""Guests receive text messages, each at most once and only within the limits."""

import asyncio
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.messaging import (
    GuestText,
    MessagingSettings,
    TextLimits,
    TextNotSent,
    choose_sms_gateway,
    queue_guest_text,
    sending_status,
)
from cairn.messaging import add_text_message as add_code
from cairn.messaging.send_email import INTERRUPTED
from cairn.messaging.send_text import send_text
from cairn.messaging.sms import parse_phone_number, with_sender_name
from cairn.messaging.sms.segments import count_segments, plain_name
from tests.factories import make_session
from tests.fake_service import FakeService, running_fake_service
from tests.people import Person
from tests.sms_gateway import PHONE, REJECTED_PHONE, messaging_settings, silent_gateway, twilio_response

LINK = "https://waivers.example.com/waivers/sign/session/254ee2e0-f4d3-402b-8297-3a27ca62af27"


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("+41791234567", "41791234567"), (" +41 79 123 45 67 ", "41791234567"), ("0041 79 123 45 67", "41791234567"),
        ("+41 (0)79 123-45-67", "41791234567"), ("+1 (212) 555-0123", "12125550123"),
        ("+1.212.555.0123", "12125550123"),
        ("079 123 45 67", None), ("41791234567", None), ("+41 79", None), ("+999 123 456 789", None), ("+", None),
        ("call me", None), ("+41791234567890123", None), ("+41 900 123 456", None),
    ],
)  # fmt: skip
def test_a_number_is_parsed_in_any_notation_but_only_with_a_country_code(text: str, digits: str | None) -> None:
    assert parse_phone_number(text) == digits


@pytest.mark.parametrize(
    ("text", "segment_count"),
    [
        ("", 1), ("a" * 160, 1), ("a" * 161, 2), ("a" * 306, 2), ("a" * 307, 3), ("€" * 80, 1), ("€" * 81, 2),
        ("я" * 70, 1), ("я" * 71, 2), ("я" * 134, 2), ("я" * 135, 3), ("🏔" * 35, 1), ("🏔" * 36, 2),
    ],
)  # fmt: skip
def test_segments_are_counted_as_the_gateway_charges_them(text: str, segment_count: int) -> None:
    assert count_segments(text) == segment_count


@pytest.mark.parametrize(
    ("name", "expected_name"),
    [
        ("Rio Rafting", "Rio Rafting"), ("Río Ráfting", "Rio Rafting"), ("Café Müller & Søn", "Café Müller & Søn"),
        ("Win a prize\nhttps://evil.example/now", "Win a prize https evil example now"), ("St. Moritz", "St. Moritz"),
        ("evil.com", "evil com"), ("Река", "Река"), ("a\u202eb", "a b"), ("N" * 100, "N" * 40), (" \t ", ""),
    ],
)  # fmt: skip
def test_a_company_name_is_put_into_one_line_without_links(name: str, expected_name: str) -> None:
    assert plain_name(name) == expected_name


@pytest.mark.parametrize("name", ["Rio Rafting", "", "Река и горы, большая компания путешествий", "W" * 500, "🏔" * 60])
def test_a_text_fits_into_two_segments_and_keeps_its_link_whole(name: str) -> None:
    text = with_sender_name(name, f"please sign your waiver before your activity {LINK}")

    assert count_segments(text) <= 2
    # The text starts with "Please" if there is no name.
    assert text.endswith(f"lease sign your waiver before your activity {LINK}")


def text_to(person: Person, session_id: UUID, recipient: str = PHONE) -> GuestText:
    return GuestText(uuid4(), recipient, f"Rio Rafting: sign {LINK}", person.company, session_id)


async def queue(
    database: Database, text: GuestText, limits: TextLimits | None = None, *, network: str = "203.0.113.7"
) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        status = await sending_status(connection, MessagingSettings(), text.company_id)
        return await queue_guest_text(connection, text, limits or TextLimits(), status, network)


async def outcome(database: Database, message_id: UUID) -> tuple[str, str | None]:
    async with database.acting_as(SERVICE) as connection:
        row = await connection.fetchrow("select status, error from text_messages where id = $1", message_id)
    assert row is not None
    return row["status"], row["error"]


async def send(database: Database, message_id: UUID, settings: MessagingSettings, *, last_try: bool = False) -> None:
    await send_text(database, choose_sms_gateway(settings), message_id, last_try=last_try)


async def test_a_message_is_sent_once_even_if_the_job_runs_again(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa)))
    async with running_fake_service(twilio_response) as gateway:
        for _ in range(3):
            await send(database, message_id, messaging_settings(gateway))

    assert [request.form["To"] for request in gateway.requests] == [f"+{PHONE}"]
    assert await outcome(database, message_id) == ("delivered", None)


async def test_a_number_that_the_gateway_refuses_is_not_retried(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa), REJECTED_PHONE))
    async with running_fake_service(twilio_response) as gateway:
        await send(database, message_id, messaging_settings(gateway))
        await send(database, message_id, messaging_settings(gateway))

    assert len(gateway.requests) == 1
    assert await outcome(database, message_id) == (
        "failed", "The SMS gateway answered 400: Invalid 'To' Phone Number",
    )  # fmt: skip


async def test_an_unreachable_gateway_is_retried_until_the_last_try(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa)))
    settings = messaging_settings(FakeService(twilio_response, url="http://127.0.0.1:9"))

    with pytest.raises(TextNotSent):
        await send(database, message_id, settings)
    first_outcome = await outcome(database, message_id)
    await send(database, message_id, settings, last_try=True)

    assert first_outcome == ("sending", "The SMS gateway could not be reached.")
    assert await outcome(database, message_id) == ("failed", "The SMS gateway could not be reached.")


async def test_a_message_is_not_sent_again_if_the_gateway_did_not_respond(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa)))
    async with silent_gateway() as gateway:
        await send(database, message_id, messaging_settings(gateway, timeout_seconds=0.2))
        await send(database, message_id, messaging_settings(gateway, timeout_seconds=0.2))

    status, error = await outcome(database, message_id)
    assert (status, len(gateway.requests)) == ("failed", 1)
    assert error == "The SMS gateway did not confirm the message. It may have arrived, so it is not sent again."


async def test_a_message_that_a_crashed_worker_was_sending_is_not_sent_again(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa)))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update text_messages set handed_at = now()")
    async with running_fake_service(twilio_response) as gateway:
        await send(database, message_id, messaging_settings(gateway))

    assert gateway.requests == []
    assert await outcome(database, message_id) == ("failed", INTERRUPTED)


async def test_simultaneous_requests_queue_one_message(database: Database, admin: Connection, rosa: Person) -> None:
    session_id = await make_session(database, rosa)

    message_ids = await asyncio.gather(*(queue(database, text_to(rosa, session_id)) for _ in range(5)))

    assert len(set(message_ids)) == 1
    assert await admin.fetchval("select count(*) from text_messages") == 1


async def test_simultaneous_requests_queue_messages_only_up_to_the_limit(
    database: Database, rosa: Person, mallory: Person
) -> None:
    limits = TextLimits(per_hour=3, per_day=9)
    sessions = [await make_session(database, rosa) for _ in range(6)]

    message_ids = await asyncio.gather(
        *(
            queue(database, text_to(rosa, session, f"417912345{index:02}"), limits)
            for index, session in enumerate(sessions)
        )
    )
    rival_message_id = await queue(database, text_to(mallory, await make_session(database, mallory)), limits)

    outcomes = [await outcome(database, message_id) for message_id in message_ids]
    assert [status for status, _ in outcomes].count("sending") == 3
    assert {error for status, error in outcomes if status == "failed"} == {
        "At most 3 text messages can be sent in an hour. Please send it again later."
    }
    assert (await outcome(database, rival_message_id))[0] == "sending"


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (TextLimits(per_hour=2), "At most 2 text messages can be sent in an hour."),
        (TextLimits(per_day=2), "At most 2 text messages can be sent in a day."),
        (TextLimits(per_network=2), "Too many text messages were sent from your network today."),
        (TextLimits(per_number=2), "This number has received too many text messages today."),
        (TextLimits(in_all=2), "This service cannot send any more text messages today."),
    ],
    ids=["per hour", "per day", "per network", "per number", "in all"],
)
async def test_the_reason_names_the_exceeded_limit(
    database: Database, rosa: Person, limits: TextLimits, reason: str
) -> None:
    sessions = [await make_session(database, rosa) for _ in range(3)]

    message_ids = [await queue(database, text_to(rosa, session_id), limits) for session_id in sessions]
    first, second, third = [await outcome(database, message_id) for message_id in message_ids]

    assert (first[0], second[0], third[0]) == ("sending", "sending", "failed")
    assert (third[1] or "").startswith(reason)


async def test_a_limit_of_zero_allows_no_text(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa)), TextLimits(in_all=0))

    assert (await outcome(database, message_id))[0] == "failed"


async def test_a_company_sees_its_own_messages_and_no_sign_in_codes(
    database: Database, rosa: Person, bea: Person, gil: Person, mallory: Person
) -> None:
    await queue(database, text_to(rosa, await make_session(database, rosa)))
    async with database.acting_as(SERVICE) as connection:
        await add_code(connection, uuid4(), PHONE, "123456 is your Cairn code.")

    visible_kinds = {}
    for person in (rosa, bea, gil, mallory):
        async with database.acting_as(person.principal) as connection:
            rows = await connection.fetch("select kind from text_messages")
            visible_kinds[person.email] = [row["kind"] for row in rows]

    assert visible_kinds == {rosa.email: ["message"], bea.email: ["message"], gil.email: [], mallory.email: []}
