"""Reads the permissions for a private channel, which the policies of `realtime.messages` decide."""

from cairn.db import Database, Principal
from cairn.realtime import store
from cairn.realtime.channels import Permissions

_NO_PERMISSIONS = Permissions(
    receives_broadcasts=False, receives_presence=False, sends_broadcasts=False, tracks_presence=False
)


async def permissions_for(database: Database, principal: Principal, topic: str) -> Permissions:
    """`topic` has no `realtime:` prefix, because policies see it without the prefix."""
    try:
        async with database.acting_as(principal, {"realtime.topic": topic}, read_only=True) as connection:
            return await store.permissions(connection)
    except store.STATEMENT_REJECTED:
        # If a policy fails for this principal, access is denied.
        return _NO_PERMISSIONS
