"""Guests receive text messages, each at most once and only within the limits."""

import asyncio
from uuid import UUID, uuid4

import pytest

from cairn.db import SERVICE, Database
from cairn.messaging import GuestText, MessagingSettings, TextLimits, TextNotSent, choose_sms_gateway, queue_guest_text
from cairn.messaging import add_text_message as add_code
from cairn.messaging.send_email import INTERRUPTED
from cairn.messaging.send_text import send_text
from cairn.messaging.sms import RecentTexts, exceeded_limit, parse_phone_number, with_sender_name
from cairn.messaging.sms.segments import count_segments, plain_name
from tests.cast import Person
from tests.factories import make_session
from tests.fake_service import FakeService, running_fake_service
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


@pytest.mark.parametrize(
    # The counts are: by the company in the last hour and in the last day, by all companies to the number, and in total.
    ("recent", "message"),
    [
        (RecentTexts(9, 19, 2, 29), None),
        (RecentTexts(10, 19, 2, 29), "At most 10 text messages can be sent in an hour."),
        (RecentTexts(9, 20, 2, 29), "At most 20 text messages can be sent in a day."),
        (RecentTexts(0, 0, 3, 3), "This number has received too many text messages today."),
        (RecentTexts(0, 0, 0, 30), "This service cannot send any more text messages today."),
    ],
)
def test_the_reason_names_the_exceeded_limit(recent: RecentTexts, message: str | None) -> None:
    reason = exceeded_limit(recent, TextLimits(per_hour=10, per_day=20, per_number=3, in_all=30))

    assert (reason or "").startswith(message or "")
    assert (reason is None) is (message is None)


def text_to(person: Person, session_id: UUID, recipient: str = PHONE) -> GuestText:
    return GuestText(uuid4(), recipient, f"Rio Rafting: sign {LINK}", person.company, session_id)


async def queue(database: Database, text: GuestText, limits: TextLimits | None = None) -> UUID:
    async with database.acting_as(SERVICE) as connection:
        return await queue_guest_text(connection, text, limits or TextLimits())


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
    assert error == "The SMS gateway did not answer. The message may have arrived, so it is not sent again."


async def test_a_message_that_a_crashed_worker_was_sending_is_not_sent_again(database: Database, rosa: Person) -> None:
    message_id = await queue(database, text_to(rosa, await make_session(database, rosa)))
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("update text_messages set handed_at = now()")
    async with running_fake_service(twilio_response) as gateway:
        await send(database, message_id, messaging_settings(gateway))

    assert gateway.requests == []
    assert await outcome(database, message_id) == ("failed", INTERRUPTED)


async def test_simultaneous_requests_queue_one_message(database: Database, rosa: Person) -> None:
    session_id = await make_session(database, rosa)

    message_ids = await asyncio.gather(*(queue(database, text_to(rosa, session_id)) for _ in range(5)))

    assert len(set(message_ids)) == 1
    async with database.acting_as(SERVICE) as connection:
        assert await connection.fetchval("select count(*) from text_messages") == 1


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
