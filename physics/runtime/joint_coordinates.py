"""A joint's coordinates as people set them, without the quaternion: of a hinge or slide its own, of a ball joint the rotation vector (axis times angle),
of a free joint the position and the rotation vector.

The rotation vector names each orientation once and moves on smoothly, up to half a turn.
"""
import math

import numpy as np

from physics.engine.linalg import quat


def qpos_slice(m, joint: int) -> slice:
    """Where a joint's numbers are in qpos: 1 of a hinge or slide, 4 of a ball joint, 7 of a free one."""
    return slice(int(m.jnt_qposadr[joint]), int(m.jnt_qposadr[joint + 1]) if joint + 1 < m.njnt else m.nq)


def joint_coordinates(qpos) -> np.ndarray:
    """Coordinates (1, 3 or 6) [rad or m] of a joint from its numbers in qpos (1, 4 or 7)."""
    qpos = np.array(qpos, float)
    if len(qpos) == 1:
        return qpos
    return np.concatenate([qpos[:-4], quat.to_rotvec(quat.unit4(tuple(qpos[-4:].tolist())))])


def joint_qpos(coordinates) -> np.ndarray:
    """The opposite: numbers of qpos (1, 4 or 7), the quaternion normalised, from a joint's coordinates (1, 3 or 6) [rad or m]."""
    coordinates = np.array(coordinates, float)
    if len(coordinates) == 1:
        return coordinates
    turn = coordinates[-3:]
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle > 0 else np.array([1.0, 0.0, 0.0])
    return np.concatenate([coordinates[:-3], [math.cos(angle / 2), *(math.sin(angle / 2) * axis)]])
