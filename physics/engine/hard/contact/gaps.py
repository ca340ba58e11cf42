"""The gap of a contact row at the trial pose, and how fast its points slip: one function for each kind of gap.

    frozen   the normal stays as it was, the witness points ride on their bodies (edges, height fields): error of second order in the step
    round    the distance of two points that ride on their bodies, less the radii (balls, sides of cylinders, a ball at a corner)
    segment  the distance of two segments that ride on their bodies, of which one may be a point, less the radii (capsules that are not parallel): exact
    face     the normal and a point ride on the body whose face it is: exact as long as a point meets a face
    support  a face against a disc or an ellipsoid: exact, whatever it rolls by

Slopes: for all of these the gap changes by n3 . (v + w x r) of body 2 less the same of body 1, with the present normal n3 and an arm r that is the present
witness, or for the owner of the face the other body's witness, as the normal turns with it. Of a support the witness is the lowest point, which is where
the gap has no slope along the shape (envelope theorem); of segments the witnesses are their nearest points, for the same reason.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (1), (19), (20).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.hard.contact.mocap import END, QUOTIENT, START, TURN, mocap_row
from physics.engine.hard.start_scales import may_stay
from physics.engine.linalg.quat import conj4, rotate
from physics.engine.linalg.vec import add3, cross3, dot3, scl3, sub3
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld4, ld6, ld9, st3, st6

# kinds; faces are on geom 1, or on geom 2, supports likewise, with a disc or an ellipsoid as the other shape
FROZEN, ROUND, FACE_ONE, FACE_TWO, SUPPORT_ONE, SUPPORT_TWO, SEGMENTS = range(7)
FLAT = 1e-12   # shortest distance from a centre to its lowest point, squared [m^2]


@helper
def place(d, b):
    """Centre of mass of body b at the trial pose, of a mocap body (b < 0, mocap.py) its place at the step's end; the origin for what does not move."""
    if b == 0:
        return 0.0, 0.0, 0.0
    if b < 0:
        e = mocap_row(d, b)
        return e[END], e[END + 1], e[END + 2]
    x = ld3(d.hard_x, b)
    return x[0], x[1], x[2]


@helper
def place_before(d, b):
    """Centre of mass of body b at the start of the step, of a mocap body its place; the origin for what does not move."""
    if b == 0:
        return 0.0, 0.0, 0.0
    if b < 0:
        e = mocap_row(d, b)
        return e[START], e[START + 1], e[START + 2]
    x = ld3(d.hard_x2, b)
    return x[0], x[1], x[2]


@helper
def turn_of(d, b):
    """How body b, which moves, has turned since the start of the step."""
    if b < 0:
        e = mocap_row(d, b)
        return e[TURN], e[TURN + 1], e[TURN + 2], e[TURN + 3]
    t = ld4(d.hard_turn, b)
    return t[0], t[1], t[2], t[3]


@helper
def velocity_of(d, b):
    """Difference quotients of body b, which moves: of its place [m/s] and its turn [rad/s]."""
    if b < 0:
        e = mocap_row(d, b)
        return e[QUOTIENT], e[QUOTIENT + 1], e[QUOTIENT + 2], e[QUOTIENT + 3], e[QUOTIENT + 4], e[QUOTIENT + 5]
    u = ld6(d.hard_vel, b)
    return u[0], u[1], u[2], u[3], u[4], u[5]


@helper
def turned(d, b, v):
    """A vector that rides on body b, given as at the start of the step, at the trial pose."""
    if b == 0:
        return v[0], v[1], v[2]
    return rotate(turn_of(d, b), v)


@helper
def turned_back(d, b, v):
    """The inverse: as it was at the start of the step."""
    if b == 0:
        return v[0], v[1], v[2]
    return rotate(conj4(turn_of(d, b)), v)


