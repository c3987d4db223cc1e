"""The addresses a company connects: who may, which ones, and what is never told."""

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
from tests.integrations.conftest import Admin, Office, endpoint, until
from tests.integrations.receiver import Receiver, receiving
from tests.messaging.mail_providers import certificate_for

ADDRESS = "https://hooks.rio.example/waivers"


async def test_a_secret_is_told_once_and_kept_sealed(
    office: Office, database: Database, rosa: Person, admin: Admin
) -> None:
    made = await office.connect(ADDRESS)

    assert made["secret"].startswith("whsec_")
    async with database.acting_as(rosa.principal, read_only=True) as connection:
        shown = [dict(row) for row in await connection.fetch("select * from webhook_endpoints")]
    assert [(row["name"], row["url"], row["paused"]) for row in shown] == [("hooks.rio.example", ADDRESS, False)]
    assert "secret" not in json.dumps([list(row) for row in shown]).replace("secret_made_at", "")
    stored = str(await admin.fetch("select * from integrations.endpoints"))
    assert made["secret"] not in stored + str(shown), "a copy of the database opens nothing"
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.fetch("select sealed_secret from integrations.endpoints")


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://hooks.rio.example/", "The endpoint must start with https://."),
        ("https://rosa:secret@hooks.rio.example/", "The endpoint must not hold a user name or password."),
        ("https://", "This is not an address."),
        ("nonsense", "The endpoint must start with https://."),
    ],
)
async def test_only_https_addresses_can_be_connected(office: Office, admin: Admin, url: str, says: str) -> None:
    refused = await office("save-webhook", url=url)

    assert (refused.status_code, refused.json()["field"], refused.json()["reason"]) == (400, "url", says)
    assert await admin.fetchval("select count(*) from integrations.endpoints") == 0


@pytest.mark.parametrize("address", ["127.0.0.1", "10.0.0.7", "169.254.169.254", "::1", "fd00::1", "64:ff9b::a00:7"])
async def test_no_address_leads_into_the_servers_own_network(
    office: Office, webhook_sender: WebhookSender, address: str
) -> None:
    async def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.215.14", address]

    # Frozen for everybody else; the office holds this very webhook_sender.
    object.__setattr__(webhook_sender, "resolve", resolve)
    object.__setattr__(webhook_sender, "settings", webhook_sender.settings.model_copy(update={"allowed_networks": ()}))

    refused = await office("save-webhook", url=ADDRESS)

    assert refused.json()["reason"] == "The endpoint must not lead to a private or loopback address."


async def test_a_name_that_leads_elsewhere_later_is_refused_then(
    office: Office, webhook_sender: WebhookSender, database: Database, rosa: Person, receiver: Receiver
) -> None:
    """As with DNS rebinding: public when it was saved, our own network when it is called."""
    made = await office.connect(receiver.url)
    guarded = replace(webhook_sender, settings=webhook_sender.settings.model_copy(update={"allowed_networks": ()}))

    await claim_and_deliver(guarded, database, made["id"])

    failed = await until(database, rosa, status="failed")
    assert failed["error"] == "The endpoint must not lead to a private or loopback address."
    assert receiver.received == []


async def test_the_address_that_was_checked_is_the_one_that_is_called(
    office: Office, webhook_sender: WebhookSender, database: Database, rosa: Person, receiver: Receiver
) -> None:
    """A second answer of the name server is never asked for."""
    made = await office.connect(receiver.url)
    answers = iter([["127.0.0.1"]])

    async def once(_host: str, _port: int) -> list[str]:
        return next(answers)

    await claim_and_deliver(replace(webhook_sender, resolve=once), database, made["id"])

    await until(database, rosa, status="delivered")
    assert receiver.received[0].headers["host"] == f"hooks.rio.example:{receiver.port}"


async def test_a_certificate_for_another_name_is_not_believed(
    office: Office, webhook_sender: WebhookSender, database: Database, rosa: Person, tmp_path: Path
) -> None:
    theirs = certificate_for("somebody-else.example", tmp_path)
    trusting_them = webhook_sender.settings.model_copy(update={"ca_file": theirs})
    async with receiving(theirs) as impostor:
        made = await office.connect(impostor.url)
        await claim_and_deliver(replace(webhook_sender, settings=trusting_them), database, made["id"])

    failed = await until(database, rosa, status="failed")
    assert failed["error"] == "The certificate of the server could not be verified."
    assert impostor.received == []


async def claim_and_deliver(webhook_sender: WebhookSender, database: Database, endpoint_id: str) -> None:
    """One try by hand, with a webhook_sender of the story's own."""
    async with database.acting_as(SERVICE) as connection:
        company = await connection.fetchval("select company_id from integrations.endpoints where id = $1", endpoint_id)
    await send_test(webhook_sender, company, UUID(endpoint_id))
    async with database.acting_as(SERVICE) as connection:
        claimed = await claim_delivery(connection, now(), [])
    assert claimed is not None
    await deliver(webhook_sender, claimed)


