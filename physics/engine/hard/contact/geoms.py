"""Geoms at the trial pose, where the second look has collision look, and back: nothing else of the position moves meanwhile."""
from __future__ import annotations

from physics.engine.hard.poses import moves
from physics.engine.kinematics.kinematics import place_frames
from physics.engine.linalg.quat import mul4, rotate, to_mat
from physics.engine.linalg.vec import add3
from physics.enums import SAMEFRAME_BODY
from physics.kernels.decorators import kernel
from physics.kernels.rows import ld3, ld4, st3, st9


@kernel()
def geoms_at_end(m, d):
    """Place the geoms of all bodies that move at the trial pose.

    Reads: hard_xpos, hard_xquat
    Writes: geom_xpos, geom_xmat
    """
    for b in range(1, m.nbody):
        if not moves(m, b):
            continue
        p = ld3(d.hard_xpos, b)
        q = ld4(d.hard_xquat, b)
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
