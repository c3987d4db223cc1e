"""Turns a signed record, or the text of an interactive form, into PDF pages with typst."""

from cairn.waivers.documents.rendering.document_data import PrintedParts, document_data
from cairn.waivers.documents.rendering.images import qr_code_svg
from cairn.waivers.documents.rendering.interactive_form import FormContent, interactive_pdf
from cairn.waivers.documents.rendering.renderer import Renderer

__all__ = ["FormContent", "PrintedParts", "Renderer", "document_data", "interactive_pdf", "qr_code_svg"]
