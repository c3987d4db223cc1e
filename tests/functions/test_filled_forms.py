"""Anyone can upload a filled form. Some uploads are malicious."""

import io
import time
import zlib
from collections.abc import Callable

import httpx
import pikepdf
import pytest
from pikepdf import Dictionary, Name, Pdf, String

from cairn.db import Connection, Database
from tests.factories import make_session, make_template
from tests.filled_form import fill_in_pdf
from tests.functions.test_documents import call
from tests.people import Person


@pytest.fixture
async def form(client: httpx.AsyncClient, database: Database, rosa: Person) -> bytes:
    session = await make_session(database, rosa, await make_template(database, rosa))
    return (await call(client, "rosa", "waiver-form", {"session_id": str(session)})).content


def save_with(form: bytes, change: Callable[[Pdf], None], **options: object) -> bytes:
    output = io.BytesIO()
    with pikepdf.open(io.BytesIO(form)) as pdf:
        change(pdf)
        pdf.save(output, **options)  # type: ignore[arg-type] # any option
    return output.getvalue()


def with_password(form: bytes) -> bytes:
    return save_with(form, lambda _: None, encryption=pikepdf.Encryption(owner="o", user="u"))


def with_open_action(form: bytes) -> bytes:
    def change(pdf: Pdf) -> None:
        pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))

    return save_with(form, change)


def with_script_in_a_field(form: bytes) -> bytes:
    def change(pdf: Pdf) -> None:
        pdf.Root.AcroForm.Fields[0].AA = Dictionary(K=Dictionary(S=Name.JavaScript, JS=String("app.alert(1)")))

    return save_with(form, change)


def pdf_without_form(_: bytes) -> bytes:
    output = io.BytesIO()
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(output)
    return output.getvalue()


def decompression_bomb(_: bytes) -> bytes:
    """Returns three kilobytes that decompress to half a gigabyte."""
    compressor, zeros = zlib.compressobj(1), bytes(1 << 26)
    content = zlib.compress(b"".join(compressor.compress(zeros) for _ in range(8)) + compressor.flush(), 9)
    start = b"%PDF-1.7\n1 0 obj\n<< /Type /XRef /Size 4 /W [1 4 2] /Root 3 0 R /Filter [/FlateDecode /FlateDecode] "
    return start + b"/Length %d >>\nstream\n%b\nendstream\nendobj\nstartxref\n9\n%%%%EOF" % (len(content), content)


@pytest.mark.parametrize(
    ("change", "code", "error"),
    [
        (
            with_password,
            "form_locked",
            "This PDF is protected by a password. Please save it without one and choose it again.",
        ),
        (with_open_action, "form_holds_program", "This PDF contains a program"),
        (with_script_in_a_field, "form_holds_program", "This PDF contains a program"),
        (pdf_without_form, "form_unreadable", "This is not a waiver form that can be read."),
        (lambda _: b"GIF89a, not a PDF", "form_unreadable", "This is not a waiver form that can be read."),
        (lambda form: form[:200], "form_unreadable", "This is not a waiver form that can be read."),
        (lambda form: form + bytes(4_000_000), "form_too_large", "This PDF is larger than 4 MB."),
        (decompression_bomb, "form_unreadable", "This is not a waiver form that can be read."),
    ],
)
async def test_a_file_that_is_not_a_filled_form_is_refused_with_the_reason(
    client: httpx.AsyncClient, form: bytes, change: Callable[[bytes], bytes], code: str, error: str
) -> None:
    response = await call(client, "anon", "waiver-form", change(form))

    assert response.status_code in (400, 413)
    assert response.json()["code"] == code
    assert error in response.json()["error"]


async def test_uploading_a_filled_form_does_not_sign_the_waiver(
    client: httpx.AsyncClient, form: bytes, admin: Connection
) -> None:
    response = await call(client, "anon", "waiver-form", fill_in_pdf(form, name="Gil Okafor"))

    assert response.json()["name"] == "Gil Okafor"
    assert await admin.fetchval("select status from waivers.sessions") == "pending"
    assert await admin.fetchval("select count(*) from waivers.signed") == 0


async def test_a_malicious_document_does_not_block_the_server(client: httpx.AsyncClient) -> None:
    """This matters because anyone can upload a file to be verified."""
    started_at = time.monotonic()

    response = await call(client, "anon", "verify-document", decompression_bomb(b""))

    assert response.json()["state"] == "unreadable"
    assert time.monotonic() - started_at < 20
