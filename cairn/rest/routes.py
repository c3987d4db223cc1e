"""The door: one request through the stages, and every way it can fail told in the dialect of the data service."""

import logging
from collections.abc import Callable

import asyncpg
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from cairn.auth import BadClaims, BadToken
from cairn.db import ANON, Database, DatabaseBusy, DatabaseUnreachable, Principal
from cairn.kit import Problem
from cairn.rest.catalog import Catalog, LiveCatalog
from cairn.rest.errors import (
    BodyTooLarge,
    ClaimsNotAccepted,
    NotInCatalog,
    PoolExhausted,
    TokenNotTrusted,
    Unreachable,
)
from cairn.rest.facts import request_facts
from cairn.rest.options import allowed_methods
from cairn.rest.plan import Calling, Plan, make_plan
from cairn.rest.request import Asked, read_request
from cairn.rest.respond import JSON, Answer, refuse, respond
from cairn.rest.run import Expectation, Outcome, read_catalog, run
from cairn.rest.settings import RestSettings
from cairn.rest.sql import Counting, write_statement
from cairn.rest.sqlstate import DatabaseRefusal, refusal

log = logging.getLogger("cairn.rest")
_BUG = b'{"code":"unexpected_failure","details":null,"hint":null,"message":"Something went wrong."}'
# Postgres did not find what the catalog had promised: a name, a type or an operator of a type that changed.
_CATALOG_WAS_WRONG = frozenset({"42703", "42P01", "42883", "42704", "42804", "42846"})


def service(
    database: Database,
    *,
    principal_of: Callable[[str], Principal],
    settings: RestSettings,
    after_write: Callable[[], None],
) -> ASGIApp:
    """`principal_of` reads a token or raises `BadToken`; `after_write` is told of every committed write."""
    return _Service(database, principal_of, settings, after_write)


class _Service:
    def __init__(
        self,
        database: Database,
        principal_of: Callable[[str], Principal],
        settings: RestSettings,
        after_write: Callable[[], None],
    ) -> None:
        self._database = database
        self._principal_of = principal_of
        self._settings = settings
        self._after_write = after_write
        self._catalog = LiveCatalog(
            lambda: read_catalog(database, settings.schemas), least_seconds=settings.catalog_reload_seconds
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        answer = await self._answer(request)
        body = b"" if request.method == "HEAD" else answer.body
        await Response(body, answer.status, dict(answer.headers))(scope, receive, send)

    async def _answer(self, request: Request) -> Answer:
        try:
            return await self._serve(request)
        except DatabaseUnreachable as problem:
            log.warning("database unreachable", exc_info=problem)
            return refuse(Unreachable(headers={"Retry-After": "1"}))
        except DatabaseBusy:
            return refuse(PoolExhausted(headers={"Retry-After": "1"}))
        except Problem as problem:
            log.debug("refused: %s %s", problem.code, problem)
            return refuse(problem)
        except Exception:
            log.exception("%s %s failed", request.method, request.scope["path"])
            return Answer(500, {"Content-Type": JSON}, _BUG)

    async def _serve(self, request: Request) -> Answer:
        token = _token(request)
        principal = self._principal(token) if token else ANON
        path = request.scope["path"].removeprefix(request.scope.get("root_path", ""))
        asked = read_request(
            request.method,
            path,
            request.scope["query_string"].decode("latin-1"),
            request.headers,
            body=await self._body(request),
            schemas=self._settings.schemas,
        )
        catalog = await self._catalog.current()
        if asked.method == "OPTIONS":
            return await self._options(asked, catalog)
        ip = request.client.host if request.client else ""
        facts = request_facts(asked, path=path, headers=request.headers, ip=ip, settings=self._settings)
        plan, catalog = await self._plan(asked, catalog)
        try:
            return await self._carry_out(asked, plan, principal, facts)
        except DatabaseRefusal as refused:
            if refused.code not in _CATALOG_WAS_WRONG or not self._catalog.is_stale():
                raise
        plan, _ = await self._plan(asked, await self._catalog.newer_than(catalog))
        return await self._carry_out(asked, plan, principal, facts)

    def _principal(self, token: str) -> Principal:
        try:
            return self._principal_of(token)
        except BadClaims as bad:
            raise ClaimsNotAccepted(reason=bad.reason) from bad
        except BadToken as bad:
            raise TokenNotTrusted(reason=bad.reason) from bad

    async def _body(self, request: Request) -> bytes:
        chunks: list[bytes] = []
        room = self._settings.max_body_bytes
        async for chunk in request.stream():
            room -= len(chunk)
            if room < 0:
                raise BodyTooLarge(limit=self._settings.max_body_bytes)
            chunks.append(chunk)
        return b"".join(chunks)

    async def _options(self, asked: Asked, catalog: Catalog) -> Answer:
        try:
            methods = allowed_methods(catalog, asked)
        except NotInCatalog:
            methods = allowed_methods(await self._catalog.newer_than(catalog), asked)
        return Answer(200, {"Allow": ",".join(methods)})

    async def _plan(self, asked: Asked, catalog: Catalog) -> tuple[Plan, Catalog]:
        """What is not in the catalog may be younger than the catalog, so it is looked up once more in a new one."""
        settings = self._settings
        try:
            return make_plan(catalog, asked, aggregates=settings.aggregates, max_rows=settings.max_rows), catalog
        except NotInCatalog:
            newer = await self._catalog.newer_than(catalog)
            return make_plan(newer, asked, aggregates=settings.aggregates, max_rows=settings.max_rows), newer

    async def _carry_out(self, asked: Asked, plan: Plan, principal: Principal, facts: dict[str, str]) -> Answer:
        settings = self._settings
        statement = write_statement(
            plan,
            asked.media,
            with_body=asked.method != "HEAD" and plan.reading is not None,
            counting=_counting(asked),
            max_rows=settings.max_rows,
        )
        expected = _expectation(asked, plan, settings)
        try:
            outcome = await run(self._database, principal, facts, statement, expected, exact_up_to=settings.max_rows)
        except asyncpg.PostgresError as error:
            reads_back = plan.reading is not None and not asked.reads
            raise refusal(error, known=principal.role != ANON.role, reads_back=reads_back) from error
        if expected.keep and not expected.read_only:
            self._after_write()
        return self._respond(asked, plan, outcome)

    def _respond(self, asked: Asked, plan: Plan, outcome: Outcome) -> Answer:
        return respond(
            asked, plan, outcome, max_rows=self._settings.max_rows, may_rollback=self._settings.allow_rollback
        )


def _token(request: Request) -> str | None:
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer" and token.strip():
        return token.strip()
    return request.headers.get("apikey") or None


def _counting(asked: Asked) -> Counting | None:
    match asked.prefer["count"]:
        case "exact":
            return "exact"
        case "planned":
            return "planned" if asked.reads else "exact"
        case "estimated":
            return "estimated"
        case _:
            return None


def _expectation(asked: Asked, plan: Plan, settings: RestSettings) -> Expectation:
    returns_one = isinstance(plan.act, Calling) and not plan.act.function.returns_set
    stable_call = isinstance(plan.act, Calling) and not plan.act.function.volatile
    return Expectation(
        one_row=asked.media.form == "object" and plan.reading is not None and not returns_one,
        at_most=asked.prefer.max_affected if asked.method in ("PATCH", "DELETE") or asked.calls else None,
        keep=not (settings.allow_rollback and asked.prefer["tx"] == "rollback"),
        read_only=asked.reads or stable_call,
    )
