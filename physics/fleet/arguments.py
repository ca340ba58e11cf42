"""What users hand over to a fleet, checked: which simulations, arrays with a row for each, runs."""
from __future__ import annotations

from typing import NamedTuple

import numpy as np


def chosen(ids, n: int) -> np.ndarray:
    """Numbers of simulations as int64: ids is an array of numbers, a mask of n bools, or one number. Raises ValueError or IndexError naming what is wrong."""
    given = np.atleast_1d(np.asarray(ids))
    if given.size == 0:
        return np.zeros(0, np.int64)
    if given.dtype == bool:
        if given.shape != (n,):
            raise ValueError(f"ids: a mask needs shape ({n},), got {given.shape}")
        return np.flatnonzero(given)
    if given.ndim != 1 or given.dtype.kind not in "iu":
        raise ValueError(f"ids: needs whole numbers in one row, got {given.dtype} {given.shape}")
    found = given.astype(np.int64)
    wrong = found[(found < 0) | (found >= n)]
    if len(wrong):
        raise IndexError(f"simulation {wrong[0]} of {n}")
    if len(np.unique(found)) < len(found):
        numbers, counts = np.unique(found, return_counts=True)
        raise ValueError(f"ids: simulation {numbers[counts > 1][0]} is named twice")
    return found


def rows_of(values, shape: tuple[int, ...], what: str) -> np.ndarray:
    """values as doubles of this shape, one row for all where the first size is missing (or 1). Raises ValueError naming `what`."""
    try:
        array = np.asarray(values, np.float64)
        return np.ascontiguousarray(np.broadcast_to(array, shape))
    except (TypeError, ValueError):
        got = np.shape(values) if isinstance(values, np.ndarray | list | tuple | float | int) else type(values).__name__
        raise ValueError(f"{what}: needs numbers of shape {shape}, got {got}") from None


class Runs(NamedTuple):
    """start: (n, nstate) or None; warm: (n, nv); control: (n, nstep, nu) or None; nstep."""

    start: np.ndarray | None
    warm: np.ndarray
    control: np.ndarray | None
    nstep: int


def runs_of(m, count: int, nstate: int, initial_state, control, nstep: int | None, warmstart) -> Runs:
    """The arguments of a rollout of `count` runs. Raises ValueError naming the one that is wrong."""
    if control is None:
        if nstep is None or nstep < 0:
            raise ValueError("without control, nstep must say how many steps to take")
    else:
        control = np.asarray(control, np.float64)
        if control.ndim not in (2, 3):
            raise ValueError(f"control: needs shape ({count}, nstep, {m.nu}) or (nstep, {m.nu}), got {control.shape}")
        steps = control.shape[-2]
        if nstep is not None and nstep != steps:
            raise ValueError(f"control of {steps} steps, nstep {nstep}")
        control, nstep = rows_of(control, (count, steps, m.nu), "control"), steps
    start = None if initial_state is None else rows_of(initial_state, (count, nstate), "initial_state")
    if warmstart is not None and start is None:
        raise ValueError("warmstart: belongs to initial_state; without it each run begins as its simulation would go on")
    warm = np.zeros((count, m.nv)) if warmstart is None else rows_of(warmstart, (count, m.nv), "warmstart")
    return Runs(start, warm, control, nstep)
