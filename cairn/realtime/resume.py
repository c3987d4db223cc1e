"""Lets clients continue on another server without missing a change when their server stops.

Before a server closes its sockets, it stores for each channel up to where it has delivered changes. Clients of
supabase-js reconnect and join again by themselves after a second or more, with the same topic and the same
subscriptions. A client does not know up to where it has received changes. So the new server finds the stored position
of the channel, and delivers what was committed after it. Row-level security is applied
as for any other change, so a join that was mistaken for another reveals nothing.
"""

import json
from datetime import timedelta
from hashlib import sha256

from cairn.db import SERVICE, Connection
from cairn.realtime import store
from cairn.realtime.channels import Channel
from cairn.realtime.context import RealtimeContext
from cairn.realtime.snapshot import Snapshot

# Clients wait at most 10 s between two attempts to connect, and a restarted server needs some time to start.
RESUME_WITHIN = timedelta(minutes=2)
# PostgreSQL stores no larger reference.
_MAX_NUMBER = 2**63 - 1


async def store_positions(context: RealtimeContext) -> None:
    """Stores up to where each open channel has received changes. The feed stops, so that nothing is delivered later."""
    delivered = await context.feed.finish()
    channels = list(context.channels)
    if delivered is None or not channels:
        return
    async with context.database.acting_as(SERVICE) as connection:
        entries = [(_key(channel), _number(channel) or 0) for channel in channels]
        await store.add_closed_channels(connection, entries, delivered)


async def is_resumable(connection: Connection, channel: Channel) -> bool:
    """Returns whether a server that had this channel open stopped a short time ago."""
    join_ref = _number(channel)
    return join_ref is not None and await store.has_closed_channel(connection, _key(channel), join_ref, RESUME_WITHIN)


async def take_position(context: RealtimeContext, channel: Channel) -> Snapshot | None:
    """Returns up to where the client of a resumable channel has received changes."""
    join_ref = _number(channel)
    assert join_ref is not None, "only channels with a numeric reference are resumable"
    async with context.database_turn(channel.network), context.database.acting_as(SERVICE) as connection:
        return await store.take_closed_channel(connection, _key(channel), join_ref, RESUME_WITHIN)


def _key(channel: Channel) -> str:
    """Returns the key of the stored position. It contains the account but not the token, which may be a new one."""
    account = channel.principal.claims.get("sub")
    bindings = sorted(binding.id for binding in channel.config.postgres_changes)
    parts = [channel.topic, channel.config.private, channel.principal.role, account, bindings]
    return sha256(json.dumps(parts, default=str).encode()).hexdigest()


def _number(channel: Channel) -> int | None:
    """Returns the reference of the join as a number, or None.

    A client counts up, so a join with a lower number than the closed channel comes from a new client.
    """
    try:
        number = int(channel.join_ref or "")
    except ValueError:
        return None
    return number if abs(number) <= _MAX_NUMBER else None
