"""Parses a filled-in interactive form that was uploaded. It is never a signature, whatever is drawn on it."""

import io
import re
from collections.abc import Iterator
from itertools import islice
from uuid import UUID

import pikepdf
from pikepdf import Array, Dictionary, Pdf

from cairn.kit import SandboxFailed, frozen_dataclass
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.errors import FormContainsProgram, FormLocked, FormTooLarge, FormUnreadable

# An empty form has about 60 KB; a PDF viewer may embed its fonts when it saves the filled one.
_MAX_BYTES = 4_000_000
_MAX_FIELD_LENGTH = 400
_SESSION_LINK = re.compile(r"/waivers/sign/session/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})")
_PROGRAM_KEYS = ("/JS", "/XFA", "/Launch", "/JavaScript")
# Only this many objects are checked for programs. That is far more than any form that we render has.
_MAX_OBJECTS = 20_000
_MAX_DEPTH = 20


@frozen_dataclass
class FilledForm:
    """The values of the fields, and the session that the form's link names."""

    name: str
    email: str
    date: str
    session_id: UUID | None


async def parse_filled_form(documents: DocumentContext, pdf: bytes, *, network: str) -> FilledForm:
    if len(pdf) > _MAX_BYTES:
        raise FormTooLarge(megabytes=_MAX_BYTES // 1_000_000)
    try:
        return await documents.reading.run(network, parse_form_bytes, pdf)
    except SandboxFailed as failure:
        raise FormUnreadable from failure


def parse_form_bytes(pdf: bytes) -> FilledForm:
    try:
        with Pdf.open(io.BytesIO(pdf)) as document:
            if any(_contains_program(value) for value in islice(document.objects, _MAX_OBJECTS)):
                raise FormContainsProgram
            return _read_fields(document)
    except pikepdf.PasswordError as error:
        raise FormLocked from error
    except (pikepdf.PdfError, AttributeError, TypeError, ValueError) as error:
        raise FormUnreadable from error


def _read_fields(pdf: Pdf) -> FilledForm:
    fields = {str(field.get("/T", "")): field for field in pdf.Root.AcroForm.Fields}
    if not {"name", "email"} <= fields.keys():
        raise FormUnreadable
    values = {name: str(field.get("/V", ""))[:_MAX_FIELD_LENGTH].strip() for name, field in fields.items()}
    link = _SESSION_LINK.search(" ".join(_links(pdf)))
    return FilledForm(values["name"], values["email"], values.get("date", ""), UUID(link[1]) if link else None)


def _links(pdf: Pdf) -> Iterator[str]:
    for page in pdf.pages:
        for annotation in page.obj.get("/Annots", Array()):
            if "/A" in annotation and "/URI" in annotation.A:
                yield str(annotation.A.URI)


def _contains_program(value: pikepdf.Object, depth: int = 0) -> bool:
    """Nothing here would run a program, but a form that contains one is not the form that was sent."""
    if not isinstance(value, Dictionary | Array) or depth > _MAX_DEPTH:
        return False
    if isinstance(value, Dictionary):
        if any(key in value for key in _PROGRAM_KEYS) or value.get("/S") in ("/JavaScript", "/Launch"):
            return True
        return any(_child_contains_program(child, depth) for child in value.values())
    return any(_child_contains_program(child, depth) for child in value)


def _child_contains_program(child: object, depth: int) -> bool:
    """Indirect objects are skipped, because `Pdf.objects` lists them separately."""
    return isinstance(child, pikepdf.Object) and not child.is_indirect and _contains_program(child, depth + 1)
