"""One request through the stages: read, look up, plan, write down, run, respond."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, aclosing

import asyncpg

from cairn.db import ANON, Database, Principal
from cairn.rest.catalog import Catalog, LiveCatalog
from cairn.rest.errors import NotInCatalog, PoolExhausted
from cairn.rest.facts import request_facts, standing_facts
from cairn.rest.incoming import Incoming
from cairn.rest.options import allowed_methods
from cairn.rest.plan import Calling, Plan, make_plan
from cairn.rest.remember import Memory, Understood, question
from cairn.rest.request import Asked, read_request
from cairn.rest.respond import Answer, respond, respond_plan, respond_streaming
from cairn.rest.root import describe_root
from cairn.rest.run import Expectation, explain, read_catalog, read_fingerprint, run, stream_lines
from cairn.rest.settings import RestSettings
from cairn.rest.sql import Counting, write_statement
from cairn.rest.sqlstate import DatabaseRefusal, refusal

# Postgres did not find what the catalog had promised: a name, a type or an operator of a type that changed.
_CATALOG_WAS_WRONG = frozenset({"42703", "42P01", "42883", "42704", "42804", "42846"})
EXPORTS_AT_ONCE = 2
"""Each holds a connection for as long as its reader takes, and readers may be slow."""

STREAM_FROM = 10_000
"""Fewer rows than this are put together by Postgres and sent at once."""


class Stages:
    def __init__(self, database: Database, settings: RestSettings, after_write: Callable[[], None]) -> None:
        self._database = database
        self._settings = settings
        self._after_write = after_write
        self._memory = Memory()
        self._exports = asyncio.Semaphore(EXPORTS_AT_ONCE)
        self.catalog = LiveCatalog(
            lambda: read_catalog(database, settings.schemas),
            lambda: read_fingerprint(database),
            least_seconds=settings.catalog_reload_seconds,
        )

    async def serve(self, incoming: Incoming, principal: Principal) -> Answer:
        settings = self._settings
        catalog = await self.catalog.current()
        if incoming.path in ("", "/"):
            return await describe_root(self._database, settings, catalog, principal, incoming)
        if incoming.method == "OPTIONS":
            return await self._options(self._read(incoming), catalog)
        understood = await self._understand(incoming, catalog)
        facts = request_facts(understood.facts, incoming, principal.role, settings)
        try:
            return await self._carry_out(understood, principal, facts)
        except DatabaseRefusal as refused:
            if refused.code not in _CATALOG_WAS_WRONG:
                raise
            newer = await self.catalog.newer_than(understood.catalog)
            if newer is understood.catalog:
                raise
        return await self._carry_out(self._plan(understood.asked_now(), newer), principal, facts)

    def _read(self, incoming: Incoming) -> Asked:
        return read_request(
            incoming.method,
            incoming.path,
            incoming.query,
            incoming.headers,
            body=incoming.body,
            schemas=self._settings.schemas,
            plans=self._settings.plans,
        )

    async def _options(self, asked: Asked, catalog: Catalog) -> Answer:
        try:
            methods = allowed_methods(catalog, asked)
        except NotInCatalog:
            methods = allowed_methods(await self.catalog.newer_than(catalog), asked)
        return Answer(200, {"Allow": ",".join(methods)})

    async def _understand(self, incoming: Incoming, catalog: Catalog) -> Understood:
        """What is not in the catalog may be younger than the catalog, so it is looked up once more in a newer one."""
        words, payload = question(incoming)
        understood = self._memory.recall(words, payload, catalog)
        if understood is not None:
            return understood
        asked = self._read(incoming)
        try:
            understood = self._plan(asked, catalog)
        except NotInCatalog:
            newer = await self.catalog.newer_than(catalog)
            if newer is catalog:
                raise
            understood = self._plan(asked, newer)
        self._memory.keep(words, understood)
        return understood

    def _plan(self, asked: Asked, catalog: Catalog) -> Understood:
        settings = self._settings
        plan = make_plan(catalog, asked, aggregates=settings.aggregates, max_rows=settings.max_rows)
        statement = write_statement(
            plan,
            asked.media,
            with_body=asked.method != "HEAD" and plan.reading is not None,
            counting=_counting(asked),
            max_rows=settings.max_rows,
        )
        expected = _expectation(asked, plan, settings)
        return Understood(catalog, asked, plan, statement, expected, standing_facts(asked, settings))

    async def _carry_out(self, understood: Understood, principal: Principal, facts: dict[str, str]) -> Answer:
        asked, plan = understood.asked, understood.plan
        try:
            if _is_export(asked, plan):
                return await self._stream(asked, plan, principal, facts)
            return await self._run(understood, principal, facts)
        except asyncpg.PostgresError as error:
            reads_back = plan.reading is not None and not asked.reads
            raise refusal(error, known=principal.role != ANON.role, reads_back=reads_back) from error

    async def _run(self, understood: Understood, principal: Principal, facts: dict[str, str]) -> Answer:
        settings, asked, plan, expected = self._settings, understood.asked, understood.plan, understood.expected
        if asked.media.explained:
            explained = understood.statement.explained(asked.media.explained)
            return respond_plan(asked, await explain(self._database, principal, facts, explained))
        outcome = await run(
            self._database, principal, facts, understood.statement, expected, exact_up_to=settings.max_rows
        )
        if expected.keep and not expected.read_only:
            self._after_write()
        return respond(asked, plan, outcome, max_rows=settings.max_rows, may_rollback=settings.allow_rollback)

    async def _stream(self, asked: Asked, plan: Plan, principal: Principal, facts: dict[str, str]) -> Answer:
        assert plan.reading is not None
        if self._exports.locked():
            raise PoolExhausted(headers={"Retry-After": "1"})
        async with AsyncExitStack() as held:
            await held.enter_async_context(self._exports)
            lines = await held.enter_async_context(
                aclosing(stream_lines(self._database, principal, facts, plan.reading))
            )
            # Until the first part came, whatever is wrong can still be told as a refusal.
            first = await anext(lines)
            return respond_streaming(asked, _from(first, lines, held.pop_all()))


async def _from(first: bytes, others: AsyncGenerator[bytes, None], held: AsyncExitStack) -> AsyncGenerator[bytes, None]:
    async with held:
        yield first
        async for part in others:
            yield part


def _is_export(asked: Asked, plan: Plan) -> bool:
    if asked.method != "GET" or asked.calls or plan.reading is None or asked.media.form != "csv":
        return False
    limit = plan.reading.limit
    return (limit is None or limit >= STREAM_FROM) and asked.prefer["count"] is None and not asked.media.explained


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
