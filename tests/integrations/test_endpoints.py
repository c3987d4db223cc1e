"""Only a company may manage its endpoints, only some URLs are allowed, and no one can read a secret."""

import json
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.integrations import DeliveryState, WebhookSender, delivery_state, register_endpoint, send_test
from cairn.integrations.claim import claim_delivery
from cairn.integrations.deliver import deliver
from cairn.integrations.errors import EndpointInvalid
from cairn.kit import now
from tests.integrations.conftest import Admin, FunctionsClient, read_endpoint
from tests.integrations.receiver import WebhookReceiver, running_receiver
from tests.messaging.mail_providers import certificate_for
from tests.people import Person

URL = "https://hooks.rio.example/waivers"


async def test_a_secret_is_returned_once_and_stored_encrypted(
    functions: FunctionsClient, database: Database, rosa: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)

    assert endpoint["secret"].startswith("whsec_")
    async with database.acting_as(rosa.principal, read_only=True) as connection:
        rows = [dict(row) for row in await connection.fetch("select * from webhook_endpoints")]
    assert [(row["name"], row["url"], row["paused"]) for row in rows] == [("hooks.rio.example", URL, False)]
    assert "secret" not in json.dumps([list(row) for row in rows]).replace("secret_made_at", "")
    stored_rows = str(await admin.fetch("select * from integrations.endpoints"))
    assert endpoint["secret"] not in stored_rows + str(rows), "a copy of the database does not reveal the secret"
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.fetch("select sealed_secret from integrations.endpoints")


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://hooks.rio.example/", "The endpoint must start with https://."),
        ("https://rosa:secret@hooks.rio.example/", "The endpoint must not hold a user name or password."),
        ("https://", "This is not an address."),
        ("nonsense", "The endpoint must start with https://."),
    ],
)
async def test_only_https_addresses_without_credentials_can_be_connected(
    functions: FunctionsClient, admin: Admin, url: str, reason: str
) -> None:
    response = await functions("save-webhook", url=url)

    assert (response.status_code, response.json()["field"], response.json()["reason"]) == (400, "url", reason)
    assert await admin.fetchval("select count(*) from integrations.endpoints") == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00::1", "64:ff9b::a00:7"])
async def test_an_endpoint_with_a_private_address_is_refused(
    functions: FunctionsClient, webhook_sender: WebhookSender, address: str
) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.215.14", address]

    # The functions use this object. It is frozen, so it cannot be changed in the usual way.
    object.__setattr__(webhook_sender, "resolve", resolve)
    object.__setattr__(webhook_sender, "settings", webhook_sender.settings.model_copy(update={"allowed_networks": ()}))

    response = await functions("save-webhook", url=URL)

    assert response.json()["reason"] == "The endpoint must not lead to a private or loopback address."


async def test_a_host_that_resolves_to_a_private_address_after_saving_is_refused(
    functions: FunctionsClient, webhook_sender: WebhookSender, receiver: WebhookReceiver
) -> None:
    endpoint = await functions.connect(receiver.url)
    settings = webhook_sender.settings.model_copy(update={"allowed_networks": ()})

    outcome = await deliver_test(replace(webhook_sender, settings=settings), endpoint["id"])

    assert outcome.status == "failed"
    assert outcome.error == "The endpoint must not lead to a private or loopback address."
    assert receiver.webhooks == []


async def test_the_host_is_not_resolved_again_after_its_address_was_checked(
    functions: FunctionsClient, webhook_sender: WebhookSender, receiver: WebhookReceiver
) -> None:
    endpoint = await functions.connect(receiver.url)
    lookups = iter([["127.0.0.1"]])

    async def resolve_once(_host: str, _port: int) -> list[str]:
        return next(lookups)

    outcome = await deliver_test(replace(webhook_sender, resolve=resolve_once), endpoint["id"])

    assert outcome.status == "delivered"
    assert receiver.webhooks[0].headers["host"] == f"hooks.rio.example:{receiver.port}"


async def test_a_certificate_for_another_host_is_rejected(
    functions: FunctionsClient, webhook_sender: WebhookSender, tmp_path: Path
) -> None:
    other_certificate = certificate_for("other.example", tmp_path)
    settings = webhook_sender.settings.model_copy(update={"ca_file": other_certificate})
    async with running_receiver(other_certificate) as impostor:
        endpoint = await functions.connect(impostor.url)
        outcome = await deliver_test(replace(webhook_sender, settings=settings), endpoint["id"])

    assert outcome.status == "failed"
    assert outcome.error == "The certificate of the server could not be verified."
    assert impostor.webhooks == []


async def deliver_test(sender: WebhookSender, endpoint_id: str) -> DeliveryState:
    """Sends a test delivery with `sender`, without a worker, and returns the outcome."""
    async with sender.database.acting_as(SERVICE) as connection:
        company_id = await connection.fetchval(
            "select company_id from integrations.endpoints where id = $1", endpoint_id
        )
    await send_test(sender, company_id, UUID(endpoint_id))
    async with sender.database.acting_as(SERVICE) as connection:
        delivery = await claim_delivery(connection, now(), quick=False)
    assert delivery is not None
    await deliver(sender, delivery)
    async with sender.database.acting_as(SERVICE) as connection:
        return await delivery_state(connection, delivery.id)


