"""Kinematics at one given qpos, in plain Python: for the constants that the compiler computes.

Source: MuJoCo documentation, Computation chapter, "Kinematics"; the engine's own stages are in engine/kinematics/kinematics.py.
"""
from __future__ import annotations

import math
from itertools import chain

import numpy as np

from physics.compiler.build import Build
from physics.compiler.items import BodyItem, Item, JointItem
from physics.enums import JNT_FREE, JNT_HINGE, JNT_SLIDE, SAMEFRAME_BODY, SAMEFRAME_INERTIA
from physics.rotation.quaternion import UNIT, apply, compose, matrix, mul, product, rotate, unit


class Pose:
    """World frames of everything at qpos.

    xpos, xquat, xmat, xipos per body; anchor, axis per joint; geom, site: positions; cdof: (nv, 6) motion of each dof,
    rotation first, the linear part that of the point at the origin of the dof's tree (subtree_com of its root).
    """

    def __init__(self, build: Build, qpos):
        items = build.items
        self.qpos, self.chains = qpos, build.chains
        self.xpos, self.xquat, self.xmat, self.xipos = [], [], [], []
        self.anchor, self.axis = [], []
        self.stretches: dict[int, list] = {}   # tendon id -> the parts of its path, see tendon_lengths.py
        self._moving: dict[int, tuple[list, np.ndarray]] = {}   # dof -> its chain, and their motions
        for body in items["body"]:
            self._body(build, body, qpos)
        self.geom = [self.place(build, "geom", g) for g in items["geom"]]
        self.site = [self.place(build, "site", s) for s in items["site"]]
        self.subtree_com = self._centres(items["body"])
        self.cdof = self._motions(build)

    def point(self, body: int, pos) -> tuple:
        """A point given in a body's frame, in the world."""
        p, x = self.xpos[body], apply(self.xmat[body], pos)
        return p[0] + x[0], p[1] + x[1], p[2] + x[2]

    def place(self, build: Build, kind: str, item: Item) -> tuple:
        """Where a geom or site is: exactly at the frame that its own practically equals, as in the engine."""
        same = build.fields.rows[kind + "_sameframe"][item.id]
        if same == SAMEFRAME_BODY:
            return self.xpos[item.body.id]
        return self.xipos[item.body.id] if same == SAMEFRAME_INERTIA else self.point(item.body.id, item.pos)

    def turned(self, item: Item) -> tuple:
        """Rotation matrix in the world of a geom or site."""
        return product(self.xmat[item.body.id], matrix(item.quat))

    def jacobian(self, body: BodyItem, point) -> tuple[list, np.ndarray, np.ndarray]:
        """Dofs that move a body, and per unit speed of each the velocity of a world point on it (n, 3) and its angular velocity (n, 3)."""
        if body.lastdof not in self._moving:
            dofs = self.chains[body.lastdof] if body.lastdof >= 0 else []
            self._moving[body.lastdof] = dofs, self.cdof[dofs]
        dofs, motion = self._moving[body.lastdof]
        rot = motion[:, :3]
        return dofs, motion[:, 3:] + _cross(rot, np.subtract(point, self.subtree_com[body.rootid])), rot

    def _body(self, build: Build, body: BodyItem, qpos) -> None:
        joints = body.joints
        if body.parent is None:
            pos, quat = (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
        elif len(joints) == 1 and joints[0].type == JNT_FREE:
            a = joints[0].qposadr
            pos, quat = tuple(qpos[a:a + 3]), unit(qpos[a + 3:a + 7])[0]
            self.anchor.append(pos)
            self.axis.append(joints[0].axis)
        else:
            p = body.parent.id
            pos, quat = compose(self.xpos[p], self.xquat[p], body.pos, body.quat)
            for joint in joints:
                pos, quat = self._joint(build, joint, qpos, pos, quat)
        quat = unit(quat)[0]
        self.xpos.append(pos)
        self.xquat.append(quat)
        self.xmat.append(matrix(quat))
        self.xipos.append(pos if body.sameframe == SAMEFRAME_BODY else self.point(body.id, body.ipos))

    def _joint(self, build: Build, joint: JointItem, qpos, pos, quat):
        px, py, pz = pos
        (x, y, z), axis = (joint.pos, joint.axis) if quat == UNIT else (rotate(quat, joint.pos), rotate(quat, joint.axis))
        anchor = px + x, py + y, pz + z
        self.anchor.append(anchor)
        self.axis.append(axis)
        a = joint.qposadr
        if joint.type == JNT_SLIDE:
            q = qpos[a] - joint.ref
            x, y, z = axis
            return (px + x * q, py + y * q, pz + z * q), quat
        if joint.type == JNT_HINGE:
            half = 0.5 * (qpos[a] - joint.ref)
            s = math.sin(half)
            quat = mul(quat, (math.cos(half), *(s * x for x in joint.axis)))
        else:
            quat = mul(quat, unit(qpos[a:a + 4])[0])
        (px, py, pz), (x, y, z) = anchor, rotate(quat, joint.pos)
        return (px - x, py - y, pz - z), quat

    def _centres(self, bodies) -> np.ndarray:
        """Centre of mass of each body's subtree."""
        masses = [b.mass for b in bodies]
        moments = (np.array(self.xipos) * np.array(masses)[:, None]).tolist()
        for b in reversed(bodies[1:]):
            above, own = moments[b.parent.id], moments[b.id]
            above[0] += own[0]
            above[1] += own[1]
            above[2] += own[2]
            masses[b.parent.id] += masses[b.id]
        mass = np.array(masses)
        light = mass < 1e-15
        centres = np.array(moments) / np.where(light, 1.0, mass)[:, None]
        centres[light] = np.array(self.xipos)[light]
        return centres

    def _motions(self, build: Build) -> np.ndarray:
        rows, centres = [], self.subtree_com.tolist()
        for k, joint in enumerate(build.items["joint"]):
            body = joint.body
            m = self.xmat[body.id]
            if joint.type == JNT_SLIDE:
                rows.append((0.0, 0.0, 0.0, *self.axis[k]))
                continue
            d = tuple([c - a for c, a in zip(centres[body.rootid], self.anchor[k])])
            if joint.type == JNT_FREE:
                rows += [(0.0, 0.0, 0.0, 1.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 1.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)]
            axes = [self.axis[k]] if joint.type == JNT_HINGE else [(m[i], m[3 + i], m[6 + i]) for i in range(3)]
            rows += [(*a, a[1] * d[2] - a[2] * d[1], a[2] * d[0] - a[0] * d[2], a[0] * d[1] - a[1] * d[0]) for a in axes]
        return from_rows(rows, 6)


def from_rows(rows: list[tuple], width: int) -> np.ndarray:
    """Rows of numbers as an array."""
    return np.fromiter(chain.from_iterable(rows), np.float64, width * len(rows)).reshape(-1, width)


def _cross(a: np.ndarray, b) -> np.ndarray:
    """Rows of a times one vector; quicker than np.cross on few rows."""
    x, y, z = b
    found = np.empty((len(a), 3))
    found[:, 0] = a[:, 1] * z - a[:, 2] * y
    found[:, 1] = a[:, 2] * x - a[:, 0] * z
    found[:, 2] = a[:, 0] * y - a[:, 1] * x
    return found
