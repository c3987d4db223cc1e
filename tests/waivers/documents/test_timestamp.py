"""A seal has an external timestamp if an authority is configured, and never claims one otherwise."""

from datetime import timedelta

import pytest

from cairn.kit import SandboxFailed, now
from cairn.waivers import DocumentContext, known_certificates, load_seal, verify
from tests.fixture_of import fixture_of
from tests.seals import document_settings
from tests.timestamp_authority import running_timestamp_authority
from tests.waivers.documents.conftest import MakeRecord

authority_url = fixture_of(running_timestamp_authority)


async def test_a_configured_authority_confirms_the_time(
    documents: DocumentContext, authority_url: str, make_record: MakeRecord
) -> None:
    seal = load_seal(documents.data_folder, document_settings(timestamp_url=authority_url))

    document = await documents.get_or_create(make_record(), seal)

    verdict = await verify(document, known_certificates(documents.data_folder))
    assert verdict.is_unchanged
    assert verdict.timestamp is not None
    assert now() - timedelta(minutes=1) < verdict.timestamp.at <= now()
    assert verdict.timestamp.authority == "Common Name: Test timestamp authority"


async def test_nothing_is_sealed_if_the_authority_does_not_respond(
    documents: DocumentContext, make_record: MakeRecord
) -> None:
    seal = load_seal(documents.data_folder, document_settings(timestamp_url="http://127.0.0.1:1/"))

    with pytest.raises(SandboxFailed, match="TimestampRequestError"):
        await documents.get_or_create(make_record(), seal)

    assert await documents.find(make_record().storage_path) is None
