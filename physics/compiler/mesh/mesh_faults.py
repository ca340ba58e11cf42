"""What looks wrong in a mesh that can be used all the same: triangles without area, edges at which more than two triangles meet, faces
and texture coordinates that its file began and did not complete.

The first are not seen; where the second are many, inside and outside cannot be told apart, which volumes and shading are about.
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

MOST_NAMED = 40   # meshes in a message
# place among a mesh's faults: whether it does no harm, what it is, what it means, the words for one mesh
KINDS = MappingProxyType({
    0: (True, "triangles without area", "They are not seen", "{0}, first triangle {1}"),
    2: (True, "edges of more than two triangles", "The meshes are used as they are", "{2}, one from vertex {3} to {4}"),
    5: (False, "faces with fewer than three corners or more than 100", "They are left out", "{5}"),
    6: (False, "corners without a texture coordinate that exists", "These meshes have no texture coordinates at all then", "{6}"),
})
TINY = 1e-10   # of the square of the mesh's size: triangles below it have no area


def find_faults(vert: np.ndarray, face: np.ndarray, left_out: tuple[int, int] = (0, 0)) -> np.ndarray:
    """(7,) int32 of vertices (3, n) and triangles (m, 3): how many triangles have no area, and the first of them; how many edges belong to more than
    two triangles, and the vertices of one of them; left_out as in RawMesh. -1 where there is none."""
    out = np.array([0, -1, 0, -1, -1, *left_out], np.int32)
    if not len(face):
        return out
    one, two, three = (vert.take(face[:, k], axis=1) for k in range(3))
    a, b = two - one, three - one
    normal = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
    size = float((vert.max(axis=1) - vert.min(axis=1)).max())
    empty = normal[0] ** 2 + normal[1] ** 2 + normal[2] ** 2 <= (TINY * size * size) ** 2
    if empty.any():
        out[:2] = np.count_nonzero(empty), np.argmax(empty)
    ends = face[~empty].astype(np.int64)
    ends = np.stack([ends, np.roll(ends, -1, axis=1)])
    edges = np.sort((ends.min(axis=0) * vert.shape[1] + ends.max(axis=0)).ravel())
    third = edges[:-2][edges[2:] == edges[:-2]] if len(edges) > 2 else edges[:0]
    if len(third):
        out[2:5] = len(np.unique(third)), *divmod(int(third[0]), vert.shape[1])
    return out


def faults_in_words(names: list[str], faults: list[np.ndarray]) -> list[tuple[int, bool, str, str]]:
    """The same of all meshes of a model in words: for each kind of fault (number of the first mesh
    that has it, whether it does no harm, what is wrong with which, what it means)."""
    out = []
    for column, (harmless, what, hint, _words) in KINDS.items():
        having = [k for k, fault in enumerate(faults) if fault[column]]
        if not having:
            continue
        texts = [_one(names[k], faults[k], column) for k in having[:MOST_NAMED]]
        texts += [f"and {len(having) - MOST_NAMED} more"] if len(having) > MOST_NAMED else []
        out.append((having[0], harmless, f"{what} in {len(having)} mesh{'es' * (len(having) > 1)}: {'; '.join(texts)}", hint))
    return out


def _one(name: str, fault: np.ndarray, column: int) -> str:
    return f"'{name}' has {KINDS[column][3].format(*fault.tolist())}"
