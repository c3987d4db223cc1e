"""8E1 in docs/security.md: an addition to the parts of a seal that its signature does not cover is detected.

These parts are the unsigned attributes, and the lists of certificates and algorithms. A timestamp is an unsigned
attribute, so anyone can replace it with a timestamp from an authority that they made up.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from asn1crypto import cms, core, tsp
from pyhanko.sign.timestamps import DummyTimeStamper

from cairn.db import Connection, Database
from cairn.kit import now
from cairn.waivers import (
    DocumentContext,
    Seal,
    known_certificates,
    load_seal,
    seal_new_events,
    timestamp_heads,
    verify,
)
from tests.factories import make_session, sign
from tests.people import Person
from tests.seals import document_settings
from tests.timestamp_authority import certificate_and_key, running_timestamp_authority
from tests.waivers.documents.conftest import MakeRecord
from tests.waivers.documents.test_head_timestamps import WRONG_TIMESTAMP, wrong_heads

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)


def change_seal(document: bytes, change: Callable[[cms.SignedData], None]) -> bytes:
    """Changes the CMS structure of the seal. The file stays as long as it was."""
    start = document.rindex(b"/Contents <") + len(b"/Contents <")
    end = document.index(b">", start)
    structure = cms.ContentInfo.load(bytes.fromhex(document[start:end].decode()))
    change(structure["content"])
    changed: bytes = structure.dump(force=True).hex().upper().encode().ljust(end - start, b"0")
    assert len(changed) == end - start, "the changed seal must fit"
    return document[:start] + changed + document[end:]


def hide_a_text(signed_data: cms.SignedData) -> None:
    attribute = cms.CMSAttribute({"type": "1.2.3.4", "values": [core.UTF8String("a hidden text")]})
    signed_data["signer_infos"][0]["unsigned_attrs"] = cms.CMSAttributes([attribute])


def add_a_certificate(signed_data: cms.SignedData) -> None:
    signed_data["certificates"].append(cms.CertificateChoices("certificate", certificate_and_key()[0]))


def add_an_algorithm(signed_data: cms.SignedData) -> None:
    signed_data["digest_algorithms"].append(cms.DigestAlgorithm({"algorithm": "sha512"}))


def replace_the_timestamp(time: datetime) -> Callable[[cms.SignedData], None]:
    def replace(signed_data: cms.SignedData) -> None:
        signer = signed_data["signer_infos"][0]
        imprint = {
            "hash_algorithm": {"algorithm": "sha256"},
            "hashed_message": sha256(signer["signature"].native).digest(),
        }
        request = tsp.TimeStampReq({"version": 1, "message_imprint": imprint, "cert_req": True})
        response = DummyTimeStamper(*certificate_and_key(), fixed_dt=time).request_tsa_response(request)
        attribute = cms.CMSAttribute({"type": "signature_time_stamp_token", "values": [response["time_stamp_token"]]})
        signer["unsigned_attrs"] = cms.CMSAttributes([attribute])

    return replace


@pytest.mark.parametrize("change", [hide_a_text, add_a_certificate, add_an_algorithm])
async def test_8e1_something_that_was_added_to_a_seal_is_detected(
    documents: DocumentContext, seal: Seal, make_record: MakeRecord, change: Callable[[cms.SignedData], None]
) -> None:
    document = await documents.get_or_create(make_record(), seal)
    certificates = known_certificates(documents.data_folder)

    assert (await verify(change_seal(document, lambda _: None), certificates)).state == "unchanged"
    assert (await verify(change_seal(document, change), certificates)).state == "changed"


async def test_8e1_a_timestamp_cannot_make_a_document_look_older(
    documents: DocumentContext, make_record: MakeRecord
) -> None:
    async with running_timestamp_authority() as url:
        seal = load_seal(documents.data_folder, document_settings(timestamp_url=url))
        document = await documents.get_or_create(make_record(), seal)
    certificates = known_certificates(documents.data_folder)

    for forged_time in (LONG_AGO, now() - timedelta(minutes=20), now() + timedelta(minutes=20)):
        forged = change_seal(document, replace_the_timestamp(forged_time))
        assert (await verify(forged, certificates)).state == "changed", forged_time

    other = await verify(change_seal(document, replace_the_timestamp(now())), certificates)
    assert other.state == "unchanged"
    assert other.timestamp is not None
    assert other.timestamp.authority == "Common Name: Test timestamp authority"


async def test_8e1_a_timestamp_cannot_make_a_head_look_older(
    database: Database, documents: DocumentContext, rosa: Person, admin: Connection
) -> None:
    await sign(database, await make_session(database, rosa))
    async with running_timestamp_authority(LONG_AGO) as url:
        seal = load_seal(documents.data_folder, document_settings(timestamp_url=url))
        await seal_new_events(database, seal)
        await timestamp_heads(database, documents, seal)

    assert await admin.fetchval("select timestamped_at from waivers.head_timestamps") == LONG_AGO
    assert await wrong_heads(database, documents, rosa) == [WRONG_TIMESTAMP]
