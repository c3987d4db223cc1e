import re

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import (
    RefreshTokenAlreadyUsed,
    RefreshTokenInvalid,
    RefreshTokenNotFound,
    SessionExpired,
    SignInBanned,
)
from cairn.auth.model import Caller, Grant, RefreshToken, Session, User, is_reuse_allowed
from cairn.auth.sessions.grant import digest, grant, successor
from cairn.db import Connection
from cairn.kit import now

# Old tokens had twelve lower-case characters and digits; a token was never shorter.
MALFORMED_TOKEN = re.compile(r".{0,11}|(?![a-z0-9]{12}).{12}", re.DOTALL)
# How many steps a presented token may be behind the active one. Every browser tab adds one in the reuse interval.
MAX_CATCH_UP_STEPS = 64


async def refresh(context: AuthContext, token: str, caller: Caller) -> Grant:
    """Each use replaces the token. A token that is reused too late ends its session, because it may be stolen."""
    if MALFORMED_TOKEN.fullmatch(token):
        raise RefreshTokenInvalid
    next_token = successor(context, digest(token))
    renewed = await store.rotate_active_token(
        context.database, digest(token), digest(next_token), at=now(), cutoffs=_cutoffs(context), caller=caller
    )
    if renewed:
        session, user = renewed
        return grant(context, user, session, next_token, now())
    async with context.transaction() as conn:
        session, user, newest = await _refresh_used_token(context, conn, token, caller)
    if newest is None:
        raise RefreshTokenAlreadyUsed
    return grant(context, user, session, newest, now())


def _cutoffs(context: AuthContext) -> store.SessionCutoffs:
    timebox, idle = context.settings.sessions_timebox, context.settings.sessions_inactivity_timeout
    return store.SessionCutoffs(now() - timebox if timebox else None, now() - idle if idle else None)


async def _refresh_used_token(
    context: AuthContext, conn: Connection, token: str, caller: Caller
) -> tuple[Session, User, str | None]:
    """Handles a token that is not the active one; returns no token if it was reused too late."""
    found = await store.session_by_token(conn, digest(token))
    if found is None:
        raise RefreshTokenNotFound
    session, user = found
    _check_age(context, session)
    if user.is_banned(now()):
        raise SignInBanned
    newest = await _newest(context, conn, session, token)
    if newest is not None:
        await store.add_audit_entry(conn, "token_refreshed", user.id, caller)
        return session, user, newest
    await store.end_session(conn, session.id)
    await store.add_audit_entry(conn, "token_reused", user.id, caller, session_id=str(session.id))
    return session, user, None


def _check_age(context: AuthContext, session: Session) -> None:
    timebox, idle = context.settings.sessions_timebox, context.settings.sessions_inactivity_timeout
    if timebox is not None and now() - session.created_at > timebox:
        raise SessionExpired(why="")
    if idle is not None and now() - (session.refreshed_at or session.created_at) > idle:
        raise SessionExpired(why=" (Inactivity)")


async def _newest(context: AuthContext, conn: Connection, session: Session, token: str) -> str | None:
    presented, active = await store.presented_and_active_token(conn, session.id, digest(token))
    if active is None:
        return None
    if presented.id == active.id:
        return await rotate(context, conn, session, active)
    if is_reuse_allowed(presented, active, now(), context.settings.refresh_reuse_interval):
        return _catch_up(context, token, active)
    return None


async def rotate(context: AuthContext, conn: Connection, session: Session, active: RefreshToken) -> str:
    next_token = successor(context, active.token_sha256)
    await store.replace_token(conn, session.id, active.id, digest(next_token), now())
    return next_token


def _catch_up(context: AuthContext, token: str, active: RefreshToken) -> str | None:
    """Computes the active token from one of its ancestors; None if the secret has changed since."""
    for _ in range(MAX_CATCH_UP_STEPS):
        token = successor(context, digest(token))
        if digest(token) == active.token_sha256:
            return token
    return None
