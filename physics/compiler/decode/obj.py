"""Wavefront OBJ: text lines of vertices (v), texture coordinates (vt), normals (vn) and faces (f).

Vertices stay as they are written; only the faces of the first group or object that has any are taken. A face of four corners is cut along
its shorter diagonal, one of more by clipping ears. The second texture coordinate is turned round, so that pictures start at the top.
A file that is plainly written is read by compiled code where that is at hand (obj_plain.py). Else lines of one kind are read together by
NumPy; where something unusual stands among them they are read one by one (obj_lines.py).
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.compiler.decode import obj_lines, obj_plain
from physics.compiler.decode.polygon import MOST_CORNERS, cut_polygon, cut_quads
from physics.compiler.decode.raw import MeshFileError, RawMesh

KINDS = MappingProxyType({"v": (b"v ", 3), "vt": (b"vt", 2), "vn": (b"vn", 3)})  # kind -> (how its lines begin, numbers kept)
_END = 1e300  # stands for the end of a line among the numbers
_WHOLE_END = 1 << 62
_LARGEST = 3.4028234663852886e38
_GROUPS = (b"g ", b"o ")


def read_obj(data: bytes) -> RawMesh:
    """Vertices and triangles of an OBJ file. Raises MeshFileError."""
    plain = obj_plain.read(data) if obj_plain.ready() else None
    if plain is None:
        lines = _Lines(data)
        vectors = [_vectors(lines, kind) for kind in KINDS]
        at = lines.first_faces()
        corners, counts = _faces(lines, at) if at.size else (np.zeros((0, 3), np.int64), np.zeros(0, np.int64))
        corners = _resolved(corners, counts, lines, at)
    else:
        vectors, corners, counts, at = plain.vectors, plain.corners, plain.counts, None
    vert, texcoord, normal = vectors
    if not counts.size:
        return RawMesh(vert=vert)
    index, texture, shading = _triangles(corners, counts, vert, at)
    mesh = RawMesh(vert=vert, face=index)
    if len(normal):
        mesh.normal, mesh.facenormal = normal, shading
        _check_normals(shading, len(normal))
    amiss = np.count_nonzero((texture < 0) | (texture >= len(texcoord))) if len(texcoord) else 0
    mesh.left_out = int(np.count_nonzero(counts < 3)), int(amiss)
    if len(texcoord) and texture.size and not amiss:
        texcoord[:, 1] = np.float32(1) - texcoord[:, 1]
        mesh.texcoord, mesh.facetexcoord = texcoord, texture
    return mesh


class _Lines:
    """The lines of a file by how they begin. start: where each line begins, with the end of the text; kind: its first two bytes as a number."""

    def __init__(self, data: bytes):
        if b"\r" in data or b"\t" in data:
            data = data.replace(b"\t", b" ").replace(b"\r", b"\n")
        if data.startswith(b" ") or b"\n " in data:
            data = b"\n".join(line.lstrip() for line in data.split(b"\n"))
        self.data = data if data.endswith(b"\n") else data + b"\n"
        letters = np.frombuffer(self.data + b"\n", np.uint8)
        ends = np.flatnonzero(letters[:-1] == 10)
        self.start = np.concatenate(([0], ends + 1))
        first = self.start[:-1]
        self.kind = letters[first].astype(np.uint16) * 256 + letters[first + 1]

    def of(self, head: bytes) -> np.ndarray:
        """Numbers of the lines that begin so."""
        return np.flatnonzero(self.kind == head[0] * 256 + head[1])

    def first_faces(self) -> np.ndarray:
        """Numbers of the lines of faces up to the next group or object."""
        faces = self.of(b"f ")
        if not faces.size:
            return faces
        groups = np.concatenate([self.of(head) for head in _GROUPS])
        later = groups[groups > faces[0]]
        return faces[faces < later.min()] if later.size else faces

    def text(self, numbers: np.ndarray) -> bytes:
        """These lines one after the other."""
        breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
        firsts, lasts = numbers[np.concatenate(([0], breaks))], numbers[np.concatenate((breaks - 1, [-1]))]
        return b"".join([self.data[a:b] for a, b in zip(self.start[firsts].tolist(), self.start[lasts + 1].tolist())])


def _vectors(lines: _Lines, kind: str) -> np.ndarray:
    """All vectors of a kind as float32 (n, 3 or 2); missing numbers are 0, further ones are left out."""
    head, width = KINDS[kind]
    numbers = lines.of(head)
    if not numbers.size:
        return np.zeros((0, width), np.float32)
    text = lines.text(numbers)
    text = text.replace(kind.encode(), b"")
    values = _decimals(text) if b"e" not in text and b"E" not in text else None
    if values is None:
        values = _numbers(text, b"0123456789.+-eE \n")
    if values is not None:
        ends = np.flatnonzero(values == _END)
        per_line, rest = divmod(values.size, numbers.size)
        if ends.size == numbers.size and not rest and per_line > width and np.array_equal(ends, np.arange(per_line - 1, values.size, per_line)):
            return _single(values.reshape(-1, per_line)[:, :width])
    return _single(obj_lines.vectors(text, width))


def _single(values: np.ndarray) -> np.ndarray:
    """In single precision, with 0 for -0."""
    return np.clip(values, -_LARGEST, _LARGEST).astype(np.float32) + np.float32(0)


def _numbers(text: bytes, letters: bytes) -> np.ndarray | None:
    """All numbers of a text, _END after every line; None where something else than these letters or numbers stands in it."""
    if text.translate(None, letters):
        return None
    try:
        marked = text.replace(b"\n", b" 1e300\n")
        values = np.fromstring(marked, np.float64, sep=" ")
    except (ValueError, DeprecationWarning):
        return None
    return values if values.size and values[-1] == _END else None


def _decimals(text: bytes) -> np.ndarray | None:
    """As _numbers, for texts in which every number has the same number of decimals: read as whole numbers, which is quicker. None for others."""
    if text.translate(None, b"0123456789.+- \n"):
        return None
    letters = np.frombuffer(text, np.uint8)
    points = np.flatnonzero(letters == 46)
    if not points.size:
        return None
    after = text[points[0] + 1:points[0] + 20]
    places = len(after) - len(after.lstrip(b"0123456789"))
    if places > 9 or points[-1] + places + 1 >= len(text) or (letters[points + places + 1] > 32).any():
        return None
    if any((letters[points + k] < 48).any() for k in range(1, places + 1)):
        return None
    values = _whole(text.replace(b".", b"").replace(b"\n", b" %d\n" % _WHOLE_END))
    ends = None if values is None else values == _WHOLE_END
    if ends is None or values.size - np.count_nonzero(ends) != points.size or not ends[-1] or np.abs(values).max(where=~ends, initial=0) > 10**15:
        return None
    return np.where(ends, _END, values / 10.0 ** places)


def _whole(text: bytes) -> np.ndarray | None:
    """Whole numbers of a text; None where it holds something else."""
    try:
        return np.fromstring(text, np.int64, sep=" ")
    except (ValueError, DeprecationWarning):
        return None


def _faces(lines: _Lines, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Corners of faces one after the other (vertex, texture coordinate and normal from 1, 0 where not written), and how many each face has."""
    text = lines.text(at)
    even = _even_faces(text, at.size)
    if even is not None:
        return even
    # a slash becomes a half: 7/2/9 reads 7.5 2.5 9, and 7//9 reads 7.5 0.5 9
    values = None
    if b"/ " not in text and b"/\n" not in text:
        values = _numbers(text.replace(b"f", b"").replace(b"/", b".5 "), b"0123456789.+- \n") if b"." not in text else None
    if values is None or np.abs(values).max(initial=0, where=values != _END) > 2**31:
        return obj_lines.faces(text, at)
    whole = np.trunc(values)
    last = values == whole
    ends = np.flatnonzero(last)
    first = np.concatenate(([0], ends[:-1] + 1))
    if (ends - first).max() > 2:
        return obj_lines.faces(text, at)
    corners = np.zeros((ends.size, 3), np.int64)
    corner = np.repeat(np.arange(ends.size), ends - first + 1)
    corners[corner, np.arange(values.size) - first[corner]] = np.where(values == _END, 0, whole)
    stop = values[ends] == _END
    counts = np.diff(np.concatenate(([-1], np.flatnonzero(stop)))) - 1
    return corners[~stop], counts


