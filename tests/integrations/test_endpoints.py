"""The endpoints of a company: who may connect them, which URLs are allowed, and that secrets stay secret."""

import json
from dataclasses import replace
from pathlib import Path
from uuid import UUID, uuid4

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.integrations import WebhookSender, send_test
from cairn.integrations.deliver import deliver
from cairn.integrations.delivery_store import claim_delivery
from cairn.integrations.model import MOST_ENDPOINTS
from cairn.kit import now
from tests.cast import Person
from tests.integrations.conftest import Admin, FunctionsClient, read_endpoint, wait_for_delivery
from tests.integrations.receiver import WebhookReceiver, running_receiver
from tests.messaging.mail_providers import certificate_for

URL = "https://hooks.rio.example/waivers"


async def test_a_secret_is_returned_once_and_stored_encrypted(
    functions: FunctionsClient, database: Database, rosa: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)

    assert endpoint["secret"].startswith("whsec_")
    async with database.acting_as(rosa.principal, read_only=True) as connection:
        shown = [dict(row) for row in await connection.fetch("select * from webhook_endpoints")]
    assert [(row["name"], row["url"], row["paused"]) for row in shown] == [("hooks.rio.example", URL, False)]
    assert "secret" not in json.dumps([list(row) for row in shown]).replace("secret_made_at", "")
    stored = str(await admin.fetch("select * from integrations.endpoints"))
    assert endpoint["secret"] not in stored + str(shown), "a copy of the database does not reveal the secret"
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
async def test_only_https_addresses_can_be_connected(
    functions: FunctionsClient, admin: Admin, url: str, reason: str
) -> None:
    refused = await functions("save-webhook", url=url)

    assert (refused.status_code, refused.json()["field"], refused.json()["reason"]) == (400, "url", reason)
    assert await admin.fetchval("select count(*) from integrations.endpoints") == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00::1", "64:ff9b::a00:7"])
async def test_an_endpoint_in_a_private_network_is_refused(
    functions: FunctionsClient, webhook_sender: WebhookSender, address: str
) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.215.14", address]

    # The functions use this very object, which is frozen.
    object.__setattr__(webhook_sender, "resolve", resolve)
    object.__setattr__(webhook_sender, "settings", webhook_sender.settings.model_copy(update={"allowed_networks": ()}))

    refused = await functions("save-webhook", url=URL)

    assert refused.json()["reason"] == "The endpoint must not lead to a private or loopback address."


async def test_dns_rebinding_after_saving_is_refused(
    functions: FunctionsClient,
    webhook_sender: WebhookSender,
    database: Database,
    rosa: Person,
    receiver: WebhookReceiver,
) -> None:
    """The address was public when it was saved, and is private when it is called."""
    endpoint = await functions.connect(receiver.url)
    guarded = replace(webhook_sender, settings=webhook_sender.settings.model_copy(update={"allowed_networks": ()}))

    await claim_and_deliver(guarded, database, endpoint["id"])

    failed = await wait_for_delivery(database, rosa, status="failed")
    assert failed["error"] == "The endpoint must not lead to a private or loopback address."
    assert receiver.received == []


async def test_the_checked_address_is_the_one_that_is_called(
    functions: FunctionsClient,
    webhook_sender: WebhookSender,
    database: Database,
    rosa: Person,
    receiver: WebhookReceiver,
) -> None:
    """DNS is not resolved a second time."""
    endpoint = await functions.connect(receiver.url)
    lookups = iter([["127.0.0.1"]])

    async def once(_host: str, _port: int) -> list[str]:
        return next(lookups)

    await claim_and_deliver(replace(webhook_sender, resolve=once), database, endpoint["id"])

    await wait_for_delivery(database, rosa, status="delivered")
    assert receiver.received[0].headers["host"] == f"hooks.rio.example:{receiver.port}"


async def test_a_certificate_for_another_host_is_rejected(
    functions: FunctionsClient, webhook_sender: WebhookSender, database: Database, rosa: Person, tmp_path: Path
) -> None:
    other_certificate = certificate_for("other.example", tmp_path)
    trusting_other = webhook_sender.settings.model_copy(update={"ca_file": other_certificate})
    async with running_receiver(other_certificate) as impostor:
        endpoint = await functions.connect(impostor.url)
        await claim_and_deliver(replace(webhook_sender, settings=trusting_other), database, endpoint["id"])

    failed = await wait_for_delivery(database, rosa, status="failed")
    assert failed["error"] == "The certificate of the server could not be verified."
    assert impostor.received == []


