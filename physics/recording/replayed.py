"""Quantities over recorded states: the bits that the trace of these very steps has, whether anybody traced them or not.

    rows of a TrackPiece --plain fields--> columns
                         --anything else--> Data --what follows from the state, in compiled code--> the trace's columns

An expression of time, positions, velocities and controls alone is a matter of columns; for anything else each state is computed once more.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from physics.engine.replay import replay_states
from physics.engine.trace import trace_values
from physics.enums import Engine
from physics.kernels import load
from physics.kernels.decorators import NOJIT
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import RECORDED, count
from physics.quantities.leaves import TIME, FieldLeaf, Leaf
from physics.quantities.node import Memory
from physics.quantities.quantity import Quantity, compile_quantity
from physics.recording.trace_columns import columns, traceable
from physics.recording.track import HEAD, TrackPiece
from physics.simulate.engines import engine_of
from physics.simulate.step import check_dynamics, grow

PLAIN = frozenset({"time", "qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat", "ctrl_noise"})    # a step reads these and leaves them as they are until it ends
COUNTED = frozenset({"warning_number", "warning_lastinfo", "maxuse_con", "maxuse_efc"})     # of a run, not of a state: NaN
CHUNK = 50              # states per compiled call, which nothing can interrupt
LONGEST = 100.0         # times the time step: farther apart two entries are no step and the next
Held = Sequence[tuple[int, Mapping[str, np.ndarray]]]


def values_of(m: Model, piece: TrackPiece, text: str | Quantity, rows: slice = slice(None), held: Held = (), memory: Memory | None = None) -> tuple[np.ndarray, np.ndarray]:
    """(time (n,) [s], values (n, *shape)) of an expression for the rows of a piece; rows: a slice without a step.

    held: (number of an entry, {field of Data: numbers}) in ascending order: of the inputs that rows do not have (qfrc_applied, xfrc_applied, eq_active, userdata) what
    was held from that entry on, of those that they have (ctrl, mocap_pos, ...) what a script wrote for the step from that entry alone. memory: as Quantity.values takes
    it, from one call to the next, for deriv and lowpass. Values that the model was given while it ran are those of `m` as it is now; the mouse's force is no part of a
    state and counts as none. NaN for what counts over a run (warning_number, ...) and where a state cannot be computed.

    m must not be written to meanwhile: give a Model of its own where another thread may. Raises ExpressionError, ValueError for an expression whose number of rows changes
    from step to step and for states of another Model, ViewOnlyError where the model cannot be simulated.
    """
    quantity = text if isinstance(text, Quantity) else compile_quantity(m, text)
    if not all(map(traceable, quantity.leaves)):
        raise ValueError(f"{quantity.text}: the number of rows changes from step to step")
    if dict(piece.layout.parts) != {name: count(m, name) for name in RECORDED}:
        raise ValueError("the recorded states are those of another model")
    first, end, step = rows.indices(len(piece.rows))
    if step != 1:
        raise ValueError("rows are a slice without a step")
    states = _states(piece, first, max(first, end), float(m.opt_timestep))
    _write(states, piece, piece.number + first, held)
    return states[:, 0].copy(), quantity.values(_Source(m, piece, states, piece.number + first, quantity.leaves, held), memory)


def can_replay() -> bool:
    """Whether all that states need to be computed once more is compiled: not in the first minute of a first start."""
    return NOJIT or bool(replay_states.addr) and not load.is_partial()


def _states(piece: TrackPiece, first: int, end: int, timestep: float) -> np.ndarray:
    """A copy of the rows, each with the control noise that its step drew: the next row has it."""
    states = np.array(piece.rows[first:end], np.float64, order="C", ndmin=2).reshape(-1, piece.rows.shape[1])
    n = min(end, len(piece.rows) - 1) - first
    if n > 0:
        apart = piece.rows[first + 1:first + 1 + n, 0] - states[:n, 0]
        follows = (apart > 0) & (apart < LONGEST * timestep)
        start, size = _place(piece, "ctrl_noise")
        states[:n, start:start + size][follows] = piece.rows[first + 1:first + 1 + n, start:start + size][follows]
    return states


def _write(states: np.ndarray, piece: TrackPiece, number: int, held: Held) -> None:
    """Put what was written for single steps into their rows."""
    for entry, fields in held:
        for name in fields if 0 <= entry - number < len(states) else ():
            if name in piece.layout.parts:
                start, size = _place(piece, name)
                states[entry - number, start:start + size] = np.ravel(fields[name])


def _place(piece: TrackPiece, name: str) -> tuple[int, int]:
    """(first column, number of columns) of a field."""
    start = HEAD
    for part, size in piece.layout.parts.items():
        if part == name:
            return start, size
        start += size
    raise KeyError(name)


class _Source:
    """Values of leaves (physics/quantities/leaves.py) for states; number: of the first one's entry."""

    def __init__(self, m: Model, piece: TrackPiece, states: np.ndarray, number: int, leaves: Sequence[Leaf], held: Held):
        self._m, self._piece, self._states = m, piece, states
        others = tuple(leaf for leaf in leaves if not _plain(leaf) and not _counted(leaf) and not _constant(leaf))
        self._found = _computed(m, piece.layout, states, number, others, held) if others and len(states) else {}

    def __call__(self, leaf: Leaf) -> np.ndarray:
        n = len(self._states)
        if leaf in self._found:
            return self._found[leaf]
        if leaf == TIME:
            return self._states[:, 0].copy()
        if _constant(leaf):
            array = np.ravel(np.asarray(getattr(self._m, leaf.name), np.float64))
            one = array if leaf.places is None else array[list(leaf.places)]
            return np.tile(one, (n, 1)).reshape(n, *leaf.shape)
        if not n or not _plain(leaf):
            return np.full((n, *leaf.shape), np.nan)
        start, size = _place(self._piece, leaf.name)
        places = slice(start, start + size) if leaf.places is None else [start + place for place in leaf.places]
        return self._states[:, places].reshape(n, *leaf.shape).copy()


