"""What the server hands out: a fixed table of files, read once, and the headers that go with all of them. No path is ever joined from an address."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from assets.locate import asset

HTML, SCRIPT, STYLE = "text/html", "text/javascript", "text/css"
FILES: Mapping[str, tuple[str, str]] = MappingProxyType({
    "/": ("index.html", HTML), "/xr": ("xr.html", HTML), "/touch": ("touch.html", HTML), "/style.css": ("style.css", STYLE),
    **{f"/{name}.js": (f"{name}.js", SCRIPT) for name in
       ("start", "xr_page", "touch_page", "link", "clock", "frames", "matrix", "geometry", "shapes", "renderer", "devices", "controls", "orientation")},
})
HEADERS: Mapping[str, str] = MappingProxyType({
    "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "xr-spatial-tracking=(self), gyroscope=(self), accelerometer=(self), magnetometer=(self), camera=(), microphone=(), geolocation=()",
})
POLICY = "default-src 'self'; connect-src 'self' ws://{host} wss://{host}; img-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"


class Page(NamedTuple):
    """One file as it is sent."""

    body: bytes
    kind: str


def headers_for(host: str) -> dict[str, str]:
    """The headers of every page, asked for under this name of ours; some browsers count the socket as 'self' and some do not."""
    return {**HEADERS, "Content-Security-Policy": POLICY.format(host=host)}


def pages() -> Mapping[str, Page]:
    """The files by the path of their address. Raises FileNotFoundError where the installation is incomplete."""
    return MappingProxyType({path: Page(asset("web", name).read_bytes(), kind) for path, (name, kind) in FILES.items()})
