"""G4: someone who has the database, but not the key of the seal, cannot hide a change of a record behind an erasure.

The forger has all rights in the database and uses the product's own functions. Each forgery must be found by
`broken_evidence`, the check behind `/verify`, `cairn audit` and the evidence pack. The independent verifier must find
those that can be seen in an evidence pack.

G4 is a finding in docs/security.md.
"""

from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import SERVICE, Connection, Database
from cairn.kit import frozen_dataclass
from cairn.waivers import DocumentContext, Seal, evidence_pack, seal_new_events
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.verification.check_session import check_session
from tests.factories import make_session, sign
from tests.independent_verifier import findings, read_pack
from tests.people import Person
from tests.waivers.acts import correct_recipient, erase, revoke

ERASED_DETAILS = """
    is_erased = true, salt = null, details_sha256 = waivers.private_hash(e), details = waivers.public_details(e.details)
"""
ERASE_EVENTS = f"""
    update waivers.audit_events e
       set {ERASED_DETAILS}
     where e.session_id = $1 and not e.is_erased and e.name <> 'waiver.erased' and {{condition}}
"""
APPEND_ERASURE = """
    select waivers.append_audit(s, 'waiver.erased', jsonb_build_object(
               'waiver_id', $2::uuid, 'cause', 'request', 'reason', 'The guest asked for it',
               'record_sha256', (select encode(w.record_sha256, 'hex') from waivers.signed w where w.id = $2)))
      from waivers.sessions s where s.id = $1
"""


@frozen_dataclass
class Forger:
    """Someone who may change everything in the database. No trigger hinders them."""

    admin: Connection
    session_id: UUID
    unerased_id: UUID
    """The waiver whose record the forger wants to change."""
    erased_id: UUID
    """Another waiver of the session, which the company erased."""

    async def append_erasure(self, waiver_id: UUID) -> None:
        await self.admin.execute(APPEND_ERASURE, self.session_id, waiver_id)

    async def erase_events(self, condition: str) -> None:
        await self.admin.execute(ERASE_EVENTS.format(condition=condition), self.session_id)

    async def erase_events_of(self, waiver_id: UUID) -> None:
        await self.erase_events(f"e.details ->> 'waiver_id' = '{waiver_id}'")

    async def change_record(self) -> None:
        await self.admin.execute(
            "update waivers.signed set content = 'I accept EVERYTHING.' where id = $1", self.unerased_id
        )
        await self.admin.execute(
            "update waivers.signed w set record_sha256 = waivers.record_hash(w) where id = $1", self.unerased_id
        )

    async def write_changed_hash_into_event(self) -> None:
        """Writes the hash of the changed record into the event of its signature."""
        await self.admin.execute(
            """
            update waivers.audit_events e
               set details = e.details || jsonb_build_object('record_sha256', encode(w.record_sha256, 'hex'))
              from waivers.signed w
             where w.id = $1 and e.name = 'waiver.signed' and e.details ->> 'waiver_id' = w.id::text
            """,
            self.unerased_id,
        )

    async def change_events(self, assignment: str, condition: str) -> None:
        await self.admin.execute(
            f"update waivers.audit_events e set {assignment} where e.session_id = $1 and {condition}", self.session_id
        )


@pytest_asyncio.fixture
async def forger(database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person) -> Forger:
    """Two people signed one link. The waiver of one of them was erased, and a signed head covers all of that."""
    session_id = await make_session(database, rosa)
    erased = await sign(
        database, session_id, name="Zebulon Quist", signer_email="zebulon@example.org", ip="203.0.113.99"
    )
    unerased = await sign(database, session_id)
    await prepare_document(database, documents, seal, unerased["id"])
    await erase(database, rosa, erased["id"])
    await seal_new_events(database, seal)
    await admin.execute("set session_replication_role = replica")
    return Forger(admin, session_id, unerased["id"], erased["id"])


async def broken_reasons(database: Database, seal: Seal, session_id: UUID) -> list[str]:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        return (await check_session(connection, session_id, [seal.certificate])).broken_reasons


async def pack_findings(
    database: Database, documents: DocumentContext, seal: Seal, owner: Person, waiver_id: UUID
) -> list[str]:
    pack = await evidence_pack(database, documents, owner.principal, waiver_id)
    return findings(read_pack(pack.content), [seal.certificate])


