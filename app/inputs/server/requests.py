"""Which requests are ours: of our own page, under one of our own names. Everything else is answered by 403 before anything is looked at."""
from __future__ import annotations

from collections.abc import Mapping

from app.inputs.server.pairing import origin_of

NAVIGATIONS = ("none", "same-origin")   # Sec-Fetch-Site of a page that was typed, scanned, or opened by our own


def own_origins(scheme: str, host: str, port: int) -> frozenset[str]:
    """What a browser may call us: the address that is served, and on loopback its other names (a cable's port forwarding comes there)."""
    names = {host, "localhost", "127.0.0.1"} if host in ("localhost", "127.0.0.1", "::1") else {host}
    return frozenset(origin_of(scheme, name, port) for name in names)


def allowed(headers: Mapping[str, str], origins: frozenset[str], socket: bool) -> bool:
    """Whether a request with these headers is answered. origins: our own; socket: whether it asks for the WebSocket.

    Host must be one of our names (a foreign name that was made to point here is not), Origin, where there is one, our own, and needed for the socket by whatever calls itself a
    browser; Sec-Fetch-Site, which pages cannot forge, must not be a foreign one.
    """
    hosts = {origin.partition("://")[2] for origin in origins}
    if headers.get("Host", "").lower() not in hosts:
        return False
    origin, site = headers.get("Origin"), headers.get("Sec-Fetch-Site")
    if origin is not None and origin.lower() not in origins:
        return False
    if socket and origin is None:
        return False
    return site is None or site == "same-origin" or not socket and site in NAVIGATIONS
