from cairn.admin.context import AdminContext
from cairn.admin.find_user import find_user
from cairn.admin.report import Report


async def reset_user(context: AdminContext, id_or_email: str) -> Report:
    """Makes a link for a new password, for users who cannot get an email."""
    user = await find_user(context, id_or_email)
    link = await context.users.recovery_link(user)
    message = f"Send this link to {user.email}. It works once and opens a page for a new password:\n{link}"
    return Report([{"id": user.id, "email": user.email, "link": link}], message)