@helper
def times_symmetric(q, v):
    """Q v, Q given by its entries xx, xy, xz, yy, yz, zz."""
    return q[0] * v[0] + q[1] * v[1] + q[2] * v[2], q[1] * v[0] + q[3] * v[1] + q[4] * v[2], q[2] * v[0] + q[4] * v[1] + q[5] * v[2]


@helper
def lowest(q, n):
    """The point of the ellipsoid x = Q^(1/2) u, |u| <= 1, that lies farthest along -n, and how far: -Q n / sqrt(n' Q n), sqrt(n' Q n).

    Of a disc of radius r and axis a, Q is r^2 (1 - a a').
    """
    y = times_symmetric(q, n)
    depth2 = dot3(n, y)
    if depth2 < FLAT:
        return 0.0, 0.0, 0.0, 0.0
    depth = sqrt(depth2)
    s = -1.0 / depth
    return s * y[0], s * y[1], s * y[2], depth


@helper
def clamped(x):
    """x limited to [-1, 1]."""
    return max(-1.0, min(1.0, x))


@helper
def nearest_of_segments(e, a, b):
    """(s, t) in [-1, 1] for which e + t b - s a is shortest: nearest points of two segments about their middles, e from the first to the second.

    A segment may be a point. Source: Ericson, "Real-Time Collision Detection", 5.1.9.
    """
    aa = dot3(a, a)
    bb = dot3(b, b)
    ae = dot3(a, e)
    be = dot3(b, e)
    if aa < FLAT:
        return 0.0, (clamped(-be / bb) if bb >= FLAT else 0.0)
    if bb < FLAT:
        return clamped(ae / aa), 0.0
    ab = dot3(a, b)
    # nearest points of the lines, then each clamped with the other's answer to it
    det = aa * bb - ab * ab
    s = clamped((ae * bb - ab * be) / det) if det > 1e-12 * aa * bb else 0.0
    t = (ab * s - be) / bb
    if t < -1.0 or t > 1.0:
        t = clamped(t)
        s = clamped((ab * t + ae) / aa)
    return s, t


@helper
def rest_of(kind, n, e, shape):
    """What the kind of gap gives at the start of the step, from the normal n and e, witness 2 less witness 1; hrow_rest is the distance less this."""
    if kind == ROUND:
        return sqrt(dot3(e, e))
    if kind == SEGMENTS:
        a = (shape[0], shape[1], shape[2])
        b = (shape[3], shape[4], shape[5])
        s, t = nearest_of_segments(e, a, b)
        x = add3(e, sub3(scl3(b, t), scl3(a, s)))
        return sqrt(dot3(x, x))
    if kind >= SUPPORT_ONE:
        s = 1.0 if kind == SUPPORT_ONE else -1.0
        low = lowest(shape, scl3(n, s))
        return dot3(n, e) - low[3]
    return dot3(n, e)


