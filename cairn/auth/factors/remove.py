from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import FactorNotFound, NoSuchUser, RemovalNeedsAal2
from cairn.auth.model import Caller, Factor
from cairn.auth.sessions import current_user
from cairn.db import Connection, Principal


async def remove_factor(context: AuthContext, principal: Principal, factor_id: UUID, caller: Caller) -> None:
    """Removes a factor. For a verified factor, the session must be at aal2."""
    async with context.transaction() as conn:
        current = await current_user(conn, principal)
        factor = _find_factor(current.user.factors, factor_id)
        if factor.is_verified and (current.session is None or current.session.aal != "aal2"):
            raise RemovalNeedsAal2
        await _remove(conn, factor, caller)


async def factors_of(context: AuthContext, user_id: UUID) -> tuple[Factor, ...]:
    async with context.transaction(read_only=True) as conn:
        user = await store.user_by_id(conn, user_id)
    if user is None:
        raise NoSuchUser
    return user.factors


async def remove_factor_as_admin(context: AuthContext, user_id: UUID, factor_id: UUID, caller: Caller) -> Factor:
    """Removes a factor that the user may have lost, so no session at aal2 is required."""
    factor = _find_factor(await factors_of(context, user_id), factor_id)
    async with context.transaction() as conn:
        await _remove(conn, factor, caller)
    return factor


def _find_factor(factors: tuple[Factor, ...], factor_id: UUID) -> Factor:
    for factor in factors:
        if factor.id == factor_id:
            return factor
    raise FactorNotFound


async def _remove(conn: Connection, factor: Factor, caller: Caller) -> None:
    await store.remove_factor(conn, factor.user_id, factor.id)
    await store.add_audit_entry(conn, "factor_deleted", factor.user_id, caller, factor_id=str(factor.id))
