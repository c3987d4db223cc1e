"""URLs that companies enter never lead into a private network, whichever way an address is written.

AL7, C2 and 17L2 are findings in docs/security.md.
"""

import asyncio
import socket
import threading
from ipaddress import ip_address, ip_network
from typing import Any

import pytest

from cairn.kit import EndpointNotAllowed, check_endpoint, check_entered_endpoint, resolve_host
from cairn.kit.endpoint import is_allowed


@pytest.mark.parametrize(
    "address",
    [
        "::127.0.0.1",
        "::10.0.0.1",
        "::8.8.8.8",
        "::ffff:127.0.0.1",
        "::ffff:0:127.0.0.1",
        "fec0::1",
        "feff::1",
        "fe80::1",
        "fc00::1",
        "64:ff9b::127.0.0.1",
        "64:ff9b:1::127.0.0.1",
        "100::1",
        "2002:7f00:1::",
        "5f00::1",
        "ff0e::1",
        "::",
        "::1",
        "127.0.0.1",
        "0.0.0.0",  # noqa: S104 - checked, not bound
        "169.254.169.254",
        "100.64.0.1",
        "224.0.0.1",
    ],
)
async def test_an_address_that_is_not_on_the_public_internet_is_refused(address: str) -> None:
    """An earlier version of the check accepted `::127.0.0.1` and `fec0::`."""

    async def resolve(_host: str, _port: int) -> list[str]:
        return [address]

    assert not is_allowed(ip_address(address), ())
    with pytest.raises(EndpointNotAllowed):
        await check_endpoint("https://hooks.example", (), resolve)


@pytest.mark.parametrize("address", ["8.8.8.8", "2606:4700:4700::1111", "64:ff9b::8.8.8.8", "2001:4860:4860::8888"])
def test_a_public_address_is_allowed(address: str) -> None:
    assert is_allowed(ip_address(address), ())


def test_a_network_of_the_operator_is_allowed() -> None:
    assert is_allowed(ip_address("fd00::7"), [ip_network("fd00::/64")])


@pytest.mark.parametrize(("port", "is_accepted"), [(443, True), (1024, True), (8443, True), (22, False), (25, False)])
async def test_al7_an_endpoint_must_use_port_443_or_a_port_from_1024_on(port: int, is_accepted: bool) -> None:
    """Otherwise the server could be made to talk to the mail or shell servers of strangers."""

    async def resolve(_host: str, _port: int) -> list[str]:
        return ["93.184.215.14"]

    check = check_endpoint(f"https://mail.example:{port}/send", [], resolve)
    if is_accepted:
        assert (await check).port == port
    else:
        with pytest.raises(EndpointNotAllowed, match="must use the port 443 or one from 1024"):
            await check


async def test_c2_names_without_a_dns_response_do_not_delay_other_lookups(monkeypatch: pytest.MonkeyPatch) -> None:
    """The DNS server of a company may be silent too. The lookup of our own mail server uses other threads."""
    resolve, respond = socket.getaddrinfo, threading.Event()

    def resolve_slowly(host: str, *args: Any, **kwargs: Any) -> Any:
        if host == "silent.example":
            respond.wait(20)
        return resolve("127.0.0.1", *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", resolve_slowly)
    lookups = [asyncio.create_task(resolve_host("silent.example", 443)) for _ in range(64)]
    # The lookups start before the one that must not wait.
    await asyncio.sleep(0.1)
    try:
        async with asyncio.timeout(5):
            await asyncio.get_running_loop().getaddrinfo("mail.example", 587)
    finally:
        respond.set()
    assert await asyncio.gather(*lookups) == [["127.0.0.1"]] * 64


async def test_17l2_a_lookup_for_a_user_who_waits_ends_after_a_short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cairn.kit.endpoint._MAX_LOOKUP_SECONDS", 0.05)

    async def resolve(_host: str, _port: int) -> list[str]:
        await asyncio.sleep(60)
        raise AssertionError("the check waited for the DNS server")

    with pytest.raises(EndpointNotAllowed, match="could not be looked up"):
        await check_entered_endpoint("https://hooks.example", (), resolve)
