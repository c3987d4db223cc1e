"""Clients download documents, forms and evidence packs."""

import hashlib
import io
import json
import re
import zipfile
from typing import Any
from uuid import UUID, uuid4

import httpx
import pikepdf
import pytest

from cairn.db import Connection, Database
from cairn.jobs import OutboxNotifier
from cairn.waivers import DocumentContext
from tests.factories import DOCUMENT_SECRET, SAMPLE_TEMPLATE_ID, make_session, make_template, sign
from tests.filled_form import fill_in_pdf
from tests.functions.conftest import SignAndSeal
from tests.people import Person
from tests.running_worker import worker_running

STROKES = [[{"x": 10, "y": 20, "pressure": 0.5, "time": 1000}, {"x": 90, "y": 40, "pressure": 0.5, "time": 1500}]]


async def call(client: httpx.AsyncClient, caller: str, name: str, body: object) -> httpx.Response:
    headers = {"Authorization": f"Bearer {caller}"}
    if isinstance(body, bytes):
        return await client.post(f"/{name}", content=body, headers=headers)
    return await client.post(f"/{name}", json=body, headers=headers)


async def verify(client: httpx.AsyncClient, document: bytes | dict[str, str]) -> dict[str, Any]:
    """Verifies a document, or the waiver with this id, as a visitor without an account."""
    verdict: dict[str, Any] = (await call(client, "anon", "verify-document", document)).json()
    return verdict


async def state_and_history(client: httpx.AsyncClient, document: bytes | dict[str, str]) -> tuple[str, str]:
    verdict = await verify(client, document)
    return verdict["state"], verdict["history"]


async def test_the_company_and_the_signer_download_the_same_document(
    client: httpx.AsyncClient, sign_and_seal: SignAndSeal
) -> None:
    waiver, document = await sign_and_seal(document_secret=DOCUMENT_SECRET)
    by_id, by_secret = {"waiver_id": str(waiver["id"])}, {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}

    # Rosa downloads twice, because the document must not be sealed again.
    for caller, parameters in (("rosa", by_id), ("rosa", by_id), ("anon", by_secret)):
        response = await call(client, caller, "waiver-document", parameters)
        assert response.headers["content-type"] == "application/pdf"
        assert response.content == document
        assert 'filename="General Liability Waiver.pdf"' in response.headers["content-disposition"]


async def test_an_unknown_document_is_not_found(client: httpx.AsyncClient) -> None:
    response = await call(client, "anon", "waiver-document", {"waiver_id": str(uuid4())})

    assert (response.status_code, response.json()["code"]) == (404, "document_missing")


