"""Finds the user and the session of an access token."""

from datetime import timedelta
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import NoAuthorization, SessionNotFound, SubjectMissing, UserBanned, UserNotFound
from cairn.auth.model import Session, User, signed_in_since
from cairn.db import Connection, Principal
from cairn.kit import frozen_dataclass, now

# For this long after a sign-in, the user can change how they sign in without entering a password or code again.
RECENT_SIGN_IN = timedelta(hours=24)


@frozen_dataclass
class CurrentUser:
    """The signed-in user with the session of their access token."""

    user: User
    # A token that another program issued with the shared secret has no session.
    session: Session | None

    @property
    def session_id(self) -> UUID | None:
        return self.session.id if self.session else None

    @property
    def needs_second_factor(self) -> bool:
        """Says whether the user has a second factor that was not verified in this session."""
        return self.user.has_second_factor and (self.session is None or self.session.aal != "aal2")

    @property
    def needs_reauthentication(self) -> bool:
        """Says whether the session is too old to change how the user signs in, because it may be stolen.

        This is never required of anonymous users, who have no password and no address, and so cannot sign in again.
        """
        if self.user.is_anonymous:
            return False
        return self.session is None or not signed_in_since(self.session, now() - RECENT_SIGN_IN)


def principal_from_header(context: AuthContext, authorization: str | None) -> Principal:
    """Returns the principal of a user. A project key is rejected, because it does not belong to a user."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    principal = context.keyring.principal(token.strip())
    if principal.user_id is None:
        raise SubjectMissing("missing sub claim")
    return principal


async def current_user(conn: Connection, principal: Principal) -> CurrentUser:
    """Finds the user and session of a token in the database, so that an ended session is rejected immediately."""
    assert principal.user_id is not None
    session_id = principal.claims.get("session_id")
    session_and_user = await store.session_and_user(conn, principal.user_id, _uuid_or_none(session_id))
    if session_and_user is None:
        raise UserNotFound
    session, user = session_and_user
    if user.deleted_at is not None:
        raise UserNotFound
    if user.is_banned(now()):
        raise UserBanned
    if session is None and session_id is not None:
        raise SessionNotFound
    return CurrentUser(user, session)


def _uuid_or_none(text: object) -> UUID | None:
    try:
        return UUID(str(text))
    except ValueError:
        return None
