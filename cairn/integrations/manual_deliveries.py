"""Deliveries that a user starts: a test, or another attempt of an earlier delivery."""

from uuid import UUID, uuid4

from cairn.db import SERVICE
from cairn.integrations import delivery_store, endpoint_store
from cairn.integrations.errors import DeliveryNotFound, TooOften, WebhookNotFound, WebhookPaused
from cairn.integrations.sender import WebhookSender

_TESTS_PER_HOUR = 20
_MOST_ATTEMPTS = 50


async def send_test(sender: WebhookSender, company_id: UUID, endpoint_id: UUID) -> UUID:
    """The id of the new delivery, which the worker delivers like any other."""
    delivery_id = uuid4()
    async with sender.database.acting_as(SERVICE) as connection:
        endpoint = await endpoint_store.find_endpoint(connection, endpoint_id, company_id)
        if endpoint is None:
            raise WebhookNotFound
        if endpoint.paused:
            raise WebhookPaused
        if await delivery_store.count_recent_tests(connection, company_id) >= _TESTS_PER_HOUR:
            raise TooOften(reason=f"You have sent {_TESTS_PER_HOUR} tests within an hour. Please wait a little.")
        await delivery_store.add_test(connection, endpoint_id, delivery_id)
    return delivery_id


async def resend_delivery(sender: WebhookSender, company_id: UUID, delivery_id: UUID) -> None:
    async with sender.database.acting_as(SERVICE) as connection:
        found = await endpoint_store.endpoint_of_delivery(connection, delivery_id, company_id)
        if found is None:
            raise DeliveryNotFound
        paused, attempts = found
        if paused:
            raise WebhookPaused
        if attempts >= _MOST_ATTEMPTS:
            raise TooOften(reason=f"This was tried {attempts} times and cannot be sent again.")
        await delivery_store.make_due(connection, delivery_id)
