"""The simulations of a batch: a Fleet, and beside it the arrays that a script sees.

    state (nsim, nstate)  --before a call-->  rows of the Fleet  --steps on threads-->  rows  --after it-->  state, warning, fields that are bound

What a Fleet leaves to its caller is done here for one simulation after the other, in Python: one that diverged starts over and is counted, as mj_step does; functions of C that
are installed as callbacks are called; constants, Jacobians, rays. Nothing here converts what it is given (batch.py does).
"""
from __future__ import annotations

from collections.abc import Callable
from copy import copy
from ctypes import _CFuncPtr

import numpy as np

import physics
from physics.engine.kinematics.com import com_pos
from physics.engine.kinematics.kinematics import kinematics
from physics.enums import ENBL_SLEEP, NWARNING, SleepPolicy, Stage, StateBit
from physics.fleet.fleet import Fleet
from physics.simulate.state_vector import set_state, state_size
from physics.simulate.step import call

from ..data import MjData
from ..errors import FatalError
from ..functions.model import mj_setConst
from ..functions.step import mj_step, structs
from ..hooks import HOOKS
from ..model import MjModel
from .expanded import Expanded
from .fields import CONSTANTS, EMPTY_DATA, FOUND, NO_COUNTS, OF_ACCELERATION, OF_VELOCITY, STATE_BITS
from .selection import strict, strict_ids

_ALL = int(StateBit.INTEGRATION)
_CALLBACKS = ("cb_control", "cb_passive", "cb_sensor", "cb_contactfilter", "cb_act_dyn", "cb_act_gain", "cb_act_bias")


