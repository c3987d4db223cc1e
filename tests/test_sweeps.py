"""No sweep handles more rows in one transaction than a batch has, however many rows have become old."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from cairn import auth, billing, inquiries, jobs, limits, storage
from cairn.auth import AuthSettings, new_signing_key
from cairn.billing import BillingSettings
from cairn.billing.settings import StripeSettings
from cairn.db import Connection, Database, batches
from cairn.inquiries import InquirySettings
from cairn.kit import now
from cairn.realtime.maintenance import delete_old_closed_channels, delete_old_messages
from cairn.storage import StorageSettings, new_sealing_key, open_blob_store
from tests.people import Person

Sweep = Callable[[Database], Awaitable[object]]


async def sweep_auth(database: Database) -> None:
    await auth.sweep(database, AuthSettings.model_validate({"jwt_secret": "x" * 32, "signing_key": new_signing_key()}))


async def sweep_billing(database: Database) -> None:
    context = billing.open_billing(database, BillingSettings(), secret="x" * 32, site_url="https://x.example")
    await billing.sweep(context, now())


async def sweep_billing_with_stripe(database: Database) -> None:
    stripe = StripeSettings(secret_key=SecretStr("sk_test_1"), webhook_secret=SecretStr("whsec_1"))
    context = billing.open_billing(
        database, BillingSettings(stripe=stripe), secret="x" * 32, site_url="https://x.example"
    )
    await billing.sweep(context, now())


async def sweep_inquiries(database: Database) -> None:
    await inquiries.sweep(database, InquirySettings())


async def sweep_storage(database: Database) -> None:
    settings = StorageSettings.model_validate({"sealing_key": new_sealing_key()})
    await storage.sweep(database, open_blob_store(settings, Path("unused")))


@pytest.mark.accept("OPS-59")
@pytest.mark.parametrize(
    ("sweep", "table", "columns", "values"),
    [
        (
            sweep_auth, "auth.password_tries", "account_and_network, tries, last_try_at, retry_at",
            "number, 1, now() - interval '9 days', now()",
        ),
        (
            sweep_auth, "auth.flow_state", "provider, authentication_method, created_at",
            "'google', 'oauth', now() - interval '9 days'",
        ),
        (
            sweep_auth, "auth.refresh_tokens", "session_id, token_sha256, revoked_at, created_at",
            "(select id from auth.sessions), number::bytea, now() - interval '31 days', now() - interval '31 days'",
        ),
        (
            sweep_billing, "billing.checkouts", "provider, amount_cents, description, created_at",
            "'stripe', 2000, 'Basic', now() - interval '31 days'",
        ),
        (
            sweep_billing, "(select from billing.checkouts where network is not null)",
            "provider, amount_cents, description, network, created_at",
            "'stripe', 2000, 'Basic', '203.0.113.0/24', now() - interval '2 days'",
        ),
        (
            sweep_inquiries, "(select from inquiries.messages where network is not null)",
            "kind, name, email, network, created_at",
            "'contact', 'Gil', 'gil@example.com', '203.0.113.0/24', now() - interval '2 days'",
        ),
        (limits.sweep, "limits.buckets", "bucket, full_at", "number, now() - interval '1 second'"),
        (
            sweep_storage, "storage.uploads",
            "bucket_id, name, upsert, sealed, content_type, cache_control, expires_at",
            "'signed-waivers', number, false, true, '', '', now() - interval '1 second'",
        ),
        (
            delete_old_messages, "realtime.messages", "topic, extension, inserted_at",
            "'trips', 'broadcast', now() - interval '4 days'",
        ),
        (
            delete_old_closed_channels, "realtime.closed_channels", "key, join_ref, delivered, closed_at",
            "number, 1, pg_current_snapshot(), now() - interval '1 day'",
        ),
        (jobs.sweep, "jobs.pauses", "queue_name, company, until", "'documents', number, now() - interval '1 second'"),
        (
            sweep_billing_with_stripe, "(select from billing.subscriptions where status <> 'ended')",
            "customer_id, reference, plan, status, as_of",
            "(select id from billing.customers), number, 'basic', 'active', now()",
        ),
        (jobs.sweep, "jobs.events", "xid, name, at", "'3', 'thing.happened', now() - interval '2 days'"),
    ],
)  # fmt: skip
async def test_a_sweep_works_in_batches(
    sweep: Sweep,
    table: str,
    columns: str,
    values: str,
    database: Database,
    admin: Connection,
    rosa: Person,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    await admin.execute("insert into billing.customers (provider, reference) values ('sandbox', 'sandbox_1')")
    await admin.execute("insert into auth.sessions (user_id) values ($1)", rosa.id)
    written_table = table.removeprefix("(select from ").partition(" ")[0]
    await admin.execute(
        f"""
        insert into {written_table} ({columns})
        select {values} from (select number::text from generate_series(1, 7) as number) as numbers
        """
    )
    # The readers have read beyond transaction 3, so its events, which are in the last example, may be deleted.
    await admin.execute("update jobs.readers set xid = '4'")
    monkeypatch.setattr(batches, "BATCH_SIZE", 2)
    monkeypatch.setattr(batches, "MAX_BATCHES", 3)

    await sweep(database)

    assert await admin.fetchval(f"select count(*) from {table} as left_over") == 1


@pytest.mark.accept("OPS-59")
async def test_failed_jobs_are_deleted_in_batches(
    database: Database, admin: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await add_jobs(admin, "failed", 7, days_ago=91)
    monkeypatch.setattr(batches, "BATCH_SIZE", 2)
    monkeypatch.setattr(batches, "MAX_BATCHES", 3)

    await jobs.sweep(database)

    assert await admin.fetchval("select count(*) from jobs.procrastinate_jobs") == 1
    assert await admin.fetchval("select count(distinct job_id) from jobs.procrastinate_events") == 1


async def test_failed_jobs_can_be_tried_again_for_90_days_and_waiting_ones_stay(
    database: Database, admin: Connection
) -> None:
    await add_jobs(admin, "failed", 1, days_ago=89)
    await add_jobs(admin, "todo", 1, days_ago=91)

    await jobs.sweep(database)

    assert await admin.fetchval("select count(*) from jobs.procrastinate_jobs") == 2


async def add_jobs(admin: Connection, status: str, count: int, *, days_ago: int) -> None:
    # The triggers of the library refer to their tables without a schema.
    await admin.execute("set search_path = jobs")
    await admin.execute(
        """
        insert into procrastinate_jobs (queue_name, task_name, status)
        select 'documents', 'waivers.prepare_document', 'todo' from generate_series(1, $1)
        """,
        count,
    )
    await admin.execute("update procrastinate_jobs set status = $1", status)
    await admin.execute("update procrastinate_events set at = now() - $1 * interval '1 day'", days_ago)
    await admin.execute("reset search_path")
