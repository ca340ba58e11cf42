"""Which simulations a call is about, and arguments with a number for each of them."""
from __future__ import annotations

import numpy as np


def ids_of(ids, nsim: int) -> np.ndarray | None:
    """Numbers of simulations (n) int32, rising; None for all. ids: such numbers, or a mask (nsim). Raises ValueError.

    All is checked before numbers are made small, so that none becomes another.
    """
    if ids is None:
        return None
    given = np.asarray(ids)
    if given.dtype == bool:
        if given.shape != (nsim,):
            raise ValueError(f"a boolean mask must have shape ({nsim},)")
        return None if given.all() else np.flatnonzero(given).astype(np.int32)
    if given.ndim != 1:
        raise ValueError("ids must be one-dimensional")
    if not given.size:
        return np.zeros(0, np.int32)
    if given.dtype.kind not in "iu":
        raise ValueError(f"ids must be integers, got {given.dtype}")
    fall = np.flatnonzero(given[1:] <= given[:-1])
    if fall.size:
        raise ValueError(f"ids must be sorted and unique, got {given[fall[0]]} before {given[fall[0] + 1]}")
    for end in (given[0], given[-1]):
        if not 0 <= end < nsim:
            raise ValueError(f"ids must be in [0, {nsim}), got {end}")
    return np.ascontiguousarray(given, np.int32)


def numbers_of(values, shape: tuple[int, ...], least: int, end: int, name: str) -> np.ndarray:
    """Whole numbers least <= x < end as int32 of a shape, one for all where fewer are given. Raises ValueError."""
    given = np.asarray(values)
    if given.dtype.kind not in "iu":
        raise ValueError(f"{name} must be integers, got {given.dtype}")
    wrong = given[(given < least) | (given >= end)]
    if wrong.size:
        raise ValueError(f"{name} must be in [{least}, {end}), got {wrong.flat[0]}")
    return np.ascontiguousarray(np.broadcast_to(given, shape), np.int32)


def strict_ids(ids, nsim: int) -> np.ndarray:
    """Numbers that were checked before, or None for all, as an index. Raises TypeError, ValueError."""
    if ids is None:
        return np.arange(nsim)
    strict(ids, np.int32, None, "ids")
    if ids.size and not (0 <= ids.min() and ids.max() < nsim):
        raise ValueError(f"ids must be in [0, {nsim})")
    return ids.astype(np.int64)


def strict(array, dtype, shape: tuple[int, ...] | None, name: str) -> np.ndarray:
    """An array of just this type, in one piece; nothing is converted, as results would get lost. Raises TypeError, and ValueError for another shape."""
    if not isinstance(array, np.ndarray) or array.dtype != np.dtype(dtype) or not array.flags.c_contiguous:
        raise TypeError(f"{name}: incompatible function arguments: needs a C-contiguous array of {np.dtype(dtype)}")
    if shape is not None and array.shape != shape:
        raise ValueError(f"{name}: needs shape {shape}, got {array.shape}")
    return array
