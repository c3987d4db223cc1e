"""Who may: policies decide, and a rival learns nothing."""

import asyncpg
import pytest

from cairn.db import SERVICE, Database
from cairn.storage import AlreadyExists, Blobs, BlobStore, StorageSettings
from tests.cast import Person
from tests.storage.visitor import Visitor, refused

PDF = b"%PDF-1.7 signed"


@pytest.fixture
def blobs(database: Database, blob_store: BlobStore, settings: StorageSettings) -> Blobs:
    return Blobs(database, blob_store, settings)


async def sealed_waiver(blobs: Blobs, owner: Person) -> str:
    key = f"{owner.company}/0d5f.pdf"
    await blobs.put("signed-waivers", key, PDF, content_type="application/pdf")
    return f"signed-waivers/{key}"


@pytest.mark.accept("STORE-13")
async def test_a_signed_waiver_is_read_by_its_company_alone(visitor: Visitor, blobs: Blobs, rosa: Person) -> None:
    path = await sealed_waiver(blobs, rosa)

    assert (await visitor.read(path, who="rosa")).content == PDF
    for other in ("mallory", "gil", "anon", None):
        assert refused(await visitor.read(path, who=other)) == ("404", "NoSuchKey")
        assert refused(await visitor.ask("GET", f"/object/public/{path}", who=other)) == ("404", "NoSuchBucket")


@pytest.mark.accept("STORE-13")
@pytest.mark.parametrize("who", ["rosa", "mallory", "service"])
async def test_nobody_replaces_moves_or_deletes_a_signed_waiver(
    visitor: Visitor, blobs: Blobs, rosa: Person, who: str
) -> None:
    path = await sealed_waiver(blobs, rosa)
    bucket, _, key = path.partition("/")
    journey = {"bucketId": bucket, "sourceKey": key, "destinationKey": f"{rosa.company}/other.pdf"}
    pdf = {"Content-Type": "application/pdf"}

    await visitor.ask("PUT", f"/object/{path}", who=who, content=b"%PDF forged", headers=pdf)
    await visitor.ask("DELETE", f"/object/{path}", who=who)
    await visitor.ask("DELETE", f"/object/{bucket}", who=who, json={"prefixes": [key]})
    await visitor.ask("POST", "/object/move", who=who, json=journey)
    await visitor.ask("POST", f"/bucket/{bucket}/empty", who=who, json={})
    await visitor.ask("PUT", f"/bucket/{bucket}", who=who, json={"public": True})

    assert (await visitor.read(path, who="rosa")).content == PDF
    assert refused(await visitor.ask("GET", f"/object/public/{path}", who=None)) == ("404", "NoSuchBucket")


async def test_a_company_cannot_write_its_own_signed_waivers(visitor: Visitor, rosa: Person) -> None:
    forged = await visitor.put(f"signed-waivers/{rosa.company}/forged.pdf", who="rosa", content_type="application/pdf")

    assert refused(forged) == ("403", "AccessDenied")


async def test_our_own_code_cannot_replace_a_signed_waiver_either(blobs: Blobs, rosa: Person) -> None:
    path = await sealed_waiver(blobs, rosa)
    bucket, _, key = path.partition("/")

    with pytest.raises(AlreadyExists):
        await blobs.put(bucket, key, b"%PDF other", content_type="application/pdf")
    with pytest.raises(Exception, match="neither replaced nor deleted"):
        await blobs.put(bucket, key, b"%PDF other", content_type="application/pdf", upsert=True)
    assert await blobs.get(bucket, key) == PDF


async def test_the_promise_of_the_bucket_holds_in_the_database_itself(
    database: Database, blobs: Blobs, rosa: Person
) -> None:
    await sealed_waiver(blobs, rosa)

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


async def test_people_keep_their_own_picture_and_everybody_sees_it(visitor: Visitor, rosa: Person) -> None:
    path = f"profile-pictures/{rosa.id}/me.png"
    await visitor.put(path, b"a face", who="rosa", content_type="image/png")

    replaced = await visitor.ask(
        "PUT", f"/object/{path}", who="rosa", content=b"another", headers={"Content-Type": "image/png"}
    )
    stolen = await visitor.ask(
        "PUT", f"/object/{path}", who="mallory", content=b"x", headers={"Content-Type": "image/png"}
    )

    assert replaced.status_code == 200
    assert refused(stolen) == ("403", "AccessDenied")
    assert (await visitor.ask("GET", f"/object/public/{path}", who=None)).content == b"another"


