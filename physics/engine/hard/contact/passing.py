"""Round shapes that pass through each other within a step: their gap is a distance, which is positive on both sides.

With the solve done, the line between the points that a round row goes from is followed from the start of the step to its end, as if both moved straight. Where it becomes
much shorter than the radii and long again, the shapes have passed, or the trial pose is on its way to the far side: the row is held apart along the line as it was when they
touched first, a plane that rides with nothing (kind FROZEN). What merely passes by keeps its distance, and what rolls along something round does, as it never comes near.

Source: our own; Ericson, "Real-Time Collision Detection", 5.5.1 (moving balls), Mirtich, "Impulse-based Dynamic Simulation of Rigid Body Systems", 1996, 2.3 (conservative
advancement).
"""
from __future__ import annotations

from math import sqrt

from physics.engine.collide.contact import complete_frame
from physics.engine.hard.contact.corners import ball_radius
from physics.engine.hard.contact.gaps import FROZEN, ROUND, SEGMENTS, nearest_of_segments, place, place_before, turned
from physics.engine.hard.contact.points import frame_to_row
from physics.engine.kinematics.shapes import CAPSULE, SPHERE
from physics.engine.linalg.vec import add3, dot3, norm3, scl3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld6, st6

NEAR, NEARER = 0.9, 0.7   # parts of the radii: a line that becomes so short has passed, the second where it begins and ends about as long as the radii
FAR = 1.1                 # from this part on it begins or ends far off
CLOSE = 1e-3              # part of the radii by which the first touch may be missed
MOST = 64                 # advances
TINY = 1e-9               # m


@helper
def between(p, q, t):
    """The point at t on the way from p to q."""
    return p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1]), p[2] + t * (q[2] - p[2])


@helper
def line_at(e0, e1, h0, h1, t):
    """(s, u, line): the shortest line between two segments at time t, and at which parts of them it ends; e, h: the line of their middles and half of each, six, at both ends of
    the step."""
    e = between(e0, e1, t)
    a = between((h0[0], h0[1], h0[2]), (h1[0], h1[1], h1[2]), t)
    b = between((h0[3], h0[4], h0[5]), (h1[3], h1[4], h1[5]), t)
    s, u = nearest_of_segments(e, a, b)
    x = add3(e, sub3(scl3(b, u), scl3(a, s)))
    return s, u, x[0], x[1], x[2]


@helper
def comes_to(e0, e1, h0, h1, speed, wanted):
    """The first time in [0, 1] at which the line is as short as `wanted`, 2 where it never is: advanced by what it cannot lose sooner."""
    t = 0.0
    for _ in range(MOST):
        f = line_at(e0, e1, h0, h1, t)
        x = (f[2], f[3], f[4])
        left = sqrt(dot3(x, x)) - wanted
        if left <= CLOSE * wanted:
            return t
        t += left / speed
        if t > 1.0:
            return 2.0
    return 2.0


