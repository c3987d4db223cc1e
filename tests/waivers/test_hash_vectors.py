"""The hashes of records and events, computed here without the functions of the product.

With these values, a change of any single field is detected, and so is an event that was removed or replaced.
"""

import json
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

import pytest
import pytest_asyncio

from cairn.db import ANON, SERVICE, Connection, Database
from cairn.kit import now
from tests.cast import Person
from tests.factories import make_session, sign

STROKES = [[{"x": 1, "y": 2, "pressure": 0.5, "time": 0}]]
# The fields that the hash of a record covers, by the version of the record and in the order of the hash.
HASHED_FIELDS = {
    1: ("content", "signer_name", "signer_email", "signature"),
    2: (
        "content", "signer_name", "signer_email", "signature", "template_name", "company_name", "consent_version",
        "consent_language", "consent_text", "consented_at", "signed_at", "time_zone", "strokes",
    ),
}  # fmt: skip
CHANGES = {
    "content": "content || ' and more'",
    "signer_name": "'Mallory Quick'",
    "signer_email": "'mallory@example.com'",
    "signature": "signature || 'A'",
    "template_name": "'Another waiver'",
    "company_name": "'Rapid Rivals'",
    "consent_version": "'1999'",
    "consent_language": "'de'",
    "consent_text": "'I agree to everything'",
    "consented_at": "consented_at - interval '1 microsecond'",
    "signed_at": "signed_at + interval '1 microsecond'",
    "time_zone": "'UTC'",
    "strokes": "'[]'",
}
REASONS = "select reason from waivers.broken_evidence()"


@pytest_asyncio.fixture
async def signed(database: Database, admin: Connection, rosa: Person) -> None:
    """Gil has opened a waiver of Rosa, has signed it with everything that a record can contain, and it was sealed."""
    session_id = await make_session(database, rosa)
    async with database.acting_as(ANON) as connection:
        await connection.execute("select note_waiver_view($1, 40)", session_id)
    waiver = await sign(
        database, session_id, consent_version="2026-11", consented_at=now() - timedelta(seconds=30),
        time_zone="Asia/Tokyo", strokes=json.dumps(STROKES),
    )  # fmt: skip
    async with database.acting_as(SERVICE) as connection:
        await connection.execute("select waivers.store_document($1, 'a.pdf', $2, 'c')", waiver["id"], "ab" * 32)
    await admin.execute("alter table waivers.signed disable trigger keep_signed")


async def store_hash(admin: Connection, version: int) -> None:
    """Stores the hash of the given version as it is computed here, in the record and in the event of its signing."""
    await admin.execute("update waivers.signed set record_version = $1", version)
    row = await admin.fetchrow("select * from waivers.signed")
    assert row is not None
    record_hash = sha256(b"".join(field_hash(row[field]) for field in HASHED_FIELDS[version])).digest()
    await admin.execute("update waivers.signed set record_sha256 = $1", record_hash)
    changed_details = json.dumps({"record_sha256": record_hash.hex()})
    await admin.execute(
        "update waivers.audit_events set details = details || $1 where name = 'waiver.signed'", changed_details
    )
    previous: bytes | None = None
    for event in await admin.fetch("select * from waivers.audit_events order by id"):
        previous = await store_event_hash(admin, event, previous)


async def store_event_hash(admin: Connection, event: Any, previous: bytes | None) -> bytes:
    new_hash = event_hash(event, previous)
    await admin.execute(
        "update waivers.audit_events set previous = $2, hash = $3 where id = $1", event["id"], previous, new_hash
    )
    return new_hash


def field_hash(value: object) -> bytes:
    text = as_utc(value) if isinstance(value, datetime) else str(value)
    return sha256(text.encode()).digest()


def event_hash(event: Any, previous: bytes | None) -> bytes:
    lines = [str(event["session_id"]), event["name"], event["details"], as_utc(event["at"])]
    return sha256((previous or b"") + "\n".join(lines).encode()).digest()


def as_utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"


async def broken_reasons(admin: Connection) -> list[str]:
    return [row["reason"] for row in await admin.fetch(REASONS)]


@pytest.mark.usefixtures("signed")
@pytest.mark.parametrize("version", HASHED_FIELDS)
async def test_hashes_that_another_program_has_computed_are_valid(admin: Connection, version: int) -> None:
    await store_hash(admin, version)

    assert await broken_reasons(admin) == []


@pytest.mark.usefixtures("signed")
@pytest.mark.parametrize(
    ("version", "field"), [(version, field) for version, fields in HASHED_FIELDS.items() for field in fields]
)
async def test_a_change_of_any_hashed_field_is_detected(admin: Connection, version: int, field: str) -> None:
    await store_hash(admin, version)

    await admin.execute(f"update waivers.signed set {field} = {CHANGES[field]}")

    assert await broken_reasons(admin) == ["the signed record was changed"]


@pytest.mark.usefixtures("signed")
async def test_the_hash_of_each_event_includes_the_hash_of_the_event_before_it(admin: Connection) -> None:
    events = await admin.fetch("select * from waivers.audit_events order by id")

    assert [event["name"] for event in events] == [
        "session.opened",
        "session.viewed",
        "waiver.signed",
        "document.sealed",
    ]
    previous: bytes | None = None
    for event in events:
        assert event["previous"] == previous
        assert event["hash"] == event_hash(event, previous)
        previous = event["hash"]


@pytest.mark.usefixtures("signed")
async def test_an_event_that_was_removed_from_the_middle_is_detected(admin: Connection) -> None:
    await admin.execute("delete from waivers.audit_events where name = 'session.viewed'")

    assert await broken_reasons(admin) == ["the event before it is missing or was changed"]


@pytest.mark.usefixtures("signed")
async def test_an_event_that_was_replaced_together_with_its_hash_is_detected(admin: Connection) -> None:
    event = await admin.fetchrow(
        """
        update waivers.audit_events set details = '{"ip": "192.0.2.1"}' where name = 'session.viewed' returning *
        """
    )
    assert event is not None

    await store_event_hash(admin, event, event["previous"])

    assert await broken_reasons(admin) == ["the event before it is missing or was changed"]


@pytest.mark.usefixtures("signed")
async def test_a_record_that_was_replaced_together_with_its_hash_is_detected(admin: Connection) -> None:
    await admin.execute("update waivers.signed set signer_name = 'Mallory Quick'")
    await admin.execute("update waivers.signed w set record_sha256 = waivers.record_hash(w)")

    assert await broken_reasons(admin) == ["the event of its signing is missing or names another record"]
