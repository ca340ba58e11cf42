"""Geoms at the trial pose, where the second look has collision look, and back: nothing else of the position moves meanwhile."""
from __future__ import annotations

from physics.engine.hard.contact.mocap import END, START, TURN, carried_by, mocap_row
from physics.engine.hard.poses import moves
from physics.engine.kinematics.kinematics import place_frames
from physics.engine.linalg.quat import mul4, rotate, to_mat
from physics.engine.linalg.vec import add3, sub3
from physics.enums import SAMEFRAME_BODY
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld4, st3, st9


@helper
def carried_to_end(d, b, carrier):
    """Position and orientation at the end of the solve of body b, which a mocap body carries (carried_by)."""
    x = mocap_row(d, carrier)
    t = (x[TURN], x[TURN + 1], x[TURN + 2], x[TURN + 3])
    from_start = sub3(ld3(d.xpos, b), (x[START], x[START + 1], x[START + 2]))
    return add3((x[END], x[END + 1], x[END + 2]), rotate(t, from_start)), mul4(t, ld4(d.xquat, b))


@kernel()
def geoms_at_end(m, d):
    """Place the geoms of all bodies that move at the trial pose, and those of mocap bodies where these are at its time.

    Reads: hard_xpos, hard_xquat, hard_mocap, xpos, xquat
    Writes: geom_xpos, geom_xmat
    """
    for b in range(1, m.nbody):
        p = (0.0, 0.0, 0.0)
        q = (1.0, 0.0, 0.0, 0.0)
        if moves(m, b):
            p = ld3(d.hard_xpos, b)
            q = ld4(d.hard_xquat, b)
        else:
            carrier = carried_by(m, d, b) if m.nmocap > 0 else 0
            if carrier == 0:
                continue
            p, q = carried_to_end(d, b, carrier)
        for g in range(m.body_geomadr[b], m.body_geomadr[b] + m.body_geomnum[b]):
            if m.geom_sameframe[g] == SAMEFRAME_BODY:
                st3(d.geom_xpos, g, p)
                st9(d.geom_xmat, g, to_mat(q))
            else:
                st3(d.geom_xpos, g, add3(rotate(q, ld3(m.geom_pos, g)), p))
                st9(d.geom_xmat, g, to_mat(mul4(q, ld4(m.geom_quat, g))))


@kernel()
def geoms_back(m, d):
    """Place the geoms where the bodies are, at the start of the step.

    Reads: xpos, xquat, xmat, xipos, xiquat, ximat
    Writes: geom_xpos, geom_xquat, geom_xmat
    """
    for r in range(d.ngeom_run):
        place_frames(d, d.geom_run[r, 0], d.geom_run[r, 1], d.geom_xpos, d.geom_xquat, d.geom_xmat, m.geom_pos, m.geom_quat, m.geom_bodyid, m.geom_sameframe)
