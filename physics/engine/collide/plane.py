"""Contacts of an infinite plane (its z-axis is the outer normal) with sphere, capsule, cylinder, ellipsoid and box.

      n ^   .--.
        |  ( c  )      dist = n.(c - p) - r, negative when below
    ----p---'--'----   the point lies midway between the surfaces

Routines: (m, d, g1, g2, margin) -> number of points written from row d.ncon on; g1 is the plane; points farther than
`margin` (here margin + gap of the pair) do not count.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.contact import put, put_along
from physics.engine.collide.vectors import add3, addscl3, cross3, dot3, scl3, sub3, to_local, to_world, unit3, z_axis
from physics.enums import MINVAL
from physics.kernels.decorators import EXACT, helper, kernel
from physics.kernels.rows import ld3, ld9

SQRT3 = 1.7320508075688772


@helper(fastmath=EXACT)
def plane_sphere_at(d, k, margin, p, n, c, r, sign, tangent):
    """Test the ball (c, r) against the plane (p, n); write contact k with normal sign * n. -> 0 or 1"""
    h = dot3(sub3(c, p), n)
    if h > margin + r:
        return 0
    dist = h - r
    put_along(d, k, dist, add3(c, scl3(n, -dist / 2.0 - r)), scl3(n, sign), tangent)
    return 1


@kernel("m d i i f", ret="i", fastmath=EXACT)
def plane_sphere(m, d, g1, g2, margin):
    """One point below the centre."""
    return plane_sphere_at(d, d.ncon, margin, ld3(d.geom_xpos, g1), z_axis(ld9(d.geom_xmat, g1)), ld3(d.geom_xpos, g2),
                      m.geom_size[g2, 0], 1.0, (0.0, 0.0, 0.0))


@kernel("m d i i f", ret="i", fastmath=EXACT)
def plane_capsule(m, d, g1, g2, margin):
    """A ball at each end, the +z end first; the capsule's axis is the first tangent."""
    p = ld3(d.geom_xpos, g1)
    n = z_axis(ld9(d.geom_xmat, g1))
    c = ld3(d.geom_xpos, g2)
    axis = z_axis(ld9(d.geom_xmat, g2))
    r = m.geom_size[g2, 0]
    half = scl3(axis, m.geom_size[g2, 1])
    k = d.ncon
    found = plane_sphere_at(d, k, margin, p, n, add3(c, half), r, 1.0, axis)
    return found + plane_sphere_at(d, k + found, margin, p, n, sub3(c, half), r, 1.0, axis)


@kernel("m d i i f", ret="i", fastmath=EXACT)
def plane_cylinder(m, d, g1, g2, margin):
    """Lowest rim point of the near cap, its partner on the far cap, then two more that make a triangle on the near cap.

    Nothing at all when the lowest point is out of reach.
    """
    # n, the plane's normal; h, the height of the centre
    R = ld9(d.geom_xmat, g2)
    n = z_axis(ld9(d.geom_xmat, g1))
    c = ld3(d.geom_xpos, g2)
    r = m.geom_size[g2, 0]
    # axis towards the plane
    axis = z_axis(R)
    drop = dot3(n, axis)
    if drop > 0.0:
        axis = scl3(axis, -1.0)
        drop = -drop
    h = dot3(sub3(c, ld3(d.geom_xpos, g1)), n)
    # steepest radial direction, of length r
    radial = sub3(scl3(axis, drop), n)
    length2 = dot3(radial, radial)
    if length2 >= MINVAL * MINVAL:
        radial = scl3(radial, r / sqrt(length2))
    else:
        radial = (R[0] * r, R[3] * r, R[6] * r)
    # heights along n: drop of a cap's centre, dip of its lowest rim point
    dip = dot3(radial, n)
    axis = scl3(axis, m.geom_size[g2, 1])
    drop = drop * m.geom_size[g2, 1]

    k = d.ncon
    dist = h + drop + dip
    if dist > margin:
        return 0
    put(d, k, dist, addscl3(add3(add3(c, radial), axis), n, -dist * 0.5), n)
    k += 1
    # the partner of the lowest point on the far cap
    dist = h - drop + dip
    if dist <= margin:
        put(d, k, dist, addscl3(sub3(add3(c, radial), axis), n, -dist * 0.5), n)
        k += 1
    # two more rim points, 120 degrees to either side of the lowest
    dist = h + drop - dip * 0.5
    if dist <= margin:
        u = unit3(cross3(radial, axis))
        side = scl3((u[0], u[1], u[2]), r * SQRT3 / 2.0)
        put(d, k, dist, addscl3(addscl3(add3(add3(c, side), axis), radial, -0.5), n, -dist * 0.5), n)
        put(d, k + 1, dist, addscl3(addscl3(add3(sub3(c, side), axis), radial, -0.5), n, -dist * 0.5), n)
        k += 2
    return k - d.ncon


@kernel("m d i i f", ret="i", fastmath=EXACT)
def plane_ellipsoid(m, d, g1, g2, margin):
    """One point: where the ellipsoid's outer normal is opposed to the plane's."""
    R = ld9(d.geom_xmat, g2)
    n = z_axis(ld9(d.geom_xmat, g1))
    s = ld3(m.geom_size, g2)
    v = to_local(R, scl3(n, -1.0))
    u = unit3((v[0] * s[0], v[1] * s[1], v[2] * s[2]))
    q = add3(to_world(R, (u[0] * s[0], u[1] * s[1], u[2] * s[2])), ld3(d.geom_xpos, g2))
    dist = dot3(n, sub3(q, ld3(d.geom_xpos, g1)))
    if dist > margin:
        return 0
    put(d, d.ncon, dist, addscl3(q, n, -0.5 * dist), n)
    return 1


@kernel("m d i i f", ret="i", fastmath=EXACT)
def plane_box(m, d, g1, g2, margin):
    """Corners within reach and not above the centre, x varying fastest; at most the first four."""
    R = ld9(d.geom_xmat, g2)
    n = z_axis(ld9(d.geom_xmat, g1))
    c = ld3(d.geom_xpos, g2)
    s = ld3(m.geom_size, g2)
    h = dot3(sub3(c, ld3(d.geom_xpos, g1)), n)
    found = 0
    for i in range(8):
        corner = to_world(R, (s[0] if i & 1 else -s[0], s[1] if i & 2 else -s[1], s[2] if i & 4 else -s[2]))
        rise = dot3(n, corner)
        if rise <= 0.0 and h + rise <= margin and found < 4:
            dist = h + rise
            put(d, d.ncon + found, dist, add3(add3(corner, c), scl3(n, -dist / 2.0)), n)
            found += 1
    return found
