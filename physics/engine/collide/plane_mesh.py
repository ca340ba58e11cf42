"""Contacts of an infinite plane with a mesh: the lowest vertex of its convex hull, and corners of the hull's face that lies flattest there.

       \\  hull  /
        \\______/    the face at the lowest vertex whose normal is most opposed to the plane's gives up to four points;
    n ^             of a face with more corners a quad that a climb over the corners makes large
    --p----------

A mesh without a hull gives its lowest vertex alone.

Source: MuJoCo documentation, chapter Computation, "Collision"; the official engine's contacts of random hulls, which this rule gives exactly.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.contact import put
from physics.engine.collide.vectors import add3, addscl3, cross3, dot3, scl3, sub3, to_local, to_world, z_axis
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9

FEW = 10  # a mesh of fewer vertices is searched from the first to the last
TILT = 0.4  # part of a unit vector along an axis beyond which it counts as pointing that way


@helper(fastmath=EXACT)
def vertex(m, v):
    """Place of a vertex, a row of mesh_vert, in its mesh's frame."""
    return m.mesh_vert[v, 0], m.mesh_vert[v, 1], m.mesh_vert[v, 2]


@helper
def direction_digit(x):
    """0, 1 or 2: against an axis, across it, along it."""
    if x > TILT:
        return 2
    if x < -TILT:
        return 0
    return 1


@helper(fastmath=EXACT)
def hill_climb(m, mesh, u):
    """Row of mesh_vert of the hull's vertex farthest along the unit vector u: uphill along the hull's edges.

    The start is the farthest vertex of the nearest of 27 directions. What the climb adds to the definition is which of equals is found.
    """
    graph = m.mesh_graphadr[mesh]
    count = m.mesh_graph[graph]
    edges = graph + 2
    names = edges + count
    ends = names + count
    first = m.mesh_vertadr[mesh]
    best = m.mesh_extrema[mesh, 9 * direction_digit(u[0]) + 3 * direction_digit(u[1]) + direction_digit(u[2])]
    far = dot3(u, vertex(m, first + m.mesh_graph[names + best]))
    here = -1
    while here != best:
        here = best
        e = ends + m.mesh_graph[edges + here]
        while m.mesh_graph[e] >= 0:
            x = dot3(u, vertex(m, first + m.mesh_graph[names + m.mesh_graph[e]]))
            if x > far:
                far = x
                best = m.mesh_graph[e]
            e += 1
    return first + m.mesh_graph[names + best]


@helper(fastmath=EXACT)
def support_vertex(m, mesh, u):
    """Row of mesh_vert of the mesh's vertex farthest along the unit vector u."""
    first = m.mesh_vertadr[mesh]
    count = m.mesh_vertnum[mesh]
    if count >= FEW and m.mesh_graphadr[mesh] >= 0:
        return hill_climb(m, mesh, u)
    best = first
    far = dot3(u, vertex(m, first))
    for v in range(first + 1, first + count):
        x = dot3(u, vertex(m, v))
        if x > far:
            far = x
            best = v
    return best


@helper(fastmath=EXACT)
def support_face(m, mesh, v, n):
    """The hull's polygon at vertex v whose normal is most opposed to n, -1 where it has none."""
    best = -1
    low = 0.0
    first = m.mesh_polymapadr[v]
    for k in range(first, first + m.mesh_polymapnum[v]):
        p = m.mesh_polyadr[mesh] + m.mesh_polymap[k]
        x = dot3(ld3(m.mesh_polynormal, p), n)
        if best < 0 or x < low:
            low = x
            best = p
    return best


@helper
def face_vertex(m, mesh, face, start, k):
    """Row of mesh_vert of corner k of a polygon, counted from corner `start`."""
    k += start
    if k >= m.mesh_polyvertnum[face]:
        k -= m.mesh_polyvertnum[face]
    return m.mesh_vertadr[mesh] + m.mesh_polyvert[m.mesh_polyvertadr[face] + k]


@helper(fastmath=EXACT)
def quad_area(m, mesh, face, start, b, c, d):
    """Area of the quad of corners 0, b, c, d of a polygon."""
    one = sub3(vertex(m, face_vertex(m, mesh, face, start, c)), vertex(m, face_vertex(m, mesh, face, start, 0)))
    two = sub3(vertex(m, face_vertex(m, mesh, face, start, d)), vertex(m, face_vertex(m, mesh, face, start, b)))
    x = cross3(one, two)
    return 0.5 * sqrt(dot3(x, x))


@helper(fastmath=EXACT)
def large_quad(m, mesh, face, start):
    """Vertices (b, c, d) that make a large quad with vertex 0 of a polygon, by coordinate ascent of its area.

    On a convex polygon they stay in order. Polygons of a hull are merged from triangles that are parallel within rounding, so one may be
    slightly concave; there b may come to c or pass it, and c d, as officially: held back they would leave a whole side without a point.
    """
    b, c, d = 1, 2, 3
    count = m.mesh_polyvertnum[face]
    area = quad_area(m, mesh, face, start, b, c, d)
    # d goes on while the area grows; after each of its steps c goes on as long as that helps, then b
    for last in range(4, count):
        x = quad_area(m, mesh, face, start, b, c, last)
        if not x > area:
            break
        area = x
        d = last
        while c + 1 < count:
            x = quad_area(m, mesh, face, start, b, c + 1, d)
            if not x > area:
                break
            area = x
            c += 1
        while b + 1 < count:
            x = quad_area(m, mesh, face, start, b + 1, c, d)
            if not x > area:
                break
            area = x
            b += 1
    return b, c, d


@kernel("m d i i f", ret="i", fastmath=EXACT)
def plane_mesh(m, d, g1, g2, margin):
    """The lowest vertex, then corners of its flattest face in their order that are in reach and not above the geom's centre; at most four."""
    # the vertex that supports -n, in the mesh's frame
    mesh = m.geom_dataid[g2]
    R = ld9(d.geom_xmat, g2)
    c = ld3(d.geom_xpos, g2)
    n = z_axis(ld9(d.geom_xmat, g1))
    down = to_local(R, scl3(n, -1.0))
    origin = ld3(d.geom_xpos, g1)
    low = support_vertex(m, mesh, down)
    p = add3(to_world(R, vertex(m, low)), c)
    dist = dot3(n, sub3(p, origin))
    if not dist <= margin:
        return 0
    put(d, d.ncon, dist, addscl3(p, n, -0.5 * dist), n)
    found = 1
    # the face there that is most nearly parallel to the plane
    face = support_face(m, mesh, low, scl3(down, -1.0))
    if face < 0:
        return found
    # its vertices counted from the lowest; of more than four a large quad
    count = m.mesh_polyvertnum[face]
    start = 0
    for k in range(count):
        if face_vertex(m, mesh, face, 0, k) == low:
            start = k
    k1, k2, k3 = 1, 2, 3
    if count > 4:
        k1, k2, k3 = large_quad(m, mesh, face, start)
    # those in reach that are not above the centre of the geom
    for i in range(1, min(count, 4)):
        k = k1 if i == 1 else (k2 if i == 2 else k3)
        p = add3(to_world(R, vertex(m, face_vertex(m, mesh, face, start, k))), c)
        dist = dot3(n, sub3(p, origin))
        if dist <= margin and dot3(n, sub3(p, c)) <= 0.0:
            put(d, d.ncon + found, dist, addscl3(p, n, -0.5 * dist), n)
            found += 1
    return found
