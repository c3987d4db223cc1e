"""Starts the deliveries that a user requests: a test, or another attempt of an earlier delivery."""

from uuid import UUID, uuid4

from cairn.db import SERVICE
from cairn.integrations import delivery_store, endpoint_store
from cairn.integrations.errors import DeliveryNotFound, EndpointNotFound, EndpointPaused, TooOften
from cairn.integrations.sender import WebhookSender

_MAX_TESTS_PER_HOUR = 20
_MAX_ATTEMPTS = 50


async def send_test(sender: WebhookSender, company_id: UUID, endpoint_id: UUID) -> UUID:
    """Returns the id of the new delivery. The worker then sends it like any other."""
    delivery_id = uuid4()
    async with sender.database.acting_as(SERVICE) as connection:
        endpoint = await endpoint_store.find_endpoint(connection, endpoint_id, company_id)
        if endpoint is None:
            raise EndpointNotFound
        if endpoint.paused:
            raise EndpointPaused
        if await delivery_store.count_recent_tests(connection, company_id) >= _MAX_TESTS_PER_HOUR:
            raise TooOften(reason=f"You have sent {_MAX_TESTS_PER_HOUR} tests within an hour. Please wait a little.")
        await delivery_store.add_test(connection, endpoint_id, delivery_id)
    return delivery_id


async def resend_delivery(sender: WebhookSender, company_id: UUID, delivery_id: UUID) -> None:
    async with sender.database.acting_as(SERVICE) as connection:
        delivery = await endpoint_store.find_delivery(connection, delivery_id, company_id)
        if delivery is None:
            raise DeliveryNotFound
        paused, attempts = delivery
        if paused:
            raise EndpointPaused
        if attempts >= _MAX_ATTEMPTS:
            raise TooOften(reason=f"This was tried {attempts} times and cannot be sent again.")
        await delivery_store.make_due(connection, delivery_id)
