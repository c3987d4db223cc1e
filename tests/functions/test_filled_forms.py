"""A form that comes back, from people who filled it in and from people who mean harm."""

import io
import time
import zlib
from collections.abc import Callable

import httpx
import pikepdf
import pytest
from pikepdf import Dictionary, Name, Pdf, String

from cairn.db import Connection, Database
from tests.cast import Person
from tests.functions.test_documents import call, filled
from tests.make import make_session, make_template


@pytest.fixture
async def form(client: httpx.AsyncClient, database: Database, rosa: Person) -> bytes:
    session = await make_session(database, rosa, await make_template(database, rosa))
    return (await call(client, "rosa", "waiver-form", {"session_id": str(session)})).content


def saved(form: bytes, change: Callable[[Pdf], None], **how: object) -> bytes:
    made = io.BytesIO()
    with pikepdf.open(io.BytesIO(form)) as pdf:
        change(pdf)
        pdf.save(made, **how)  # type: ignore[arg-type]
    return made.getvalue()


def locked(form: bytes) -> bytes:
    return saved(form, lambda _: None, encryption=pikepdf.Encryption(owner="o", user="u"))


def opening_with_a_program(form: bytes) -> bytes:
    def change(pdf: Pdf) -> None:
        pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))

    return saved(form, change)


def with_a_program_in_a_field(form: bytes) -> bytes:
    def change(pdf: Pdf) -> None:
        pdf.Root.AcroForm.Fields[0].AA = Dictionary(K=Dictionary(S=Name.JavaScript, JS=String("app.alert(1)")))

    return saved(form, change)


def of_somebody_else(_: bytes) -> bytes:
    made = io.BytesIO()
    with Pdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(made)
    return made.getvalue()


def unfolding_without_end(_: bytes) -> bytes:
    """Three kilobytes that stand for half a gigabyte."""
    press, zeros = zlib.compressobj(1), bytes(1 << 26)
    packed = zlib.compress(b"".join(press.compress(zeros) for _ in range(8)) + press.flush(), 9)
    start = b"%PDF-1.7\n1 0 obj\n<< /Type /XRef /Size 4 /W [1 4 2] /Root 3 0 R /Filter [/FlateDecode /FlateDecode] "
    return start + b"/Length %d >>\nstream\n%b\nendstream\nendobj\nstartxref\n9\n%%%%EOF" % (len(packed), packed)


@pytest.mark.parametrize(
    ("harm", "code", "says"),
    [
        (locked, "form_locked", "This PDF is protected by a password. Please save it without one and choose it again."),
        (opening_with_a_program, "form_holds_program", "This PDF contains a program"),
        (with_a_program_in_a_field, "form_holds_program", "This PDF contains a program"),
        (of_somebody_else, "form_unreadable", "This is not a waiver form that can be read."),
        (lambda _: b"GIF89a, a holiday", "form_unreadable", "This is not a waiver form that can be read."),
        (lambda form: form[:200], "form_unreadable", "This is not a waiver form that can be read."),
        (lambda form: form + bytes(4_000_000), "form_too_large", "This PDF is larger than 4 MB."),
        (unfolding_without_end, "form_unreadable", "This is not a waiver form that can be read."),
    ],
)
async def test_a_file_that_is_no_filled_form_is_refused_with_the_reason(
    client: httpx.AsyncClient, form: bytes, harm: Callable[[bytes], bytes], code: str, says: str
) -> None:
    answer = await call(client, "anon", "waiver-form", harm(form))

    assert answer.status_code in (400, 413)
    assert answer.json()["code"] == code
    assert says in answer.json()["error"]


async def test_a_filled_form_is_never_a_signature(client: httpx.AsyncClient, form: bytes, admin: Connection) -> None:
    answer = await call(client, "anon", "waiver-form", filled(form, name="Gil Okafor"))

    assert answer.json()["name"] == "Gil Okafor"
    assert await admin.fetchval("select status from waivers.sessions") == "pending"
    assert await admin.fetchval("select count(*) from waivers.signed") == 0


async def test_a_hostile_document_does_not_hold_up_the_house(client: httpx.AsyncClient) -> None:
    """Whoever verifies reads the files of strangers too."""
    began = time.monotonic()

    answer = await call(client, "anon", "verify-document", unfolding_without_end(b""))

    assert answer.json()["state"] == "unreadable"
    assert time.monotonic() - began < 20
