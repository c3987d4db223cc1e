"""Statements on large tables read only the rows of one company or one person, or a single row.

So their cost does not grow with other companies, and the data can be spread by company over several databases.
Statements that read across companies are listed with their reasons in `unbound_statements.txt`.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cairn.kit import frozen_dataclass
from tests.structure.tree import read_source, relative_name, source_files

EXCEPTIONS = Path(__file__).parent / "unbound_statements.txt"
# The tables that grow with every waiver, message or sign-in, and the columns that bind a statement to a few rows.
KEYS_OF_TABLES = {
    "waivers.sessions": "id company_id replaced_by invited_by recipient_email",
    "waivers.signed": "id company_id session_id signer_email superseded_by",
    "waivers.audit_events": "id company_id session_id",
    "waivers.chain_heads": "id company_id hash",
    "waivers.head_entries": "head_id session_id",
    "waivers.head_timestamps": "head_id",
    "waivers.reminders": "id company_id session_id",
    "waivers.planned_erasures": "waiver_id company_id",
    "waivers.document_failures": "waiver_id",
    "public.sent_waivers": "id company_id session_id recipient_email",
    "public.emails": "id company_id session_id recipient about_id attachment_id message_id",
    "public.text_messages": "id company_id session_id recipient message_id",
    "public.notifications": "id company_id about",
    "billing.counted_sendings": "company_id session_id",
    "integrations.deliveries": "id company_id endpoint_id",
    "public.trips": "id company_id activity_id",
    "public.bookings": "id company_id trip_id link contact_email",
    "public.checkins": "id company_id trip_id participant_id",
    "public.checkin_log": "id company_id trip_id",
    "trips.booking_sessions": "session_id booking_id company_id",
    "jobs.events": "id",
    "jobs.procrastinate_jobs": "id",
    "jobs.procrastinate_events": "job_id",
    "storage.objects": "id version owner owner_id name",
    "storage.blobs": "version",
    "auth.audit_log": "id user_id",
    "auth.sessions": "id user_id factor_id",
    "auth.refresh_tokens": "id session_id token_sha256 parent_id",
    "realtime.messages": "id topic",
}
_NAMES = "|".join(re.escape(name).replace(r"public\.", r"(?:public\.)?") for name in KEYS_OF_TABLES)
_NO_ALIAS = "where|set|on|using|join|left|cross|inner|order|limit|for|group|returning|window|union"
_READ_TABLE = re.compile(
    rf"\b(?:from|join|update|using)\s+(?P<table>{_NAMES})(?![\w.(])(?:\s+(?:as\s+)?(?!(?:{_NO_ALIAS})\b)(?P<alias>\w+))?"
)
_IS_SUBQUERY = re.compile(r"\(\s*(?:select|with|insert|update|delete)\b")
_FUNCTION = re.compile(r"create or replace function ([\w.]+)(.*?)(?=^create or replace|\Z)", re.DOTALL | re.MULTILINE)
_ASSIGNMENTS = re.compile(r"\bset\s.*?(?=\b(?:from|where|returning)\b|$)", re.DOTALL)
# A filter that a caller can leave out binds nothing.
_OPTIONAL_FILTER = re.compile(r"[\w$:]+ is null\s+or [^()]*")


@frozen_dataclass
class Statement:
    """`place` is the file and the function, method or constant in it."""

    place: str
    text: str


def statements_of_python() -> Iterator[Statement]:
    for path in source_files("*.py"):
        if relative_name(path).startswith("cairn/"):
            for node in ast.parse(read_source(path)).body:
                yield from _statements_in(node, relative_name(path))


def _statements_in(node: ast.AST, place: str) -> Iterator[Statement]:
    if isinstance(node, ast.ClassDef):
        for member in node.body:
            yield from _statements_in(member, place)
        return
    names = [node.name] if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else _assigned_names(node)
    for text in _texts_in(node):
        yield Statement(" ".join([place, *names]), text)


def _assigned_names(node: ast.AST) -> list[str]:
    return (
        [target.id for target in node.targets if isinstance(target, ast.Name)] if isinstance(node, ast.Assign) else []
    )


def _texts_in(node: ast.AST) -> Iterator[str]:
    """Yields the strings in the code. What is inserted into a string is replaced with braces."""
    if isinstance(node, ast.JoinedStr):
        yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in node.values)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "delete_old_rows":
        yield from (f"delete from {text} where" for argument in node.args[:1] for text in _texts_in(argument))
    else:
        for child in ast.iter_child_nodes(node):
            yield from _texts_in(child)


def statements_of_sql() -> Iterator[Statement]:
    for path in source_files("cairn/*/sql/*.sql"):
        source = re.sub(r"--[^\n]*", "", read_source(path))
        for function in _FUNCTION.finditer(source):
            yield from (Statement(f"{relative_name(path)} {function[1]}", text) for text in function[2].split(";"))


def scopes_of(text: str) -> Iterator[str]:
    """Yields the text without its subqueries, and then each subquery in the same way."""
    outer = ""
    position = 0
    while match := _IS_SUBQUERY.search(text, position):
        end = _end_of_parenthesis(text, match.start())
        outer += text[position : match.start()] + "()"
        yield from scopes_of(text[match.start() + 1 : end])
        position = end + 1
    yield outer + text[position:]


def _end_of_parenthesis(text: str, start: int) -> int:
    depth = 0
    for position in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[position], 0)
        if depth == 0:
            return position
    return len(text)


def unbound_tables(text: str) -> set[str]:
    """Returns the large tables of which the statement reads rows that no key selects."""
    return {table for scope in scopes_of(text) for table in _unbound_in_scope(scope)}


def _unbound_in_scope(scope: str) -> set[str]:
    conditions = _OPTIONAL_FILTER.sub("", _ASSIGNMENTS.sub("", scope))
    tables = {match["alias"] or "": _full_name(match["table"]) for match in _READ_TABLE.finditer(scope)}
    is_only_table = len(tables) == 1
    compared_with = {
        alias: set(_compared_values(conditions, alias, table, is_only_table=is_only_table))
        for alias, table in tables.items()
    }
    unbound = set(tables)
    # A key that is compared with a key of another large table binds only if the other table is bound.
    while bound := {alias for alias in unbound if compared_with[alias] - unbound}:
        unbound -= bound
    return {tables[alias] for alias in unbound}


def _full_name(table: str) -> str:
    return table if table in KEYS_OF_TABLES else f"public.{table}"


def _compared_values(conditions: str, alias: str, table: str, *, is_only_table: bool) -> Iterator[str]:
    """Yields the alias of each table with which a key is compared, or `a value` for a comparison without an alias."""
    keys = "|".join(KEYS_OF_TABLES[table].split())
    prefix = rf"(?:{alias}\.){'?' if is_only_table else ''}" if alias else ""
    key = rf"(?<![.\w]){prefix}(?:{keys})\b"
    # A key is compared alone, or as a part of a row such as `(company_id, id)`.
    left = rf"{key}(?:::\w+)?(?:, [\w.]+)*\)?\s*(?:=|\bin\b|is not distinct from|\^@)\s*(?:(\w+)\.)?"
    if re.search(rf"(?<![.\w]){prefix}company_id is null", conditions):
        yield "a value"
    for match in [*re.finditer(left, conditions), *re.finditer(rf"(?:(\w+)\.)?\w+\s*=\s*{key}", conditions)]:
        yield match[1] or "a value"


def found_exceptions() -> set[str]:
    """Returns the places of statements that read a large table across companies."""
    return {
        statement.place
        for statement in [*statements_of_python(), *statements_of_sql()]
        if unbound_tables(statement.text)
    }


def listed_exceptions() -> dict[str, str]:
    """Returns the reason for each exception. Lines that start with `#` and empty lines are comments."""
    lines = [line for line in EXCEPTIONS.read_text("utf-8").splitlines() if line and not line.startswith("#")]
    return dict(line.split(": ", 1) for line in lines)


@pytest.mark.accept("OPS-60")
def test_every_statement_across_companies_is_listed() -> None:
    assert sorted(found_exceptions() - listed_exceptions().keys()) == []


@pytest.mark.accept("OPS-60")
def test_every_listed_statement_still_exists_and_has_a_reason() -> None:
    assert sorted(listed_exceptions().keys() - found_exceptions()) == []
    assert [place for place, reason in listed_exceptions().items() if not reason.strip()] == []


@pytest.mark.parametrize(
    ("statement", "tables"),
    [
        ("select id from waivers.sessions s where s.company_id = $1", set()),
        ("select id from waivers.sessions where id = any ($1)", set()),
        ("select count(*) from waivers.sessions", {"waivers.sessions"}),
        ("select id from waivers.sessions s where s.status = 'pending'", {"waivers.sessions"}),
        ("select id from emails where created_at < now()", {"public.emails"}),
        ("update waivers.signed w set company_id = $1 where w.signed_at < now()", {"waivers.signed"}),
        ("select w.id from waivers.signed w where (company is null or w.company_id = company)", {"waivers.signed"}),
        (
            "with old as (select n.id from public.notifications n limit 9) "
            "delete from public.notifications n using old where n.id = old.id",
            {"public.notifications"},
        ),
        (
            "select from public.companies c where exists (select from waivers.signed w where w.company_id = c.id)",
            set(),
        ),
        (
            "select p.waiver_id from waivers.planned_erasures p join waivers.signed w on w.id = p.waiver_id",
            {"waivers.planned_erasures", "waivers.signed"},
        ),
        (
            "select 1 from waivers.sessions s join waivers.signed w on w.session_id = s.id where w.id = $1",
            set(),
        ),
        ("select o.id from storage.objects o where (o.bucket_id, o.name) = ($1, $2)", set()),
    ],
)
def test_a_statement_is_bound_by_a_key_of_each_large_table(statement: str, tables: set[str]) -> None:
    assert unbound_tables(statement) == tables