async def test_g4_a_true_erasure_is_accepted(
    forger: Forger, database: Database, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    assert await broken_reasons(database, seal, forger.session_id) == []
    assert await pack_findings(database, documents, seal, rosa, forger.unerased_id) == []


async def hide_behind_the_erasure_of_another_waiver(forger: Forger) -> None:
    """Appends a second event about the erasure of one waiver, and removes the details from the events of the other."""
    await forger.change_record()
    await forger.append_erasure(forger.erased_id)
    await forger.erase_events_of(forger.unerased_id)
    await forger.write_changed_hash_into_event()


async def hide_behind_an_erasure_of_the_unerased_waiver(forger: Forger) -> None:
    await forger.append_erasure(forger.unerased_id)
    await forger.change_record()
    await forger.erase_events_of(forger.unerased_id)
    await forger.write_changed_hash_into_event()


async def give_the_events_to_the_erased_waiver(forger: Forger) -> None:
    await forger.change_record()
    await forger.append_erasure(forger.erased_id)
    await forger.erase_events_of(forger.unerased_id)
    await forger.change_events(
        f'details = details || \'{{"waiver_id": "{forger.erased_id}"}}\'',
        f"details ->> 'waiver_id' = '{forger.unerased_id}'",
    )


async def store_the_true_hash_without_an_erasure(forger: Forger) -> None:
    """The name of the signer is replaced, and the hash of the true details is stored beside it."""
    await forger.change_events(
        'details_sha256 = waivers.private_hash(e), details = details || \'{"signer_name": "Mallory"}\'',
        f"name = 'waiver.signed' and details ->> 'waiver_id' = '{forger.unerased_id}'",
    )


async def declare_version_1(forger: Forger) -> None:
    await forger.change_record()
    await forger.change_events(
        "version = 1, is_erased = true, salt = null", f"details ->> 'waiver_id' = '{forger.unerased_id}'"
    )
    await forger.write_changed_hash_into_event()


async def declare_version_2(forger: Forger) -> None:
    await forger.change_record()
    await forger.append_erasure(forger.erased_id)
    await forger.erase_events_of(forger.unerased_id)
    await forger.change_events("version = 2", f"details ->> 'waiver_id' = '{forger.unerased_id}'")
    await forger.write_changed_hash_into_event()


async def say_that_an_unerased_waiver_was_erased(forger: Forger) -> None:
    await forger.append_erasure(forger.unerased_id)


async def erase_an_event_that_names_no_waiver(forger: Forger) -> None:
    await forger.erase_events("e.name = 'session.opened'")


async def add_details_to_an_erased_event(forger: Forger) -> None:
    await forger.change_events('details = details || \'{"signer_name": "Mallory"}\'', "is_erased")


async def erase_the_erasure(forger: Forger) -> None:
    await forger.change_events(ERASED_DETAILS, "name = 'waiver.erased'")


@pytest.mark.parametrize(
    "forge",
    [
        hide_behind_the_erasure_of_another_waiver, hide_behind_an_erasure_of_the_unerased_waiver,
        give_the_events_to_the_erased_waiver, store_the_true_hash_without_an_erasure, declare_version_1,
        declare_version_2, say_that_an_unerased_waiver_was_erased, erase_an_event_that_names_no_waiver,
        add_details_to_an_erased_event, erase_the_erasure,
    ],
)  # fmt: skip
async def test_g4_a_forged_erasure_is_found_in_the_database_and_in_the_pack(
    forger: Forger, database: Database, documents: DocumentContext, seal: Seal, rosa: Person, forge: Any
) -> None:
    await forge(forger)

    assert await broken_reasons(database, seal, forger.session_id) != []
    assert await pack_findings(database, documents, seal, rosa, forger.unerased_id) != []


async def remove_the_record_and_its_events(forger: Forger) -> None:
    """The forger makes the events of the removed waiver name the erased waiver."""
    await forger.append_erasure(forger.erased_id)
    await forger.erase_events_of(forger.unerased_id)
    await forger.change_events(
        f'details = details || \'{{"waiver_id": "{forger.erased_id}"}}\'',
        f"details ->> 'waiver_id' = '{forger.unerased_id}'",
    )
    await forger.admin.execute("delete from waivers.signed where id = $1", forger.unerased_id)


async def take_back_the_erasure(forger: Forger) -> None:
    await forger.admin.execute(
        "update waivers.signed set erased_at = null, content = 'I accept EVERYTHING.' where id = $1", forger.erased_id
    )
    await forger.admin.execute(
        "update waivers.signed w set record_sha256 = waivers.record_hash(w) where id = $1", forger.erased_id
    )


async def seal_another_document(forger: Forger) -> None:
    """Removes all traces of the document from the record, so that the worker would seal another one."""
    await forger.admin.execute(
        """
        update waivers.signed
           set document_path = null, document_sha256 = null, document_at = null, document_bytes = null
         where id = $1
        """,
        forger.unerased_id,
    )


async def take_back_a_revocation(forger: Forger) -> None:
    await forger.append_erasure(forger.erased_id)
    await forger.erase_events("e.name = 'waiver.revoked'")
    await forger.admin.execute(
        "update waivers.signed set revoked_at = null, revoke_reason = null where id = $1", forger.unerased_id
    )


@pytest.mark.parametrize(
    "forge", [remove_the_record_and_its_events, take_back_the_erasure, seal_another_document, take_back_a_revocation]
)
async def test_g4_other_forgeries_with_erased_events_are_found_in_the_database(
    forger: Forger, database: Database, seal: Seal, rosa: Person, forge: Any
) -> None:
    await revoke(database, rosa, forger.unerased_id)
    assert await broken_reasons(database, seal, forger.session_id) == []

    await forge(forger)

    assert await broken_reasons(database, seal, forger.session_id) != []


async def test_g4_each_rule_about_erasures_reports_the_forgery(forger: Forger, database: Database, seal: Seal) -> None:
    await hide_behind_the_erasure_of_another_waiver(forger)

    reasons = " ".join(await broken_reasons(database, seal, forger.session_id))

    assert "the details of the event were removed, but no waiver was erased after it" in reasons
    assert "the event of its signing is missing or names another record" in reasons
    assert "the event of its document is missing" in reasons
    assert "the same event is in the history twice" in reasons


async def test_g4_an_event_of_version_2_is_still_checked(
    forger: Forger, database: Database, admin: Connection, seal: Seal
) -> None:
    """Data folders of earlier builds contain erased events of version 2, whose readable ids no hash covers."""
    await rewrite_as_version_2(admin, forger.session_id)
    assert await broken_reasons(database, seal, forger.session_id) == []

    await remove_the_record_and_its_events(forger)

    assert "the same event is in the history twice" in " ".join(await broken_reasons(database, seal, forger.session_id))


async def rewrite_as_version_2(admin: Connection, session_id: UUID) -> None:
    """Rewrites the history as earlier builds wrote it, and deletes all heads, because they cover the old history."""
    await admin.execute("delete from waivers.head_entries")
    await admin.execute("delete from waivers.chain_heads")
    events = await admin.fetch("select id from waivers.audit_events where session_id = $1 order by id", session_id)
    for event in events:
        await admin.execute(
            """
            update waivers.audit_events e
               set version = 2, previous = (select before.hash from waivers.audit_events before
                                             where before.session_id = e.session_id and before.id < e.id
                                             order by before.id desc limit 1)
             where e.id = $1
            """,
            event["id"],
        )
        await admin.execute(
            "update waivers.audit_events e set hash = waivers.expected_hash(e) where e.id = $1", event["id"]
        )


async def test_g4_a_replaced_session_may_name_only_an_erased_waiver_of_its_successor(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    old_session = await make_session(database, rosa)
    new_session = await correct_recipient(database, rosa, old_session, email="gil.okafor@example.com")
    waiver = await sign(database, new_session)
    unrelated = await sign(database, await make_session(database, rosa))
    await erase(database, rosa, waiver["id"])
    await erase(database, rosa, unrelated["id"])
    assert await broken_reasons(database, seal, old_session) == []

    await admin.execute(APPEND_ERASURE, old_session, unrelated["id"])

    [reason] = await broken_reasons(database, seal, old_session)
    assert "the event says that a waiver was erased, but that waiver was not" in reason


async def test_g4_a_signed_session_cannot_be_declared_replaced_to_erase_its_events(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    session_id, other_session = await make_session(database, rosa), await make_session(database, rosa)
    await sign(database, session_id)
    erased = await sign(database, other_session)
    await erase(database, rosa, erased["id"])

    await admin.execute("update waivers.sessions set replaced_by = $2 where id = $1", session_id, other_session)
    await admin.execute(
        """
        select waivers.append_audit(s, 'session.renewed', jsonb_build_object('replaced_by', $2::uuid))
          from waivers.sessions s where s.id = $1
        """,
        session_id, other_session,
    )  # fmt: skip
    await admin.execute(APPEND_ERASURE, session_id, erased["id"])

    [reason] = await broken_reasons(database, seal, session_id)
    assert "the event says that a waiver was erased, but that waiver was not" in reason
