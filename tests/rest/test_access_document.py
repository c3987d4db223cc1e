"""docs/access-matrix.md says who reaches what, and this test compares it with the running product.

All names come from the database and from the list of functions, so a new table, view, function, bucket or channel
without an entry fails the test. If a change is intended, run `WRITE_ACCESS_MATRIX=1 pytest` with this file, and review
the changed lines of the document.
"""

import difflib
import os
from collections.abc import AsyncIterator, Iterable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
import pytest_asyncio

from cairn.db import Connection, Database
from tests.people import Person
from tests.realtime.conftest import serve_app
from tests.rest import access_matrix
from tests.rest.access_matrix import NOTHING, Row, Target
from tests.rest.matrix_callers import CALLERS, STRANGERS, make_callers
from tests.rest.sample_rows import add_row_to_every_table
from tests.whole_app import whole_app

DOCUMENT = "docs/access-matrix.md"


@pytest_asyncio.fixture
async def served_target(
    login_url: str,
    admin: Connection,
    database: Database,
    tmp_path: Path,
    rosa: Person,
    bea: Person,
    gil: Person,
    mallory: Person,
) -> AsyncIterator[tuple[Target, str]]:
    async with (
        AsyncExitStack() as stack,
        whole_app(login_url, tmp_path / "data") as whole,
        serve_app(whole.app) as address,
    ):
        clients = {
            caller: await stack.enter_async_context(whole.client(f"198.51.{100 + number}.7"))
            for number, caller in enumerate(CALLERS)
        }
        await add_row_to_every_table(admin, rosa)
        callers = await make_callers(database, whole, rosa=rosa, bea=bea, gil=gil, mallory=mallory)
        yield Target(clients, callers, admin, database, rosa), f"{address}/realtime/v1"


@pytest.mark.accept("SAFE-27")
async def test_the_document_says_who_reaches_what(served_target: tuple[Target, str], root: Path) -> None:
    target, address = served_target
    sections = {
        "Rows": await access_matrix.measure_relations(target),
        "Privileges to write": await access_matrix.measure_writes(target),
        "SQL functions": await access_matrix.measure_sql_functions(target),
        "HTTP functions": await access_matrix.measure_http_functions(target),
        "Buckets": await access_matrix.measure_buckets(target),
        "Channels": await access_matrix.measure_channels(target, address),
    }
    text = "\n".join(_document(sections))
    path = root / DOCUMENT
    if os.environ.get("WRITE_ACCESS_MATRIX"):
        path.write_text(text, "utf-8")
    assert _reached_by_strangers(sections["Rows"]) == {"consent_texts"}
    documented = path.read_text("utf-8").splitlines()
    assert list(difflib.unified_diff(documented, text.splitlines(), "documented", "measured", n=0, lineterm="")) == []


def _reached_by_strangers(rows: dict[str, Row]) -> set[str]:
    """Returns the tables of which a stranger reads rows of the company, whatever the document says."""
    return {name for name, row in rows.items() for caller in STRANGERS if row[caller].isdigit() or " + " in row[caller]}


INTRODUCTION = """# Access matrix

Who reaches what of a company's data. This page is measured by `tests/rest/test_access_document.py`, which fails if the
product behaves differently, or if a new table, view, function, bucket or channel has no entry here.

The callers are:
"""

EXPLANATIONS = {
    "Rows": "The number of rows of the company that the caller reads, then of other rows, such as their own profile\n"
    "and the sample templates. `count=exact`, `planned` and `estimated` give the same number.",
    "Privileges to write": "What the privileges of the database roles allow. Policies and triggers allow less.",
    "SQL functions": "The status of a call with the ids of the company's rows, and whether it returns its data.",
    "HTTP functions": "The same for `/functions/v1`. All calls have one body, which is incomplete for some functions.",
    "Buckets": "What the caller may do with an object in the folder of the company or of its owner.",
    "Channels": "Who receives a change of the company's rows, and who may join its private channel.",
}


def _document(sections: dict[str, dict[str, Row]]) -> Iterable[str]:
    yield INTRODUCTION
    yield from (f"- **{caller}** {description}" for caller, description in CALLERS.items())
    yield f"\nIn every table, `{NOTHING}` means that the caller reached nothing."
    for title, rows in sections.items():
        columns = list(next(iter(rows.values())))
        yield f"\n## {title}\n\n{EXPLANATIONS[title]}\n"
        yield f"| | {' | '.join(columns)} |"
        yield "|---" * (len(columns) + 1) + "|"
        yield from (f"| `{name}` | {' | '.join(row[column] for column in columns)} |" for name, row in rows.items())
    yield ""
