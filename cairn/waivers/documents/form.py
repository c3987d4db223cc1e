"""The interactive PDF: the waiver's words, fields that ordinary viewers can fill, and the way to the signing page."""

import io
from collections.abc import Mapping
from dataclasses import dataclass

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from cairn.waivers.documents.pictures import qr_code
from cairn.waivers.documents.render import Renderer
from cairn.waivers.documents.words import blocks_of, cjk_faces, direction, fill

_MM = 72 / 25.4
_PAGE_HEIGHT_MM = 297.0
_LONGEST_ANSWER = 400


@dataclass(frozen=True, slots=True)
class Field:
    """Millimetres from the top left corner of the last page."""

    name: str
    label: str
    x: float
    y: float
    width: float
    height: float
    kind: str = "/Tx"


FIELDS = [
    Field("name", "Your Name", 22, 42, 166, 10),
    Field("email", "Your Email", 22, 64, 166, 10),
    Field("date", "Date", 22, 86, 60, 10),
    Field("signature", "Signature", 22, 108, 100, 32, kind="/Sig"),
]


@dataclass(frozen=True, slots=True)
class FormWords:
    template_name: str
    company_name: str
    content: str
    link: str
    recipient_name: str = ""
    recipient_email: str = ""


def interactive_pdf(renderer: Renderer, words: FormWords) -> bytes:
    names = {"PARTICIPANT": words.recipient_name or "[YOUR NAME]", "COMPANY": words.company_name}
    page = renderer.render(
        "form.typ",
        {
            "title": words.template_name,
            "author": words.company_name,
            "keywords": [],
            "footer": words.template_name,
            "cjk": cjk_faces(words.content + words.template_name + words.recipient_name),
            "title_dir": direction(words.template_name),
            "template_name": words.template_name,
            "company_name": words.company_name,
            "blocks": blocks_of(words.content, lambda text: fill(text, names)),
            "fields": [
                {"label": field.label, "x": field.x, "y": field.y, "width": field.width, "height": field.height}
                for field in FIELDS
            ],
            "qr": qr_code(words.link),
            "link": words.link,
        },
    )
    return _with_fields(page, {"name": words.recipient_name, "email": words.recipient_email})


def _with_fields(page: bytes, values: Mapping[str, str]) -> bytes:
    with Pdf.open(io.BytesIO(page)) as pdf:
        last = pdf.pages[-1]
        widgets = [pdf.make_indirect(_widget(field, values.get(field.name, ""), last.obj)) for field in FIELDS]
        last.obj["/Annots"] = Array([*last.obj.get("/Annots", Array()), *widgets])
        helvetica = Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
        )
        pdf.Root["/AcroForm"] = Dictionary(
            Fields=Array(widgets),
            DA=String("/Helv 11 Tf 0 g"),
            DR=Dictionary(Font=Dictionary(Helv=pdf.make_indirect(helvetica))),
            # Viewers draw the values themselves, in a font of theirs: names come in every script.
            NeedAppearances=True,
        )
        made = io.BytesIO()
        pdf.save(made)
        return made.getvalue()


def _widget(field: Field, value: str, page: pikepdf.Object) -> Dictionary:
    left, top = field.x * _MM, (_PAGE_HEIGHT_MM - field.y) * _MM
    box = [left, top - field.height * _MM, left + field.width * _MM, top]
    widget = Dictionary(
        Type=Name.Annot, Subtype=Name.Widget, FT=Name(field.kind), T=String(field.name), TU=String(field.label),
        Rect=Array([round(number, 2) for number in box]), P=page, F=4,
    )  # fmt: skip
    if field.kind == "/Tx":
        widget["/DA"] = String("/Helv 11 Tf 0 g")
        widget["/MaxLen"] = _LONGEST_ANSWER
        widget["/V"] = String(value)
    return widget
