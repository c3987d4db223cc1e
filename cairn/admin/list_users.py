from cairn.accounts import company_names
from cairn.admin.context import AdminContext
from cairn.admin.report import Report, Row
from cairn.auth import User
from cairn.db import SERVICE
from cairn.kit import now


async def list_users(context: AdminContext, search: str, limit: int) -> Report:
    """Lists the newest users whose address or name contains the text."""
    users = await context.users.search(search, limit)
    async with context.database.acting_as(SERVICE, read_only=True) as connection:
        companies = await company_names(connection, [user.id for user in users])
    return Report([_row(user, companies.get(user.id)) for user in users])


def _row(user: User, company: str | None) -> Row:
    state = "active" if user.email_confirmed_at or user.phone_confirmed_at else "unconfirmed"
    return {
        "id": user.id,
        "email": user.email,
        "name": user.user_metadata.get("name"),
        "company": company,
        "state": "suspended" if user.is_banned(now()) else state,
        "created_at": user.created_at,
        "last_sign_in": user.last_sign_in_at,
    }
