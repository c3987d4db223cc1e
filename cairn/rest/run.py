"""Runs the statement of a request. Apart from `schema_listener`, the only module that uses a database connection."""

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

from cairn.db import SERVICE, Connection, Database, Principal, Row
from cairn.rest.errors import BodyNotUnderstood, NotOneRow, TooManyAffected
from cairn.rest.plan import ReadPlan
from cairn.rest.statement import Statement, csv_heading, write_lines
from cairn.rest.transaction_settings import TransactionContext

_CATALOG = files("cairn.rest.catalog").joinpath("read.sql").read_text()
_FINGERPRINT = files("cairn.rest.catalog").joinpath("fingerprint.sql").read_text()
_RIGHTS = files("cairn.rest.openapi").joinpath("rights.sql").read_text()
_CSV_BATCH_ROWS = 1000
_MAX_PIPELINE_BYTES = 256 * 1024
"""Larger bodies are not sent through libpq, which never releases the memory of its largest message."""

_MAX_PIPELINE_SQL = 15 * 1024
"""Longer statements, such as those with thousands of filters, are not worth keeping prepared on a connection."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Conditions on the result. If one does not hold, the transaction is rolled back."""

    single_row: bool = False
    max_affected: int | None = None
    commit: bool = True
    read_only: bool = False


class Result(NamedTuple):
    body: bytes | None
    rows: int
    total: int | None = None
    location: str | None = None
    updated: str | None = None
    status: str | None = None
    headers: str | None = None
    truncated: str | None = None


class _RollBack(Exception):
    """Leaves the transaction without committing it."""

    def __init__(self, result: Result) -> None:
        self.result = result


async def run(
    database: Database,
    context: TransactionContext,
    statement: Statement,
    expectation: Expectation,
    *,
    exact_up_to: int | None = None,
) -> Result:
    """`exact_up_to`: an estimated total up to this number of rows is counted exactly."""
    settings = _with_plan_mode(context.settings, statement)
    if _fits_pipeline(statement, expectation):
        row = await database.run_statement(
            context.principal,
            settings,
            statement.sql,
            statement.parameters,
            by_id=context.by_id,
            read_only=expectation.read_only,
        )
        result = _result(row)
        _check(result, expectation)
        return result
    try:
        async with database.acting_as(
            context.principal, settings, by_id=context.by_id, read_only=expectation.read_only
        ) as connection:
            result = await _run_in_transaction(connection, context, statement, expectation, exact_up_to)
            if not expectation.commit:
                raise _RollBack(result)
            return result
    except _RollBack as rolled_back:
        return rolled_back.result


async def _run_in_transaction(
    connection: Connection,
    context: TransactionContext,
    statement: Statement,
    expectation: Expectation,
    exact_up_to: int | None,
) -> Result:
    if statement.same_keys and not await connection.fetchval(statement.same_keys.sql, *statement.same_keys.parameters):
        raise BodyNotUnderstood(reason="All object keys must match")
    # Row-level security makes the plan depend on the role, so each role prepares the statement separately.
    row = await connection.fetchrow(f"{statement.sql} -- {context.principal.role}", *statement.parameters)
    if row is None:
        raise RuntimeError("an aggregate returned no row")
    result = Result(**{**row, "body": row["body"] and row["body"].encode()})
    _check(result, expectation)
    if statement.estimate and (result.total is None or result.total > (exact_up_to or result.total)):
        explained = await connection.fetchval(statement.estimate.sql, *statement.estimate.parameters)
        result = result._replace(total=_estimated_rows(explained, result.total))
    return result


def _fits_pipeline(statement: Statement, expectation: Expectation) -> bool:
    """Whether one round trip is enough: nothing is queried or checked before the commit, and it is not too large.

    A read has nothing to roll back, so its result can be checked after the transaction.
    """
    checked = not expectation.read_only and (
        expectation.single_row or expectation.max_affected is not None or not expectation.commit
    )
    large = len(statement.sql) > _MAX_PIPELINE_SQL or _body_bytes(statement) > _MAX_PIPELINE_BYTES
    return not (checked or statement.same_keys or statement.estimate or large)


def _body_bytes(statement: Statement) -> int:
    return sum(len(value) for value in statement.parameters if isinstance(value, bytes | bytearray))


def _result(row: Row) -> Result:
    body, rows, total, location, updated, status, headers, *truncated = row
    return Result(
        body,
        int(rows or 0),
        int(total) if total is not None else None,
        location.decode() if location is not None else None,
        updated.decode() if updated is not None else None,
        status.decode() if status is not None else None,
        headers.decode() if headers is not None else None,
        truncated[0].decode() if truncated and truncated[0] is not None else None,
    )


def _with_plan_mode(settings: Mapping[str, str], statement: Statement) -> Mapping[str, str]:
    """Plans for the actual values: after five runs PostgreSQL would otherwise switch to one plan for average values."""
    return {**settings, "plan_cache_mode": "force_custom_plan"} if statement.depends_on_values else settings


async def explain(database: Database, context: TransactionContext, statement: Statement) -> Result:
    """EXPLAIN ANALYZE executes the statement, so it is rolled back."""
    async with database.acting_as(context.principal, context.settings, by_id=context.by_id) as connection:
        lines = await connection.fetch(statement.sql, *statement.parameters)
        await connection.execute("rollback; begin")
    return Result("\n".join(line[0] for line in lines).encode(), rows=1)


async def stream_csv(
    database: Database, context: TransactionContext, read_plan: ReadPlan
) -> AsyncGenerator[bytes, None]:
    """Reads from a cursor, so that only one batch of rows is in memory."""
    lines, rows = write_lines(read_plan)
    async with database.acting_as(
        context.principal, context.settings, by_id=context.by_id, read_only=True
    ) as connection:
        heading = await connection.prepare(rows.sql)
        yield csv_heading(attribute.name for attribute in heading.get_attributes()).encode()
        cursor = await connection.cursor(lines.sql, *lines.parameters)
        while batch := await cursor.fetch(_CSV_BATCH_ROWS):
            yield "".join(f"\n{line[0]}" for line in batch).encode()


def _check(result: Result, expectation: Expectation) -> None:
    if expectation.single_row and result.rows != 1:
        raise NotOneRow(details=f"The result contains {result.rows} rows")
    if expectation.max_affected is not None and result.rows > expectation.max_affected:
        raise TooManyAffected(details=f"The query affects {result.rows} rows")


def _estimated_rows(explained: str, counted: int | None) -> int:
    estimate: int = round(json.loads(explained)[0]["Plan"]["Plan Rows"])
    return max(estimate, counted or 0)


async def read_catalog(database: Database, schemas: tuple[str, ...]) -> str:
    return await _fetch_document(database, SERVICE, _CATALOG, list(schemas))


async def read_fingerprint(database: Database) -> str:
    return await _fetch_document(database, SERVICE, _FINGERPRINT)


async def read_rights(database: Database, principal: Principal, schema: str) -> str:
    return await _fetch_document(database, principal, _RIGHTS, schema)


async def _fetch_document(database: Database, principal: Principal, query: str, *values: object) -> str:
    async with database.acting_as(principal, read_only=True) as connection:
        document: str = await connection.fetchval(query, *values)
        return document
