"""What the state is: the one list of Data fields that a run goes on from. State vectors, reloads, the history, keyframes and derivatives all read it."""
from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import NamedTuple

import numpy as np

from physics.enums import StateBit
from physics.fields.layout import LAYOUTS, shape_of


class StateField(NamedTuple):
    """A field of Data that belongs to the state.

    bit: its StateBit, 0 where a state vector has none. key: the Model's field of keyframes that holds it, '' for none.
    recorded: the history keeps it for each step; what only the user changes is not kept. moves: what a step, or a perturbation of it, changes.
    """

    name: str
    bit: int = 0
    key: str = ""
    recorded: bool = False
    moves: bool = False


STATE = (
    StateField("time", StateBit.TIME, "key_time"),   # in the head of a history entry, as noise_step
    StateField("qpos", StateBit.QPOS, "key_qpos", recorded=True, moves=True),
    StateField("qvel", StateBit.QVEL, "key_qvel", recorded=True, moves=True),
    StateField("act", StateBit.ACT, "key_act", recorded=True, moves=True),
    StateField("history", StateBit.HISTORY, recorded=True),
    StateField("qacc_warmstart", StateBit.WARMSTART, recorded=True, moves=True),
    StateField("ctrl", StateBit.CTRL, "key_ctrl", recorded=True, moves=True),
    StateField("qfrc_applied", StateBit.QFRC_APPLIED),
    StateField("xfrc_applied", StateBit.XFRC_APPLIED),
    StateField("eq_active", StateBit.EQ_ACTIVE),
    StateField("mocap_pos", StateBit.MOCAP_POS, "key_mpos", recorded=True),
    StateField("mocap_quat", StateBit.MOCAP_QUAT, "key_mquat", recorded=True),
    StateField("mocap_before", moves=True),     # of the hard engine: from it mocap bodies have a velocity
    StateField("userdata", StateBit.USERDATA),
    StateField("ctrl_noise", recorded=True),
    StateField("tree_asleep", recorded=True),
)
ARRAYS = tuple(f.name for f in STATE if f.bit and f.name != "time")   # of a State, and of a state vector besides the time
RECORDED = tuple(f.name for f in STATE if f.recorded)
MOVING = tuple(f.name for f in STATE if f.moves)
KEYFRAME = tuple(f for f in STATE if f.key)


def count(m, name: str) -> int:
    """How many numbers a field of the state has."""
    spot = LAYOUTS["d"].arrays.get(name)
    if spot is None:
        return 1
    sizes = {size: getattr(m, size) for size in spot.dims if size in m.layout.scalars}
    return math.prod(shape_of(spot.dims, sizes))


def key_number(m, key: str | int | None) -> int | None:
    """Number of a keyframe given by name or number, None where there is no such."""
    if isinstance(key, str):
        named = m.id("key", key)
        if named >= 0:
            return named
        key = int(key) if key.isdecimal() else None
    return key if key is not None and 0 <= key < m.nkey else None


def load_keyframe(m, d, k: int) -> None:
    """Put keyframe k of the model into Data; what keyframes do not hold stays. Nothing that follows from the state is computed."""
    for field in KEYFRAME:
        stored = getattr(m, field.key)[k]
        if field.name == "time":
            d.time = float(stored)
        else:
            target = getattr(d, field.name)
            target[...] = stored.reshape(target.shape)


def store_keyframe(m, d, k: int) -> None:
    """Make the present state keyframe k of the model."""
    for field in KEYFRAME:
        getattr(m, field.key)[k] = np.ravel(getattr(d, field.name)) if field.name != "time" else d.time


@dataclass(frozen=True, slots=True)
class State:
    """Copies of the Data fields of the same names (ARRAYS); time [s]."""

    time: float
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    history: np.ndarray
    qacc_warmstart: np.ndarray
    ctrl: np.ndarray
    qfrc_applied: np.ndarray
    xfrc_applied: np.ndarray
    eq_active: np.ndarray
    mocap_pos: np.ndarray
    mocap_quat: np.ndarray
    userdata: np.ndarray

    @classmethod
    def of(cls, source) -> State:
        """Copy from a Data, a Snapshot or another State."""
        return cls(float(source.time), *(np.array(getattr(source, name)) for name in ARRAYS))

    def write(self, d) -> None:
        """Copy into a Data of the same sizes. Raises ValueError naming the field whose shape differs; then nothing is written."""
        for name in ARRAYS:
            have, want = getattr(self, name).shape, getattr(d, name).shape
            if have != want:
                raise ValueError(f"state has {name} of shape {have}, the model needs {want}")
        d.time = self.time
        for name in ARRAYS:
            getattr(d, name)[...] = getattr(self, name)
        d.rest_mocap()

    def finite(self) -> bool:
        """Whether no number is NaN or infinite."""
        return all(np.all(np.isfinite(getattr(self, f.name))) for f in fields(self))
