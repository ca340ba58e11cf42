"""More than one contact where two convex shapes touch with faces or edges.

Two faces that are parallel within about five degrees make a patch: the second's corners, cut by the first's sides. An edge that lies on a
face as nearly gives the ends of the part of it that is over the face. All points share one normal, that of the face.

      ______            _____
     |______|          |_____|      two parallel faces: up to four points
    ___________       ____\\________   an edge on a face: two

Source: MuJoCo documentation, chapter Computation, "Multiple contacts"; the official engine's contacts of random poses.
"""
from __future__ import annotations

from physics.engine.collide.contact import put
from physics.engine.collide.convex.clip import clip_polygon, drop_above, farthest_two, large_quad
from physics.engine.collide.convex.faces import candidate_faces, edge_count, face_normal, face_size, feature_dimension, write_edge, write_face
from physics.engine.collide.convex.shapes import CCD_CAPSULE, CCD_CYLINDER
from physics.engine.collide.vectors import addscl3, dot3, scl3, sub3, to_local
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9, st3

PARALLEL = 0.996  # cosine between face normals, 5.1 degrees
AXIAL = 1e-9  # sine between a contact's normal and an axis that are one
EDGE_ON_FACE = 0.0888  # cosine between an edge and a face's normal: 5.1 degrees


@helper(fastmath=EXACT)
def most_parallel_faces(m, d, n0, n1):
    """(i, j) of the most parallel of the first n0 and n1 faces listed in ccd_contactface, -1 where none are nearly so; j without i is 0."""
    # outer normals of faces that lie on each other are opposed: the cosine nearest to -1 wins, below -PARALLEL only
    best = -PARALLEL
    one = -1
    two = 0
    for i in range(n0):
        u = face_normal(m, d, 0, d.ccd_contactface[i, 0])
        for j in range(n1):
            x = dot3(u, face_normal(m, d, 1, d.ccd_contactface[j, 1]))
            if x < best:
                best = x
                one = i
                two = j
    return one, two


@kernel("m d i i f", ret="i", fastmath=EXACT)
def clip_faces(m, d, face, other, reach):
    """Points between a face of shape 0 and one of shape 1. -> their number

    Reads: ccd_shape, ccd_polygon
    Writes: ccd_polygon, contact_dist, contact_pos, contact_frame
    """
    # reference face (normal u) of shape 0, incident face (normal v) of shape 1; contacts share the normal -v
    sides = face_size(m, d, 0, face)
    write_face(m, d, 0, face, 0)
    write_face(m, d, 1, other, m.nclip)
    u = face_normal(m, d, 0, face)
    v = face_normal(m, d, 1, other)
    normal = scl3(v, -1.0)
    # clip the incident polygon by the sides of the reference face, keep what is within reach of it, and at most four corners of that
    n = clip_polygon(m, d, sides, face_size(m, d, 1, other), u[0], u[1], u[2])
    row = 3 * m.nclip if sides & 1 else m.nclip
    n = drop_above(m, d, row, n, u[0], u[1], u[2], reach)
    at = ld3(d.ccd_polygon, 0)
    if n > 4:
        large_quad(m, d, row, n)
        n = 4
        row = 0
    for k in range(n):
        p = ld3(d.ccd_polygon, row + k)
        # along the first face's normal onto it, then along the common one
        foot = addscl3(p, u, -dot3(sub3(p, at), u))
        dist = dot3(sub3(p, foot), normal)
        put(d, d.ncon + k, dist, addscl3(foot, normal, 0.5 * dist), normal)
    return n


@helper(fastmath=EXACT)
def is_upright(d, s):
    """whether the normal is the axis of a cylinder: then no line of its side lies farther out than the others"""
    u = to_local(ld9(d.ccd_mat, s), ld3(d.ccd_normal, 0))
    return u[0] * u[0] + u[1] * u[1] < AXIAL * AXIAL


