"""Rate limits for every service: token buckets in the database, which all server processes share, and cheaper ones in
the memory of one process.
"""

from cairn.limits.bucket import Limit, give_back, seconds_to_wait, sweep, take, take_now
from cairn.limits.counter import NetworkCounter
from cairn.limits.memory import MemoryLimiter
from cairn.limits.network import LARGER_NETWORK_FACTOR, key_of_larger_network, larger_network_of, network_of

__all__ = [
    "LARGER_NETWORK_FACTOR",
    "Limit",
    "MemoryLimiter",
    "NetworkCounter",
    "give_back",
    "key_of_larger_network",
    "larger_network_of",
    "network_of",
    "seconds_to_wait",
    "sweep",
    "take",
    "take_now",
]