@kernel("m d i", ret="i")
def hold_passing(m, d, c):
    """Hold row c apart along the line of its first touch where its shapes pass through each other on the way to the trial pose. Returns 1 where they do.

    Reads: hard_x, hard_x2, hard_turn, hard_mocap, hrow_kind, hrow_body, hrow_geom, hrow_rest, hrow_contact, hard_kept
    Writes: hrow_kind, hrow_dir, hrow_arm, hrow_witness, hard_kept, hard_changed
    """
    b1 = d.hrow_body[c, 0]
    b2 = d.hrow_body[c, 1]
    w = ld6(d.hrow_witness, c)
    p1 = (w[0], w[1], w[2])
    p2 = (w[3], w[4], w[5])
    x1 = place_before(d, b1)
    x2 = place_before(d, b2)
    e0 = sub3(add3(x2, p2), add3(x1, p1))
    e1 = sub3(add3(place(d, b2), turned(d, b2, p2)), add3(place(d, b1), turned(d, b1, p1)))
    h0 = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    h1 = h0
    if d.hrow_kind[c] == SEGMENTS:
        f = ld6(d.hrow_shape, c)
        a = turned(d, b1, (f[0], f[1], f[2]))
        b = turned(d, b2, (f[3], f[4], f[5]))
        h0 = (f[0], f[1], f[2], f[3], f[4], f[5])
        h1 = (a[0], a[1], a[2], b[0], b[1], b[2])
    # how fast the line may become shorter
    speed = norm3(sub3(e1, e0)) + norm3((h1[0] - h0[0], h1[1] - h0[1], h1[2] - h0[2])) + norm3((h1[3] - h0[3], h1[4] - h0[4], h1[5] - h0[5]))
    begins = line_at(e0, e1, h0, h1, 0.0)
    ends = line_at(e0, e1, h0, h1, 1.0)
    first = norm3((begins[2], begins[3], begins[4]))
    last = norm3((ends[2], ends[3], ends[4]))
    radii = -d.hrow_rest[c]
    least = min(radii, first)
    if least < TINY or speed < (1.0 - NEAR) * least:
        return 0
    wanted = (NEAR if max(first, last) > FAR * radii else NEARER) * least
    if comes_to(e0, e1, h0, h1, speed, wanted) > 1.0:
        return 0
    # the line as they touch: where it ends on both bodies, and its direction
    t = comes_to(e0, e1, h0, h1, speed, least)
    f = line_at(e0, e1, h0, h1, t)
    x = (f[2], f[3], f[4])
    n = scl3(x, 1.0 / norm3(x))
    p1 = add3(p1, scl3((h0[0], h0[1], h0[2]), f[0]))
    p2 = add3(p2, scl3((h0[3], h0[4], h0[5]), f[1]))
    g = complete_frame((n[0], n[1], n[2], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    d.hrow_kind[c] = FROZEN
    frame_to_row(d, c, g)
    st6(d.hrow_witness, c, (p1[0], p1[1], p1[2], p2[0], p2[1], p2[2]))
    for i in range(2):
        b = d.hrow_body[c, i]
        if b > 0:
            d.hard_changed[m.body_treeid[b]] = 1
    # the impulse acts on each where they meet then, which is where neither is now
    r1 = radius_of(m, d.hrow_geom[c, 0], d.hrow_geom[c, 1], radii)
    a1 = add3(p1, scl3(n, r1))
    a2 = sub3(p2, scl3(n, radii - r1))
    st6(d.hrow_arm, c, (a1[0], a1[1], a1[2], a2[0], a2[1], a2[2]))
    k = d.hrow_contact[c]
    q = add3(x2, a2)
    for i in range(3):
        d.hard_kept[k, 1 + i] = q[0] if i == 0 else (q[1] if i == 1 else q[2])
    for i in range(9):
        d.hard_kept[k, 4 + i] = frame_number(g, i)
    return 1


@helper
def frame_number(g, i):
    """Number i of nine."""
    if i < 3:
        return g[0] if i == 0 else (g[1] if i == 1 else g[2])
    if i < 6:
        return g[3] if i == 3 else (g[4] if i == 4 else g[5])
    return g[6] if i == 6 else (g[7] if i == 7 else g[8])


@helper
def radius_of(m, g1, g2, radii):
    """What geom 1 has of the radii of both."""
    t = m.geom_type[g1]
    if t == SPHERE or t == CAPSULE:
        return m.geom_size[g1, 0]
    return radii - ball_radius(m, g2)


@kernel("m d", ret="i")
def hold_what_passes(m, d):
    """Hold apart all round rows whose shapes pass through each other. Returns how many there are; their solves are to be repeated.

    Reads: hard_nrow, hrow_kind, and what hold_passing reads
    Writes: what hold_passing writes
    """
    n = 0
    for c in range(d.hard_nrow):
        if d.hrow_kind[c] == ROUND or d.hrow_kind[c] == SEGMENTS:
            n += hold_passing(m, d, c)
    return n
