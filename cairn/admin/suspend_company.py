from uuid import UUID

from cairn import accounts
from cairn.accounts import log_operator_act
from cairn.admin.context import AdminContext
from cairn.admin.find_company import find_company
from cairn.admin.report import Report
from cairn.db import SERVICE
from cairn.kit import now


async def suspend_company(context: AdminContext, company_id: UUID) -> Report:
    async with context.database.acting_as(SERVICE) as connection:
        company = await find_company(connection, company_id)
        await accounts.suspend_company(connection, company_id, now())
        await log_operator_act(connection, company_id, "company_suspended")
    message = f"Suspended {company.name}: nothing can be sent, changed or signed. All records stay readable."
    return Report([{"id": company_id, "name": company.name, "state": "suspended"}], message)


async def resume_company(context: AdminContext, company_id: UUID) -> Report:
    async with context.database.acting_as(SERVICE) as connection:
        company = await find_company(connection, company_id)
        await accounts.resume_company(connection, company_id)
        await log_operator_act(connection, company_id, "company_resumed")
    message = f"{company.name} can send and change waivers again, and its guests can sign."
    return Report([{"id": company_id, "name": company.name, "state": "active"}], message)
