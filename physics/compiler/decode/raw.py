"""What a mesh file holds, before anything is done with it."""
from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

MOST_FACES = 20_000_000  # triangles or vertices of one mesh; more is a damaged count, not a mesh


class MeshFileError(ValueError):
    """A file that is no mesh of its kind; the text says why, with the numbers."""


def _empty(kind, width: int):
    return field(default_factory=lambda: np.zeros((0, width), kind))


@dataclass
class RawMesh:
    """Vertices (n, 3) in single precision, triangles (m, 3) as indices into them; normals and texture coordinates with their own indices.

    Empty arrays where the source gives none: triangles then come from the convex hull, normals from the triangles.
    """

    vert: np.ndarray = _empty(np.float32, 3)
    face: np.ndarray = _empty(np.int32, 3)
    normal: np.ndarray = _empty(np.float32, 3)
    texcoord: np.ndarray = _empty(np.float32, 2)
    facenormal: np.ndarray = _empty(np.int32, 3)
    facetexcoord: np.ndarray = _empty(np.int32, 3)
    left_out: tuple[int, int] = (0, 0)   # faces with fewer than three corners or too many; corners for want of whose texture coordinates all of them were left out
