"""C6: a stranger who signs a public template again and again does not delay the documents of other guests.

C6 is a finding in docs/security.md.
"""

from uuid import UUID

import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.messaging import PushSender
from cairn.waivers import DocumentContext, Seal, jobs
from cairn.waivers.documents import next_document, prepare_document
from cairn.waivers.documents.store import record_failure
from tests.factories import make_session, sign
from tests.people import Person
from tests.running_worker import push_settings

STRANGER, GUEST = "203.0.113.66", "198.51.100.7"
IPV6_ADDRESSES_OF_ONE_CUSTOMER = [f"2001:db8:1:{number}::7" for number in range(6)]


async def sign_from(database: Database, owner: Person, ip: str) -> UUID:
    waiver_id: UUID = (await sign(database, await make_session(database, owner), ip=ip))["id"]
    return waiver_id


async def let_documents_wait(admin: Connection) -> None:
    """Makes all signatures a minute older, as if the documents had waited for so long."""
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute("update waivers.signed set signed_at = signed_at - interval '1 minute'")
    await admin.execute("alter table waivers.signed enable trigger keep_signed")


async def order_of_preparation(database: Database, waiver_id: UUID, count: int) -> list[UUID]:
    """Returns the documents that jobs choose one after the other, if no document is finished in between."""
    preparing: list[UUID] = []
    for _ in range(count):
        chosen_id = await next_document(database, waiver_id, preparing, choices=1)
        assert chosen_id is not None
        preparing.append(chosen_id)
    return preparing


@pytest.mark.parametrize("addresses", [[STRANGER], IPV6_ADDRESSES_OF_ONE_CUSTOMER], ids=["ipv4", "ipv6"])
async def test_c6_the_documents_of_guests_come_before_the_many_documents_of_a_stranger(
    database: Database, admin: Connection, rosa: Person, mallory: Person, addresses: list[str]
) -> None:
    strangers = [await sign_from(database, rosa, addresses[number % len(addresses)]) for number in range(6)]
    guests = [await sign_from(database, rosa, f"198.51.100.{1 + number // 2}") for number in range(4)]
    single_guest = await sign_from(database, rosa, GUEST)
    await sign_from(database, mallory, GUEST)
    await let_documents_wait(admin)

    assert await order_of_preparation(database, strangers[0], 11) == [single_guest, *guests, *strangers]


async def test_c6_a_job_whose_document_cannot_be_made_prepares_one_that_is_still_waiting(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """The job of the waiting document may have tried the failed one. Then the waiting one has no other job left."""
    failed, waiting = [await sign_from(database, rosa, STRANGER) for _ in range(2)]
    await let_documents_wait(admin)
    async with database.acting_as(SERVICE) as connection:
        await record_failure(connection, failed, "too long", is_final=True)

    assert await next_document(database, failed) == waiting
    assert await next_document(database, failed, [waiting]) is None


async def test_c6_workers_in_other_processes_choose_different_documents(
    database: Database, admin: Connection, rosa: Person
) -> None:
    strangers = [await sign_from(database, rosa, STRANGER) for _ in range(3)]
    await let_documents_wait(admin)

    assert {await next_document(database, strangers[0]) for _ in range(60)} == set(strangers)


async def test_c6_every_document_is_prepared_in_the_end(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver_ids = [await sign_from(database, rosa, ip) for ip in (STRANGER, STRANGER, STRANGER, GUEST)]
    await let_documents_wait(admin)

    for waiver_id in waiver_ids:
        chosen_id = await next_document(database, waiver_id)
        assert chosen_id is not None
        await prepare_document(database, documents, seal, chosen_id)

    assert await admin.fetchval("select count(*) from waivers.signed where document_path is null") == 0
    assert await next_document(database, waiver_ids[0]) == waiver_ids[0], "nothing else is left to prepare"


async def test_c6_the_worker_prepares_the_document_of_another_waiver_if_its_own_is_ready(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    stranger, guest = [await sign_from(database, rosa, ip) for ip in (STRANGER, GUEST)]
    await prepare_document(database, documents, seal, stranger)
    await let_documents_wait(admin)
    push_sender = PushSender(push_settings(), "waivers@cairn.example")
    [job] = [job for job in jobs(database, documents, seal, push_sender) if job.name == "waivers.prepare_document"]

    await job.run({"waiver_id": str(stranger)}, False)

    assert await admin.fetchval("select document_path is not null from waivers.signed where id = $1", guest)


async def test_c6_a_document_that_waits_is_not_left_without_a_job(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    """The job of the older waiver may have prepared the later document. Then the later job prepares the older one."""
    older = await sign_from(database, rosa, STRANGER)
    await let_documents_wait(admin)
    later = await sign_from(database, rosa, GUEST)

    assert await next_document(database, later, [later]) == older, "the other job is still preparing it"
    await prepare_document(database, documents, seal, later)
    assert await next_document(database, later) == older, "the other job has prepared it"


async def test_c6_without_a_backlog_a_job_prepares_its_own_document(database: Database, rosa: Person) -> None:
    strangers = [await sign_from(database, rosa, STRANGER) for _ in range(5)]
    await sign_from(database, rosa, GUEST)

    assert await order_of_preparation(database, strangers[1], 1) == [strangers[1]]


async def test_c6_a_failed_document_is_tried_again_only_by_its_own_job(
    database: Database, admin: Connection, rosa: Person
) -> None:
    stranger, failed, guest = [await sign_from(database, rosa, ip) for ip in (STRANGER, GUEST, GUEST)]
    await record_failure(admin, failed, "No space left on device", is_final=False)
    await let_documents_wait(admin)

    assert await order_of_preparation(database, stranger, 2) == [stranger, guest]
    assert await order_of_preparation(database, failed, 1) == [failed]
