"""Documents as people ask for them."""

import hashlib
import io
import json
import zipfile
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import httpx
import pikepdf
import pytest
from asyncpg import Record

from cairn.db import Database
from cairn.jobs import OutboxNotifier
from cairn.kit import now
from cairn.waivers import DocumentContext, Seal, fetch_document
from cairn.waivers.documents import prepare_document
from cairn.waivers.documents.errors import DocumentMissing
from tests.cast import Person
from tests.make import SAMPLE, make_session, make_template, sign
from tests.running_worker import worker_running

STROKES = [[{"x": 10, "y": 20, "pressure": 0.5, "time": 1000}, {"x": 90, "y": 40, "pressure": 0.5, "time": 1500}]]


@pytest.fixture
def pdf(database: Database, documents: DocumentContext, seal: Seal, rosa: Person) -> Any:
    async def signed_and_sealed(**more: Any) -> tuple[Record, bytes]:
        waiver = await sign(database, await make_session(database, rosa), **more)
        await prepare_document(database, documents, seal, waiver["id"])
        document = await documents.find(f"{rosa.company}/{waiver['id']}.pdf")
        assert document is not None
        return waiver, document

    return signed_and_sealed


async def call(client: httpx.AsyncClient, who: str, name: str, body: object) -> httpx.Response:
    headers = {"Authorization": f"Bearer {who}"}
    if isinstance(body, bytes):
        return await client.post(f"/{name}", content=body, headers=headers)
    return await client.post(f"/{name}", json=body, headers=headers)


async def test_the_company_and_the_signer_download_the_same_document(client: httpx.AsyncClient, pdf: Any) -> None:
    waiver, document = await pdf()

    for who in ("rosa", "rosa", "anon"):
        answer = await call(client, who, "waiver-document", {"waiver_id": str(waiver["id"])})
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.content == document
        assert 'filename="General Liability Waiver.pdf"' in answer.headers["content-disposition"]


async def test_the_id_on_paper_does_not_open_the_document_for_ever(
    database: Database, documents: DocumentContext, pdf: Any, rosa: Person, mallory: Person
) -> None:
    waiver, document = await pdf()
    later = now() + timedelta(hours=25)

    with pytest.raises(DocumentMissing):
        await fetch_document(database, documents, mallory.principal, waiver["id"], later)

    found = await fetch_document(database, documents, rosa.principal, waiver["id"], later)
    assert found is not None
    assert found.content == document


async def test_an_unknown_document_is_not_found(client: httpx.AsyncClient) -> None:
    answer = await call(client, "anon", "waiver-document", {"waiver_id": str(uuid4())})

    assert (answer.status_code, answer.json()["code"]) == (404, "document_missing")


