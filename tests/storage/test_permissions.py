"""Policies decide who may read and write an object. A rival does not even learn whether the object exists."""

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.storage import AlreadyExists, BlobStore, ObjectStorage, StorageSettings
from tests.people import Person
from tests.storage.client import StorageClient, error_of

PDF = b"%PDF-1.7 signed"


@pytest.fixture
def object_storage(database: Database, blob_store: BlobStore, settings: StorageSettings) -> ObjectStorage:
    return ObjectStorage(database, blob_store, settings)


async def store_document(object_storage: ObjectStorage, owner: Person) -> str:
    """Stores a document for the owner's company, as the server does after a signature, and returns its path."""
    key = f"{owner.company}/0d5f.pdf"
    await object_storage.put("signed-waivers", key, PDF, content_type="application/pdf")
    return f"signed-waivers/{key}"


@pytest.mark.accept("STORE-13")
async def test_a_signed_waiver_can_be_read_only_by_its_company(
    storage: StorageClient, object_storage: ObjectStorage, rosa: Person
) -> None:
    path = await store_document(object_storage, rosa)

    assert (await storage.read(path, who="rosa")).content == PDF
    for outsider in ("mallory", "gil", "anon", None):
        assert error_of(await storage.read(path, who=outsider)) == ("404", "NoSuchKey")
        assert error_of(await storage.request("GET", f"/object/public/{path}", who=outsider)) == ("404", "NoSuchBucket")


@pytest.mark.accept("STORE-13")
@pytest.mark.parametrize("who", ["rosa", "mallory", "service"])
async def test_a_signed_waiver_cannot_be_replaced_moved_deleted_or_made_public(
    storage: StorageClient, object_storage: ObjectStorage, rosa: Person, who: str
) -> None:
    path = await store_document(object_storage, rosa)
    bucket, _, key = path.partition("/")
    move = {"bucketId": bucket, "sourceKey": key, "destinationKey": f"{rosa.company}/other.pdf"}
    pdf_headers = {"Content-Type": "application/pdf"}

    await storage.request("PUT", f"/object/{path}", who=who, content=b"%PDF forged", headers=pdf_headers)
    await storage.request("DELETE", f"/object/{path}", who=who)
    await storage.request("DELETE", f"/object/{bucket}", who=who, json={"prefixes": [key]})
    await storage.request("POST", "/object/move", who=who, json=move)
    await storage.request("POST", f"/bucket/{bucket}/empty", who=who, json={})
    await storage.request("PUT", f"/bucket/{bucket}", who=who, json={"public": True})

    assert (await storage.read(path, who="rosa")).content == PDF
    assert error_of(await storage.request("GET", f"/object/public/{path}", who=None)) == ("404", "NoSuchBucket")


async def test_a_company_cannot_write_its_own_signed_waivers(storage: StorageClient, rosa: Person) -> None:
    response = await storage.put(
        f"signed-waivers/{rosa.company}/forged.pdf", who="rosa", content_type="application/pdf"
    )

    assert error_of(response) == ("403", "AccessDenied")


async def test_not_even_the_service_can_replace_a_signed_waiver(object_storage: ObjectStorage, rosa: Person) -> None:
    path = await store_document(object_storage, rosa)
    bucket, _, key = path.partition("/")

    with pytest.raises(AlreadyExists):
        await object_storage.put(bucket, key, b"%PDF other", content_type="application/pdf")
    with pytest.raises(Exception, match="neither replaced nor deleted"):
        await object_storage.put(bucket, key, b"%PDF other", content_type="application/pdf", upsert=True)
    assert await object_storage.get(bucket, key) == PDF


async def test_the_database_enforces_that_signed_waivers_stay_unchanged_and_sealed(
    database: Database, object_storage: ObjectStorage, rosa: Person
) -> None:
    await store_document(object_storage, rosa)

    for statement in (
        "delete from storage.objects",
        "update storage.objects set name = 'elsewhere'",
        "update storage.objects set version = gen_random_uuid()",
        "update storage.buckets set write_once = false where id = 'signed-waivers'",
        "update storage.buckets set sealed = false where id = 'signed-waivers'",
    ):
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            async with database.acting_as(SERVICE) as connection:
                await connection.execute(statement)


async def test_users_manage_their_own_picture_and_everyone_sees_it(storage: StorageClient, rosa: Person) -> None:
    path = f"profile-pictures/{rosa.id}/me.png"
    await storage.put(path, b"a face", who="rosa", content_type="image/png")

    own_replacement = await storage.request(
        "PUT", f"/object/{path}", who="rosa", content=b"another", headers={"Content-Type": "image/png"}
    )
    foreign_replacement = await storage.request(
        "PUT", f"/object/{path}", who="mallory", content=b"x", headers={"Content-Type": "image/png"}
    )

    assert own_replacement.status_code == 200
    assert error_of(foreign_replacement) == ("403", "AccessDenied")
    assert (await storage.request("GET", f"/object/public/{path}", who=None)).content == b"another"


async def test_no_one_adds_a_picture_to_the_folder_of_another_user(storage: StorageClient, rosa: Person) -> None:
    path = f"profile-pictures/{rosa.id}/fake.png"
    image = {"Content-Type": "image/png"}

    upload = await storage.request("POST", f"/object/{path}", who="mallory", content=b"x", headers=image)

    assert error_of(upload) == ("403", "AccessDenied")
    assert (await storage.request("GET", f"/object/public/{path}", who=None)).status_code == 400


