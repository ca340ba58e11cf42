"""Ranges of joints as a box of the step that may be taken from a pose.

A hinge or slide stays between two numbers. A ball joint has one limit, of its rotation angle: the step is told in axes of which the first is the rotation's own,
so that this too is a bound of one number. The rest of such a step turns the angle a little further (at second order), which `project` takes back.

Source: MuJoCo documentation, XML reference, joint/range.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.engine.linalg import quat
from physics.enums import JNT_BALL, JNT_FREE, JNT_SLIDE
from physics.model.model import Model

UNLIMITED_TURN = np.pi      # of random poses [rad]


class Turn(NamedTuple):
    """Axes of a ball joint's step: rows of `axes` (3, 3), the first is that of the joint's rotation; dof: its first."""

    dof: int
    axes: np.ndarray


class Box(NamedTuple):
    """lo <= step <= hi (nv each), in the axes of `turns` where a ball joint has a limit."""

    lo: np.ndarray
    hi: np.ndarray
    turns: tuple[Turn, ...]


class Limits:
    """The ranges of a Model's joints, or of some of them. on False: there are none."""

    def __init__(self, m: Model, on: bool = True, joints=None):
        self._m = m
        limited = (m.jnt_limited != 0) & on
        if joints is not None:
            limited &= np.isin(np.arange(m.njnt), joints)
        scalar = m.jnt_type >= JNT_SLIDE
        self.joints = np.flatnonzero(limited & scalar)
        self._qpos, self._dofs, self._range = m.jnt_qposadr[self.joints], m.jnt_dofadr[self.joints], m.jnt_range[self.joints]
        self.balls = tuple((int(j), int(m.jnt_qposadr[j]), int(m.jnt_dofadr[j]), float(m.jnt_range[j].max())) for j in np.flatnonzero(limited & (m.jnt_type == JNT_BALL)))

    def project(self, qpos: np.ndarray) -> np.ndarray:
        """The pose (nq) with what is out of its range brought to the end of it, in place."""
        qpos[self._qpos] = np.clip(qpos[self._qpos], self._range[:, 0], self._range[:, 1])
        for _joint, a, _dof, most in self.balls:
            axis, angle = _rotation(qpos[a:a + 4])
            if angle > most:
                qpos[a:a + 4] = quat.axis_angle(tuple(axis), most)
        return qpos

    def box(self, qpos: np.ndarray) -> Box:
        """What each dof may move by from a pose within the ranges."""
        lo, hi = np.full(self._m.nv, -np.inf), np.full(self._m.nv, np.inf)
        lo[self._dofs] = np.minimum(self._range[:, 0] - qpos[self._qpos], 0.0)
        hi[self._dofs] = np.maximum(self._range[:, 1] - qpos[self._qpos], 0.0)
        turns = []
        for _joint, a, dof, most in self.balls:
            axis, angle = _rotation(qpos[a:a + 4])
            hi[dof], lo[dof] = max(0.0, most - angle), -most - angle
            turns.append(Turn(dof, _axes(axis)))
        return Box(lo, hi, tuple(turns))

    def reached(self, qpos: np.ndarray, within: float = 1e-6) -> tuple[int, ...]:
        """Joints at the end of their range, or beyond."""
        value = qpos[self._qpos]
        ends = (value <= self._range[:, 0] + within) | (value >= self._range[:, 1] - within)
        return (*self.joints[ends].tolist(), *(j for j, a, _dof, most in self.balls if _rotation(qpos[a:a + 4])[1] >= most - within))

    def excess(self, qpos: np.ndarray) -> float:
        """How far beyond its range the farthest joint is [rad or m]; 0 where all are within."""
        value = qpos[self._qpos]
        over = np.maximum(self._range[:, 0] - value, value - self._range[:, 1])
        return max((0.0, *over.tolist(), *(_rotation(qpos[a:a + 4])[1] - most for _joint, a, _dof, most in self.balls)))


def random_pose(m: Model, qpos: np.ndarray, joints: np.ndarray, length: float, limits: Limits, random: np.random.Generator) -> np.ndarray:
    """A pose that differs from qpos in these joints, each anywhere in its range: hinges without one within half a turn, slides within `length` [m]; free joints stay."""
    new = qpos.copy()
    for j in joints.tolist():
        kind, a = int(m.jnt_type[j]), int(m.jnt_qposadr[j])
        if kind == JNT_FREE:
            continue
        if kind == JNT_BALL:
            new[a:a + 4] = quat.unit4(tuple(random.normal(size=4).tolist()))
        elif m.jnt_limited[j]:
            new[a] = random.uniform(*m.jnt_range[j])
        else:
            reach = length if kind == JNT_SLIDE else UNLIMITED_TURN
            new[a] = m.qpos0[a] + random.uniform(-reach, reach)
    return limits.project(new)


def dof_kinds(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Of each dof whether it is a translation, and whether it belongs to a free joint (nv each)."""
    kind = m.jnt_type[m.dof_jntid]
    free = kind == JNT_FREE
    within = np.arange(m.nv) - m.jnt_dofadr[m.dof_jntid]
    return (kind == JNT_SLIDE) | (free & (within < 3)), free


def _rotation(q) -> tuple[np.ndarray, float]:
    """(unit axis, angle in [0, pi]) of a quaternion."""
    vector = np.array(quat.to_rotvec(quat.unit4(tuple(q.tolist()))))
    angle = float(np.linalg.norm(vector))
    return (vector / angle, angle) if angle > 0 else (np.array([1.0, 0.0, 0.0]), 0.0)


def _axes(axis: np.ndarray) -> np.ndarray:
    """Three orthonormal rows, the first of which is `axis`."""
    other = np.zeros(3)
    other[np.argmin(np.abs(axis))] = 1.0
    second = np.cross(axis, other)
    second /= np.linalg.norm(second)
    return np.array([axis, second, np.cross(axis, second)])
