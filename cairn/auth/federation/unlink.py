from uuid import UUID

from cairn.auth import store
from cairn.auth.context import AuthContext
from cairn.auth.errors import IdentityNotFound, LastIdentity, ManualLinkingDisabled
from cairn.auth.model import Caller
from cairn.auth.sessions import signed_in
from cairn.db import Principal


async def unlink(context: AuthContext, principal: Principal, identity_id: UUID, caller: Caller) -> None:
    """Never the last one: nobody locks themselves out."""
    if not context.settings.manual_linking:
        raise ManualLinkingDisabled
    async with context.transaction() as conn:
        person = (await signed_in(conn, principal)).person
        # Two removals at once must not each believe the other identity stays.
        await store.lock_names(conn, f"identities {person.id}")
        identities = (await signed_in(conn, principal)).person.identities
        leaving = next((identity for identity in identities if identity.id == identity_id), None)
        if len(identities) <= 1:
            raise LastIdentity
        if leaving is None:
            raise IdentityNotFound
        await store.remove_identity(conn, person.id, identity_id)
        await store.add_audit_entry(conn, "identity_unlinked", person.id, caller, provider=leaving.provider)