async def test_a_company_can_connect_ten_endpoints_and_each_url_once(functions: FunctionsClient) -> None:
    for number in range(10):
        await functions.connect(f"{URL}/{number}")

    same_url_response = await functions("save-webhook", url=f"{URL}/0")
    too_many_response = await functions("save-webhook", url=f"{URL}/one-too-many")

    assert (too_many_response.status_code, too_many_response.json()["code"]) == (409, "too_many_webhooks")
    assert same_url_response.status_code == 409


async def test_an_endpoint_keeps_its_secret_when_it_is_changed(
    functions: FunctionsClient, database: Database, rosa: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)
    await functions.connect(f"{URL}/other")
    secret = await admin.fetchval("select sealed_secret from integrations.endpoints where url = $1", URL)

    change_response = await functions("save-webhook", id=endpoint["id"], name="Booking system", url=f"{URL}/v2")
    same_url_response = await functions("save-webhook", id=endpoint["id"], name="Booking system", url=f"{URL}/other")

    assert change_response.json() == {"id": endpoint["id"]}
    changed_endpoint = await read_endpoint(database, rosa, endpoint["id"])
    assert (changed_endpoint["name"], changed_endpoint["url"]) == ("Booking system", f"{URL}/v2")
    assert await admin.fetchval("select sealed_secret from integrations.endpoints where name like 'Book%'") == secret
    assert same_url_response.json()["reason"] == "This address is connected already."


async def test_a_zapier_hook_must_have_a_url_of_zapier(
    functions: FunctionsClient, webhook_sender: WebhookSender
) -> None:
    response = await functions("save-webhook", kind="zapier", url=URL)

    assert response.json()["reason"] == (
        f"The address of a Zapier hook starts with {webhook_sender.settings.zapier_url}/hooks/catch/"
    )


async def test_outsiders_can_neither_see_nor_change_nor_test_an_endpoint(
    functions: FunctionsClient, database: Database, rosa: Person, mallory: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)
    delivery_id = uuid4()
    await admin.execute(
        """
        insert into integrations.deliveries (id, endpoint_id, company_id, kind, event_id, event, retries_left, status)
        values ($1, $2, $3, 'webhook', $1, 'webhook.test', 0, 'failed')
        """,
        delivery_id, endpoint["id"], rosa.company,
    )  # fmt: skip
    endpoints_before = str(await admin.fetch("select * from integrations.endpoints"))

    for function, parameters in (
        ("save-webhook", {"id": endpoint["id"], "url": f"{URL}/mine-now"}),
        ("renew-webhook-secret", {"id": endpoint["id"]}),
        ("try-webhook", {"id": endpoint["id"]}),
        ("resend-webhook", {"delivery": str(delivery_id)}),
    ):
        assert (await functions(function, "mallory", **parameters)).status_code == 404, function
        for outsider in ("gil", "anon"):
            assert (await functions(function, outsider, **parameters)).status_code == 403, (function, outsider)
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from webhook_endpoints") == []
        assert await connection.fetch("select * from webhook_deliveries") == []
        assert await connection.execute("update webhook_endpoints set paused = true") == "UPDATE 0"
        assert await connection.execute("delete from webhook_endpoints") == "DELETE 0"

    assert str(await admin.fetch("select * from integrations.endpoints")) == endpoints_before


async def test_deleting_an_endpoint_deletes_its_deliveries(
    functions: FunctionsClient, database: Database, rosa: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)
    await admin.execute(
        """
        insert into integrations.deliveries (endpoint_id, company_id, kind, event_id, event, retries_left)
        values ($1, $2, 'webhook', gen_random_uuid(), 'webhook.test', 0)
        """,
        endpoint["id"], rosa.company,
    )  # fmt: skip

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.execute("delete from webhook_endpoints") == "DELETE 1"

    assert await admin.fetchval("select count(*) from integrations.deliveries") == 0


async def test_test_deliveries_are_rate_limited(functions: FunctionsClient, admin: Admin, rosa: Person) -> None:
    endpoint = await functions.connect(URL)
    await admin.execute(
        """
        insert into integrations.deliveries (endpoint_id, company_id, kind, event_id, event, retries_left, status)
        select $1, $2, 'webhook', gen_random_uuid(), 'webhook.test', 0, 'failed' from generate_series(1, 20)
        """,
        endpoint["id"], rosa.company,
    )  # fmt: skip

    response = await functions("try-webhook", id=endpoint["id"])

    assert (response.status_code, response.json()["code"]) == (429, "webhook_too_often")


async def test_17l2_the_names_that_a_company_has_looked_up_are_limited(
    functions: FunctionsClient, webhook_sender: WebhookSender, rosa: Person
) -> None:
    """17L2 in docs/security.md. An address that is refused counts too. A new name for an endpoint does not."""
    endpoint = await functions.connect(URL)
    settings = webhook_sender.settings.model_copy(update={"allowed_networks": ()})
    strict_sender = replace(webhook_sender, settings=settings)
    for number in range(29):
        with pytest.raises(EndpointInvalid):
            await register_endpoint(strict_sender, rosa.company, "webhook", "", f"{URL}/{number}")

    response = await functions("save-webhook", url=f"{URL}/more")
    assert (response.status_code, response.json()["code"]) == (429, "webhook_too_often")
    assert (await functions("save-webhook", id=endpoint["id"], url=URL, name="Booking")).status_code == 200
    assert (await functions("save-webhook", caller="mallory", url=URL)).status_code == 200
