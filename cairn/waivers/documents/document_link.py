"""The link in an email that opens the signed document.

The link contains a secret, which is different in each email. Only the hash of the secret is stored. The id of the
waiver is printed on the document and is therefore not secret, so it does not open the document.
"""

import logging
import secrets
from uuid import UUID

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from cairn.db import Connection, Database, DatabaseBusy, DatabaseUnreachable
from cairn.kit import PRIVATE_PAGE_HEADERS, TooBusy, message_response
from cairn.translations import text
from cairn.waivers.documents import store
from cairn.waivers.documents.context import DocumentContext
from cairn.waivers.documents.download_document import fetch_linked_document
from cairn.waivers.documents.errors import DocumentDamaged, TooManyDownloads

log = logging.getLogger(__name__)

DOCUMENT_LINK_PATH = "/documents"
_SECRET_BYTES = 24
_UNKNOWN_TITLE = text("This link is not complete")
_UNKNOWN_TEXT = text("Please open it again from the email, or copy it as a whole.")
_UNAVAILABLE_TITLE = text("Please try again later")
_UNAVAILABLE_TEXT = text("Your document cannot be opened at the moment.")


async def create_document_link(connection: Connection, site_url: str, waiver_id: UUID) -> str:
    secret = secrets.token_urlsafe(_SECRET_BYTES)
    await store.add_document_link(connection, waiver_id, secret)
    return f"{site_url}{DOCUMENT_LINK_PATH}/{secret}"


def document_link_page(database: Database, documents: DocumentContext) -> Starlette:
    """Returns the app that the server mounts at `DOCUMENT_LINK_PATH`.

    Opening a link changes nothing, but is recorded in the history of the waiver.
    """

    async def show_document(request: Request) -> Response:
        ip = request.client.host if request.client else None
        document = await fetch_linked_document(database, documents, request.path_params["secret"], ip)
        if document is None:
            return message_response(str(_UNKNOWN_TITLE), str(_UNKNOWN_TEXT), 404)
        headers = {**PRIVATE_PAGE_HEADERS, "Content-Disposition": 'attachment; filename="waiver.pdf"'}
        return Response(document.content, media_type=document.media_type, headers=headers)

    return Starlette(
        routes=[Route("/{secret}", show_document, methods=["GET"])],
        exception_handlers={
            **dict.fromkeys((DatabaseUnreachable, DatabaseBusy, DocumentDamaged), _unavailable),
            **dict.fromkeys((TooBusy, TooManyDownloads), _limited),
        },
    )


async def _limited(_request: Request, problem: Exception) -> Response:
    """Logs nothing, because a stranger could repeat it without end."""
    assert isinstance(problem, TooBusy | TooManyDownloads)
    return message_response(str(_UNAVAILABLE_TITLE), str(_UNAVAILABLE_TEXT), problem.status)


async def _unavailable(_request: Request, problem: Exception) -> Response:
    log.error("a mailed link could not be opened: %s", problem)
    return message_response(str(_UNAVAILABLE_TITLE), str(_UNAVAILABLE_TEXT), 503)
