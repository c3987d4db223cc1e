"""The operator lists and exports companies, requests their erasure, and can cancel it while it waits."""

import zipfile
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from cairn.admin.context import AdminContext
from cairn.admin.erase_company import erase_company, keep_company
from cairn.admin.errors import CompanyUnknown, FileNotWritten
from cairn.admin.export_company import export_company
from cairn.admin.list_companies import list_companies
from cairn.admin.suspend_company import suspend_company
from cairn.db import SERVICE, Database
from cairn.deletion.errors import WaiversOnHold
from tests.admin.audit_log import logged_acts
from tests.people import Person


@pytest.mark.accept("OPS-47")
@pytest.mark.usefixtures("mallory")
async def test_companies_are_found_by_name_and_id(context: AdminContext, rosa: Person) -> None:
    all_companies = await list_companies(context, "", 50)

    assert [row["name"] for row in all_companies.rows] == ["Rio Rafting", "Rapid Rivals"]
    for search in ("rio", str(rosa.company)):
        [found] = (await list_companies(context, search, 50)).rows
        assert (found["id"], found["owner"], found["people"], found["state"]) == (rosa.company, rosa.email, 1, "active")


@pytest.mark.accept("OPS-47")
async def test_an_export_contains_the_records_and_is_logged(
    context: AdminContext, database: Database, rosa: Person, signed_waiver: asyncpg.Record, tmp_path: Path
) -> None:
    file = tmp_path / "rio.zip"

    await export_company(context, rosa.company, file)

    with zipfile.ZipFile(file) as archive:
        assert str(signed_waiver["id"]) in archive.read("waivers.csv").decode()
    assert file.stat().st_mode & 0o777 == 0o600
    assert ("company_exported", {"by": "operator", "company_id": str(rosa.company)}) in await logged_acts(
        database, rosa.id
    )
    with pytest.raises(FileNotWritten, match="File exists"):
        await export_company(context, rosa.company, file)


@pytest.mark.accept("OPS-47")
async def test_an_erasure_waits_as_if_the_owner_had_requested_it(
    context: AdminContext, database: Database, rosa: Person
) -> None:
    await erase_company(context, rosa.company)

    [row] = (await list_companies(context, "", 50)).rows
    assert row["state"] == "deletion scheduled"
    async with database.acting_as(SERVICE, read_only=True) as connection:
        [email] = await connection.fetch("select recipient, body from emails")
    assert email["recipient"] == rosa.email
    assert "The operator of this service asked us to delete the account of Rio Rafting" in email["body"]
    await keep_company(context, rosa.company)
    [row] = (await list_companies(context, "", 50)).rows
    assert row["state"] == "active"
    details = {"by": "operator", "company_id": str(rosa.company)}
    assert await logged_acts(database, rosa.id) == [
        ("company_deletion_requested", details),
        ("company_deletion_cancelled", details),
    ]


@pytest.mark.accept("OPS-47")
async def test_an_erasure_is_refused_under_legal_hold(
    context: AdminContext, database: Database, rosa: Person, signed_waiver: asyncpg.Record
) -> None:
    async with database.acting_as(rosa.principal) as connection:
        await connection.execute("select hold_waiver($1, 'claim')", signed_waiver["id"])

    with pytest.raises(WaiversOnHold):
        await erase_company(context, rosa.company)


async def test_an_unknown_company_is_reported(context: AdminContext) -> None:
    with pytest.raises(CompanyUnknown):
        await suspend_company(context, uuid4())
