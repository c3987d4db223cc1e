"""A package touches only its own tables. Others are read through a view or function that their owner offers.

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
from tests.structure.tree import ROOT, files, name, text

CREATED = re.compile(r"\bcreate table (?:if not exists )?(?P<table>\w+\.\w+)")
USED_IN_PYTHON = re.compile(r"\b(?:from|join|into|update|using|table)\s+(?:only\s+)?(?P<table>[a-z_]+(?:\.[a-z_]+)?)\b")
TRIGGER = re.compile(r"create or replace trigger \w+ (?P<when>.+?) on (?P<table>\w+\.\w+)", re.DOTALL)
HOOK = re.compile(r"^-- hook: (?P<table>\S+) (?P<when>.+)$", re.MULTILINE)
CALL = re.compile(r"\b(?P<schema>[a-z]+)\.[a-z_]+\(")
FOREIGN_KEY = re.compile(r"\breferences (?P<table>\w+\.\w+)")
# The schema `public` holds the API of several packages, and `cairn` belongs to `db`.
SCHEMA_OWNERS = {package: package for package in PACKAGES} | {"cairn": "db"}
# A sample company is written by the database owner, past the API, and only there (see cairn/demo/__init__.py).
WRITES_SAMPLES = "cairn/demo/store.py"
# The column belongs to auth, but companies are created by accounts, which comes later.
LATE_FOREIGN_KEY = "alter table auth.sso_providers add foreign key (company_id) references public.companies"


def test_sql_touches_only_the_tables_of_its_package() -> None:
    assert [found for path in sql_files() for found in foreign_tables(path)] == []


def test_queries_in_python_touch_only_the_tables_of_their_package() -> None:
    paths = [path for path in files("*.py") if name(path).startswith("cairn/") and name(path) != WRITES_SAMPLES]

    assert [found for path in paths for found in foreign_tables_in_python(path)] == []


def test_triggers_on_tables_of_others_use_a_declared_hook() -> None:
    declared = {(hook["table"], hook["when"]) for path in files("sql/hooks.sql") for hook in HOOK.finditer(text(path))}
    used = {
        (trigger["table"], " ".join(trigger["when"].split()))
        for path in sql_files()
        for trigger in TRIGGER.finditer(text(path))
        if owners().get(trigger["table"], package_of(path)) != package_of(path)
    }

    assert used == declared


def test_hooks_are_declared_by_the_owner_of_the_table() -> None:
    hooks = [(package_of(path), hook["table"]) for path in files("sql/hooks.sql") for hook in HOOK.finditer(text(path))]

    assert len(hooks) > 0
    assert [(package, table) for package, table in hooks if owners()[table] != package] == []


def test_foreign_keys_point_to_earlier_packages() -> None:
    later = [
        f"{name(path)} refers to {key['table']}"
        for path in sql_files()
        for key in FOREIGN_KEY.finditer(code(path))
        if comes_after(owners()[key["table"]], package_of(path))
    ]

    assert later == []


def test_functions_call_only_earlier_packages() -> None:
    later = [
        f"{name(path)} calls {call[0]}"
        for path in sql_files()
        for call in CALL.finditer(code(path))
        if call["schema"] in SCHEMA_OWNERS and comes_after(SCHEMA_OWNERS[call["schema"]], package_of(path))
    ]

    assert later == []


@pytest.mark.parametrize(
    ("package", "line"),
    [("billing", "select from public.emails e"), ("messaging", "join waivers.signed w on true")],
)
def test_a_foreign_table_is_noticed(package: str, line: str) -> None:
    assert list(foreign(package, line)) != []


def foreign_tables(path: Path) -> Iterator[str]:
    for number, line in enumerate(code(path).splitlines(), start=1):
        own_part = FOREIGN_KEY.sub("", TRIGGER.sub("", line.replace(LATE_FOREIGN_KEY, "")))
        yield from (f"{name(path)}:{number}: {table}" for table in foreign(package_of(path), own_part))


def foreign(package: str, sql: str) -> Iterator[str]:
    for table, owner in owners().items():
        if owner != package and re.search(rf"(?<![\w.]){re.escape(table)}(?!\w)", sql):
            yield table


def foreign_tables_in_python(path: Path) -> Iterator[str]:
    package = path.relative_to(ROOT / "cairn").parts[0].removesuffix(".py")
    for node in ast.walk(ast.parse(text(path))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and is_query(node.value):
            for use in USED_IN_PYTHON.finditer(node.value):
                table = use["table"] if "." in use["table"] else f"public.{use['table']}"
                if owners().get(table, package) != package:
                    yield f"{name(path)}:{node.lineno}: {table}"


def is_query(text: str) -> bool:
    return re.search(r"^\s*(?:with|select|insert into|update|delete from|truncate) ", text, re.IGNORECASE) is not None


@cache
def owners() -> dict[str, str]:
    """Every table with the package whose migrations create it."""
    return {found["table"]: package_of(path) for path in sql_files() for found in CREATED.finditer(code(path))}


def sql_files() -> list[Path]:
    return [*files("cairn/*/sql/*.sql"), *files("cairn/*/migrations/*.sql")]


def code(path: Path) -> str:
    return "\n".join(line.partition("--")[0] for line in text(path).splitlines())


def package_of(path: Path) -> str:
    return path.relative_to(ROOT / "cairn").parts[0]


def comes_after(package: str, other: str) -> bool:
    return PACKAGES.index(package) > PACKAGES.index(other)
