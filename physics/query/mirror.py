"""The mirror image of a pose: left becomes right.

Bodies, joints and actuators are paired by their names (mirror_names.py); what has no partner is its own. The mirror plane is that of the pairs at qpos0:
its normal is the direction from left to right, and it lies midway. How a joint's coordinate follows is found from geometry at qpos0, where the model is taken
to be symmetric: a hinge's axis a is reflected as an axial vector (-S a), a slide's as a polar one (S a), S = 1 - 2 n n'; its coordinate changes its sign where the
partner's axis points the other way. Orientations become S R S. By the product of exponentials (Lynch and Park, "Modern Robotics", 2017, chapter 4) the whole chain is then reflected.
"""
from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from physics.engine.kinematics.joints import is_slide
from physics.enums import BIAS_AFFINE, GAIN_FIXED, TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON
from physics.model.data import Data
from physics.model.model import Model
from physics.query.keyframes import Keyframe
from physics.query.mirror_names import partners
from physics.query.quaternion import mat2_quat, quat2_mat
from physics.simulate.stages import com_pos, kinematics

ALIGNED = 0.98      # cosine between a reflected axis and the partner's from which on the pair counts as symmetric
SNAP = 0.02         # a normal so near to an axis of the world is that axis


@dataclass(frozen=True, slots=True, eq=False)
class Mirror:
    """How poses of a Model are mirrored. normal (3), offset [m]: the plane normal x = offset; body (nbody), joint (njnt), actuator (nactuator): the partner of
    each, itself where it is its own; sign (njnt): by which a hinge's or slide's coordinate goes to its partner, 0 where none does; unlike: names of joints that
    are not symmetric (their partner's axis or type is another), whose coordinates stay as they are, with the controls of what drives them."""

    normal: np.ndarray
    offset: float
    body: np.ndarray
    joint: np.ndarray
    actuator: np.ndarray
    sign: np.ndarray
    unlike: tuple[str, ...]

    @property
    def pairs(self) -> int:
        """How many pairs of joints there are."""
        return int(np.sum(self.joint > np.arange(len(self.joint))))

    def reflection(self) -> np.ndarray:
        """S (3, 3)."""
        return np.eye(3) - 2 * np.outer(self.normal, self.normal)


def find_mirror(m: Model, normal=None) -> Mirror:
    """How a Model's poses are mirrored. normal: that of the plane in place of the one found; without pairs it is y.

    Raises ValueError for a normal without length.
    """
    d = Data(m)
    d.qpos[:] = m.qpos0
    kinematics(m, d)
    com_pos(m, d)
    joint = _paired(m.names["joint"])
    body = _paired(m.names["body"])
    for j in np.flatnonzero(joint != np.arange(m.njnt)).tolist():   # bodies without names
        one, two = int(m.jnt_bodyid[j]), int(m.jnt_bodyid[joint[j]])
        body[one] = two if body[one] == one else body[one]
    for j in np.flatnonzero(joint == np.arange(m.njnt)).tolist():   # joints without names
        b = int(m.jnt_bodyid[j])
        k = j - int(m.body_jntadr[b])
        if body[b] != b and not m.names["joint"][j] and k < m.body_jntnum[body[b]]:
            joint[j] = m.body_jntadr[body[b]] + k
    n, offset = _plane(m, d, body, normal)
    sign, unlike = _signs(m, d, joint, np.eye(3) - 2 * np.outer(n, n))
    return Mirror(n, offset, body, joint, _actuators(m, joint, sign), sign, unlike)


def _paired(names) -> np.ndarray:
    """The partner of each by name, itself without one."""
    number = {name: i for i, name in enumerate(names) if name}
    other = partners(number)
    return np.array([number[other[name]] if name in other else i for i, name in enumerate(names)], int)


def _plane(m: Model, d: Data, body: np.ndarray, normal) -> tuple[np.ndarray, float]:
    """Unit normal and offset of the mirror plane."""
    left = np.flatnonzero(body > np.arange(m.nbody))
    right = body[left]
    if normal is not None:
        n = np.asarray(normal, float)
        if n.shape != (3,) or not np.linalg.norm(n) > 0:
            raise ValueError(f"the normal of a plane is a vector with a length, not {normal!r}")
        n = n / np.linalg.norm(n)
    else:
        apart = d.xipos[left] - d.xipos[right]
        apart = apart[np.linalg.norm(apart, axis=1) > 1e-6]
        n = np.linalg.svd(apart, full_matrices=True)[2][0] if len(apart) else np.array([0.0, 1.0, 0.0])
        axis = int(np.argmax(np.abs(n)))
        n = np.eye(3)[axis] if abs(n[axis]) > 1 - SNAP else n * np.sign(n[axis])
    middle = 0.5 * (d.xipos[left] + d.xipos[right]) if len(left) else d.xpos[[0]]
    return n, float(np.median(middle @ n))


