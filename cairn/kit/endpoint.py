"""Checks URLs that customers have entered: they may lead to the public internet, never into our own network."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from cairn.kit.problem import Problem

Address: TypeAlias = IPv4Address | IPv6Address
Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]
Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]

_LONGEST = 2000
# These addresses embed an IPv4 address, and that one decides.
_NAT64 = IPv6Network("64:ff9b::/96")


class EndpointRefused(Problem):
    status, code = 400, "endpoint_refused"
    message = "{reason}"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A URL with the IP address it resolved to. Connecting uses that address, so a second DNS lookup cannot differ."""

    url: str
    host: str
    port: int
    address: str


async def resolve_host(host: str, port: int) -> list[str]:
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return [str(place[0]) for *_, place in found]


async def check_endpoint(url: str, networks: Networks, resolve: Resolve = resolve_host) -> Endpoint:
    """Refused if any of its addresses is forbidden, because we cannot know which one would be used."""
    parts, port = _parsed(url)
    host = parts.hostname or ""
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError) as unknown:
        raise EndpointRefused(reason=f"There is no server called {host}.") from unknown
    if not addresses:
        raise EndpointRefused(reason=f"There is no server called {host}.")
    if not all(is_allowed(ip_address(address.partition("%")[0]), networks) for address in addresses):
        raise EndpointRefused(reason="The endpoint must not lead to a private or loopback address.")
    return Endpoint(url, host, port, addresses[0])


def is_allowed(address: Address, networks: Networks) -> bool:
    embedded = _embedded_ipv4(address)
    if any(embedded.version == network.version and embedded in network for network in networks):
        return True
    return embedded.is_global and not embedded.is_multicast


def _embedded_ipv4(address: Address) -> Address:
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def _parsed(url: str) -> tuple[SplitResult, int]:
    try:
        parts = urlsplit(url)
        port = parts.port or 443
    except ValueError as broken:
        raise EndpointRefused(reason="This is not an address.") from broken
    if parts.scheme != "https":
        raise EndpointRefused(reason="The endpoint must start with https://.")
    if not parts.hostname or len(url) > _LONGEST or not url.isprintable() or " " in url:
        raise EndpointRefused(reason="This is not an address.")
    if parts.username is not None or parts.password is not None:
        raise EndpointRefused(reason="The endpoint must not hold a user name or password.")
    return parts, port
