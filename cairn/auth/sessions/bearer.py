"""Who stands at the door: the token of a request, and the person and session behind it."""

from dataclasses import dataclass
from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import NoAuthorization, SessionNotFound, SubjectMissing, UserBanned, UserNotFound
from cairn.auth.model import Person, Session
from cairn.db import Connection, Principal
from cairn.kit import now


@dataclass(frozen=True, slots=True)
class SignedIn:
    person: Person
    # None for a token minted elsewhere with the shared secret: it belongs to nobody's session.
    session: Session | None

    @property
    def session_id(self) -> UUID | None:
        return self.session.id if self.session else None


def principal_from_header(context: AuthContext, authorization: str | None) -> Principal:
    """A person's principal; a project key is genuine too, but nobody stands behind it."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    principal = context.keyring.principal(token.strip())
    if principal.user_id is None:
        raise SubjectMissing("missing sub claim")
    return principal


async def signed_in(conn: Connection, principal: Principal) -> SignedIn:
    """Asks the tables, not the token: an ended session and a deleted person are turned away at once."""
    assert principal.user_id is not None
    named = principal.claims.get("session_id")
    found = await store.person_in_session(conn, principal.user_id, _uuid(named))
    if found is None:
        raise UserNotFound
    session, person = found
    if person.deleted_at is not None:
        raise UserNotFound
    if person.is_banned(now()):
        raise UserBanned
    if session is None and named is not None:
        raise SessionNotFound
    return SignedIn(person, session)


def _uuid(named: object) -> UUID | None:
    """What is no id names no session."""
    try:
        return UUID(str(named))
    except ValueError:
        return None
