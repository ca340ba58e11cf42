"""How a page is told where to go and proves that it was told: a token of 128 bits in the fragment of the address, which no server, log or Referer ever sees."""
from __future__ import annotations

import hmac
import secrets
from typing import NamedTuple

TOKEN_BYTES = 16


class Pairing(NamedTuple):
    """origin: as browsers send it ('https://192.168.0.7:8443'); token: of this session."""

    origin: str
    token: str

    def address(self, page: str = "") -> str:
        """What the QR code says."""
        return f"{self.origin}/{page}#{self.token}"

    def proven(self, token: str) -> bool:
        """Whether this is the token; takes as long for every wrong one."""
        return hmac.compare_digest(self.token.encode(), token.encode("utf-8", "replace"))


def new_token() -> str:
    """128 random bits as a text that fits into an address."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def origin_of(scheme: str, host: str, port: int) -> str:
    """As browsers write it: IPv6 in brackets."""
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def qr_matrix(text: str) -> tuple[tuple[bool, ...], ...]:
    """The QR code of a text as rows of modules, True dark, with the margin of four that readers want."""
    import segno

    return tuple(tuple(bool(module) for module in row) for row in segno.make(text, error="m", micro=False).matrix_iter(border=4))


def qr_svg(text: str, scale: int = 8) -> str:
    """The QR code of a text as an SVG picture, dark on white; scale: pixels of a module."""
    import segno

    return segno.make(text, error="m", micro=False).svg_inline(scale=scale, dark="#000", light="#fff")
