"""What actuators act through: length and moment arms of each output at the initial pose.

Source: MuJoCo documentation, XML reference, actuator/general (joint, jointinparent, tendon, cranksite, site, refsite, body);
the engine's own stage is engine/actuator/transmission.py.
"""
from __future__ import annotations

import math

import numpy as np

from physics.compiler.build import Build
from physics.compiler.derived import tendon_lengths
from physics.compiler.derived.initial_pose import Pose
from physics.compiler.items import ActuatorItem, Item, JointItem, SiteItem
from physics.engine.linalg.quat import sub_quat, to_rotvec, unit4
from physics.enums import JNT_BALL, JNT_FREE, TransmissionType
from physics.rotation.quaternion import apply, conj, mul, rotate

Output = tuple[float, np.ndarray, np.ndarray]  # length, dofs, derivative of the length by each dof
_NONE = (np.zeros(0, int), np.zeros(0))


def outputs(build: Build, constants, item: ActuatorItem) -> list[Output]:
    """Outputs of an actuator, in order. constants: of constants.py, for the pose and the tendons' rows."""
    kind, pose = item.trntype, constants.pose
    if kind in (TransmissionType.JOINT, TransmissionType.JOINTINPARENT):
        return [_joint(build.items["joint"][item.trnid[0]], item, pose)]
    if kind == TransmissionType.TENDON:
        tendon = build.items["tendon"][item.trnid[0]]
        dofs, row = constants.tendon_rows[tendon.id]
        return [(item.gear[0] * tendon_lengths.length(tendon, pose), dofs, item.gear[0] * row)]
    if kind == TransmissionType.BODY:
        return [(0.0, *_NONE)]  # contacts decide, and there are none yet
    one = None
    if kind != TransmissionType.SO3 or item.trnid[1] >= 0:
        one = build.items["site"][item.trnid[0]]
    two = build.items["site"][item.trnid[1]] if item.trnid[1] >= 0 else None
    if kind == TransmissionType.SLIDERCRANK:
        return [_slider_crank(one, two, item, pose)]
    if kind == TransmissionType.SITE:
        return [_site(one, item.gear, pose) if two is None else _site_pair(one, two, item.gear, pose)]
    if kind == TransmissionType.SO3:
        return _orientation(build.items["joint"][item.trnid[0]], pose) if two is None else _relative_orientation(one, two, pose)
    return [(0.0, *_NONE)]


def _joint(joint: JointItem, item: ActuatorItem, pose: Pose) -> Output:
    gear, q = np.array(item.gear), pose.qpos
    dofs = np.arange(joint.dofadr, joint.dofadr + joint.nv)
    if joint.type not in (JNT_BALL, JNT_FREE):
        return item.gear[0] * q[joint.qposadr], dofs, gear[:1]
    at = joint.qposadr + (3 if joint.type == JNT_FREE else 0)
    quat = unit4(tuple(q[at:at + 4]))
    axis = tuple(item.gear[3:6] if joint.type == JNT_FREE else item.gear[:3])
    if item.trntype == TransmissionType.JOINTINPARENT:
        axis = rotate(conj(quat), axis)
    if joint.type == JNT_FREE:
        return 0.0, dofs, np.array((*item.gear[:3], *axis))
    return float(np.dot(to_rotvec(quat), axis)), dofs, np.array(axis)


def _gathered(parts) -> tuple[np.ndarray, np.ndarray]:
    """Sum of (dofs, values) as one sorted row; values that vanish everywhere stay in."""
    parts = [(np.asarray(d, int), v) for d, v in parts]
    dofs = np.unique(np.concatenate([d for d, _ in parts])) if parts else np.zeros(0, int)
    row = np.zeros(len(dofs))
    for d, v in parts:
        row[np.searchsorted(dofs, d)] += v
    return dofs, row


def _slider_crank(crank: Item, slider: Item, item: ActuatorItem, pose: Pose) -> Output:
    """Position along the slider's z axis at which a rod of fixed length ends."""
    m = pose.turned(slider)
    axis = np.array((m[2], m[5], m[8]))
    arm = np.subtract(pose.site[crank.id], pose.site[slider.id])
    along = float(arm @ axis)
    inside = along * along + item.cranklength * item.cranklength - float(arm @ arm)
    if inside > 0:
        root = math.sqrt(inside)
        length, by_axis, by_arm = along - root, arm * (1 - along / root), axis * (1 - along / root) + arm / root
    else:
        length, by_axis, by_arm = along, arm, axis
    crank_dofs, crank_lin, _ = pose.jacobian(crank.body, pose.site[crank.id])
    dofs, lin, rot = pose.jacobian(slider.body, pose.site[slider.id])
    gear = item.gear[0]
    parts = [(crank_dofs, gear * (crank_lin @ by_arm)), (dofs, -gear * (lin @ by_arm)), (dofs, gear * (np.cross(rot, axis) @ by_axis))]
    return gear * length, *_gathered(parts)


def _site(site: SiteItem, gear, pose: Pose) -> Output:
    m = pose.turned(site)
    dofs, lin, rot = pose.jacobian(site.body, pose.site[site.id])
    return 0.0, np.array(dofs, int), lin @ apply(m, gear[:3]) + rot @ apply(m, gear[3:])


def _own_motions(site: SiteItem, ref: Item, pose: Pose):
    """(dofs, lin, rot) of each of two sites without the dofs that move both."""
    found = [pose.jacobian(s.body, pose.site[s.id]) for s in (site, ref)]
    common = set(found[0][0]) & set(found[1][0])
    return [(np.array(dofs, int)[keep], lin[keep], rot[keep]) for dofs, lin, rot in found
            for keep in [np.array([d not in common for d in dofs], bool)]]


def _relative_turn(site: SiteItem, ref: Item, pose: Pose) -> tuple:
    """Rotation vector from the reference site's orientation to the site's, in the reference site's frame."""
    return sub_quat(mul(pose.xquat[site.body.id], site.quat), mul(pose.xquat[ref.body.id], ref.quat))


def _site_pair(site: SiteItem, ref: Item, gear, pose: Pose) -> Output:
    m = pose.turned(ref)
    offset = apply((m[0], m[3], m[6], m[1], m[4], m[7], m[2], m[5], m[8]), np.subtract(pose.site[site.id], pose.site[ref.id]))
    length = float(np.dot(offset, gear[:3])) + float(np.dot(_relative_turn(site, ref, pose), gear[3:]))
    force, torque = apply(m, gear[:3]), apply(m, gear[3:])
    parts = [(dofs, sign * (lin @ force + rot @ torque)) for sign, (dofs, lin, rot) in zip((1.0, -1.0), _own_motions(site, ref, pose))]
    return length, *_gathered(parts)


def _orientation(joint: JointItem, pose: Pose) -> list[Output]:
    turn = to_rotvec(unit4(tuple(pose.qpos[joint.qposadr:joint.qposadr + 4])))
    return [(turn[k], np.array([joint.dofadr + k]), np.ones(1)) for k in range(3)]


def _relative_orientation(site: SiteItem, ref: Item, pose: Pose) -> list[Output]:
    turn, m = _relative_turn(site, ref, pose), pose.turned(site)
    own = _own_motions(site, ref, pose)
    return [(turn[k], *_gathered([(dofs, sign * (rot @ (m[k], m[3 + k], m[6 + k]))) for sign, (dofs, _, rot) in zip((1.0, -1.0), own)]))
            for k in range(3)]
