"""Signed heads show whether the last events, a whole history or a record were removed or replaced."""

from collections.abc import Sequence
from uuid import UUID

import asyncpg
import pytest

from cairn.db import SERVICE, Connection, Database, EmbeddedPostgres, Principal
from cairn.waivers import DocumentContext, Seal, seal_new_events, trusted_certificates
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.heads import check_heads
from tests import independent_verifier
from tests.factories import SAMPLE_TEMPLATE_ID, make_session, sign
from tests.people import Person

BROKEN_REASONS = "select reason from waivers.broken_evidence() order by reason"


async def sign_twice(database: Database, seal: Seal, rosa: Person) -> list[UUID]:
    """Signs two sessions of Rosa's company, lets a head cover both, and returns the sessions."""
    sessions = [await make_session(database, rosa), await make_session(database, rosa)]
    for session_id in sessions:
        await sign(database, session_id)
    await seal_new_events(database, seal)
    return sessions


async def broken_reasons(admin: Connection) -> list[str]:
    return [row["reason"] for row in await admin.fetch(BROKEN_REASONS)]


async def wrong_heads(database: Database, documents: DocumentContext, company_id: UUID | None) -> list[str]:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        certificates = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
        return [finding async for finding in check_heads(connection, company_id, certificates)]


async def test_a_head_counts_and_covers_all_events_of_its_company(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, mallory: Person
) -> None:
    await sign_twice(database, seal, rosa)
    await sign(database, await make_session(database, mallory))

    await seal_new_events(database, seal)
    await seal_new_events(database, seal)

    heads = await admin.fetch(
        """
        select company_id, number, session_count, waiver_count, event_count, entry_count
          from waivers.chain_heads order by id
        """
    )
    assert [tuple(head) for head in heads] == [(rosa.company, 1, 2, 2, 4, 2), (mallory.company, 1, 1, 1, 2, 1)]
    assert await wrong_heads(database, documents, rosa.company) == []
    assert await broken_reasons(admin) == []


