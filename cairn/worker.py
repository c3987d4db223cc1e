"""Runs the worker, which reads the outbox, queues the jobs that follow from each event, and runs them.

Only the worker sends emails, webhooks and push messages and requests timestamps, so that no request waits for them.
"""

import asyncio
import contextlib
import faulthandler
import logging
import sys
from collections.abc import Awaitable, Callable, Mapping

from cairn import auth, billing, deletion, inquiries, integrations, limits, messaging, storage, waivers
from cairn.billing import BillingContext
from cairn.db import SERVICE, Database, DatabaseBusy, DatabaseUnreachable, RetryPolicy, check_secrets
from cairn.jobs import Job, OutboxNotifier, dispatch_forever, open_queue, sweep, work
from cairn.kit import cancel_and_wait, now
from cairn.messaging import MailSender
from cairn.metrics import serving_metrics
from cairn.open_documents import open_documents
from cairn.settings import Settings
from cairn.storage import BlobStore, ObjectStorage
from cairn.waivers import DocumentContext, Seal, SealUnusable

log = logging.getLogger(__name__)

_POOL_SIZE = 4
_SWEEP_EVERY_SECONDS = 3600.0
_RETRY_EVERY_SECONDS = 5.0
_REMIND_EVERY_SECONDS = 300.0
_MEASURE_EVERY_SECONDS = 60.0
_ERASE_EVERY_SECONDS = 600.0
_DELETE_ACCOUNTS_EVERY_SECONDS = 10.0
_SEAL_HEADS_EVERY_SECONDS = 30.0
_RESTART_LOOP_SECONDS = 1.0
# Longer than `cairn serve` waits for its worker.
_MAX_STOP_SECONDS = 60.0


async def run_worker(settings: Settings, login_url: str, stop: asyncio.Event) -> None:
    blob_store = storage.open_blob_store(settings.storage, settings.data / "storage")
    async with (
        Database(login_url, pooler_url=settings.database.pooler_url, pool_size=_POOL_SIZE) as database,
        serving_metrics(settings.metrics.host, settings.metrics.worker_port, database),
        OutboxNotifier(login_url) as notifier,
    ):
        async with database.acting_as(SERVICE, read_only=True) as connection:
            await check_secrets(connection, settings.encryption_secrets)
        blobs = ObjectStorage(database, blob_store, settings.storage)
        documents = open_documents(settings, blobs)
        seal = documents.seal
        _report_unusable_seal(seal)
        documents.rendering.warm_up()
        sender = mail_sender(settings, database, documents)
        billing_context = billing.open_billing(
            database, settings.billing, secret=settings.sealing_secret, site_url=settings.auth.site_url
        )
        webhook_sender = integrations.open_webhook_sender(
            database, settings.integrations, secret=settings.sealing_secret, site_url=settings.auth.site_url
        )
        jobs = all_jobs(settings, sender, documents, seal, billing_context)
        async with open_queue(login_url, jobs, notifier) as queue:
            await _run_until(
                stop,
                lambda: work(queue),
                {
                    "running the processes for documents": lambda: _run_processes(documents),
                    "reading the outbox": lambda: dispatch_forever(database, notifier, jobs),
                    "sweeping": lambda: _sweep_forever(database, blob_store, settings, billing_context),
                    "retrying documents": lambda: _retry_documents_forever(database, notifier, documents, seal),
                    "retrying emails": lambda: _retry_emails_forever(sender, notifier),
                    "sending reminders": lambda: _remind_forever(database, notifier),
                    "sealing heads": lambda: _seal_heads_forever(database, documents),
                    "timestamping heads": lambda: _timestamp_heads_forever(database, documents, seal),
                    "erasing old waivers": lambda: _erase_forever(database, notifier, settings.auth.site_url),
                    "deleting accounts": lambda: _delete_accounts_forever(billing_context, notifier, blobs),
                    "measuring storage": lambda: _measure_storage_forever(database, settings),
                    "delivering webhooks": lambda: integrations.deliver_forever(webhook_sender, notifier),
                },
            )


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
    """Only documents need the seal. They are retried until it can be loaded, and the other jobs run meanwhile."""
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


async def _run_until(
    stop: asyncio.Event, run_jobs: Callable[[], Awaitable[None]], loops: Mapping[str, Callable[[], Awaitable[None]]]
) -> None:
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
        messaging.provider_key_box(settings.sealing_secret),
        waivers.attachment_sources(database, documents),
        waivers.cancellation_checks(database),
    )


async def stop_with_parent(stop: asyncio.Event) -> None:
    """Sets `stop` when stdin closes.

    stdin is a pipe from `cairn serve`. It closes when the server ends, even if the server is killed. No one is left
    then who could end a worker that hangs, so the worker does it itself.
    """
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    await reader.read()
    faulthandler.dump_traceback_later(_MAX_STOP_SECONDS, exit=True)
    stop.set()


async def _sweep_forever(
    database: Database, blob_store: BlobStore, settings: Settings, billing_context: BillingContext
) -> None:
    while True:
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
        await asyncio.sleep(_SWEEP_EVERY_SECONDS)


async def _retry_documents_forever(
    database: Database, notifier: OutboxNotifier, documents: DocumentContext, seal: Seal
) -> None:
    """Retries overdue documents until they succeed."""
    while True:
        await waivers.retry_overdue_documents(database, documents, seal)
        notifier.notify()
        await asyncio.sleep(_RETRY_EVERY_SECONDS)


async def _retry_emails_forever(sender: MailSender, notifier: OutboxNotifier) -> None:
    """Retries emails that no user is waiting for. Documents have their own loop and do not wait for a mail server."""
    while True:
        await messaging.retry_emails(sender)
        notifier.notify()
        await asyncio.sleep(_RETRY_EVERY_SECONDS)


async def _remind_forever(database: Database, notifier: OutboxNotifier) -> None:
    while True:
        if await waivers.queue_scheduled_reminders(database, now()):
            notifier.notify()
        await asyncio.sleep(_REMIND_EVERY_SECONDS)


async def _seal_heads_forever(database: Database, documents: DocumentContext) -> None:
    """Covers new events with signed heads. Without a usable seal, the events wait."""
    await waivers.list_own_certificates(database, documents)
    while True:
        with contextlib.suppress(SealUnusable):
            await waivers.seal_new_events(database, documents.seal)
        await asyncio.sleep(_SEAL_HEADS_EVERY_SECONDS)


async def _timestamp_heads_forever(database: Database, documents: DocumentContext, seal: Seal) -> None:
    while True:
        await waivers.timestamp_heads(database, documents, seal)
        await asyncio.sleep(_SEAL_HEADS_EVERY_SECONDS)


async def _erase_forever(database: Database, notifier: OutboxNotifier, site_url: str) -> None:
    while True:
        if await waivers.apply_retention(database, site_url, now()):
            notifier.notify()
        await asyncio.sleep(_ERASE_EVERY_SECONDS)


async def _delete_accounts_forever(
    billing_context: BillingContext, notifier: OutboxNotifier, files: ObjectStorage
) -> None:
    while True:
        await deletion.delete_due_accounts(billing_context, files, now())
        await deletion.delete_due_companies(billing_context, files, now())
        # The last email to the owner of an account may have been requested.
        notifier.notify()
        await asyncio.sleep(_DELETE_ACCOUNTS_EVERY_SECONDS)


async def _measure_storage_forever(database: Database, settings: Settings) -> None:
    while True:
        await waivers.measure_storage(database, settings.waivers)
        await asyncio.sleep(_MEASURE_EVERY_SECONDS)
