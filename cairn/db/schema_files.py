"""Reads the SQL files of all packages.

The files in `migrations/` change tables and data. The files in `sql/` define functions, views, triggers and policies.
"""

import hashlib
import re
from collections.abc import Iterator
from importlib import metadata, resources

from cairn.db.errors import IncludedSqlDiffers
from cairn.kit import frozen_dataclass

# The order matters: a table may only refer to tables of earlier packages.
PACKAGES = (
    "db", "limits", "jobs", "auth", "accounts", "realtime", "messaging", "storage", "inquiries", "billing", "waivers",
    "trips", "integrations",
)  # fmt: skip

# `-- include package/path` inserts a file of an installed Python package. The hash of a migration does not cover what
# it includes, so another version of the package is refused.
_INCLUDED_HASHES = {
    "procrastinate/sql/schema.sql": "c70ec4b400a60ad9592787653aae5ae77ae41bf801d56b5bd2712751a07f2009",
}
# `-- define function waivers.name_key` inserts the definition of a function that a table or an index needs.
_DIRECTIVE = re.compile(r"-- (?P<verb>include|define) (?P<operand>.+)")

_CREATE = re.compile(
    r"create (?:or replace )?(?:"
    r"(?P<kind>function|view) (?P<name>\w+\.\w+)\b"
    r"|trigger (?P<trigger>\w+) .*? on (?P<trigger_table>\w+\.\w+)\s"
    r'|policy (?P<policy>"[^"]+") on (?P<policy_table>\w+\.\w+)\s)',
    re.DOTALL,
)

# PostgreSQL cuts off longer names.
_MAX_NAME_LENGTH = 63


@frozen_dataclass
class Migration:
    name: str
    sql: str

    @property
    def sha256(self) -> str:
        return _sha256(self.sql)


@frozen_dataclass
class Definition:
    """A function, view, trigger or policy with its grants. `object` is its name in `drop`: "function waivers.sign"."""

    object: str
    sql: str
    file: str

    @property
    def sha256(self) -> str:
        return _sha256(self.sql)


def shipped_migrations() -> list[Migration]:
    """Returns the migrations in the order in which they are applied: by package, then by number."""
    return [
        Migration(f"{package}/{name.removesuffix('.sql')}", text)
        for package in PACKAGES
        for name, text in _sql_files(package, "migrations")
    ]


def shipped_definitions() -> list[Definition]:
    by_object: dict[str, Definition] = {}
    for package in PACKAGES:
        for name, text in _sql_files(package, "sql"):
            for definition in parse_definitions(f"cairn/{package}/sql/{name}", text):
                if earlier := by_object.get(definition.object):
                    raise ValueError(f"{definition.object} is defined in {earlier.file} and in {definition.file}")
                by_object[definition.object] = definition
    return list(by_object.values())


def parse_definitions(file: str, text: str) -> list[Definition]:
    """Splits a file into definitions: each begins with a line that starts with `create`, and its grants follow it."""
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    preamble, *chunks = re.split(r"^(?=create )", "\n".join(lines), flags=re.MULTILINE)
    if preamble.strip():
        raise ValueError(f"{file} does not start with a definition: {preamble.strip().splitlines()[0]}")
    return [Definition(_object_name(file, chunk), chunk.strip(), file) for chunk in chunks]


def expand_directives(sql: str) -> str:
    """Replaces `-- include` and `-- define` lines with the SQL that they name."""
    # Reading all definitions takes longer than applying most migrations, and few migrations name one.
    has_define = re.search("^-- define ", sql, re.MULTILINE) is not None
    definitions = {definition.object: definition.sql for definition in shipped_definitions()} if has_define else {}

    def replacement(line: str) -> str:
        directive = _DIRECTIVE.fullmatch(line)
        if directive is None:
            return line
        if directive["verb"] == "define":
            return definitions[directive["operand"]]
        return _included(directive["operand"])

    return "\n".join(replacement(line) for line in sql.splitlines())


def _included(file: str) -> str:
    package, _, path = file.partition("/")
    sql = (resources.files(package) / path).read_text("utf-8")
    if _sha256(sql) != _INCLUDED_HASHES[file]:
        raise IncludedSqlDiffers(package=package, version=metadata.version(package))
    return sql


def _sql_files(package: str, folder: str) -> Iterator[tuple[str, str]]:
    path = resources.files(f"cairn.{package}") / folder
    if not path.is_dir():
        return
    for file in sorted(path.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".sql"):
            yield file.name, file.read_text("utf-8")


def _object_name(file: str, chunk: str) -> str:
    create_statement = _CREATE.match(chunk)
    if create_statement is None:
        raise ValueError(f"{file} may only define functions, views, triggers and policies: {chunk.splitlines()[0]}")
    if create_statement["kind"]:
        return f"{create_statement['kind']} {create_statement['name']}"
    if create_statement["trigger"]:
        return f"trigger {create_statement['trigger']} on {create_statement['trigger_table']}"
    if len(create_statement["policy"].strip('"')) > _MAX_NAME_LENGTH:
        raise ValueError(f"{file} has a policy name that PostgreSQL would cut off: {create_statement['policy']}")
    return f"policy {create_statement['policy']} on {create_statement['policy_table']}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