def _plain(leaf: Leaf) -> bool:
    return isinstance(leaf, FieldLeaf) and leaf.of_data and leaf.name in PLAIN


def _counted(leaf: Leaf) -> bool:
    return isinstance(leaf, FieldLeaf) and leaf.of_data and leaf.name in COUNTED


def _constant(leaf: Leaf) -> bool:
    return isinstance(leaf, FieldLeaf) and not leaf.of_data


def _computed(m: Model, layout, states: np.ndarray, number: int, leaves: Sequence[Leaf], held: Held) -> dict[Leaf, np.ndarray]:
    """Values of leaves that follow from the states, each computed once more in a Data of its own."""
    check_dynamics(m)
    m.check_written()
    d = Data(m)
    column, side = columns(m, d, leaves)
    n, width = len(states), 1 + len(column)
    numbers = np.full(n * width, np.nan)
    for name, array in (("trace_column", column), ("trace_side", side), ("trace", numbers), ("record", states.reshape(-1))):
        d.bind(name, array)
    d.trace_count, d.trace_pairs, d.trace_cap = len(column), len(side) // max(1, m.ngeom), n
    d.record_stride, d.record_cap = states.shape[1], n
    for start, end, fields in _stretches(number, n, held):
        for name, array in fields.items():
            if name not in layout.parts and name != "time":
                getattr(d, name).reshape(-1)[:] = np.ravel(array)
        if m.opt_engine == Engine.SOFT:
            _replay(m, d, start, end)
        else:
            _replay_one_by_one(m, d, layout, states, start, end)
    rows, found, at = numbers.reshape(n, width), {}, 1
    for leaf in leaves:
        size = int(np.prod(leaf.shape, dtype=int))
        found[leaf] = rows[:, at:at + size].reshape(n, *leaf.shape).copy()
        at += size
    return found


def _stretches(number: int, n: int, held: Held) -> Iterator[tuple[int, int, Mapping[str, np.ndarray]]]:
    """(first row, end, what was held) of stretches that together are all rows."""
    before: Mapping[str, np.ndarray] = {}
    start = 0
    for entry, fields in held:
        row = entry - number
        if row <= 0:
            before = fields
        elif row < n:
            yield start, row, before
            start, before = row, fields
    yield start, n, before


def _replay(m: Model, d: Data, start: int, end: int) -> None:
    """Compute the states of these rows; a row that cannot be computed stays NaN."""
    at = start
    while at < end:
        wanted = min(CHUNK, end - at)
        d.trace_end = at        # behind a row that failed too
        done = replay_states(m, d, at, wanted)
        at += done
        if done < wanted and not grow(d):
            at += 1


def _replay_one_by_one(m: Model, d: Data, layout, states: np.ndarray, start: int, end: int) -> None:
    """The same by an engine that has no compiled loop for it."""
    engine = engine_of(m)
    for k in range(start, end):
        d.time, at = float(states[k, 0]), HEAD
        for name, size in layout.parts.items():
            getattr(d, name).reshape(-1)[:] = states[k, at:at + size]
            at += size
        done = engine.forward(m, d, 0)
        while not done and grow(d):
            done = engine.forward(m, d, 0)
        d.trace_end = k
        if done:
            trace_values(m, d)