def _width(m: Model) -> np.ndarray:
    """Coordinates of each joint: 1 of hinges and slides, 4 of balls, 7 of free joints."""
    return np.diff(np.append(m.jnt_qposadr, m.nq))


def _signs(m: Model, d: Data, joint: np.ndarray, reflection: np.ndarray) -> tuple[np.ndarray, tuple[str, ...]]:
    width, sign, unlike = _width(m), np.zeros(m.njnt), []
    for j in range(m.njnt):
        other = int(joint[j])
        if width[j] != width[other] or is_slide(m, j) != is_slide(m, other):
            unlike.append(m.name("joint", j) or str(j))
        elif width[j] == 1:
            image = reflection @ d.xaxis[j] * (1 if is_slide(m, j) else -1)
            along = float(d.xaxis[other] @ image)
            if abs(along) < ALIGNED:
                unlike.append(m.name("joint", j) or str(j))
            else:
                sign[j] = np.sign(along)
        else:
            sign[j] = 1
    return sign, tuple(unlike)


def _actuators(m: Model, joint: np.ndarray, sign: np.ndarray) -> np.ndarray:
    """Partners of actuators by name, else by the joint that they act on; one that drives a joint whose coordinate stays is its own."""
    paired = _paired(m.names["actuator"])
    on = np.isin(m.actuator_trntype, (TRN_JOINT, TRN_JOINTINPARENT))
    at = {int(m.actuator_trnid[i, 0]): i for i in np.flatnonzero(on).tolist()}
    for i in np.flatnonzero(on & (paired == np.arange(m.nactuator))).tolist():
        paired[i] = at.get(int(joint[m.actuator_trnid[i, 0]]), i)
    for i in range(m.nactuator):
        if not sign[_driven(m, i)].all():
            other = int(paired[i])
            paired[i], paired[other] = i, other
    return paired


def _driven(m: Model, i: int) -> np.ndarray:
    """Joints that an actuator acts on by its joint or tendon."""
    one = int(m.actuator_trnid[i, 0])
    if m.actuator_trntype[i] == TRN_TENDON:
        return np.unique(m.dof_jntid[m.ten_J_colind[m.ten_J_rowadr[one]:m.ten_J_rowadr[one] + m.ten_J_rownnz[one]]])
    return np.array([one] if m.actuator_trntype[i] in (TRN_JOINT, TRN_JOINTINPARENT) else [], int)


# ------------------------------------------------------------------ poses

def mirror_keyframe(m: Model, key: Keyframe, mirror: Mirror | None = None) -> Keyframe:
    """The mirror image of a keyframe: positions, velocities, controls, activations and mocap poses. Raises ValueError where it does not fit the Model."""
    if not key.fits(m):
        raise ValueError("a keyframe of another model cannot be mirrored")
    mirror = find_mirror(m) if mirror is None else mirror
    d = Data(m)
    d.qpos[:] = m.qpos0
    kinematics(m, d)
    qpos, qvel = key.qpos.copy(), key.qvel.copy()
    width = _width(m)
    for j in np.flatnonzero(mirror.sign).tolist():
        MIRRORED[int(width[j])](m, d, mirror, j, int(mirror.joint[j]), key, qpos, qvel)
    ctrl, act = _mirrored_controls(m, mirror, key)
    mocap_pos, mocap_quat = _mirrored_mocap(m, d, mirror, key)
    return replace(key, qpos=qpos, qvel=qvel, ctrl=ctrl, act=act, mocap_pos=mocap_pos, mocap_quat=mocap_quat)


def _scalar(m, d, mirror, j, other, key, qpos, qvel) -> None:
    a, b = int(m.jnt_qposadr[j]), int(m.jnt_qposadr[other])
    qpos[b] = m.qpos0[b] + mirror.sign[j] * (key.qpos[a] - m.qpos0[a])
    qvel[m.jnt_dofadr[other]] = mirror.sign[j] * key.qvel[m.jnt_dofadr[j]]


def _ball(m, d, mirror, j, other, key, qpos, qvel) -> None:
    """The turn away from qpos0, seen in world axes at qpos0, is reflected."""
    a, b, s = int(m.jnt_qposadr[j]), int(m.jnt_qposadr[other]), mirror.reflection()
    before, after = (d.xmat[m.jnt_bodyid[k]].reshape(3, 3) @ quat2_mat(m.qpos0[at:at + 4]).T for k, at in ((j, a), (other, b)))     # frames without the joint
    away = before @ quat2_mat(key.qpos[a:a + 4]) @ quat2_mat(m.qpos0[a:a + 4]).T @ before.T
    qpos[b:b + 4] = mat2_quat(after.T @ s @ away @ s @ after @ quat2_mat(m.qpos0[b:b + 4]))
    _turn_rate(m, mirror, d, j, other, 0, key, qvel)