async def test_a_document_still_being_prepared_says_so(
    client: httpx.AsyncClient, database: Database, rosa: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cairn.functions.waiver_document._WAIT_SECONDS", 0.1)
    waiver = await sign(database, await make_session(database, rosa))

    answer = await call(client, "rosa", "waiver-document", {"waiver_id": str(waiver["id"])})

    assert (answer.status_code, answer.json()) == (202, {"status": "preparing"})


async def test_whoever_asks_right_after_signing_waits_for_the_worker(
    client: httpx.AsyncClient,
    database: Database,
    login_url: str,
    notifier: OutboxNotifier,
    documents: DocumentContext,
    rosa: Person,
) -> None:
    async with worker_running(database, login_url, notifier, documents=documents):
        waiver = await sign(database, await make_session(database, rosa))
        notifier.notify()
        answer = await call(client, "anon", "waiver-document", {"waiver_id": str(waiver["id"])})

    assert answer.status_code == 200
    assert answer.content.startswith(b"%PDF-")


async def test_anyone_verifies_a_document(client: httpx.AsyncClient, pdf: Any) -> None:
    waiver, document = await pdf()

    answer = (await call(client, "anon", "verify-document", document)).json()

    assert (answer["state"], answer["on_record"], answer["history"]) == ("unchanged", True, "intact")
    assert (answer["waiver_id"], answer["company_name"]) == (str(waiver["id"]), "Rio Rafting")
    assert answer["document_sha256"] == hashlib.sha256(document).hexdigest()
    assert answer["timestamped_at"] is None


async def test_a_flipped_byte_is_told(client: httpx.AsyncClient, pdf: Any) -> None:
    _, document = await pdf()
    changed = document.replace(b"Rio", b"Rip", 1) if b"Rio" in document else flipped(document, 2000)

    answer = (await call(client, "anon", "verify-document", changed)).json()

    assert answer["state"] in ("changed", "unreadable")
    assert answer["on_record"] is False


def flipped(document: bytes, place: int) -> bytes:
    return document[:place] + bytes([document[place] ^ 1]) + document[place + 1 :]


async def test_a_printed_link_names_the_document_and_not_the_person(client: httpx.AsyncClient, pdf: Any) -> None:
    waiver, document = await pdf()

    answer = await call(client, "anon", "verify-document", {"waiver_id": str(waiver["id"])})
    unknown = await call(client, "anon", "verify-document", {"waiver_id": str(uuid4())})

    assert answer.json()["state"] == "on_record"
    assert answer.json()["document_sha256"] == hashlib.sha256(document).hexdigest()
    assert "Gil" not in answer.text
    assert "gil@" not in answer.text
    assert unknown.json()["state"] == "unknown"


async def test_a_printed_link_says_that_its_document_is_being_prepared(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    waiver = await sign(database, await make_session(database, rosa))

    answer = await call(client, "anon", "verify-document", {"waiver_id": str(waiver["id"])})

    assert (answer.json()["state"], answer.json()["on_record"]) == ("preparing", False)


async def test_the_preview_of_a_template_is_a_real_form(
    client: httpx.AsyncClient, database: Database, rosa: Person
) -> None:
    template = await make_template(database, rosa)

    preview = await call(client, "rosa", "waiver-form", {"template_id": template})
    session = await make_session(database, rosa, template)
    sent = await call(client, "rosa", "waiver-form", {"session_id": str(session)})

    assert preview.headers["content-type"] == "application/pdf"
    assert layout(preview.content) == layout(sent.content)
    assert len(layout(sent.content)) == 4


def layout(pdf: bytes) -> dict[str, list[float]]:
    with pikepdf.open(io.BytesIO(pdf)) as form:
        return {str(field.T): [float(edge) for edge in field.Rect] for field in form.Root.AcroForm.Fields}


async def test_a_rival_previews_no_form(client: httpx.AsyncClient, database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa)

    assert (await call(client, "mallory", "waiver-form", {"session_id": str(session)})).status_code == 404
    assert (await call(client, "rosa", "waiver-form", {})).json()["code"] == "parameters_invalid"
    assert (await call(client, "rosa", "waiver-form", {"template_id": SAMPLE})).status_code == 200


async def test_a_filled_form_comes_back_as_data(client: httpx.AsyncClient, database: Database, rosa: Person) -> None:
    session = await make_session(database, rosa)
    empty = (await call(client, "rosa", "waiver-form", {"session_id": str(session)})).content

    answer = await call(client, "anon", "waiver-form", filled(empty, name="Žofie Дмитриева", date="2026-11-20"))

    assert answer.json() == {
        "name": "Žofie Дмитриева", "email": "gil@example.com", "date": "2026-11-20", "session_id": str(session),
    }  # fmt: skip
    assert (await call(client, "anon", "waiver-form", b"%PDF-1.7 nonsense")).json()["code"] == "form_unreadable"


def filled(form: bytes, **answers: str) -> bytes:
    """As a viewer saves it."""
    saved = io.BytesIO()
    with pikepdf.open(io.BytesIO(form)) as opened:
        for field in opened.Root.AcroForm.Fields:
            if str(field.T) in answers:
                field.V = pikepdf.String(answers[str(field.T)])
        opened.save(saved)
    return saved.getvalue()


async def test_the_evidence_pack_holds_everything_about_a_waiver(client: httpx.AsyncClient, pdf: Any) -> None:
    waiver, document = await pdf(strokes=json.dumps(STROKES), consent_version="2026-11")

    answer = await call(client, "rosa", "evidence-pack", {"waiver_id": str(waiver["id"])})

    with zipfile.ZipFile(io.BytesIO(answer.content)) as pack:
        files = {name: pack.read(name) for name in pack.namelist()}
    assert files["waiver.pdf"] == document
    assert files["text.md"].decode() == waiver["content"]
    assert [event["name"] for event in json.loads(files["events.json"])] == [
        "session.opened", "waiver.signed", "document.sealed",
    ]  # fmt: skip
    assert "intact" in files["timeline.txt"].decode()
    assert json.loads(files["record.json"])["consent_version"] == "2026-11"
    assert json.loads(files["strokes.json"]) == STROKES
    assert b'd="M10.0 20.0 L90.0 40.0"' in files["strokes.svg"]
    assert b'dur="0.500s"' in files["strokes.svg"]
    assert b"BEGIN CERTIFICATE" in files["certificates.pem"]
    [copy] = json.loads(files["deliveries.json"])
    assert (copy["recipient"], copy["status"]) == ("gil@example.com", "sending")
    assert UUID(json.loads(files["record.json"])["id"]) == waiver["id"]


@pytest.mark.parametrize("who", ["mallory", "gil", "anon"])
async def test_the_pack_is_for_the_company_alone(client: httpx.AsyncClient, pdf: Any, who: str) -> None:
    waiver, _ = await pdf()

    answer = await call(client, who, "evidence-pack", {"waiver_id": str(waiver["id"])})

    assert (answer.status_code, answer.json()["code"]) == (404, "document_missing")
