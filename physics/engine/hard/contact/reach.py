"""How much nearer geoms may come within a step: so far beyond their margins their contacts are listed, as any of them may be active at its end."""
from __future__ import annotations

from math import sqrt

from physics.engine.hard.contact.mocap import ANGULAR, LINEAR, START, carried_by, mocap_row
from physics.engine.hard.start_scales import fall_speed
from physics.engine.linalg.vec import dot3, norm3, sub3
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6

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
    Writes: contact_reach
    """
    h = d.hard_h
    fall = fall_speed(m, d)
    for k in range(m.ngeom):
        b = m.geom_bodyid[k]
        if m.body_treeid[b] < 0:
            d.contact_reach[k] = mocap_reach(m, d, k)
            continue
        u = ld6(d.hard_vel, b)
        e = sub3(ld3(d.geom_xpos, k), ld3(d.xipos, b))
        r = sqrt(dot3(e, e)) + m.geom_rbound[k]
        speed = sqrt(dot3((u[0], u[1], u[2]), (u[0], u[1], u[2]))) + r * sqrt(dot3((u[3], u[4], u[5]), (u[3], u[4], u[5]))) + fall
        d.contact_reach[k] = max(LEAST, h * speed)


@kernel()
def end_reach(m, d):
    """No geom reaches beyond its margin any more: for the soft engine, and for whoever asks for the state's own contacts.

    Reads: nothing
    Writes: contact_reach
    """
    for k in range(m.ngeom):
        d.contact_reach[k] = 0.0
