"""OBJ files read line by line, in plain Python: every file that is not plainly written, and all where no compiled code is at hand.

A number is read as far as it is one; what comes after the first word that is none is 0. A face's index must be a whole number.
"""
from __future__ import annotations

import re
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.compiler.decode.raw import MeshFileError

KINDS = ("v", "vt", "vn")   # how lines of vertices, texture coordinates and normals begin
_WIDTH = (3, 2, 3)          # numbers kept of each
_HEADS = MappingProxyType({b"v ": 0, b"vt": 1, b"vn": 2})   # the first two letters of a line
_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf)", re.IGNORECASE)
_INDEX = re.compile(rb"[+-]?\d{1,10}")
_LETTERS = b"0123456789.+-eE "


class ObjLines(NamedTuple):
    """What an OBJ file says.

    vectors: vertices (n, 3), texture coordinates (n, 2) and normals (n, 3), float64; corners (n, 3): vertex, texture coordinate and normal of each
    corner as written (from 1, 0 for none, negative to count back); counts, line, before: of each face its corners, its line's number from 0, and how
    many vectors of each kind (m, 3) come before it.
    """

    vectors: list[np.ndarray]
    corners: np.ndarray
    counts: np.ndarray
    line: np.ndarray
    before: np.ndarray


def read(data: bytes) -> ObjLines:
    """All vectors, and the faces of the first group or object that has any. Raises MeshFileError."""
    vectors, corners, counts, at, before, open_ = ([], [], []), [], [], [], [], True
    for number, line in enumerate(data.replace(b"\t", b" ").splitlines()):
        line = line.lstrip(b" ")
        kind = _HEADS.get(line[:2], -1)
        if kind >= 0:
            vectors[kind].append(_vector(line[len(KINDS[kind]):], _WIDTH[kind]))
        elif line[:2] == b"f " and open_:
            words = line[1:].split()
            corners += [_corner(word, number) for word in words]
            counts.append(len(words))
            at.append(number)
            before.append([len(v) for v in vectors])
        elif line[:2] in (b"g ", b"o ") and counts:
            open_ = False
    return ObjLines([np.array(v, np.float64).reshape(-1, w) for v, w in zip(vectors, _WIDTH)], np.array(corners, np.int64).reshape(-1, 3),
                 np.array(counts, np.int64), np.array(at, np.int64), np.array(before, np.int64).reshape(-1, 3))


def _vector(text: bytes, width: int) -> list[float]:
    """The first numbers of a line, as many as `width`."""
    words = text.split()[:width]
    if len(words) == width and not text.translate(None, _LETTERS):
        try:
            return [*map(float, words)]
        except ValueError:
            pass
    out = []
    for word in words:
        match = _NUMBER.match(word)
        if match is None:
            break
        out.append(float(match.group()))
    return out + [0.0] * (width - len(out))


def _corner(word: bytes, number: int) -> list[int]:
    """Vertex, texture coordinate and normal of a corner such as 7, 7/2, 7//9 or 7/2/9; 0 for what is not written."""
    parts = word.split(b"/")
    return [_index(part, number) for part in (parts + [b"", b""])[:3]]


def _index(part: bytes, line: int) -> int:
    if part.isdigit() and len(part) <= 10:
        return int(part)
    match = _INDEX.match(part)
    if match is None:
        if not part:
            return 0
        raise MeshFileError(f"line {line + 1}: '{part[:20].decode('ascii', 'replace')}' in a face is no index")
    return int(match.group())
