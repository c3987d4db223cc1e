"""Runs the statement of a request. Only this module and `schema_listener` use a database connection."""

import json
from collections.abc import AsyncGenerator, Mapping
from importlib.resources import files
from typing import NamedTuple

from cairn.db import SERVICE, Connection, Database, Principal, Row
from cairn.kit import frozen_dataclass
from cairn.rest.errors import InvalidBody, NotOneRow, TooManyRowsAffected
from cairn.rest.plan import ReadPlan
from cairn.rest.statement import Statement, csv_header, csv_statements
from cairn.rest.transaction_settings import TransactionContext

_CATALOG_SQL = files("cairn.rest.catalog").joinpath("read.sql").read_text()
_FINGERPRINT_SQL = files("cairn.rest.catalog").joinpath("fingerprint.sql").read_text()
_RIGHTS_SQL = files("cairn.rest.openapi").joinpath("rights.sql").read_text()
_CSV_BATCH_ROWS = 1000
_MAX_PIPELINE_BYTES = 256 * 1024
"""Larger bodies are not sent through libpq, which never releases the memory of its largest message."""

_MAX_PIPELINE_SQL_LENGTH = 15 * 1024
"""Longer statements, for example with hundreds of filters, are not sent through the pipeline."""


@frozen_dataclass
class Expectation:
    """How to run the transaction, and conditions on its result. If a condition does not hold, it is rolled back."""

    single_row: bool = False
    max_affected: int | None = None
    commit: bool = True
    read_only: bool = False


class Result(NamedTuple):
    """The single row that a statement of `build_statement` returns, with these column names.

    `rows` is the number of rows in the body, and `total` the number without limit and offset. `location` is the key of
    an inserted row as a JSON list. `updated` is the number of rows that were updated or deleted. A SQL function may
    set `status` and `headers`. `truncated` is set if an embed reached `max_rows`.
    """

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
) -> Result:
    if statement.estimate and context.principal.role != SERVICE.role:
        # The planner's statistics include rows that row-level security hides from this role.
        statement = statement._replace(estimate=None)
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
        _check_result(result, expectation)
        return result
    try:
        async with database.acting_as(
            context.principal, settings, by_id=context.by_id, read_only=expectation.read_only
        ) as connection:
            result = await _run_in_transaction(connection, context, statement, expectation)
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
) -> Result:
    if statement.same_keys and not await connection.fetchval(statement.same_keys.sql, *statement.same_keys.parameters):
        raise InvalidBody(reason="All object keys must match")
    # Row-level security makes the plan depend on the role, so each role prepares the statement separately.
    row = await connection.fetchrow(f"{statement.sql} -- {context.principal.role}", *statement.parameters)
    if row is None:
        raise RuntimeError("an aggregate returned no row")
    result = Result(**{**row, "body": row["body"] and row["body"].encode()})
    _check_result(result, expectation)
    estimate, counted_rows = statement.estimate, result.total or 0
    if estimate and counted_rows >= estimate.from_rows:
        query_plan = await connection.fetchval(estimate.sql, *estimate.parameters)
        result = result._replace(total=max(_estimated_rows(query_plan), counted_rows))
    return result


def _fits_pipeline(statement: Statement, expectation: Expectation) -> bool:
    """Checks whether one round trip is enough: no check is needed before the commit, and the request is not large.

    A read has nothing to roll back, so its result can be checked after the transaction.
    """
    must_check_before_commit = not expectation.read_only and (
        expectation.single_row or expectation.max_affected is not None or not expectation.commit
    )
    is_large = len(statement.sql) > _MAX_PIPELINE_SQL_LENGTH or _body_bytes(statement) > _MAX_PIPELINE_BYTES
    return not (must_check_before_commit or statement.same_keys or statement.estimate or is_large)


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
    """Makes PostgreSQL plan for the actual values. After five runs it would otherwise use one plan for all values."""
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
    lines, rows = csv_statements(read_plan)
    async with database.acting_as(
        context.principal, context.settings, by_id=context.by_id, read_only=True
    ) as connection:
        prepared = await connection.prepare(rows.sql)
        yield csv_header(attribute.name for attribute in prepared.get_attributes()).encode()
        # `connection.cursor` would always prepare a named statement, which a pooler does not allow.
        cursor = await (await connection.prepare(lines.sql)).cursor(*lines.parameters)
        while batch := await cursor.fetch(_CSV_BATCH_ROWS):
            yield "".join(f"\n{line[0]}" for line in batch).encode()


def _check_result(result: Result, expectation: Expectation) -> None:
    changed_rows = int(result.updated or 0)
    if expectation.single_row and result.rows != 1:
        raise NotOneRow(details=f"The result contains {result.rows} rows", changed_rows=changed_rows)
    if expectation.max_affected is not None and result.rows > expectation.max_affected:
        raise TooManyRowsAffected(details=f"The query affects {result.rows} rows", changed_rows=changed_rows)


def _estimated_rows(query_plan: str) -> int:
    rows: int = round(json.loads(query_plan)[0]["Plan"]["Plan Rows"])
    return rows


async def read_catalog(database: Database, schemas: tuple[str, ...]) -> str:
    return await _fetch_document(database, SERVICE, _CATALOG_SQL, list(schemas))


async def read_fingerprint(database: Database) -> str:
    return await _fetch_document(database, SERVICE, _FINGERPRINT_SQL)


async def read_rights(database: Database, principal: Principal, schema: str) -> str:
    return await _fetch_document(database, principal, _RIGHTS_SQL, schema)


async def _fetch_document(database: Database, principal: Principal, query: str, *values: object) -> str:
    async with database.acting_as(principal, read_only=True) as connection:
        document: str = await connection.fetchval(query, *values)
        return document
