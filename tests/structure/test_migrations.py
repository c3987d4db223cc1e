"""Migrations are numbered and contain no definitions, and every SQL file belongs to a package."""

import re
from itertools import groupby

from cairn.db import shipped_definitions, shipped_migrations
from cairn.db.schema_files import PACKAGES
from tests.structure.tree import ROOT

MIGRATION_NAME = re.compile(r"(?P<package>[a-z]+)/(?P<number>\d{4})_[a-z0-9_]+")
DEFINITION_STATEMENT = re.compile(
    r"^\s*(?:create|alter)(?: or replace)? (?:function|view|trigger|policy)\b", re.MULTILINE
)


def test_migrations_have_a_number_and_a_name() -> None:
    assert [
        migration.name for migration in shipped_migrations() if MIGRATION_NAME.fullmatch(migration.name) is None
    ] == []


def test_migrations_of_a_package_are_numbered_without_a_gap() -> None:
    names = [migration.name for migration in shipped_migrations()]

    for package, package_migrations in groupby(names, key=lambda name: name.split("/")[0]):
        numbers = [int(name.split("/")[1][:4]) for name in package_migrations]
        assert numbers == list(range(1, len(numbers) + 1)), package


def test_migrations_contain_no_definitions() -> None:
    assert [migration.name for migration in shipped_migrations() if DEFINITION_STATEMENT.search(migration.sql)] == []


def test_every_sql_file_belongs_to_a_listed_package() -> None:
    files = [*(ROOT / "cairn").glob("*/migrations/*.sql"), *(ROOT / "cairn").glob("*/sql/*.sql")]

    assert {file.parent.parent.name for file in files} == set(PACKAGES)


def test_policies_are_only_in_policies_sql() -> None:
    files = {definition.file for definition in shipped_definitions() if definition.object.startswith("policy")}

    assert {file.rsplit("/", 1)[1] for file in files} == {"policies.sql"}