async def test_a_later_head_continues_the_chain(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    await sign(database, session_id)

    await seal_new_events(database, seal)

    first, second = await admin.fetch("select * from waivers.chain_heads order by number")
    assert second["previous"] == first["hash"]
    assert (second["session_count"], second["waiver_count"], second["event_count"], second["entry_count"]) == (
        2,
        3,
        5,
        1,
    )
    assert await wrong_heads(database, documents, rosa.company) == []


async def test_another_program_checks_a_head(database: Database, admin: Connection, seal: Seal, rosa: Person) -> None:
    await sign_twice(database, seal, rosa)
    head = await admin.fetchrow("select * from public.chain_heads")
    entries = await admin.fetch(
        "select session_id::text, event_count, encode(last_hash, 'hex') as hash from waivers.head_entries order by 1"
    )
    assert head is not None

    root = tree_root([leaf_hash(*entry) for entry in entries])
    text = independent_verifier.head_text({
        "company": rosa.company, "number": 1, "previous": "none", "time": f"{head['at']:%Y-%m-%dT%H:%M:%S.%f}Z",
        "sessions": 2, "waivers": 2, "events": 4, "entries": 2, "root": root.hex(),
    })  # fmt: skip

    assert head["root"] == root.hex()
    assert head["hash"] == independent_verifier.sha256(text.encode()).hex()
    assert independent_verifier.is_signed_by(seal.certificate, bytes.fromhex(head["signature"]), text.encode())
    assert (head["timestamp_status"], head["timestamped_at"]) == ("none", None)


async def test_a_sealed_document_is_covered_immediately(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    await prepare_document(database, documents, seal, waiver["id"])

    uncovered = await admin.fetchval(
        """
        select count(*) from waivers.audit_events e
         where not exists (select from waivers.head_entries n
                            where n.session_id = e.session_id and n.last_hash = e.hash)
           and e.id = (select max(l.id) from waivers.audit_events l where l.session_id = e.session_id)
        """
    )
    assert uncovered == 0


async def test_waivers_without_a_company_have_heads_of_their_own(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal
) -> None:
    async with database.acting_as(SERVICE) as connection:
        session_id = await connection.fetchval(
            "insert into waiver_sessions (template_id) values ($1) returning id", SAMPLE_TEMPLATE_ID
        )
    await sign(database, session_id)

    await seal_new_events(database, seal)

    assert await admin.fetchval("select company_id is null and number = 1 from waivers.chain_heads") is True
    assert await wrong_heads(database, documents, None) == []


async def test_events_of_a_transaction_that_commits_late_are_covered(
    database: Database, admin: Connection, admin_url: str, seal: Seal, rosa: Person
) -> None:
    late_session, early_session = await make_session(database, rosa), await make_session(database, rosa)
    late = await asyncpg.connect(admin_url)
    transaction = late.transaction()
    await transaction.start()
    await late.execute("select note_waiver_view($1)", late_session)
    await sign(database, early_session)
    for _ in range(3):
        await seal_new_events(database, seal)

    await transaction.commit()
    await late.close()
    await seal_new_events(database, seal)

    assert (
        await admin.fetchval("select max(event_count) from waivers.head_entries where session_id = $1", late_session)
        == 2
    )
    for _ in range(2):
        await seal_new_events(database, seal)
    is_read_again = await admin.fetchval(
        "select id < (select max(e.id) from waivers.audit_events e) from waivers.head_position"
    )
    assert is_read_again is False


@pytest.mark.accept("OPS-01")
async def test_an_open_transaction_in_another_database_does_not_make_events_be_read_again(
    database: Database, admin: Connection, cluster: EmbeddedPostgres, seal: Seal, rosa: Person
) -> None:
    foreign = await asyncpg.connect(cluster.url(database="postgres"))
    async with foreign.transaction():
        await foreign.execute("select pg_current_xact_id()")
        await sign(database, await make_session(database, rosa))
        for _ in range(3):
            await seal_new_events(database, seal)

        is_read_again = await admin.fetchval(
            "select id < (select max(e.id) from waivers.audit_events e) from waivers.head_position"
        )
        assert is_read_again is False
    await foreign.close()


@pytest.mark.accept("TRUE-05")
async def test_cutting_off_the_last_event_is_detected(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("select note_waiver_view($1)", session_id)
    await seal_new_events(database, seal)
    assert await broken_reasons(admin) == []

    await admin.execute("delete from waivers.audit_events where name = 'session.viewed'")

    assert await broken_reasons(admin) == ["the last events are missing: a signed head covers more of them"]


@pytest.mark.accept("TRUE-05")
async def test_replacing_a_whole_history_is_detected(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)

    await rewrite_history(admin, session_id)

    assert await broken_reasons(admin) == ["the history was replaced: a signed head covers another one"]


async def rewrite_history(admin: Connection, session_id: UUID) -> None:
    """Moves all events of a session by ten minutes, and computes all hashes again, as the owner of the database can."""
    previous = None
    for row in await admin.fetch("select id from waivers.audit_events where session_id = $1 order by id", session_id):
        await admin.execute(
            "update waivers.audit_events set at = at - interval '10 minutes', previous = $2 where id = $1",
            row["id"], previous,
        )  # fmt: skip
        previous = await admin.fetchval(
            "update waivers.audit_events e set hash = waivers.expected_hash(e) where id = $1 returning hash", row["id"]
        )


async def test_no_later_head_confirms_a_replaced_history(
    database: Database, admin: Connection, seal: Seal, rosa: Person
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    await rewrite_history(admin, session_id)
    await sign(database, session_id)

    await seal_new_events(database, seal)

    assert await admin.fetchval("select count(*) from waivers.head_entries where session_id = $1", session_id) == 1
    assert "the history was replaced: a signed head covers another one" in await broken_reasons(admin)


@pytest.mark.accept("TRUE-05")
async def test_removing_a_record_is_detected(database: Database, admin: Connection, seal: Seal, rosa: Person) -> None:
    await sign_twice(database, seal, rosa)
    await admin.execute("set session_replication_role = replica")

    await admin.execute("delete from waivers.signed where id = (select id from waivers.signed limit 1)")

    assert await broken_reasons(admin) == ["the signed record is missing"]


@pytest.mark.accept("TRUE-05")
async def test_removing_a_session_with_everything_about_it_is_detected(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    await admin.execute("set session_replication_role = replica")
    for table in ("signed", "audit_events"):
        await admin.execute(f"delete from waivers.{table} where session_id = $1", session_id)
    await admin.execute("delete from waivers.sessions where id = $1", session_id)
    assert await broken_reasons(admin) == ["the last events are missing: a signed head covers more of them"]

    await admin.execute("delete from waivers.head_entries where session_id = $1", session_id)

    assert await broken_reasons(admin) == []
    assert await wrong_heads(database, documents, rosa.company) == ["Head 1: entries are missing or were added."]


@pytest.mark.parametrize(
    ("change", "finding"),
    [
        ("event_count = event_count - 1", "Head 1: it was changed: its hash is wrong."),
        ("at = at - interval '1 hour'", "Head 1: it was changed: its signature is wrong."),
        ("root = sha256(root)", "Head 1: its entries were changed."),
        ("signature = sha256(signature)", "Head 1: it was changed: its signature is wrong."),
        ("certificate = 'another'", "Head 1: it was not signed by this service."),
        ("number = 3", "Head 2: head 1 is missing."),
        ("hash = sha256(hash)", "Head 1: it was changed: its hash is wrong."),
    ],
)
async def test_a_change_of_a_head_is_detected(
    database: Database,
    admin: Connection,
    documents: DocumentContext,
    seal: Seal,
    rosa: Person,
    change: str,
    finding: str,
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    await sign(database, session_id)
    await seal_new_events(database, seal)
    await admin.execute("set session_replication_role = replica")

    await admin.execute(f"update waivers.chain_heads set {change} where number = 1")

    assert finding in await wrong_heads(database, documents, rosa.company)


@pytest.mark.parametrize(
    "change", ["event_count = 1", "last_hash = sha256(last_hash)", "session_id = gen_random_uuid()"]
)
async def test_a_change_of_an_entry_is_detected(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person, change: str
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    await admin.execute("set session_replication_role = replica")

    await admin.execute(f"update waivers.head_entries set {change} where session_id = $1", session_id)

    assert await wrong_heads(database, documents, rosa.company) == ["Head 1: its entries were changed."]


async def test_removing_a_head_in_the_middle_is_detected(
    database: Database, admin: Connection, documents: DocumentContext, seal: Seal, rosa: Person
) -> None:
    [session_id, _] = await sign_twice(database, seal, rosa)
    for _ in range(2):
        await sign(database, session_id)
        await seal_new_events(database, seal)
    await admin.execute("set session_replication_role = replica")

    await admin.execute("delete from waivers.chain_heads where number = 2")

    assert await wrong_heads(database, documents, rosa.company) == ["Head 3: head 2 is missing."]


@pytest.mark.parametrize("table", ["waivers.chain_heads", "waivers.head_entries", "public.chain_heads"])
async def test_a_rival_and_a_guest_read_no_head(
    database: Database, seal: Seal, rosa: Person, bea: Person, gil: Person, mallory: Person, table: str
) -> None:
    await sign_twice(database, seal, rosa)

    assert await count_rows(database, rosa.principal, table) > 0
    assert await count_rows(database, bea.principal, table) > 0
    assert await count_rows(database, mallory.principal, table) == 0
    assert await count_rows(database, gil.principal, table) == 0


async def count_rows(database: Database, principal: Principal, table: str) -> int:
    async with database.acting_as(principal, read_only=True) as connection:
        count: int = await connection.fetchval(f"select count(*) from {table}")
    return count


@pytest.mark.parametrize(
    ("table", "column"), [("chain_heads", "number"), ("head_entries", "event_count"), ("head_timestamps", "head_id")]
)
async def test_no_role_of_the_service_changes_or_removes_heads(
    database: Database, seal: Seal, rosa: Person, table: str, column: str
) -> None:
    await sign_twice(database, seal, rosa)

    for principal in (SERVICE, rosa.principal):
        for statement in ("delete from {table}", "update {table} set {column} = 1", "truncate {table}"):
            with pytest.raises(asyncpg.InsufficientPrivilegeError):
                async with database.acting_as(principal) as connection:
                    await connection.execute(statement.format(table=f"waivers.{table}", column=column))


async def test_a_company_cannot_add_a_head(database: Database, rosa: Person) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        async with database.acting_as(rosa.principal) as connection:
            await connection.execute("insert into waivers.chain_heads (company_id) values ($1)", rosa.company)


def leaf_hash(session_id: str, event_count: int, last_hash: str) -> bytes:
    return independent_verifier.sha256(b"\x00" + f"{session_id}\n{event_count}\n{last_hash}".encode())


def tree_root(leaves: Sequence[bytes]) -> bytes:
    if len(leaves) == 1:
        return leaves[0]
    left_size = 1 << ((len(leaves) - 1).bit_length() - 1)
    return independent_verifier.sha256(b"\x01" + tree_root(leaves[:left_size]) + tree_root(leaves[left_size:]))
