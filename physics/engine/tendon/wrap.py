"""The shortest path of a string around a sphere or a cylinder: length on the surface and the two points where it touches.

A problem in the plane: a sphere's plane holds its centre and both ends, a cylinder's is perpendicular to its axis, and its
path climbs evenly along the axis. A side site chooses the way round, or, when it lies inside, asks for a path that is held
inside the circle and touches it in one point.

A side site outside chooses by one of two rules:

    WINDING      4.0: the string winds as the line from the first end over the side site to the second end does
    HALF_PLANE   before: the string passes by where it stays clear of the circle in the side site's half plane; else it goes
                 round where the middle of its touching points is nearer to the side site's direction. With it a side site that is
                 inside as seen in the plane counts as inside, even if it is in front of the sphere or far along the axis

Source: MuJoCo documentation, XML reference, tendon/spatial/geom; changelog, version 4.0.0. The older rule was found by comparing
with version 2.3.7.
"""
from __future__ import annotations

from math import acos, asin, atan2, cos, pi, sin, sqrt

from physics.engine.linalg.vec import add3, addscl3, cross3, dot3, mat_t_vec3, mat_vec3, norm3, scl3, sub3, unit3
from physics.enums import MINVAL
from physics.kernels.decorators import helper

NO_SIDE, WINDING, HALF_PLANE = 0, 1, 2
NO_WRAP = -1.0  # length where the string passes straight by
MISS = (NO_WRAP, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # no path on the circle
MAX_ITERATIONS = 20
ACCURACY = 1e-6  # of the touching point's equation; the official engine stops there too, so its result is no more exact than this


@helper
def within_one(x):
    """x within [-1, 1], for inverse sines."""
    return min(max(x, -1.0), 1.0)


@helper
def norm2(x, y):
    """Length of a plane vector."""
    return sqrt(x * x + y * y)


@helper
def unit2(x, y):
    """Direction of a plane vector, (1, 0) where it is shorter than MINVAL."""
    n = norm2(x, y)
    if n < MINVAL:
        return 1.0, 0.0
    return x / n, y / n


@helper
def segments_cross(ax, ay, bx, by, cx, cy, ex, ey):
    """Whether the segments a-b and c-e have a point in common; parallel ones have none."""
    det = (ey - cy) * (bx - ax) - (ex - cx) * (by - ay)
    if abs(det) < MINVAL:
        return False
    s = (ex - cx) * (ay - cy) - (ey - cy) * (ax - cx)
    t = (bx - ax) * (ay - cy) - (by - ay) * (ax - cx)
    if det < 0.0:
        det, s, t = -det, -s, -t
    return s >= 0.0 and s <= det and t >= 0.0 and t <= det


@helper
def nearest_on_segment(ax, ay, bx, by):
    """(share along a-b, square of the distance) of the segment's point that is nearest to the origin."""
    dx = bx - ax
    dy = by - ay
    share = min(max(-(dx * ax + dy * ay) / (dx * dx + dy * dy), 0.0), 1.0)
    x = share * dx + ax
    y = share * dy + ay
    return share, x * x + y * y


@helper
def tangent_length(x, y, r):
    """How long the tangents from (x, y), which is not inside the circle, to it are."""
    return sqrt(max(x * x + y * y - r * r, 0.0))


@helper
def tangent_point(x, y, r, sense, t):
    """Where the tangent from (x, y), of length t, touches the circle: counterclockwise from the point for sense = 1, clockwise for -1."""
    square = x * x + y * y
    rr = r * r
    turn = sense * r
    return (x * rr - turn * y * t) / square, (y * rr + turn * x * t) / square


@helper
def around_freely(ax, ay, bx, by, r, rule, sx, sy):
    """Wrap around the circle the shorter way, or with HALF_PLANE on the side of the direction s: (length, first touch, second touch, ways to them).

    Not where the straight line passes the circle by; with HALF_PLANE only if it does so on the side of s.
    """
    near = nearest_on_segment(ax, ay, bx, by)
    if near[1] > r * r and (rule == NO_SIDE or sx * (ax + near[0] * (bx - ax)) + sy * (ay + near[0] * (by - ay)) >= 0.0):
        return MISS
    ta = tangent_length(ax, ay, r)
    tb = tangent_length(bx, by, r)
    chosen = -1
    least = 0.0
    best = (0.0, 0.0, 0.0, 0.0)
    for k in range(2):
        sense = 2.0 * k - 1.0  # clockwise first
        px, py = tangent_point(ax, ay, r, sense, ta)
        qx, qy = tangent_point(bx, by, r, -sense, tb)
        badness = (px - qx) * (px - qx) + (py - qy) * (py - qy)
        if rule == HALF_PLANE:
            middle = unit2(px + qx, py + qy)
            badness = -(middle[0] * sx + middle[1] * sy)
        if segments_cross(ax, ay, px, py, bx, by, qx, qy) or (chosen >= 0 and badness > least):
            continue
        chosen = k
        least = badness
        best = (px, py, qx, qy)
    if chosen < 0:
        return MISS
    px, py, qx, qy = best
    side = py * qx - px * qy
    angle = acos(within_one((px * qx + py * qy) / sqrt((px * px + py * py) * (qx * qx + qy * qy))))
    if (chosen == 0 and side < 0.0) or (chosen == 1 and side > 0.0):
        angle = 2.0 * pi - angle
    return r * angle, px, py, qx, qy, ta, tb


@helper
def winding(ax, ay, bx, by, sx, sy):
    """How a - s - b winds about the origin, each of its parts the short way: (1 counterclockwise or -1, whether by more than half a turn).

    It can do that only where both parts turn the same way (a straight angle counts as counterclockwise); then b comes to lie on the other side of a.
    """
    one = ax * sy - ay * sx
    two = sx * by - sy * bx
    both = ax * by - ay * bx
    dot = ax * bx + ay * by
    if one < 0.0 and two < 0.0:
        return -1.0, both > 0.0 or (both == 0.0 and dot > 0.0)
    if one >= 0.0 and two >= 0.0:
        return 1.0, both < 0.0 or (both == 0.0 and dot > 0.0 and ax * sx + ay * sy < 0.0)
    if both < 0.0:
        return -1.0, False
    return 1.0, False


@helper
def around_sided(ax, ay, bx, by, r, sx, sy):
    """Wrap around the circle the way that the line over the side point s goes: (length, first touch, second touch, ways to them).

    The arc is how far that way winds less the two angles between an end and its tangent point, cos = r / its distance:
    a product of complex numbers has that angle, up to a whole turn.
    """
    sense, far = winding(ax, ay, bx, by, sx, sy)
    ta = tangent_length(ax, ay, r)
    tb = tangent_length(bx, by, r)
    x = r * r - ta * tb
    y = -r * (ta + tb)
    dot = ax * bx + ay * by
    cross = sense * (ax * by - ay * bx)
    arc = atan2(dot * y + cross * x, dot * x - cross * y)
    if far and arc < 0.0:
        arc += 2.0 * pi
    if arc <= 0.0:
        return MISS
    px, py = tangent_point(ax, ay, r, sense, ta)
    qx, qy = tangent_point(bx, by, r, -sense, tb)
    return r * arc, px, py, qx, qy, ta, tb


@helper
def touch_angle(a, b, gap):
    """Angle of incidence t where a string held inside touches: asin(a sin t) + asin(b sin t) - 2 t + gap = 0; -1: none.

    Newton's method from the grazing angle down, to the official accuracy.
    """
    t = 0.5 * pi
    f = asin(a) + asin(b) - 2.0 * t + gap
    for _ in range(MAX_ITERATIONS):
        if f > ACCURACY:
            return -1.0
        if f >= -ACCURACY:
            return t
        s = sin(t)
        c = cos(t)
        slope = a * c / max(MINVAL, sqrt(1.0 - a * a * s * s)) + b * c / max(MINVAL, sqrt(1.0 - b * b * s * s)) - 2.0
        if slope > -MINVAL:
            return -1.0
        t -= f / slope
        s = sin(t)
        f = asin(within_one(a * s)) + asin(within_one(b * s)) - 2.0 * t + gap
    return -1.0


@helper
def inside_path(ax, ay, bx, by, x, y):
    """The path from a to b that touches the circle in (x, y) alone, as held_inside gives it."""
    return 0.0, x, y, x, y, norm2(ax - x, ay - y), norm2(bx - x, by - y)


@helper
def held_inside(ax, ay, bx, by, r):
    """Path that touches the circle from inside in one point: (0, touch, touch, ways to it); NO_WRAP where the line passes inside anyway."""
    la = norm2(ax, ay)
    lb = norm2(bx, by)
    apart = (bx - ax) * (bx - ax) + (by - ay) * (by - ay)
    if la <= r or lb <= r:
        return MISS
    if apart > MINVAL:
        near = nearest_on_segment(ax, ay, bx, by)
        if near[0] > 0.0 and near[0] < 1.0 and near[1] <= r * r:
            return MISS
    between = (la * la + lb * lb - apart) / (2.0 * la * lb)
    if between < MINVAL - 1.0:
        return MISS
    u = unit2(0.5 * (ax + bx), 0.5 * (ay + by))
    touch = inside_path(ax, ay, bx, by, r * u[0], r * u[1])  # where the equation has no answer
    if between > 1.0 - MINVAL:
        return touch
    t = touch_angle(r / la, r / lb, acos(within_one(between)))
    if t < 0.0:
        return touch
    # turn from one end towards the other, counterclockwise
    if ax * by - ay * bx > 0.0:
        u = unit2(ax, ay)
        angle = t - asin(r / la * sin(t))
    else:
        u = unit2(bx, by)
        angle = t - asin(r / lb * sin(t))
    x = r * (cos(angle) * u[0] - sin(angle) * u[1])
    y = r * (sin(angle) * u[0] + cos(angle) * u[1])
    return inside_path(ax, ay, bx, by, x, y)


@helper
def sphere_plane(a, b):
    """Two unit axes of the plane through the origin and the points a, b; the first points to a."""
    first = unit3(a)
    normal = cross3(a, b)
    if norm3(normal) < MINVAL:
        # any plane through a: leave out the largest component
        x = abs(first[0])
        y = abs(first[1])
        z = abs(first[2])
        other = (0.0, 1.0, 1.0)
        if y > x and y > z:
            other = (1.0, 0.0, 1.0)
        elif z > x and z > y:
            other = (1.0, 1.0, 0.0)
        normal = cross3(first, other)
    return first, unit3(cross3(unit3(normal), first))


@helper
def wrap_flat(ax, ay, bx, by, r, rule, inside, sx, sy):
    """The plane problem: (length or NO_WRAP, first touch, second touch, ways to them from the ends)."""
    if r < MINVAL or ax * ax + ay * ay < r * r or bx * bx + by * by < r * r:
        return MISS
    if inside:
        return held_inside(ax, ay, bx, by, r)
    if (bx - ax) * (bx - ax) + (by - ay) * (by - ay) < MINVAL:
        return MISS
    if rule == WINDING:
        return around_sided(ax, ay, bx, by, r, sx, sy)
    return around_freely(ax, ay, bx, by, r, rule, sx, sy)


@helper
def side_rule(m, sided):
    """The rule by which side sites choose in this model."""
    if not sided:
        return NO_SIDE
    if m.flg_halfplane != 0:
        return HALF_PLANE
    return WINDING


@helper
def wrap(p0, p1, pos, mat, r, is_cylinder, rule, side):
    """String from p0 to p1 around a sphere or cylinder of radius r at pos, mat (axis z): (length, first, second touching point).

    rule: how `side`, a point, chooses the way round. Length NO_WRAP: the string passes straight by.
    """
    miss = (NO_WRAP, p0, p1)
    a = mat_t_vec3(mat, sub3(p0, pos))
    b = mat_t_vec3(mat, sub3(p1, pos))
    if dot3(a, a) < MINVAL * MINVAL or dot3(b, b) < MINVAL * MINVAL:
        return miss
    e1 = (1.0, 0.0, 0.0)
    e2 = (0.0, 1.0, 0.0)
    if not is_cylinder:
        e1, e2 = sphere_plane(a, b)
    inside = False
    sx = 0.0
    sy = 0.0
    if rule != NO_SIDE:
        s = mat_t_vec3(mat, sub3(side, pos))
        sx, sy = dot3(s, e1), dot3(s, e2)
        inside = dot3(s, s) < r * r or (rule == HALF_PLANE and sx * sx + sy * sy < r * r)
        if sx * sx + sy * sy < MINVAL * MINVAL:
            sx, sy = 1.0, 0.0
    flat = wrap_flat(dot3(a, e1), dot3(a, e2), dot3(b, e1), dot3(b, e2), r, rule, inside, sx, sy)
    length = flat[0]
    if length < 0.0:
        return miss
    first = addscl3(scl3(e1, flat[1]), e2, flat[2])
    last = addscl3(scl3(e1, flat[3]), e2, flat[4])
    if is_cylinder:
        # the path climbs evenly
        climb = (b[2] - a[2]) / (flat[5] + length + flat[6])
        first = (first[0], first[1], a[2] + climb * flat[5])
        last = (last[0], last[1], b[2] - climb * flat[6])
        length = norm2(length, climb * length)
    return length, add3(mat_vec3(mat, first), pos), add3(mat_vec3(mat, last), pos)
