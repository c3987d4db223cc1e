from typing import Literal

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import SignOutNeedsAal2
from cairn.auth.model import Caller
from cairn.auth.sessions import CurrentUser, current_user
from cairn.db import Connection, Principal

Scope = Literal["global", "local", "others"]


async def log_out(context: AuthContext, principal: Principal, scope: Scope, caller: Caller) -> None:
    """Ends this session (`local`), all sessions of the user (`global`), or all except this session (`others`).

    If the user has a second factor, a session that has not verified it may end only itself, because otherwise a stolen
    password would be enough to sign the owner out everywhere. In this case, `global` ends only this session and then
    raises an error.
    """
    async with context.transaction() as conn:
        current = await current_user(conn, principal)
        lacks_second_factor = scope != "local" and current.needs_second_factor
        if lacks_second_factor and scope == "others":
            raise SignOutNeedsAal2
        # Without this condition, the log of an account would grow with each request that ends nothing.
        if await _end_sessions(conn, current, "local" if lacks_second_factor else scope):
            await store.add_audit_entry(conn, "logout", current.user.id, caller, scope=scope)
    if lacks_second_factor:
        raise SignOutNeedsAal2


async def _end_sessions(conn: Connection, current: CurrentUser, scope: Scope) -> bool:
    """Returns whether a session has ended."""
    if scope == "global":
        return await store.end_all_sessions(conn, current.user.id)
    if scope == "others":
        return await store.end_other_sessions(conn, current.user.id, kept_session_id=current.session_id)
    if current.session_id is None:
        return False
    await store.end_session(conn, current.session_id)
    return True
