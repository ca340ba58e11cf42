"""mjv_*: what the mouse does to cameras, to the model in the room and to bodies, and what it points at.

Displacements are relative to the height of the picture, y to the bottom. Actions: mjtMouse.
"""
from __future__ import annotations

from contextlib import contextmanager
from types import MappingProxyType

import numpy as np

from physics.engine import perturb
from physics.query.raycast import ray
from physics.runtime import perturbation

from ..errors import FatalError
from ..pictures import drawing
from .room import align_to_camera, camera_in_model, camera_in_room, frustum_height, times, turn_of, turned

ROTATE_V, ROTATE_H, MOVE_V, MOVE_H, ZOOM, MOVE_V_REL, MOVE_H_REL = range(1, 8)
ROTATIONS = (ROTATE_V, ROTATE_H)
FREE = 0        # mjtCamera
WHOLE = 2 * np.pi


def _way(action: int, dx: float, dy: float, name: str) -> np.ndarray:
    """What a displacement means in axes (right, ahead, up): a way, or the axis of a turn. Raises FatalError for no action."""
    ways = {ROTATE_V: (dy, 0, dx), ROTATE_H: (dy, dx, 0), MOVE_V: (dx, 0, -dy), MOVE_H: (dx, -dy, 0), ZOOM: (0, 0, 0), MOVE_V_REL: (dx, 0, dy), MOVE_H_REL: (dx, dy, 0)}
    if action not in ways:
        raise FatalError(f"{name}: unexpected action {action}")
    return np.array(ways[action], float)


def move_camera(m, action, reldx, reldy, cam) -> None:
    """Turn a free or tracking camera about what it looks at, move a free one, come nearer."""
    _way(action, reldx, reldy, "mjv_moveCamera")
    drawing().move_camera(m, action, reldx, reldy, cam)


def move_model(m, action, reldx, reldy, roomup, scn) -> None:
    """Move, turn and scale the model in the room, whose upward direction is roomup."""
    scn.enabletransform = 1
    way = _way({MOVE_V_REL: MOVE_V, MOVE_H_REL: MOVE_H}.get(action, action), reldx, reldy, "mjv_moveModel")
    if action == ZOOM:
        scale = scn.scale + np.log(1 + scn.scale / 3) * reldy * 3
        scn.scale = float(np.clip(scale, 0.01, 100))
        return
    _pos, forward, _up = camera_in_room(scn)
    up = roomup / max(np.linalg.norm(roomup), 1e-15)
    axis = np.cross((0.0, 0.0, 1.0), up)
    tilt = turn_of(axis if axis.any() else (1.0, 0, 0), float(np.arccos(np.clip(up[2], -1, 1))))
    ahead = turned(tilt * (1, -1, -1, -1), forward)
    way = turned(tilt, align_to_camera(way, ahead))
    if action in ROTATIONS:
        scn.rotate = times(turn_of(way, WHOLE / 2 * float(np.linalg.norm(way))), scn.rotate.astype(float))
        scn.rotate /= max(np.linalg.norm(scn.rotate), 1e-15)
    else:
        scn.translate += m.stat_extent * way


@contextmanager
def _held(m, d, pert):
    """A Data whose own mouse holds what a script's does, for the block."""
    d.perturb_bodyid, d.perturb_active, d.perturb_localmass = pert.select, pert.active | pert.active2, pert.localmass
    d.perturb_stiffness, d.perturb_stiffnessrot = m.vis.map.stiffness, m.vis.map.stiffnessrot
    d.perturb_localpos[:], d.perturb_refpos[:], d.perturb_refselpos[:], d.perturb_refquat[:] = pert.localpos, pert.refpos, pert.refselpos, pert.refquat
    try:
        yield
    finally:
        perturbation.stop(d)