async def test_outsiders_have_no_access_to_an_object(storage: StorageClient, photos: str, rosa: Person) -> None:
    path = f"{photos}/{rosa.id}/raft.txt"
    await storage.put(path, b"mine", who="rosa")
    key = path.removeprefix(f"{photos}/")

    async def errors_for(who: str) -> list[tuple[str, str]]:
        move = {"bucketId": photos, "sourceKey": key, "destinationKey": "elsewhere"}
        return [
            error_of(response)
            for response in (
                await storage.read(path, who=who),
                await storage.request("GET", f"/object/info/{path}", who=who),
                await storage.request("GET", f"/render/image/authenticated/{path}", who=who),
                await storage.request("POST", f"/object/sign/{path}", who=who, json={"expiresIn": 60}),
                await storage.request("POST", "/object/move", who=who, json=move),
                await storage.request("POST", "/object/copy", who=who, json=move),
                await storage.request("DELETE", f"/object/{path}", who=who),
            )
        ]

    for who in ("mallory", "gil", "anon"):
        assert set(await errors_for(who)) == {("404", "NoSuchKey")}
        assert await storage.fetch("DELETE", f"/object/{photos}", who=who, json={"prefixes": [key]}) == []
        assert await storage.fetch("POST", f"/object/list/{photos}", who=who, json={"prefix": str(rosa.id)}) == []
        sign_result = await storage.fetch(
            "POST", f"/object/sign/{photos}", who=who, json={"expiresIn": 60, "paths": [key]}
        )
        assert sign_result[0]["signedURL"] is None
    assert (await storage.read(path, who="rosa")).content == b"mine"


async def test_a_rival_cannot_find_out_whether_an_object_exists(
    storage: StorageClient, photos: str, rosa: Person
) -> None:
    """The error is the same whether or not the object exists, even if the error names the missing permission."""
    await storage.put(f"{photos}/{rosa.id}/existing", who="rosa")

    for upsert in ("true", "false"):
        responses = [
            await storage.put(f"{photos}/{rosa.id}/{name}", who="mallory", x_upsert=upsert)
            for name in ("existing", "missing")
        ]
        assert responses[0].json() == responses[1].json()


@pytest.mark.parametrize(
    ("granted_operations", "missing_permission"), [("insert", "SELECT"), ("insert, select", "UPDATE"), ("", "INSERT")]
)
async def test_a_rejected_upsert_names_the_missing_permission(
    storage: StorageClient,
    admin: "asyncpg.Connection[asyncpg.Record]",
    granted_operations: str,
    missing_permission: str,
) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "inbox"})
    await storage.put("inbox/a")
    for number, operation in enumerate(filter(None, granted_operations.split(", "))):
        clause = "with check" if operation == "insert" else "using"
        await admin.execute(
            f"create policy p{number} on storage.objects for {operation} to authenticated {clause} (true)"
        )

    response = await storage.put("inbox/a", who="rosa", x_upsert="true")

    assert error_of(response) == ("403", "AccessDenied")
    assert response.json()["message"].startswith("new row violates row-level security policy")
    assert f"{missing_permission} is missing" in response.json()["message"]


async def test_insert_permission_is_enough_to_upload(
    storage: StorageClient, admin: "asyncpg.Connection[asyncpg.Record]"
) -> None:
    await storage.fetch("POST", "/bucket", json={"name": "inbox"})
    await admin.execute("create policy upload on storage.objects for insert to anon with check (bucket_id = 'inbox')")

    assert (await storage.put("inbox/file", who="anon")).status_code == 200
    assert error_of(await storage.read("inbox/file", who="anon")) == ("404", "NoSuchKey")


async def test_an_object_cannot_be_pointed_at_the_bytes_of_another(
    database: Database, storage: StorageClient, photos: str, rosa: Person, mallory: Person
) -> None:
    """Mallory writes to the table directly, as she could if the operator exposed it through the REST API."""
    await storage.put(f"{photos}/{rosa.id}/a", who="rosa")
    await storage.put(f"{photos}/{mallory.id}/a", who="mallory")

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(mallory.principal) as connection:
            await connection.execute("update storage.objects set version = gen_random_uuid()")
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        async with database.acting_as(mallory.principal) as connection:
            await connection.execute(
                "insert into storage.objects (bucket_id, name) values ('photos', $1)", f"{mallory.id}/empty"
            )


@pytest.mark.parametrize(("who", "status"), [(None, "400"), ("unknown", "403")])
async def test_an_upload_without_a_valid_token_is_refused(
    storage: StorageClient, photos: str, who: str | None, status: str
) -> None:
    response = await storage.request("POST", f"/object/{photos}/a", who=who, content=b"x")

    assert error_of(response)[0] == status
    if who is None:
        assert "authorization" in response.json()["message"]


@pytest.mark.accept("PROF-08")
@pytest.mark.parametrize("content_type", ["text/html", "image/svg+xml", "application/pdf", "image/../html"])
async def test_a_profile_picture_must_be_an_image(storage: StorageClient, rosa: Person, content_type: str) -> None:
    path = f"/object/profile-pictures/{rosa.id}/me.png"

    response = await storage.request(
        "POST", path, who="rosa", content=b"<svg/>", headers={"Content-Type": content_type}
    )

    assert error_of(response) == ("415", "InvalidMimeType")


async def test_a_profile_picture_has_at_most_5_mb(storage: StorageClient, rosa: Person) -> None:
    path = f"/object/profile-pictures/{rosa.id}/me.png"

    response = await storage.request(
        "POST", path, who="rosa", content=b"x" * 5_000_001, headers={"Content-Type": "image/png"}
    )

    assert error_of(response)[0] == "413"
