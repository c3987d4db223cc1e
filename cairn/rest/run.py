"""The only stage that touches a connection: one transaction as the caller, one statement, and what must hold of it."""

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import NamedTuple

from cairn.db import SERVICE, Database, Principal, Row
from cairn.rest.errors import BodyNotUnderstood, NotOneRow, TooManyAffected
from cairn.rest.plan import Reading
from cairn.rest.sql import Statement, csv_heading, write_lines

_CATALOG = files("cairn.rest.catalog").joinpath("read.sql").read_text()
_FINGERPRINT = files("cairn.rest.catalog").joinpath("fingerprint.sql").read_text()
_RIGHTS = files("cairn.rest").joinpath("rights.sql").read_text()
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


class Outcome(NamedTuple):
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

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome


async def run(
    database: Database,
    principal: Principal,
    facts: Mapping[str, str],
    statement: Statement,
    expected: Expectation,
    *,
    exact_up_to: int | None = None,
) -> Outcome:
    """`exact_up_to`: how far an estimated total is still counted."""
    if _is_one_trip(statement, expected):
        told = await database.run_statement(
            principal, _planned(facts, statement), statement.sql, statement.values, read_only=expected.read_only
        )
        outcome = _outcome(told)
        _check(outcome, expected)
        return outcome
    try:
        async with database.acting_as(
            principal, _planned(facts, statement), read_only=expected.read_only
        ) as connection:
            if statement.same_keys and not await connection.fetchval(
                statement.same_keys.sql, *statement.same_keys.values
            ):
                raise BodyNotUnderstood(reason="All object keys must match")
            # A prepared statement belongs to the role it was planned for: what it may see is part of its plan.
            row = await connection.fetchrow(f"{statement.sql} -- {principal.role}", *statement.values)
            if row is None:
                raise RuntimeError("an aggregate returned no row")
            outcome = Outcome(**{**row, "body": row["body"] and row["body"].encode()})
            _check(outcome, expected)
            if statement.estimate and (outcome.total is None or outcome.total > (exact_up_to or outcome.total)):
                explained = await connection.fetchval(statement.estimate.sql, *statement.estimate.values)
                outcome = outcome._replace(total=_guess(explained, outcome.total))
            if not expected.keep:
                raise _Undone(outcome)
            return outcome
    except _Undone as undone:
        return undone.outcome


def _is_one_trip(statement: Statement, expected: Expectation) -> bool:
    """Unless something is to be asked or judged before the transaction may end; what is read needs no undoing."""
    judged = not expected.read_only and (expected.one_row or expected.at_most is not None or not expected.keep)
    heavy = len(statement.sql) > _LONG_STATEMENT or _weight(statement) > _HEAVY_BYTES
    return not (judged or statement.same_keys or statement.estimate or heavy)


def _weight(statement: Statement) -> int:
    return sum(len(value) for value in statement.values if isinstance(value, bytes | bytearray))


def _outcome(row: Row) -> Outcome:
    body, rows, total, location, updated, status, headers, *cut = row
    return Outcome(
        body,
        int(rows or 0),
        int(total) if total is not None else None,
        location.decode() if location is not None else None,
        updated.decode() if updated is not None else None,
        status.decode() if status is not None else None,
        headers.decode() if headers is not None else None,
        cut[0].decode() if cut and cut[0] is not None else None,
    )


def _planned(facts: Mapping[str, str], statement: Statement) -> Mapping[str, str]:
    """Otherwise Postgres settles, after five times, on one plan for all values, by the average of what it guessed."""
    return {**facts, "plan_cache_mode": "force_custom_plan"} if statement.depends_on_values else facts


async def explain(database: Database, principal: Principal, facts: Mapping[str, str], statement: Statement) -> Outcome:
    """A plan that is analyzed is carried out, and then undone: who asks how, does not mean it yet."""
    async with database.acting_as(principal, facts) as connection:
        lines = await connection.fetch(statement.sql, *statement.values)
        await connection.execute("rollback; begin")
    return Outcome("\n".join(line[0] for line in lines).encode(), rows=1)


async def stream_lines(
    database: Database, principal: Principal, facts: Mapping[str, str], reading: Reading
) -> AsyncGenerator[bytes, None]:
    """Csv from a cursor: as much as is sent, and no more, is in memory."""
    lines, rows = write_lines(reading)
    async with database.acting_as(principal, facts, read_only=True) as connection:
        heading = await connection.prepare(rows.sql)
        yield csv_heading(attribute.name for attribute in heading.get_attributes()).encode()
        cursor = await connection.cursor(lines.sql, *lines.values)
        while batch := await cursor.fetch(_LINES_AT_ONCE):
            yield "".join(f"\n{line[0]}" for line in batch).encode()


def _check(outcome: Outcome, expected: Expectation) -> None:
    if expected.one_row and outcome.rows != 1:
        raise NotOneRow(details=f"The result contains {outcome.rows} rows")
    if expected.at_most is not None and outcome.rows > expected.at_most:
        raise TooManyAffected(details=f"The query affects {outcome.rows} rows")


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
