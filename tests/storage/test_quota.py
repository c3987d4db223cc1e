"""M6, 16A4, 17A7: a stranger with a new account cannot fill the disk. Accounts and networks have quotas.

M6, 16A4 and 17A7 are findings in docs/security.md.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from cairn.storage import StorageSettings, new_sealing_key
from tests.people import Person
from tests.storage.client import StorageClient, error_of, files_in
from tests.storage.test_resumable import send_bytes, start_upload, upload_metadata

ACCOUNT_MAX_BYTES = 10_000
ACCOUNT_MAX_FILES = 12
NETWORK_DAILY_BYTES = 60_000
FILE = b"x" * 1_000
QUOTA_REACHED = ("413", "QuotaReached")


@pytest.fixture
def settings() -> StorageSettings:
    return StorageSettings.model_validate(
        {
            "sealing_key": new_sealing_key(),
            "account_max_bytes": ACCOUNT_MAX_BYTES,
            "account_max_files": ACCOUNT_MAX_FILES,
            "network_daily_bytes": NETWORK_DAILY_BYTES,
        }
    )


def bytes_on_disk(folder: Path) -> int:
    return sum(path.stat().st_size for path in files_in(folder))


async def test_m6_an_account_stores_no_more_than_its_quota(
    storage: StorageClient, photos: str, mallory: Person, folder: Path
) -> None:
    responses = [await storage.put(f"{photos}/{mallory.id}/{number}", FILE, who="mallory") for number in range(15)]

    assert [response.status_code for response in responses] == [200] * 10 + [400] * 5
    assert error_of(responses[-1]) == QUOTA_REACHED
    assert responses[-1].json()["message"] == (
        "Your account may store 12 files with 0 MB in total. Delete files that you no longer need, then try again."
    )
    assert bytes_on_disk(folder) == ACCOUNT_MAX_BYTES


async def test_m6_simultaneous_uploads_do_not_exceed_the_quota(
    storage: StorageClient, photos: str, mallory: Person, folder: Path
) -> None:
    responses = await asyncio.gather(
        *(storage.put(f"{photos}/{mallory.id}/{number}", FILE, who="mallory") for number in range(25))
    )

    assert sum(response.status_code == 200 for response in responses) == 10
    assert bytes_on_disk(folder) == ACCOUNT_MAX_BYTES


async def test_m6_empty_files_count_as_files(storage: StorageClient, photos: str, mallory: Person) -> None:
    responses = [await storage.put(f"{photos}/{mallory.id}/{number}", b"", who="mallory") for number in range(13)]

    assert [response.status_code for response in responses] == [200] * 12 + [400]


async def test_m6_a_body_without_a_declared_size_is_cut_off(
    storage: StorageClient, photos: str, mallory: Person, folder: Path
) -> None:
    async def endless_body() -> AsyncIterator[bytes]:
        while True:
            yield FILE

    response = await storage.request("POST", f"/object/{photos}/{mallory.id}/a", who="mallory", content=endless_body())

    assert error_of(response) == QUOTA_REACHED
    assert bytes_on_disk(folder) == 0


async def copy_file(storage: StorageClient, photos: str, owner: str, number: int) -> httpx.Response:
    keys = {"sourceKey": f"{owner}/first", "destinationKey": f"{owner}/{number}"}
    return await storage.request("POST", "/object/copy", who="mallory", json={"bucketId": photos, **keys})


async def upload_with_signed_url(storage: StorageClient, photos: str, owner: str, number: int) -> httpx.Response:
    path = f"/object/upload/sign/{photos}/{owner}/{number}"
    token = (await storage.fetch("POST", path, who="mallory", json={}))["token"]
    return await storage.request("PUT", f"{path}?token={token}", who=None, content=FILE)


async def upload_resumably(storage: StorageClient, photos: str, owner: str, number: int) -> httpx.Response:
    """Sends the first 1,000 of 2,000 bytes."""
    started = await start_upload(storage, photos, f"{owner}/{number}", 2 * len(FILE), who="mallory")
    if not started.is_success:
        return started
    return await send_bytes(storage, started.headers["location"], 0, FILE, who="mallory")


Upload = Callable[[StorageClient, str, str, int], Awaitable[httpx.Response]]


@pytest.mark.parametrize("upload", [copy_file, upload_with_signed_url, upload_resumably])
async def test_m6_every_way_to_store_a_file_counts_towards_the_quota(
    storage: StorageClient, photos: str, mallory: Person, folder: Path, upload: Upload
) -> None:
    await storage.put(f"{photos}/{mallory.id}/first", FILE, who="mallory")

    responses = [await upload(storage, photos, str(mallory.id), number) for number in range(15)]

    assert responses[0].is_success
    assert not responses[-1].is_success
    assert "Your account may store" in responses[-1].text
    assert bytes_on_disk(folder) <= ACCOUNT_MAX_BYTES


async def test_m6_resumable_uploads_that_were_started_before_the_quota_was_reached_are_refused(
    storage: StorageClient, photos: str, mallory: Person, folder: Path
) -> None:
    started = [
        await start_upload(storage, photos, f"{mallory.id}/{number}", 2_000, who="mallory") for number in range(12)
    ]
    urls = [response.headers["location"] for response in started]

    responses = await asyncio.gather(*(send_bytes(storage, url, 0, FILE, who="mallory") for url in urls))

    assert sum(response.status_code == 204 for response in responses) == 10
    assert bytes_on_disk(folder) == ACCOUNT_MAX_BYTES
    one_more = await start_upload(storage, photos, f"{mallory.id}/12", 1, who="mallory")
    assert one_more.status_code == 413


async def test_16a4_resumable_uploads_without_bytes_count_for_the_network(
    storage: StorageClient, photos: str, mallory: Person
) -> None:
    """Each upload replaces the same empty file, so the account stores only one."""
    headers = {"x-upsert": "true"}
    responses = [
        await start_upload(storage, photos, f"{mallory.id}/empty", 0, who="mallory", headers=headers)
        for _ in range(NETWORK_DAILY_BYTES // 1_000)
    ]

    assert responses[0].status_code == 201
    assert (responses[-1].status_code, "your network" in responses[-1].text) == (429, True)


async def test_17a7_copies_count_for_the_network(storage: StorageClient, photos: str, mallory: Person) -> None:
    """Each copy replaces the same file, so the account stores only two."""
    await storage.put(f"{photos}/{mallory.id}/first", FILE * 4, who="mallory")
    keys = {"sourceKey": f"{mallory.id}/first", "destinationKey": f"{mallory.id}/copy"}
    request: dict[str, Any] = {"json": {"bucketId": photos, **keys}, "headers": {"x-upsert": "true"}}

    responses = [await storage.request("POST", "/object/copy", who="mallory", **request) for _ in range(12)]
    of_service = await storage.request("POST", "/object/copy", **request)

    assert [response.status_code for response in responses] == [200] * 11 + [400]
    assert error_of(responses[-1]) == ("429", "TooManyRequests")
    assert of_service.status_code == 200


async def test_17a7_replacing_an_empty_file_counts_for_the_network(
    storage: StorageClient, photos: str, mallory: Person
) -> None:
    path, times = f"{photos}/{mallory.id}/empty", NETWORK_DAILY_BYTES // 1_000

    statuses = [(await storage.put(path, b"", who="mallory", x_upsert="true")).status_code for _ in range(times + 1)]

    assert statuses == [200] * times + [400]


@pytest.mark.parametrize("name", ["contentType", "cacheControl"])
async def test_16a4_long_content_types_and_cache_settings_are_refused(
    storage: StorageClient, photos: str, mallory: Person, name: str
) -> None:
    fields = {"bucketName": photos, "objectName": f"{mallory.id}/a", name: "text/plain; x=" + "x" * 250}
    headers = {"Upload-Metadata": upload_metadata(**fields)}
    resumable = await start_upload(storage, photos, "a", 0, who="mallory", headers=headers)
    header = {"contentType": "content_type", "cacheControl": "cache_control"}[name]
    plain = await storage.put(f"{photos}/{mallory.id}/b", b"b", who="mallory", **{header: fields[name]})

    assert resumable.status_code == 400
    assert plain.status_code == 400
    assert "longer than 255 characters" in plain.text


async def test_a_file_can_be_replaced_and_deleted_at_the_quota(
    storage: StorageClient, photos: str, mallory: Person
) -> None:
    path = f"{photos}/{mallory.id}"
    await storage.put(f"{path}/large", FILE * 10, who="mallory")

    replaced = await storage.put(f"{path}/large", FILE * 9, who="mallory", x_upsert="true")
    added = await storage.put(f"{path}/small", FILE, who="mallory")
    refused = await storage.put(f"{path}/more", FILE, who="mallory")
    await storage.fetch("DELETE", f"/object/{path}/small", who="mallory")
    added_again = await storage.put(f"{path}/more", FILE, who="mallory")

    responses = (replaced, added, refused, added_again)
    assert [response.status_code for response in responses] == [200, 200, 400, 200]


async def test_the_files_of_others_and_of_the_service_do_not_count_towards_the_quota(
    storage: StorageClient, photos: str, rosa: Person, mallory: Person
) -> None:
    await storage.put(f"{photos}/{mallory.id}/a", FILE * 10, who="mallory")
    await storage.put(f"{photos}/{rosa.id}/from-the-service", FILE * 20)

    assert (await storage.put(f"{photos}/{rosa.id}/a", FILE * 10, who="rosa")).status_code == 200


@pytest.mark.accept("SAFE-15")
async def test_m6_a_network_uploads_no_more_than_its_quota_with_any_number_of_accounts(
    storage: StorageClient, photos: str, rosa: Person, mallory: Person
) -> None:
    """Mallory deletes what she uploads, so that only the limit of the network stops her."""
    path = f"{photos}/{mallory.id}/a"
    statuses = []
    for _ in range(8):
        statuses.append((await storage.put(path, FILE * 9, who="mallory")).status_code)
        await storage.request("DELETE", f"/object/{path}", who="mallory")
    from_the_same_network = await storage.put(f"{photos}/{rosa.id}/a", FILE * 9, who="rosa")
    from_the_service = await storage.put(f"{photos}/b", FILE * 9)

    assert statuses == [200] * 6 + [400] * 2
    assert error_of(from_the_same_network) == ("429", "TooManyRequests")
    assert "Please try again tomorrow" in from_the_same_network.json()["message"]
    assert from_the_service.status_code == 200
