"""Recorded motion as identification takes it: from arrays, or out of a Recording."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from physics.model.model import Model
from physics.optimise.tangent import State
from physics.recording.recording import Recording, whole_way


@dataclass(frozen=True, slots=True)
class Motion:
    """qpos (T + 1, nq), qvel (T + 1, nv), act (T + 1, na) at T + 1 times; controls (T, nu) from each to the next. nstep: time steps of the Model from one time to the next."""

    qpos: np.ndarray
    qvel: np.ndarray
    controls: np.ndarray
    act: np.ndarray | None = None
    nstep: int = 1

    def checked(self, m: Model) -> Motion:
        """The same with arrays of the right sizes. Raises ValueError."""
        n = len(self.qpos)
        act = np.zeros((n, m.na)) if self.act is None else self.act
        found = []
        for what, values, shape in (("qpos", self.qpos, (n, m.nq)), ("qvel", self.qvel, (n, m.nv)), ("controls", self.controls, (n - 1, m.nu)), ("act", act, (n, m.na))):
            array = np.array(values, np.float64)
            if array.shape != shape or not np.isfinite(array).all():
                raise ValueError(f"a motion of {n} times: {what} needs {shape} finite numbers, got {array.shape}")
            found.append(array)
        if n < 2 or self.nstep < 1:
            raise ValueError(f"a motion has two times or more, and nstep is 1 or more, not {n} and {self.nstep}")
        return Motion(found[0], found[1], found[2], found[3], self.nstep)

    def cut(self, length: int, every: int | None = None) -> list[Motion]:
        """Motions of `length` controls, one beginning each `every` (None: end to end). From their own measured states short motions stay near what was measured, however
        rough contacts make long ones. Raises ValueError where it is shorter than that."""
        if not 1 <= length <= len(self.controls) or (every or length) < 1:
            raise ValueError(f"motions of {length} controls, one each {every}, out of one of {len(self.controls)}")
        act = self.act
        return [Motion(self.qpos[k:k + length + 1], self.qvel[k:k + length + 1], self.controls[k:k + length], None if act is None else act[k:k + length + 1], self.nstep)
                for k in range(0, len(self.controls) - length + 1, every or length)]

    def state(self, k: int) -> State:
        """At time k."""
        return State(self.qpos[k], self.qvel[k], self.act[k])


def motions_of(m: Model, recording: Recording, length: int, every: int | None = None, branch: int | None = None, entries: slice = slice(None)) -> list[Motion]:
    """Motions of `length` steps out of a recording of this model, one beginning each `every` entries (None: end to end).

    branch: by number, None: the one that is shown; entries: which of its entries. Where the time does not go on by one step (a reset, another model) a motion ends and is
    left out. Raises KeyError for a branch, ValueError where nothing of this length is recorded of the model.
    """
    if length < 1 or (every or length) < 1:
        raise ValueError(f"motions of {length} steps, one each {every}: need 1 or more")
    found, left = [], entries
    track = whole_way(recording, recording.shown if branch is None else branch)
    first = 0
    start, end, _step = left.indices(len(track))
    for piece in track.pieces:
        low, high = max(0, start - first), min(len(piece.rows), end - first)
        first += len(piece.rows)
        if high - low > length and dict(piece.layout.parts).get("qpos", 0) == m.nq and dict(piece.layout.parts).get("qvel", 0) == m.nv:
            found += _cut(m, piece, low, high, length, every or length)
    if not found:
        raise ValueError(f"no motion of {length} steps of this model is recorded there")
    return found


def _cut(m: Model, piece, low: int, high: int, length: int, every: int) -> list[Motion]:
    """The motions of one piece."""
    def columns(name: str, width: int) -> np.ndarray:
        return piece.columns(name)[low:high] if width else np.zeros((high - low, 0))

    h, times = float(m.opt_timestep), piece.time[low:high]
    follows = np.abs(np.diff(times) - h) < 1e-6 * h + 1e-12
    qpos, qvel, act, ctrl = (columns(name, width) for name, width in (("qpos", m.nq), ("qvel", m.nv), ("act", m.na), ("ctrl", m.nu)))
    found = []
    for k in range(0, high - low - length, every):
        if follows[k:k + length].all():     # an entry has the controls of the step that led to it
            at = slice(k, k + length + 1)
            found.append(Motion(qpos[at].copy(), qvel[at].copy(), ctrl[k + 1:k + length + 1].copy(), act[at].copy()))
    return found


def grouped(motions: Sequence[Motion]) -> list[list[int]]:
    """Numbers of motions of equal length and nstep, which can be rolled out together."""
    found: dict[tuple[int, int], list[int]] = {}
    for i, motion in enumerate(motions):
        found.setdefault((len(motion.controls), motion.nstep), []).append(i)
    return list(found.values())
