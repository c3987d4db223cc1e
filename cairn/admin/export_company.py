from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import UUID

from cairn.accounts import log_operator_act
from cairn.admin.context import AdminContext
from cairn.admin.errors import FileNotWritten
from cairn.admin.find_company import find_company
from cairn.admin.report import Report
from cairn.db import SERVICE
from cairn.kit import now
from cairn.waivers import CompanyExporter
from cairn.waivers import export_company as exported_parts


async def export_company(context: AdminContext, company_id: UUID, file: Path) -> Report:
    """Writes the same ZIP file that the owner can download. An existing file is not overwritten."""
    async with context.database.acting_as(SERVICE) as connection:
        company = await find_company(connection, company_id)
        await log_operator_act(connection, company_id, "company_exported")
    exporter = CompanyExporter(SERVICE, company_id, company.name, ip=None)
    parts = await exported_parts(context.database, context.documents, exporter, now(), _without_waiting)
    size = await _write(file, parts)
    return Report([{"id": company_id, "file": file, "bytes": size}], f"Exported {company.name} to {file}.")


async def _write(file: Path, parts: AsyncIterator[bytes]) -> int:
    try:
        with _create(file) as archive:
            async for part in parts:
                archive.write(part)
            return archive.tell()
    except OSError as error:
        raise FileNotWritten(file=file, reason=error.strerror) from error


def _create(file: Path) -> BinaryIO:
    """The file contains the records of guests, so only its owner may read it."""
    file.touch(mode=0o600, exist_ok=False)
    return file.open("wb")


@asynccontextmanager
async def _without_waiting() -> AsyncIterator[None]:
    """Does not wait. Only requests to the server take turns, and the operator is the only caller of this process."""
    yield
