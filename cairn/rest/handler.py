"""Handles one request: parses it, plans it, builds the statement, runs it and builds the response."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing

import asyncpg

from cairn.db import ANON, Database, Principal
from cairn.rest.casts import check_casts, restricted_casts
from cairn.rest.catalog import Catalog, LiveCatalog
from cairn.rest.cost import check_patterns, cost_of
from cairn.rest.errors import NotInCatalog, PoolExhausted, ResponseTooLarge, ResultRefused
from cairn.rest.openapi import describe_api
from cairn.rest.options import allowed_methods
from cairn.rest.plan import CallPlan, Plan, make_plan
from cairn.rest.request import HttpRequest, ParsedRequest, Payload, parse_request
from cairn.rest.response import Response, build_response, explain_response, streaming_response
from cairn.rest.run import Expectation, explain, read_catalog, read_fingerprint, run, stream_csv
from cairn.rest.settings import RestSettings
from cairn.rest.sqlstate import DatabaseRefusal, to_refusal
from cairn.rest.statement import TOO_LARGE_SQLSTATE, TOO_LARGE_TEXT, Counting, SizeLimit, build_statement
from cairn.rest.statement_cache import PreparedRequest, StatementCache, cache_key
from cairn.rest.transaction_settings import TransactionContext, fixed_settings, transaction_context
from cairn.rest.turns import DatabaseTurns
from cairn.rest.write_limits import WriteLimits

# These errors mean that a name, type or operator of the catalog no longer exists, so the catalog is out of date.
_STALE_CATALOG_SQLSTATES = frozenset({"42703", "42P01", "42883", "42704", "42804", "42846"})
_CHANGING_METHODS = frozenset({"PATCH", "DELETE"})
_ROWS_OF_FAILED_CHANGE = 100
"""PostgreSQL does not say how many rows a statement had changed before it failed, so this number is assumed."""

# These classes of errors are about names and types, and about views that cannot be written.
_SQLSTATE_CLASSES_OF_PLANNING = frozenset({"0A", "42", "55"})

MAX_EXPORTS = 2
"""An export keeps a connection until the client has read everything, and clients may be slow."""

STREAM_FROM_ROWS = 10_000
"""Shorter CSV results are built by PostgreSQL and sent whole."""


class RequestHandler:
    def __init__(
        self, database: Database, settings: RestSettings, write_limits: WriteLimits, after_write: Callable[[], None]
    ) -> None:
        self._database = database
        self._settings = settings
        self._write_limits = write_limits
        self._after_write = after_write
        self._cache = StatementCache()
        self._turns = DatabaseTurns(database.pool_size, database.extra_connections)
        self._exports = asyncio.Semaphore(MAX_EXPORTS)
        self.catalog = LiveCatalog(
            lambda: read_catalog(database, settings.schemas),
            lambda: read_fingerprint(database),
            min_interval_seconds=settings.catalog_reload_seconds,
        )

    async def handle(self, request: HttpRequest, principal: Principal) -> Response:
        settings = self._settings
        catalog = await self.catalog.current()
        if request.path in ("", "/"):
            async with self._turns.turn("read", principal, request.ip):
                return await describe_api(self._database, settings, catalog, principal, request)
        if request.method == "OPTIONS":
            return await self._list_methods(self._parse(request), catalog)
        prepared = await self._prepare(request, catalog)
        if prepared.cost.patterns:
            check_patterns(prepared.cost.patterns, principal, settings)
        if prepared.restricted_casts:
            check_casts(prepared.restricted_casts, principal)
        payload = prepared.payload or prepared.parsed.payload
        if payload is not None and not prepared.parsed.is_call:
            self._write_limits.count_rows(principal, request.ip, payload)
        if request.method in _CHANGING_METHODS and not prepared.fixed_settings.by_id:
            self._write_limits.check_changed_rows(principal)
        context = transaction_context(prepared.fixed_settings, request, principal)
        async with self._turns.turn(prepared.cost.lane, principal, request.ip):
            return await self._execute_with_newest_catalog(prepared, context)

    async def _execute_with_newest_catalog(self, prepared: PreparedRequest, context: TransactionContext) -> Response:
        try:
            return await self._execute(prepared, context)
        except DatabaseRefusal as error:
            if error.code not in _STALE_CATALOG_SQLSTATES:
                raise
            newer = await self.catalog.newer_than(prepared.catalog)
            if newer is prepared.catalog:
                raise
        return await self._execute(self._plan(prepared.current_request(), newer), context)

    def _parse(self, request: HttpRequest, payload: Payload | None = None) -> ParsedRequest:
        return parse_request(
            request.method,
            request.path,
            request.query,
            request.headers,
            body=request.body,
            payload=payload,
            schemas=self._settings.schemas,
            plans=self._settings.plans,
        )

    async def _list_methods(self, parsed: ParsedRequest, catalog: Catalog) -> Response:
        try:
            methods = allowed_methods(catalog, parsed)
        except NotInCatalog:
            methods = allowed_methods(await self.catalog.newer_than(catalog), parsed)
        return Response(200, {"Allow": ",".join(methods)})

    async def _prepare(self, request: HttpRequest, catalog: Catalog) -> PreparedRequest:
        """Plans the request. If a name is not in the catalog, the request is planned again with a newer catalog."""
        key, payload = cache_key(request)
        prepared = self._cache.get(key, payload, catalog)
        if prepared is not None:
            return prepared
        parsed = self._parse(request, payload)
        try:
            prepared = self._plan(parsed, catalog)
        except NotInCatalog:
            newer = await self.catalog.newer_than(catalog)
            if newer is catalog:
                raise
            prepared = self._plan(parsed, newer)
        self._cache.put(key, prepared)
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
            size_limit=None if parsed.media.explain else _size_limit(settings),
        )
        expectation = _expectation(parsed, plan, settings)
        cost = cost_of(parsed, read_only=expectation.read_only)
        fixed = fixed_settings(parsed, cost, settings)
        casts = restricted_casts(parsed.query, catalog)
        return PreparedRequest(catalog, parsed, plan, statement, expectation, fixed, cost, restricted_casts=casts)

    async def _execute(self, prepared: PreparedRequest, context: TransactionContext) -> Response:
        parsed, plan = prepared.parsed, prepared.plan
        try:
            if _is_export(parsed, plan):
                return await self._stream(parsed, plan, context)
            return await self._run(prepared, context)
        except asyncpg.PostgresError as error:
            if error.sqlstate == TOO_LARGE_SQLSTATE and str(error) == TOO_LARGE_TEXT:
                raise ResponseTooLarge from error
            returns_rows = plan.read is not None and not parsed.is_read
            signed_in = context.principal.role != ANON.role
            raise to_refusal(error, signed_in=signed_in, returns_rows=returns_rows) from error

    async def _run(self, prepared: PreparedRequest, context: TransactionContext) -> Response:
        settings, parsed, expectation = self._settings, prepared.parsed, prepared.expectation
        if parsed.media.explain:
            statement = prepared.statement.explain(parsed.media.explain)
            return explain_response(parsed, await explain(self._database, context, statement))
        try:
            result = await run(self._database, context, prepared.statement, expectation)
        except ResultRefused as problem:
            self._write_limits.count_changed_rows(context.principal, problem.changed_rows)
            raise
        except asyncpg.PostgresError as error:
            if parsed.method in _CHANGING_METHODS and not context.by_id and _may_have_changed_rows(error):
                self._write_limits.count_changed_rows(context.principal, _ROWS_OF_FAILED_CHANGE)
            raise
        if parsed.method in _CHANGING_METHODS:
            self._write_limits.count_changed_rows(context.principal, int(result.updated or 0))
        if expectation.commit and not expectation.read_only:
            self._after_write()
        return build_response(
            parsed, prepared.plan, result, max_rows=settings.max_rows, allow_rollback=settings.allow_rollback
        )

    async def _stream(self, parsed: ParsedRequest, plan: Plan, context: TransactionContext) -> Response:
        assert plan.read is not None
        if self._exports.locked():
            raise PoolExhausted(headers={"Retry-After": "1"})
        async with AsyncExitStack() as resources:
            await resources.enter_async_context(self._exports)
            parts = await resources.enter_async_context(aclosing(stream_csv(self._database, context, plan.read)))
            # Until the first part has arrived, an error can still become an error response.
            first_part = await anext(parts)
            return streaming_response(parsed, _continue_stream(first_part, parts, resources.pop_all()))


async def _continue_stream(
    first_part: bytes, further_parts: AsyncGenerator[bytes, None], resources: AsyncExitStack
) -> AsyncGenerator[bytes, None]:
    async with resources:
        yield first_part
        async for part in further_parts:
            yield part


def _is_export(parsed: ParsedRequest, plan: Plan) -> bool:
    if parsed.method != "GET" or parsed.is_call or plan.read is None or parsed.media.body_format != "csv":
        return False
    limit = plan.read.limit
    is_long = limit is None or limit >= STREAM_FROM_ROWS
    return is_long and parsed.prefer["count"] is None and not parsed.media.explain


def _size_limit(settings: RestSettings) -> SizeLimit:
    """A row that an account wrote is at most as large as its request, so a few rows always fit and are not counted."""
    return SizeLimit(settings.max_response_bytes, settings.max_response_bytes // settings.max_account_body_bytes)


def _counting(parsed: ParsedRequest) -> Counting | None:
    match parsed.prefer["count"]:
        case "exact":
            return "exact"
        case "planned" | "estimated":
            return "estimated"
        case _:
            return None


def _expectation(parsed: ParsedRequest, plan: Plan, settings: RestSettings) -> Expectation:
    function = plan.action.function if isinstance(plan.action, CallPlan) else None
    returns_single_value = function is not None and not function.returns_set
    is_stable_call = function is not None and not function.volatile
    limits_affected_rows = parsed.method in ("PATCH", "DELETE") or parsed.is_call
    return Expectation(
        single_row=parsed.media.body_format == "object" and plan.read is not None and not returns_single_value,
        max_affected=parsed.prefer.max_affected if limits_affected_rows else None,
        commit=not (settings.allow_rollback and parsed.prefer["tx"] == "rollback"),
        read_only=parsed.is_read or is_stable_call,
    )


def _may_have_changed_rows(error: asyncpg.PostgresError) -> bool:
    """False if PostgreSQL found the error before it changed the first row.

    A row that violates a policy has the same code as a missing privilege. Rows before it may have been changed.
    """
    if isinstance(error, asyncpg.InsufficientPrivilegeError):
        return not str(error).startswith("permission denied")
    return str(error.sqlstate)[:2] not in _SQLSTATE_CLASSES_OF_PLANNING
