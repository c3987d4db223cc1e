"""The networks for which requests are counted.

A provider assigns an IPv6 /64 network to one household, and a whole /48 network to a customer who requests it. All
limits of this package therefore count an IPv6 request twice: for its /64 network, and for the /48 network around it,
which may have a few times as many requests.
"""

import ipaddress
import re
from functools import lru_cache

# A /48 network may send this many times as many requests as one /64 network.
LARGER_NETWORK_FACTOR = 4
_SMALL_NETWORK_SUFFIX = "::/64"
_SMALL_NETWORK_AT_END = re.compile(r"[0-9a-f:]+::/64$")


@lru_cache(maxsize=4096)
def network_of(ip: str | None) -> str:
    """Returns the IPv4 address or the IPv6 /64 network, because that is what a provider assigns to one household."""
    try:
        address = ipaddress.ip_address(ip or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))


def larger_network_of(ip: str | None) -> str:
    """Returns the IPv4 address or the IPv6 /48 network, so that a customer of a provider has only one limit."""
    network = network_of(ip)
    return key_of_larger_network(network) or network


def key_of_larger_network(key: str) -> str | None:
    """Returns the key with the /48 network instead of the /64 network at its end, or None if it does not end with one.

    For example, `sign up from 2001:db8:1:2::/64` becomes `sign up from 2001:db8:1::/48`.
    """
    # Most keys end with an IPv4 address, and comparing the end is much faster than a regular expression.
    match = _SMALL_NETWORK_AT_END.search(key) if key.endswith(_SMALL_NETWORK_SUFFIX) else None
    if match is None:
        return None
    return key[: match.start()] + str(ipaddress.IPv6Network(match[0]).supernet(new_prefix=48))
