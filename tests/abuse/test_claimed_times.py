"""M8: times that a device claims are limited to what the server considers possible. The claims are stored separately.

M8 is a finding in docs/security.md.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from cairn.db import Connection, Database
from cairn.kit import now
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.rendering import document_data
from tests.factories import make_session, sign
from tests.people import Person

LONG_AGO = datetime(1999, 1, 1, tzinfo=UTC)
FAR_AHEAD = datetime(2099, 1, 1, tzinfo=UTC)
CONSENT: dict[str, Any] = {"consent_version": "2026-11", "consent_language": "en"}


async def signing_details(admin: Connection) -> dict[str, Any]:
    details: dict[str, Any] = json.loads(
        await admin.fetchval("select details from waivers.audit_events where name = 'waiver.signed'")
    )
    return details


@pytest.mark.accept("SAFE-20")
async def test_m8_times_outside_of_what_the_server_knows_are_clamped(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)
    await admin.execute("update waivers.sessions set created_at = now() - interval '3 days'")

    waiver = await sign(
        database, session_id, **CONSENT, consented_at=LONG_AGO, first_viewed_at=LONG_AGO, last_viewed_at=FAR_AHEAD
    )

    opened_at = await admin.fetchval("select created_at from waivers.sessions")
    assert (waiver["consented_at"], waiver["first_viewed_at"]) == (opened_at, opened_at)
    assert waiver["last_viewed_at"] == waiver["signed_at"]
    assert await admin.fetch("select * from waivers.broken_evidence()") == []


async def test_m8_the_claims_are_part_of_the_event_of_the_signature(
    database: Database, admin: Connection, rosa: Person
) -> None:
    session_id = await make_session(database, rosa)

    await sign(
        database, session_id, **CONSENT, consented_at=LONG_AGO, first_viewed_at=LONG_AGO, last_viewed_at=FAR_AHEAD
    )

    details = await signing_details(admin)
    assert details["claimed_consented_at"] == "1999-01-01T00:00:00+00:00"
    assert details["claimed_first_viewed_at"] == "1999-01-01T00:00:00+00:00"
    assert details["claimed_last_viewed_at"] == "2099-01-01T00:00:00+00:00"


async def test_m8_a_signer_who_read_the_page_of_a_template_keeps_the_reading_time(
    database: Database, admin: Connection, rosa: Person
) -> None:
    """With a template's public link, the session is created only when the guest signs, after reading the text."""
    session_id = await make_session(database, rosa)
    opened_at = now() - timedelta(minutes=20)

    waiver = await sign(database, session_id, first_viewed_at=opened_at, last_viewed_at=LONG_AGO)

    assert waiver["first_viewed_at"] == opened_at
    assert waiver["last_viewed_at"] == opened_at, "the last view is never before the first one"
    assert "claimed_consented_at" not in await signing_details(admin)


@pytest.mark.parametrize("claim", ["infinity", "-infinity", "4000-01-01 BC", "200000-01-01"])
async def test_m8_an_impossible_time_neither_fails_nor_reaches_the_record(
    database: Database, admin: Connection, rosa: Person, claim: str
) -> None:
    session_id = await make_session(database, rosa)
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute(
            f"""
            insert into signed_waivers (session_id, signer_name, signer_email, signature, consent_version,
                                        consented_at, first_viewed_at, last_viewed_at)
            select '{session_id}', 'Gil', 'gil@example.com', $1, '2026-11', '{claim}', '{claim}', '{claim}'
            """,
            (await sign(database, await make_session(database, rosa)))["signature"],
        )

    record = await admin.fetchrow("select * from waivers.signed where session_id = $1", session_id)
    assert record is not None
    for name in ("consented_at", "first_viewed_at", "last_viewed_at"):
        assert timedelta() <= record["signed_at"] - record[name] <= timedelta(days=1)


@pytest.mark.accept("SAFE-20")
async def test_m8_the_document_shows_the_claims_as_claims(database: Database, admin: Connection, rosa: Person) -> None:
    waiver = await sign(
        database, await make_session(database, rosa), **CONSENT, consented_at=LONG_AGO, first_viewed_at=LONG_AGO
    )
    record = await signed_record(admin, waiver["id"])
    assert record is not None

    data = document_data(record, site_url="https://cairn.example", is_timestamped=False)

    claim = "the signer's device claimed 1999-01-01 00:00:00.000"
    assert claim in data["consent_details"]
    assert claim in dict(data["details"])["Reading"]
    [signing] = [event for event in data["events"] if event["what"] == "Signed"]
    assert "agreed, as the device claimed 1999-01-01T00:00:00+00:00" in signing["details"]


async def test_m8_a_plausible_time_is_still_shown_as_the_time_of_the_devices_clock(
    database: Database, admin: Connection, rosa: Person
) -> None:
    agreed_at = now() - timedelta(seconds=30)
    waiver = await sign(database, await make_session(database, rosa), **CONSENT, consented_at=agreed_at)
    record = await signed_record(admin, waiver["id"])
    assert record is not None

    details = document_data(record, site_url="https://cairn.example", is_timestamped=False)["consent_details"]

    assert "UTC by the clock of the signer's device" in details


@pytest.mark.parametrize("claim", ["infinity", "4000-01-01 BC", "200000-01-01"])
async def test_m8_a_record_that_was_stored_with_an_impossible_time_can_be_read(
    database: Database, admin: Connection, rosa: Person, claim: str
) -> None:
    waiver = await sign(database, await make_session(database, rosa), **CONSENT)
    await admin.execute("alter table waivers.signed disable trigger keep_signed")
    await admin.execute(f"update waivers.signed set consented_at = '{claim}', first_viewed_at = '{claim}'")

    record = await signed_record(admin, waiver["id"])

    assert record is not None
    assert document_data(record, site_url="https://cairn.example", is_timestamped=False)["consent_details"] is None
