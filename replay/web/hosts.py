"""By which names the service is reached, and from where it is asked."""

from ipaddress import IPv6Address, ip_address, ip_network

from flask import request

LOOPBACK = frozenset({"localhost", "127.0.0.1", "[::1]"})
NETWORK_BITS = 64
"""What one household has of IPv6: whoever has one address of it has them all."""


def hostname(host: str) -> str:
    """A host without its port."""
    name, colon, port = host.lower().rpartition(":")
    return name if colon and port.isdigit() else host.lower()


def as_sent(host: str) -> str:
    """A host that is listened on, as a browser sends it: an address of IPv6 stands in brackets."""
    return f"[{host}]".lower() if ":" in host else host.lower()


def is_loopback() -> bool:
    """Whether this request goes to a name of the machine itself, which nobody listens in on."""
    return hostname(request.host) in LOOPBACK


def address() -> str:
    """Where this request comes from, as far as one who asks cannot choose it."""
    given = request.remote_addr or ""
    try:
        found = ip_address(given)
    except ValueError:
        return given
    if isinstance(found, IPv6Address):
        mapped = found.ipv4_mapped
        return str(mapped or ip_network((int(found), NETWORK_BITS), strict=False))
    return str(found)
