"""Contacts among spheres, capsules and cylinders: each ends in a test of two balls.

Routines: (m, d, g1, g2, margin) -> number of points written from row d.ncon on; normals point from g1 to g2.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.contact import put
from physics.engine.collide.plane import plane_sphere_at
from physics.engine.collide.vectors import add3, addscl3, clip, cross3, dot3, scl3, sub3, unit3, z_axis
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9

PARALLEL = 1e-8  # squared sine below which two capsules are taken as parallel


@helper(fastmath=EXACT)
def sphere_pair(d, k, margin, c1, r1, z1, c2, r2, z2):
    """Test balls (c1, r1) and (c2, r2); write contact k. -> 0 or 1

    Where the centres coincide the normal is z1 x z2, the axes of the geoms, or x if those are parallel.
    """
    e = sub3(c1, c2)
    gap2 = dot3(e, e)
    reach = margin + r1 + r2
    if gap2 > reach * reach:
        return 0
    dist = sqrt(gap2) - r1 - r2
    u = unit3(sub3(c2, c1))
    if u[3] < MINVAL:
        u = unit3(cross3(z1, z2))
    n = (u[0], u[1], u[2])
    put(d, k, dist, add3(scl3(n, r1 + dist / 2.0), c1), n)
    return 1


@kernel("m d i i f", ret="i", fastmath=EXACT)
def sphere_sphere(m, d, g1, g2, margin):
    """One point on the line of centres."""
    return sphere_pair(d, d.ncon, margin, ld3(d.geom_xpos, g1), m.geom_size[g1, 0], z_axis(ld9(d.geom_xmat, g1)),
                     ld3(d.geom_xpos, g2), m.geom_size[g2, 0], z_axis(ld9(d.geom_xmat, g2)))


@kernel("m d i i f", ret="i", fastmath=EXACT)
def sphere_capsule(m, d, g1, g2, margin):
    """The sphere against the ball at the nearest point of the capsule's segment."""
    c1 = ld3(d.geom_xpos, g1)
    c2 = ld3(d.geom_xpos, g2)
    axis = z_axis(ld9(d.geom_xmat, g2))
    half = m.geom_size[g2, 1]
    x = clip(dot3(axis, sub3(c1, c2)), -half, half)
    return sphere_pair(d, d.ncon, margin, c1, m.geom_size[g1, 0], z_axis(ld9(d.geom_xmat, g1)),
                     add3(scl3(axis, x), c2), m.geom_size[g2, 0], axis)


@kernel("m d i i f", ret="i", fastmath=EXACT)
def sphere_cylinder(m, d, g1, g2, margin):
    """The sphere against the side, a cap or the rim of the cylinder, whichever is nearest its centre.

    With the centre inside, the shallower of side and cap counts, the side when equal.
    """
    c1 = ld3(d.geom_xpos, g1)
    z1 = z_axis(ld9(d.geom_xmat, g1))
    c2 = ld3(d.geom_xpos, g2)
    axis = z_axis(ld9(d.geom_xmat, g2))
    r1 = m.geom_size[g1, 0]
    r2 = m.geom_size[g2, 0]
    half = m.geom_size[g2, 1]
    v = sub3(c1, c2)
    x = dot3(axis, v)
    foot = scl3(axis, x)
    radial = sub3(v, foot)
    radial2 = dot3(radial, radial)
    side = abs(x) < half
    cap = radial2 < r2 * r2
    if side and cap:
        cap = half - abs(x) < r2 - sqrt(radial2)
        side = not cap
    k = d.ncon
    if side:
        return sphere_pair(d, k, margin, c1, r1, z1, add3(foot, c2), r2, axis)
    up = 1.0 if x > 0.0 else -1.0
    if cap:
        return plane_sphere_at(d, k, margin, addscl3(c2, axis, up * half), scl3(axis, up), c1, r1, -1.0, (0.0, 0.0, 0.0))
    rim = add3(add3(scl3(axis, up * half), scl3(radial, r2 / sqrt(radial2))), c2)
    return sphere_pair(d, k, margin, c1, r1, z1, rim, 0.0, axis)


@helper(fastmath=EXACT)
def parallel_capsules(d, k, margin, c1, r1, z1, h1, c2, r2, z2, h2):
    """Balls at the two ends of the stretch that the parallel segments have side by side, the -z1 end first.

    Each starts from an end of segment 1; where segment 2 ends before, from there.
    """
    n = 0
    for i in range(2):
        x1 = h1 if i == 1 else -h1
        x2 = dot3(z2, sub3(addscl3(c1, z1, x1), c2))
        if abs(x2) > h2:
            x2 = clip(x2, -h2, h2)
            x1 = clip(dot3(z1, sub3(addscl3(c2, z2, x2), c1)), -h1, h1)
        p1 = addscl3(c1, z1, x1)
        p2 = addscl3(c2, z2, x2)
        n += sphere_pair(d, k + n, margin, p1, r1, z1, p2, r2, z2)
    return n


@kernel("m d i i f", ret="i", fastmath=EXACT)
def capsule_capsule(m, d, g1, g2, margin):
    """Balls at the closest points of the two segments; for parallel segments up to two points, at segment ends.

    Closest points c1 + x1 a1 and c2 + x2 a2 minimise the distance over -1 <= x1, x2 <= 1.
    """
    # segments c1 + x1 a1 and c2 + x2 a2
    c1 = ld3(d.geom_xpos, g1)
    c2 = ld3(d.geom_xpos, g2)
    z1 = z_axis(ld9(d.geom_xmat, g1))
    z2 = z_axis(ld9(d.geom_xmat, g2))
    r1 = m.geom_size[g1, 0]
    r2 = m.geom_size[g2, 0]
    h1 = m.geom_size[g1, 1]
    h2 = m.geom_size[g2, 1]
    e = sub3(c1, c2)
    k = d.ncon
    normal = cross3(z1, z2)
    if dot3(normal, normal) < PARALLEL:
        return parallel_capsules(d, k, margin, c1, r1, z1, h1, c2, r2, z2, h2)
    # foot points of the common normal, with cross products so that small angles keep their digits
    a1 = scl3(z1, h1)
    a2 = scl3(z2, h2)
    normal = cross3(a1, a2)
    inv = 1.0 / dot3(normal, normal)
    x1 = -dot3(normal, cross3(e, a2)) * inv
    x2 = dot3(normal, cross3(a1, e)) * inv
    # normal equations, for the closest point on one segment where the other's parameter is clamped (Ericson, section 5.1.9)
    ma = dot3(a1, a1)
    mb = -dot3(a1, a2)
    mc = dot3(a2, a2)
    u = -dot3(a1, e)
    v = dot3(a2, e)
    if x1 > 1.0:
        x1 = 1.0
        x2 = (v - mb) / mc
    elif x1 < -1.0:
        x1 = -1.0
        x2 = (v + mb) / mc
    # x2 beyond its end: clamp it, and x1 for it
    if x2 > 1.0:
        x2 = 1.0
        x1 = clip((u - mb) / ma, -1.0, 1.0)
    elif x2 < -1.0:
        x2 = -1.0
        x1 = clip((u + mb) / ma, -1.0, 1.0)
    return sphere_pair(d, k, margin, add3(scl3(a1, x1), c1), r1, z1, add3(scl3(a2, x2), c2), r2, z2)
