"""One run of a study: values into the Model, a drawn start, controls along a spline, and the goal of what came of it."""
from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from app.studies.study import Study
from app.studies.trial import Outcome, Trial
from physics.enums import ENBL_ENERGY, Engine, JointType
from physics.model.changes.field_changes import present, write
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.quantities.quantity import Quantity, compile_quantity
from physics.recording.traced_steps import check_traceable, trace
from physics.simulate.engines import engine_of
from physics.simulate.step import reset
from physics.tuning.model_values import ModelValue, changes_of, find_value
from physics.tuning.runs import written

KNOT = "@"      # between an actuator's name and the number of its knot


class Evaluator:
    """Runs trials of one study, one after the other, on a copy of its Model. Each run begins with a Data as new: its numbers depend on the trial alone."""

    def __init__(self, m: Model, study: Study):
        """Raises ValueError naming what the study says that the model has not."""
        if study.engine:
            m.opt.engine = Engine[study.engine.upper()]
            m.check_written()
        self._study, self._base = study, m
        self._model = model_beside(m)
        self._texts = study.goal.expressions
        self._quantities = quantities_of(m, study)
        self._flags = int(ENBL_ENERGY) if any("energy" in quantity.fields for quantity in self._quantities.values()) else 0
        self._values = {name: value_of(m, name) for name in (*(name for name, _number in study.fixed), *(one.name for one in study.vary))}
        self._knots = knots_of(m, study)
        if study.start.key and study.start.key not in m.names["key"]:
            raise ValueError(f"the model has no keyframe '{study.start.key}'; there are: {', '.join(filter(None, m.names['key'])) or 'none'}")
        self._last: tuple = ()
        self._data = Data(self._model)
        engine_of(self._model).workspace(self._model, self._data)

    @property
    def model(self) -> Model:
        """With the values of the last trial."""
        return self._model

    def prepare(self, trial: Trial) -> tuple[Data, np.ndarray | None]:
        """The values into `model`; the Data at the start, and controls (steps, nu), None where they stay as they are. Raises ValueError for what the model cannot take."""
        m = self._model
        numbers = {**dict(self._study.fixed), **{name: number for name, number in trial.values.items() if name in self._values}}
        changes = changes_of(self._base, [(self._values[name], whole(self._values[name], number)) for name, number in numbers.items()])
        write(m, filter(None, (present(self._base, change) for change in self._last)))
        self._last = changes
        written(m, changes)
        m.opt_enableflags = int(m.opt_enableflags) | self._flags
        d = self._data
        reset(m, d, self._study.start.key or None)
        _draw(m, d, self._study, trial.seed)
        return d, self._controls(trial.values, steps_of(m, self._study.seconds))

    def run(self, trial: Trial) -> Outcome:
        """One trial; what the model cannot take is told in its outcome."""
        try:
            d, controls = self.prepare(trial)
        except ValueError as why:
            return Outcome(math.nan, False, 0.0, str(why))
        m = self._model
        time, values = trace(m, d, self._texts, steps_of(m, self._study.seconds), False, controls=controls)
        stopped = self._study.goal.end(values)
        diverged = bool(d.diverged) and stopped is None       # what comes after the stop does not count
        value = self._study.goal.value(time, values) if len(time) and not diverged else math.nan
        return Outcome(value, diverged, float(time[(stopped or len(time)) - 1] - time[0]) if len(time) else 0.0)

    def _controls(self, values: Mapping[str, float], steps: int) -> np.ndarray | None:
        """(steps, nu), by a natural cubic spline through the knots, within the ranges of the actuators; None without knots."""
        if not self._knots:
            return None
        from scipy.interpolate import CubicSpline      # late: a second, and only some studies have controls

        m, table, at = self._model, np.zeros((steps, self._model.nu)), np.arange(steps) / max(1, steps - 1)
        for control, names in self._knots.items():
            knots = [values[name] for name in names]
            low, high = m.actuator_ctrlrange[control]
            row = CubicSpline(np.linspace(0.0, 1.0, len(knots)), knots, bc_type="natural")(at) if len(knots) > 2 else np.interp(at, np.linspace(0.0, 1.0, len(knots)), knots)
            table[:, control] = np.clip(row, low, high)
        return table


def steps_of(m: Model, seconds: float) -> int:
    """Of a run; the last one only tells of the state that it begins with."""
    return max(1, round(seconds / float(m.opt_timestep))) + 1


def value_of(m: Model, name: str) -> ModelValue:
    """A value by its name. Raises ValueError also for one with several numbers."""
    value = find_value(m, name)
    if value.count != 1:
        raise ValueError(f"{name} has {value.count} numbers; write one of them: \"{name}[0]\"")
    return value


def whole(value: ModelValue, number: float) -> float:
    """Rounded where only whole numbers count."""
    return float(round(number)) if value.whole else number


def quantities_of(m: Model, study: Study) -> dict[str, Quantity]:
    """What the goal looks at. Raises ValueError (ExpressionError too) for what is none, or no single number."""
    found = {text: compile_quantity(m, text) for text in study.goal.expressions}
    for text, quantity in found.items():
        check_traceable(quantity)
        if quantity.shape:
            raise ValueError(f"'{text}' has {' x '.join(map(str, quantity.shape))} numbers; a goal needs one, such as one of them or norm(...)")
    return found


def knots_of(m: Model, study: Study) -> dict[int, list[str]]:
    """{control: names of its knots}. Raises ValueError for an actuator that there is not, that has not one control, or whose control has no range."""
    if not study.control.knots:
        return {}
    names = m.names["actuator"]
    chosen = range(m.nactuator) if not study.control.actuators else [_actuator(names, name) for name in study.control.actuators]
    for actuator in chosen:
        if m.actuator_ctrlnum[actuator] != 1:
            raise ValueError(f"actuator {names[actuator] or actuator} has {m.actuator_ctrlnum[actuator]} controls; knots are for those with one")
        if not m.actuator_ctrllimited[m.actuator_ctrladr[actuator]]:
            raise ValueError(f"actuator {names[actuator] or actuator} has no ctrlrange, within which its knots could be")
    return {int(m.actuator_ctrladr[actuator]): [f"{names[actuator] or actuator}{KNOT}{k}" for k in range(study.control.knots)] for actuator in chosen}


def _actuator(names, name: str) -> int:
    if name not in names:
        raise ValueError(f"the model has no actuator '{name}'; there are: {', '.join(filter(None, names)) or 'none'}")
    return names.index(name)


def _draw(m: Model, d: Data, study: Study, seed: int) -> None:
    """What of the start is drawn by the seed."""
    start = study.start
    if not start.qpos and not start.qvel:
        return
    rng = np.random.default_rng(seed)
    scalar = m.jnt_qposadr[np.isin(m.jnt_type, (JointType.HINGE, JointType.SLIDE))]
    d.qpos[scalar] += start.qpos * rng.standard_normal(len(scalar))
    d.qvel[:] += start.qvel * rng.standard_normal(m.nv)