def _free(m, d, mirror, j, other, key, qpos, qvel) -> None:
    a, b = int(m.jnt_qposadr[j]), int(m.jnt_qposadr[other])
    v, w = int(m.jnt_dofadr[j]), int(m.jnt_dofadr[other])
    qpos[b:b + 3] = _mirrored_point(mirror, key.qpos[a:a + 3])
    qpos[b + 3:b + 7] = _mirrored_quat(mirror, key.qpos[a + 3:a + 7], m.qpos0[a + 3:a + 7], m.qpos0[b + 3:b + 7])
    qvel[w:w + 3] = mirror.reflection() @ key.qvel[v:v + 3]
    _turn_rate(m, mirror, d, j, other, 3, key, qvel)


def _turn_rate(m, mirror, d, j, other, skip, key, qvel) -> None:
    """Angular velocity in the body's own axes: an axial vector, from the axes of one body to those of its partner, which are images of each other but for a fixed turn."""
    v, w = int(m.jnt_dofadr[j]) + skip, int(m.jnt_dofadr[other]) + skip
    one, two = (d.xmat[m.jnt_bodyid[k]].reshape(3, 3) for k in (j, other))
    qvel[w:w + 3] = -(two.T @ mirror.reflection() @ one) @ key.qvel[v:v + 3]


MIRRORED = (None, _scalar, None, None, _ball, None, None, _free)    # by the number of coordinates


def _mirrored_point(mirror: Mirror, p: np.ndarray) -> np.ndarray:
    return p - 2 * (mirror.normal @ p - mirror.offset) * mirror.normal


def _mirrored_quat(mirror: Mirror, q: np.ndarray, start: np.ndarray, start_other: np.ndarray) -> np.ndarray:
    """S R S, and the fixed turn between the image of the frame at qpos0 and that of the partner."""
    s = mirror.reflection()
    return mat2_quat(s @ quat2_mat(q) @ quat2_mat(start).T @ s @ quat2_mat(start_other))


def _mirrored_controls(m: Model, mirror: Mirror, key: Keyframe) -> tuple[np.ndarray, np.ndarray]:
    """Controls and activations go to the partner; of joints the sign goes along, with the gears', and servos of a position start from qpos0."""
    ctrl, act = key.ctrl.copy(), key.act.copy()
    for i in range(m.nactuator):
        other = int(mirror.actuator[i])
        sign, shift = _sign_of_actuator(m, mirror, i, other)
        for adr, num, values, source in ((m.actuator_ctrladr, m.actuator_ctrlnum, ctrl, key.ctrl), (m.actuator_actadr, m.actuator_actnum, act, key.act)):
            if num[i] == num[other] and num[i] > 0:
                one, two = (slice(int(adr[k]), int(adr[k] + num[k])) for k in (i, other))
                values[two] = sign * source[one] + shift
    return ctrl, act


def _sign_of_actuator(m: Model, mirror: Mirror, i: int, other: int) -> tuple[float, float]:
    joints = [int(m.actuator_trnid[k, 0]) for k in (i, other)]
    if not all(m.actuator_trntype[k] in (TRN_JOINT, TRN_JOINTINPARENT) for k in (i, other)) or mirror.joint[joints[0]] != joints[1] or _width(m)[joints[0]] != 1:
        return 1.0, 0.0
    gears = [float(m.actuator_gear[m.actuator_outadr[k], 0]) for k in (i, other)]
    sign = mirror.sign[joints[0]] * np.sign(gears[0] * gears[1]) or 1.0
    if m.actuator_gaintype[other] != GAIN_FIXED or m.actuator_biastype[other] != BIAS_AFFINE or not m.actuator_gainprm[other, 0]:
        return sign, 0.0
    start = [gear * float(m.qpos0[m.jnt_qposadr[j]]) for gear, j in zip(gears, joints, strict=True)]
    return sign, -float(m.actuator_biasprm[other, 1] / m.actuator_gainprm[other, 0]) * (start[1] - sign * start[0])


def _mirrored_mocap(m: Model, d: Data, mirror: Mirror, key: Keyframe) -> tuple[np.ndarray, np.ndarray]:
    pos, quat = key.mocap_pos.copy(), key.mocap_quat.copy()
    for b in np.flatnonzero(m.body_mocapid >= 0).tolist():
        other = int(mirror.body[b])
        one, two = int(m.body_mocapid[b]), int(m.body_mocapid[other])
        if two >= 0:
            pos[two] = _mirrored_point(mirror, key.mocap_pos[one])
            quat[two] = _mirrored_quat(mirror, key.mocap_quat[one], m.body_quat[b], m.body_quat[other])
    return pos, quat
