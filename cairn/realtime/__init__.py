"""Serves `/realtime/v1`: websockets that deliver row changes, broadcasts and presence.

`Realtime` is the application to mount, with its background tasks. `socket` handles one connection in the protocol of
`frame`, and `join` handles a request to join a channel. `change_feed` reads committed changes from the outbox, and
`visibility` reads each changed row with the permissions of each subscriber. `broadcast` passes messages between the
members of a channel and `presence` tracks who is online; `message_bus` carries both to the other server processes.
`permission` checks the policies of private channels. All errors are in `errors` and all SQL is in `store`.
"""

from cairn.realtime.realtime import Realtime, service
from cairn.realtime.settings import RealtimeSettings

__all__ = ["Realtime", "RealtimeSettings", "service"]
