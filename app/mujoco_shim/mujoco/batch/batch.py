"""mujoco.batch.Batch: many simulations of one model on threads, a face of physics.Fleet.

    batch = Batch(model, nsim=1024)
    qpos, ctrl = batch.bind("qpos"), batch.bind("ctrl")       (nsim, nq), (nsim, nu): views of batch.state, live both ways
    xpos = batch.bind("xpos")                                 (nsim, nbody, 3): as each call leaves it, to be read
    batch.expand("body_mass")[:, 1] = masses; batch.set_const()
    batch.step(nstep=5)

Results are those of mj_step for one MjData each, to the bit, for any number of threads. What differs from the official module: simulations cannot differ in whole numbers
that decide how the model is computed (types, addresses); such a one is an error of that simulation.
"""
from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from physics.enums import Stage, StateBit
from physics.simulate.state_vector import state_size

from ..data import MjData
from ..errors import FatalError
from ..model import MjModel
from .fields import DATA_FIELDS, MODEL_FIELDS, STATE_BITS, attribute_hint, not_bindable, not_expandable, only_read
from .named import Named
from .selection import ids_of, numbers_of
from .simulations import Simulations, template_of

_NONE, _ACC = int(Stage.NONE), int(Stage.ACC)


class SimulationError(RuntimeError):
    """An error in some simulations of a call. They have the state of before; the others went on. ids: their numbers; Batch.error(i) says why."""

    def __init__(self, ids: np.ndarray, message: str, ncall: int | None = None):
        self.ids = ids
        shown = ", ".join(map(str, ids[:5])) + (", ..." if len(ids) > 5 else "")
        super().__init__(f"MuJoCo raised in {len(ids)}{'' if ncall is None else f' of {ncall}'} simulations ({shown}); simulation {ids[0]}: {message}")