def init_perturb(m, d, scn, pert) -> None:
    """Begin to pull or turn the selected body: the reference is where it is."""
    if not 0 < pert.select < m.nbody:
        return
    body = pert.select
    pert.refpos, pert.refquat = d.xipos[body], d.xiquat[body]
    pert.refselpos = d.xpos[body] + d.xmat[body].reshape(3, 3) @ pert.localpos
    with _held(m, d, pert):
        perturb.perturb_mass.at_once(m, d)
        pert.localmass = float(d.perturb_localmass)
    head, forward, _up = camera_in_model(scn)
    depth = 1.0 if scn.camera[0].orthographic else float(forward @ (pert.refselpos - head))
    pert.scale = frustum_height(scn) * depth


def move_perturb(m, d, action, reldx, reldy, scn, pert) -> None:
    """Move or turn the reference of the selected body."""
    _head, forward, up = camera_in_model(scn)
    way = _way(action, reldx, reldy, "mjv_movePerturb")
    if not 0 < pert.select < m.nbody or action == ZOOM:
        return
    if action in ROTATIONS:
        way = align_to_camera(way, forward)
        turn = turn_of(way, WHOLE * float(np.linalg.norm(way)))
        q = times(turn, pert.refquat)
        pert.refquat = q / np.linalg.norm(q)
        return
    way = pert.scale * (_beside(d, pert.select, action, reldx, reldy) if action in (MOVE_V_REL, MOVE_H_REL) else align_to_camera(way, forward))
    pert.refpos += way
    pert.refselpos += way


def _beside(d, body: int, action: int, dx: float, dy: float) -> np.ndarray:
    """A displacement in the body's own axes."""
    return d.xmat[body].reshape(3, 3) @ ((0, dx, dy) if action == MOVE_V_REL else (dy, dx, 0))


def apply_perturb_force(m, d, pert) -> None:
    """Write the force of the mouse on the selected body into xfrc_applied."""
    if not 0 < pert.select < m.nbody or not pert.active | pert.active2:
        return
    with _held(m, d, pert):
        perturb.perturb_force.at_once(m, d)
        d.xfrc_applied[pert.select] = d.xfrc_perturb


def apply_perturb_pose(m, d, pert, flg_paused) -> None:
    """Bring the selected body to its reference: a mocap body always, a free one while the simulation is paused."""
    if 0 < pert.select < m.nbody and pert.active | pert.active2:
        with _held(m, d, pert):
            perturbation.apply_pose(m, d, bool(flg_paused))


def select(m, d, vopt, aspectratio, relx, rely, scn):
    """The geom under a point of the picture, (0, 0) its lower left, (1, 1) its upper right: body, where it is hit, geom, flex, skin; -1 for nothing. Skins are passed through."""
    head, forward, up = camera_in_model(scn)
    right = np.cross(forward, up)
    left, other = scn.camera
    top, bottom, near, centre, half = ((getattr(left, f"frustum_{name}") + getattr(other, f"frustum_{name}")) / 2 for name in ("top", "bottom", "near", "center", "width"))
    half = half or 0.5 * aspectratio * (top - bottom)
    aside = (centre + (2 * relx - 1) * half) * right + (bottom + rely * (top - bottom)) * up
    start, way = (head + aside, forward) if left.orthographic else (head, near * forward + aside)
    way = way / np.linalg.norm(way)
    groups = [bool(on) for on in vopt.geomgroup]
    hit = ray(m, d, start, way, groups, bool(vopt.flags[STATIC_FLAG]))
    geom = int(hit.geom)
    if geom < 0:
        return -1, np.zeros(3), -1, -1, -1
    return int(m.geom_bodyid[geom]), start + hit.dist * way, geom, -1, -1


STATIC_FLAG = 22        # mjVIS_STATIC
TABLE = MappingProxyType({
    "mjv_moveCamera": move_camera, "mjv_moveModel": move_model, "mjv_initPerturb": init_perturb, "mjv_movePerturb": move_perturb, "mjv_applyPerturbForce": apply_perturb_force,
    "mjv_applyPerturbPose": apply_perturb_pose, "mjv_select": select,
})
