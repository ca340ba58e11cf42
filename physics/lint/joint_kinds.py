"""What rules ask of the types of joints: which turn, which have one coordinate, where quaternions stand in qpos."""
from __future__ import annotations

import numpy as np

from physics.enums import JNT_BALL, JNT_FREE, JNT_HINGE, JNT_SLIDE
from physics.model.model import Model


def hinges(m: Model) -> np.ndarray:
    """Whether each joint is a hinge."""
    return np.asarray(m.jnt_type) == JNT_HINGE


def scalar_joints(m: Model) -> np.ndarray:
    """Whether each joint is a slide or a hinge."""
    return (np.asarray(m.jnt_type) == JNT_SLIDE) | hinges(m)


def free_joints(m: Model) -> np.ndarray:
    """Whether each joint is free."""
    return np.asarray(m.jnt_type) == JNT_FREE


def turning_dofs(m: Model) -> np.ndarray:
    """Whether each dof (nv) is a rotation: of hinges, balls, and the last three of free joints."""
    kind = np.asarray(m.jnt_type)[m.dof_jntid]
    place = np.arange(m.nv) - np.asarray(m.jnt_dofadr)[m.dof_jntid]
    return np.isin(kind, (JNT_HINGE, JNT_BALL)) | ((kind == JNT_FREE) & (place >= 3))


def quaternions(m: Model) -> list[tuple[int, int]]:
    """(joint, address in qpos) of each rotation that is a quaternion."""
    kind, first = np.asarray(m.jnt_type), np.asarray(m.jnt_qposadr)
    at = np.where(kind == JNT_FREE, first + 3, first)
    return [(int(j), int(at[j])) for j in np.flatnonzero((kind == JNT_FREE) | (kind == JNT_BALL))]
