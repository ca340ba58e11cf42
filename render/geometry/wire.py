"""Edges of the faces that the classic picture is made of: what a wireframe shows.

Squares stay squares: the diagonals that split them into triangles are no edges. Every face has edges of its own, with its normal, so that those of
hidden faces can be left out. Arrays: vertices (n, 9) as the other shapes have them, facets (n, 3) unit normals; vertices 2 k and 2 k + 1 are an edge.
Source: the tessellation of MuJoCo's classic renderer, measured on its wireframe pictures.
"""
import numpy as np

from render.geometry.arrow import HEAD_RADIUS
from render.geometry.box import box
from render.geometry.rings import revolve

SAME = 1e-6


def faces_of_rings(rows, slices: int):
    """Corners (k, 4, 9) of the faces between rings given as `revolve` takes them."""
    vertices, _ = revolve(rows, slices)
    n = len(rows)
    i, j = np.meshgrid(np.arange(n - 1), np.arange(slices), indexing='ij')
    a = (i * (slices + 1) + j).ravel()
    return vertices[np.stack([a, a + slices + 1, a + slices + 2, a + 1], -1)]


def disc_faces(slices: int, rings: int, z: float, up: int, radius: float = 1.0):
    """Faces of a flat end at height z that looks up (1) or down (-1)."""
    faces = faces_of_rings([(radius * k / rings, z, 0, up, 0, 0) for k in range(rings + 1)], slices)
    faces[..., 6:8] = 0.5 + 0.5 * faces[..., :2]
    return faces


def tube_faces(slices: int, stacks: int, bottom: float, top: float):
    """Faces of an open cylinder of radius 1."""
    t = np.arange(stacks + 1) / stacks
    return faces_of_rings([(1, top + k * (bottom - top), 1, 0, k, 0) for k in t], slices)


def cone_faces(slices: int, stacks: int, base: float, tip: float, radius: float):
    """Faces of a cone closed below."""
    normal = np.array((1 / radius, 1 / (tip - base))) / np.hypot(1 / radius, 1 / (tip - base))
    side = faces_of_rings([(radius * k / stacks, tip + k / stacks * (base - tip), *normal, k / stacks, 0) for k in range(stacks + 1)], slices)
    return np.concatenate([side, disc_faces(slices, stacks, base, -1 if tip > base else 1, radius)])


def ball_faces(slices: int, rows: int, first: float, last: float, cap: float = 0.0):
    """Faces of a sphere between two elevations [quarter turns]."""
    out = []
    for k in range(rows + 1):
        el = np.pi / 2 * (first + k / rows * (last - first))
        r = 0.0 if abs(abs(el) - np.pi / 2) < SAME else np.cos(el)
        out.append((r, np.sin(el), r, np.sin(el), k / rows, cap))
    return faces_of_rings(out, slices)


def sphere_faces(slices: int, stacks: int):
    """As many rows on both sides of the equator."""
    return ball_faces(slices, 2 * (stacks // 2), 1, -1)


def capsule_faces(slices: int, stacks: int):
    """Two half spheres and rings between them; the ends are moved apart by their last column but none (`cap`)."""
    side = tube_faces(slices, stacks, -1, 1)
    side[..., 8], side[..., 2] = side[..., 2], 0
    return np.concatenate([ball_faces(slices, stacks // 2, 1, 0, 1), side, ball_faces(slices, stacks // 2, 0, -1, -1)])


def cylinder_faces(slices: int, stacks: int):
    """Closed, with rings along its side and on its ends."""
    ends = [disc_faces(slices, stacks // 2, z, z) for z in (1, -1)]
    return np.concatenate([tube_faces(slices, stacks, -1, 1), *ends])


def arrow_faces(slices: int, stacks: int, head: float = HEAD_RADIUS):
    """Along +z from 0 to 1."""
    ends = [disc_faces(slices, stacks // 2, 0, -1), disc_faces(slices, stacks // 2, 2 / 3, 1)]
    return np.concatenate([tube_faces(slices, stacks, 0, 2 / 3), *ends, cone_faces(slices, stacks, 2 / 3, 1, head)])


def double_arrow_faces(slices: int, stacks: int):
    """A head at both ends."""
    heads = [cone_faces(slices, stacks, base, tip, HEAD_RADIUS) for base, tip in ((5 / 6, 1), (1 / 6, 0))]
    return np.concatenate([tube_faces(slices, stacks, 1 / 6, 5 / 6), *heads])


def box_faces(cells: int):
    """cells x cells squares on each side."""
    corners = box()[0].reshape(6, 4, 9).astype(float)
    t = np.arange(cells + 1) / cells
    out = []
    for x in range(cells):
        for y in range(cells):
            at = [(t[x], t[y]), (t[x + 1], t[y]), (t[x + 1], t[y + 1]), (t[x], t[y + 1])]
            out.append(np.stack([corners[:, 0] + u * (corners[:, 1] - corners[:, 0]) + v * (corners[:, 3] - corners[:, 0]) for u, v in at], 1))
    return np.concatenate(out)


def edges(faces):
    """(vertices, facets) of the edges of faces (k, 4, 9) that have a length."""
    across = np.cross((faces[:, 2] - faces[:, 0])[:, :3] + _spread(faces, 2, 0), (faces[:, 3] - faces[:, 1])[:, :3] + _spread(faces, 3, 1))
    across *= np.sign(np.einsum('ij,ij->i', across, faces[:, :, 3:6].sum(1)))[:, None]
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-30)
    ends = np.stack([faces, np.roll(faces, -1, 1)], 2)             # face, edge, end
    long = np.abs(ends[:, :, 0, [0, 1, 2, 8]] - ends[:, :, 1, [0, 1, 2, 8]]).max(-1) > SAME
    facets = np.broadcast_to(across[:, None, None], (*ends.shape[:3], 3))
    return ends[long].reshape(-1, 9).astype(np.float32), facets[long].reshape(-1, 3).astype(np.float32)


def _spread(faces, one, two):
    """How a capsule's ends move apart, as a part of the way between two corners."""
    out = np.zeros((len(faces), 3))
    out[:, 2] = faces[:, one, 8] - faces[:, two, 8]
    return out


def plane_lines(half, spacing: float, endless: bool):
    """Lines of a plane's grid in units of its half sizes (2,), squares of twice the spacing; the last ones take what remains. endless: 200 squares of `spacing`."""
    places = [_grid(float(h), spacing, endless) for h in half]
    out = []
    for axis, at in enumerate(places):
        at = np.r_[at, at[1:-1]]        # each belongs to two rows of squares, which counts where light adds up
        ends = np.zeros((len(at), 2, 9))
        ends[:, :, axis] = at[:, None]
        ends[:, 0, 1 - axis], ends[:, 1, 1 - axis] = places[1 - axis][0], places[1 - axis][-1]
        out.append(ends.reshape(-1, 9))
    vertices = np.concatenate(out)
    vertices[:, 5] = 1
    vertices[:, 6], vertices[:, 7] = (vertices[:, 0] + 1) / 2, (1 - vertices[:, 1]) / 2
    return vertices.astype(np.float32), np.tile(np.float32((0, 0, 1)), (len(vertices), 1))


MOST_CELLS = 200


def _grid(half, spacing, endless):
    if endless:
        return spacing * np.arange(-MOST_CELLS // 2, MOST_CELLS // 2 + 1) / half
    step = max(spacing, half / (MOST_CELLS - 2), 1e-15)
    n = int(half / step) // 2 * 2
    first = -half + (half - n * step)
    return np.unique(np.r_[-half, first + 2 * step * np.arange(n + 1), half]) / half
