from datetime import datetime
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import SessionNotFound, SessionRequired
from cairn.auth.model import Grant, amr_with
from cairn.auth.sessions import CurrentUser, grant, rotate
from cairn.db import Connection


async def raise_level(
    context: AuthContext, conn: Connection, current: CurrentUser, *, method: str, factor_id: UUID | None, now: datetime
) -> Grant:
    """Raises the session to aal2 with a new refresh token, and ends the user's sessions that are still at aal1."""
    if current.session is None:
        raise SessionRequired
    session = await store.locked_session(conn, current.session.id)
    active = await store.active_token(conn, session.id) if session else None
    if session is None or active is None:
        raise SessionNotFound
    await store.raise_to_aal2(conn, session.id, amr_with(session, method, now), factor_id)
    await store.end_aal1_sessions(conn, current.user.id)
    token = await rotate(context, conn, session, active)
    user, session = await store.user_by_id(conn, current.user.id), await store.session_by_id(conn, session.id)
    assert user is not None
    assert session is not None
    return grant(context, user, session, token, now)