def _even_faces(text: bytes, count: int) -> tuple[np.ndarray, np.ndarray] | None:
    """As _faces, where every corner has all three indices, or only a vertex and a normal, or only a vertex; None for others.

    With one space before each corner the counts of spaces and slashes tell it.
    """
    spaces, slashes, doubles = text.count(b" "), text.count(b"/"), text.count(b"//")
    if text.translate(None, b"f0123456789- /\n") or (slashes, doubles) not in ((0, 0), (2 * spaces, 0), (2 * spaces, spaces)):
        return None
    values = _whole(text.replace(b"f", b"").replace(b"/", b" ").replace(b"\n", b" 0\n"))
    given = [0] if not slashes else [0, 2] if doubles else [0, 1, 2]
    if values is None or values.size != spaces * len(given) + count or np.abs(values).max() > 2**31:
        return None
    ends = np.flatnonzero(values == 0)
    if ends.size != count or ends[-1] != values.size - 1:
        return None
    counts, rest = np.divmod(np.diff(np.concatenate(([-1], ends))) - 1, len(given))
    if rest.any():
        return None
    corners = np.zeros((spaces, 3), np.int64)
    corners[:, given] = values[values != 0].reshape(-1, len(given))
    return corners, counts


def _resolved(corners: np.ndarray, counts: np.ndarray, lines: _Lines, at: np.ndarray) -> list[np.ndarray]:
    """Vertices, texture coordinates and normals of corners from 0, -1 where none is written; negative ones count back from their line. Raises MeshFileError."""
    if (corners[:, 0] == 0).any():
        bad = np.repeat(at, counts)[np.flatnonzero(corners[:, 0] == 0)[0]]
        raise MeshFileError(f"line {bad + 1}: a face names vertex 0 or none; vertices count from 1")
    out = corners - 1
    back = corners < 0
    if back.any():
        for k, kind in enumerate(KINDS):
            before = np.cumsum(lines.kind == KINDS[kind][0][0] * 256 + KINDS[kind][0][1])[at]
            out[:, k] = np.where(back[:, k], corners[:, k] + np.repeat(before, counts), out[:, k])
        lost = (back & (out < 0)).any(axis=1)
        if lost.any():
            raise MeshFileError(f"line {np.repeat(at, counts)[np.flatnonzero(lost)[0]] + 1}: a face counts back to before the first vertex")
    return [column.astype(np.int32) for column in np.minimum(out, 2**31 - 1).T]


