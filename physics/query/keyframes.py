"""Keyframes as values: taken from a state or from the Model, blended, and put in part into another state.

The time belongs to a keyframe as in MJCF; what keyframes do not hold (applied forces, warm start ...) stays where one is put into a state.
"""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from dataclasses import fields as fields_of

import numpy as np

from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.model.state_fields import KEYFRAME
from physics.query.configuration import differentiate_pos, integrate_pos, normalize_quat
from physics.query.hold_torque import moment_matrix
from physics.query.measure import carried
from physics.query.quaternion import quat_integrate, sub_quat
from physics.simulate.stages import com_pos, kinematics, tendon, transmission

FIELDS = tuple(field.name for field in KEYFRAME)


@dataclass(frozen=True, slots=True, eq=False)
class Keyframe:
    """Copies of what a <key> element holds: time [s], qpos (nq), qvel (nv), act (na), ctrl (nu), mocap_pos (nmocap, 3), mocap_quat (nmocap, 4)."""

    time: float
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    ctrl: np.ndarray
    mocap_pos: np.ndarray
    mocap_quat: np.ndarray

    @classmethod
    def of(cls, source) -> Keyframe:
        """That of a Data, a Snapshot or a State."""
        return cls(float(source.time), *(np.array(getattr(source, name), float) for name in FIELDS[1:]))

    @classmethod
    def of_model(cls, m: Model, key: int | str) -> Keyframe:
        """A keyframe of the Model by number or name. Raises KeyError, IndexError."""
        k = index_of(m, "key", key)
        return cls(float(m.key_time[k]), *(np.array(getattr(m, field.key)[k], float).reshape(_shape(m, field.name)) for field in KEYFRAME[1:]))

    @classmethod
    def start(cls, m: Model) -> Keyframe:
        """The start state: qpos0 at rest, mocap bodies where the Model has them."""
        at = np.flatnonzero(m.body_mocapid >= 0)
        at = at[np.argsort(m.body_mocapid[at])]
        return cls(0.0, np.array(m.qpos0), np.zeros(m.nv), np.zeros(m.na), np.zeros(m.nu), np.array(m.body_pos[at]), np.array(m.body_quat[at]))

    def fits(self, m: Model) -> bool:
        """Whether it has the sizes of a Model."""
        return all(np.shape(getattr(self, name)) == _shape(m, name) for name in FIELDS[1:])

    def write(self, d) -> None:
        """Put it into a Data. Raises ValueError naming the field that is of another size; then nothing is written."""
        for name in FIELDS[1:]:
            have, want = np.shape(getattr(self, name)), np.shape(getattr(d, name))
            if have != want:
                raise ValueError(f"the keyframe has {name} of shape {have}, the model needs {want}")
        d.time = self.time
        for name in FIELDS[1:]:
            getattr(d, name)[...] = getattr(self, name)

    def in_state(self, state):
        """A physics.model.state_fields.State as `state` with this keyframe in it."""
        return replace(state, **{name: getattr(self, name) for name in FIELDS})


def _shape(m: Model, name: str) -> tuple[int, ...]:
    sizes = {"qpos": (m.nq,), "qvel": (m.nv,), "act": (m.na,), "ctrl": (m.nu,), "mocap_pos": (m.nmocap, 3), "mocap_quat": (m.nmocap, 4)}
    return sizes[name]


def blend_keyframes(m: Model, a: Keyframe, b: Keyframe, t: float) -> Keyframe:
    """What lies between a (t = 0) and b (t = 1), joint by joint: numbers in proportion, quaternions along the shorter arc at even speed.

    Raises ValueError where one does not fit the Model. Source: Shoemake, "Animating Rotation with Quaternion Curves", SIGGRAPH 1985 (slerp).
    """
    for key in (a, b):
        if not key.fits(m):
            raise ValueError("a keyframe of another model cannot be blended")
    one, two = normalize_quat(m, a.qpos), normalize_quat(m, b.qpos)
    qpos = integrate_pos(m, one, differentiate_pos(m, one, two), float(t)) if m.nv else one
    quats = [quat_integrate(p, sub_quat(q, p), float(t)) for p, q in zip(a.mocap_quat, b.mocap_quat, strict=True)]
    linear = {name: (1 - t) * getattr(a, name) + t * getattr(b, name) for name in ("time", "qvel", "act", "ctrl", "mocap_pos")}
    return replace(a, **linear, qpos=qpos, mocap_quat=np.array(quats).reshape(-1, 4))


@dataclass(frozen=True, slots=True)
class Part:
    """Numbers of what belongs to a part of a Model: addresses in qpos, dofs, activations, controls, mocap bodies."""

    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    ctrl: np.ndarray
    mocap: np.ndarray

    def __len__(self) -> int:
        return sum(len(getattr(self, field.name)) for field in fields_of(self))


def part_of(m: Model, bodies: Iterable[int | str] = (), joints: Iterable[int | str] = (), subtree: bool = False) -> Part:
    """What belongs to these bodies (subtree: with all that they carry) and joints: their joints, the actuators whose moment at qpos0 is on these joints alone, mocap poses."""
    chosen = set(carried(m, *bodies).tolist()) if subtree else {index_of(m, "body", body) for body in bodies}
    wanted = np.zeros(m.njnt, bool)
    wanted[[index_of(m, "joint", joint) for joint in joints]] = True
    wanted |= np.isin(m.jnt_bodyid, sorted(chosen))
    ends = np.append(m.jnt_qposadr[1:], m.nq)
    qpos = [np.arange(m.jnt_qposadr[j], ends[j]) for j in np.flatnonzero(wanted)]
    dofs = np.flatnonzero(wanted[m.dof_jntid]) if m.nv else np.zeros(0, int)
    actuators = _actuators_of(m, dofs)
    numbers = {"act": (m.actuator_actadr, m.actuator_actnum), "ctrl": (m.actuator_ctrladr, m.actuator_ctrlnum)}
    rows = {name: _joined([np.arange(adr[i], adr[i] + num[i]) for i in actuators]) for name, (adr, num) in numbers.items()}
    mocap = m.body_mocapid[sorted(chosen)] if chosen else np.zeros(0, int)
    return Part(_joined(qpos), dofs, rows["act"], rows["ctrl"], mocap[mocap >= 0])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(parts).astype(int) if parts else np.zeros(0, int)


def _actuators_of(m: Model, dofs: np.ndarray) -> list[int]:
    """Those that move these dofs and no others."""
    if not m.nactuator or not len(dofs):
        return []
    d = Data(m)
    for stage in (kinematics, com_pos, tendon, transmission):
        stage(m, d)
    moves = moment_matrix(m, d) != 0
    others = np.ones(m.nv, bool)
    others[dofs] = False
    rows = [slice(m.actuator_outadr[i], m.actuator_outadr[i] + m.actuator_outnum[i]) for i in range(m.nactuator)]
    return [i for i, row in enumerate(rows) if moves[row][:, dofs].any() and not moves[row][:, others].any()]


def copy_part(into: Keyframe, source: Keyframe, part: Part) -> Keyframe:
    """`into` with the numbers of a part from another keyframe of the same Model; its time stays."""
    changed = {name: np.array(getattr(into, name)) for name in ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat")}
    for name, array in changed.items():
        rows = part.mocap if name.startswith("mocap") else getattr(part, name)
        array[rows] = getattr(source, name)[rows]
    return replace(into, **changed)
