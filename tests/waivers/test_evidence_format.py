"""Another program can compute the hashes of records and events from docs/evidence-format.md.

The hashes are computed by tests/independent_verifier.py, which imports nothing of the product, and compared with those
in the database. Every field is changed, one at a time.
"""

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from cairn.kit import now
from tests import independent_verifier
from tests.factories import make_session, sign
from tests.people import Person
from tests.structure.tree import ROOT, read_source

STROKES = [[{"x": 1.50, "y": 2, "pressure": 0.5, "time": 0}, {"x": 3, "y": 2.25, "time": 16}]]
# The hash of a record does not cover these columns: this hash, the document, whose hash is in an event of its own,
# the hash of the secret with which the signer's browser opens the document, and what happened after the signature.
NOT_HASHED = {
    "record_sha256", "document_path", "document_sha256", "document_at", "document_secret_sha256", "held_since",
    "erased_at", "revoked_at", "revoke_reason", "superseded_by",
    # A record of version 3 cannot have these. tests/waivers/forms changes them in a record of version 4.
    "initials", "guardian",
    # Only the storage quota and the email with the copy use these.
    "form_bytes", "document_bytes",
}  # fmt: skip
OTHER_VALUES: dict[str, str] = {
    "record_version": "4", "id": "gen_random_uuid()", "session_id": "gen_random_uuid()",
    "company_id": "gen_random_uuid()", "company_name": "'Rapid Rivals'", "template_id": "'another'",
    "template_name": "'Another waiver'", "template_version": "7", "content": "content || ' '",
    "signer_name": "'Mallory Quick'", "signer_email": "'mallory@example.com'", "signature": "signature || 'A'",
    "strokes": "'[]'", "signed_at": "signed_at + interval '1 microsecond'", "time_zone": "'UTC'", "ip": "'192.0.2.1'",
    "user_agent": "'Another phone'", "consent_version": "'1999'", "consent_language": "'de'",
    "consent_text": "'I agree to everything'", "consented_at": "consented_at - interval '1 microsecond'",
    "first_viewed_at": "first_viewed_at - interval '1 microsecond'",
    "last_viewed_at": "last_viewed_at + interval '1 microsecond'", "scroll_depth": "1",
}  # fmt: skip
OTHER_EVENT_VALUES: dict[str, str] = {
    "session_id": "gen_random_uuid()", "name": "'session.opened'", "details": "details - 'ip'",
    "at": "at + interval '1 microsecond'", "previous": "sha256(previous)", "version": "1", "salt": "sha256(salt)",
}  # fmt: skip
RECORD_FIELDS_AS_TEXT = "select to_jsonb(w) || jsonb_build_object('strokes', w.strokes::text) from waivers.signed w"
TIMES = ("signed_at", "consented_at", "first_viewed_at", "last_viewed_at")


async def sign_with_every_field(database: Database, rosa: Person, **changes: Any) -> UUID:
    opened_at = now() - timedelta(seconds=30)
    fields = {
        "consent_version": "2026-11", "consented_at": opened_at, "time_zone": "Asia/Tokyo",
        "strokes": json.dumps(STROKES), "first_viewed_at": opened_at, "last_viewed_at": opened_at, "scroll_depth": 100,
        **changes,
    }  # fmt: skip
    waiver = await sign(database, await make_session(database, rosa), name="Žofie 山田", **fields)
    waiver_id: UUID = waiver["id"]
    return waiver_id


@pytest_asyncio.fixture
async def waiver_with_every_field(database: Database, rosa: Person) -> UUID:
    return await sign_with_every_field(database, rosa)


async def stored_record(admin: Connection) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(await admin.fetchval(RECORD_FIELDS_AS_TEXT))
    for name in TIMES:
        if record[name] is not None:
            record[name] = as_utc_text(datetime.fromisoformat(record[name]))
    return record


def as_utc_text(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%S.%f}Z"


@pytest.mark.accept("TRUE-03")
@pytest.mark.usefixtures("waiver_with_every_field")
async def test_another_program_computes_the_hash_of_a_record(admin: Connection) -> None:
    record = await stored_record(admin)

    assert record["record_version"] == 3
    assert "\\x" + independent_verifier.record_hash(record).hex() == record["record_sha256"]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.usefixtures("waiver_with_every_field")
async def test_another_program_computes_the_hash_of_an_older_record(admin: Connection, version: int) -> None:
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute("update waivers.signed set record_version = $1", version)
    await admin.execute("update waivers.signed w set record_sha256 = waivers.record_hash(w)")

    record = await stored_record(admin)

    assert "\\x" + independent_verifier.record_hash(record).hex() == record["record_sha256"]


async def test_a_record_without_optional_fields_has_another_hash_than_one_with_empty_fields(
    database: Database, admin: Connection, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa))
    record = await stored_record(admin)

    assert record["time_zone"] is None
    assert "\\x" + independent_verifier.record_hash(record).hex() == record["record_sha256"]
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute("update waivers.signed set time_zone = ''")
    assert await admin.fetchval("select w.record_sha256 = waivers.record_hash(w) from waivers.signed w") is False


