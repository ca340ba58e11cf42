"""Tell quickly that two convex geoms are out of reach: by their boxes, then by the direction that told so before.

Both are proofs from the present poses, so what was found before decides how long it takes, never what comes out.

Source: S. Gottschalk, M. Lin, D. Manocha, "OBBTree", SIGGRAPH 1996, section 5 (the six face normals);
G. van den Bergen, "Collision Detection in Interactive 3D Environments", 2003, section 4.3.6 (axes kept between steps).
"""
from __future__ import annotations

from physics.engine.collide.convex.support import minkowski_support
from physics.engine.collide.filter import pair_reach
from physics.engine.collide.vectors import add3, dot3, sub3, to_local, to_world
from physics.engine.kinematics.shapes import MESH, SPHERE, half_extents
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, st3

SLACK = 1e-12  # of the sizes: more than rounding
SLOTS_PER_GEOM = 16  # places per geom to keep axes in


@helper(fastmath=EXACT)
def box_of(m, g):
    """centre and half sizes of a geom's box in its frame"""
    if m.geom_type[g] == MESH:
        return ld6(m.geom_aabb, g)
    h = half_extents(m.geom_type[g], ld3(m.geom_size, g))
    return 0.0, 0.0, 0.0, h[0], h[1], h[2]


@kernel("m d i i f", ret="i", fastmath=EXACT)
def boxes_apart(m, d, g1, g2, reach):
    """Whether a face normal of one of the two geoms' boxes shows that they are farther apart than reach.

    Reads: geom_type, geom_size, geom_aabb, geom_xpos, geom_xmat
    Writes: nothing
    """
    # e: from the centre of box 1 to that of box 2, in the world; of a mesh the box is not about the geom's own centre
    R1 = ld9(d.geom_xmat, g1)
    R2 = ld9(d.geom_xmat, g2)
    a = box_of(m, g1)
    b = box_of(m, g2)
    e = sub3(ld3(d.geom_xpos, g2), ld3(d.geom_xpos, g1))
    e = sub3(add3(e, to_world(R2, (b[0], b[1], b[2]))), to_world(R1, (a[0], a[1], a[2])))
    limit = reach + SLACK * (a[3] + a[4] + a[5] + b[3] + b[4] + b[5])
    # u: e in the frame of box 1; x, y, z: the axes of box 2 there, that is the columns of R1' R2
    u = to_local(R1, e)
    x = to_local(R1, (R2[0], R2[3], R2[6]))
    y = to_local(R1, (R2[1], R2[4], R2[7]))
    z = to_local(R1, (R2[2], R2[5], R2[8]))
    # along a face normal of box 1: distance of the centres less both half extents (Gottschalk, section 5)
    if abs(u[0]) - a[3] - abs(x[0]) * b[3] - abs(y[0]) * b[4] - abs(z[0]) * b[5] > limit:
        return 1
    if abs(u[1]) - a[4] - abs(x[1]) * b[3] - abs(y[1]) * b[4] - abs(z[1]) * b[5] > limit:
        return 1
    if abs(u[2]) - a[5] - abs(x[2]) * b[3] - abs(y[2]) * b[4] - abs(z[2]) * b[5] > limit:
        return 1
    # along the face normals of box 2; edge-edge axes are left to GJK
    if abs(dot3(x, u)) - b[3] - abs(x[0]) * a[3] - abs(x[1]) * a[4] - abs(x[2]) * a[5] > limit:
        return 1
    if abs(dot3(y, u)) - b[4] - abs(y[0]) * a[3] - abs(y[1]) * a[4] - abs(y[2]) * a[5] > limit:
        return 1
    if abs(dot3(z, u)) - b[5] - abs(z[0]) * a[3] - abs(z[1]) * a[4] - abs(z[2]) * a[5] > limit:
        return 1
    return 0


@kernel("m d i", ret="i", fastmath=EXACT)
def drop_separated(m, d, n):
    """Drop those of the first n candidates that are meshes against convex geoms and whose boxes are apart; -> how many stay.

    Before they are sorted: of many geoms in few bodies, bounding balls leave too many pairs.
    Reads: cand_geom, geom_type, geom_size, geom_aabb, geom_xpos, geom_xmat, geom_margin, geom_gap, contact_reach
    Writes: cand_geom
    """
    # the same test that convex_convex begins with, made here once for meshes so that fewer pairs are sorted; the list is compacted in place
    stay = 0
    for k in range(n):
        g1 = d.cand_geom[k, 0]
        g2 = d.cand_geom[k, 1]
        t1 = min(m.geom_type[g1], m.geom_type[g2])
        t2 = max(m.geom_type[g1], m.geom_type[g2])
        if t1 >= SPHERE and t2 == MESH and boxes_apart(m, d, g1, g2, max(0.0, pair_reach(m, d, g1, g2))):
            continue
        d.cand_geom[stay, 0] = g1
        d.cand_geom[stay, 1] = g2
        stay += 1
    return stay


@helper
def axis_slot(m, g1, g2):
    """row of sepaxis_dir for two geoms; others may have the same"""
    return (g1 * 1021 + g2) % (SLOTS_PER_GEOM * m.ngeom)


@helper
def has_axis(m, d, g1, g2):
    """whether the two geoms have an axis"""
    k = axis_slot(m, g1, g2)
    return d.sepaxis_geom[k, 0] == g1 + 1 and d.sepaxis_geom[k, 1] == g2 + 1


@helper(fastmath=EXACT)
def axis_separates(m, d, g1, g2, limit):
    """Whether the kept axis still separates the two geoms, which are loaded and related, by more than limit."""
    n = ld3(d.sepaxis_dir, axis_slot(m, g1, g2))
    w = minkowski_support(m, d, 0, n)
    return dot3(n, w) < -limit - SLACK * (abs(w[0]) + abs(w[1]) + abs(w[2]) + limit)


@helper(fastmath=EXACT)
def store_axis(m, d, g1, g2, n):
    """Keep the unit vector n, in the frame of geom g1, as the axis of two geoms."""
    k = axis_slot(m, g1, g2)
    d.sepaxis_geom[k, 0] = g1 + 1
    d.sepaxis_geom[k, 1] = g2 + 1
    st3(d.sepaxis_dir, k, n)


@helper
def clear_axis(m, d, g1, g2):
    """They are in reach: an axis would be tried in vain."""
    d.sepaxis_geom[axis_slot(m, g1, g2), 0] = 0
