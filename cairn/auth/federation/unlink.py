from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import IdentityNotFound, LastIdentity, ManualLinkingDisabled, UnlinkingNeedsAal2
from cairn.auth.model import Caller
from cairn.auth.sessions import current_user
from cairn.db import Principal


async def unlink(context: AuthContext, principal: Principal, identity_id: UUID, caller: Caller) -> None:
    """Removes an identity, but never the last one, because the user could then not sign in any more.

    If the user has a second factor, it must be verified in this session. Otherwise someone with only the password could
    take away the owner's other way to sign in.
    """
    if not context.settings.manual_linking:
        raise ManualLinkingDisabled
    async with context.transaction() as conn:
        current = await current_user(conn, principal)
        if current.needs_second_factor:
            raise UnlinkingNeedsAal2
        user = current.user
        # Without the lock, two concurrent requests could each remove one of the last two identities.
        await store.lock_names(conn, f"identities {user.id}")
        identities = (await current_user(conn, principal)).user.identities
        identity = next((identity for identity in identities if identity.id == identity_id), None)
        if len(identities) <= 1:
            raise LastIdentity
        if identity is None:
            raise IdentityNotFound
        await store.remove_identity(conn, user.id, identity_id)
        await store.add_audit_entry(conn, "identity_unlinked", user.id, caller, provider=identity.provider)
