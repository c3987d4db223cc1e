"""Turns a signed record or a form into PDF pages, with typst."""

from cairn.waivers.documents.rendering.document_data import document_data
from cairn.waivers.documents.rendering.images import qr_code_for_template, qr_code_svg
from cairn.waivers.documents.rendering.renderer import Renderer
from cairn.waivers.documents.rendering.waiver_text import cjk_fonts, fill_placeholders, text_blocks, text_direction

__all__ = [
    "Renderer",
    "cjk_fonts",
    "document_data",
    "fill_placeholders",
    "qr_code_for_template",
    "qr_code_svg",
    "text_blocks",
    "text_direction",
]
