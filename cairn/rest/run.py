"""The only stage that touches a connection: one transaction as the caller, one statement, and what must hold of it."""

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

from cairn.db import SERVICE, Database, Principal, Row
from cairn.rest.errors import BodyNotUnderstood, NotOneRow, TooManyAffected
from cairn.rest.plan import ReadPlan
from cairn.rest.statement import Statement, csv_heading, write_lines

_CATALOG = files("cairn.rest.catalog").joinpath("read.sql").read_text()
_FINGERPRINT = files("cairn.rest.catalog").joinpath("fingerprint.sql").read_text()
_RIGHTS = files("cairn.rest.openapi").joinpath("rights.sql").read_text()
_LINES_AT_ONCE = 1000
_HEAVY_BYTES = 256 * 1024
"""A body larger than this goes the way that does not keep room for its like."""

_LONG_STATEMENT = 15 * 1024
"""Characters. One with thousands of filters goes the way on which nothing this long is prepared and kept."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be true of the result, or nothing has happened."""

    one_row: bool = False
    at_most: int | None = None
    keep: bool = True
    read_only: bool = False


class Result(NamedTuple):
    body: bytes | None
    rows: int
    total: int | None = None
    location: str | None = None
    updated: str | None = None
    status: str | None = None
    headers: str | None = None
    cut: str | None = None


class _Undone(Exception):
    """Leaves the transaction without keeping it."""

    def __init__(self, result: Result) -> None:
        self.result = result


async def run(
    database: Database,
    principal: Principal,
    transaction_settings: Mapping[str, str],
    statement: Statement,
    expectation: Expectation,
    *,
    exact_up_to: int | None = None,
) -> Result:
    """`exact_up_to`: how far an estimated total is still counted."""
    if _is_one_trip(statement, expectation):
        told = await database.run_statement(
            principal,
            _planned(transaction_settings, statement),
            statement.sql,
            statement.parameters,
            read_only=expectation.read_only,
        )
        result = _result(told)
        _check(result, expectation)
        return result
    try:
        async with database.acting_as(
            principal, _planned(transaction_settings, statement), read_only=expectation.read_only
        ) as connection:
            if statement.same_keys and not await connection.fetchval(
                statement.same_keys.sql, *statement.same_keys.parameters
            ):
                raise BodyNotUnderstood(reason="All object keys must match")
            # A prepared statement belongs to the role it was planned for: what it may see is part of its plan.
            row = await connection.fetchrow(f"{statement.sql} -- {principal.role}", *statement.parameters)
            if row is None:
                raise RuntimeError("an aggregate returned no row")
            result = Result(**{**row, "body": row["body"] and row["body"].encode()})
            _check(result, expectation)
            if statement.estimate and (result.total is None or result.total > (exact_up_to or result.total)):
                explained = await connection.fetchval(statement.estimate.sql, *statement.estimate.parameters)
                result = result._replace(total=_guess(explained, result.total))
            if not expectation.keep:
                raise _Undone(result)
            return result
    except _Undone as undone:
        return undone.result


def _is_one_trip(statement: Statement, expectation: Expectation) -> bool:
    """Unless something is to be asked or judged before the transaction may end; what is read needs no undoing."""
    judged = not expectation.read_only and (
        expectation.one_row or expectation.at_most is not None or not expectation.keep
    )
    heavy = len(statement.sql) > _LONG_STATEMENT or _weight(statement) > _HEAVY_BYTES
    return not (judged or statement.same_keys or statement.estimate or heavy)


def _weight(statement: Statement) -> int:
    return sum(len(value) for value in statement.parameters if isinstance(value, bytes | bytearray))


def _result(row: Row) -> Result:
    body, rows, total, location, updated, status, headers, *cut = row
    return Result(
        body,
        int(rows or 0),
        int(total) if total is not None else None,
        location.decode() if location is not None else None,
        updated.decode() if updated is not None else None,
        status.decode() if status is not None else None,
        headers.decode() if headers is not None else None,
        cut[0].decode() if cut and cut[0] is not None else None,
    )


def _planned(transaction_settings: Mapping[str, str], statement: Statement) -> Mapping[str, str]:
    """Otherwise Postgres settles, after five times, on one plan for all values, by the average of what it guessed."""
    return (
        {**transaction_settings, "plan_cache_mode": "force_custom_plan"}
        if statement.depends_on_values
        else transaction_settings
    )


async def explain(
    database: Database, principal: Principal, transaction_settings: Mapping[str, str], statement: Statement
) -> Result:
    """A plan that is analyzed is carried out, and then undone: who asks how, does not mean it yet."""
    async with database.acting_as(principal, transaction_settings) as connection:
        lines = await connection.fetch(statement.sql, *statement.parameters)
        await connection.execute("rollback; begin")
    return Result("\n".join(line[0] for line in lines).encode(), rows=1)


async def stream_lines(
    database: Database, principal: Principal, transaction_settings: Mapping[str, str], read_plan: ReadPlan
) -> AsyncGenerator[bytes, None]:
    """Csv from a cursor: as much as is sent, and no more, is in memory."""
    lines, rows = write_lines(read_plan)
    async with database.acting_as(principal, transaction_settings, read_only=True) as connection:
        heading = await connection.prepare(rows.sql)
        yield csv_heading(attribute.name for attribute in heading.get_attributes()).encode()
        cursor = await connection.cursor(lines.sql, *lines.parameters)
        while batch := await cursor.fetch(_LINES_AT_ONCE):
            yield "".join(f"\n{line[0]}" for line in batch).encode()


def _check(result: Result, expectation: Expectation) -> None:
    if expectation.one_row and result.rows != 1:
        raise NotOneRow(details=f"The result contains {result.rows} rows")
    if expectation.at_most is not None and result.rows > expectation.at_most:
        raise TooManyAffected(details=f"The query affects {result.rows} rows")


def _guess(explained: str, counted: int | None) -> int:
    guess: int = round(json.loads(explained)[0]["Plan"]["Plan Rows"])
    return max(guess, counted or 0)


async def read_catalog(database: Database, schemas: tuple[str, ...]) -> str:
    return await _document(database, SERVICE, _CATALOG, list(schemas))


async def read_fingerprint(database: Database) -> str:
    return await _document(database, SERVICE, _FINGERPRINT)


async def read_rights(database: Database, principal: Principal, schema: str) -> str:
    return await _document(database, principal, _RIGHTS, schema)


async def _document(database: Database, principal: Principal, query: str, *values: object) -> str:
    async with database.acting_as(principal, read_only=True) as connection:
        document: str = await connection.fetchval(query, *values)
        return document
