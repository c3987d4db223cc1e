from uuid import UUID, uuid4

from cairn.auth import email_limits, limits, store
from cairn.auth.constant_time import in_constant_time
from cairn.auth.context import AuthContext
from cairn.auth.email_links.change_address import send_pending_confirmations
from cairn.auth.email_links.one_time_token import Purpose
from cairn.auth.email_links.send import send_email, send_text
from cairn.auth.errors import PhoneUnsupported
from cairn.auth.model import EmailLinkRequest
from cairn.db import Connection

RESEND_TYPES = ("signup", "email_change", "sms", "phone_change")


async def resend_email(context: AuthContext, kind: str, email: str, link_request: EmailLinkRequest) -> None:
    """Sends the pending confirmation again. If there is none, nothing is sent but the response takes equally long."""
    await email_limits.check_email_limit(context, kind, email, link_request.caller, to_new_address=True)
    async with in_constant_time(), context.sending_transaction() as conn:
        await _resend_pending(context, conn, kind, email, link_request)


async def _resend_pending(
    context: AuthContext, conn: Connection, kind: str, email: str, link_request: EmailLinkRequest
) -> None:
    user = await store.user_by_email(conn, email)
    if user is None:
        return
    if kind == "email_change" and user.new_email:
        await send_pending_confirmations(context, conn, user, link_request)
    if kind == "signup" and user.email_confirmed_at is None:
        purpose: Purpose = "invite" if user.invited_at else "signup"
        await send_email(context, conn, user, purpose, to=email, link_request=link_request)


async def resend_text(
    context: AuthContext, kind: str, phone: str, channel: str, link_request: EmailLinkRequest
) -> UUID:
    if not context.settings.external_phone_enabled:
        raise PhoneUnsupported
    await limits.check_text_limit(context, kind, phone, link_request.caller)
    async with in_constant_time(), context.sending_transaction() as conn:
        if kind == "sms":
            user = await store.user_by_phone(conn, phone)
            if user is not None and user.phone_confirmed_at is None:
                purpose: Purpose = "sms" if await store.has_one_time_token(conn, user.id, "sms") else "phone_signup"
                return await send_text(
                    context, conn, user, purpose, to=phone, channel=channel, link_request=link_request
                )
        user = await store.newest_user_changing_to(conn, phone) if kind == "phone_change" else None
        if user is not None:
            return await send_text(
                context, conn, user, "phone_change", to=phone, channel=channel, link_request=link_request
            )
    # Nothing was sent. A random id hides this from the caller.
    return uuid4()
