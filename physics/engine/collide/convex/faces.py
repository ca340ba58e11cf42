"""Flat faces and straight edges of convex shapes, near the place where they touch another.

What of a shape is touched: the vertex, edge or face that its vertices in the simplex (ccd_simplex) span. Its faces are those that hold
all of these vertices; its edges those at the vertex, or the one edge. A cylinder offers the cap it leans to, as a polygon of 16
corners, and the line of its side that lies farthest out; a capsule that line alone.

         ___
        /   \\      16 corners of a cap, the first on the x-axis of the cylinder
        \\___/

Corners of a face go clockwise, seen from outside. Faces have numbers: of a mesh those of mesh_polymap, of a box +x -x +y -y +z -z, of a
cylinder 0 above, 1 below.

Source: MuJoCo documentation, chapter Computation, "Multiple contacts"; the official engine's contacts of random poses tell order and
tolerances.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.convex.shapes import CCD_BOX, CCD_CAPSULE, CCD_CYLINDER, CCD_MESH, CCD_SMALL_MESH
from physics.engine.collide.vectors import add3, dot3, to_local, to_world
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3

CAP_VERTICES = 16  # of a cap
# A quarter of the rim in the digits of the official one, as the contacts of a cylinder upright on a larger one show them: all quads of
# a cap are equally large, so the last digit decides which four of its corners are kept.
QUARTER = ((1.0, 0.0), (0.923879532511287, 0.38268343236509), (0.707106781186548, 0.707106781186547), (0.38268343236509, 0.923879532511287))
RIM_X = tuple(c * x - s * y for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)) for x, y in QUARTER)
RIM_Y = tuple(s * x + c * y for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1)) for x, y in QUARTER)
BOX_FACES = (7, 3, 1, 5, 2, 6, 4, 0, 2, 3, 7, 6, 4, 5, 1, 0, 6, 7, 5, 4, 3, 2, 0, 1)  # of the six faces; bits as in ccd_vertid
UPRIGHT = 1e-5  # cosine of normal and axis below which no cap of a cylinder is touched


@helper
def feature_vertex(d, s, i):
    """Vertex of shape s that is the i-th different one in the simplex, -1: none."""
    # a, b: the first two different vertices among the rows of the simplex; there is a third where it spans a face
    a = -1
    b = -1
    for k in range(4):
        row = d.ccd_simplex[k]
        if row >= 0:
            v = d.ccd_vertid[row, s]
            if v >= 0:
                if a < 0:
                    a = v
                elif b < 0 and v != a:
                    b = v
                elif v != a and v != b:
                    return v if i == 2 else (b if i == 1 else a)
    return -1 if i == 2 else (b if i == 1 else a)


@helper
def feature_dimension(d, s):
    """1: shape s is touched at a vertex or on its curved side, 2: on an edge, 3: on a face."""
    kind = d.ccd_shape[s]
    if kind == CCD_CYLINDER or kind == CCD_CAPSULE or feature_vertex(d, s, 1) < 0:
        return 1
    return 2 if feature_vertex(d, s, 2) < 0 else 3


@helper
def face_has_vertex(m, v, face):
    """whether a face of a mesh has the vertex v, a row of mesh_vert"""
    for k in range(m.mesh_polymapadr[v], m.mesh_polymapadr[v] + m.mesh_polymapnum[v]):
        if m.mesh_polymap[k] == face:
            return True
    return False


@helper(fastmath=EXACT)
def face_normal(m, d, s, face):
    """Outer unit normal of a face of shape s, in the world."""
    kind = d.ccd_shape[s]
    R = ld9(d.ccd_mat, s)
    if kind == CCD_CYLINDER:
        return (R[2], R[5], R[8]) if face == 0 else (-R[2], -R[5], -R[8])
    if kind == CCD_BOX:
        x = -1.0 if face & 1 else 1.0
        k = face >> 1
        return to_world(R, (x if k == 0 else 0.0, x if k == 1 else 0.0, x if k == 2 else 0.0))
    return to_world(R, ld3(m.mesh_polynormal, m.mesh_polyadr[d.ccd_mesh[s, 3]] + face))


@helper(fastmath=EXACT)
def faces_away(m, d, s, face):
    """Whether a face of shape s has its back to the other shape: of thin ones both sides meet at every vertex"""
    x = dot3(face_normal(m, d, s, face), ld3(d.ccd_normal, 0))
    return not (x if s == 0 else -x) > 0.0


@kernel("m d i", ret="i", fastmath=EXACT)
def candidate_faces(m, d, s):
    """List the faces of shape s that may touch, in ccd_contactface. -> their number

    Reads: ccd_shape, ccd_simplex, ccd_vertid, ccd_mesh, ccd_mat, ccd_normal, mesh_polymap, mesh_polynormal
    Writes: ccd_contactface
    """
    # a cylinder: the cap towards which the normal leans
    kind = d.ccd_shape[s]
    n = 0
    if kind == CCD_CYLINDER:
        up = to_local(ld9(d.ccd_mat, s), ld3(d.ccd_normal, 0))[2]
        if abs(up) > UPRIGHT:
            d.ccd_contactface[0, s] = 0 if (up > 0.0) == (s == 0) else 1
            n = 1
        return n
    # else the faces that hold all vertices a, b, c of the feature that the simplex spans
    a = feature_vertex(d, s, 0)
    if a < 0:
        return 0
    b = feature_vertex(d, s, 1)
    c = feature_vertex(d, s, 2)
    # a box: the faces whose sign bit all vertices share
    if kind == CCD_BOX:
        for k in range(3):
            bit = (a >> k) & 1
            if (b < 0 or (b >> k) & 1 == bit) and (c < 0 or (c >> k) & 1 == bit):
                d.ccd_contactface[n, s] = 2 * k + 1 - bit
                n += 1
    # a mesh: of the polygons at a those at b and c too, and turned to the other shape
    elif kind == CCD_SMALL_MESH or kind == CCD_MESH:
        first = d.ccd_mesh[s, 0]
        for k in range(m.mesh_polymapadr[first + a], m.mesh_polymapadr[first + a] + m.mesh_polymapnum[first + a]):
            p = m.mesh_polymap[k]
            if (b < 0 or face_has_vertex(m, first + b, p)) and (c < 0 or face_has_vertex(m, first + c, p)) and not faces_away(m, d, s, p):
                d.ccd_contactface[n, s] = p
                n += 1
    return n


@helper
def face_size(m, d, s, face):
    """number of corners of a face of shape s"""
    kind = d.ccd_shape[s]
    if kind == CCD_CYLINDER:
        return CAP_VERTICES
    if kind == CCD_BOX:
        return 4
    return m.mesh_polyvertnum[m.mesh_polyadr[d.ccd_mesh[s, 3]] + face]


@helper(fastmath=EXACT)
def vertex_position(m, d, s, v):
    """Place of vertex v of a box or mesh in the world."""
    if d.ccd_shape[s] == CCD_BOX:
        h = ld3(d.ccd_size, s)
        p = (h[0] if v & 1 else -h[0], h[1] if v & 2 else -h[1], h[2] if v & 4 else -h[2])
    else:
        k = d.ccd_mesh[s, 0] + v
        p = (m.mesh_vert[k, 0], m.mesh_vert[k, 1], m.mesh_vert[k, 2])
    return add3(to_world(ld9(d.ccd_mat, s), p), ld3(d.ccd_pos, s))


@kernel("m d i i i", fastmath=EXACT)
def write_face(m, d, s, face, row):
    """Write the corners of a face of shape s, in the world, to ccd_polygon from `row` on.

    Reads: ccd_shape, ccd_size, ccd_mat, ccd_pos, ccd_mesh, mesh_polyvert, mesh_vert
    Writes: ccd_polygon
    """
    # a cap: its circle as a regular polygon, turned round for the lower cap so that it is clockwise from outside
    kind = d.ccd_shape[s]
    if kind == CCD_CYLINDER:
        r = d.ccd_size[s, 0]
        h = d.ccd_size[s, 1]
        R = ld9(d.ccd_mat, s)
        at = ld3(d.ccd_pos, s)
        side = 1.0 if face == 0 else -1.0
        for k in range(CAP_VERTICES):
            st3(d.ccd_polygon, row + k, add3(to_world(R, (r * RIM_X[k], r * RIM_Y[k] * -side, h * side)), at))
        return
    # a box or mesh: polygons of a mesh are stored counter-clockwise
    n = face_size(m, d, s, face)
    for k in range(n):
        if kind == CCD_BOX:
            v = BOX_FACES[4 * face + k]
        else:
            v = m.mesh_polyvert[m.mesh_polyvertadr[m.mesh_polyadr[d.ccd_mesh[s, 3]] + face] + n - 1 - k]
        st3(d.ccd_polygon, row + k, vertex_position(m, d, s, v))


@helper
def edge_count(m, d, s):
    """number of edges of shape s that may touch"""
    kind = d.ccd_shape[s]
    if kind == CCD_CYLINDER or kind == CCD_CAPSULE:
        return 1
    if feature_vertex(d, s, 0) < 0 or feature_vertex(d, s, 2) >= 0:
        return 0
    if feature_vertex(d, s, 1) >= 0:
        return 1
    if kind == CCD_BOX:
        return 3
    return m.mesh_polymapnum[d.ccd_mesh[s, 0] + feature_vertex(d, s, 0)]


@helper
def previous_vertex(m, d, s, v, i):
    """Vertex before v in the i-th polygon of a mesh at v."""
    p = m.mesh_polyadr[d.ccd_mesh[s, 3]] + m.mesh_polymap[m.mesh_polymapadr[d.ccd_mesh[s, 0] + v] + i]
    first = m.mesh_polyvertadr[p]
    last = first + m.mesh_polyvertnum[p] - 1
    before = m.mesh_polyvert[last]
    for k in range(first, last + 1):
        if m.mesh_polyvert[k] == v:
            return before
        before = m.mesh_polyvert[k]
    return v


@kernel("m d i i i f", fastmath=EXACT)
def write_edge(m, d, s, i, row, swollen):
    """Write both ends of the i-th edge of shape s, in the world, to ccd_polygon from `row` on; that of a capsule whose radius is larger by `swollen`.

    A capsule's line is officially as far from its axis as the normal, as long as that radius, leads away from it: on the surface only
    where the side is touched, inside where an end is.
    Reads: ccd_shape, ccd_size, ccd_radius, ccd_mat, ccd_pos, ccd_normal, ccd_simplex, ccd_vertid, ccd_mesh, mesh_polyvert, mesh_polymap, mesh_vert
    Writes: ccd_polygon
    """
    # cylinder, capsule: the generatrix (line of the side) towards the other shape, at the radial part of the normal u
    kind = d.ccd_shape[s]
    if kind == CCD_CYLINDER or kind == CCD_CAPSULE:
        R = ld9(d.ccd_mat, s)
        u = to_local(R, ld3(d.ccd_normal, 0))
        if kind == CCD_CAPSULE:
            r = d.ccd_radius[s] + swollen
        else:
            w = sqrt(u[0] * u[0] + u[1] * u[1])
            r = d.ccd_size[s, 0] / w if w > 1e-15 else 0.0
        r = r if s == 0 else -r
        # a cylinder's starts at the end that leans towards the other shape, as officially
        h = d.ccd_size[s, 1]
        if kind == CCD_CYLINDER and (u[2] > 0.0) == (s == 0):
            h = -h
        at = ld3(d.ccd_pos, s)
        st3(d.ccd_polygon, row, add3(to_world(R, (u[0] * r, u[1] * r, -h)), at))
        st3(d.ccd_polygon, row + 1, add3(to_world(R, (u[0] * r, u[1] * r, h)), at))
        return
    # box, mesh: the edge between both vertices of the feature, or the i-th edge at its only one
    v = feature_vertex(d, s, 0)
    w = feature_vertex(d, s, 1)
    if w < 0:
        w = v ^ (1 << i) if kind == CCD_BOX else previous_vertex(m, d, s, v, i)
    st3(d.ccd_polygon, row, vertex_position(m, d, s, v))
    st3(d.ccd_polygon, row + 1, vertex_position(m, d, s, w))

