"""Runs of one Model from one State, each with other values in its fields, on threads of their own: what parameter sets and sweeps are made of.

    changes of run k --written into the thread's copy of the Model--> reset, State, steps with a trace --> Run k

Kernels release the interpreter's lock. Each run begins with a Data as new, so that its numbers depend on its own values alone: they are the same, to the last bit, for any number
of threads and in any order.
"""
from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np

from physics.enums import ENBL_ENERGY
from physics.kernels import load
from physics.model.changes.field_changes import FieldChange, present, write
from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values, model_beside, put_live_values
from physics.model.state_fields import State
from physics.quantities.quantity import Quantity, compile_quantity
from physics.recording.traced_steps import check_traceable, trace
from physics.runtime.companions.companion import be_nice
from physics.simulate.engines import engine_of
from physics.simulate.step import check_dynamics

__all__ = ["BackgroundJobs", "Run", "Runs", "quantities_of", "written"]

Changes = tuple[FieldChange, ...]


class Run(NamedTuple):
    """time (n) [s]; values {expression: (n, *shape)}, both from the beginning to the end, or to the last state before it diverged."""

    time: np.ndarray
    values: dict[str, np.ndarray]
    diverged: bool


def quantities_of(m: Model, texts: Sequence[str]) -> dict[str, Quantity]:
    """Expressions that can be taken at every step. Raises ExpressionError, and ValueError for what has no fixed number of rows."""
    found = {text: compile_quantity(m, text) for text in texts}
    for quantity in found.values():
        check_traceable(quantity)
    return found


def written(m: Model, changes: Changes) -> None:
    """Write changes into a Model that nobody runs. Raises ValueError in words where the engine cannot take them."""
    write(m, changes)
    issues = m.wrong_numbers() or engine_of(m).refuses(m)
    if issues:
        raise ValueError(str(issues[0]))


class BackgroundJobs(ABC):
    """Numbered jobs that threads work off; a kind of job says how by `_work_off`. done: how many are; error: what went wrong, '' for nothing.

    All methods are for any thread; only `wait` waits.
    """

    def __init__(self, number: int, threads: int = 0):
        """threads: 0: one per processor. Raises ValueError for threads that are none."""
        if threads < 0:
            raise ValueError(f"{threads} threads")
        self._number, self._threads = number, max(1, min(threads or os.cpu_count() or 1, number))
        self._next, self._lock, self._working = count(), threading.Lock(), 0
        self._stop, self._over = threading.Event(), threading.Event()
        self.done, self.error = 0, ""

    def __len__(self) -> int:
        return self._number

    def start(self) -> None:
        """Begin in the background, once. Raises RuntimeError while kernels are still being compiled."""
        if load.is_partial():
            raise RuntimeError("the engine is still being compiled")
        self._working = self._threads
        for _ in range(self._threads):
            threading.Thread(target=self._work, name="run", daemon=True).start()

    def cancel(self) -> None:
        """End soon: what is not done stays so."""
        self._stop.set()

    @property
    def cancelled(self) -> bool:
        """Whether it was ended early, by `cancel` or an error."""
        return self._stop.is_set()

    @property
    def over(self) -> bool:
        """Whether no thread works any more."""
        return self._over.is_set()

    def wait(self, timeout: float | None = None) -> bool:
        """Wait for the end; whether it has come."""
        return self._over.wait(timeout)

    # ------------------------------------------------ the threads

    def _work(self) -> None:
        be_nice()
        try:
            self._work_off()
        except Exception as why:    # ends all of them; the owner is told
            self.error = self.error or (str(why) if isinstance(why, ValueError) else f"{type(why).__name__}: {why}")
            self._stop.set()
        finally:
            with self._lock:
                self._working -= 1
                if not self._working:
                    self._over.set()

    @abstractmethod
    def _work_off(self) -> None:
        """In a thread: take jobs by `self._next` until there are none, or `self._stop` is set."""


class Runs(BackgroundJobs):
    """finished(k, run) is called as each run ends, one at a time, from the threads."""

    def __init__(self, m: Model, state: State, changes: Sequence[Changes], texts: Sequence[str], seconds: float, finished: Callable[[int, Run], None], threads: int = 0):
        """m: may go on running elsewhere; what is set in it from now on does not matter. seconds: simulated, of each run; threads: 0: one per processor.

        Raises ValueError for seconds or threads that are none, ViewOnlyError where the model cannot be simulated, and as quantities_of.
        """
        if not 0.0 < seconds < 1e9:
            raise ValueError(f"runs of {seconds:g} s")
        self._changes = tuple(changes)
        super().__init__(len(self._changes), threads)
        check_dynamics(m)
        quantities = quantities_of(m, texts)
        self._flags = int(ENBL_ENERGY) if any("energy" in quantity.fields for quantity in quantities.values()) else 0
        self._model, self._values = m, {name: value for name, value in live_values(m).items() if name != "vis"}
        self._state, self._texts, self._seconds, self._finished = state, texts, seconds, finished

    def _work_off(self) -> None:
        k = next(self._next)
        if k >= len(self._changes):
            return
        base = self._copy()
        mine = model_beside(base)
        data, last = Data(mine), ()
        engine_of(mine).workspace(mine, data)
        while k < len(self._changes) and not self._stop.is_set():
            write(mine, filter(None, (present(base, change) for change in last)))
            last = self._changes[k]
            written(mine, last)
            run = self._run(mine, data)
            if run is None:
                return
            with self._lock:
                self._finished(k, run)
                self.done += 1
            k = next(self._next)

    def _copy(self) -> Model:
        """The Model as it was when this began."""
        base = model_beside(self._model)
        put_live_values(base, self._values)
        return base

    def _run(self, m: Model, d: Data) -> Run | None:
        """One run; None where it was cancelled."""
        m.opt_enableflags = int(m.opt_enableflags) | self._flags
        d.reset()
        self._state.write(d)
        rows = max(1, round(self._seconds / float(m.opt_timestep))) + 1       # the last step only tells of the state that it begins with
        time, values = trace(m, d, self._texts, rows, False, lambda: not self._stop.is_set())
        if len(time) < rows and not d.diverged:
            return None
        return Run(time, values, bool(d.diverged))