async def test_a_rival_can_do_nothing_with_another_s_object(visitor: Visitor, photos: str, rosa: Person) -> None:
    path = f"{photos}/{rosa.id}/raft.txt"
    await visitor.put(path, b"mine", who="rosa")
    key = path.removeprefix(f"{photos}/")

    async def tried(who: str) -> list[tuple[str, str]]:
        journey = {"bucketId": photos, "sourceKey": key, "destinationKey": "elsewhere"}
        return [
            refused(answer)
            for answer in (
                await visitor.read(path, who=who),
                await visitor.ask("GET", f"/object/info/{path}", who=who),
                await visitor.ask("GET", f"/render/image/authenticated/{path}", who=who),
                await visitor.ask("POST", f"/object/sign/{path}", who=who, json={"expiresIn": 60}),
                await visitor.ask("POST", "/object/move", who=who, json=journey),
                await visitor.ask("POST", "/object/copy", who=who, json=journey),
                await visitor.ask("DELETE", f"/object/{path}", who=who),
            )
        ]

    for who in ("mallory", "gil", "anon"):
        assert set(await tried(who)) == {("404", "NoSuchKey")}
        assert await visitor.ok("DELETE", f"/object/{photos}", who=who, json={"prefixes": [key]}) == []
        assert await visitor.ok("POST", f"/object/list/{photos}", who=who, json={"prefix": str(rosa.id)}) == []
        signed = await visitor.ok("POST", f"/object/sign/{photos}", who=who, json={"expiresIn": 60, "paths": [key]})
        assert signed[0]["signedURL"] is None
    assert (await visitor.read(path, who="rosa")).content == b"mine"


async def test_a_rival_cannot_find_out_whether_there_is_something(visitor: Visitor, photos: str, rosa: Person) -> None:
    """The same words for what is there and for what is not, also where a refusal names the right that is missing."""
    await visitor.put(f"{photos}/{rosa.id}/there", who="rosa")

    for upsert in ("true", "false"):
        answers = [
            await visitor.put(f"{photos}/{rosa.id}/{name}", who="mallory", x_upsert=upsert) for name in ("there", "not")
        ]
        assert answers[0].json() == answers[1].json()


@pytest.mark.parametrize(("granted", "missing"), [("insert", "SELECT"), ("insert, select", "UPDATE"), ("", "INSERT")])
async def test_a_refused_upsert_names_the_right_that_is_missing(
    visitor: Visitor, admin: "asyncpg.Connection[asyncpg.Record]", granted: str, missing: str
) -> None:
    await visitor.ok("POST", "/bucket", json={"name": "inbox"})
    await visitor.put("inbox/a")
    for number, right in enumerate(filter(None, granted.split(", "))):
        clause = "with check" if right == "insert" else "using"
        await admin.execute(f"create policy p{number} on storage.objects for {right} to authenticated {clause} (true)")

    answer = await visitor.put("inbox/a", who="rosa", x_upsert="true")

    assert refused(answer) == ("403", "AccessDenied")
    assert answer.json()["message"].startswith("new row violates row-level security policy")
    assert f"{missing} is missing" in answer.json()["message"]


async def test_one_may_drop_what_one_cannot_see(visitor: Visitor, admin: "asyncpg.Connection[asyncpg.Record]") -> None:
    await visitor.ok("POST", "/bucket", json={"name": "inbox"})
    await admin.execute("create policy drop on storage.objects for insert to anon with check (bucket_id = 'inbox')")

    assert (await visitor.put("inbox/letter", who="anon")).status_code == 200
    assert refused(await visitor.read("inbox/letter", who="anon")) == ("404", "NoSuchKey")


async def test_nobody_points_an_object_at_another_s_bytes(
    database: Database, visitor: Visitor, photos: str, rosa: Person, mallory: Person
) -> None:
    """Even where an operator exposes the tables themselves."""
    await visitor.put(f"{photos}/{rosa.id}/a", who="rosa")
    await visitor.put(f"{photos}/{mallory.id}/a", who="mallory")

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(mallory.principal) as connection:
            await connection.execute("update storage.objects set version = gen_random_uuid()")
    with pytest.raises(asyncpg.ForeignKeyViolationError):
        async with database.acting_as(mallory.principal) as connection:
            await connection.execute(
                "insert into storage.objects (bucket_id, name) values ('photos', $1)", f"{mallory.id}/empty"
            )


@pytest.mark.parametrize(("who", "status"), [(None, "400"), ("nobody we know", "403")])
async def test_without_a_good_token_nothing_is_written(
    visitor: Visitor, photos: str, who: str | None, status: str
) -> None:
    answer = await visitor.ask("POST", f"/object/{photos}/a", who=who, content=b"x")

    assert refused(answer)[0] == status
    if who is None:
        assert "authorization" in answer.json()["message"]


@pytest.mark.accept("PROF-08")
@pytest.mark.parametrize("kind", ["text/html", "image/svg+xml", "application/pdf", "image/../html"])
async def test_a_picture_of_oneself_is_a_picture(visitor: Visitor, rosa: Person, kind: str) -> None:
    path = f"/object/profile-pictures/{rosa.id}/me.png"

    answer = await visitor.ask("POST", path, who="rosa", content=b"<svg/>", headers={"Content-Type": kind})

    assert refused(answer) == ("415", "InvalidMimeType")


async def test_a_picture_of_oneself_has_at_most_5_mb(visitor: Visitor, rosa: Person) -> None:
    path = f"/object/profile-pictures/{rosa.id}/me.png"

    answer = await visitor.ask(
        "POST", path, who="rosa", content=b"x" * 5_000_001, headers={"Content-Type": "image/png"}
    )

    assert refused(answer)[0] == "413"
