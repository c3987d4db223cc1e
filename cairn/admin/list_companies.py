from cairn.accounts import ListedCompany, search_companies
from cairn.admin.context import AdminContext
from cairn.admin.report import Report
from cairn.db import SERVICE


async def list_companies(context: AdminContext, search: str, limit: int) -> Report:
    """Lists the newest companies whose name contains the text, or whose id is the text."""
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        companies = await search_companies(connection, search, limit)
    return Report(
        [
            {
                "id": company.id,
                "name": company.name,
                "owner": company.owner_email,
                "people": company.people,
                "state": _state(company),
                "created_at": company.created_at,
                "delete_at": company.delete_at,
            }
            for company in companies
        ]
    )


def _state(company: ListedCompany) -> str:
    if company.deleted_at is not None:
        return "being deleted" if company.delete_at is not None else "deleted"
    if company.suspended_at is not None:
        return "suspended"
    return "deletion scheduled" if company.delete_at is not None else "active"
