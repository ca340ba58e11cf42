"""Fields of the model that each simulation of a batch has for itself, in the types of MjModel, and how they come to the Fleet."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.fleet.fleet import Fleet

from .fields import inner_name, is_shared


class _Field(NamedTuple):
    """values: what the script sees; rows: the Fleet's, None where simulations cannot differ; joined: values are those rows; base: the model's own; derived: by set_const alone."""

    values: np.ndarray
    rows: np.ndarray | None
    joined: bool
    base: np.ndarray
    derived: bool


class Expanded:
    """Fields by name: those of MODEL_FIELDS."""

    def __init__(self, fleet: Fleet, model):
        self._fleet, self._model = fleet, model
        self._fields: dict[str, _Field] = {}
        self.models = None          # those of the caller, while they are set
        self._ever = False

    @property
    def any(self) -> bool:
        """Whether simulations may differ in anything."""
        return bool(self._fields) or self._ever

    def given(self) -> list[str]:
        """Names that were expanded by the script."""
        return [name for name, field in self._fields.items() if not field.derived]

    def values(self, name: str, derived: bool = False) -> np.ndarray:
        """The values (nsim, ...) of a field, expanded from now on."""
        field = self._fields.get(name)
        if field is None or field.derived and not derived:
            field = self._fields[name] = self._made(name, derived) if field is None else field._replace(derived=False)
        return field.values

    def found(self, name: str) -> np.ndarray | None:
        """The values of a field that is expanded, to be read; None for others."""
        field = self._fields.get(name)
        if field is None:
            return None
        shown = field.values.view()
        shown.flags.writeable = False
        return shown

    def derive(self, name: str, values: dict[int, np.ndarray]) -> None:
        """What set_const has found of a field for simulations; it is expanded where they differ from the model."""
        base = getattr(self._model._inner, name)
        if name not in self._fields and all(np.array_equal(value, base) for value in values.values()):
            return
        mine = self.values(name, derived=True)
        for i, value in values.items():
            mine[i] = value[:mine.shape[1]] if mine.ndim > 1 else value

    def bring(self, chosen: np.ndarray) -> dict[int, str]:
        """Values that have another type here go to the Fleet. {simulation: why it cannot be computed} of those that differ where they cannot."""
        wrong: dict[int, str] = {}
        for name, field in self._fields.items():
            if field.rows is None:
                differ = (field.values[chosen] != field.base).reshape(len(chosen), -1).any(axis=1)
                for i in chosen[differ].tolist():
                    wrong.setdefault(i, f"{name} is not the model's: it decides how the model is computed, and all simulations have it in common here")
            elif not field.joined:
                field.rows[chosen] = field.values[chosen]
        return wrong

    def write(self, sim: int, model):
        """Write what a simulation has for itself into an MjModel; the model."""
        for name, field in self._fields.items():
            value = field.values[sim]
            if name.startswith("opt."):
                setattr(model.opt, name[4:], value if value.ndim else value.item())
            elif name == "bvh_aabb":
                model._inner.bvh_aabb[:len(value)] = value
            elif name in model._inner.layout.arrays:
                setattr(model._inner, name, np.reshape(value, getattr(model._inner, name).shape))
        return model

    def take_models(self, models) -> None:
        """Simulations are of the caller's models: one for all, one for each, or None."""
        ids = np.arange(self._fleet.n)
        if models is None:
            if self._ever:
                self._fleet.take_model(ids, self._model._inner)
        elif isinstance(models, list):
            for i, model in enumerate(models):
                self._fleet.take_model(i, model._inner)
        else:
            self._fleet.take_model(ids, models._inner)
        self.models, self._ever = models, self._ever or models is not None

    def _made(self, name: str, derived: bool) -> _Field:
        """The rows of a field. Those of body hierarchies (bvh_aabb) stand before those of meshes, which all share."""
        n, model = self._fleet.n, self._model
        base = np.asarray(getattr(model.opt, name[4:]) if name.startswith("opt.") else getattr(model, name))
        if name == "bvh_aabb" and model.nmesh:
            base = base[:model.mesh_bvhadr[0]]
        if name.startswith("opt."):
            base = base.astype(np.float64 if base.dtype.kind == "f" else np.int32)
        rows = None if is_shared(name) else self._fleet.expand(inner_name(name))
        if rows is not None and name == "bvh_aabb":
            rows = rows[:, :len(base)]
        joined = rows is not None and rows.dtype == base.dtype and rows.shape == (n, *base.shape)
        values = rows if joined else np.repeat(base[None], n, axis=0)
        return _Field(values, rows, joined, base.copy(), derived)
