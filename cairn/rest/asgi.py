"""The ASGI application: turns a connection into an `HttpRequest`, and every failure into a PostgREST-style error."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Self

from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from cairn.auth import BadClaims, BadToken
from cairn.db import ANON, SERVICE, Database, DatabaseBusy, DatabaseUnreachable, Principal
from cairn.kit import TRUSTED_SENDER, Problem, read_body
from cairn.limits import larger_network_of
from cairn.rest.body_limits import TabularBodies, body_limits
from cairn.rest.errors import (
    BodyTooLarge,
    DatabaseConnectionFailed,
    InvalidBody,
    InvalidClaims,
    InvalidToken,
    PoolExhausted,
    QueryTooLong,
)
from cairn.rest.handler import RequestHandler
from cairn.rest.huge_numbers import has_huge_number
from cairn.rest.request import METHODS_WITH_BODY, TABULAR_TYPES, BodyBytes, HttpRequest, media_type
from cairn.rest.response import JSON, MIN_COMPRESSED_BYTES, Compressor, Response, error_response
from cairn.rest.schema_listener import listening_for_schema_changes
from cairn.rest.settings import RestSettings
from cairn.rest.write_limits import WriteLimits

log = logging.getLogger("cairn.rest")
_STATUSES_WITHOUT_BODY = (204, 304)
_INTERNAL_ERROR = b'{"code":"unexpected_failure","details":null,"hint":null,"message":"Something went wrong."}'


def service(
    database: Database,
    *,
    principal_of: Callable[[str], Principal],
    settings: RestSettings,
    after_write: Callable[[], None],
) -> "Service":
    """`principal_of` verifies a token or raises `BadToken`; `after_write` is called after every committed write."""
    write_limits = WriteLimits(settings)
    handler = RequestHandler(database, settings, write_limits, after_write)
    return Service(handler, database.url, principal_of, settings, write_limits)


class Service:
    """An ASGI application. While it is open as a context manager, it also listens for `notify pgrst`."""

    def __init__(
        self,
        handler: RequestHandler,
        url: str,
        principal_of: Callable[[str], Principal],
        settings: RestSettings,
        write_limits: WriteLimits,
    ) -> None:
        self._handler = handler
        self._principal_of = principal_of
        self._settings = settings
        self._write_limits = write_limits
        self._tabular_bodies = TabularBodies()
        self._compressor = Compressor()
        self._schema_listener = listening_for_schema_changes(url, handler.catalog.check_for_changes)

    async def __aenter__(self) -> Self:
        await self._schema_listener.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._schema_listener.__aexit__(kind, error, trace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._respond(scope, receive)
        if scope["method"] != "HEAD":
            response = await self._compressor.compress(response, scope["headers"])
        await send(
            {
                "type": "http.response.start",
                "status": response.status,
                "headers": _raw_headers(response, scope["method"]),
            }
        )
        if isinstance(response.body, bytes):
            body = b"" if scope["method"] == "HEAD" or response.status in _STATUSES_WITHOUT_BODY else response.body
            await send({"type": "http.response.body", "body": body})
        else:
            await _stream(response.body, receive, send)

    async def _respond(self, scope: Scope, receive: Receive) -> Response:
        try:
            return await self._serve(scope, receive)
        except DatabaseUnreachable as problem:
            log.warning("database unreachable: %r", problem.__cause__)
            return error_response(DatabaseConnectionFailed(headers={"Retry-After": "1"}))
        except DatabaseBusy:
            return error_response(PoolExhausted(headers={"Retry-After": "1"}))
        except Problem as problem:
            # The message may quote the body, which may contain personal data or a password.
            log.debug("%s %r refused: %s", scope["method"], scope["path"], problem.code)
            return error_response(problem)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            return Response(500, {"Content-Type": JSON}, _INTERNAL_ERROR)

    async def _serve(self, scope: Scope, receive: Receive) -> Response:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        # Joining repeated headers takes longer, and hardly any request has them.
        if len(headers) < len(scope["headers"]):
            headers = _join_repeated_headers(scope["headers"])
        principal = self._principal(headers)
        if len(scope["query_string"]) > self._settings.max_query_bytes and principal.role != SERVICE.role:
            raise QueryTooLong(limit=self._settings.max_query_bytes)
        root_path = scope.get("root_path", "")
        client = scope.get("client")
        ip = client[0] if client else ""
        limits = body_limits(self._settings, principal)
        sender = TRUSTED_SENDER if principal.role == SERVICE.role else larger_network_of(ip)
        body: BodyBytes = b""
        if scope["method"] in METHODS_WITH_BODY:
            # Without a limit for reads, the body of a GET request would be checked as often as its client sends it.
            body = await _read_body(receive, limits.max_bytes, sender)
        self._write_limits.count(principal, scope["method"], ip, len(body))
        media = media_type(headers.get("content-type", ""))
        if media in TABULAR_TYPES and scope["method"] in METHODS_WITH_BODY:
            body = await self._tabular_bodies.to_json(body, media, limits, principal=principal, ip=ip)
        if has_huge_number(body) and principal.role != SERVICE.role:
            raise InvalidBody(reason="A number in the body has an exponent of three or more digits")
        request = HttpRequest(
            method=scope["method"],
            path=scope["path"].removeprefix(root_path),
            root_path=root_path,
            query=scope["query_string"].decode("latin-1"),
            headers=headers,
            ip=ip,
            body=body,
        )
        return await self._handler.handle(request, principal)

    def _principal(self, headers: Mapping[str, str]) -> Principal:
        token = _token(headers)
        if token is None:
            return ANON
        try:
            return self._principal_of(token)
        except BadClaims as error:
            raise InvalidClaims(reason=error.reason) from error
        except BadToken as error:
            raise InvalidToken(reason=error.reason) from error


async def _read_body(receive: Receive, max_bytes: int, sender: str) -> BodyBytes:
    try:
        return await read_body(receive, max_bytes=max_bytes, sender=sender, too_large=BodyTooLarge(limit=max_bytes))
    except ClientDisconnect as error:
        raise InvalidBody(reason="The connection ended before the body did") from error


def _join_repeated_headers(raw_headers: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Joins repeated headers into one comma-separated value, as HTTP defines it."""
    headers: dict[str, str] = {}
    for name, value in raw_headers:
        key, text = name.decode("latin-1"), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {text}" if key in headers else text
    return headers


def _raw_headers(response: Response, method: str) -> list[tuple[bytes, bytes]]:
    headers = list(response.headers.items())
    if response.header_overrides:
        overridden_names = {name.lower() for name, _ in response.header_overrides}
        headers = [*(pair for pair in headers if pair[0].lower() not in overridden_names), *response.header_overrides]
    raw = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers]
    if not isinstance(response.body, bytes) or response.status in _STATUSES_WITHOUT_BODY:
        return raw
    # The body of a HEAD response is not built. That of an error is, but a long one would be compressed for a GET.
    if method != "HEAD" or 0 < len(response.body) <= MIN_COMPRESSED_BYTES:
        raw.append((b"content-length", str(len(response.body)).encode()))
    return raw


def _token(headers: Mapping[str, str]) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return headers.get("apikey") or None


async def _stream(parts: AsyncGenerator[bytes, None], receive: Receive, send: Send) -> None:
    """Sends the parts until the client disconnects. Closing `parts` ends the transaction they are read from."""
    disconnect = asyncio.create_task(_wait_for_disconnect(receive))
    try:
        async with contextlib.aclosing(parts):
            async for part in parts:
                if disconnect.done():
                    return
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        disconnect.cancel()


async def _wait_for_disconnect(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