@kernel("m d i i i f", ret="i", fastmath=EXACT)
def clip_edge(m, d, s, edge, face, reach):
    """Ends of the part of an edge of shape s that is over a face of the other shape; -1: the edge does not lie on it.

    Reads: ccd_shape, ccd_mat, ccd_normal, ccd_polygon
    Writes: ccd_polygon, contact_dist, contact_pos, contact_frame
    """
    # e, the edge; it lies on the face of normal u where it is nearly normal to u
    other = 1 - s
    u = face_normal(m, d, other, face)
    outward = 1.0 if other == 0 else -1.0
    row = m.nclip
    swollen = max(0.5 * reach, 0.0)
    write_edge(m, d, s, edge, row, swollen)
    e = sub3(ld3(d.ccd_polygon, row + 1), ld3(d.ccd_polygon, row))
    x = dot3(e, u)
    if not x * x < EDGE_ON_FACE * EDGE_ON_FACE * dot3(e, e):
        return -1
    # no line of an upright cylinder's side is touched more than another
    if d.ccd_shape[s] == CCD_CYLINDER and is_upright(d, s):
        return 0
    # a capsule is swollen by its half of the margin along the contact's normal, which is taken off along the face's
    if d.ccd_shape[s] == CCD_CAPSULE:
        for k in range(row, row + 2):
            st3(d.ccd_polygon, k, addscl3(ld3(d.ccd_polygon, k), u, swollen))
    # clip it by the face's sides and drop what is out of reach above the face
    sides = face_size(m, d, other, face)
    write_face(m, d, other, face, 0)
    n = clip_polygon(m, d, sides, 2, u[0], u[1], u[2])
    if sides & 1:
        row = 3 * m.nclip
    n = drop_above(m, d, row, n, u[0], u[1], u[2], reach)
    # points in which a side cuts appear twice: of more than two the two farthest apart are the ends
    at = ld3(d.ccd_polygon, 0)
    if n > 2:
        farthest_two(m, d, row, n)
        n = 2
        row = 0
    # h, the height over the face, is the distance; the contact is midway along u
    normal = scl3(u, outward)
    for k in range(n):
        p = ld3(d.ccd_polygon, row + k)
        h = dot3(sub3(p, at), u)
        put(d, d.ncon + k, h, addscl3(p, u, -0.5 * h), normal)
    return n


@helper(fastmath=EXACT)
def edge_on_face(m, d, s, faces, reach):
    """Points of the first edge of shape s that lies on one of the first `faces` faces listed of the other, -1: none does."""
    count = edge_count(m, d, s)
    for j in range(faces):
        for i in range(count):
            n = clip_edge(m, d, s, i, d.ccd_contactface[j, 1 - s], reach)
            if n >= 0:
                return n
    return -1


@kernel("m d f", ret="i", fastmath=EXACT)
def multicontact(m, d, reach):
    """Write all points between the two loaded shapes, of which `ccd_distance` has found the nearest ones. -> their number, 0 where it is those alone

    Reads: ccd_shape, ccd_simplex, ccd_vertid, ccd_normal
    Writes: ccd_contactface, ccd_polygon, contact_dist, contact_pos, contact_frame
    """
    # face against face
    if m.nclip == 0:
        return 0
    n0 = candidate_faces(m, d, 0)
    n1 = candidate_faces(m, d, 1)
    i, j = most_parallel_faces(m, d, n0, n1)
    if i >= 0:
        return clip_faces(m, d, d.ccd_contactface[i, 0], d.ccd_contactface[j, 1], reach)
    # else edge against face: the edge is of the shape whose touched feature has the lower dimension, of either where they are equal
    span0 = feature_dimension(d, 0)
    span1 = feature_dimension(d, 1)
    if span0 < 3 and span0 <= span1:
        n = edge_on_face(m, d, 0, n1, reach)
        if n >= 0:
            return n
    if span1 < 3 and (span1 <= span0 or d.ccd_shape[0] == CCD_CYLINDER):
        n = edge_on_face(m, d, 1, n0, reach)
        if n >= 0:
            return n
    return 0
