from uuid import UUID

from cairn.admin.context import AdminContext
from cairn.admin.find_company import find_company
from cairn.admin.report import Report
from cairn.db import SERVICE
from cairn.deletion import keep_company_as_operator, schedule_deletion_as_operator


async def erase_company(context: AdminContext, company_id: UUID) -> Report:
    """Plans the deletion, with the same waiting period, emails and legal holds as for an owner who requests it."""
    async with context.database.acting_as(SERVICE) as connection:
        company = await find_company(connection, company_id)
        delete_at = await schedule_deletion_as_operator(
            connection, company, context.settings.deletion, context.site_url
        )
    message = (
        f"{company.name} will be deleted on {delete_at:%Y-%m-%d}, and its people get an email. "
        f"Until then, `cairn admin companies keep {company_id}` cancels it."
    )
    return Report([{"id": company_id, "name": company.name, "delete_at": delete_at}], message)


async def keep_company(context: AdminContext, company_id: UUID) -> Report:
    async with context.database.acting_as(SERVICE) as connection:
        company = await find_company(connection, company_id)
        await keep_company_as_operator(connection, company, context.site_url)
    return Report([{"id": company_id, "name": company.name, "delete_at": None}], f"{company.name} is not deleted.")
