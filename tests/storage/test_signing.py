"""A signed URL allows one operation on one object until the URL expires.

AL3 is a finding in docs/security.md.
"""

from datetime import timedelta
from typing import Any

import httpx
import pytest

from cairn.kit import now
from cairn.storage import signing
from cairn.storage.signed_urls import UrlSigner
from tests.people import Person
from tests.storage.client import StorageClient, error_of


@pytest.mark.accept("STORE-06")
async def test_a_signed_url_works_until_it_expires(
    storage: StorageClient, photos: str, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{photos}/{rosa.id}/a b.txt"
    await storage.put(path, b"mine", who="rosa")
    sign_result = await storage.fetch("POST", f"/object/sign/{path}", who="rosa", json={"expiresIn": 60})

    download = await storage.request("GET", sign_result["signedURL"] + "&download=x.txt", who=None)
    monkeypatch.setattr(signing, "now", lambda: now() + timedelta(seconds=61))
    expired_response = await storage.request("GET", sign_result["signedURL"], who=None)

    assert download.content == b"mine"
    assert "cache-control" not in download.headers
    assert download.headers["expires"].endswith("GMT")
    assert download.headers["content-disposition"].startswith("attachment; filename=x.txt")
    assert error_of(expired_response) == ("400", "InvalidJWT")
    assert expired_response.json()["message"] == '"exp" claim timestamp check failed'


async def test_a_signed_url_is_for_one_object_and_one_operation(storage: StorageClient, photos: str) -> None:
    for name in "ab":
        await storage.put(f"{photos}/{name}")
    sign_result = await storage.fetch("POST", f"/object/sign/{photos}/a", json={"expiresIn": 60})
    download_token = sign_result["signedURL"].partition("=")[2]
    upload_token = (await storage.fetch("POST", f"/object/upload/sign/{photos}/c", json={}))["token"]

    other_object = await storage.request("GET", f"/object/sign/{photos}/b?token={download_token}", who=None)
    as_upload = await storage.request(
        "PUT", f"/object/upload/sign/{photos}/a?token={download_token}", who=None, content=b"x"
    )
    as_read = await storage.request("GET", f"/object/sign/{photos}/c?token={upload_token}", who=None)
    forged_response = await storage.request("GET", f"/object/sign/{photos}/a?token={download_token}x", who=None)
    as_bearer = await storage.read(f"{photos}/a", who=download_token)

    assert error_of(other_object) == error_of(as_upload) == error_of(as_read) == ("400", "InvalidSignature")
    assert as_upload.json()["message"] == "Token is not scoped for upload"
    assert error_of(forged_response) == ("400", "InvalidJWT")
    assert error_of(as_bearer) == ("404", "NoSuchKey")


async def test_many_urls_are_signed_in_the_requested_order(storage: StorageClient, photos: str) -> None:
    await storage.put(f"{photos}/a", b"a")

    first, missing, invalid = await storage.fetch(
        "POST", f"/object/sign/{photos}", json={"expiresIn": 60, "paths": ["a", "b", "../c"]}
    )

    assert (await storage.request("GET", first["signedURL"], who=None)).content == b"a"
    for result in (missing, invalid):
        assert result["signedURL"] is None
        assert result["error"] == "Either the object does not exist or you do not have access to it"


async def test_17l10_the_same_path_is_signed_only_once(
    storage: StorageClient, photos: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """17L10 in docs/security.md: no other request was served while a thousand tokens were signed."""
    await storage.put(f"{photos}/a", b"a")
    signed = []
    sign = UrlSigner.sign

    def record(*arguments: Any, **options: Any) -> str:
        signed.append(arguments)
        return sign(*arguments, **options)

    monkeypatch.setattr(UrlSigner, "sign", record)
    results = await storage.fetch("POST", f"/object/sign/{photos}", json={"expiresIn": 60, "paths": ["a"] * 1000})

    assert (len(results), len(signed)) == (1000, 1)
    assert (await storage.request("GET", results[-1]["signedURL"], who=None)).content == b"a"


@pytest.mark.accept("STORE-04")
async def test_a_signed_upload_needs_no_bearer_token(storage: StorageClient, photos: str, rosa: Person) -> None:
    path = f"{photos}/{rosa.id}/late.txt"
    sign_result = await storage.fetch("POST", f"/object/upload/sign/{path}", who="rosa", json={})
    undefined_headers = {"Content-Type": "undefined", "Cache-Control": "max-age=undefined"}

    upload = await storage.request("PUT", sign_result["url"], who=None, content=b"late", headers=undefined_headers)
    second_upload = await storage.request(
        "PUT", sign_result["url"], who=None, content=b"again", headers={"x-upsert": "true"}
    )

    assert upload.json() == {"Key": path}
    assert error_of(second_upload) == ("409", "KeyAlreadyExists")
    download = await storage.read(path, who="rosa")
    assert (download.content, download.headers["content-type"]) == (b"late", "application/octet-stream")
    assert download.headers["cache-control"] == "no-cache"
    [deleted_object] = await storage.fetch("DELETE", f"/object/{photos}", json={"prefixes": [f"{rosa.id}/late.txt"]})
    assert deleted_object["owner"] == str(rosa.id), "the creator of the URL owns the uploaded object"


async def test_the_creator_of_a_url_decides_whether_an_upload_may_replace_an_object(
    storage: StorageClient, photos: str
) -> None:
    await storage.put(f"{photos}/a", b"old")

    without_upsert = await storage.request("POST", f"/object/upload/sign/{photos}/a", json={})
    sign_result = await storage.fetch("POST", f"/object/upload/sign/{photos}/a", json={}, headers={"x-upsert": "true"})
    await storage.request("PUT", sign_result["url"], who=None, content=b"new")

    assert error_of(without_upsert) == ("409", "KeyAlreadyExists")
    assert (await storage.read(f"{photos}/a")).content == b"new"


async def test_signing_an_upload_needs_permission_to_upload(storage: StorageClient, photos: str, rosa: Person) -> None:
    response = await storage.request("POST", f"/object/upload/sign/{photos}/{rosa.id}/a", who="mallory", json={})

    assert error_of(response) == ("403", "AccessDenied")


@pytest.mark.parametrize("seconds", [0, -1, "soon", None])
async def test_a_signed_url_lasts_at_least_a_second(storage: StorageClient, photos: str, seconds: object) -> None:
    await storage.put(f"{photos}/a")

    response = await storage.request("POST", f"/object/sign/{photos}/a", json={"expiresIn": seconds})

    assert error_of(response) == ("400", "InvalidRequest")


async def test_al3_a_signed_url_lasts_at_most_seven_days_and_one_of_a_sealed_file_an_hour(
    storage: StorageClient, photos: str
) -> None:
    await storage.put(f"{photos}/a")
    await storage.put("signed-waivers/c/w.pdf", content_type="application/pdf")

    async def responses(bucket: str, key: str, seconds: int) -> list[httpx.Response]:
        one, many = {"expiresIn": seconds}, {"expiresIn": seconds, "paths": [key]}
        return [
            await storage.request("POST", f"/object/sign/{bucket}/{key}", json=one),
            await storage.request("POST", f"/object/sign/{bucket}", json=many),
        ]

    for bucket, key, max_seconds in ((photos, "a", 7 * 24 * 3600), ("signed-waivers", "c/w.pdf", 3600)):
        assert [response.status_code for response in await responses(bucket, key, max_seconds)] == [200, 200]
        for refused in await responses(bucket, key, max_seconds + 1):
            assert error_of(refused) == ("400", "InvalidRequest")
            assert f"a signed URL for this file lasts at most {max_seconds} seconds" in refused.json()["message"]
