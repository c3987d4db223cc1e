"""The server side at work inside a test: the worker's loops on a test's own database."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from cairn import messaging, waivers
from cairn.db import Database
from cairn.jobs import Job, OutboxNotifier, dispatch, open_queue, work
from cairn.messaging import MailSender, MessagingSettings, Pusher, PushSettings, mail_key_box, new_push_key
from cairn.storage import ObjectStorage, StorageSettings, new_sealing_key, open_blob_store
from cairn.waivers import DocumentContext, DocumentSettings, load_seal, open_documents


def documents_in(data: Path, database: Database) -> DocumentContext:
    """Documents are filed in the bucket, whose bytes lie in this folder."""
    settings = StorageSettings.model_validate({"sealing_key": new_sealing_key()})
    blobs = ObjectStorage(database, open_blob_store(settings, data / "storage"), settings)
    return open_documents(blobs, data, "https://waivers.example")


MAIL_KEY_BOX = mail_key_box("a secret of the tests, and of nothing else")


def mail_sender(database: Database, documents: DocumentContext, mail: MessagingSettings | None = None) -> MailSender:
    sources, objections = waivers.attachment_sources(database, documents), waivers.objections(database)
    return MailSender(database, mail or MessagingSettings(), MAIL_KEY_BOX, sources, objections)


def push_settings(**more: object) -> PushSettings:
    return PushSettings.model_validate({"private_key": new_push_key(), **more})


@asynccontextmanager
async def worker_running(
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    *,
    mail: MessagingSettings | None = None,
    push: PushSettings | None = None,
    more: Sequence[Job] = (),
    documents: DocumentContext | None = None,
) -> AsyncIterator[None]:
    """Without a documents of the test's own, the bytes of documents lie in a folder that goes with the worker."""
    with tempfile.TemporaryDirectory() as folder:
        documents = documents or documents_in(Path(folder), database)
        seal = load_seal(documents.data, DocumentSettings())
        pusher = Pusher(push or push_settings(), "waivers@cairn.example")
        room = mail_sender(database, documents, mail)
        ours = [*messaging.jobs(room), *waivers.jobs(database, documents, seal, pusher, room.settings)]
        async with jobs_running(database, login_url, notifier, [*ours, *more]):
            yield


@asynccontextmanager
async def jobs_running(
    database: Database, login_url: str, notifier: OutboxNotifier, jobs: Sequence[Job]
) -> AsyncIterator[None]:
    """These and no others, for stories that need not wait for documents."""

    async def tail() -> None:
        async with notifier.listening() as woken:
            while True:
                woken.clear()
                while await dispatch(database, jobs):
                    pass
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(0.5):
                        await woken.wait()

    async with open_queue(login_url, jobs, notifier) as queue:
        tasks = [asyncio.create_task(tail()), asyncio.create_task(work(queue))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
