"""Wavefront OBJ: text lines of vertices (v), texture coordinates (vt), normals (vn) and faces (f).

Vertices stay as they are written; only the faces of the first group or object that has any are taken. A face of four corners is cut along
its shorter diagonal, one of more by clipping ears. The second texture coordinate is turned round, so that pictures start at the top.
Large files are read by whole blocks of like lines; odd lines are read one by one.
"""
from __future__ import annotations

import re
from types import MappingProxyType

import numpy as np

from physics.compiler.decode.polygon import cut_polygon, cut_quads
from physics.compiler.decode.raw import MeshFileError, RawMesh

_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf)", re.IGNORECASE)
_WIDTH = MappingProxyType({b"v": 3, b"vt": 2, b"vn": 3})


def read_obj(data: bytes) -> RawMesh:
    """Vertices and triangles of an OBJ file. Raises MeshFileError."""
    lines = data.replace(b"\t", b" ").replace(b"\r", b"\n").split(b"\n")
    lines = [line.strip() for line in lines]
    heads = [line[:2] for line in lines]
    tables = {kind: _vectors(lines, heads, kind) for kind in _WIDTH}
    vert, texcoord, normal = tables[b"v"], tables[b"vt"], tables[b"vn"]
    at = _first_run(heads)
    if not at:
        return RawMesh(vert=vert)
    rows = _corners(lines, heads, at)
    if any((rows.parts[k][rows.given[k]] < 0).any() for k in range(3)):
        raise MeshFileError(f"line {rows.line_of_negative()}: a face counts back to before the first vertex")
    index, texture, shading = _triangles(rows, vert)
    mesh = RawMesh(vert=vert, face=index)
    if len(normal):
        mesh.normal, mesh.facenormal = normal, shading
        _check_normals(shading, len(normal))
    if len(texcoord) and texture.size and texture.min() >= 0 and texture.max() < len(texcoord):
        texcoord[:, 1] = np.float32(1) - texcoord[:, 1]
        mesh.texcoord, mesh.facetexcoord = texcoord, texture
    return mesh


def _check_normals(shading: np.ndarray, count: int) -> None:
    bad = (shading < 0) | (shading >= count)
    if bad.any():
        face = int(np.flatnonzero(bad.any(axis=1))[0])
        value = int(shading[face][bad[face]][0])
        raise MeshFileError(f"triangle {face + 1} names " + (f"normal {value + 1}, but there are {count}" if value >= 0 else
                                                           f"no normal, but the file has {count}: give all faces normals or none"))


def _vectors(lines: list, heads: list, kind: bytes) -> np.ndarray:
    """All vectors of a kind as float32 (n, 3 or 2); missing numbers are 0, further ones are left out."""
    width, start = _WIDTH[kind], len(kind) + 1
    wanted = kind + b" " if len(kind) == 1 else kind
    found = [line[start:] for line, head in zip(lines, heads) if head == wanted and (len(kind) == 1 or line[2:3] == b" ")]
    if not found:
        return np.zeros((0, width), np.float32)
    per_line = len(found[0].split())
    if len({text.count(b" ") for text in found}) == 1 and per_line >= width:
        values = _numbers(b" ".join(found))
        if values is not None and values.size == per_line * len(found):
            return _single(values.reshape(-1, per_line)[:, :width])
    return _single(np.array([_loose(text.split(), width) for text in found]))


