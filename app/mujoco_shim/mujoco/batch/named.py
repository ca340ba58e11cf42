"""One element's part of the fields of all simulations: batch.joint('hinge').qpos is (nsim, 1)."""
from __future__ import annotations

import numpy as np

from physics.model.element_views import find_rows

from .fields import DATA_FIELDS, MODEL_FIELDS, STATE_BITS, is_structural, near, only_read


class Named:
    """The attributes are those of MjData's and MjModel's views of the element. Those of a model are read without being expanded, and expanded by assignment."""

    def __init__(self, batch, kind: str, key, data: bool):
        of_model = getattr(batch.model, kind)(key)
        of_data = getattr(batch._data, kind)(key) if data else None
        self.__dict__.update(_batch=batch, _kind=kind, _of_data=of_data, _of_model=of_model, id=of_model.id, name=of_model.name)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._part(name, False)

    def __setattr__(self, name, value):
        if name in ("id", "name") or name.startswith("_"):
            raise AttributeError(f"{name} is read-only")
        self._part(name, True)[...] = value

    def _part(self, name: str, write: bool) -> np.ndarray:
        """The rows (nsim, ...) of an attribute. Raises AttributeError, and ValueError where it cannot be written."""
        held = True
        for view, names, rows in ((self._of_data, DATA_FIELDS, self._data_rows), (self._of_model, MODEL_FIELDS, self._model_rows)):
            part = getattr(view, name, None) if view is not None else None
            if not isinstance(part, np.ndarray):
                continue
            if not part.size:
                return _only_read(np.empty((self._batch.nsim, *part.shape), part.dtype))
            place = find_rows(view._owner.layout, view._model, view._kind, view.id, name)
            if place is None or place[0] not in names:
                held = False
                continue
            return rows(place, part, name, write)
        if not held:
            raise AttributeError(f"{self._kind} {name} is not a slice of a field that the batch binds or expands")
        raise AttributeError(f"{name} is not a field of a {self._kind}{near(name, [*dir(self._of_model), *(dir(self._of_data) if self._of_data is not None else ())])}")

    def _data_rows(self, place, part: np.ndarray, name: str, write: bool) -> np.ndarray:
        field, row = place
        if write and field not in STATE_BITS:
            raise only_read(f"{self._kind} {name}")
        return self._cut(self._batch.bind(field), row, part)

    def _model_rows(self, place, part: np.ndarray, name: str, write: bool) -> np.ndarray:
        field, row = place
        batch = self._batch
        if batch.models is not None:
            if write:
                raise ValueError(f"{field} comes from the caller models (set_models): edit them and call set_models again")
            return _only_read(np.stack([getattr(getattr(batch._model_of(i), self._kind)(self.id), name) for i in range(batch.nsim)]))
        if field in batch._expanded:
            return self._cut(batch.expand(field), row, part)
        if is_structural(field, part):
            if write:
                raise ValueError(f"{field} is structural: it cannot differ between simulations")
            return np.broadcast_to(part, (batch.nsim, *part.shape))
        if write:
            return self._cut(batch.expand(field), row, part)
        found = batch.expanded(field)
        return np.broadcast_to(part, (batch.nsim, *part.shape)) if found is None else self._cut(found, row, part)

    def _cut(self, rows: np.ndarray, row: int | slice, part: np.ndarray) -> np.ndarray:
        """An element's rows of a field (nsim, rows, ...) in the shape that its view has: a view of them."""
        at = row if isinstance(row, slice) else slice(row, row + 1)
        found = rows[:, at]
        one = np.ndim(part) == found.ndim - 2
        return found[:, 0] if one else found

    def __repr__(self) -> str:
        return f"<{self._kind} {self.id} ({self.name!r}) of {self._batch.nsim} simulations>"


def _only_read(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array
