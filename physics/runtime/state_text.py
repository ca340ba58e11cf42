"""The state that a reload carries over, and its text as a keyframe element."""
from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

ARRAYS = ("qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "eq_active", "xfrc_applied", "userdata", "qacc_warmstart", "history")
KEY_ATTRIBUTES = (("qpos", "qpos"), ("qvel", "qvel"), ("act", "act"), ("ctrl", "ctrl"), ("mpos", "mocap_pos"), ("mquat", "mocap_quat"))


@dataclass(frozen=True, slots=True)
class State:
    """Copies of the Data fields of the same names; time [s]."""

    time: float
    qpos: np.ndarray
    qvel: np.ndarray
    act: np.ndarray
    ctrl: np.ndarray
    mocap_pos: np.ndarray
    mocap_quat: np.ndarray
    eq_active: np.ndarray
    xfrc_applied: np.ndarray
    userdata: np.ndarray
    qacc_warmstart: np.ndarray
    history: np.ndarray

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

    def finite(self) -> bool:
        """Whether no number is NaN or infinite."""
        return all(np.all(np.isfinite(getattr(self, f.name))) for f in fields(self))


def key_element(source, digits: int | None = None, name: str = "") -> str:
    """Text of a <key> element for the state of a Data, Snapshot or State; %g numbers, or so many significant digits (16: exact)."""
    number = (lambda v: f"{v:g}") if digits is None else (lambda v: f"{v:.{digits}g}")
    lines = ["<key" + (f' name="{name}"' if name else ""), f'  time="{number(source.time)}"']
    for attribute, field in KEY_ATTRIBUTES:
        values = np.ravel(getattr(source, field))
        if values.size:
            lines.append(f'  {attribute}="{" ".join(map(number, values))}"')
    return "\n".join(lines) + "\n/>"