class Simulations:
    """nsim simulations of a copy of an MjModel. Every call returns in how many of its simulations an error was raised: `status` is 1 there, `error` says it."""

    def __init__(self, model: MjModel, nsim: int, nthread: int, persistent: bool):
        calls_back = self._called_back()
        self.model = copy(model)
        m = self.model._inner
        self.fleet = Fleet(m, nsim, nthread, persistent=persistent)
        self.nsim, self.nthread, self.persistent = int(nsim), int(nthread) or self.fleet.nthread, bool(persistent)
        self.nstate = state_size(m, _ALL)
        self.state = self.fleet.get_state()
        self.warning = np.zeros((self.nsim, NWARNING, 2), np.int32)
        self.status, self._errors = np.zeros(self.nsim, np.int32), {}
        self._outputs: dict[str, tuple[np.ndarray, np.ndarray]] = {}      # name -> (rows of the Fleet, the script's array)
        self.expanded = Expanded(self.fleet, self.model)
        self._counts, self._places = self.fleet.bind("warning_number"), self.fleet.bind("warning_lastinfo")
        self._scratch: MjData | None = None
        if calls_back and persistent and m.opt_enableflags & ENBL_SLEEP and (m.tree_sleep_policy == SleepPolicy.INIT).any():
            self.forward(None, int(Stage.ACC))

    # ------------------------------------------------ fields

    def error(self, sim: int) -> str:
        """What was raised in the last call of a simulation, or ''."""
        return self._errors.get(int(sim), "")

    def component(self, bit: int) -> tuple[int, int]:
        """(first, number) of the columns of a part in a row of `state`."""
        return state_size(self.model._inner, _ALL & (bit - 1)), state_size(self.model._inner, bit)

    def output(self, name: str, template: np.ndarray) -> np.ndarray:
        """The array (nsim, ...) of a field that calls find; zeros for what is not here."""
        if name not in self._outputs:
            if name in EMPTY_DATA or name in NO_COUNTS:
                shown = np.zeros((self.nsim, *template.shape), template.dtype)
                self._outputs[name] = shown, shown
            else:
                rows = self.fleet.bind(name)
                same = rows.dtype == template.dtype
                shown = rows.reshape(self.nsim, *template.shape) if same else np.zeros((self.nsim, *template.shape), template.dtype)
                self._outputs[name] = rows, shown
        return self._outputs[name][1].view()

    # ------------------------------------------------ calls

    def step(self, ids, nstep: int, stage: int) -> int:
        """Steps as mj_step, then what follows from the new state up to a stage."""
        if nstep < 0:
            raise ValueError(f"nstep must be non-negative, got {nstep}")
        mine, calls_back = self._begin(ids)
        if calls_back:
            self._each(mine, lambda model, data: mj_step(model, data, nstep))
        else:
            counts, places = self._counts.copy(), self._places.copy()
            for i in self.fleet.step(mine, nstep).tolist():
                self._start_over(i, nstep, counts[i], places[i])
        self._take_out(mine)
        self._follow(mine, stage, calls_back)
        return self._end()

    def forward(self, ids, stage: int) -> int:
        """What follows from the states, up to a stage."""
        mine, calls_back = self._begin(ids)
        self._follow(mine, stage, calls_back)
        return self._end()

    def reset(self, ids, keys: np.ndarray | None, stage: int) -> int:
        """The initial pose, or of each simulation the keyframe of its number in keys (n)."""
        chosen = strict_ids(ids, self.nsim)
        mine, calls_back = self._begin(ids, read=False)
        if keys is None:
            self.fleet.reset(mine)
        else:
            of = keys[np.isin(chosen, mine)]
            for key in np.unique(of):
                self.fleet.reset(mine[of == key], int(key) if key >= 0 else None)
        self._take_out(mine)
        self._follow(mine, stage, calls_back)
        return self._end()

    def rollout(self, ids, nstep: int, control, spec: int, records: list) -> int:
        """Steps, before each the inputs `spec` from control (n, nstep, ncontrol), after each the records [(field or None, state parts, array (n, nstep, ...))]."""
        chosen = strict_ids(ids, self.nsim)
        m = self.model._inner
        if spec & ~int(StateBit.USER):
            raise ValueError("control_spec can only contain bits in mjSTATE_USER")
        if control is not None:
            strict(control, np.float64, (len(chosen), nstep, state_size(m, spec)), "control")
        sources = [self._source(record, len(chosen), nstep) for record in records]
        mine, calls_back = self._begin(ids)
        going = np.isin(chosen, mine)
        for k in range(nstep):
            active = chosen[going]
            if control is not None and len(active):
                self.fleet.set_state(control[going, k], active, spec)
            counts, places = self._counts.copy(), self._places.copy()
            if calls_back:
                self._each(active, mj_step)
                going &= np.isin(chosen, active[self.status[active] == 0])
            else:
                for i in self.fleet.step(active).tolist():
                    self._start_over(i, 1, counts[i], places[i])
            self._show(active)
            for read, buffer in sources:
                buffer[going, k] = read(chosen[going])
                if k:
                    buffer[~going, k] = buffer[~going, k - 1]
            going &= ~(self._counts[chosen] > counts[chosen]).any(axis=1)
        self._take_out(mine)
        return self._end()

    def set_const(self, ids) -> int:
        """Constants of qpos0 anew for each simulation, from what it has for itself; they are its own then."""
        mine, _calls_back = self._begin(ids)
        found: dict[int, MjModel] = {}

        def work(i: int) -> None:
            model = self.model_of(i)
            mj_setConst(model, MjData(model))
            if not all(np.isfinite(getattr(model._inner, name)).all() for name in CONSTANTS):
                raise FatalError("mj_setConst: the constants are no numbers; a mass or an inertia is 0")
            found[i] = model

        for i in mine.tolist():
            self._guarded(i, lambda i=i: work(i))
        for name in CONSTANTS:
            self.expanded.derive(name, {i: getattr(model._inner, name) for i, model in found.items()})
        return self._end()

    def jac(self, ids, body, point, jacp, jacr) -> int:
        """Jacobians of world points on bodies into jacp, jacr (n, 3, nv), each of which may be None."""
        chosen = strict_ids(ids, self.nsim)
        n, nv = len(chosen), self.model._inner.nv
        strict(body, np.int32, (n,), "body")
        strict(point, np.float64, (n, 3), "point")
        for name, array in (("jacp", jacp), ("jacr", jacr)):
            if array is not None:
                strict(array, np.float64, (n, 3, nv), name)
        mine, _calls_back = self._begin(ids)
        for k, i in self._places_of(chosen, mine):
            m, d = self._alone(i)
            call(kinematics, m, d)
            call(com_pos, m, d)
            for array, found in zip((jacp, jacr), physics.jac(m, d, point[k], int(body[k]))):
                if array is not None:
                    array[k] = found
        return self._end()

    def ray(self, ids, pnt, vec, geomgroup, flg_static: bool, exclude, dist, geomid, normals) -> int:
        """Where half-lines (n, nray, 3) meet geoms first: distance and geom (n, nray), normal (n, nray, 3) where an array for it is given."""
        chosen = strict_ids(ids, self.nsim)
        mine, _calls_back = self._begin(ids)
        for k, i in self._places_of(chosen, mine):
            m, d = self._alone(i)
            call(kinematics, m, d)
            for j in range(pnt.shape[1]):
                found = physics.ray(m, d, pnt[k, j], vec[k, j], geomgroup, bool(flg_static), int(exclude[k, j]))
                dist[k, j], geomid[k, j] = found.dist, found.geom
                if normals is not None:
                    normals[k, j] = found.normal
        return self._end()

    # ------------------------------------------------ one of them

    def model_of(self, sim: int) -> MjModel:
        """A model with what a simulation has for itself."""
        return self.expanded.write(sim, copy(self.model))

    def data_of(self, sim: int, data: MjData) -> None:
        """A simulation's state into an MjData, and in a persistent batch all that its last call has left."""
        if not 0 <= sim < self.nsim:
            raise ValueError(f"sim must be in [0, {self.nsim}), got {sim}")
        self.fleet.set_state(self.state[sim:sim + 1], [sim])
        data._inner.copy_fields(self.fleet.get_data(sim, compute=False))

    # ------------------------------------------------

    def _called_back(self) -> bool:
        """Whether functions of C are installed as callbacks. Raises ValueError for those of Python."""
        found = {slot: HOOKS.get(slot) for slot in _CALLBACKS}
        for slot, function in found.items():
            if function is not None and not isinstance(function, _CFuncPtr | int):
                raise ValueError(f"mj{slot} is a Python function: callbacks of a batch must be C functions")
        return any(function is not None for function in found.values())

    def _begin(self, ids, read: bool = True) -> tuple[np.ndarray, bool]:
        """Bring what the script has written to the Fleet. The simulations of a call that can be computed, and whether callbacks are called."""
        chosen, calls_back = strict_ids(ids, self.nsim), self._called_back()
        self.status[chosen] = 0
        for i in chosen.tolist() if self._errors else ():
            self._errors.pop(i, None)
        if read and len(chosen):
            self.fleet.set_state(self.state if ids is None else self.state[chosen], None if ids is None else chosen)
        for i, text in self.expanded.bring(chosen).items():
            self._fail(i, text)
        return (chosen[self.status[chosen] == 0] if self._errors else chosen), calls_back

    def _take_out(self, mine: np.ndarray) -> None:
        """States, warnings and bound fields of simulations as a call has left them."""
        if len(mine) == self.nsim:
            self.state[...] = self.fleet.get_state()
        else:
            self.state[mine] = self.fleet.get_state(mine)
        self._show(mine)

    def _show(self, mine: np.ndarray) -> None:
        """Warnings and bound fields that the script sees in another type than the Fleet has them."""
        self.warning[mine, :, 0], self.warning[mine, :, 1] = self._places[mine], self._counts[mine]
        for rows, shown in self._outputs.values():
            if rows.dtype != shown.dtype:
                shown[mine] = rows[mine].reshape(len(mine), *shown.shape[1:])

    def _follow(self, mine: np.ndarray, stage: int, calls_back: bool) -> None:
        """The stages up to one at the present states."""
        if stage <= Stage.NONE or not len(mine):
            return
        late = OF_ACCELERATION if stage < Stage.ACC else frozenset()
        if stage < Stage.VEL:
            late |= OF_VELOCITY
        kept = {name: rows[mine] for name, (rows, _shown) in self._outputs.items() if name in late or name == "sensordata" and stage < Stage.ACC}
        if calls_back:
            self._each(mine, _forward)
        else:
            self.fleet.forward(mine)
        m = self.model._inner
        later = np.repeat(m.sensor_needstage > stage, m.sensor_dim)
        for name, values in kept.items():
            rows = self._outputs[name][0]
            if name == "sensordata":
                rows[np.ix_(mine, later)] = values[:, later]
            else:
                rows[mine] = values
        self._take_out(mine)

    def _end(self) -> int:
        return len(self._errors)

    def _fail(self, i: int, text: str) -> None:
        self.status[i], self._errors[i] = 1, text

    def _guarded(self, i: int, work: Callable[[], None]) -> None:
        """Do something for one simulation; what it raises is that one's error."""
        try:
            work()
        except (FatalError, physics.ViewOnlyError, np.linalg.LinAlgError) as error:
            self._fail(i, str(error))

    def _each(self, mine: np.ndarray, work: Callable) -> None:
        """work(MjModel, MjData) for one simulation after the other, with the process's callbacks; the Fleet's rows are as that leaves them."""
        for i in mine.tolist():
            def one(i: int = i) -> None:
                inner = self.fleet.get_data(i, compute=False)
                data = MjData._of(self.model if inner.model is self.model._inner else MjModel._of(inner.model), inner)
                inner.warning_number[:], inner.warning_lastinfo[:] = self._counts[i], self._places[i]
                work(data.model, data)
                self.fleet.set_data(i, inner)
            self._guarded(i, one)

    def _start_over(self, i: int, nstep: int, counts: np.ndarray, places: np.ndarray) -> None:
        """The steps of one that diverged once more, alone, as mj_step takes them. counts, places: its warnings before."""
        self._counts[i], self._places[i] = counts, places
        self._each(np.array([i]), lambda model, data: mj_step(model, data, nstep))

    def _alone(self, i: int) -> tuple:
        """(Model, Data) of one simulation at its state; nothing that follows is computed."""
        if self.expanded.any:
            d = self.fleet.get_data(i, compute=False)
            return d.model, d
        d = self._blank()._inner
        set_state(d.model, d, self.state[i], _ALL)
        return d.model, d

    def _blank(self) -> MjData:
        """An MjData of the model to work in."""
        if self._scratch is None:
            self._scratch = MjData(self.model)
        return self._scratch

    def _places_of(self, chosen: np.ndarray, mine: np.ndarray) -> list[tuple[int, int]]:
        keep = np.isin(chosen, mine)
        return [(k, int(i)) for k, i in enumerate(chosen) if keep[k]]

    def _source(self, record: tuple, n: int, nstep: int) -> tuple[Callable, np.ndarray]:
        """(ids -> rows, array they go into) of a record. Raises ValueError for an array that does not fit."""
        name, spec, buffer = record
        if name is None:
            dtype, shape = np.dtype(np.float64), (state_size(self.model._inner, spec),)

            def read(ids: np.ndarray) -> np.ndarray:
                return self.fleet.get_state(ids, spec)
        else:
            template = template_of(self._blank(), name)
            if template is None:
                raise ValueError(f"{name} is not an MjData field that can be recorded")
            dtype, shape = template.dtype, template.shape
            rows = self.fleet.bind(name) if name in STATE_BITS or name in FOUND else None
            shown = None if rows is not None else self.output(name, template)

            def read(ids: np.ndarray) -> np.ndarray:
                return (shown if rows is None else rows)[ids].reshape(len(ids), *shape)
        if not isinstance(buffer, np.ndarray) or buffer.dtype != dtype or buffer.shape != (n, nstep, *shape) or not buffer.flags.c_contiguous or not buffer.flags.writeable:
            raise ValueError(f"the record of {name or spec} must be a writable C-contiguous {dtype} array of shape {(n, nstep, *shape)}")
        return read, buffer


def _forward(model, data) -> None:
    physics.forward(*structs(model, data))


def template_of(data: MjData, name: str) -> np.ndarray | None:
    """A field of MjData as an array, a count as an int32 without dimensions; None for other names."""
    value = getattr(data, name, None)
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, int | np.integer) and not isinstance(value, bool):
        return np.zeros((), np.int32)
    return np.zeros(()) if name == "time" else None
