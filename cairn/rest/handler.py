"""One request through the stages: read, look up, plan, write down, run, respond."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing

import asyncpg

from cairn.db import ANON, Database, Principal
from cairn.rest.catalog import Catalog, LiveCatalog
from cairn.rest.errors import NotInCatalog, PoolExhausted
from cairn.rest.openapi import describe_api
from cairn.rest.options import allowed_methods
from cairn.rest.plan import CallPlan, Plan, make_plan
from cairn.rest.request import HttpRequest, ParsedRequest, parse_request
from cairn.rest.response import Response, build_response, explain_response, streaming_response
from cairn.rest.run import Expectation, explain, read_catalog, read_fingerprint, run, stream_lines
from cairn.rest.settings import RestSettings
from cairn.rest.sqlstate import DatabaseRefusal, refusal
from cairn.rest.statement import Counting, build_statement
from cairn.rest.statement_cache import PreparedRequest, StatementCache, cache_key
from cairn.rest.transaction_settings import fixed_settings, request_settings

# Postgres did not find what the catalog had promised: a name, a type or an operator of a type that changed.
_CATALOG_WAS_WRONG = frozenset({"42703", "42P01", "42883", "42704", "42804", "42846"})
EXPORTS_AT_ONCE = 2
"""Each holds a connection for as long as its reader takes, and readers may be slow."""

STREAM_FROM = 10_000
"""Fewer rows than this are put together by Postgres and sent at once."""


class RequestHandler:
    def __init__(self, database: Database, settings: RestSettings, after_write: Callable[[], None]) -> None:
        self._database = database
        self._settings = settings
        self._after_write = after_write
        self._cache = StatementCache()
        self._exports = asyncio.Semaphore(EXPORTS_AT_ONCE)
        self.catalog = LiveCatalog(
            lambda: read_catalog(database, settings.schemas),
            lambda: read_fingerprint(database),
            least_seconds=settings.catalog_reload_seconds,
        )

    async def serve(self, request: HttpRequest, principal: Principal) -> Response:
        settings = self._settings
        catalog = await self.catalog.current()
        if request.path in ("", "/"):
            return await describe_api(self._database, settings, catalog, principal, request)
        if request.method == "OPTIONS":
            return await self._options(self._read(request), catalog)
        prepared = await self._understand(request, catalog)
        transaction_settings = request_settings(prepared.transaction_settings, request, principal.role, settings)
        try:
            return await self._carry_out(prepared, principal, transaction_settings)
        except DatabaseRefusal as refused:
            if refused.code not in _CATALOG_WAS_WRONG:
                raise
            newer = await self.catalog.newer_than(prepared.catalog)
            if newer is prepared.catalog:
                raise
        return await self._carry_out(self._plan(prepared.current_request(), newer), principal, transaction_settings)

    def _read(self, request: HttpRequest) -> ParsedRequest:
        return parse_request(
            request.method,
            request.path,
            request.query,
            request.headers,
            body=request.body,
            schemas=self._settings.schemas,
            plans=self._settings.plans,
        )

    async def _options(self, parsed: ParsedRequest, catalog: Catalog) -> Response:
        try:
            methods = allowed_methods(catalog, parsed)
        except NotInCatalog:
            methods = allowed_methods(await self.catalog.newer_than(catalog), parsed)
        return Response(200, {"Allow": ",".join(methods)})

    async def _understand(self, request: HttpRequest, catalog: Catalog) -> PreparedRequest:
        """What is not in the catalog may be younger than the catalog, so it is looked up once more in a newer one."""
        key, payload = cache_key(request)
        prepared = self._cache.get(key, payload, catalog)
        if prepared is not None:
            return prepared
        parsed = self._read(request)
        try:
            prepared = self._plan(parsed, catalog)
        except NotInCatalog:
            newer = await self.catalog.newer_than(catalog)
            if newer is catalog:
                raise
            prepared = self._plan(parsed, newer)
        self._cache.keep(key, prepared)
        return prepared

    def _plan(self, parsed: ParsedRequest, catalog: Catalog) -> PreparedRequest:
        settings = self._settings
        plan = make_plan(catalog, parsed, aggregates=settings.aggregates, max_rows=settings.max_rows)
        statement = build_statement(
            plan,
            parsed.media,
            with_body=parsed.method != "HEAD" and plan.read is not None,
            counting=_counting(parsed),
            max_rows=settings.max_rows,
        )
        expectation = _expectation(parsed, plan, settings)
        return PreparedRequest(catalog, parsed, plan, statement, expectation, fixed_settings(parsed, settings))

    async def _carry_out(
        self, prepared: PreparedRequest, principal: Principal, transaction_settings: dict[str, str]
    ) -> Response:
        parsed, plan = prepared.parsed, prepared.plan
        try:
            if _is_export(parsed, plan):
                return await self._stream(parsed, plan, principal, transaction_settings)
            return await self._run(prepared, principal, transaction_settings)
        except asyncpg.PostgresError as error:
            reads_back = plan.read is not None and not parsed.is_read
            raise refusal(error, known=principal.role != ANON.role, reads_back=reads_back) from error

    async def _run(
        self, prepared: PreparedRequest, principal: Principal, transaction_settings: dict[str, str]
    ) -> Response:
        settings, parsed, plan, expectation = self._settings, prepared.parsed, prepared.plan, prepared.expectation
        if parsed.media.explained:
            explained = prepared.statement.explained(parsed.media.explained)
            return explain_response(parsed, await explain(self._database, principal, transaction_settings, explained))
        result = await run(
            self._database,
            principal,
            transaction_settings,
            prepared.statement,
            expectation,
            exact_up_to=settings.max_rows,
        )
        if expectation.keep and not expectation.read_only:
            self._after_write()
        return build_response(parsed, plan, result, max_rows=settings.max_rows, may_rollback=settings.allow_rollback)

    async def _stream(
        self, parsed: ParsedRequest, plan: Plan, principal: Principal, transaction_settings: dict[str, str]
    ) -> Response:
        assert plan.read is not None
        if self._exports.locked():
            raise PoolExhausted(headers={"Retry-After": "1"})
        async with AsyncExitStack() as held:
            await held.enter_async_context(self._exports)
            lines = await held.enter_async_context(
                aclosing(stream_lines(self._database, principal, transaction_settings, plan.read))
            )
            # Until the first part came, whatever is wrong can still be told as a refusal.
            first = await anext(lines)
            return streaming_response(parsed, _from(first, lines, held.pop_all()))


async def _from(first: bytes, others: AsyncGenerator[bytes, None], held: AsyncExitStack) -> AsyncGenerator[bytes, None]:
    async with held:
        yield first
        async for part in others:
            yield part


def _is_export(parsed: ParsedRequest, plan: Plan) -> bool:
    if parsed.method != "GET" or parsed.is_call or plan.read is None or parsed.media.form != "csv":
        return False
    limit = plan.read.limit
    return (limit is None or limit >= STREAM_FROM) and parsed.prefer["count"] is None and not parsed.media.explained


def _counting(parsed: ParsedRequest) -> Counting | None:
    match parsed.prefer["count"]:
        case "exact":
            return "exact"
        case "planned":
            return "planned" if parsed.is_read else "exact"
        case "estimated":
            return "estimated"
        case _:
            return None


def _expectation(parsed: ParsedRequest, plan: Plan, settings: RestSettings) -> Expectation:
    returns_one = isinstance(plan.action, CallPlan) and not plan.action.function.returns_set
    stable_call = isinstance(plan.action, CallPlan) and not plan.action.function.volatile
    return Expectation(
        one_row=parsed.media.form == "object" and plan.read is not None and not returns_one,
        at_most=parsed.prefer.max_affected if parsed.method in ("PATCH", "DELETE") or parsed.is_call else None,
        keep=not (settings.allow_rollback and parsed.prefer["tx"] == "rollback"),
        read_only=parsed.is_read or stable_call,
    )
