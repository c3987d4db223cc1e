"""H6: responses do not reveal to a stranger whether a row of someone else exists.

Each request is sent twice: with a value of Rosa's row, and with a value that no row has. Both responses must be equal.

H6 is a finding in docs/security.md.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import httpx
import pytest
import pytest_asyncio

from cairn.db import Connection
from tests.people import Person
from tests.rest.conftest import Client
from tests.rest.sample_rows import MARKER, Relation
from tests.rest.test_access_matrix import (
    OPEN_TO_ALL,
    STRANGERS,
    Tokens,
    exposed_relations,
    kim,
    matrix_client,
    tokens,
)
from tests.rest.test_rights import argument_by_type, list_functions

# These fixtures are imported, so that pytest finds them in this module.
__all__ = ["exposed_relations", "kim", "matrix_client", "tokens"]

KNOWN_BY_DESIGN = {
    "waiver_sessions.id": "anyone who knows the exact id may open the session, which is how a link works",
    "waiver_templates.id": "anyone who knows the exact id may open the template, and a new one cannot have its id",
}
"""The columns in which a response may reveal whether a value exists, each with the reason."""

OPENED_BY_SESSION_ID = {"invite_adult"}
"""The functions that anyone who knows the exact id of a session may call, because the id is the secret of its link."""

VALUE = "VALUE"
"""The placeholder for the value that a stranger guesses."""

VARYING = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\d[T ][\d:.+]+")
"""Ids and times, which differ between any two responses."""


Rows = dict[str, dict[str, Any]]
"""One row of each table, by the name of the table."""


class Attempt(NamedTuple):
    """A request with the placeholder VALUE in its path or its body."""

    method: str
    path: str
    prefer: str
    body: dict[str, Any] | None = None

    async def send(self, client: Client, value: str, headers: dict[str, str]) -> httpx.Response:
        content = json.dumps(self.body).replace(json.dumps(VALUE), json.dumps(value)) if self.body else None
        return await client.request(
            self.method,
            self.path.replace(VALUE, value),
            content=content,
            headers={**headers, "Prefer": self.prefer, "Content-Type": "application/json"},
        )


@pytest_asyncio.fixture
async def rosas_rows(exposed_relations: list[Relation], admin: Connection, rosa: Person) -> Rows:
    return {relation.name: await _rosas_row(admin, relation, rosa) for relation in exposed_relations}


@pytest.mark.parametrize("caller", STRANGERS)
@pytest.mark.accept("SAFE-16")
async def test_h6_no_table_tells_whether_a_row_of_another_company_exists(
    matrix_client: Client, tokens: Tokens, admin: Connection, rosas_rows: Rows, caller: str
) -> None:
    # Inserts come second, because afterwards the caller has rows of their own with these values.
    for insert in (False, True):
        attempt_count = 0
        for table, row in rosas_rows.items():
            if table in OPEN_TO_ALL:
                continue
            for attempt, column in _attempts(table, row, await _insertable_columns(admin, table), insert=insert):
                known = row[column]
                # It has the same length, because a text that is too long is refused before it is compared.
                unknown = str(uuid4()) if _is_uuid(known) else known.replace(MARKER, MARKER[::-1])
                outcomes = [
                    _outcome(await attempt.send(matrix_client, value, tokens.headers(caller)), value)
                    for value in (known, unknown)
                ]
                if f"{table}.{column}" not in KNOWN_BY_DESIGN:
                    assert outcomes[0] == outcomes[1], f"{caller} sends {attempt}"
                attempt_count += 1
        assert attempt_count > 200


@pytest.mark.parametrize("caller", STRANGERS)
async def test_h6_no_function_tells_whether_a_row_of_another_company_exists(
    matrix_client: Client, tokens: Tokens, admin: Connection, rosas_rows: Rows, caller: str
) -> None:
    known_ids = [value for row in rosas_rows.values() for value in row.values() if _is_uuid(value)]
    for function in await list_functions(admin):
        if not {"uuid", "uuid[]"} & set(function["types"]):
            continue
        outcomes, ids = set(), {*known_ids, str(uuid4())}
        if function["name"] in OPENED_BY_SESSION_ID:
            ids.discard(rosas_rows["waiver_sessions"]["id"])
        for value in ids:
            arguments = dict(zip(function["names"], map(argument_by_type(value), function["types"]), strict=False))
            response = await matrix_client.post(
                f"/rpc/{function['name']}", json=arguments, headers=tokens.headers(caller)
            )
            outcomes.add(_outcome(response, value))
        assert len(outcomes) == 1, (function["name"], outcomes)


def _attempts(table: str, row: dict[str, Any], insertable: list[str], *, insert: bool) -> Iterator[tuple[Attempt, str]]:
    """Yields each request, and the column whose value it guesses."""
    own_row = {name: value for name, value in row.items() if name in insertable} or row
    for column, value in row.items():
        if _identifies(value):
            attempts = (_inserts if insert else _searches)(f"/{table}", own_row, column)
            yield from ((attempt, column) for attempt in attempts)


def _searches(path: str, row: dict[str, Any], column: str) -> Iterator[Attempt]:
    for count in ("exact", "planned", "estimated"):
        yield Attempt("HEAD", f"{path}?{column}=eq.{VALUE}", f"count={count}")
    yield Attempt("GET", f"{path}?select={column}&{column}=in.({VALUE})", "count=exact")
    yield Attempt("DELETE", f"{path}?{column}=eq.{VALUE}", "return=minimal, count=exact")
    yield Attempt("PATCH", f"{path}?{column}=eq.{VALUE}", "return=representation, count=exact", row)


def _inserts(path: str, row: dict[str, Any], column: str) -> Iterator[Attempt]:
    without_company = {name: value for name, value in row.items() if name != "company_id"}
    for prefer in ("return=representation", "resolution=ignore-duplicates", "resolution=merge-duplicates"):
        yield Attempt("POST", path, prefer, {column: VALUE})
        yield Attempt("POST", path, prefer, {**row, column: VALUE})
        yield Attempt("POST", path, prefer, {**without_company, column: VALUE})


def _outcome(response: httpx.Response, value: str) -> tuple[int, str | None, str]:
    """Returns the response without the parts that differ between any two responses, such as the caller's new row."""
    text = VARYING.sub("...", response.text.lower().replace(value.lower(), VALUE))
    return response.status_code, response.headers.get("content-range"), "" if response.status_code == 201 else text


async def _insertable_columns(admin: Connection, table: str) -> list[str]:
    columns: list[str] = await admin.fetchval(
        """
        select coalesce(array_agg(attname::text), '{}') from pg_attribute
         where attrelid = $1::text::regclass and attnum > 0 and not attisdropped
           and has_column_privilege('authenticated', attrelid, attnum, 'insert')
        """,
        f"public.{table}",
    )
    return columns


async def _rosas_row(admin: Connection, relation: Relation, rosa: Person) -> dict[str, Any]:
    condition = "company_id = $1" if "company_id" in relation.columns else "$1::uuid is not null"
    if relation.name == "companies":
        condition = "id = $1"
    row = await admin.fetchval(f'select to_json(t) from "{relation.name}" t where {condition} limit 1', rosa.company)
    assert row, relation.name
    decoded: dict[str, Any] = json.loads(row)
    return decoded


def _identifies(value: object) -> bool:
    """Returns whether only one row has this value. A time zone, for example, is the same in many rows."""
    return isinstance(value, str) and (_is_uuid(value) or MARKER in value)


def _is_uuid(value: object) -> bool:
    try:
        return isinstance(value, str) and bool(UUID(value))
    except ValueError:
        return False
