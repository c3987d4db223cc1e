"""Runs the loops of the worker inside a test, on the test's own database."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from cairn import messaging, waivers
from cairn.db import Database
from cairn.jobs import Job, OutboxNotifier, dispatch_forever, open_queue, work
from cairn.messaging import MailSender, MessagingSettings, PushSender, PushSettings, new_push_key, provider_key_box
from cairn.storage import ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.waivers import DocumentContext, open_documents
from tests.seals import document_settings


def document_context_in(data: Path, database: Database, sealing_key: str | None = None) -> DocumentContext:
    """Returns a context that stores documents in `data`. Servers of one deployment have the same `sealing_key`."""
    sealing_key = sealing_key or new_sealing_key()
    settings = StorageSettings.model_validate({"sealing_key": sealing_key})
    storage = ObjectStorage(database, open_blob_store(settings, data / "storage"), settings)
    return open_documents(
        storage,
        data,
        "https://waivers.example",
        MessagingSettings(),
        document_settings(),
        certificate_secret=sealing_key,
    )


PROVIDER_KEY_BOX = provider_key_box("a secret that is only used in tests")


def mail_sender(database: Database, documents: DocumentContext, mail: MessagingSettings | None = None) -> MailSender:
    sources = waivers.attachment_sources(database, documents)
    checks = waivers.cancellation_checks(database)
    return MailSender(database, mail or MessagingSettings(), PROVIDER_KEY_BOX, sources, checks)


def push_settings(**changes: object) -> PushSettings:
    return PushSettings.model_validate({"private_key": new_push_key(), **changes})


@asynccontextmanager
async def worker_running(
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    *,
    mail: MessagingSettings | None = None,
    push: PushSettings | None = None,
    extra_jobs: Sequence[Job] = (),
    documents: DocumentContext | None = None,
) -> AsyncIterator[None]:
    """Runs all jobs of the worker. Without `documents`, the worker stores documents in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        documents = documents or document_context_in(Path(folder), database)
        documents = replace(documents, messaging=mail or MessagingSettings())
        push_sender = PushSender(push or push_settings(), "waivers@cairn.example")
        sender = mail_sender(database, documents, mail)
        jobs = [*messaging.jobs(sender), *waivers.jobs(database, documents, documents.seal, push_sender)]
        async with jobs_running(database, login_url, notifier, [*jobs, *extra_jobs]):
            yield


@asynccontextmanager
async def jobs_running(
    database: Database, login_url: str, notifier: OutboxNotifier, jobs: Sequence[Job]
) -> AsyncIterator[None]:
    """Runs only `jobs`, for tests that do not need the whole worker."""
    async with open_queue(login_url, jobs, notifier) as queue:
        dispatching = dispatch_forever(database, notifier, jobs, poll_seconds=0.5)
        tasks = [asyncio.create_task(dispatching), asyncio.create_task(work(queue))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
