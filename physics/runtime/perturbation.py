"""Perturbations: what the mouse's commands do to Data outside the step.

While running, the spring of engine/perturb.py acts. Mocap bodies follow the reference pose at once, running or paused. While
paused a body with a free joint takes the reference pose, a body of a floating tree takes the whole tree along rigidly, and
bodies of fixed mechanisms stay. Source: MuJoCo documentation, Visualization chapter, "Perturbations".

Poses are (position (3,), quaternion (4,)) pairs.
"""
from __future__ import annotations

import numpy as np

from physics.engine.kinematics.joints import is_free
from physics.engine.linalg import quat
from physics.runtime import commands


def _turn(q, v) -> np.ndarray:
    return np.array(quat.rotate(tuple(q), tuple(v)))


def _product(a, b) -> np.ndarray:
    return np.array(quat.mul4(tuple(a), tuple(b)))


def compose(a, b):
    """Pose b, given in frame a, in the frame that a is given in."""
    return a[0] + _turn(a[1], b[0]), _product(a[1], b[1])


def inverse(a):
    """The pose that undoes a."""
    q = np.array(quat.conj4(tuple(a[1])))
    return -_turn(q, a[0]), q


def start(m, d, command: commands.PerturbStart) -> bool:
    """Begin to perturb a body; False where there is no such body. The mass felt is found by the kernel perturb_mass afterwards."""
    body = command.bodyid
    stop(d)
    if not 0 < body < m.nbody:
        return False
    d.perturb_bodyid, d.perturb_active = body, command.kind & (commands.TRANSLATE | commands.ROTATE)
    d.perturb_localmass = 1.0
    d.perturb_stiffness, d.perturb_stiffnessrot = m.vis.map.stiffness, m.vis.map.stiffnessrot
    d.perturb_localpos[:] = command.localpos
    d.perturb_refpos[:] = d.xipos[body]
    d.perturb_refquat[:] = d.xiquat[body]
    d.perturb_refselpos[:] = d.xpos[body] + d.xmat[body].reshape(3, 3) @ d.perturb_localpos
    return True


def move(d, command: commands.PerturbMove) -> None:
    """Put the reference point and orientation somewhere; the reference position goes along with the point."""
    if command.refselpos is not None:
        d.perturb_refpos += np.asarray(command.refselpos, float) - d.perturb_refselpos
        d.perturb_refselpos[:] = command.refselpos
    if command.refquat is not None:
        d.perturb_refquat[:] = quat.unit4(tuple(map(float, command.refquat)))


def stop(d) -> None:
    """End the perturbation."""
    d.perturb_bodyid = d.perturb_active = 0
    d.xfrc_perturb[:] = 0


def apply_pose(m, d, paused: bool) -> bool:
    """Bring the perturbed body to its reference pose where its kind allows that; whether anything was written."""
    body = d.perturb_bodyid
    if body <= 0 or not d.perturb_active:
        return False
    inertial = m.body_ipos[body], m.body_iquat[body]
    pose = compose((d.perturb_refpos, d.perturb_refquat), inverse(inertial))
    if m.body_mocapid[body] >= 0:
        k = m.body_mocapid[body]
        d.mocap_pos[k], d.mocap_quat[k] = pose
        return True
    return paused and pose_free(m, d, body, *pose)


def _free_joint(m, body) -> int:
    """Address in qpos of the only, free joint of a body; -1 without one."""
    if is_free(m, body):
        return int(m.jnt_qposadr[m.body_jntadr[body]])
    return -1


def pose_free(m, d, body: int, pos, quaternion) -> bool:
    """Bring a free body, or the floating tree of a body, to where the body's frame has this pose; False for other bodies."""
    pose = np.asarray(pos, float), np.asarray(quaternion, float)
    adr = _free_joint(m, body)
    if adr < 0:
        adr = _free_joint(m, m.body_rootid[body])
        if adr < 0:
            return False
        root = d.qpos[adr:adr + 3].copy(), d.qpos[adr + 3:adr + 7].copy()
        pose = compose(pose, compose(inverse((d.xpos[body], d.xquat[body])), root))
    d.qpos[adr:adr + 3], d.qpos[adr + 3:adr + 7] = pose
    return True
