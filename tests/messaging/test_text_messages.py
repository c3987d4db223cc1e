"""A local server with the API of Twilio receives the text messages."""

import asyncio
import logging
from uuid import uuid4

import pytest

from cairn.db import SERVICE, Database
from cairn.jobs import OutboxNotifier
from cairn.messaging import (
    MessagingSettings,
    TextNotSent,
    TextRefused,
    TwilioSettings,
    add_text_message,
    choose_sms_gateway,
)
from cairn.messaging.sms import TextMessage
from tests.fake_service import FakeService, running_fake_service
from tests.running_worker import worker_running
from tests.sms_gateway import PHONE, messaging_settings, twilio_response


def make_message(recipient: str = PHONE, channel: str = "sms") -> TextMessage:
    return TextMessage(uuid4(), recipient, "123456 is your Cairn code.", channel)


async def test_a_message_is_sent_in_twilios_format() -> None:
    async with running_fake_service(twilio_response) as gateway:
        number_gateway = choose_sms_gateway(messaging_settings(gateway))
        service_gateway = choose_sms_gateway(messaging_settings(gateway, sender="MG42"))
        assert number_gateway is not None
        assert service_gateway is not None
        receipt = await number_gateway.send(make_message())
        await number_gateway.send(make_message(channel="whatsapp"))
        await service_gateway.send(make_message())

    assert receipt == f"SM+{PHONE}"
    from_number, from_whatsapp, from_service = [request.form for request in gateway.requests]
    assert gateway.requests[0].path == "/2010-04-01/Accounts/AC1/Messages.json"
    assert from_number == {"From": "+15005550006", "To": f"+{PHONE}", "Body": "123456 is your Cairn code."}
    assert (from_whatsapp["From"], from_whatsapp["To"]) == ("whatsapp:+15005550006", f"whatsapp:+{PHONE}")
    assert from_service["MessagingServiceSid"] == "MG42"


@pytest.mark.parametrize(
    ("recipient", "error_type", "reason"),
    [("41790000000", TextRefused, "400: Invalid 'To'"), ("41799999999", TextNotSent, "503: Come back later")],
)
async def test_an_error_contains_the_message_of_the_gateway(
    recipient: str, error_type: type[TextNotSent], reason: str
) -> None:
    async with running_fake_service(twilio_response) as gateway:
        sms_gateway = choose_sms_gateway(messaging_settings(gateway))
        assert sms_gateway is not None
        with pytest.raises(TextNotSent, match=reason) as error:
            await sms_gateway.send(make_message(recipient))

    assert error.type is error_type


async def test_a_message_may_be_retried_if_the_gateway_is_unreachable() -> None:
    sms_gateway = choose_sms_gateway(messaging_settings(FakeService(twilio_response, url="http://127.0.0.1:9")))
    assert sms_gateway is not None
    with pytest.raises(TextNotSent, match="could not be reached"):
        await sms_gateway.send(make_message())


def test_there_is_no_gateway_if_the_settings_are_incomplete() -> None:
    assert choose_sms_gateway(MessagingSettings()) is None
    assert choose_sms_gateway(MessagingSettings(twilio=TwilioSettings(account_sid="AC1"))) is None


async def test_the_worker_sends_a_message_and_deletes_its_body(
    database: Database, login_url: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with running_fake_service(twilio_response) as gateway, OutboxNotifier(login_url) as notifier:
        with caplog.at_level(logging.INFO):
            async with worker_running(database, login_url, notifier, mail=messaging_settings(gateway)):
                for recipient in (PHONE, "41790000000"):
                    async with database.acting_as(SERVICE) as connection:
                        await add_text_message(connection, uuid4(), recipient, "654321 is your Cairn code.")
                    notifier.notify()
                rows = await wait_for_outcomes(database)

    assert [(row["status"], row["body"]) for row in rows] == [("delivered", ""), ("failed", "")]
    assert gateway.requests[0].form["Body"] == "654321 is your Cairn code."
    assert "654321" not in caplog.text


async def wait_for_outcomes(database: Database) -> list[dict[str, str]]:
    for _ in range(200):
        async with database.acting_as(SERVICE) as connection:
            rows = await connection.fetch("select status, body from text_messages order by recipient desc")
        if len(rows) == 2 and all(row["status"] != "sending" for row in rows):
            return [dict(row) for row in rows]
        await asyncio.sleep(0.05)
    raise AssertionError("the messages are still being sent")
