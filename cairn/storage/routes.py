"""The routes of `/storage/v1`.

The first matching route is used, so routes with a fixed word after `/object/` come before those with a bucket there.
"""

from collections.abc import Callable

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from cairn import __version__
from cairn.db import Database, Principal
from cairn.storage import buckets, images, listing, objects, resumable, signing
from cairn.storage.blobs import BlobStore
from cairn.storage.context import StorageContext
from cairn.storage.error_responses import error_handlers
from cairn.storage.quota import daily_upload_limiter
from cairn.storage.request import Handler, route
from cairn.storage.settings import StorageSettings
from cairn.storage.signed_urls import UrlSigner

ROUTES: tuple[tuple[str, str, Handler], ...] = (
    ("GET", "/bucket", buckets.list_buckets),
    ("POST", "/bucket", buckets.create_bucket),
    ("GET", "/bucket/{bucket}", buckets.get_bucket),
    ("PUT", "/bucket/{bucket}", buckets.update_bucket),
    ("DELETE", "/bucket/{bucket}", buckets.delete_bucket),
    ("POST", "/bucket/{bucket}/empty", buckets.empty_bucket),
    ("POST", "/object/move", objects.move),
    ("POST", "/object/copy", objects.copy),
    ("POST", "/object/list/{bucket}", listing.list_by_offset),
    ("POST", "/object/list-v2/{bucket}", listing.list_by_cursor),
    ("POST", "/object/sign/{bucket}", signing.create_signed_urls),
    ("POST", "/object/sign/{bucket}/{path:path}", signing.create_signed_url),
    ("GET", "/object/sign/{bucket}/{path:path}", signing.get_by_signed_url),
    ("POST", "/object/upload/sign/{bucket}/{path:path}", signing.create_signed_upload_url),
    ("PUT", "/object/upload/sign/{bucket}/{path:path}", signing.upload_to_signed_url),
    ("GET", "/object/info/public/{bucket}/{path:path}", objects.info_public),
    ("GET", "/object/info/authenticated/{bucket}/{path:path}", objects.info_authenticated),
    ("GET", "/object/info/{bucket}/{path:path}", objects.info),
    ("GET", "/object/public/{bucket}/{path:path}", objects.get_public),
    ("GET", "/object/authenticated/{bucket}/{path:path}", objects.get_authenticated),
    ("GET", "/object/{bucket}/{path:path}", objects.get),
    ("POST", "/object/{bucket}/{path:path}", objects.create),
    ("PUT", "/object/{bucket}/{path:path}", objects.replace),
    ("DELETE", "/object/{bucket}/{path:path}", objects.delete),
    ("DELETE", "/object/{bucket}", objects.delete_many),
    ("GET", "/render/image/public/{bucket}/{path:path}", images.render_public),
    ("GET", "/render/image/authenticated/{bucket}/{path:path}", images.render_authenticated),
    ("GET", "/render/image/sign/{bucket}/{path:path}", images.render_signed),
    ("DELETE", "/cdn/{bucket}/{path:path}", objects.purge_cache),
)


def service(
    database: Database,
    blob_store: BlobStore,
    *,
    principal_of: Callable[[str], Principal],
    settings: StorageSettings,
    jwt_secret: str,
) -> Starlette:
    """Returns the application to mount at `/storage/v1`.

    `principal_of` returns the principal of an access token, or raises a Problem. `jwt_secret` signs URLs.
    """
    context = StorageContext(
        database, blob_store, UrlSigner(jwt_secret), settings, principal_of, daily_upload_limiter(settings)
    )
    return Starlette(
        routes=[
            Route("/status", _status, methods=["GET"]),
            Route("/version", _version, methods=["GET"]),
            *resumable.routes(context),
            *(route(context, method, path, handler) for method, path, handler in ROUTES),
        ],
        exception_handlers=error_handlers(sends_actual_status=settings.true_status),
    )


async def _status(_: Request) -> Response:
    return Response()


async def _version(_: Request) -> Response:
    return PlainTextResponse(__version__)
