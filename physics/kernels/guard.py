"""Bounds-checked stand-ins for Model and Data, for kernels that run under the interpreter.

NumPy takes a negative index as counting from the end, the compiled code reads the memory before the array: here it
is refused. Integers come out as Python ints, as wide as in compiled code; floats as float64.
"""
from __future__ import annotations

import numpy as np


class GuardArray(np.ndarray):
    """A view that refuses negative indices and slices out of range."""

    def __getitem__(self, index):
        _refuse_negative(index)
        value = super().__getitem__(index)
        if isinstance(value, np.ndarray):
            return value
        return int(value) if value.dtype.kind in "iub" else np.float64(value)

    def __setitem__(self, index, value):
        _refuse_negative(index)
        super().__setitem__(index, value)


def _refuse_negative(index) -> None:
    if isinstance(index, tuple):
        for k in index:
            _refuse_negative(k)
    elif (index.start or 0 if isinstance(index, slice) else index) < 0:
        raise IndexError(f"negative index {index} in a kernel")


class Checked:
    """Model or Data as a kernel sees it: guarded arrays of the compiled shape, and scalars."""

    def __init__(self, owner):
        object.__setattr__(self, "owner", owner)

    def __getattr__(self, name):
        owner = self.owner
        spot = owner.layout.arrays.get(name)
        if spot is None:
            if name not in owner.layout.scalars:
                raise AttributeError(f"{type(owner).__name__} has no field {name}")
            return getattr(owner, name)
        array = getattr(owner, name).reshape(-1, *spot.inner).view(GuardArray)
        object.__setattr__(self, name, array)  # arrays stay where they are within a kernel
        return array

    def __setattr__(self, name, value):
        if name not in self.owner.layout.scalars:
            raise AttributeError(f"{type(self.owner).__name__}.{name} cannot be set in a kernel")
        setattr(self.owner, name, value)

    def __getitem__(self, k):
        return checked(self.owner[k])

    @property
    def _as_parameter_(self):
        return self.owner._as_parameter_


def checked(value):
    """A guarded stand-in of a Model, Data or Batch; anything else as it is."""
    return Checked(value) if hasattr(value, "_as_parameter_") and not isinstance(value, Checked) else value
