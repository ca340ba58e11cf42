"""Convex hulls of meshes, by qhull, and the graph of their edges.

SciPy's qhull and the official compiler's are one version with the same options, so facets come in the same order. SciPy does not tell the
order of qhull's list of vertices; it follows from that of the facets: a vertex moves to the list's end whenever a new cone of facets has
it. See "official order" in the docstring of physics/compiler/mesh.
Source: qhull 2020.2; Barber, Dobkin and Huhdanpaa, "The Quickhull Algorithm" (1996).
"""
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.compiler.mesh.mesh_data import MeshError
from physics.compiler.mesh.mesh_inertia import cross, dot
from physics.compiler.native import hull_links
from physics.compiler.native.hull_links import SLIVER
from physics.enums import MINVAL
from physics.model.kernel_buffers import KernelBuffers

_FLAT = MappingProxyType({
    1: ("all vertices of the mesh lie in one point, so it has no hull", "A small sphere may serve instead"),
    2: ("all vertices of the mesh lie on one line, so it has no hull", "A thin capsule may serve instead"),
    3: ("all vertices of the mesh lie in one plane, so it has no hull", "A plane or a thin box may serve instead"),
})


@dataclass
class HullGraph:
    """A hull. vertex: its vertices (k,) as indices of the mesh; face: triangles (2k - 4, 3) of such, turned outwards; edgeadr: where each
    vertex's neighbours begin in edge; edge: neighbours as indices into vertex, -1 after each vertex's last."""

    vertex: np.ndarray
    face: np.ndarray
    edgeadr: np.ndarray
    edge: np.ndarray

    def packed(self) -> np.ndarray:
        """In the layout of the field mesh_graph."""
        head = np.array([len(self.vertex), len(self.face)], np.int32)
        return np.concatenate((head, self.edgeadr, self.vertex, self.edge, self.face.ravel()))


def hull_graph(vert: np.ndarray, most: int = -1) -> HullGraph:
    """The hull of vertices (3, n). most: at most so many of its vertices are wanted, -1: all. Raises MeshError."""
    from scipy.spatial import ConvexHull, QhullError

    check_solid(vert)
    try:
        hull = ConvexHull(vert.T, qhull_options="Qt" if most < 0 else f"Qt Q9 TA{most - 4}")
    except (QhullError, ValueError) as problem:
        first = str(problem).strip().splitlines()[0] if str(problem).strip() else "no reason given"
        raise MeshError(f"the convex hull of the mesh cannot be computed: {first}", "Check for vertices that lie in a plane or are not finite") from None
    return linked(hull, vert) if hull_links.link_hull.addr else plain(hull, vert)


def plain(hull, vert: np.ndarray) -> HullGraph:
    """From SciPy's hull of vertices (3, n) to ours."""
    raw = hull.simplices
    vertex = _vertex_order(raw, hull.equations)
    return HullGraph(vertex, _outwards(hull, vert), *_edges(raw, vertex, vert.shape[1]))


def linked(hull, vert: np.ndarray) -> HullGraph:
    """What `plain` gives, in compiled code."""
    raw, plane, points = hull.simplices, np.ascontiguousarray(hull.equations), vert.shape[1]
    count = len(raw)
    vertex, face, edge = np.empty(3 * count, np.int32), np.empty((count, 3), np.int32), np.empty(9 * count, np.int32)
    edgeadr = np.empty(3 * count + 1, np.int32)
    found = hull_links.link_hull(
        KernelBuffers(hull_point=np.ascontiguousarray(vert), hull_facet=np.ascontiguousarray(raw), hull_across=np.ascontiguousarray(hull.neighbors),
                  hull_plane=plane, hull_planebits=plane.view(np.int64), hull_vertex=vertex, hull_face=face, hull_edgeadr=edgeadr, hull_edge=edge,
                  hull_work=np.empty(points + 20 * count + 16, np.int32)), points, count)
    return HullGraph(vertex[:found], face, edgeadr[:found], edge[:edgeadr[found]])


def check_solid(vert: np.ndarray) -> None:
    """The vertices must not all lie in one point, line or plane. Raises MeshError."""
    points = vert.shape[1]
    flat = hull_links.flatness(KernelBuffers(hull_point=np.ascontiguousarray(vert)), points) if hull_links.flatness.addr else flatness(vert)
    if flat:
        raise MeshError(*_FLAT[flat])


def flatness(vert: np.ndarray) -> int:
    """0 where the vertices do not all lie in one plane, 1 where they lie in one point, 2 on one line, 3 in one plane."""
    away = vert - vert[:, :1]
    length = np.sqrt((away * away).sum(axis=0))
    far = np.flatnonzero(length > MINVAL)
    if not far.size:
        return 1
    edge, size = away[:, far[0]], length[far[0]]
    normal = np.stack((edge[1] * away[2] - edge[2] * away[1], edge[2] * away[0] - edge[0] * away[2], edge[0] * away[1] - edge[1] * away[0]))
    across = np.sqrt((normal * normal).sum(axis=0))
    real = np.flatnonzero((across > MINVAL * size * length) & (length >= MINVAL))
    if not real.size:
        return 2
    plane = normal[:, real[0]] / across[real[0]]
    height = plane[0] * vert[0] + plane[1] * vert[1] + plane[2] * vert[2]
    return 0 if (np.abs(height - height[0]) > MINVAL * size).any() else 3


