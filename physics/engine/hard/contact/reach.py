"""How much nearer geoms may come within a step: so far beyond their margins their contacts are listed, as any of them may be active at its end. And whether the end
that was found must be looked at: where nothing went farther than that, and all rows are exact, nothing can have come through."""
from __future__ import annotations

from math import sqrt

from physics.engine.hard.contact.gaps import FACE_ONE, FACE_TWO, ROUND, SEGMENTS, SUPPORT_ONE, SUPPORT_TWO
from physics.engine.hard.contact.mocap import ANGULAR, LINEAR, START, carried_by, mocap_row
from physics.engine.hard.poses import moves
from physics.engine.hard.start_scales import fall_speed
from physics.engine.kinematics.shapes import CAPSULE, ELLIPSOID, PLANE, SPHERE
from physics.engine.linalg.vec import dot3, norm3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, st3

LEAST = 1e-3   # reach of a geom that moves, at least [m]


@helper
def mocap_reach(m, d, k):
    """How far geom k of what has no dofs moves in the step: 0 where it is not a moving mocap body's."""
    if m.nmocap == 0:
        return 0.0
    b = carried_by(m, d, m.geom_bodyid[k])
    if b == 0:
        return 0.0
    x = mocap_row(d, b)
    e = sub3(ld3(d.geom_xpos, k), (x[START], x[START + 1], x[START + 2]))
    r = sqrt(dot3(e, e)) + m.geom_rbound[k]
    return d.hard_h * (norm3((x[LINEAR], x[LINEAR + 1], x[LINEAR + 2])) + r * norm3((x[ANGULAR], x[ANGULAR + 1], x[ANGULAR + 2])))


@kernel()
def widen_reach(m, d):
    """contact_reach of the geoms: h (|v| + |w| r + g h) of their bodies, r to their farthest points, at least a millimetre; 0 of what does not move.

    Reads: hard_vel, hard_h, hard_mocap, geom_xpos, xipos, geom_rbound
    Writes: contact_reach, hard_reach
    """
    h = d.hard_h
    fall = fall_speed(m, d)
    for b in range(m.nbody):
        if moves(m, b):
            u = ld6(d.hard_vel, b)
            st3(d.hard_reach, b, (h * (norm3((u[0], u[1], u[2])) + fall), h * norm3((u[3], u[4], u[5])), 0.0))
    for k in range(m.ngeom):
        b = m.geom_bodyid[k]
        if m.body_treeid[b] < 0:
            d.contact_reach[k] = mocap_reach(m, d, k)
            continue
        e = sub3(ld3(d.geom_xpos, k), ld3(d.xipos, b))
        r = sqrt(dot3(e, e)) + m.geom_rbound[k]
        d.contact_reach[k] = max(LEAST, d.hard_reach[b, 0] + r * d.hard_reach[b, 1])
        d.hard_reach[b, 2] = max(d.hard_reach[b, 2], r)


@kernel()
def end_reach(m, d):
    """No geom reaches beyond its margin any more: for the soft engine, and for whoever asks for the state's own contacts.

    Reads: nothing
    Writes: contact_reach
    """
    for k in range(m.ngeom):
        d.contact_reach[k] = 0.0


@helper
def went_beyond(m, d, b):
    """Whether a point of body b's geoms may have gone farther than its reach was: linear in its distance from the centre, so that the nearest and the farthest tell."""
    u = ld6(d.hard_vel, b)
    v = d.hard_h * norm3((u[0], u[1], u[2]))
    far = v + d.hard_h * norm3((u[3], u[4], u[5])) * d.hard_reach[b, 2]
    if far <= LEAST:
        return False
    return v > d.hard_reach[b, 0] or far > d.hard_reach[b, 0] + d.hard_reach[b, 1] * d.hard_reach[b, 2]


@helper
def is_exact(m, d, c):
    """Whether the rows of two geoms hold them apart whatever they do within reach: a plane against what is round, balls and crossed capsules against each other."""
    kind = d.hrow_kind[c]
    one = m.geom_type[d.hrow_geom[c, 0]]
    two = m.geom_type[d.hrow_geom[c, 1]]
    if kind == ROUND:
        return one == SPHERE and two == SPHERE
    if kind == FACE_ONE or kind == FACE_TWO:
        return (one == PLANE and (two == SPHERE or two == CAPSULE)) or (two == PLANE and (one == SPHERE or one == CAPSULE))
    if kind == SUPPORT_ONE or kind == SUPPORT_TWO:
        return (one == PLANE and two == ELLIPSOID) or (two == PLANE and one == ELLIPSOID)
    return kind == SEGMENTS


@kernel("m d", ret="i")
def end_is_known(m, d):
    """Whether looking at the trial pose can find nothing: 1 where all rows are exact and no body went beyond its reach.

    Reads: hard_nrow, hrow_kind, hrow_geom, hard_vel, hard_h, hard_reach, cb_contactfilter
    Writes: nothing
    """
    if d.cb_contactfilter != 0:
        return 0
    for c in range(d.hard_nrow):
        if not is_exact(m, d, c):
            return 0
    for b in range(1, m.nbody):
        if moves(m, b) and went_beyond(m, d, b):
            return 0
    return 1
