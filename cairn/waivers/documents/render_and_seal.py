"""Renders and seals documents, renders interactive forms, and gets timestamps, all in separate processes.

The module `processes` says how these processes are limited.
"""

import asyncio
from datetime import datetime
from functools import cache

from cairn.waivers.documents.errors import DocumentUnprintable
from cairn.waivers.documents.record import SignedRecord
from cairn.waivers.documents.rendering import FormContent, PrintedParts, Renderer, document_data, interactive_pdf
from cairn.waivers.documents.sealing import Seal


def render_and_seal(record: SignedRecord, seal: Seal, site_url: str, parts: PrintedParts) -> bytes:
    """Raises DocumentUnprintable if the record cannot be rendered. Other errors are those of the seal or of a limit."""
    return asyncio.run(seal.apply(_render(record, seal, site_url, parts)))


def _render(record: SignedRecord, seal: Seal, site_url: str, parts: PrintedParts) -> bytes:
    try:
        data = document_data(record, site_url=site_url, is_timestamped=seal.is_timestamped, parts=parts)
        return _renderer().render("waiver.typ", data)
    except MemoryError:
        # This is a limit of the process, not a fault of the record.
        raise
    except BaseException as error:  # A panic of the renderer is no Exception.
        raise DocumentUnprintable(reason=f"{type(error).__name__}: {error}"[:1000]) from error


def render_form(content: FormContent) -> bytes:
    return interactive_pdf(_renderer(), content)


def timestamp(url: str, digest: bytes) -> tuple[bytes, datetime]:
    """Returns the token of the timestamp authority at `url` for a SHA-256 hash, and the time that it confirms."""
    # Imported on first use, because pyHanko would take an eighth of an idle server's memory.
    from cairn.waivers.documents.sealing.timestamps import request_timestamp  # noqa: PLC0415 - see above

    return asyncio.run(request_timestamp(url, digest))


def load_fonts() -> None:
    """Renders a small interactive form, because a font is loaded only when text is first printed with it."""
    render_form(FormContent("A waiver", "A company", "Text", "https://cairn.example"))


@cache
def _renderer() -> Renderer:
    """Each process has one renderer, so that it loads the fonts only once."""
    return Renderer()
