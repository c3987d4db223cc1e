"""Renders and seals documents and forms. These functions run in a process of their own; see `processes`."""

import asyncio
from functools import cache

from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering import FormContent, Renderer, document_data, interactive_pdf
from cairn.waivers.documents.sealing import Seal


def render_and_seal(record: SignedRecord, seal: Seal, site_url: str) -> bytes:
    data = document_data(record, site_url=site_url, is_timestamped=seal.is_timestamped)
    pdf = _renderer().render("waiver.typ", data)
    return asyncio.run(seal.apply(pdf))


def render_form(content: FormContent) -> bytes:
    return interactive_pdf(_renderer(), content)


def load_fonts() -> None:
    """Renders a small form, because a font is loaded only when text is first printed with it."""
    render_form(FormContent("A waiver", "A company", "Text", "https://cairn.example"))


@cache
def _renderer() -> Renderer:
    """Each process has one renderer, so that it loads the fonts only once."""
    return Renderer()
