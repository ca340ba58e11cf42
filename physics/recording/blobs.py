"""Contents of files by their checksum, each kept once. A compiled model is cut at its arrays, so that models which differ in a number share their meshes and textures."""
from __future__ import annotations

import json

from physics.model import lwb

APART = 4096    # bytes from which on an array is a part of its own
SIZE = 32       # bytes of a checksum
LARGEST = 1 << 22    # bytes of a part: the interpreter is not held while one is hashed or compressed


def name_of(content: bytes) -> str:
    """The name of a content: SHA-256, as hexadecimal digits."""
    import hashlib  # late: at the start every import counts

    return hashlib.sha256(content).hexdigest()


def parts(content: bytes) -> list[bytes]:
    """A file's content in parts that make it up again: of a compiled model (.lwb) its larger arrays apart."""
    cuts = sorted({0, *_array_places(content), len(content)})
    found: list[bytes] = []
    for start, end in zip(cuts, cuts[1:]):
        found += [content[k:min(k + LARGEST, end)] for k in range(start, end, LARGEST)]
    return found


def _array_places(content: bytes) -> list[int]:
    """Where large arrays begin and end in an .lwb file; [] in any other."""
    if not content.startswith(lwb.MAGIC) or len(content) < lwb.HEAD.size:
        return []
    _magic, _version, _check, size, _whole = lwb.HEAD.unpack(content[:lwb.HEAD.size])
    table = content[lwb.HEAD.size:lwb.HEAD.size + size]
    start = table.rfind(b'"arrays":')
    if start < 0:
        return []
    try:
        rows = json.loads(table[start + len(b'"arrays":'):-1])     # the last of the table; all of it can be long
        starts = [int(row[3]) for row in rows] + [len(content)]
    except (ValueError, TypeError, IndexError, KeyError):
        return []
    large = [(a, b) for a, b in zip(starts, starts[1:]) if b - a >= APART and 0 < a < b <= len(content)]
    return [place for pair in large for place in pair]