@helper
def gap_of_row(m, d, c):
    """Gap of row c at the trial pose [m], without what hrow_floor allows; its slopes go to hrow_normal and hrow_reach.

    Reads: hard_x, hard_turn, hard_mocap
    """
    b1 = d.hrow_body[c, 0]
    b2 = d.hrow_body[c, 1]
    kind = d.hrow_kind[c]
    n = (d.hrow_dir[c, 6], d.hrow_dir[c, 7], d.hrow_dir[c, 8])
    w = ld6(d.hrow_witness, c)
    # witnesses at the trial pose: about their bodies, and their distance
    r1 = turned(d, b1, (w[0], w[1], w[2]))
    r2 = turned(d, b2, (w[3], w[4], w[5]))
    e = sub3(add3(place(d, b2), r2), add3(place(d, b1), r1))
    if kind == SEGMENTS:
        # from their middles to the points of both segments that are nearest now
        half = ld6(d.hrow_shape, c)
        a1 = turned(d, b1, (half[0], half[1], half[2]))
        a2 = turned(d, b2, (half[3], half[4], half[5]))
        s, t = nearest_of_segments(e, a1, a2)
        a1 = scl3(a1, s)
        a2 = scl3(a2, t)
        r1 = add3(r1, a1)
        r2 = add3(r2, a2)
        e = add3(e, sub3(a2, a1))
    if kind == ROUND or kind == SEGMENTS:
        # the normal follows the line between the points
        length = sqrt(dot3(e, e))
        n = scl3(e, 1.0 / max(length, 1e-12))
        gap = length
    elif kind == FROZEN:
        gap = dot3(n, e)
    else:
        # the normal turns with the body whose face it is
        one = kind == FACE_ONE or kind == SUPPORT_ONE
        owner = b1 if one else b2
        n = turned(d, owner, n)
        if kind >= SUPPORT_ONE:
            # the shape's lowest point towards the face takes its centre's place
            body = b2 if one else b1
            s = 1.0 if one else -1.0
            low = lowest(ld6(d.hrow_shape, c), turned_back(d, body, scl3(n, s)))
            at = turned(d, body, (low[0], low[1], low[2]))
            if one:
                r2 = add3(r2, at)
                e = add3(e, at)
            else:
                r1 = add3(r1, at)
                e = sub3(e, at)
        gap = dot3(n, e)
        # n3 . (P2 - P1) changes with n3 by w x n3 . e: the owner's arm ends at the other's witness
        if one:
            r1 = add3(r1, e)
        else:
            r2 = sub3(r2, e)
    st3(d.hrow_normal, c, n)
    st6(d.hrow_reach, c, (r1[0], r1[1], r1[2], r2[0], r2[1], r2[2]))
    return gap + d.hrow_rest[c]


@helper
def gap_asked(m, d, c):
    """Gap of row c over the time step [m/s] that must not be negative: overlaps that were there before may stay while hard_recover is 0."""
    return (gap_of_row(m, d, c) - may_stay(d, d.hrow_floor[c])) / d.hard_h


@helper
def relative_velocity(d, c):
    """Velocity of body 2 less that of body 1 at the contact point as it was at the start of the step [m/s], and the same of their turns [rad/s]."""
    a = ld6(d.hrow_arm, c)
    v = (0.0, 0.0, 0.0)
    w = (0.0, 0.0, 0.0)
    b = d.hrow_body[c, 1]
    if b != 0:
        u = velocity_of(d, b)
        w = (u[3], u[4], u[5])
        v = add3((u[0], u[1], u[2]), cross3(w, (a[3], a[4], a[5])))
    b = d.hrow_body[c, 0]
    if b != 0:
        u = velocity_of(d, b)
        w1 = (u[3], u[4], u[5])
        v = sub3(v, add3((u[0], u[1], u[2]), cross3(w1, (a[0], a[1], a[2]))))
        w = sub3(w, w1)
    return v[0], v[1], v[2], w[0], w[1], w[2]


@helper
def slip_of_row(d, c):
    """Velocities of row c at the trial pose that friction acts on: two sliding [m/s], spin, two rolling [rad/s], those of the surfaces themselves included.

    Of directions that the contact has not they are 0.
    """
    dim = d.hrow_dim[c]
    if dim == 1:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    u = relative_velocity(d, c)
    f = ld9(d.hrow_dir, c)
    t1 = (f[0], f[1], f[2])
    t2 = (f[3], f[4], f[5])
    v = (u[0], u[1], u[2])
    s1 = dot3(t1, v) + d.hrow_drive[c, 0]
    s2 = dot3(t2, v) + d.hrow_drive[c, 1]
    if dim == 3:
        return s1, s2, 0.0, 0.0, 0.0
    w = (u[3], u[4], u[5])
    spin = dot3((f[6], f[7], f[8]), w) + d.hrow_drive[c, 2]
    if dim == 4:
        return s1, s2, spin, 0.0, 0.0
    return s1, s2, spin, dot3(t1, w), dot3(t2, w)
