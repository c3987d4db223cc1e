"""Reads the permissions for a private channel, which the policies of `realtime.messages` decide."""

from cairn.db import SERVICE, Principal
from cairn.realtime import store
from cairn.realtime.channels import Permissions
from cairn.realtime.context import RealtimeContext

_NO_PERMISSIONS = Permissions(
    receives_broadcasts=False, receives_presence=False, sends_broadcasts=False, tracks_presence=False
)


async def permissions_for(context: RealtimeContext, principal: Principal, network: str, topic: str) -> Permissions:
    """`topic` has no `realtime:` prefix, because policies see it without the prefix."""
    if principal.role != SERVICE.role:
        context.limits.count_transaction(network)
    try:
        async with (
            context.database_turn(network),
            context.database.acting_as(principal, {"realtime.topic": topic}, read_only=True) as connection,
        ):
            return await store.permissions(connection)
    except store.STATEMENT_REJECTED:
        # If a policy fails for this principal, access is denied.
        return _NO_PERMISSIONS
