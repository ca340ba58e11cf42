"""How the momenta that bodies bring along change with the velocities: in closed form.

With z1 the pose one step back, p = -F(turn from z2 to z1), F the momentum that a step to there would end with: of the same form as what the step itself ends with,
so that its slope by the bodies' motion is momentum_slope at that turn. A dof's velocity moves z1 by its twist there against the velocity; of a rotation
exp(-h w) the axes are those of the body at z1 after the right Jacobian of -h w.

Source: Dojo (engine/hard/__init__.py), equations 16-18; Sola, Deray and Atchuthan, "A micro Lie theory for state estimation in robotics", 2018, (143).
"""
from __future__ import annotations

from math import cos, sin, sqrt

from physics.engine.hard.derivatives.responses import add_wrenches
from physics.engine.hard.momenta import momentum_slope
from physics.engine.hard.poses import carrier_of
from physics.engine.hard.sensitivity import take_island
from physics.engine.hard.tendon.bordered import clear_right
from physics.engine.kinematics.joints import rotation_dof
from physics.engine.linalg.spatial import addscl6
from physics.engine.linalg.vec import cross3, dot3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, st6

SMALL_ANGLE = 0.1   # of a rotation [rad]: below it a series


@helper
def right_jacobian(w):
    """How exp(w) changes with w, in body axes, row by row: 1 - a [w] + b [w]^2."""
    x = dot3(w, w)
    angle = sqrt(x)
    if angle < SMALL_ANGLE:
        a = 0.5 - x * (1.0 / 24.0 - x / 720.0)
        b = 1.0 / 6.0 - x * (1.0 / 120.0 - x / 5040.0)
    else:
        a = (1.0 - cos(angle)) / x
        b = (angle - sin(angle)) / (x * angle)
    return (1.0 - b * (w[1] * w[1] + w[2] * w[2]), b * w[0] * w[1] + a * w[2], b * w[0] * w[2] - a * w[1],
            b * w[0] * w[1] - a * w[2], 1.0 - b * (w[0] * w[0] + w[2] * w[2]), b * w[1] * w[2] + a * w[0],
            b * w[0] * w[2] + a * w[1], b * w[1] * w[2] - a * w[0], 1.0 - b * (w[0] * w[0] + w[1] * w[1]))


@helper
def twist_before(m, e, k):
    """Twist at z1 of what dof k's velocity moves there, against it: hard_axis of e is that of z1."""
    r = rotation_dof(m, m.dof_jntid[k])
    if r < 0 or k < r:
        t = ld6(e.hard_axis, k)
        return t[0], t[1], t[2], t[3], t[4], t[5]
    h = e.hard_h
    j = right_jacobian((-h * e.hard_qd0[r], -h * e.hard_qd0[r + 1], -h * e.hard_qd0[r + 2]))
    x = (j[0], j[3], j[6])
    if k == r + 1:
        x = (j[1], j[4], j[7])
    elif k == r + 2:
        x = (j[2], j[5], j[8])
    t = addscl6((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), ld6(e.hard_axis, r), x[0])
    t = addscl6(t, ld6(e.hard_axis, r + 1), x[1])
    return addscl6(t, ld6(e.hard_axis, r + 2), x[2])


@helper
def less_momentum(m, d, e, b, v):
    """hard_wrench of body b: less the change of the momentum that it brings along where z1 moves by -v."""
    s = momentum_slope(e, b)
    mass = m.body_mass[b]
    st6(d.hard_wrench, b, (-mass * v[0], -mass * v[1], -mass * v[2], -(s[0] * v[3] + s[1] * v[4] + s[2] * v[5]), -(s[3] * v[3] + s[4] * v[4] + s[5] * v[5]),
                           -(s[6] * v[3] + s[7] * v[4] + s[8] * v[5])))


@kernel("m d d")
def add_momentum_slopes(m, d, e):
    """Add to the right sides of the columns by velocities what the momenta change by; e: at z1, as momenta leaves it.

    Reads: hard_nisland, hard_islandadr, hard_islandnum, hard_order, hard_place, hard_first, hard_end, hard_x, hard_axis, hard_axis2, hard_x2, hard_turn, hard_inertia, hard_qd0, hard_h
    Writes: hard_right, hard_wrench, hard_y, hard_nu, and what take_island writes
    """
    for i in range(d.hard_nisland):
        take_island(m, d, i)
        for at in range(d.hard_first, d.hard_end):
            b = d.hard_order[at]
            for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
                clear_right(m, d)
                # the body and all that hangs on it, parents first; hard_nu is what moves
                for place in range(at, d.hard_first - 1, -1):
                    c = d.hard_order[place]
                    a = carrier_of(m, c)
                    v = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
                    if c == b:
                        v = twist_before(m, e, k)
                    elif a > 0 and d.hard_place[a] <= at:
                        v = ld6(d.hard_nu, a)
                        t = cross3((v[3], v[4], v[5]), sub3(ld3(e.hard_x, c), ld3(e.hard_x, a)))
                        v = (v[0] + t[0], v[1] + t[1], v[2] + t[2], v[3], v[4], v[5])
                    st6(d.hard_nu, c, v)
                    less_momentum(m, d, e, c, v)
                add_wrenches(m, d, m.nv + k)
