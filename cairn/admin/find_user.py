"""Finds the user that a command names."""

from cairn.admin.context import AdminContext
from cairn.admin.errors import UserUnknown
from cairn.auth import User


async def find_user(context: AdminContext, id_or_email: str) -> User:
    user = await context.users.find(id_or_email)
    if user is None:
        raise UserUnknown(user=id_or_email)
    return user
