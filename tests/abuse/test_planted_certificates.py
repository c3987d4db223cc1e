"""7C1: someone who has the database, but no key and no secret, cannot add a certificate of their own.

The forger replaces a signed waiver, its history, its head and its document, signs the new ones with a key of their own,
and lists the certificate in the database, as servers do. `/verify`, `cairn verify`, `cairn audit` and the evidence pack
must find that. Servers with the same secrets still know each other's seals.

7C1 is a finding in docs/security.md.
"""

import asyncio
import hashlib
import hmac
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import pytest_asyncio

from cairn.audit import audit
from cairn.db import SERVICE, Connection, Database
from cairn.kit import frozen_dataclass
from cairn.settings import Settings, load_settings
from cairn.storage import new_sealing_key
from cairn.verify import verify_by_data_folder
from cairn.waivers import (
    CertificateKey,
    DocumentContext,
    Seal,
    evidence_pack,
    look_up_document,
    save_own_certificates,
    verify_with_record,
)
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.heads import seal_session
from cairn.waivers.documents.read_record import signed_record
from cairn.waivers.documents.seal_keys import from_pem, new_seal_key
from cairn.worker import run_worker
from tests.abuse.test_deleted_heads import replace_history
from tests.cli.test_audit import run_audit
from tests.factories import make_session, sign
from tests.independent_verifier import read_pack
from tests.people import Person
from tests.running_worker import document_context_in
from tests.waiting import wait_until_true
from tests.whole_app import whole_app

NETWORK = "203.0.113.7"


@frozen_dataclass
class Forgery:
    """A waiver that was signed at this service, and what the forger put in its place."""

    waiver_id: UUID
    session_id: UUID
    document: bytes
    seal: Seal