def _triangles(corners: list[np.ndarray], counts: np.ndarray, vert: np.ndarray, at: np.ndarray | None) -> list[np.ndarray]:
    """Triangles (m, 3) of vertices, texture coordinates and normals. at: the faces' lines, None where faces are known to be small. Raises MeshFileError."""
    if (counts == 3).all():
        return [column.reshape(-1, 3) for column in corners]
    starts = np.cumsum(counts, dtype=np.int64) - counts
    threes, fours, more = np.flatnonzero(counts == 3), np.flatnonzero(counts == 4), np.flatnonzero(counts > 4)
    pieces = [(threes, starts[threes][:, None] + np.arange(3))]
    if fours.size:
        two = cut_quads(_points(vert, corners[0][starts[fours][:, None] + np.arange(4)]))
        pieces.append((np.repeat(fours, 2), (starts[fours][:, None, None] + two).reshape(-1, 3)))
    if more.size and counts.max() > MOST_CORNERS:
        raise MeshFileError(f"line {at[counts.argmax()] + 1}: a face has {counts.max()} corners, at most {MOST_CORNERS} are taken")
    for face in more:
        of = np.arange(starts[face], starts[face] + counts[face])
        cut = np.array(cut_polygon(_points(vert, corners[0][of])), np.int64).reshape(-1, 3)
        pieces.append((np.full(len(cut), face), of[cut]))
    order = np.argsort(np.concatenate([face for face, _of in pieces]), kind="stable")
    corner = np.concatenate([of for _face, of in pieces])[order]
    return [column[corner] for column in corners]


def _points(vert: np.ndarray, index: np.ndarray) -> np.ndarray:
    """Places of vertices; those that do not exist are refused later, here they are the first."""
    if not len(vert):
        return np.zeros((*index.shape, 3), np.float32)
    return vert[np.where(index < len(vert), index, 0)]


def _check_normals(shading: np.ndarray, count: int) -> None:
    bad = (shading < 0) | (shading >= count)
    if bad.any():
        face = int(np.flatnonzero(bad.any(axis=1))[0])
        value = int(shading[face][bad[face]][0])
        raise MeshFileError(f"triangle {face + 1} names " + (f"normal {value + 1}, but there are {count}" if value >= 0 else
                                                           f"no normal, but the file has {count}: give all faces normals or none"))
