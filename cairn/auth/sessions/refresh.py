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
from cairn.auth.sessions.grant import digest, issue_tokens, successor
from cairn.db import Connection
from cairn.kit import now

# Tokens of the oldest format consist of twelve characters from a-z and 0-9. No token was ever shorter.
MALFORMED_TOKEN = re.compile(r".{0,11}|(?![a-z0-9]{12}).{12}", re.DOTALL)
# A token may be this many refreshes behind the active one. Within the reuse interval, each browser tab can add one.
MAX_CATCH_UP_STEPS = 64


async def refresh(context: AuthContext, token: str, caller: Caller) -> Grant:
    """Replaces the refresh token. Reusing an old token too late ends its session, because it may be stolen."""
    if MALFORMED_TOKEN.fullmatch(token):
        raise RefreshTokenInvalid
    next_token = successor(context, digest(token))
    session_and_user = await store.rotate_active_token(
        context.database, digest(token), digest(next_token), now=now(), cutoffs=_cutoffs(context), caller=caller
    )
    if session_and_user:
        session, user = session_and_user
        return issue_tokens(context, user, session, next_token, now())
    async with context.transaction() as conn:
        session, user, newest_token = await _refresh_used_token(context, conn, token, caller)
    if newest_token is None:
        raise RefreshTokenAlreadyUsed
    return issue_tokens(context, user, session, newest_token, now())


def _cutoffs(context: AuthContext) -> store.SessionCutoffs:
    max_age, max_idle = context.settings.sessions_timebox, context.settings.sessions_inactivity_timeout
    return store.SessionCutoffs(now() - max_age if max_age else None, now() - max_idle if max_idle else None)


async def _refresh_used_token(
    context: AuthContext, conn: Connection, token: str, caller: Caller
) -> tuple[Session, User, str | None]:
    """Returns the active token for an older one, or None if the older one was reused too late."""
    session_and_user = await store.session_by_token(conn, digest(token))
    if session_and_user is None:
        raise RefreshTokenNotFound
    session, user = session_and_user
    _check_age(context, session)
    if user.is_banned(now()):
        raise SignInBanned
    newest_token = await _newest_token(context, conn, session, token)
    if newest_token is not None:
        await store.add_audit_entry(conn, "token_refreshed", user.id, caller)
        return session, user, newest_token
    await store.end_session(conn, session.id)
    await store.add_audit_entry(conn, "token_reused", user.id, caller, session_id=str(session.id))
    return session, user, None


def _check_age(context: AuthContext, session: Session) -> None:
    max_age, max_idle = context.settings.sessions_timebox, context.settings.sessions_inactivity_timeout
    if max_age is not None and now() - session.created_at > max_age:
        raise SessionExpired(why="")
    if max_idle is not None and now() - (session.refreshed_at or session.created_at) > max_idle:
        raise SessionExpired(why=" (Inactivity)")


async def _newest_token(context: AuthContext, conn: Connection, session: Session, token: str) -> str | None:
    presented_token, active_token = await store.presented_and_active_token(conn, session.id, digest(token))
    if active_token is None:
        return None
    if presented_token.id == active_token.id:
        return await rotate_refresh_token(context, conn, session, active_token)
    if is_reuse_allowed(presented_token, active_token, now(), context.settings.refresh_reuse_interval):
        return _catch_up(context, token, active_token)
    return None


async def rotate_refresh_token(
    context: AuthContext, conn: Connection, session: Session, active_token: RefreshToken
) -> str:
    next_token = successor(context, active_token.token_sha256)
    await store.replace_token(conn, session.id, active_token.id, digest(next_token), now())
    return next_token


def _catch_up(context: AuthContext, token: str, active_token: RefreshToken) -> str | None:
    """Computes the active token from one of its ancestors.

    Returns None if there are too many steps between them, or if the server's secret has changed in the meantime.
    """
    for _ in range(MAX_CATCH_UP_STEPS):
        token = successor(context, digest(token))
        if digest(token) == active_token.token_sha256:
            return token
    return None