@pytest.fixture
def settings(admin_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """The settings of a server that uses the test's database."""
    monkeypatch.setenv("CAIRN_DATABASE__URL", admin_url)
    return load_settings(data=tmp_path / "data")


@pytest.fixture
def documents(database: Database, settings: Settings) -> DocumentContext:
    return document_context_in(settings.data, database, settings.certificate_secret)


@pytest_asyncio.fixture
async def forgery(database: Database, admin: Connection, documents: DocumentContext, rosa: Person) -> Forgery:
    waiver = await sign(database, await make_session(database, rosa))
    await prepare_document(database, documents, documents.seal, waiver["id"])
    forger_seal = new_seal()
    await admin.execute("set session_replication_role = replica")
    await replace_history(admin, waiver["session_id"])
    async with database.acting_as(SERVICE, read_only=True) as connection:
        record = await signed_record(connection, waiver["id"])
    assert record is not None
    assert record.signer_name == "Mallory Forger"
    document = await documents.render_and_seal(record, forger_seal)
    forgery = Forgery(waiver["id"], waiver["session_id"], document, forger_seal)
    await sign_history(database, admin, rosa, forgery, document, forger_seal)
    return forgery


async def sign_history(
    database: Database, admin: Connection, owner: Person, forgery: Forgery, document: bytes, document_seal: Seal
) -> None:
    """Replaces the document and the history of the waiver, and covers them with a head of the forger.

    The forger uses the product's own code, which also lists the certificate.
    """
    sha256 = hashlib.sha256(document).hexdigest()
    await replace_document(admin, forgery.waiver_id, sha256, document_seal.fingerprint)
    await replace_history(admin, forgery.session_id)
    await admin.execute("delete from waivers.head_entries")
    await admin.execute("delete from waivers.chain_heads")
    await seal_session(database, forgery.seal, owner.company, forgery.session_id)


def new_seal() -> Seal:
    key_and_certificate = new_seal_key().encode()
    return Seal(lambda: from_pem(key_and_certificate))


async def replace_document(admin: Connection, waiver_id: UUID, sha256: str, certificate: str) -> None:
    await admin.execute("update waivers.signed set document_sha256 = $2 where id = $1", waiver_id, sha256)
    await admin.execute(
        """
        update waivers.audit_events
           set details = details || jsonb_build_object('document_sha256', $2::text, 'certificate_sha256', $3::text)
         where name = 'document.sealed' and details ->> 'waiver_id' = $1::uuid::text
        """,
        waiver_id, sha256, certificate,
    )  # fmt: skip


async def verify_at(database: Database, documents: DocumentContext, document: bytes) -> tuple[Any, Any, Any]:
    """Returns what `/verify` says about a file: its state, whether it is on record, and the state of the history."""
    response = await verify_with_record(database, documents, document, network=NETWORK, turn=nullcontext())
    return response["state"], response["on_record"], response.get("history")


async def leave_the_certificate_without_a_mac(_admin: Connection, _fingerprint: str) -> None:
    pass


async def copy_the_mac_of_the_service(admin: Connection, fingerprint: str) -> None:
    await admin.execute(
        """
        update waivers.seal_certificates c
           set mac = (select o.mac from waivers.seal_certificates o where o.mac is not null)
         where c.fingerprint = $1
        """,
        fingerprint,
    )


async def compute_a_mac_without_the_secret(admin: Connection, fingerprint: str) -> None:
    """The database contains fingerprints of the secrets. None of them is a key."""
    mac = CertificateKey("").mac(fingerprint)
    await admin.execute("update waivers.seal_certificates set mac = $2 where fingerprint = $1", fingerprint, mac)


async def take_the_place_of_the_service(admin: Connection, fingerprint: str) -> None:
    """The row of the service, with its MAC, gets the certificate of the forger."""
    await admin.execute(
        """
        update waivers.seal_certificates c
           set pem = (select o.pem from waivers.seal_certificates o where o.fingerprint = $1)
         where c.mac is not null
        """,
        fingerprint,
    )
    await admin.execute("delete from waivers.seal_certificates where fingerprint = $1", fingerprint)


WAYS_TO_PLANT = [
    leave_the_certificate_without_a_mac, copy_the_mac_of_the_service, compute_a_mac_without_the_secret,
    take_the_place_of_the_service,
]  # fmt: skip


@pytest.mark.parametrize("plant", WAYS_TO_PLANT)
async def test_7c1_a_planted_certificate_is_not_trusted(
    database: Database, admin: Connection, documents: DocumentContext, forgery: Forgery, plant: Any
) -> None:
    await plant(admin, forgery.seal.fingerprint)

    assert await verify_at(database, documents, forgery.document) == ("foreign", False, None)
    by_link = await look_up_document(database, documents, forgery.waiver_id)
    assert by_link["history"] == "broken"

    reported: list[str] = []
    assert await run_audit(database, documents, reported) == 1
    assert (
        f"WRONG  Certificate {forgery.seal.fingerprint}: the database lists it, but it is not trusted. No server with "
        "the secrets of this deployment listed it, and the folder seal does not contain it."
    ) in reported
    assert "WRONG  Head 1: it was not signed by this service." in reported


async def test_7c1_only_the_certificate_shows_this_forgery(
    database: Database, documents: DocumentContext, forgery: Forgery
) -> None:
    """If the server trusted the certificate, it would find nothing wrong. So the tests above check the certificate."""
    (documents.data_folder / "seal" / "planted.crt").write_bytes(forgery.seal.certificate_pem)

    assert await verify_at(database, documents, forgery.document) == ("unchanged", True, "intact")


async def test_7c1_the_commands_report_the_forgery(settings: Settings, forgery: Forgery, tmp_path: Path) -> None:
    file = tmp_path / "forged.pdf"
    file.write_bytes(forgery.document)
    reported: list[str] = []

    assert await verify_by_data_folder(file, settings, offline=False, report=reported.append) == 1
    assert reported == ["This document carries a seal, but not one of this service."]
    assert await audit(settings, company_id=None, exported_heads=None, report=reported.append) == 1
    assert any(line.startswith(f"WRONG  Certificate {forgery.seal.fingerprint}: ") for line in reported)


async def test_7c1_an_evidence_pack_does_not_contain_a_planted_certificate(
    database: Database, documents: DocumentContext, admin: Connection, forgery: Forgery, rosa: Person
) -> None:
    # The forger cannot replace the stored file, so they put its true hash on record again.
    document = await documents.find(f"{rosa.company}/{forgery.waiver_id}.pdf")
    assert document is not None
    await sign_history(database, admin, rosa, forgery, document, documents.seal)

    pack = read_pack((await evidence_pack(database, documents, rosa.principal, forgery.waiver_id)).content)

    assert pack["certificates.pem"] == documents.seal.certificate_pem
    assert "head.json" not in pack
    assert b"it was not signed by this service" in pack["timeline.txt"]


async def test_servers_with_the_same_secrets_trust_each_other(database: Database, rosa: Person, tmp_path: Path) -> None:
    sealing_key = new_sealing_key()
    first = document_context_in(tmp_path / "first", database, sealing_key)
    second = replace(document_context_in(tmp_path / "second", database, sealing_key), storage=first.storage)
    stranger = document_context_in(tmp_path / "stranger", database)
    document = await sealed_document(database, first, rosa)

    assert first.seal.fingerprint != second.seal.fingerprint
    for server in (first, second):
        assert await verify_at(database, server, document) == ("unchanged", True, "intact")
    reported: list[str] = []
    assert await run_audit(database, second, reported) == 0, reported
    assert await verify_at(database, stranger, document) == ("foreign", False, None)


async def sealed_document(database: Database, documents: DocumentContext, owner: Person) -> bytes:
    waiver = await sign(database, await make_session(database, owner))
    await prepare_document(database, documents, documents.seal, waiver["id"])
    document = await documents.find(f"{owner.company}/{waiver['id']}.pdf")
    assert document is not None
    return document


@pytest.mark.parametrize("change", ["mac = null", "mac = sha256(mac)", "pem = 'junk'"])
async def test_a_server_repairs_the_entries_of_its_certificates_when_it_starts(
    database: Database, admin: Connection, rosa: Person, tmp_path: Path, change: str
) -> None:
    """Earlier versions listed certificates without a MAC."""
    sealing_key = new_sealing_key()
    first = document_context_in(tmp_path / "first", database, sealing_key)
    second = document_context_in(tmp_path / "second", database, sealing_key)
    document = await sealed_document(database, first, rosa)
    await admin.execute(f"update waivers.seal_certificates set {change}")

    assert await verify_at(database, first, document) == ("unchanged", True, "intact"), "it has the certificate itself"
    assert await verify_at(database, second, document) == ("foreign", False, None)
    reported: list[str] = []
    assert await run_audit(database, second, reported) == 1
    assert sum("Certificate" in line for line in reported) == 1

    await save_own_certificates(database, first)

    assert await verify_at(database, second, document) == ("unchanged", True, "intact")


@pytest_asyncio.fixture
async def old_seal(admin: Connection, documents: DocumentContext) -> Seal:
    """A seal that this server used earlier. An earlier version listed its certificate, without a MAC."""
    seal = new_seal()
    documents.seal.load()
    (documents.data_folder / "seal" / f"{seal.fingerprint}.crt").write_bytes(seal.certificate_pem)
    await admin.execute(
        "insert into waivers.seal_certificates (fingerprint, pem) values ($1, $2)",
        seal.fingerprint, seal.certificate_pem.decode(),
    )  # fmt: skip
    return seal


async def test_a_web_server_lists_its_certificates_when_it_starts(
    admin: Connection, login_url: str, documents: DocumentContext, old_seal: Seal
) -> None:
    async with whole_app(login_url, documents.data_folder):
        rows = await admin.fetch("select fingerprint, mac from waivers.seal_certificates")

    fingerprints = {old_seal.fingerprint, documents.seal.fingerprint}
    macs = {row["fingerprint"]: row["mac"] for row in rows if row["fingerprint"] in fingerprints}
    assert macs == {fingerprint: documents.certificate_key.mac(fingerprint) for fingerprint in fingerprints}


async def test_a_worker_lists_its_certificates_when_it_starts(
    admin: Connection, login_url: str, settings: Settings, documents: DocumentContext, old_seal: Seal
) -> None:
    stop = asyncio.Event()
    worker = asyncio.create_task(run_worker(settings, login_url, stop))
    await wait_until_true(admin, "select bool_and(mac is not null) from waivers.seal_certificates")
    stop.set()
    await worker

    mac = await admin.fetchval("select mac from waivers.seal_certificates where fingerprint = $1", old_seal.fingerprint)
    assert mac == documents.certificate_key.mac(old_seal.fingerprint)


def test_the_mac_is_computed_as_the_documentation_says() -> None:
    secret, fingerprint = "a secret of all servers", "ab" * 32
    # HKDF with SHA-256, without a salt, for 32 bytes; see RFC 5869.
    extracted = hmac.digest(bytes(32), secret.encode(), "sha256")
    key = hmac.digest(extracted, b"cairn: certificates of seals\x01", "sha256")
    mac = hmac.digest(key, f"cairn seal certificate 1\n{fingerprint}".encode(), "sha256")

    assert CertificateKey(secret).mac(fingerprint) == mac
    assert CertificateKey(secret).is_right(fingerprint, mac)
    assert not CertificateKey(secret).is_right("cd" * 32, mac)
