from cairn.auth import email_limits, store
from cairn.auth.constant_time import in_constant_time
from cairn.auth.context import AuthContext
from cairn.auth.email_links.send import send_email
from cairn.auth.model import EmailLinkRequest


async def recover(context: AuthContext, email: str, link_request: EmailLinkRequest) -> None:
    """Sends a link to reset the password. The response does not reveal whether the address has an account."""
    await email_limits.check_email_limit(context, "recovery", email, link_request.caller, to_new_address=False)
    async with in_constant_time(), context.sending_transaction() as conn:
        user = await store.user_by_email(conn, email)
        if user is not None:
            await send_email(context, conn, user, "recovery", to=email, link_request=link_request)
