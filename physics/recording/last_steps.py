"""The last steps of a run that has diverged, with all that is needed to take them again: states, inputs, the Model's values then, and the step that was refused."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.enums import MAXVAL
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import RECORDED, State, count
from physics.recording.track import HEAD
from physics.simulate import warnings
from physics.simulate.step import check_dynamics, step

MOST = 2000             # entries that are kept
MOST_BYTES = 16 << 20
INPUTS = ("ctrl", "mocap_pos", "mocap_quat")                                    # in rows
HELD = ("qfrc_applied", "xfrc_applied", "eq_active", "userdata")                # beside them
NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class LastSteps:
    """model: what ran, with the values `live` then ({field: number or array}, empty: as they are now). rows (n, HEAD + numbers): the newest entries of the history, the last
    of them the last good one; parts: {field of Data: how many numbers}, in their order behind HEAD. number: of the first row's entry. held: (number, {field: array})
    ascending, of inputs that rows do not have. refused: the state in which a step was refused, with its inputs. found: why, None where it cannot be said. branch: of the history,
    in which these entries are."""

    model: Model
    rows: np.ndarray
    parts: Mapping[str, int]
    number: int
    refused: State
    found: warnings.Divergence | None
    held: tuple[tuple[int, Mapping[str, np.ndarray]], ...] = ()
    live: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    branch: int = 1

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def time(self) -> np.ndarray:
        """(n,) simulated times [s]."""
        return self.rows[:, 0]

    def columns(self, name: str) -> np.ndarray:
        """A field for all rows, (n, numbers): a view."""
        at = HEAD
        for part, size in self.parts.items():
            if part == name:
                return self.rows[:, at:at + size]
            at += size
        raise KeyError(name)

    def held_at(self, k: int) -> Mapping[str, np.ndarray]:
        """What was held at row k beside the rows."""
        found = NOTHING
        for number, fields in self.held:
            if number > self.number + k:
                break
            found = fields
        return found

    def inputs_of(self, k: int) -> dict[str, np.ndarray]:
        """Inputs of the step from row k on: what the next row has of them, as they are written before a step; of the last row those of the step that was refused."""
        if k + 1 >= len(self.rows):
            return {name: getattr(self.refused, name) for name in (*INPUTS, *HELD)}
        return {**{name: self.columns(name)[k + 1] for name in INPUTS}, **self.held_at(k + 1)}

    def put(self, d: Data, k: int) -> None:
        """Make row k the state of a Data of a Model of the same structure, with the inputs of the step from there on."""
        row, at = self.rows[k], HEAD
        d.time, d.noise_step = float(row[0]), int(row[1])
        d.wake()
        for name, size in self.parts.items():
            getattr(d, name).reshape(-1)[:] = row[at:at + size]
            at += size
        d.let_sleep()
        put_inputs(d, self.inputs_of(k))


def put_inputs(d: Data, inputs: Mapping[str, np.ndarray]) -> None:
    """Give a Data these inputs."""
    for name, numbers in inputs.items():
        getattr(d, name).reshape(-1)[:] = np.ravel(numbers)


def good_rows(rows: np.ndarray, parts: Mapping[str, int]) -> np.ndarray:
    """(n,) whether positions and velocities of each row are numbers of ordinary size. parts begin with qpos and qvel."""
    end = HEAD + parts["qpos"] + parts["qvel"]
    with np.errstate(invalid="ignore"):
        return (np.abs(rows[:, HEAD:end]) < MAXVAL).all(axis=1)


def step_until_divergence(m: Model, d: Data, seconds: float, control: Callable[[Model, Data], None] | None = None, most: int = MOST) -> LastSteps | None:
    """Step until a step is refused, for so many simulated seconds at most; the last steps then, None where none is refused. control(m, d) is called before each step and
    may write inputs. d ends in the state in which the step was refused. Raises ViewOnlyError as `physics.step`."""
    check_dynamics(m)
    parts = {name: count(m, name) for name in RECORDED}
    rows, inputs, end = [_row(d, parts)], [_held(d)], d.time + seconds
    while d.time < end:
        if control is not None:
            control(m, d)
        if step(m, d, 1, autoreset=False) != 1:
            break
        rows.append(_row(d, parts))
        inputs.append(_held(d))
        del rows[:-most], inputs[:-most]
    else:
        return None
    refused, array = State.of(d), np.array(rows)
    last = int(np.flatnonzero(good_rows(array, parts))[-1]) if good_rows(array, parts).any() else 0
    held = tuple((k, fields) for k, fields in enumerate(inputs[:last + 1]) if not k or any(fields[name].tobytes() != inputs[k - 1][name].tobytes() for name in HELD))
    return LastSteps(m, array[:last + 1], parts, 0, refused, warnings.divergence(m, d), held)


def _row(d: Data, parts: Mapping[str, int]) -> np.ndarray:
    return np.concatenate([[d.time, d.noise_step], *(np.ravel(getattr(d, name)) for name in parts)])


def _held(d: Data) -> dict[str, np.ndarray]:
    return {name: np.array(getattr(d, name)) for name in HELD}
