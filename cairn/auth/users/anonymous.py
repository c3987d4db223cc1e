from collections.abc import Mapping
from typing import Any

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import AnonymousDisabled, SignupDisabled
from cairn.auth.model import Caller, Grant, new_account_metadata
from cairn.auth.sessions import open_session
from cairn.kit import now


async def sign_in_anonymously(context: AuthContext, data: Mapping[str, Any], caller: Caller) -> Grant:
    """Opens a session for a new user without an address, who always has the role customer.

    The account becomes permanent when the user adds an address.
    """
    if not context.settings.external_anonymous_users_enabled:
        raise AnonymousDisabled
    if context.settings.disable_signup:
        raise SignupDisabled
    app_metadata, user_metadata = new_account_metadata(data, None, None)
    moment = now()
    async with context.transaction() as conn:
        user = await store.add_user(
            conn, app_metadata=app_metadata, user_metadata=user_metadata, is_anonymous=True, signed_in_at=moment
        )
        assert user is not None, "an anonymous user has nothing that could conflict with another user"
        await store.add_audit_entry(conn, "user_signedup", user.id, caller, method="anonymous")
        return await open_session(context, conn, user, method="anonymous", caller=caller, now=moment)
