import ipaddress


def network_of(ip: str | None) -> str:
    """The IPv4 address or the IPv6 /64 network, because that is what a provider assigns to one household."""
    try:
        address = ipaddress.ip_address(ip or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((address, 64), strict=False))
