"""What the actions of an episode are: for each control period what holds during it, or where it leads.

    ctrl       controls at the state that the period begins with
    joints     coordinates of hinge and slide joints that an actuator or the target of one moves, at the period's end
    ee-abs     pose of each site, or held pose of each mocap body: position [m] and rotation vector [rad] in the world, and controls of the gripper
    ee-delta   the same as the way from the pose at the period's beginning, of a mocap body from what was held before: difference of positions, rotation vector of
               R_end R_begin^T, in the world
"""
from __future__ import annotations

import numpy as np

from app.demonstrations.export.plan import CTRL, EE_ABS, EE_DELTA, JOINTS, ExportError, ExportPlan
from app.demonstrations.states import EpisodeStates
from physics.engine.linalg import quat
from physics.enums import TRN_JOINT, TRN_JOINTINPARENT
from physics.model.data import Data
from physics.model.model import Model
from physics.name_hints import hint
from physics.runtime.joint_coordinates import qpos_slice

POSE = ("x", "y", "z", "rx", "ry", "rz")


class Actions:
    """Those of one episode. take(k, d) is called at each state with all that follows from it computed; `array` gives n of them for n + 1 states."""

    def __init__(self, m: Model, plan: ExportPlan, states: EpisodeStates, entries: np.ndarray):
        self._m, self._states, self._entries = m, states, entries
        self._kind = plan.actions
        self._poses: list[np.ndarray] = []
        self._joints = _joints(m) if plan.actions == JOINTS else ()
        self._sites = tuple(_number(m, "site", name) for name in plan.sites)
        self._mocap = () if self._sites or plan.actions not in (EE_ABS, EE_DELTA) else tuple(body for body in range(m.nbody) if m.body_mocapid[body] >= 0)
        self._gripper = tuple(_number(m, "actuator", name) for name in plan.gripper)
        if plan.actions in (EE_ABS, EE_DELTA) and not self._sites and not self._mocap:
            raise ExportError(f"--actions {plan.actions} needs --site: of the model's {', '.join(filter(None, m.names['site'])) or 'none'}")
        if plan.actions == CTRL and not m.nu:
            raise ExportError("the model has no controls: --actions ee-abs or ee-delta takes poses of mocap bodies")

    @property
    def names(self) -> tuple[str, ...]:
        """Of each number."""
        m = self._m
        if self._kind == CTRL:
            return tuple(m.names["actuator"][k] or f"actuator{k}" for k in range(m.nu))
        if self._kind == JOINTS:
            return tuple(m.names["joint"][j] or f"joint{j}" for j in self._joints)
        of = [m.names["site"][k] or f"site{k}" for k in self._sites] or [m.names["body"][k] or f"body{k}" for k in self._mocap]
        return (*(f"{name}.{word}" for name in of for word in POSE), *(m.names["actuator"][k] or f"actuator{k}" for k in self._gripper))

    def take(self, k: int, d: Data) -> None:
        """State k. A mocap body's pose is what is held from there on."""
        if self._kind == JOINTS:
            self._poses.append(np.array([d.qpos[self._m.jnt_qposadr[j]] for j in self._joints]))
        elif self._sites:
            self._poses.append(np.array([[*d.site_xpos[s], *_site_quat(self._m, d, s)] for s in self._sites]))
        elif self._mocap:
            entry = int(self._entries[k])
            pos, quats = (self._states.column(name, entry) for name in ("mocap_pos", "mocap_quat"))
            ids = [int(self._m.body_mocapid[body]) for body in self._mocap]
            self._poses.append(np.array([[*pos[3 * i:3 * i + 3], *quats[4 * i:4 * i + 4]] for i in ids]))

    def array(self) -> np.ndarray:
        """(n, numbers) float64."""
        begins = self._entries[:-1]
        ctrl = np.array([self._states.column("ctrl", int(entry)) for entry in begins]).reshape(len(begins), self._m.nu)
        if self._kind == CTRL:
            return ctrl
        poses = np.array(self._poses)
        if self._kind == JOINTS:
            return poses[1:]
        goals = poses[1:] if self._sites else poses[:-1]        # a site gets there, a mocap body is held there
        turns = _unwrapped(np.array([[_rotvec(pose[3:]) for pose in row] for row in goals]))
        found = np.concatenate([goals[:, :, :3], turns], axis=2)
        if self._kind == EE_DELTA:
            before = poses[:-1] if self._sites else np.concatenate([poses[:1], poses[:-2]]) if len(poses) > 1 else poses[:0]
            found = np.array([[_way(a, b) for a, b in zip(row, goal, strict=True)] for row, goal in zip(before, goals, strict=True)])
        return np.concatenate([found.reshape(len(begins), -1), ctrl[:, list(self._gripper)]], axis=1)


def _site_quat(m: Model, d: Data, site: int) -> tuple:
    """Orientation of a site in the world."""
    return quat.mul4(tuple(d.xquat[m.site_bodyid[site]].tolist()), tuple(m.site_quat[site].tolist()))


def _way(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """(6,) from pose a to pose b, each (7,)."""
    turn = quat.mul4(tuple(b[3:].tolist()), quat.conj4(tuple(a[3:].tolist())))
    return np.concatenate([b[:3] - a[:3], _rotvec(np.array(turn))])


def _rotvec(q: np.ndarray) -> np.ndarray:
    return np.array(quat.to_rotvec(quat.unit4(tuple(q.tolist()))))


def _unwrapped(turns: np.ndarray) -> np.ndarray:
    """Rotation vectors (n, bodies, 3) without jumps: of the vectors that mean the same turn (by whole turns about its axis) the one nearest to that before."""
    found = turns.copy()
    for k in range(1, len(found)):
        for b in range(found.shape[1]):
            angle = np.linalg.norm(found[k, b])
            if angle > 1e-9:
                axis = found[k, b] / angle
                others = [found[k, b] + 2 * np.pi * n * axis for n in (-1, 0, 1)]
                found[k, b] = min(others, key=lambda one: np.linalg.norm(one - found[k - 1, b]))
    return found


def _joints(m: Model) -> tuple[int, ...]:
    """Hinge and slide joints that actuators move; where there are none, all of them."""
    one_number = [j for j in range(m.njnt) if qpos_slice(m, j).stop - qpos_slice(m, j).start == 1]
    moved = [j for j in one_number if any(m.actuator_trnid[k, 0] == j and m.actuator_trntype[k] in (TRN_JOINT, TRN_JOINTINPARENT) for k in range(m.nu))]
    if not one_number:
        raise ExportError("the model has no hinge or slide joint: --actions ctrl, ee-abs or ee-delta")
    return tuple(moved or one_number)


def _number(m: Model, kind: str, name: str) -> int:
    found = m.id(kind, name)
    if found < 0:
        known = [one for one in m.names[kind] if one]
        raise ExportError(f"there is no {kind} '{name}'{hint(name, known)}; there are: {', '.join(known) or 'none'}")
    return found