def _single(values: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.clip(values, -3.4028234663852886e38, 3.4028234663852886e38).astype(np.float32)


def _numbers(text: bytes) -> np.ndarray | None:
    """All numbers of a text, None where something in it is none."""
    try:
        return np.array(text.split(), np.float64)
    except ValueError:
        return None


def _loose(words: list, width: int) -> list[float]:
    """Numbers of one line as far as they can be read; 0 from there on."""
    out = []
    for word in words[:width]:
        match = _NUMBER.match(word)
        if match is None:
            break
        out.append(float(match.group()))
        if match.end() != len(word):
            continue
    return out + [0.0] * (width - len(out))


def _first_run(heads: list) -> list[int]:
    """Line numbers of the faces up to the next group or object."""
    out = []
    for k, head in enumerate(heads):
        if head == b"f ":
            out.append(k)
        elif out and head in (b"g ", b"o ", b"g", b"o"):
            break
    return out


class _Corners:
    """Corners of all faces, one after the other. parts: vertex, texture and normal index from 0; given: where one is written;
    counts: corners of each face; lines: where each face is written, from 1."""

    def __init__(self, parts, given, counts, lines):
        self.parts, self.given, self.counts, self.lines = parts, given, counts, lines

    def line_of_negative(self) -> int:
        """Line of the first index that counts back too far."""
        bad = np.any([(p < 0) & g for p, g in zip(self.parts, self.given)], axis=0)
        return int(np.repeat(self.lines, self.counts)[np.flatnonzero(bad)[0]])


def _corners(lines: list, heads: list, at: list[int]) -> _Corners:
    """Read the faces at these lines: like lines together, then put back in order."""
    texts = [lines[k][2:] for k in at]
    shapes = np.array([text.count(b" ") for text in texts]) * 1024 + np.array([min(text.count(b"/"), 1023) for text in texts])
    counts = np.zeros(len(at), np.int64)
    pieces = []
    for shape in np.unique(shapes):
        which = np.flatnonzero(shapes == shape)
        raw = _block([texts[k] for k in which]) if len(which) > 1 else None
        if raw is None:
            pieces.extend((np.array([k]), _one_face(texts[k], at[k] + 1)[None]) for k in which)
        else:
            pieces.append((which, raw))
    for which, raw in pieces:
        counts[which] = raw.shape[1]
    starts = np.concatenate([[0], np.cumsum(counts)])
    flat = np.zeros((int(starts[-1]), 3), np.int64)
    for which, raw in pieces:
        flat[starts[which][:, None] + np.arange(raw.shape[1])] = raw
    before = _before(heads, at)
    owner = np.repeat(np.arange(len(at)), counts)
    given = flat != 0
    if not given[:, 0].all():
        line = at[owner[np.flatnonzero(~given[:, 0])[0]]] + 1
        raise MeshFileError(f"line {line}: a face names vertex 0 or none; vertices count from 1")
    parts = [np.where(flat[:, k] < 0, flat[:, k] + before[k][owner], flat[:, k] - 1) for k in range(3)]
    return _Corners(parts, [given[:, k] for k in range(3)], counts, np.array(at) + 1)


def _before(heads: list, at: list[int]) -> list[np.ndarray]:
    """How many vertices, texture coordinates and normals stand above each face."""
    return [np.cumsum(np.array([head == kind for head in heads]))[at] for kind in (b"v ", b"vt", b"vn")]


def _block(texts: list) -> np.ndarray | None:
    """Indices (faces, corners, 3) of faces written alike, 0 where one is not written; None where they are not alike."""
    joined = b" ".join(texts)
    words = joined.split()
    slashes, doubles = joined.count(b"/"), joined.count(b"//")
    corners, odd = divmod(len(words), len(texts))
    per_word, rest = divmod(slashes, len(words) or 1)
    if odd or rest or per_word > 2 or not corners or doubles not in (0, len(words)) or any(w.endswith(b"/") for w in words[:corners]):
        return None
    given = ((0,), (0, 1), (0, 1, 2))[per_word] if not doubles else (0, 2)
    try:
        numbers = np.array(joined.replace(b"/", b" ").split(), np.int64)
    except (ValueError, OverflowError):
        return None
    if numbers.size != len(words) * len(given) or np.abs(numbers).max() >= 1 << 31:
        return None
    out = np.zeros((len(words), 3), np.int64)
    out[:, list(given)] = numbers.reshape(-1, len(given))
    return out.reshape(len(texts), corners, 3)


def _one_face(text: bytes, line: int) -> np.ndarray:
    """Indices (corners, 3) of one face."""
    out = []
    for word in text.split():
        parts = (word.split(b"/") + [b"", b""])[:3]
        out.append([_index(part, line) for part in parts])
    return np.array(out, np.int64).reshape(-1, 3)


def _index(part: bytes, line: int) -> int:
    match = re.match(rb"[+-]?\d{1,10}", part)
    if match is None:
        if not part:
            return 0
        raise MeshFileError(f"line {line}: '{part[:20].decode('ascii', 'replace')}' in a face is no index")
    return int(match.group())


def _triangles(rows: _Corners, vert: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Triangles (m, 3) of vertices, texture coordinates and normals, -1 where not written."""
    starts = np.concatenate([[0], np.cumsum(rows.counts)])[:-1]
    vertex = rows.parts[0]
    threes, fours = np.flatnonzero(rows.counts == 3), np.flatnonzero(rows.counts == 4)
    pieces = [(threes * 1.0, starts[threes][:, None] + np.arange(3))]
    if fours.size:
        two = cut_quads(_points(vert, vertex[starts[fours][:, None] + np.arange(4)]))
        pieces.append((np.repeat(fours, 2) * 1.0, (starts[fours][:, None, None] + two).reshape(-1, 3)))
    for face in np.flatnonzero(rows.counts > 4):
        corners = np.arange(starts[face], starts[face] + rows.counts[face])
        cut = cut_polygon(_points(vert, vertex[corners]))
        pieces.append((np.full(len(cut), float(face)), corners[np.array(cut, np.int64).reshape(-1, 3)]))
    order = np.argsort(np.concatenate([p[0] for p in pieces]), kind="stable")
    corner = np.concatenate([p[1] for p in pieces])[order]
    parts = [np.where(given, part, -1) for part, given in zip(rows.parts, rows.given)]
    return tuple(np.minimum(part[corner], 2**31 - 1).astype(np.int32) for part in parts)


def _points(vert: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Places of vertices; those that do not exist are refused later, here they are the first."""
    if not len(vert):
        return np.zeros((*index.shape, 3), np.float32)
    return vert[np.where(index < len(vert), index, 0)]
