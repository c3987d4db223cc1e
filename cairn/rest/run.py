"""The only stage that touches a connection: one transaction as the caller, one statement, and what must hold of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.resources import files

from cairn.db import SERVICE, Database, Principal
from cairn.rest.errors import NotOneRow, TooManyAffected
from cairn.rest.sql import Statement

_CATALOG = files("cairn.rest.catalog").joinpath("read.sql").read_text()


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must be true of the result, or nothing has happened."""

    one_row: bool = False
    at_most: int | None = None
    keep: bool = True
    read_only: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    body: bytes | None
    rows: int
    total: int | None = None
    location: str | None = None
    updated: str | None = None
    status: str | None = None
    headers: str | None = None


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
    try:
        async with database.acting_as(principal, facts, read_only=expected.read_only) as connection:
            row = await connection.fetchrow(statement.sql, *statement.values)
            if row is None:
                raise RuntimeError("an aggregate returned no row")
            outcome = Outcome(**row)
            _check(outcome, expected)
            if statement.estimate and (outcome.total is None or outcome.total > (exact_up_to or outcome.total)):
                explained = await connection.fetchval(statement.estimate.sql, *statement.estimate.values)
                outcome = replace(outcome, total=_guess(explained, outcome.total))
            if not expected.keep:
                raise _Undone(outcome)
            return outcome
    except _Undone as undone:
        return undone.outcome


def _check(outcome: Outcome, expected: Expectation) -> None:
    if expected.one_row and outcome.rows != 1:
        raise NotOneRow(details=f"The result contains {outcome.rows} rows")
    if expected.at_most is not None and outcome.rows > expected.at_most:
        raise TooManyAffected(details=f"The query affects {outcome.rows} rows")


def _guess(explained: str, counted: int | None) -> int:
    guess: int = round(json.loads(explained)[0]["Plan"]["Plan Rows"])
    return max(guess, counted or 0)


async def read_catalog(database: Database, schemas: tuple[str, ...]) -> str:
    async with database.acting_as(SERVICE, read_only=True) as connection:
        document: str = await connection.fetchval(_CATALOG, list(schemas))
        return document
