"""A push service receives push messages, and a browser decrypts them."""

from uuid import uuid4

import httpx
import pytest

from cairn.kit import now
from cairn.messaging import PushFailed, PushSender, Subscription, SubscriptionGone
from tests.messaging.push_service import Browser, open_push_service
from tests.running_worker import push_settings

PAYLOAD = {"title": "New Waiver Signed", "message": "Gil Okafor has signed a waiver: River trip"}


async def test_only_the_browser_can_decrypt_a_message_and_the_service_can_identify_the_sender() -> None:
    topic = uuid4()
    async with open_push_service() as service:
        laptop = service.browser("laptop")
        await PushSender(service.settings, "waivers@cairn.example").send(laptop.subscription, topic, PAYLOAD)

    [request] = service.requests
    assert laptop.decrypt(request.body) == PAYLOAD
    assert b"Gil" not in request.body
    assert request.headers["content-encoding"] == "aes128gcm"
    assert (request.headers["topic"], int(request.headers["ttl"])) == (topic.hex, 86_400)
    claims = request.claims()
    assert (claims["aud"], claims["sub"]) == (service.url, "mailto:waivers@cairn.example")
    assert 0 < claims["exp"] - now().timestamp() <= 86_400
    with pytest.raises(Exception, match="Decryption error"):
        service.browser("phone").decrypt(request.body)


async def test_a_long_message_is_shortened_to_fit() -> None:
    async with open_push_service() as service:
        browser = service.browser("laptop")
        await PushSender(service.settings, "x@cairn.example").send(
            browser.subscription, uuid4(), {**PAYLOAD, "message": "ü" * 9000}
        )

    assert browser.decrypt(service.requests[0].body) == {**PAYLOAD, "message": "ü" * 200}
    assert len(service.requests[0].body) <= 4096


@pytest.mark.parametrize(
    ("status", "error_type"), [(404, SubscriptionGone), (410, SubscriptionGone), (429, PushFailed), (503, PushFailed)]
)
async def test_the_status_of_the_response_decides_whether_the_subscription_counts_as_gone(
    status: int, error_type: type[Exception]
) -> None:
    async with open_push_service() as service:
        service.statuses["laptop"] = status
        with pytest.raises(error_type):
            await PushSender(service.settings, "x@cairn.example").send(
                service.browser("laptop").subscription, uuid4(), PAYLOAD
            )


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://evil.example/send",
        "http://fcm.googleapis.com/send",
        "https://fcm.googleapis.com.evil.example/",
        "https://fcm.googleapis.com@evil.example/",
        "http://169.254.169.254/latest/meta-data",
        "https://evilpush.apple.com.example/",
        "https://[::1",
        "nonsense",
    ],
)
async def test_nothing_is_sent_to_servers_that_are_not_push_services(
    endpoint: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []

    async def record(*arguments: object, **_options: object) -> httpx.Response:
        calls.append(arguments)
        return httpx.Response(201)

    monkeypatch.setattr(httpx.AsyncClient, "post", record)

    with pytest.raises(SubscriptionGone):
        await PushSender(push_settings(), "x@cairn.example").send(Browser(endpoint).subscription, uuid4(), PAYLOAD)

    assert calls == []


async def test_a_subscription_with_malformed_keys_counts_as_gone() -> None:
    subscription = Subscription("https://fcm.googleapis.com/send/1", "AAAA", "AAAA")

    with pytest.raises(SubscriptionGone):
        await PushSender(push_settings(), "x@cairn.example").send(subscription, uuid4(), PAYLOAD)
