"""The SQL of a package uses only its own tables, and views and functions that other packages offer.

Foreign keys and function calls only point to packages that are applied earlier. A trigger on another package's table is
allowed where the owner declares a hook (`cairn/*/sql/hooks.sql`), because it must act in the same transaction.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from cairn.db.schema_files import PACKAGES
from tests.structure.tree import ROOT, read_source, relative_name, source_files

CREATED_TABLE = re.compile(r"\bcreate table (?:if not exists )?(?P<table>\w+\.\w+)")
TABLE_IN_QUERY = re.compile(r"\b(?:from|join|into|update|using|table)\s+(?:only\s+)?(?P<table>[a-z_]+(?:\.[a-z_]+)?)\b")
TRIGGER = re.compile(r"create or replace trigger \w+ (?P<when>.+?) on (?P<table>\w+\.\w+)", re.DOTALL)
HOOK = re.compile(r"^-- hook: (?P<table>\S+) (?P<when>.+)$", re.MULTILINE)
CALL = re.compile(r"\b(?P<schema>[a-z]+)\.[a-z_]+\(")
FOREIGN_KEY = re.compile(r"\breferences (?P<table>\w+\.\w+)")
# The schema `public` holds the API of several packages, and `cairn` belongs to `db`.
SCHEMA_OWNERS = {package: package for package in PACKAGES} | {"cairn": "db"}
# Only this file writes to tables of other packages. It creates the sample company (see cairn/demo/__init__.py).
SAMPLE_WRITER = "cairn/demo/store.py"
# The column belongs to auth, but the package accounts, which is applied later, creates the table of companies.
LATE_FOREIGN_KEY = "alter table auth.sso_providers add foreign key (company_id) references public.companies"


def test_sql_uses_only_the_tables_of_its_package() -> None:
    assert [violation for path in sql_files() for violation in tables_of_others_in_sql(path)] == []


def test_queries_in_python_use_only_the_tables_of_their_package() -> None:
    paths = [
        path
        for path in source_files("*.py")
        if relative_name(path).startswith("cairn/") and relative_name(path) != SAMPLE_WRITER
    ]

    assert [violation for path in paths for violation in tables_of_others_in_python(path)] == []


def test_triggers_on_tables_of_other_packages_use_a_declared_hook() -> None:
    declared_hooks = {
        (hook["table"], hook["when"])
        for path in source_files("sql/hooks.sql")
        for hook in HOOK.finditer(read_source(path))
    }
    used_hooks = {
        (trigger["table"], " ".join(trigger["when"].split()))
        for path in sql_files()
        for trigger in TRIGGER.finditer(read_source(path))
        if table_owners().get(trigger["table"], package_of(path)) != package_of(path)
    }

    assert used_hooks == declared_hooks


def test_hooks_are_declared_by_the_owner_of_the_table() -> None:
    hooks = [
        (package_of(path), hook["table"])
        for path in source_files("sql/hooks.sql")
        for hook in HOOK.finditer(read_source(path))
    ]

    assert len(hooks) > 0
    assert [(package, table) for package, table in hooks if table_owners()[table] != package] == []


def test_foreign_keys_point_to_earlier_packages() -> None:
    violations = [
        f"{relative_name(path)} refers to {key['table']}"
        for path in sql_files()
        for key in FOREIGN_KEY.finditer(sql_without_comments(path))
        if is_applied_after(table_owners()[key["table"]], package_of(path))
    ]

    assert violations == []


def test_functions_call_only_earlier_packages() -> None:
    violations = [
        f"{relative_name(path)} calls {call[0]}"
        for path in sql_files()
        for call in CALL.finditer(sql_without_comments(path))
        if call["schema"] in SCHEMA_OWNERS and is_applied_after(SCHEMA_OWNERS[call["schema"]], package_of(path))
    ]

    assert violations == []


@pytest.mark.parametrize(
    ("package", "line"),
    [("billing", "select from public.emails e"), ("messaging", "join waivers.signed w on true")],
)
def test_a_table_of_another_package_is_found(package: str, line: str) -> None:
    assert list(find_tables_of_others(package, line)) != []


def tables_of_others_in_sql(path: Path) -> Iterator[str]:
    for number, line in enumerate(sql_without_comments(path).splitlines(), start=1):
        remaining_sql = FOREIGN_KEY.sub("", TRIGGER.sub("", line.replace(LATE_FOREIGN_KEY, "")))
        yield from (
            f"{relative_name(path)}:{number}: {table}"
            for table in find_tables_of_others(package_of(path), remaining_sql)
        )


def find_tables_of_others(package: str, sql: str) -> Iterator[str]:
    for table, owner in table_owners().items():
        if owner != package and re.search(rf"(?<![\w.]){re.escape(table)}(?!\w)", sql):
            yield table


def tables_of_others_in_python(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT / "cairn").parts[0].removesuffix(".py")
    for node in ast.walk(ast.parse(read_source(path))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_query(node.value):
            for use in TABLE_IN_QUERY.finditer(node.value):
                table = use["table"] if "." in use["table"] else f"public.{use['table']}"
                if table_owners().get(table, package) != package:
                    yield f"{relative_name(path)}:{node.lineno}: {table}"


def is_query(string: str) -> bool:
    return re.search(r"^\s*(?:with|select|insert into|update|delete from|truncate) ", string, re.IGNORECASE) is not None


@cache
def table_owners() -> dict[str, str]:
    """Returns the package whose migrations create each table."""
    return {
        created["table"]: package_of(path)
        for path in sql_files()
        for created in CREATED_TABLE.finditer(sql_without_comments(path))
    }


def sql_files() -> list[Path]:
    return [*source_files("cairn/*/sql/*.sql"), *source_files("cairn/*/migrations/*.sql")]


def sql_without_comments(path: Path) -> str:
    return "\n".join(line.partition("--")[0] for line in read_source(path).splitlines())


def package_of(path: Path) -> str:
    return path.relative_to(ROOT / "cairn").parts[0]


def is_applied_after(package: str, other_package: str) -> bool:
    return PACKAGES.index(package) > PACKAGES.index(other_package)
