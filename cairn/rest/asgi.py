"""The door: what HTTP brings is taken in here, and every way to fail is told in the dialect of the data service."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from types import TracebackType
from typing import Self

from starlette.types import Message, Receive, Scope, Send

from cairn.auth import BadClaims, BadToken
from cairn.db import ANON, Database, DatabaseBusy, DatabaseUnreachable, Principal
from cairn.kit import Problem
from cairn.rest.errors import (
    BodyNotUnderstood,
    BodyTooLarge,
    ClaimsNotAccepted,
    PoolExhausted,
    TokenNotTrusted,
    Unreachable,
)
from cairn.rest.handler import RequestHandler
from cairn.rest.request import BodyBytes, HttpRequest
from cairn.rest.response import JSON, Response, error_response
from cairn.rest.schema_listener import listening_for_schema_changes
from cairn.rest.settings import RestSettings

log = logging.getLogger("cairn.rest")
_WITHOUT_BODY = (204, 304)
_BUG = b'{"code":"unexpected_failure","details":null,"hint":null,"message":"Something went wrong."}'


def service(
    database: Database,
    *,
    principal_of: Callable[[str], Principal],
    settings: RestSettings,
    after_write: Callable[[], None],
) -> "Service":
    """`principal_of` reads a token or raises `BadToken`; `after_write` is told of every committed write."""
    return Service(RequestHandler(database, settings, after_write), database.url, principal_of, settings)


class Service:
    """An ASGI application. Used as a context manager it also hears `notify pgrst`."""

    def __init__(
        self, handler: RequestHandler, url: str, principal_of: Callable[[str], Principal], settings: RestSettings
    ) -> None:
        self._handler = handler
        self._principal_of = principal_of
        self._settings = settings
        self._schema_listener = listening_for_schema_changes(url, handler.catalog.look)

    async def __aenter__(self) -> Self:
        await self._schema_listener.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._schema_listener.__aexit__(kind, error, trace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        answer = await self._answer(scope, receive)
        await send(
            {"type": "http.response.start", "status": answer.status, "headers": _raw_headers(answer, scope["method"])}
        )
        if isinstance(answer.body, bytes):
            body = b"" if scope["method"] == "HEAD" or answer.status in _WITHOUT_BODY else answer.body
            await send({"type": "http.response.body", "body": body})
        else:
            await _stream(answer.body, receive, send)

    async def _answer(self, scope: Scope, receive: Receive) -> Response:
        try:
            return await self._serve(scope, receive)
        except DatabaseUnreachable as problem:
            log.warning("database unreachable: %r", problem.__cause__)
            return error_response(Unreachable(headers={"Retry-After": "1"}))
        except DatabaseBusy:
            return error_response(PoolExhausted(headers={"Retry-After": "1"}))
        except Problem as problem:
            log.debug("refused: %s %s", problem.code, problem)
            return error_response(problem)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            return Response(500, {"Content-Type": JSON}, _BUG)

    async def _serve(self, scope: Scope, receive: Receive) -> Response:
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if len(headers) < len(scope["headers"]):
            headers = _joined(scope["headers"])
        principal = self._principal(headers)
        root_path = scope.get("root_path", "")
        client = scope.get("client")
        request = HttpRequest(
            method=scope["method"],
            path=scope["path"].removeprefix(root_path),
            root_path=root_path,
            query=scope["query_string"].decode("latin-1"),
            headers=headers,
            ip=client[0] if client else "",
            body=await self._body(receive),
        )
        return await self._handler.serve(request, principal)

    def _principal(self, headers: Mapping[str, str]) -> Principal:
        token = _token(headers)
        if token is None:
            return ANON
        try:
            return self._principal_of(token)
        except BadClaims as bad:
            raise ClaimsNotAccepted(reason=bad.reason) from bad
        except BadToken as bad:
            raise TokenNotTrusted(reason=bad.reason) from bad

    async def _body(self, receive: Receive) -> BodyBytes:
        message = await _part(receive)
        first: bytes = message.get("body", b"")
        if not message.get("more_body", False) and len(first) <= self._settings.max_body_bytes:
            return first
        body = bytearray(first)
        while message.get("more_body", False) and len(body) <= self._settings.max_body_bytes:
            message = await _part(receive)
            body += message.get("body", b"")
        if len(body) > self._settings.max_body_bytes:
            raise BodyTooLarge(limit=self._settings.max_body_bytes)
        return body


async def _part(receive: Receive) -> Message:
    """Of the body. Half of one may read like a whole, and must not be written as if it were."""
    message = await receive()
    if message["type"] == "http.disconnect":
        raise BodyNotUnderstood(reason="The connection ended before the body did")
    return message


def _joined(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Lines of the same name are one list, as HTTP has it."""
    headers: dict[str, str] = {}
    for name, value in raw:
        key, words = name.decode("latin-1"), value.decode("latin-1")
        headers[key] = f"{headers[key]}, {words}" if key in headers else words
    return headers


def _raw_headers(answer: Response, method: str) -> list[tuple[bytes, bytes]]:
    headers = list(answer.headers.items())
    if answer.header_overrides:
        replaced = {name.lower() for name, _ in answer.header_overrides}
        headers = [*(one for one in headers if one[0].lower() not in replaced), *answer.header_overrides]
    raw = [(name.lower().encode(), value.encode("latin-1", "replace")) for name, value in headers]
    # What a HEAD is not told of was never made, so nobody knows how long it would have been.
    unknown = method == "HEAD" and not answer.body
    if isinstance(answer.body, bytes) and answer.status not in _WITHOUT_BODY and not unknown:
        raw.append((b"content-length", str(len(answer.body)).encode()))
    return raw


def _token(headers: Mapping[str, str]) -> str | None:
    scheme, _, token = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return headers.get("apikey") or None


async def _stream(parts: AsyncGenerator[bytes, None], receive: Receive, send: Send) -> None:
    """Until the end, or until nobody reads any more: then the transaction behind it ends as well."""
    left = asyncio.create_task(_gone(receive))
    try:
        async with contextlib.aclosing(parts):
            async for part in parts:
                if left.done():
                    return
                await send({"type": "http.response.body", "body": part, "more_body": True})
        await send({"type": "http.response.body", "body": b""})
    finally:
        left.cancel()


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
