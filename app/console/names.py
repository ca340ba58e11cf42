"""The names of the console: the Model that runs, a copy of its Data, what is selected, values of expressions, and what can be done.

    m     the Model that runs; ui.set changes it          q("norm(qvel)")        value of an expression (docs/quantities.md) at the moment of d
    d     a copy of its Data, taken between two steps:    q.trace("qpos[0]")     times and values of every step, of what is drawn in the plots
          anew for each input and after each ui.…         sel                    the selected elements
    ui    what can be done; it goes to the physics thread as commands
"""
from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from app.context import AppContext
from physics.model.data import Data
from physics.model.model import Model
from physics.quantities.quantity import compile_quantity
from physics.recording.series import Series
from physics.runtime import commands

PATIENCE = 3.0      # s that the physics thread may take for its answer


class NoAnswerError(RuntimeError):
    """The physics thread does not answer."""


class Names:
    """m and d are None before the first model, d also after `let_go`. `refresh` brings them up to the present moment; whoever shows the console calls it before each input."""

    def __init__(self, context: AppContext):
        self._context = context
        self._taken: tuple[Model, Data] | None = None       # one object: two threads set it

    @property
    def m(self) -> Model | None:
        """The Model that d is of; without d the one that runs."""
        taken = self._taken
        return taken[0] if taken is not None else self._context.model

    @property
    def d(self) -> Data | None:
        """The copy of Data."""
        taken = self._taken
        return taken[1] if taken is not None else None

    def let_go(self) -> None:
        """Another Model runs: the copy, and with it the Model before, is kept no longer."""
        self._taken = None

    @property
    def sel(self) -> tuple:
        """The selected elements."""
        return self._context.selection.elements

    def refresh(self) -> None:
        """Take a copy of Data as it is when all that was sent has been done. Raises NoAnswerError."""
        if self._context.model is not None:
            self.visit(self._copy)

    def refresh_later(self, done: Callable[[], None]) -> None:
        """As `refresh`, without waiting: done() is called in the physics thread when the copy is there."""
        def look(m, d) -> None:
            self._copy(m, d)
            done()

        self._context.runner.send(commands.Visit(look))

    def _copy(self, m, d) -> None:
        """In the physics thread."""
        taken = self._taken     # read once: the GUI thread lets it go
        if taken is None or taken[0] is not m:
            self._taken = m, d.copy()
        else:
            taken[1].copy_from(d)

    def visit(self, look: Callable[[Any, Any], Any]) -> Any:
        """look(m, d) of the running Model and Data, called in the physics thread between two steps; what it returns. Raises NoAnswerError, and what it raises."""
        answered, found, went_wrong = threading.Event(), [], []

        def call(m, d) -> None:
            try:
                found.append(look(m, d))
            except Exception as error:
                went_wrong.append(error)
            finally:
                answered.set()

        self._context.runner.send(commands.Visit(call))
        if not answered.wait(PATIENCE):
            raise NoAnswerError(f"the physics thread has not answered for {PATIENCE:g} s; if a script hangs, Simulation > Stop scripts ends it")
        if went_wrong:
            raise went_wrong[0]
        return found[0]


class Values:
    """q: values of expressions."""

    def __init__(self, context: AppContext, names: Names):
        self._context, self._names = context, names

    def __call__(self, text: str) -> float | np.ndarray:
        """The value of an expression at the moment of d: a number, or an array. Raises ExpressionError with the column, ValueError without a model."""
        m, d = self._names.m, self._names.d
        if m is None or d is None:
            raise ValueError("no model is loaded" if m is None else "there is no d of this model yet")
        value = compile_quantity(m, text).now(m, d)
        return float(value) if value.shape == () else value

    def trace(self, text: str) -> tuple[np.ndarray, np.ndarray]:
        """Times (n,) and values (n,) or (n, k) of every step, of an expression that is drawn in the plots or looked at by a breakpoint; NaN where the run jumps.

        Raises ExpressionError, and ValueError where nothing of it is taken.
        """
        snapshot = self._context.snapshot
        if snapshot is None:
            raise ValueError("no model is loaded")
        quantity = compile_quantity(snapshot.model, text)
        taken = {leaf for piece in snapshot.trace.pieces for leaf in piece.leaves}
        if not snapshot.trace.pieces or not any(leaf in taken for leaf in quantity.leaves):
            raise ValueError(f"no step of {text} was taken; ui.plot({text!r}) does so from now on")
        series = Series(quantity.text)
        series.know(snapshot.generation, snapshot.model)
        series.update(snapshot.trace)
        return series.time, series.values[:, 0] if quantity.shape == () else series.values

    def __repr__(self) -> str:
        return 'q("norm(qvel)"): the value of an expression; q.trace("qpos[0]"): times and values of every step, of what is drawn in the plots'
