"""18B1: a stranger who downloads a document again and again neither fills the memory nor delays the others.

18B1 is a finding in docs/security.md.
"""

import asyncio
import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import httpx
import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Database
from cairn.kit import Problem, now
from cairn.storage import ObjectStorage
from cairn.waivers import DOCUMENT_LINK_PATH, DocumentContext, Seal, document_link_page, fetch_document
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.document_link import create_document_link
from cairn.waivers.documents.download_limits import DownloadLimits
from tests.factories import DOCUMENT_SECRET, make_session, sign
from tests.people import Person

STRANGER, GUEST = "203.0.113.66", "198.51.100.7"
NETWORKS_OF_ONE_CUSTOMER = [f"2001:db8:1:{number:x}::7" for number in range(20)]
# As many connections as a stranger needs to fill the memory.
MANY = 300


class SlowStorage:
    """Reads files slowly, and counts how many are read at once."""

    def __init__(self, storage: ObjectStorage) -> None:
        self._storage = storage
        self._reading = 0
        self.most_at_once = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._storage, name)

    async def get(self, bucket: str, key: str) -> bytes:
        self._reading += 1
        self.most_at_once = max(self.most_at_once, self._reading)
        await asyncio.sleep(0.01)
        content = await self._storage.get(bucket, key)
        self._reading -= 1
        return content


@pytest.fixture
def storage(documents: DocumentContext) -> SlowStorage:
    return SlowStorage(documents.storage)


@pytest.fixture
def slow_documents(documents: DocumentContext, storage: SlowStorage) -> DocumentContext:
    return replace(documents, storage=storage, download_limits=DownloadLimits())  # type: ignore[arg-type] # see above


@pytest_asyncio.fixture
async def waiver_id(database: Database, documents: DocumentContext, seal: Seal, rosa: Person) -> UUID:
    waiver_id: UUID = (await sign(database, await make_session(database, rosa), document_secret=DOCUMENT_SECRET))["id"]
    await prepare_document(database, documents, seal, waiver_id)
    return waiver_id


async def status_of_download(database: Database, documents: DocumentContext, waiver_id: UUID, ip: str) -> int:
    try:
        await fetch_document(database, documents, ANON, waiver_id, now(), secret=DOCUMENT_SECRET, ip=ip)
    except Problem as problem:
        return problem.status
    return 200


async def status_of_link(database: Database, documents: DocumentContext, path: str, ip: str) -> int:
    transport = httpx.ASGITransport(document_link_page(database, documents), client=(ip, 1234))
    async with httpx.AsyncClient(transport=transport, base_url="http://cairn") as client:
        return (await client.get(path)).status_code


@pytest.mark.parametrize("addresses", [[STRANGER], NETWORKS_OF_ONE_CUSTOMER], ids=["ipv4", "ipv6"])
async def test_18b1_a_network_has_two_documents_in_memory_at_once_and_delays_no_one(
    database: Database, slow_documents: DocumentContext, storage: SlowStorage, waiver_id: UUID, addresses: list[str]
) -> None:
    flood = [
        asyncio.create_task(status_of_download(database, slow_documents, waiver_id, addresses[number % len(addresses)]))
        for number in range(MANY)
    ]
    await asyncio.sleep(0)
    status = await status_of_download(database, slow_documents, waiver_id, GUEST)

    assert status == 200
    assert not all(download.done() for download in flood), "the guest does not wait for the stranger"
    assert set(await asyncio.gather(*flood)) == {200, 503}
    assert storage.most_at_once <= 3, "two of the stranger and one of the guest"


async def test_18b1_the_link_in_an_email_has_the_same_limits(
    database: Database, slow_documents: DocumentContext, storage: SlowStorage, waiver_id: UUID
) -> None:
    async with database.acting_as(SERVICE) as connection:
        link = await create_document_link(connection, "", waiver_id)
    path = link.removeprefix(DOCUMENT_LINK_PATH)

    statuses = await asyncio.gather(
        *(status_of_link(database, slow_documents, path, STRANGER) for _ in range(MANY)),
        status_of_link(database, slow_documents, path, GUEST),
    )

    assert (set(statuses), statuses[-1]) == ({200, 503}, 200)
    assert storage.most_at_once <= 3


async def test_18b1_many_networks_together_have_eight_documents_in_memory(
    database: Database, slow_documents: DocumentContext, storage: SlowStorage, waiver_id: UUID
) -> None:
    addresses = [f"203.0.113.{number}" for number in range(1, 41)]

    downloads = (status_of_download(database, slow_documents, waiver_id, address) for address in addresses)

    assert set(await asyncio.gather(*downloads)) == {200}
    assert storage.most_at_once <= 8


async def test_18b1_a_network_downloads_a_limited_number_of_bytes_in_a_minute(
    database: Database, documents: DocumentContext, waiver_id: UUID
) -> None:
    limited = replace(documents, download_limits=DownloadLimits(kilobytes_per_minute=50))
    async with database.acting_as(SERVICE) as connection:
        link = await create_document_link(connection, "", waiver_id)

    statuses = [await status_of_download(database, limited, waiver_id, STRANGER) for _ in range(5)]

    assert (statuses[0], statuses[-1]) == (200, 429)
    assert await status_of_link(database, limited, link.removeprefix(DOCUMENT_LINK_PATH), STRANGER) == 429
    assert await status_of_download(database, limited, waiver_id, GUEST) == 200


async def test_18b1_an_office_opens_twenty_documents_at_once_and_again(
    database: Database, documents: DocumentContext, waiver_id: UUID
) -> None:
    for _ in range(2):
        downloads = (status_of_download(database, documents, waiver_id, GUEST) for _ in range(20))

        assert set(await asyncio.gather(*downloads)) == {200}


async def test_18b1_the_hash_of_a_document_is_not_computed_on_the_event_loop(
    database: Database, documents: DocumentContext, waiver_id: UUID
) -> None:
    with recorded_threads() as threads:
        assert await status_of_download(database, documents, waiver_id, GUEST) == 200

    assert len(threads) == 1
    assert threading.main_thread() not in threads


@contextmanager
def recorded_threads() -> Iterator[list[threading.Thread]]:
    """Records in which threads documents are hashed."""
    threads: list[threading.Thread] = []
    sha256 = hashlib.sha256

    def recording_sha256(content: bytes = b"", **options: Any) -> Any:
        if content.startswith(b"%PDF-"):
            threads.append(threading.current_thread())
        return sha256(content, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hashlib, "sha256", recording_sha256)
        yield threads
