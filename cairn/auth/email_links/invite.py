from collections.abc import Mapping
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.email_links.send import send_email
from cairn.auth.errors import EmailExists
from cairn.auth.model import EmailLinkRequest, User, new_account_metadata
from cairn.db import Connection


async def invite(context: AuthContext, email: str, data: Mapping[str, Any], link_request: EmailLinkRequest) -> User:
    """Creates the account and sends the invitation. An address that is not confirmed yet can be invited again."""
    async with context.sending_transaction() as conn:
        user = await find_or_add_invited_user(conn, email, data)
        await send_email(context, conn, user, "invite", to=email, link_request=link_request, by_operator=True)
        await store.add_audit_entry(conn, "user_invited", user.id, link_request.caller)
        return await store.user_by_id(conn, user.id) or user


async def find_or_add_invited_user(conn: Connection, email: str, data: Mapping[str, Any]) -> User:
    user = await store.user_by_email(conn, email)
    if user is None:
        app_metadata, user_metadata = new_account_metadata(data, email, None)
        user = await store.add_user(conn, email=email, app_metadata=app_metadata, user_metadata=user_metadata)
    if user is None or user.email_confirmed_at is not None:
        raise EmailExists
    return user