async def claim_and_deliver(webhook_sender: WebhookSender, database: Database, endpoint_id: str) -> None:
    """Makes one attempt with this sender, without a worker."""
    async with database.acting_as(SERVICE) as connection:
        company = await connection.fetchval("select company_id from integrations.endpoints where id = $1", endpoint_id)
    await send_test(webhook_sender, company, UUID(endpoint_id))
    async with database.acting_as(SERVICE) as connection:
        claimed = await claim_delivery(connection, now(), [])
    assert claimed is not None
    await deliver(webhook_sender, claimed)


async def test_an_address_can_be_connected_once_and_at_most_ten_in_all(functions: FunctionsClient) -> None:
    for number in range(MOST_ENDPOINTS):
        await functions.connect(f"{URL}/{number}")

    twice = await functions("save-webhook", url=f"{URL}/0")
    too_many = await functions("save-webhook", url=f"{URL}/one-too-many")

    assert (too_many.status_code, too_many.json()["code"]) == (409, "too_many_webhooks")
    assert twice.status_code == 409


async def test_an_endpoint_keeps_its_secret_when_it_is_changed(
    functions: FunctionsClient, database: Database, rosa: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)
    await functions.connect(f"{URL}/other")
    before = await admin.fetchval("select sealed_secret from integrations.endpoints where url = $1", URL)

    changed = await functions("save-webhook", id=endpoint["id"], name="Booking system", url=f"{URL}/v2")
    twice = await functions("save-webhook", id=endpoint["id"], name="Booking system", url=f"{URL}/other")

    assert changed.json() == {"id": endpoint["id"]}
    changed_endpoint = await read_endpoint(database, rosa, endpoint["id"])
    assert (changed_endpoint["name"], changed_endpoint["url"]) == ("Booking system", f"{URL}/v2")
    assert await admin.fetchval("select sealed_secret from integrations.endpoints where name like 'Book%'") == before
    assert twice.json()["reason"] == "This address is connected already."


async def test_a_zapier_hook_must_have_a_url_of_zapier(
    functions: FunctionsClient, webhook_sender: WebhookSender
) -> None:
    refused = await functions("save-webhook", kind="zapier", url=URL)

    assert refused.json()["reason"] == (
        f"The address of a Zapier hook starts with {webhook_sender.settings.zapier_url}/hooks/catch/"
    )


async def test_a_rival_can_neither_see_nor_change_nor_test_an_endpoint(
    functions: FunctionsClient, database: Database, rosa: Person, mallory: Person, admin: Admin
) -> None:
    endpoint = await functions.connect(URL)
    delivery = uuid4()
    await admin.execute(
        """
        insert into integrations.deliveries (id, endpoint_id, company_id, kind, event_id, event, retries_left, status)
        values ($1, $2, $3, 'webhook', $1, 'webhook.test', 0, 'failed')
        """,
        delivery, endpoint["id"], rosa.company,
    )  # fmt: skip
    before = str(await admin.fetch("select * from integrations.endpoints"))

    for function, parameters in (
        ("save-webhook", {"id": endpoint["id"], "url": f"{URL}/mine-now"}),
        ("renew-webhook-secret", {"id": endpoint["id"]}),
        ("try-webhook", {"id": endpoint["id"]}),
        ("resend-webhook", {"delivery": str(delivery)}),
    ):
        assert (await functions(function, "mallory", **parameters)).status_code == 404, function
        for outsider in ("gil", "anon"):
            assert (await functions(function, outsider, **parameters)).status_code == 403, (function, outsider)
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from webhook_endpoints") == []
        assert await connection.fetch("select * from webhook_deliveries") == []
        assert await connection.execute("update webhook_endpoints set paused = true") == "UPDATE 0"
        assert await connection.execute("delete from webhook_endpoints") == "DELETE 0"

    assert str(await admin.fetch("select * from integrations.endpoints")) == before


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

    refused = await functions("try-webhook", id=endpoint["id"])

    assert (refused.status_code, refused.json()["code"]) == (429, "webhook_too_often")
