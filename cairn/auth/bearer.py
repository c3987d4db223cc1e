"""Who stands at the door: the token of a request, and the person and session behind it."""

from dataclasses import dataclass
from uuid import UUID

from cairn.auth import store
from cairn.auth.desk import Desk
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


def bearer(desk: Desk, authorization: str | None) -> Principal:
    """A person's principal; a project key is genuine too, but nobody stands behind it."""
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise NoAuthorization
    principal = desk.keyring.principal(token.strip())
    if principal.user_id is None:
        raise SubjectMissing("missing sub claim")
    return principal


async def signed_in(conn: Connection, principal: Principal) -> SignedIn:
    """Asks the tables, not the token: an ended session and a deleted person are turned away at once."""
    assert principal.user_id is not None
    person = await store.person_by_id(conn, principal.user_id)
    if person is None or person.deleted_at is not None:
        raise UserNotFound
    if person.is_banned(now()):
        raise UserBanned
    named = principal.claims.get("session_id")
    if named is None:
        return SignedIn(person, None)
    session = await store.session_by_id(conn, _uuid(named))
    if session is None or session.user_id != person.id:
        raise SessionNotFound
    return SignedIn(person, session)


def _uuid(named: object) -> UUID:
    try:
        return UUID(str(named))
    except ValueError as malformed:
        raise SessionNotFound from malformed