async def test_every_column_of_a_record_is_hashed_or_listed_as_not_hashed(admin: Connection) -> None:
    columns = await admin.fetch(
        "select attname::text from pg_attribute where attrelid = 'waivers.signed'::regclass and attnum > 0"
    )

    assert {row["attname"] for row in columns} - NOT_HASHED == OTHER_VALUES.keys()
    assert set(independent_verifier.RECORD_FIELDS[3]) == OTHER_VALUES.keys()


@pytest.mark.parametrize("field", OTHER_VALUES)
@pytest.mark.accept("TRUE-04")
@pytest.mark.usefixtures("waiver_with_every_field")
async def test_a_change_of_any_field_of_a_record_is_detected(admin: Connection, field: str) -> None:
    before = await stored_record(admin)
    # Without the foreign keys, even the ids can be changed.
    await admin.execute("set session_replication_role = replica")

    await admin.execute(f"update waivers.signed set {field} = {OTHER_VALUES[field]}")

    changed = await stored_record(admin)
    assert changed[field] != before[field]
    if field != "record_version":
        assert independent_verifier.record_hash(changed) != independent_verifier.record_hash(before)
    assert await admin.fetchval("select w.record_sha256 = waivers.record_hash(w) from waivers.signed w") is False
    reasons = [row["reason"] for row in await admin.fetch("select reason from waivers.broken_evidence()")]
    assert "the signed record was changed" in reasons


async def stored_events(admin: Connection) -> list[dict[str, Any]]:
    rows = await admin.fetch(
        """
        select session_id::text, name, details, at, encode(previous, 'hex') as previous, encode(hash, 'hex') as hash,
               version, encode(salt, 'hex') as salt, is_erased
          from waivers.audit_events order by id
        """
    )
    return [{**row, "details": json.loads(row["details"]), "at": as_utc_text(row["at"])} for row in rows]


def independent_event_hash(event: dict[str, Any]) -> str:
    return independent_verifier.event_hash(event["session_id"], event).hex()


@pytest.mark.accept("TRUE-03")
@pytest.mark.usefixtures("waiver_with_every_field")
async def test_another_program_computes_the_hashes_of_the_events(admin: Connection) -> None:
    first, second = await stored_events(admin)

    assert (first["previous"], second["previous"]) == (None, first["hash"])
    assert [independent_event_hash(event) for event in (first, second)] == [first["hash"], second["hash"]]
    assert "Žofie 山田" in second["details"].values()


@pytest.mark.parametrize("field", OTHER_EVENT_VALUES)
@pytest.mark.accept("TRUE-04")
@pytest.mark.usefixtures("waiver_with_every_field")
async def test_a_change_of_any_field_of_an_event_is_detected(admin: Connection, field: str) -> None:
    [_, before] = await stored_events(admin)
    await admin.execute("set session_replication_role = replica")

    await admin.execute(
        f"update waivers.audit_events set {field} = {OTHER_EVENT_VALUES[field]} where name = 'waiver.signed'"
    )

    [_, changed] = await stored_events(admin)
    assert changed[field] != before[field]
    assert independent_event_hash(changed) != independent_event_hash(before)
    assert await admin.fetchval("select count(*) from waivers.broken_evidence() where event_id is not null") > 0


@pytest.mark.usefixtures("waiver_with_every_field")
async def test_an_event_that_is_hashed_again_without_its_predecessor_is_detected(admin: Connection) -> None:
    await admin.execute(
        """
        update waivers.audit_events set previous = null where name = 'waiver.signed';
        update waivers.audit_events e set hash = waivers.expected_hash(e) where name = 'waiver.signed'
        """
    )

    [broken] = await admin.fetch("select reason from waivers.broken_evidence()")
    assert broken["reason"] == "the event before it is missing or was changed"


@pytest.mark.accept("TRUE-03")
def test_the_examples_in_the_documentation_are_right() -> None:
    """The hashes in the documentation are fixed, so a change of both the verifier and the database is noticed."""
    blocks = re.findall(r"```json\n(.*?)```", read_source(ROOT / "docs" / "evidence-format.md"), re.DOTALL)
    record, event = (json.loads(block) for block in blocks[:2])

    assert independent_verifier.record_hash(record).hex() == record["record_sha256"]
    assert independent_event_hash(event) == event["hash"]


async def test_the_database_agrees_with_the_examples_in_the_documentation(admin: Connection) -> None:
    blocks = re.findall(r"```json\n(.*?)```", read_source(ROOT / "docs" / "evidence-format.md"), re.DOTALL)
    record, event = (json.loads(block) for block in blocks[:2])
    stored_hash = f"\\x{record.pop('record_sha256')}"
    strokes = record.pop("strokes")
    row = json.dumps({**record, "record_sha256": stored_hash})

    record_hash = await admin.fetchval(
        """
        select waivers.record_hash(jsonb_populate_record(null::waivers.signed,
                                   $1::jsonb || jsonb_build_object('strokes', $2::text::jsonb)))
        """,
        row, strokes,
    )  # fmt: skip
    event_hash = await admin.fetchval(
        """
        select waivers.expected_hash(jsonb_populate_record(null::waivers.audit_events, $1::jsonb || $2::jsonb))
        """,
        json.dumps(event), json.dumps({name: f"\\x{event[name]}" for name in ("previous", "salt")}),
    )  # fmt: skip

    assert f"\\x{record_hash.hex()}" == stored_hash
    assert event_hash.hex() == event["hash"]
