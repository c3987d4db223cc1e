"""Checks URLs that companies have entered. They may lead to the public internet, but never into our own network."""

import asyncio
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import TypeAlias
from urllib.parse import SplitResult, urlsplit

from cairn.kit.dataclasses import frozen_dataclass
from cairn.kit.problem import Problem

Address: TypeAlias = IPv4Address | IPv6Address
Networks: TypeAlias = Sequence[IPv4Network | IPv6Network]
Resolve: TypeAlias = Callable[[str, int], Awaitable[list[str]]]

_MAX_URL_LENGTH = 2000
# The other ports below 1024 belong to services such as mail and remote shells.
_HTTPS_PORT, _FIRST_FREE_PORT = 443, 1024
_MAX_LOOKUP_SECONDS = 5.0
# A NAT64 address contains an IPv4 address, which is the one to check.
_NAT64 = IPv6Network("64:ff9b::/96")
# The only IPv6 addresses of the public internet. All others are local or deprecated, or contain IPv4 addresses in forms
# that are no longer in use, such as `::127.0.0.1`.
_GLOBAL_UNICAST = IPv6Network("2000::/3")


class EndpointNotAllowed(Problem):
    status, code = 400, "endpoint_refused"
    message = "{reason}"


@frozen_dataclass
class Endpoint:
    """A URL with the IP address it resolved to. Connecting uses that address, so a second DNS lookup cannot differ."""

    url: str
    host: str
    port: int
    address: str


# A lookup keeps a thread busy until the DNS server responds. Lookups for companies have their own threads, so that slow
# ones do not delay other lookups, such as that of our mail server.
_RESOLVER_THREADS = ThreadPoolExecutor(32, thread_name_prefix="resolve")


async def resolve_host(host: str, port: int) -> list[str]:
    results = await asyncio.get_running_loop().run_in_executor(
        _RESOLVER_THREADS, partial(socket.getaddrinfo, host, port, type=socket.SOCK_STREAM)
    )
    return [str(socket_address[0]) for *_, socket_address in results]


async def check_endpoint(url: str, allowed_networks: Networks, resolve: Resolve = resolve_host) -> Endpoint:
    """Raises EndpointNotAllowed if any address of the host is forbidden, even if its other addresses are public."""
    parts, port = _parse_url(url)
    host = parts.hostname or ""
    try:
        addresses = await resolve(host, port)
    except (OSError, UnicodeError) as error:
        raise EndpointNotAllowed(reason=f"There is no server called {host}.") from error
    if not addresses:
        raise EndpointNotAllowed(reason=f"There is no server called {host}.")
    if not all(is_allowed(ip_address(address.partition("%")[0]), allowed_networks) for address in addresses):
        raise EndpointNotAllowed(reason="The endpoint must not lead to a private or loopback address.")
    return Endpoint(url, host, port, addresses[0])


async def check_entered_endpoint(url: str, allowed_networks: Networks, resolve: Resolve = resolve_host) -> None:
    """Like `check_endpoint`, for a URL that a user enters. The user waits, so the lookup must not take long."""
    try:
        async with asyncio.timeout(_MAX_LOOKUP_SECONDS):
            await check_endpoint(url, allowed_networks, resolve)
    except TimeoutError as error:
        raise EndpointNotAllowed(reason="The name of the server could not be looked up. Please try again.") from error


def is_allowed(address: Address, allowed_networks: Networks) -> bool:
    target = _target_address(address)
    if any(target.version == network.version and target in network for network in allowed_networks):
        return True
    if isinstance(target, IPv6Address) and target not in _GLOBAL_UNICAST:
        return False
    return target.is_global and not target.is_multicast


def _target_address(address: Address) -> Address:
    """Returns the IPv4 address inside an IPv6 address that contains one; otherwise the address itself."""
    if isinstance(address, IPv4Address):
        return address
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else address)


def _parse_url(url: str) -> tuple[SplitResult, int]:
    try:
        parts = urlsplit(url)
        port = parts.port or _HTTPS_PORT
    except ValueError as error:
        raise EndpointNotAllowed(reason="This is not an address.") from error
    if parts.scheme != "https":
        raise EndpointNotAllowed(reason="The endpoint must start with https://.")
    if not parts.hostname or len(url) > _MAX_URL_LENGTH or not url.isprintable() or " " in url:
        raise EndpointNotAllowed(reason="This is not an address.")
    if parts.username is not None or parts.password is not None:
        raise EndpointNotAllowed(reason="The endpoint must not hold a user name or password.")
    if port != _HTTPS_PORT and port < _FIRST_FREE_PORT:
        raise EndpointNotAllowed(reason="The endpoint must use the port 443 or one from 1024.")
    return parts, port
