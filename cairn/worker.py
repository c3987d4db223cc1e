"""Runs the worker, which reads the outbox, queues the jobs that follow from each event, and runs them.

Only the worker sends emails, webhooks and push messages and requests timestamps, so that no request waits for them.
"""

import asyncio
import contextlib
import faulthandler
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import TypeAlias

from cairn import auth, billing, deletion, inquiries, integrations, limits, messaging, storage, trips, waivers
from cairn.billing import BillingContext
from cairn.db import SERVICE, Database, DatabaseBusy, DatabaseUnreachable, RetryPolicy, check_secrets
from cairn.jobs import Job, OutboxNotifier, dispatch_forever, open_queue, run_scheduled, sweep, work
from cairn.kit import cancel_and_wait, now
from cairn.messaging import MailSender
from cairn.metrics import serving_metrics
from cairn.open_services import open_billing, open_documents, open_webhook_sender
from cairn.settings import Settings
from cairn.storage import BlobStore, ObjectStorage
from cairn.tracing import tracing
from cairn.waivers import DocumentContext, Seal, SealUnusable

log = logging.getLogger(__name__)

_POOL_SIZE = 4
_RESTART_LOOP_SECONDS = 1.0
_Loops: TypeAlias = dict[str, Callable[[], Awaitable[None]]]
# A worker ends itself if it hangs for this long after its stdin was closed. `cairn serve` does not wait as long.
MAX_STOP_SECONDS = 60.0


async def run_worker(settings: Settings, login_url: str, stop: asyncio.Event) -> None:
    blob_store = storage.open_blob_store(settings.storage, settings.data / "storage")
    async with (
        tracing(settings.tracing, "worker"),
        Database(login_url, pooler_url=settings.database.pooler_url, pool_size=_POOL_SIZE) as database,
        serving_metrics(settings.metrics.host, settings.metrics.worker_port, database),
        OutboxNotifier(login_url) as notifier,
    ):
        async with database.acting_as(SERVICE, read_only=True) as connection:
            await check_secrets(connection, settings.secrets_with_stored_fingerprints)
        blobs = ObjectStorage(database, blob_store, settings.storage)
        documents = open_documents(settings, blobs)
        seal = documents.seal
        _report_unusable_seal(seal)
        documents.rendering.warm_up()
        sender = mail_sender(settings, database, documents)
        billing_context = open_billing(settings, database)
        webhook_sender = open_webhook_sender(settings, database)
        jobs = all_jobs(settings, sender, documents, seal, billing_context)

        def scheduled(name: str, every_seconds: float, run: Callable[[], Awaitable[bool | None]]) -> _Loops:
            return {name: lambda: run_scheduled(database, name, every_seconds, run)}

        loops: _Loops = {
            "running the processes for documents": lambda: _run_processes(documents),
            "reading the outbox": lambda: dispatch_forever(database, notifier, jobs),
            "delivering webhooks": lambda: integrations.deliver_forever(webhook_sender, notifier),
            "listing certificates": lambda: _list_certificates(database, documents),
            # Each of the following tasks runs in only one of the workers.
            **scheduled("sweeping", 3600, lambda: _sweep(database, blob_store, settings, billing_context)),
            **scheduled("retrying documents", 5, lambda: _retry_documents(database, notifier, documents, seal)),
            **scheduled("retrying emails", 5, lambda: _retry_emails(sender, notifier)),
            **scheduled("sending reminders", 300, lambda: _remind(database, notifier)),
            **scheduled("sealing heads", 30, lambda: _seal_heads(database, documents)),
            **scheduled("timestamping heads", 30, lambda: waivers.timestamp_heads(database, documents, seal)),
            **scheduled("erasing old waivers", 600, lambda: _erase(database, notifier, settings.auth.site_url)),
            **scheduled("deleting accounts", 10, lambda: _delete_accounts(billing_context, notifier, blobs)),
            **scheduled("measuring storage", 60, lambda: waivers.measure_storage(database, settings.waivers)),
        }
        async with open_queue(login_url, jobs, notifier) as queue:
            await _run_until(stop, lambda: work(queue), loops)


def all_jobs(
    settings: Settings, sender: MailSender, documents: DocumentContext, seal: Seal, billing_context: BillingContext
) -> list[Job]:
    push_sender = messaging.PushSender(settings.push, settings.messaging.sender)
    return [
        *messaging.jobs(sender),
        *waivers.jobs(sender.database, documents, seal, push_sender),
        *billing.jobs(billing_context),
        *integrations.jobs(sender.database),
    ]


