"""One step taken apart: what every stage reads and writes, with values, taken in the very step that runs.

    Data --copy--> compiled step --end of each stage (Data.cb_stage): copy what it writes--> Walk

The step is that of the engine, to the bit: only a copy of Data is stepped, without the callbacks of the user's.

Source: MuJoCo documentation, Computation chapter, "Simulation pipeline"; the order is physics/engine/step_order.py.
"""
from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

from physics.engine.kinematics.kinematics import kinematics
from physics.engine.stage_clock import BEGIN, FACTOR, INTEGRATE, SOLVE
from physics.engine.stage_time import add_stage_time
from physics.engine.step_order import StepStage
from physics.fields.layout import LAYOUTS
from physics.kernels.clock import clock_address
from physics.kernels.decorators import NOJIT
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import STATE
from physics.pipeline.stage_fields import ALL, EVERYTHING, INPUTS, LOWERED, STAGE_FIELDS, StageFields
from physics.simulate.engines import engine_of
from physics.simulate.step import check_mocap, check_pair, check_runs, check_soft, forward, grow
from physics.simulate.warnings import step_error

# which number says how many rows of an array count
_USED = MappingProxyType({"maxcon": "ncon", "maxefc": "nefc", "maxJ": "nJ"})
_FACTORS = frozenset({"qLD", "qLDiagInv"})      # Data completes them when they are read: not while a step goes on
TIMED, TIMED_NS = 5, 3e6     # steps that are timed at most; ns after which there are no more
_STATE = frozenset(row.name for row in STATE)
Values = Mapping[str, np.ndarray]


@dataclass(frozen=True, slots=True)
class WalkedStage:
    """A stage of one step. number: its row in step_order.STAGES; ran: whether the step took it; seconds: that it takes (RK4 takes most stages four times).

    reads, writes: field -> value, as the stage found and left it; before: field of `writes` -> what stood there before. Arrays of contacts and constraint
    rows have only the rows that there are; whole numbers are 0-dimensional. The arrays are shared with other stages: not to be written into.
    """

    number: int
    stage: StepStage
    ran: bool = False
    seconds: float = 0.0
    reads: Values = field(default_factory=dict)
    writes: Values = field(default_factory=dict)
    before: Values = field(default_factory=dict)

    @property
    def name(self) -> str:
        """As the profiler calls it."""
        return self.stage.name

    @property
    def kernels(self) -> tuple[str, ...]:
        """Names of its kernels."""
        return tuple(kernel.__name__ for kernel in self.stage.kernels)

    def changed(self, name: str) -> np.ndarray:
        """Which numbers of a written field differ from before (a mask of its shape); of rows that were not there all."""
        return differs(self.before[name], self.writes[name])


class Moment:
    """The fields of Data as they are after a stage: moment.xpos, ... (those that some stage reads or writes). Arrays are as in WalkedStage; whole numbers are int."""

    def __init__(self, values: Values):
        self._values = values

    def __getattr__(self, name: str):
        try:
            value = self._values[name]
        except KeyError:
            raise AttributeError(f"no stage reads or writes {name}") from None
        return value.item() if value.ndim == 0 else value


@dataclass(frozen=True, slots=True)
class Walk:
    """A step, stage by stage; iterating gives the WalkedStages. time: of the state it is taken from [s]; done: whether the step happened; problem: why not, ''.

    start: field -> value before the first stage; next_pose: {geom_xpos, geom_xmat, xpos, xipos} of the next state, empty without a step.
    """

    model: Model
    time: float
    stages: tuple[WalkedStage, ...]
    start: Values
    done: bool
    problem: str
    next_pose: Values

    def __iter__(self) -> Iterator[WalkedStage]:
        return iter(self.stages)

    def __len__(self) -> int:
        return len(self.stages)

    def __getitem__(self, which: int | str) -> WalkedStage:
        """By number, or by the name of its first kernel ('crb') or its own ('inertia'); of stages that share a name the first. Raises KeyError for a name that is none."""
        if isinstance(which, int):
            return self.stages[which]
        for stage in self.stages:
            if which == stage.name or which in stage.kernels:
                return stage
        raise KeyError(f"no stage {which}; there are {', '.join(stage.name for stage in self.stages)}")

    def after(self, number: int) -> Moment:
        """The fields after stage `number`; -1: before the first."""
        values = dict(self.start)
        for stage in self.stages[:number + 1]:
            values.update(stage.writes)
        return Moment(values)

    @property
    def seconds(self) -> float:
        """What all stages took together [s]."""
        return sum(stage.seconds for stage in self.stages)


