"""Support mappings: the point of a shape that lies farthest along a direction.

Source: G. van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 4.3.4; climbing on the
hull's edges from the vertex found before, the same, section 4.3.3.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.convex.hull_start_vertices import cell_of
from physics.engine.collide.convex.shapes import CCD_BOX, CCD_CAPSULE, CCD_CYLINDER, CCD_ELLIPSOID, CCD_MESH, CCD_PRISM, CCD_SMALL_MESH
from physics.engine.collide.vectors import add3, sub3, to_local, to_world
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3, st9

TINY = 1e-300  # squared lengths below have no direction


@helper(fastmath=EXACT)
def vertex_dot(m, v, n):
    """mesh vertex v . n"""
    return m.mesh_vert[v, 0] * n[0] + m.mesh_vert[v, 1] * n[1] + m.mesh_vert[v, 2] * n[2]


@helper(fastmath=EXACT)
def exhaustive_support(m, d, s, n):
    """Vertex of mesh shape s that lies farthest along n, the first of equal ones."""
    first = d.ccd_mesh[s, 0]
    best = 0
    best_dot = vertex_dot(m, first, n)
    for k in range(1, d.ccd_mesh[s, 1]):
        x = vertex_dot(m, first + k, n)
        if x > best_dot:
            best_dot = x
            best = k
    return best


@helper(fastmath=EXACT)
def hill_climb(m, d, s, n):
    """The same, walking along the hull's edges from the vertex in the middle of the direction's cell."""
    # mesh_graph of the hull: numbers of vertices and faces, then per vertex where its edges begin, its number in the mesh, and the edges
    first = d.ccd_mesh[s, 0]
    graph = d.ccd_mesh[s, 2]
    count = m.mesh_graph[graph]
    ids = graph + 2 + count
    edges = ids + count
    start = m.hull_start[d.ccd_mesh[s, 3], cell_of(n)]
    at = start - 1 if start > 0 else 0
    best_dot = vertex_dot(m, first + m.mesh_graph[ids + at], n)
    # steepest ascent of n . v over the neighbours; on a convex hull a vertex without a higher neighbour is the highest
    for _ in range(count):
        best = at
        e = edges + m.mesh_graph[graph + 2 + at]
        while m.mesh_graph[e] >= 0:
            h = vertex_dot(m, first + m.mesh_graph[ids + m.mesh_graph[e]], n)
            if h > best_dot:
                best_dot = h
                best = m.mesh_graph[e]
            e += 1
        if best == at:
            break
        at = best
    return m.mesh_graph[ids + at]


@helper
def keep_farther(best, best_dot, k, x):
    """Number and height of the highest vertex so far, vertex k of height x taken into account."""
    if x > best_dot:
        return k, x
    return best, best_dot


@helper(fastmath=EXACT)
def prism_support(d, n):
    """Row of ccd_prism that lies farthest along n, the first of equal ones; its upper vertices lie over the lower ones."""
    # vertices k and k + 3 share x and y, and the lower ones z too: x, y, z are the horizontal parts of n . v of the three columns
    foot = d.ccd_prism[0, 2] * n[2]
    x = d.ccd_prism[0, 0] * n[0] + d.ccd_prism[0, 1] * n[1]
    y = d.ccd_prism[1, 0] * n[0] + d.ccd_prism[1, 1] * n[1]
    z = d.ccd_prism[2, 0] * n[0] + d.ccd_prism[2, 1] * n[1]
    best = 0
    best_dot = x + foot
    best, best_dot = keep_farther(best, best_dot, 1, y + foot)
    best, best_dot = keep_farther(best, best_dot, 2, z + foot)
    best, best_dot = keep_farther(best, best_dot, 3, x + d.ccd_prism[3, 2] * n[2])
    best, best_dot = keep_farther(best, best_dot, 4, y + d.ccd_prism[4, 2] * n[2])
    best, best_dot = keep_farther(best, best_dot, 5, z + d.ccd_prism[5, 2] * n[2])
    return best


@helper(fastmath=EXACT)
def ellipsoid_support(size, n):
    """Point of an ellipsoid whose outer normal is along n."""
    a = size[0] * n[0]
    b = size[1] * n[1]
    c = size[2] * n[2]
    h = a * a + b * b + c * c
    if h < TINY:
        return size[0], 0.0, 0.0
    h = 1.0 / sqrt(h)
    return a * h * size[0], b * h * size[1], c * h * size[2]


@helper(fastmath=EXACT)
def cylinder_support(size, n):
    """Point of a cylinder that lies farthest along n; of a cap that faces n, the centre."""
    z = size[1] if n[2] >= 0.0 else -size[1]
    h = n[0] * n[0] + n[1] * n[1]
    if h < TINY or h < 1e-30 * n[2] * n[2]:
        return 0.0, 0.0, z
    h = size[0] / sqrt(h)
    return n[0] * h, n[1] * h, z


@kernel("m d i f f f", ret="i", fastmath=EXACT)
def local_support(m, d, s, x, y, z):
    """Point of shape s farthest along (x, y, z), in its own frame, to ccd_support; -> its vertex, -1 on what is curved.

    Reads: ccd_shape, ccd_size, ccd_mesh, ccd_prism, mesh_vert, mesh_graph, hull_start
    Writes: ccd_support
    """
    n = (x, y, z)
    kind = d.ccd_shape[s]
    size = ld3(d.ccd_size, s)
    # a hull by hill climbing on its edges, a small one vertex by vertex
    if kind == CCD_MESH or kind == CCD_SMALL_MESH:
        v = hill_climb(m, d, s, n) if kind == CCD_MESH else exhaustive_support(m, d, s, n)
        k = d.ccd_mesh[s, 0] + v
        st3(d.ccd_support, s, (m.mesh_vert[k, 0], m.mesh_vert[k, 1], m.mesh_vert[k, 2]))
        return v
    # the vertex in the octant of the direction; bits of its number as the signs of x, y, z
    if kind == CCD_BOX:
        st3(d.ccd_support, s, (size[0] if x >= 0.0 else -size[0], size[1] if y >= 0.0 else -size[1], size[2] if z >= 0.0 else -size[2]))
        return (1 if x >= 0.0 else 0) + (2 if y >= 0.0 else 0) + (4 if z >= 0.0 else 0)
    # curved shapes have no vertices: s_K(n) in closed form
    if kind == CCD_ELLIPSOID:
        st3(d.ccd_support, s, ellipsoid_support(size, n))
        return -1
    if kind == CCD_CYLINDER:
        st3(d.ccd_support, s, cylinder_support(size, n))
        return -1
    # a capsule's core is its segment, a sphere's its centre; their radius is added at the end
    if kind == CCD_CAPSULE:
        st3(d.ccd_support, s, (0.0, 0.0, size[1] if z >= 0.0 else -size[1]))
        return 1 if z >= 0.0 else 0
    if kind == CCD_PRISM:
        v = prism_support(d, n)
        st3(d.ccd_support, s, ld3(d.ccd_prism, v))
        return v
    st3(d.ccd_support, s, (0.0, 0.0, 0.0))
    return 0


@helper(fastmath=EXACT)
def minkowski_support(m, d, k, n):
    """Point of (shape 0 - shape 1) farthest along n, to row k of ccd_vert; -> that point."""
    d.ccd_vertid[k, 0] = local_support(m, d, 0, n[0], n[1], n[2])
    R = ld9(d.ccd_relmat, 0)
    u = to_local(R, n)
    d.ccd_vertid[k, 1] = local_support(m, d, 1, -u[0], -u[1], -u[2])
    a = ld3(d.ccd_support, 0)
    b = add3(to_world(R, ld3(d.ccd_support, 1)), ld3(d.ccd_relpos, 1))
    w = sub3(a, b)
    st9(d.ccd_vert, k, (w[0], w[1], w[2], a[0], a[1], a[2], b[0], b[1], b[2]))
    return w
