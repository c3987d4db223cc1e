"""A filled interactive PDF that comes back: what was written into it. Never a signature, whatever it shows."""

import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

import pikepdf
from pikepdf import Array, Dictionary, Pdf

from cairn.waivers.documents.apart import ReadingFailed, apart
from cairn.waivers.documents.errors import FormHoldsProgram, FormLocked, FormTooLarge, FormUnreadable

# Ours has some 60 KB; a viewer may add its fonts.
_LARGEST = 4_000_000
_LONGEST_ANSWER = 400
_SESSION_LINK = re.compile(r"/waivers/sign/session/([0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})")
_PROGRAMS = ("/JS", "/XFA", "/Launch", "/JavaScript")
# More than any form of ours has by far.
_MOST_OBJECTS = 20_000
_DEEPEST = 20


@dataclass(frozen=True, slots=True)
class Answers:
    """What somebody filled in, wherever they did, and which session the form's link names."""

    name: str
    email: str
    date: str
    session_id: UUID | None


async def read_form(pdf: bytes) -> Answers:
    if len(pdf) > _LARGEST:
        raise FormTooLarge(megabytes=_LARGEST // 1_000_000)
    try:
        return await apart(answers_in, pdf)
    except ReadingFailed as failure:
        raise FormUnreadable from failure


def answers_in(pdf: bytes) -> Answers:
    try:
        with Pdf.open(io.BytesIO(pdf)) as opened:
            if any(_holds_program(part) for part in islice(opened.objects, _MOST_OBJECTS)):
                raise FormHoldsProgram
            return _answers(opened)
    except pikepdf.PasswordError as error:
        raise FormLocked from error
    except (pikepdf.PdfError, AttributeError, TypeError, ValueError) as error:
        raise FormUnreadable from error


def _answers(pdf: Pdf) -> Answers:
    fields = {str(field.get("/T", "")): field for field in pdf.Root.AcroForm.Fields}
    if not {"name", "email"} <= fields.keys():
        raise FormUnreadable
    written = {name: str(field.get("/V", ""))[:_LONGEST_ANSWER].strip() for name, field in fields.items()}
    link = _SESSION_LINK.search(" ".join(_links(pdf)))
    return Answers(written["name"], written["email"], written.get("date", ""), UUID(link[1]) if link else None)


def _links(pdf: Pdf) -> Iterator[str]:
    for page in pdf.pages:
        for note in page.obj.get("/Annots", Array()):
            if "/A" in note and "/URI" in note.A:
                yield str(note.A.URI)


def _holds_program(part: pikepdf.Object, depth: int = 0) -> bool:
    """Nothing here would run it; but a form that brings one is not the form we sent."""
    if not isinstance(part, Dictionary | Array) or depth > _DEEPEST:
        return False
    if isinstance(part, Dictionary):
        if any(name in part for name in _PROGRAMS) or part.get("/S") in ("/JavaScript", "/Launch"):
            return True
        return any(_inside(value, depth) for value in part.values())
    return any(_inside(value, depth) for value in part)


def _inside(value: object, depth: int) -> bool:
    """What stands on its own is looked at on its own."""
    return isinstance(value, pikepdf.Object) and not value.is_indirect and _holds_program(value, depth + 1)
