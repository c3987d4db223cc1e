"""A head gets a timestamp from a configured authority. Until the authority has answered, the timestamp is pending."""

import json
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from cairn.db import SERVICE, Connection, Database
from cairn.kit import now
from cairn.waivers import (
    DocumentContext,
    evidence_pack,
    load_seal,
    seal_new_events,
    timestamp_heads,
    trusted_certificates,
)
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.heads import check_heads
from tests import independent_verifier
from tests.factories import make_session, sign
from tests.people import Person
from tests.seals import document_settings
from tests.timestamp_authority import running_timestamp_authority

# The time in the response of the authority: about a day after the head is made.
TIMESTAMP = now().replace(microsecond=0) + timedelta(days=1)
STATUS = "select timestamp_status, timestamped_at from public.chain_heads order by number"


WRONG_TIMESTAMP = "Head 1: its timestamp belongs to another head, was changed, or is older than the head."


async def timestamps_of(admin: Connection) -> list[tuple[str, datetime | None]]:
    return [(row["timestamp_status"], row["timestamped_at"]) for row in await admin.fetch(STATUS)]


@pytest.mark.accept("TRUE-06")
async def test_a_head_is_pending_until_the_authority_answers(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person
) -> None:
    await sign(database, await make_session(database, rosa))
    unreachable = load_seal(documents.data_folder, document_settings(timestamp_url="http://127.0.0.1:1/"))
    await seal_new_events(database, unreachable)

    await timestamp_heads(database, documents, unreachable)
    assert await timestamps_of(admin) == [("pending", None)]

    async with running_timestamp_authority(TIMESTAMP) as url:
        seal = load_seal(documents.data_folder, document_settings(timestamp_url=url))
        await timestamp_heads(database, documents, seal)
        await timestamp_heads(database, documents, seal)
    assert await timestamps_of(admin) == [("confirmed", TIMESTAMP)]


@pytest.mark.accept("TRUE-06")
async def test_without_an_authority_no_head_claims_a_timestamp(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person
) -> None:
    seal = load_seal(documents.data_folder, document_settings())
    await sign(database, await make_session(database, rosa))
    await seal_new_events(database, seal)

    await timestamp_heads(database, documents, seal)

    assert await timestamps_of(admin) == [("none", None)]


@pytest.mark.parametrize("change", ["timestamped_at = timestamped_at - interval '1 day'", "token = sha256(token)"])
async def test_a_changed_timestamp_is_detected(
    database: Database, admin: Connection, documents: DocumentContext, rosa: Person, change: str
) -> None:
    await sign(database, await make_session(database, rosa))
    async with running_timestamp_authority() as url:
        seal = load_seal(documents.data_folder, document_settings(timestamp_url=url))
        await seal_new_events(database, seal)
        await timestamp_heads(database, documents, seal)
    assert await wrong_heads(database, documents, rosa) == []

    await admin.execute("set session_replication_role = replica")
    await admin.execute(f"update waivers.head_timestamps set {change}")

    assert await wrong_heads(database, documents, rosa) == [WRONG_TIMESTAMP]


async def wrong_heads(database: Database, documents: DocumentContext, rosa: Person) -> list[str]:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        certificates = await trusted_certificates(connection, documents.data_folder, documents.certificate_key)
        return [finding async for finding in check_heads(connection, rosa.company, certificates)]


async def test_another_program_checks_the_timestamp_in_an_evidence_pack(
    database: Database, documents: DocumentContext, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))
    async with running_timestamp_authority() as url:
        seal = load_seal(documents.data_folder, document_settings(timestamp_url=url))
        documents = replace(documents, seal=seal)
        await prepare_document(database, documents, seal, waiver["id"])
        first_pack = await evidence_pack(database, documents, rosa.principal, waiver["id"])
        await timestamp_heads(database, documents, seal)
        # A second export within five seconds is not recorded, so the pack contains the same head.
        second_pack = await evidence_pack(database, documents, rosa.principal, waiver["id"])

    packs = [independent_verifier.read_pack(pack.content) for pack in (first_pack, second_pack)]
    assert [independent_verifier.findings(pack, [seal.certificate]) for pack in packs] == [[], []]
    assert [json.loads(pack["head.json"])["timestamp"]["status"] for pack in packs] == ["pending", "confirmed"]
    confirmed_at = datetime.fromisoformat(json.loads(packs[1]["head.json"])["timestamp"]["at"])
    assert now() - timedelta(minutes=1) < confirmed_at <= now()
