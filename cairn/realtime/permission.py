"""Private channels: the policies of `realtime.messages` say who may listen and speak there."""

from cairn.db import Database, Principal
from cairn.realtime import store
from cairn.realtime.channels import Permissions

_NOTHING = Permissions(receives_broadcasts=False, receives_presence=False, broadcasts=False, tracks=False)


async def permissions(database: Database, principal: Principal, name: str) -> Permissions:
    """`name` is the topic without the prefix of the wire, as policies know it."""
    try:
        async with database.acting_as(principal, {"realtime.topic": name}, read_only=True) as connection:
            return await store.permissions(connection)
    except store.REFUSED:
        # A policy that cannot be answered for somebody does not let them in.
        return _NOTHING
