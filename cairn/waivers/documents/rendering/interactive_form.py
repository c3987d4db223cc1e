"""Renders the interactive PDF: the waiver's text, fields that ordinary viewers can fill, and the signing link."""

import io
from collections.abc import Mapping

import pikepdf
from pikepdf import Array, Dictionary, Name, Pdf, String

from cairn.kit import frozen_dataclass
from cairn.waivers.documents.rendering.images import qr_code_for_template
from cairn.waivers.documents.rendering.renderer import Renderer
from cairn.waivers.documents.rendering.waiver_text import (
    cjk_fonts,
    fill_placeholders,
    heading_data,
    text_blocks,
    without_title,
)

_POINTS_PER_MM = 72 / 25.4
_PAGE_HEIGHT_MM = 297.0
_MAX_FIELD_LENGTH = 400


@frozen_dataclass
class Field:
    """A form field on the last page, measured in millimetres from the top left corner of the page.

    `kind` is the type of the field in PDF: `/Tx` for a text, or `/Sig` for a signature.
    """

    name: str
    label: str
    x: float
    y: float
    width: float
    height: float
    kind: str = "/Tx"


FIELDS = [
    Field("name", "Your Name", 26, 42, 158, 10),
    Field("email", "Your Email", 26, 64, 158, 10),
    Field("date", "Date", 26, 86, 60, 10),
    Field("signature", "Signature", 26, 108, 100, 32, kind="/Sig"),
]


@frozen_dataclass
class FormContent:
    template_name: str
    company_name: str
    content: str
    link: str
    recipient_name: str = ""
    recipient_email: str = ""


def interactive_pdf(renderer: Renderer, content: FormContent) -> bytes:
    names = {"PARTICIPANT": content.recipient_name or "[YOUR NAME]", "COMPANY": content.company_name}
    blocks = text_blocks(content.content, lambda text: fill_placeholders(text, names))
    pdf = renderer.render(
        "form.typ",
        {
            "title": content.template_name,
            "author": content.company_name,
            "keywords": [],
            "footer": content.template_name,
            "cjk": cjk_fonts(content.content + content.template_name + content.recipient_name + content.company_name),
            **heading_data(content.template_name, content.company_name),
            "blocks": without_title(blocks, content.template_name),
            "fields": [
                {"label": field.label, "x": field.x, "y": field.y, "width": field.width, "height": field.height}
                for field in FIELDS
            ],
            "qr": qr_code_for_template(content.link),
            "link": content.link,
        },
    )
    return _with_fields(pdf, {"name": content.recipient_name, "email": content.recipient_email})


def _with_fields(rendered: bytes, values: Mapping[str, str]) -> bytes:
    with Pdf.open(io.BytesIO(rendered)) as pdf:
        last_page = pdf.pages[-1].obj
        widgets = [pdf.make_indirect(_widget(field, values.get(field.name, ""), last_page)) for field in FIELDS]
        last_page["/Annots"] = Array([*last_page.get("/Annots", Array()), *widgets])
        helvetica = Dictionary(
            Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica, Encoding=Name.WinAnsiEncoding
        )
        pdf.Root["/AcroForm"] = Dictionary(
            Fields=Array(widgets),
            DA=String("/Helv 11 Tf 0 g"),
            DR=Dictionary(Font=Dictionary(Helv=pdf.make_indirect(helvetica))),
            # Viewers draw the values with their own fonts, because names come in every script.
            NeedAppearances=True,
        )
        saved = io.BytesIO()
        pdf.save(saved)
        return saved.getvalue()


def _widget(field: Field, value: str, page: pikepdf.Object) -> Dictionary:
    left, top = field.x * _POINTS_PER_MM, (_PAGE_HEIGHT_MM - field.y) * _POINTS_PER_MM
    rectangle = [left, top - field.height * _POINTS_PER_MM, left + field.width * _POINTS_PER_MM, top]
    # The flag F=4 means that the field is also printed.
    widget = Dictionary(
        Type=Name.Annot, Subtype=Name.Widget, FT=Name(field.kind), T=String(field.name), TU=String(field.label),
        Rect=Array([round(number, 2) for number in rectangle]), P=page, F=4,
    )  # fmt: skip
    if field.kind == "/Tx":
        widget["/DA"] = String("/Helv 11 Tf 0 g")
        widget["/MaxLen"] = _MAX_FIELD_LENGTH
        widget["/V"] = String(value)
    return widget
