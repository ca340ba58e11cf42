"""m.bind(element), d.bind(elements): the rows of elements of a MjSpec in a MjModel or MjData."""
from __future__ import annotations

import numpy as np

from ..named import view_of

MISMATCH = "The mjSpec does not match mjModel. Please recompile the mjSpec."


def bound(facade, model, signature: int, element):
    """The view of one element, or of several. Raises ValueError for elements of another model, IndexError for one that was deleted."""
    if not isinstance(element, (list, tuple)):
        return _one(facade, model, signature, element)
    return BoundList(element, [_one(facade, model, signature, one) for one in element])


def _one(facade, model, signature: int, element):
    if element.__dict__.get("_gone"):
        raise IndexError(f"Invalid index -1. Valid indices from 0 to {len(model.names[element.KIND]) - 1}")
    if element.signature != signature:
        raise ValueError(MISMATCH)
    return view_of(facade, model, element.KIND, element.id)


class BoundList:
    """Several elements: their rows one behind the other."""

    def __init__(self, elements, views):
        self.__dict__.update(_elements=elements, _views=views)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        values = [getattr(view, name) if hasattr(view, name) else self._none(name) for view in self._views]
        if name in ("id", "name"):
            return values
        return np.concatenate([np.atleast_1d(value) for value in values]) if values and all(np.ndim(v) < 2 and np.size(v) == 1 for v in values) else \
            np.array(values) if values else np.array([])

    def _none(self, name: str):
        raise AttributeError(f"object has no attribute '{name}'")

    def __setattr__(self, name, value):
        now, new = getattr(self, name), np.asarray(value)
        if new.ndim == 0 or len(new) != len(now):
            raise ValueError(f"{name} of {len(self._views)} elements takes {len(now)} values")
        for k, view in enumerate(self._views):
            setattr(view, name, new[k] if len(new) == len(self._views) else new[k * len(now) // len(self._views):(k + 1) * len(now) // len(self._views)])

    def __len__(self) -> int:
        return len(self._views)
