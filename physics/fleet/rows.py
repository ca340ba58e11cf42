"""What each simulation of a fleet has for itself, as one array per field with a row for each, and the table by which compiled code copies rows.

    fields of Model (expand)  |  set by users  |  moved by steps  |  found by steps (bind)

Source of what belongs to a state: physics/model/state_fields.py. What is cached in a Data beside that decides how long a step takes, never what comes out.
"""
from __future__ import annotations

import numpy as np

from physics.engine.fleet.rows import ELSEWHERE, IN_ARRAYS, IN_BLOCK
from physics.fields.layout import GROWING, LAYOUTS
from physics.model.data import Data
from physics.model.index_fields import TRUSTED
from physics.model.model import Model
from physics.model.state_fields import KEYFRAME, STATE
from physics.model.struct import address
from physics.name_hints import hint

_DATA, _MODEL = LAYOUTS["d"], LAYOUTS["m"]
_COUNTS = ("hard_ncoarse", "hard_nhalved", "hard_nfailed", "hard_nstuck", "hard_neased")   # of the hard engine, since the last reset
MOVED = ("time", "qpos", "qvel", "act", "history", "qacc_warmstart", "mocap_before", "warning_number", "warning_lastinfo", *_COUNTS)
COMMON = TRUSTED - {"eq_active0"} | {"opt_engine"}      # all simulations must agree in these; eq_active0 is read where one begins, and never by a step
SET = tuple(field.name for field in STATE if field.bit and field.name not in MOVED)


def _dtype(layout, name: str) -> np.dtype:
    if name in layout.arrays:
        return layout.arrays[name].dtype
    return np.dtype(np.float64 if layout.scalars[name][1] == "f" else np.int64)


class Rows:
    """of_model, set, moved, found: {field: array (n, shape of the field)}."""

    def __init__(self, start: Data, n: int):
        self.n = n
        self.of_model: dict[str, np.ndarray] = {}
        self.set = {name: self._room(start, name) for name in SET}
        self.moved = {name: self._room(start, name) for name in MOVED}
        self.found: dict[str, np.ndarray] = {}

    def _room(self, owner: Data | Model, name: str) -> np.ndarray:
        return np.zeros((self.n, *np.shape(getattr(owner, name))), _dtype(owner.layout, name))

    def state(self, name: str) -> np.ndarray | None:
        """The rows of a field that simulations start from; None for other fields."""
        return self.moved.get(name, self.set.get(name))

    def begin(self, ids: np.ndarray | slice, start: Data) -> None:
        """These simulations are where a Data is; nothing has been found of them."""
        for group in (self.set, self.moved):
            for name, rows in group.items():
                rows[ids] = getattr(start, name)
        for rows in self.found.values():
            rows[ids] = 0

    def begin_own(self, ids: np.ndarray | slice, m: Model, key: int) -> None:
        """After `begin`: what simulations begin at by fields of the Model that they have for themselves. key: the keyframe they are at, -1: the initial pose."""
        own = self.of_model
        mocap = np.flatnonzero(m.body_mocapid >= 0)
        if "qpos0" in own:
            self.moved["qpos"][ids] = own["qpos0"][ids]
        if "eq_active0" in own:
            self.set["eq_active"][ids] = own["eq_active0"][ids]
        for name, of in (("mocap_pos", "body_pos"), ("mocap_quat", "body_quat")):
            if of in own:
                self.set[name][ids] = own[of][ids][:, mocap][:, np.argsort(m.body_mocapid[mocap])]
        for field in KEYFRAME if key >= 0 else ():
            if self._of_key(own, field.key):
                rows = self.state(field.name)
                stored = own[field.key][ids][:, key] if field.key in own else np.repeat(getattr(m, field.key)[key:key + 1], len(rows[ids]), axis=0)
                rows[ids] = stored.reshape(rows[ids].shape)

    def _of_key(self, own: dict[str, np.ndarray], name: str) -> bool:
        """Whether a keyframe's field must be written anew: its own, or one over which what begins at the initial pose was written."""
        return name in own or {"key_qpos": "qpos0", "key_mpos": "body_pos", "key_mquat": "body_quat"}.get(name) in own

    def look_at(self, start: Data, name: str) -> np.ndarray:
        """The rows of any field of Data that has as many numbers in each simulation. Raises AttributeError for a name, ValueError for a field that has not."""
        rows = self.state(name)
        if rows is None:
            rows = self.found.get(name)
        if rows is None:
            check_followed(name)
            rows = self.found[name] = self._room(start, name)
        return rows

    def expand(self, m: Model, name: str) -> np.ndarray:
        """The rows of a field of the Model, those of m to begin with. Raises AttributeError for a name, ValueError for a field that all must have in common."""
        if name not in self.of_model:
            check_expanded(name)
            rows = self._room(m, name)
            rows[:] = getattr(m, name)
            self.of_model[name] = rows
        return self.of_model[name]

    def table(self, d: Data, face: Model | None) -> tuple[np.ndarray, np.ndarray]:
        """(fleet_field, fleet_part) of engine/fleet/rows.py; face: the Model whose fields are given each simulation's values, where there are such."""
        entries, ends = [], []
        for of, group in ((face, self.of_model), (d, self.set), (d, self.moved), (d, self.found)):
            entries += [(*_spot(of, name), address(rows), rows.nbytes // self.n) for name, rows in group.items() if rows.size]
            ends.append(len(entries))
        return np.array(entries, np.int64).reshape(-1, 4), np.array(ends, np.int64)

    def nbytes(self) -> int:
        """Memory of all rows [byte]."""
        return sum(rows.nbytes for group in (self.of_model, self.set, self.moved, self.found) for rows in group.values())


def _spot(owner: Data | Model, name: str) -> tuple[int, int]:
    """In whose memory a field lies, and where there."""
    if isinstance(owner, Model):
        where = address(getattr(owner, name)) if name in _MODEL.arrays else address(owner._block) + _MODEL.scalars[name][0]
        return ELSEWHERE, where
    if name in _DATA.scalars:
        return IN_BLOCK, _DATA.scalars[name][0]
    return IN_ARRAYS, address(owner.__dict__[name]) - owner._buffer.ctypes.data


def check_followed(name: str) -> None:
    """Raise unless a field of Data has as many numbers in each simulation and a step leaves it there."""
    if name not in _DATA.rows or _DATA.rows[name].private:
        raise AttributeError(f"Data has no field {name}{hint(name, _DATA.public)}")
    if name in _DATA.arrays and _DATA.arrays[name].dims[0] in GROWING:
        raise ValueError(f"{name}: how many rows it has differs from simulation to simulation; get_data(i) has those of one")
    if name in ("qLD", "qLDiagInv"):
        raise ValueError(f"{name} is made when it is asked for; get_data(i) has that of one simulation")
    if name.startswith("cb_") or name in ("diverged", "diverged_id"):
        raise ValueError(f"{name}: belongs to no simulation; Fleet.diverged says which have stopped")


def check_expanded(name: str) -> None:
    """Raise unless simulations may differ in this field of the Model."""
    if name not in _MODEL.rows or _MODEL.rows[name].private:
        raise AttributeError(f"Model has no field {name}{hint(name, _MODEL.public)}")
    if name in COMMON or name in _MODEL.scalars and name.startswith("n"):
        raise ValueError(f"{name}: a whole number that decides how the Model is computed; all simulations of a fleet have it in common")
