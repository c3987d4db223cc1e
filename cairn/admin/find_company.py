"""Finds and locks the company that a command names, so that its row does not change until the transaction ends."""

from uuid import UUID

from cairn.accounts import Company, company_exists, lock_company
from cairn.admin.errors import CompanyUnknown
from cairn.db import Connection


async def find_company(connection: Connection, company_id: UUID) -> Company:
    if not await company_exists(connection, company_id):
        raise CompanyUnknown(company_id=company_id)
    return await lock_company(connection, company_id)
