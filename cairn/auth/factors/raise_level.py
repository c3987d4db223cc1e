from datetime import datetime
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import SessionNotFound, SessionRequired
from cairn.auth.model import Grant, add_amr_entry
from cairn.auth.sessions import CurrentUser, issue_tokens, rotate_refresh_token
from cairn.db import Connection


async def raise_level(
    context: AuthContext, conn: Connection, current: CurrentUser, *, method: str, factor_id: UUID | None, now: datetime
) -> Grant:
    """Raises the session to aal2, replaces its refresh token, and ends the user's other sessions at aal1."""
    if current.session is None:
        raise SessionRequired
    session = await store.lock_session(conn, current.session.id)
    active_token = await store.active_token(conn, session.id) if session else None
    if session is None or active_token is None:
        raise SessionNotFound
    await store.raise_to_aal2(
        conn,
        session,
        add_amr_entry(session, method, now),
        factor_id,
        max_sessions=context.settings.sessions_per_account,
    )
    await store.end_aal1_sessions(conn, current.user.id)
    refresh_token = await rotate_refresh_token(context, conn, session, active_token)
    user, session = await store.user_by_id(conn, current.user.id), await store.session_by_id(conn, session.id)
    assert user is not None
    assert session is not None
    return issue_tokens(context, user, session, refresh_token, now)
