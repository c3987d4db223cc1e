from uuid import UUID

from cairn.auth import store
from cairn.auth.errors import EnrolNeedsAal2, FactorNotFound
from cairn.auth.model import StoredFactor
from cairn.auth.sessions import CurrentUser
from cairn.db import Connection


async def lock_factor(conn: Connection, current: CurrentUser, factor_id: UUID) -> StoredFactor:
    """Locks a factor that the session may use.

    If the user has a verified factor, a session with the password alone must not verify an unverified one. A thief with
    the password may have enrolled the unverified one before the owner enrolled theirs.
    """
    factor = await store.lock_factor(conn, current.user.id, factor_id)
    if factor is None:
        raise FactorNotFound
    if not factor.is_verified and current.needs_second_factor:
        raise EnrolNeedsAal2
    return factor
