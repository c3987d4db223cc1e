"""web/app/lib/database.ts is what `make database-types` would write now."""

import asyncpg
import pytest

from tests.structure.tree import text
from tools import database_types
from tools.database_types import Field, UnknownName, declare, generate


async def test_the_types_of_the_browser_match_the_catalog(admin_url: str) -> None:
    assert text(database_types.TARGET) == await generate(admin_url), "Run `make database-types`."


async def test_the_types_follow_a_change_of_the_catalog(
    admin: "asyncpg.Connection[asyncpg.Record]", admin_url: str
) -> None:
    await admin.execute("alter table public.notifications drop constraint if exists notifications_title_check")
    await admin.execute("alter table public.notifications add check (title in ('New', 'Old'))")
    await admin.execute("alter table public.notifications alter column message drop not null")

    generated = await generate(admin_url)

    assert '  title: "New" | "Old";' in generated
    assert "  message: string | null;" in generated


async def test_a_view_column_behind_an_outer_join_may_be_null(admin_url: str) -> None:
    """`waiver_sessions` selects the signature by a left join from a column that is not null."""
    session = (await generate(admin_url)).partition("export type SessionRow = {")[2].partition("};")[0]

    assert "  signature: string | null;" in session
    assert "  template_content: string;" in session


async def test_an_override_of_an_unknown_column_is_an_error(admin_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_types, "COLUMN_TYPES", {("profiles", "nickname"): "string"})

    with pytest.raises(UnknownName, match=r"profiles\.nickname"):
        await generate(admin_url)


def test_a_long_type_is_broken_into_lines() -> None:
    fields = [Field("name", "string"), Field("note", "string | null", optional=True)]
    long = [Field(f"column_{number}", "string") for number in range(9)]

    assert declare("Short", fields) == "export type Short = { name: string; note?: string | null };\n"
    assert declare("Long", long).splitlines()[:2] == ["export type Long = {", "  column_0: string;"]