def _outwards(hull, vert: np.ndarray) -> np.ndarray:
    """Triangles turned so that their corners run anticlockwise when seen from outside.

    The plane that qhull gives a triangle tells its side, but not that of a sliver, whose corners lie in one line but for rounding: it is turned
    so that it passes its edges the other way than its neighbours.
    """
    raw = hull.simplices
    one, two, three = (vert[:, raw[:, k]] for k in range(3))
    normal = cross(two - one, three - one)
    side = dot(normal, hull.equations[:, :3].T)
    size = dot(two - one, two - one) + dot(three - one, three - one)
    face = np.where((side < 0)[:, None], raw[:, [1, 0, 2]], raw).astype(np.int32)
    unsure = set(np.flatnonzero(np.abs(side) < SLIVER * size).tolist())
    while unsure:
        known = {k: [n for n in hull.neighbors[k].tolist() if n >= 0 and n not in unsure] for k in unsure}
        settled = [k for k in unsure if known[k]]
        if not settled:
            break
        for k in settled:
            if _against(face[k], [face[n] for n in known[k]]):
                face[k] = face[k][[1, 0, 2]]
        unsure.difference_update(settled)
    return face


def _against(face, others) -> bool:
    """Whether a triangle passes an edge in the same direction as one of its neighbours."""
    a, b, c = face.tolist()
    mine = {(a, b), (b, c), (c, a)}
    return any(not mine.isdisjoint(((x, y), (y, z), (z, x))) for x, y, z in (other.tolist() for other in others))


def _vertex_order(raw: np.ndarray, equations: np.ndarray) -> np.ndarray:
    """The hull's vertices in the order of qhull's list.

    Triangles that qhull cut from larger facets are made last: they begin with the first that shares its plane to the last bit with another (of
    some facets but one triangle is left). Their vertices stand at the end in the order they are first met. The others stand by the last cone
    that has them: a cone is the facets with one first vertex. A tetrahedron is qhull's first simplex, whose vertices stand as they do in its facets.
    """
    n = len(raw)
    if n == 4:
        vertices = np.unique(raw)
        seats = [np.nonzero(raw == v)[1].sum() for v in vertices]
        return vertices[np.argsort(seats, kind="stable")].astype(np.int32)
    cut = np.arange(n) >= _first_shared(equations)
    flat, facet = raw.ravel(), np.repeat(np.arange(n), 3)
    width = int(flat.max()) + 1
    last = np.full(width, -1)
    np.maximum.at(last, flat, facet)
    in_cut = np.zeros(width, bool)
    in_cut[raw[cut].ravel()] = True
    apex = raw[:, 0]
    counts = np.where(in_cut[flat], np.repeat(cut, 3), np.repeat(apex, 3) == apex[last[flat]])
    seat = np.arange(3 * n)[counts]
    first = np.full(width, 3 * n)
    np.minimum.at(first, flat[counts], seat)
    found = np.flatnonzero(last >= 0)
    return found[np.lexsort((first[found], in_cut[found]))].astype(np.int32)


def _first_shared(rows: np.ndarray) -> int:
    """The first of the rows (n, 4) of numbers that are there more than once; n if all differ."""
    words = np.ascontiguousarray((rows + 0.0).T).view(np.uint64)  # adding 0 makes -0 and 0 one
    key = words[0]
    for word in words[1:]:
        key = (key ^ (key >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) ^ word
    order = np.argsort(key)
    key = key[order]
    same = key[1:] == key[:-1]
    one, other = order[:-1][same], order[1:][same]
    if (rows[one] == rows[other]).all():
        return int(min(one.min(), other.min())) if len(one) else len(rows)
    _, place, count = np.unique(rows, axis=0, return_inverse=True, return_counts=True)  # two rows with one key: compare them in full
    several = np.flatnonzero(count[place.ravel()] > 1)
    return int(several[0]) if len(several) else len(rows)


def _edges(raw: np.ndarray, vertex: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Addresses and neighbours of each vertex, in the order its facets name them."""
    local = np.empty(count, np.int64)
    local[vertex] = np.arange(len(vertex))
    tri = local[raw]
    here = np.repeat(tri, 3, axis=1).ravel()      # a a a b b b c c c
    there = np.tile(tri, (1, 3)).ravel()          # a b c a b c a b c
    key = here * len(vertex) + there
    real = np.flatnonzero(here != there)
    key = key[real]
    order = np.argsort(key, kind="stable")
    key = key[order]
    first = real[np.sort(order[np.concatenate(([True], key[1:] != key[:-1]))])]
    here, there = here[first], there[first]
    order = np.argsort(here, kind="stable")
    here, there = here[order], there[order]
    degree = np.bincount(here, minlength=len(vertex))
    address = np.concatenate([[0], np.cumsum(degree + 1)])[:-1]
    edge = np.full(int((degree + 1).sum()), -1, np.int32)
    edge[np.arange(len(there)) + here] = there
    return address.astype(np.int32), edge