def _report_unusable_seal(seal: Seal) -> None:
    """Only documents and heads need the seal. They are retried until it can be loaded, and other jobs run meanwhile."""
    try:
        seal.load()
    except SealUnusable as error:
        log.error("%s", error)


async def _run_processes(documents: DocumentContext) -> None:
    """Like the other loops, this one never returns. It ends the processes when the worker stops."""
    try:
        await documents.warm_up()
        await asyncio.Event().wait()
    finally:
        await documents.close()


async def _list_certificates(database: Database, documents: DocumentContext) -> None:
    """Like the other loops, this one never returns."""
    await waivers.save_own_certificates(database, documents)
    await asyncio.Event().wait()


async def _run_until(stop: asyncio.Event, run_jobs: Callable[[], Awaitable[None]], loops: _Loops) -> None:
    """Runs the jobs and the loops until `stop` is set. What fails or ends is started again, and the others go on."""
    jobs_task = _start_loop("running jobs", run_jobs)
    tasks = [_start_loop(name, run) for name, run in loops.items()]
    await stop.wait()
    # The jobs are cancelled only once, because another cancellation would interrupt those that are still running.
    jobs_task.cancel()
    await cancel_and_wait(tasks)
    await asyncio.gather(jobs_task, return_exceptions=True)


def _start_loop(name: str, run: Callable[[], Awaitable[None]]) -> "asyncio.Task[None]":
    return asyncio.create_task(RetryPolicy(log, name, delay_seconds=_RESTART_LOOP_SECONDS).run_forever(run))


def mail_sender(settings: Settings, database: Database, documents: DocumentContext) -> MailSender:
    return MailSender(
        database,
        settings.messaging,
        messaging.provider_key_box(settings.sealing_secret, settings.auth.retired_sealing_values),
        waivers.attachment_sources(database, documents),
        waivers.cancellation_checks(database),
    )


async def stop_with_parent(stop: asyncio.Event, max_seconds: float) -> None:
    """Sets `stop` when stdin closes.

    stdin is a pipe from `cairn serve`. It closes when the server ends, even if the server is killed. No one is left
    then who could end a process that hangs, so the process does it itself after `max_seconds`.
    """
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()
    faulthandler.dump_traceback_later(max_seconds, exit=True)
    stop.set()


async def _sweep(
    database: Database, blob_store: BlobStore, settings: Settings, billing_context: BillingContext
) -> None:
    with contextlib.suppress(DatabaseUnreachable, DatabaseBusy, storage.BlobStoreFailed):
        await sweep(database)
        await storage.sweep(database, blob_store)
        await limits.sweep(database)
        await auth.sweep(database, settings.auth)
        await inquiries.sweep(database, settings.inquiries)
        await billing.sweep(billing_context, now())
        await integrations.sweep(database, settings.integrations)
        await messaging.sweep(database, settings.messaging)
        await waivers.sweep(database, settings.waivers)
        await trips.sweep(database, settings.trips)


async def _retry_documents(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, seal: Seal
) -> None:
    """Retries overdue documents until they succeed."""
    await waivers.retry_overdue_documents(database, documents, seal)
    notifier.notify()


async def _retry_emails(sender: MailSender, notifier: OutboxNotifier) -> None:
    """Retries emails that no user is waiting for. Documents have their own loop and do not wait for a mail server."""
    await messaging.retry_emails(sender)
    notifier.notify()


async def _remind(database: Database, notifier: OutboxNotifier) -> None:
    if await waivers.queue_scheduled_reminders(database, now()):
        notifier.notify()


async def _seal_heads(database: Database, documents: DocumentContext) -> bool:
    """Covers new events with signed heads. Without a usable seal, the events wait for another worker or a repair."""
    try:
        await waivers.seal_new_events(database, documents.seal)
    except SealUnusable:
        return False
    return True


async def _erase(database: Database, notifier: OutboxNotifier, site_url: str) -> None:
    if await waivers.apply_retention(database, site_url, now()):
        notifier.notify()


async def _delete_accounts(billing_context: BillingContext, notifier: OutboxNotifier, files: ObjectStorage) -> None:
    await deletion.delete_due_accounts(billing_context, files, now())
    await deletion.delete_due_companies(billing_context, files, now())
    # The last email to the owner of an account may have been requested.
    notifier.notify()