async def test_a_document_that_is_not_ready_is_reported_as_preparing(
    client: httpx.AsyncClient, database: Database, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.functions.waiver_document._WAIT_SECONDS", 0.1)
    waiver = await sign(database, await make_session(database, rosa))

    response = await call(client, "rosa", "waiver-document", {"waiver_id": str(waiver["id"])})

    assert (response.status_code, response.json()) == (202, {"status": "preparing"})


async def test_a_download_right_after_signing_waits_for_the_worker(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    rosa: Person,
) -> None:
    async with worker_running(database, login_url, notifier, documents=documents):
        waiver = await sign(database, await make_session(database, rosa), document_secret=DOCUMENT_SECRET)
        notifier.notify()
        parameters = {"waiver_id": str(waiver["id"]), "secret": DOCUMENT_SECRET}
        response = await call(client, "anon", "waiver-document", parameters)

    assert response.status_code == 200
    assert response.content.startswith(b"%PDF-")


async def test_anyone_can_verify_a_document(client: httpx.AsyncClient, sign_and_seal: SignAndSeal) -> None:
    waiver, document = await sign_and_seal()

    response = await verify(client, document)

    assert (response["state"], response["on_record"], response["history"]) == ("unchanged", True, "intact")
    assert response["waiver_id"] == str(waiver["id"])
    assert response["document_sha256"] == hashlib.sha256(document).hexdigest()
    assert response["timestamped_at"] is None
    assert (response["head_timestamp"], response["head_timestamped_at"]) == ("none", None)
    assert response["head_signed_at"] is not None


async def test_the_verification_reports_that_the_last_events_are_missing(
    client: httpx.AsyncClient, admin: Connection, sign_and_seal: SignAndSeal
) -> None:
    _, document = await sign_and_seal()
    await admin.execute("delete from waivers.audit_events where id = (select max(id) from waivers.audit_events)")

    assert await state_and_history(client, document) == ("unchanged", "broken")


async def test_a_head_with_a_wrong_signature_is_reported_by_the_verification(
    client: httpx.AsyncClient, admin: Connection, sign_and_seal: SignAndSeal
) -> None:
    waiver, _ = await sign_and_seal()
    await admin.execute("set session_replication_role = replica")
    await admin.execute("update waivers.chain_heads set signature = sha256(signature)")

    assert await state_and_history(client, {"waiver_id": str(waiver["id"])}) == ("on_record", "broken")


async def test_a_document_shows_that_the_head_it_names_was_removed(
    client: httpx.AsyncClient, admin: Connection, sign_and_seal: SignAndSeal
) -> None:
    await sign_and_seal()
    _, document = await sign_and_seal()
    assert await state_and_history(client, document) == ("unchanged", "intact")
    await admin.execute("set session_replication_role = replica")
    for table in ("head_entries", "chain_heads"):
        await admin.execute(f"delete from waivers.{table}")

    assert await state_and_history(client, document) == ("unchanged", "broken")


async def test_a_broken_history_is_shown_by_the_verification_and_in_the_evidence_pack(
    client: httpx.AsyncClient, sign_and_seal: SignAndSeal, admin: Connection
) -> None:
    waiver, document = await sign_and_seal()
    await admin.execute("update waivers.audit_events set details = '{}' where name = 'session.opened'")

    verdict = await verify(client, document)
    response = await call(client, "rosa", "evidence-pack", {"waiver_id": str(waiver["id"])})

    assert (verdict["state"], verdict["on_record"], verdict["history"]) == ("unchanged", True, "broken")
    with zipfile.ZipFile(io.BytesIO(response.content)) as pack:
        assert re.search("BROKEN: .*: the event was changed", pack.read("timeline.txt").decode())


async def test_a_changed_byte_is_detected(client: httpx.AsyncClient, sign_and_seal: SignAndSeal) -> None:
    _, document = await sign_and_seal()
    changed_document = with_flipped_bit(document, position=len(document) // 2)

    response = await verify(client, changed_document)

    assert response["state"] in ("changed", "unreadable")
    assert response["on_record"] is False


def with_flipped_bit(document: bytes, position: int) -> bytes:
    return document[:position] + bytes([document[position] ^ 1]) + document[position + 1 :]


async def test_a_printed_link_does_not_reveal_who_signed(client: httpx.AsyncClient, sign_and_seal: SignAndSeal) -> None:
    waiver, document = await sign_and_seal()

    response = await call(client, "anon", "verify-document", {"waiver_id": str(waiver["id"])})
    unknown_response = await call(client, "anon", "verify-document", {"waiver_id": str(uuid4())})

    assert response.json()["state"] == "on_record"
    assert response.json()["document_sha256"] == hashlib.sha256(document).hexdigest()
    assert "Gil" not in response.text
    assert "gil@" not in response.text
    assert unknown_response.json()["state"] == "unknown"


async def test_a_printed_link_reports_a_document_that_is_not_ready(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    response = await call(client, "anon", "verify-document", {"waiver_id": str(waiver["id"])})

    assert (response.json()["state"], response.json()["on_record"]) == ("preparing", False)


async def test_the_preview_of_a_template_looks_like_the_form_that_is_sent(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    template = await make_template(database, rosa)

    preview = await call(client, "rosa", "waiver-form", {"template_id": template})
    session = await make_session(database, rosa, template)
    form = await call(client, "rosa", "waiver-form", {"session_id": str(session)})

    assert preview.headers["content-type"] == "application/pdf"
    assert field_positions(preview.content) == field_positions(form.content)
    assert len(field_positions(form.content)) == 4


def field_positions(pdf: bytes) -> dict[str, list[float]]:
    with pikepdf.open(io.BytesIO(pdf)) as form:
        return {str(field.T): [float(edge) for edge in field.Rect] for field in form.Root.AcroForm.Fields}


async def test_a_company_can_only_open_its_own_forms_and_the_samples(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session = await make_session(database, rosa)

    assert (await call(client, "mallory", "waiver-form", {"session_id": str(session)})).status_code == 404
    assert (await call(client, "rosa", "waiver-form", {})).json()["code"] == "parameters_invalid"
    assert (await call(client, "rosa", "waiver-form", {"template_id": SAMPLE_TEMPLATE_ID})).status_code == 200


async def test_the_fields_of_a_filled_form_are_returned(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    session = await make_session(database, rosa)
    empty_form = (await call(client, "rosa", "waiver-form", {"session_id": str(session)})).content

    response = await call(
        client, "anon", "waiver-form", fill_in_pdf(empty_form, name="Žofie Дмитриева", date="2026-11-20")
    )

    assert response.json() == {
        "name": "Žofie Дмитриева", "email": "gil@example.com", "date": "2026-11-20", "session_id": str(session),
    }  # fmt: skip
    assert (await call(client, "anon", "waiver-form", b"%PDF-1.7 nonsense")).json()["code"] == "form_unreadable"


async def test_the_evidence_pack_contains_everything_about_a_waiver(
    client: httpx.AsyncClient, sign_and_seal: SignAndSeal
) -> None:
    waiver, document = await sign_and_seal(strokes=json.dumps(STROKES), consent_version="2026-11")

    response = await call(client, "rosa", "evidence-pack", {"waiver_id": str(waiver["id"])})

    with zipfile.ZipFile(io.BytesIO(response.content)) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    assert files["waiver.pdf"] == document
    assert files["text.md"].decode() == waiver["content"]
    assert [event["name"] for event in json.loads(files["events.json"])] == [
        "session.opened", "waiver.signed", "document.sealed", "email.requested", "evidence.exported",
    ]  # fmt: skip
    assert json.loads(files["head.json"])["entry"]["events"] == 5
    assert files["manifest.sig"].endswith(b"\n")
    assert "intact" in files["timeline.txt"].decode()
    assert json.loads(files["record.json"])["consent_version"] == "2026-11"
    assert json.loads(files["strokes.json"]) == STROKES
    assert b'd="M10.0 20.0 L90.0 40.0"' in files["strokes.svg"]
    assert b'dur="0.500s"' in files["strokes.svg"]
    assert b"BEGIN CERTIFICATE" in files["certificates.pem"]
    [copy] = json.loads(files["deliveries.json"])
    assert (copy["recipient"], copy["status"]) == ("gil@example.com", "sending")
    assert UUID(json.loads(files["record.json"])["id"]) == waiver["id"]


@pytest.mark.parametrize("caller", ["mallory", "gil", "anon"])
async def test_only_the_company_can_download_the_evidence_pack(
    client: httpx.AsyncClient, sign_and_seal: SignAndSeal, caller: str
) -> None:
    waiver, _ = await sign_and_seal()

    response = await call(client, caller, "evidence-pack", {"waiver_id": str(waiver["id"])})

    assert (response.status_code, response.json()["code"]) == (404, "document_missing")