def walk(m: Model, d: Data, before: Data | None = None) -> Walk:
    """Take one step on a copy of `d` and keep what each stage reads and writes; `d` stays as it is.

    before: a Data of the model, such as one a step earlier, whose results are what stood in the fields before; without it they are those in `d`.
    The stages up to the last but one leave what `forward` leaves, the last one what `step` does. Callbacks of the user's are not called.
    Raises ViewOnlyError where the model's dynamics cannot be computed, ValueError for another engine or a Data of another Model.
    """
    check_pair(m, d)
    check_mocap(m, d)
    check_soft(m, "walk")
    check_runs(m, d)
    own = d.copy()
    start = {name: _value(own, name) for name in ALL}
    if before is not None:
        start.update({name: _value(before, name) for name in ALL if name not in _STATE and name not in INPUTS})
    taken = _Taken(own, start)
    own.set_callback("cb_stage", taken.stage_ends)
    done = engine_of(m).step(m, own, 1)
    while not done and not own.cb_error and grow(own):
        taken.begin()
        done = engine_of(m).step(m, own, 1)
    if own.cb_error:
        own.raise_callback_error()
    own.set_callback("cb_stage", None)
    problem = "" if done else step_error(m, own)
    if FACTOR in taken.due:
        again = d.copy()
        forward(m, again)
        taken.writes[FACTOR].update({name: _value(again, name) for name in _FACTORS})
    if INTEGRATE in taken.due:
        taken.writes[INTEGRATE].update({name: _value(own, name) for name in _FACTORS})
    seconds = _measured(m, d, taken.seconds)
    pose: dict[str, np.ndarray] = {}
    if done:
        kinematics(m, own)
        pose = {name: _value(own, name) for name in ("geom_xpos", "geom_xmat", "xpos", "xipos")}
    return Walk(m, float(d.time), tuple(_stages(engine_of(m).stages(), taken, start, seconds)), start, bool(done), problem, pose)


def _measured(m: Model, d: Data, looked: Mapping[int, float]) -> Mapping[int, float]:
    """Seconds that each stage takes when nobody looks: the shortest of a few further steps from the same state, by stamps of compiled code. looked: the times with
    somebody looking, for where there are no such stamps; of a long step once is enough."""
    address = clock_address()
    if not address or not add_stage_time.addr or NOJIT:
        return looked
    found: list[np.ndarray] = []
    own = d.copy()
    while len(found) < TIMED and sum(map(np.sum, found)) < TIMED_NS:
        own.copy_from(d)
        own.clock_address, own.clock_kind, own.cb_stage = address, time.CLOCK_MONOTONIC, add_stage_time.addr
        own.stage_time[:] = 0.0
        while not engine_of(m).step(m, own, 1) and grow(own):
            own.stage_time[:] = 0.0
        found.append(np.array(own.stage_time))
    shortest = 1e-9 * np.min(found, axis=0)
    return {number: float(shortest[number]) or seconds for number, seconds in looked.items()}


def differs(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Mask of the shape of `after`: where two values of a field differ, and all rows that only `after` has. Numbers that are none are equal to each other."""
    mask = np.ones(after.shape, bool)
    if after.ndim == 0:
        return np.asarray(not (before == after or (before != before and after != after)))
    n = min(len(before), len(after))
    one, two = before[:n], after[:n]
    same = one == two
    if np.issubdtype(after.dtype, np.floating):
        same |= np.isnan(one) & np.isnan(two)
    mask[:n] = ~same
    return mask


class _Taken:
    """What a step under way has left so far, stage by stage."""

    def __init__(self, d: Data, start: Values):
        self._d, self._start = d, start
        self.begin()

    def begin(self) -> None:
        """The step begins, perhaps once more."""
        self.writes: dict[int, dict[str, np.ndarray]] = {}
        self.seconds: dict[int, float] = {}
        self.due: set[int] = set()      # stages that should leave factors, which are not complete while the step goes on
        self._lowered = {name: self._start[name] for name in LOWERED}
        self._clock = time.perf_counter()

    def stage_ends(self, _m: Model, d: Data, number: int) -> None:
        """A stage has ended. Once an integrator has begun, the stages that it takes anew are its own."""
        now = time.perf_counter()
        if number != BEGIN:
            into = INTEGRATE if INTEGRATE in self.writes else number
            self.seconds[into] = self.seconds.get(into, 0.0) + now - self._clock
            if number == INTEGRATE or into != INTEGRATE:
                anew = number == INTEGRATE and INTEGRATE in self.writes     # Runge-Kutta, or trees that have fallen asleep: everything was found anew
                names = EVERYTHING if anew else STAGE_FIELDS[number].writes
                if d.qLD_due and not _FACTORS.isdisjoint(names):
                    self.due.add(number)
                    names = tuple(name for name in names if name not in _FACTORS)
                self.writes[into] = {name: _value(d, name) for name in names} | self._lowered_now(d, number)
        self._clock = time.perf_counter()

    def _lowered_now(self, d: Data, number: int) -> dict[str, np.ndarray]:
        """What the step itself has changed since the stage before, none of whose kernels writes it, and what it lowers right behind this one."""
        now = {name: _value(d, name) for name in LOWERED}
        if number == SOLVE:
            now["flg_rnepost"] = np.array(0)
        changed = {name: value for name, value in now.items() if value.tobytes() != self._lowered[name].tobytes()}
        self._lowered.update(changed)
        return changed


def _value(d: Data, name: str) -> np.ndarray:
    """A copy of a field's value, of the rows that there are."""
    if name in LAYOUTS["d"].scalars:
        return np.array(getattr(d, name))
    array = d.__dict__[name] if name in _FACTORS and d.cb_stage else getattr(d, name)
    size = LAYOUTS["d"].arrays[name].dims[0]
    if name == "cand_geom":
        return np.array(array[:d.ncand])
    return np.array(array[:getattr(d, _USED[size])] if size in _USED else array)


def _stages(rows: tuple[StepStage, ...], taken: _Taken, start: Values, seconds: Mapping[int, float]) -> Iterator[WalkedStage]:
    values = dict(start)
    for number, row in enumerate(rows):
        if number not in taken.writes:
            yield WalkedStage(number, row)
            continue
        fields: StageFields = STAGE_FIELDS[number]
        writes = taken.writes[number]
        yield WalkedStage(number, row, True, seconds[number], {name: values[name] for name in fields.reads}, writes, {name: values[name] for name in writes})
        values.update(writes)