async def test_the_same_address_is_connected_once_and_ten_at_most(office: Office) -> None:
    for number in range(MOST_ENDPOINTS):
        await office.connect(f"{ADDRESS}/{number}")

    twice = await office("save-webhook", url=f"{ADDRESS}/0")
    too_many = await office("save-webhook", url=f"{ADDRESS}/one-too-many")

    assert (too_many.status_code, too_many.json()["code"]) == (409, "too_many_webhooks")
    assert twice.status_code == 409


async def test_an_address_is_renamed_changed_and_keeps_its_secret(
    office: Office, database: Database, rosa: Person, admin: Admin
) -> None:
    made = await office.connect(ADDRESS)
    await office.connect(f"{ADDRESS}/other")
    before = await admin.fetchval("select sealed_secret from integrations.endpoints where url = $1", ADDRESS)

    changed = await office("save-webhook", id=made["id"], name="Booking system", url=f"{ADDRESS}/v2")
    twice = await office("save-webhook", id=made["id"], name="Booking system", url=f"{ADDRESS}/other")

    assert changed.json() == {"id": made["id"]}
    kept = await endpoint(database, rosa, made["id"])
    assert (kept["name"], kept["url"]) == ("Booking system", f"{ADDRESS}/v2")
    assert await admin.fetchval("select sealed_secret from integrations.endpoints where name like 'Book%'") == before
    assert twice.json()["reason"] == "This address is connected already."


async def test_a_zapier_hook_is_one_of_zapiers(office: Office, webhook_sender: WebhookSender) -> None:
    refused = await office("save-webhook", kind="zapier", url=ADDRESS)

    assert refused.json()["reason"] == (
        f"The address of a Zapier hook starts with {webhook_sender.settings.zapier_url}/hooks/catch/"
    )


async def test_a_rival_sees_changes_and_sends_nothing(
    office: Office, database: Database, rosa: Person, mallory: Person, admin: Admin
) -> None:
    made = await office.connect(ADDRESS)
    delivery = uuid4()
    await admin.execute(
        """
        insert into integrations.deliveries (id, endpoint_id, company_id, kind, event_id, event, retries_left, status)
        values ($1, $2, $3, 'webhook', $1, 'webhook.test', 0, 'failed')
        """,
        delivery, made["id"], rosa.company,
    )  # fmt: skip
    before = str(await admin.fetch("select * from integrations.endpoints"))

    for function, asked in (
        ("save-webhook", {"id": made["id"], "url": f"{ADDRESS}/mine-now"}),
        ("renew-webhook-secret", {"id": made["id"]}),
        ("try-webhook", {"id": made["id"]}),
        ("resend-webhook", {"delivery": str(delivery)}),
    ):
        assert (await office(function, "mallory", **asked)).status_code == 404, function
        for stranger in ("gil", "anon"):
            assert (await office(function, stranger, **asked)).status_code == 403, (function, stranger)
    async with database.acting_as(mallory.principal) as connection:
        assert await connection.fetch("select * from webhook_endpoints") == []
        assert await connection.fetch("select * from webhook_deliveries") == []
        assert await connection.execute("update webhook_endpoints set paused = true") == "UPDATE 0"
        assert await connection.execute("delete from webhook_endpoints") == "DELETE 0"

    assert str(await admin.fetch("select * from integrations.endpoints")) == before


async def test_a_removed_address_takes_its_deliveries_along(
    office: Office, database: Database, rosa: Person, admin: Admin
) -> None:
    made = await office.connect(ADDRESS)
    await admin.execute(
        """
        insert into integrations.deliveries (endpoint_id, company_id, kind, event_id, event, retries_left)
        values ($1, $2, 'webhook', gen_random_uuid(), 'webhook.test', 0)
        """,
        made["id"], rosa.company,
    )  # fmt: skip

    async with database.acting_as(rosa.principal) as connection:
        assert await connection.execute("delete from webhook_endpoints") == "DELETE 1"

    assert await admin.fetchval("select count(*) from integrations.deliveries") == 0


async def test_tests_have_a_limit(office: Office, admin: Admin, rosa: Person) -> None:
    made = await office.connect(ADDRESS)
    await admin.execute(
        """
        insert into integrations.deliveries (endpoint_id, company_id, kind, event_id, event, retries_left, status)
        select $1, $2, 'webhook', gen_random_uuid(), 'webhook.test', 0, 'failed' from generate_series(1, 20)
        """,
        made["id"], rosa.company,
    )  # fmt: skip

    refused = await office("try-webhook", id=made["id"])

    assert (refused.status_code, refused.json()["code"]) == (429, "webhook_too_often")
