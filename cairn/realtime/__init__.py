"""`/realtime/v1`: what happens, told to open browsers.

Floor 6. `Realtime` holds the feed and the application to mount. `frame` is the protocol, `socket` one connection,
`join` one channel of it, `changes` the feed that tails the outbox and `reading` how each subscriber sees a changed row
only with its own rights, `broadcast` what members say to each other and `presence` who is there; `relay` carries both
to the other server processes. `permission` asks the policies of private channels. All refusals are in `errors`, all
SQL in `store`.
"""

from cairn.realtime.realtime import Realtime, service
from cairn.realtime.settings import RealtimeSettings

__all__ = ["Realtime", "RealtimeSettings", "service"]
