"""What a person is told so that a headset or phone finds the page: the address, its QR code in letters, and the fingerprint of the certificate."""
from __future__ import annotations

from app.inputs.server.pairing import qr_matrix
from app.inputs.server.source import WebSource

BLOCKS = ("\u2588", "\u2580", "\u2584", " ")      # two modules above each other: both light, upper, lower, none (on a dark terminal)


def invitation(source: WebSource) -> str:
    """For a terminal; of a source that has started. A script's source ('net') has no page, so no QR code."""
    server = source.server
    lines = [f"{source.name}: {source.state}"]
    if source.name == "net":
        lines.append(f"token {server.pairing.token}")
    else:
        lines += [qr_text(source.address), source.address]
    if server.fingerprint:
        lines.append(f"certificate SHA-256 {server.fingerprint}")
    return "\n".join(lines)


def qr_text(text: str) -> str:
    """A QR code in letters, two rows of modules a line."""
    rows = qr_matrix(text)
    rows = (*rows, (False,) * len(rows)) if len(rows) % 2 else rows
    return "\n".join("".join(BLOCKS[2 * above + below] for above, below in zip(upper, lower)) for upper, lower in zip(rows[::2], rows[1::2]))
