"""web/app/lib/database.ts matches the database schema, from which `make database-types` generates it."""

import asyncpg
import pytest

from tests.structure.tree import read_source
from tools import database_types
from tools.database_types import Field, UnknownName, declare_type, generate


async def test_the_types_of_the_browser_match_the_catalog(admin_url: str) -> None:
    assert read_source(database_types.TARGET) == await generate(admin_url), "Run `make database-types`."


async def test_the_types_follow_a_change_of_the_catalog(
    admin: "asyncpg.Connection[asyncpg.Record]", admin_url: str
) -> None:
    await admin.execute("alter table public.notifications drop constraint if exists notifications_title_check")
    await admin.execute("alter table public.notifications add check (title in ('New', 'Old'))")
    await admin.execute("alter table public.notifications alter column message drop not null")

    generated_types = await generate(admin_url)

    assert '  title: "New" | "Old";' in generated_types
    assert "  message: string | null;" in generated_types


async def test_a_view_column_behind_an_outer_join_may_be_null(admin_url: str) -> None:
    """In `waiver_sessions` the signature comes through a left join, so it may be null although its column is not."""
    session_type = (await generate(admin_url)).partition("export type SessionRow = {")[2].partition("};")[0]

    assert "  signature: string | null;" in session_type
    assert "  template_content: string;" in session_type


async def test_an_override_of_an_unknown_column_is_an_error(admin_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_types, "COLUMN_TYPES", {("profiles", "nickname"): "string"})

    with pytest.raises(UnknownName, match=r"profiles\.nickname"):
        await generate(admin_url)


def test_a_long_type_has_one_line_per_field() -> None:
    fields = [Field("name", "string"), Field("note", "string | null", optional=True)]
    many_fields = [Field(f"column_{number}", "string") for number in range(9)]

    assert declare_type("Short", fields) == "export type Short = { name: string; note?: string | null };\n"
    assert declare_type("Long", many_fields).splitlines()[:2] == ["export type Long = {", "  column_0: string;"]
