from cairn.admin.context import AdminContext
from cairn.admin.find_user import find_user
from cairn.admin.report import Report


async def suspend_user(context: AdminContext, id_or_email: str) -> Report:
    user = await find_user(context, id_or_email)
    await context.users.suspend(user)
    message = f"Suspended {user.email or user.id}: all sessions have ended, and the user cannot sign in."
    return Report([{"id": user.id, "email": user.email, "state": "suspended"}], message)


async def resume_user(context: AdminContext, id_or_email: str) -> Report:
    user = await find_user(context, id_or_email)
    await context.users.resume(user)
    message = f"{user.email or user.id} can sign in again."
    return Report([{"id": user.id, "email": user.email, "state": "active"}], message)