class Batch:
    """nsim simulations of a copy of a model, on nthread threads (0: one per processor). persistent: each keeps an MjData, which models with sleep need."""

    def __init__(self, model: MjModel, nsim: int, nthread: int = 0, persistent: bool = False):
        self._b = Simulations(model, nsim, nthread, persistent)
        self.model = model
        self.state, self.warning = self._b.state, self._b.warning
        self.status = self._b.status.view()
        self.status.flags.writeable = False
        self._bound: dict[str, np.ndarray] = {}
        self._expanded: dict[str, np.ndarray] = {}
        self._nkey, self._one = model.nkey, None

    @property
    def _data(self) -> MjData:
        """An MjData of the model, for shapes and types."""
        if self._one is None:
            self._one = MjData(self.model)
        return self._one

    def __getattr__(self, name):
        if name in DATA_FIELDS:
            return self.bind(name)
        raise AttributeError(f"'Batch' object has no attribute {name!r}{'' if name.startswith('__') else attribute_hint(name)}")

    def __setattr__(self, name, value):
        if name not in DATA_FIELDS:
            object.__setattr__(self, name, value)
        elif name in STATE_BITS:
            self.bind(name)[...] = value
        else:
            raise only_read(name)

    @property
    def nsim(self) -> int:
        """How many simulations."""
        return self._b.nsim

    @property
    def nthread(self) -> int:
        """How many threads."""
        return self._b.nthread

    @property
    def nstate(self) -> int:
        """Numbers of a state."""
        return self._b.nstate

    @property
    def persistent(self) -> bool:
        """Whether each simulation keeps an MjData."""
        return self._b.persistent

    def error(self, sim: int) -> str:
        """Why simulation `sim` failed in its last call, '' where it did not."""
        return self._b.error(sim)

    # ------------------------------------------------ fields

    def bind(self, name: str) -> np.ndarray:
        """A field of MjData of all simulations (nsim, ...): a view of `state`, to be written, or what each call finds, to be read. Raises ValueError for others."""
        if name in STATE_BITS:
            first, count = self._b.component(STATE_BITS[name])
            part = self.state[:, first:first + count]
            return part[:, 0] if name == "time" else part.reshape(self.nsim, *getattr(self._data, name).shape)
        if name not in self._bound:
            template = template_of(self._data, name) if name in DATA_FIELDS else None
            if template is None:
                raise not_bindable(self._data, name)
            found = self._b.output(name, template)
            found.flags.writeable = False
            self._bound[name] = found
        return self._bound[name]

    def expand(self, name: str) -> np.ndarray:
        """A field of MjModel ('opt.gravity': of MjOption) of which each simulation has its own values (nsim, ...), live. Raises ValueError for others."""
        if name not in self._expanded:
            if name not in MODEL_FIELDS:
                raise not_expandable(self.model, name)
            self._check_no_models("expand")
            self._expanded[name] = self._b.expanded.values(name)
        return self._expanded[name]

    def expanded(self, name: str) -> np.ndarray | None:
        """The values of a field that expand or set_const has expanded, to be read; None for one that all share."""
        if name not in MODEL_FIELDS:
            raise not_expandable(self.model, name)
        return self._b.expanded.found(name)

    # ------------------------------------------------ calls

    def step(self, ids=None, nstep: int = 1, stage: int = _NONE) -> None:
        """Each simulation takes nstep steps as mj_step does; then what follows from the new state is computed up to a stage (mjtStage). ids: rising numbers, a mask, None: all."""
        ids = ids_of(ids, self.nsim)
        self._check(ids, self._b.step(ids, int(nstep), int(stage)))

    def forward(self, ids=None, stage: int = _ACC) -> None:
        """What follows from the states, up to a stage; by default as mj_forward."""
        ids = ids_of(ids, self.nsim)
        self._check(ids, self._b.forward(ids, int(stage)))

    def reset(self, ids=None, keyframe=-1, stage: int = _ACC) -> None:
        """The initial pose (-1), or a keyframe, one for all or one for each simulation of the call; then what follows up to a stage."""
        ids = ids_of(ids, self.nsim)
        keys = numbers_of(keyframe, (self.nsim if ids is None else len(ids),), -1, self._nkey, "keyframe")
        self._check(ids, self._b.reset(ids, None if (keys == -1).all() else keys, int(stage)))

    def set_const(self, ids=None) -> None:
        """mj_setConst for each simulation; the constants that it finds become each simulation's own."""
        self._check_no_models("set_const")
        ids = ids_of(ids, self.nsim)
        self._check(ids, self._b.set_const(ids))

    def rollout(self, nstep: int, control=None, control_spec: int = int(StateBit.CTRL), record: Sequence = ("qpos",), ids=None, out: dict | None = None) -> dict:
        """Steps with what is recorded after each: {item: (n, nstep, ...)}. control: (n, nstep, size of control_spec), written before each step, or None.

        record: names of MjData's fields, or mjtState bits for state vectors. out: arrays to record into. One in which a warning is counted stops; its records repeat the last one.
        """
        ids = ids_of(ids, self.nsim)
        n, m = self.nsim if ids is None else len(ids), self.model._inner
        if control is not None:
            control = np.ascontiguousarray(np.broadcast_to(control, (n, nstep, state_size(m, int(control_spec)))), np.float64)
        found, records = {}, []
        for item in record:
            named = isinstance(item, str)
            template = (template_of(self._data, item) if item in DATA_FIELDS else None) if named else np.zeros(state_size(m, int(item)))
            if template is None:
                raise not_bindable(self._data, item)
            shape = (n, nstep, *template.shape)
            buffer = (out or {}).get(item)
            if buffer is None:
                buffer = np.zeros(shape, template.dtype)
            elif not isinstance(buffer, np.ndarray) or buffer.shape != shape or buffer.dtype != template.dtype or not buffer.flags.c_contiguous or not buffer.flags.writeable:
                raise ValueError(f"out[{item!r}] must be a writable C-contiguous {template.dtype} array of shape {shape}")
            found[item] = buffer
            records.append((item, 0, buffer) if named else (None, int(item), buffer))
        self._check(ids, self._b.rollout(ids, int(nstep), control, int(control_spec), records))
        return found

    def jac(self, body, point, ids=None) -> tuple[np.ndarray, np.ndarray]:
        """Jacobians (n, 3, nv) of world points (3) or (n, 3) on bodies, one or (n): of translation, of rotation. States and bound fields stay."""
        ids = ids_of(ids, self.nsim)
        n, m = self.nsim if ids is None else len(ids), self.model._inner
        bodies = numbers_of(body, (n,), 0, m.nbody, "body")
        points = np.ascontiguousarray(np.broadcast_to(point, (n, 3)), np.float64)
        jacp, jacr = np.zeros((n, 3, m.nv)), np.zeros((n, 3, m.nv))
        self._check(ids, self._b.jac(ids, bodies, points, jacp, jacr))
        return jacp, jacr

    def ray(self, pnt, vec, geomgroup=None, flg_static: bool = True, bodyexclude=-1, ids=None, normal: bool = False) -> tuple[np.ndarray, ...]:
        """Where half-lines meet geoms first, as mj_ray: distance and geom (n, nray), -1 for none, and normals (n, nray, 3). pnt, vec: up to (n, nray, 3). States stay."""
        ids = ids_of(ids, self.nsim)
        n = self.nsim if ids is None else len(ids)
        pnt, vec = (np.atleast_2d(np.asarray(given, np.float64)) for given in (pnt, vec))
        nray = np.broadcast_shapes(pnt.shape[:-1], vec.shape[:-1])[-1]
        pnt, vec = (np.ascontiguousarray(np.broadcast_to(given, (n, nray, 3))) for given in (pnt, vec))
        exclude = numbers_of(bodyexclude, (n, nray), -1, self.model.nbody, "bodyexclude")
        group = None if geomgroup is None else np.ascontiguousarray(geomgroup, np.uint8)
        dist, geomid, normals = np.zeros((n, nray)), np.zeros((n, nray), np.int32), np.zeros((n, nray, 3)) if normal else None
        self._check(ids, self._b.ray(ids, pnt, vec, group, flg_static, exclude, dist, geomid, normals))
        return (dist, geomid, normals) if normal else (dist, geomid)

    # ------------------------------------------------ models, and one of the simulations

    def set_models(self, models) -> None:
        """Simulation i is of models[i], or all of one MjModel, or (None) of the batch's own again. The models have the same sizes and structure; set them again after a change."""
        each = models is not None and not isinstance(models, MjModel)
        models = list(models) if each else models
        if models is not None and self._b.expanded.given():
            raise FatalError("set_models: the batch has per-simulation fields (expand)")
        if each and len(models) != self.nsim:
            raise ValueError(f"set_models needs one model per simulation: {self.nsim}, got {len(models)}")
        self._b.expanded.take_models(models)
        self._nkey = self._model_of(0).nkey

    @property
    def models(self):
        """What set_models was given: an MjModel, a tuple of them, None."""
        models = self._b.expanded.models
        return tuple(models) if isinstance(models, list) else models

    def _model_of(self, sim: int) -> MjModel:
        """The MjModel of a simulation, without what was expanded."""
        models = self._b.expanded.models
        return self.model if models is None else models[sim] if isinstance(models, list) else models

    def get_model(self, sim: int, model: MjModel | None = None) -> MjModel:
        """A copy of a simulation's model with what it has for itself, or that written into a model of the same sizes."""
        source = self._model_of(sim)
        if model is None:
            model = source.__copy__()
        else:
            for name in source._inner.layout.arrays:
                if name in MODEL_FIELDS and getattr(model._inner, name).shape == getattr(source._inner, name).shape:
                    setattr(model._inner, name, getattr(source._inner, name))
            model.opt = source.opt
        return self._b.expanded.write(sim, model)

    def get_data(self, sim: int, data: MjData | None = None) -> MjData:
        """A simulation's state in an MjData, a new one or the one that is given; in a persistent batch with all that its last call has left."""
        data = MjData(self.model) if data is None else data
        self._b.data_of(int(sim), data)
        return data

    def _check_no_models(self, what: str) -> None:
        if self._b.expanded.models is not None:
            raise FatalError(f"{what}: the simulations run on caller models (set_models)")

    def _check(self, ids: np.ndarray | None, failed: int) -> None:
        if failed:
            mine = np.arange(self.nsim) if ids is None else ids
            wrong = mine[self.status[mine] != 0]
            if len(wrong):
                raise SimulationError(wrong, self.error(int(wrong[0])), len(mine))


def _selector(kind: str, data: bool):
    def select(self, key):
        return Named(self, kind, key, data)

    select.__name__ = kind
    select.__doc__ = f"One {kind} of all simulations, by name or number."
    return select


for _kind, _in_data in (("actuator", True), ("body", True), ("camera", True), ("equality", False), ("geom", True), ("joint", True), ("keyframe", False), ("light", True),
                        ("material", False), ("numeric", False), ("pair", False), ("sensor", True), ("site", True), ("tendon", True)):
    setattr(Batch, _kind, _selector(_kind, _in_data))
