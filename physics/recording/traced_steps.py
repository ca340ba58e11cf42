"""Quantities over the steps of a run, as arrays."""
from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from physics.model.data import Data
from physics.model.model import Model
from physics.quantities.leaves import count
from physics.quantities.quantity import Quantity, compile_quantity
from physics.recording.trace import PIECES, Trace
from physics.recording.trace_columns import traceable
from physics.simulate.step import step

SPARE = 2 * PIECES      # rows more than there are steps: a piece is not always full
ASKED = 500             # steps between two calls of go_on


def check_traceable(quantity: Quantity) -> None:
    """Raises ValueError for a quantity whose number of rows changes from step to step."""
    if not all(map(traceable, quantity.leaves)):
        raise ValueError(f"{quantity.text}: the number of rows changes from step to step")


def trace(m: Model, d: Data, expressions: Sequence[str], nstep: int, autoreset: bool | None = None,
          go_on: Callable[[], bool] | None = None, controls: np.ndarray | None = None) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Take nstep steps; returns (time, values): time (steps,) [s], and for each expression its values (steps, *shape), of the states that the steps begin with.

    autoreset: as for physics.step. go_on: asked every few hundred steps; where it says False no more are taken.
    controls (nstep, nu): ctrl at each step; None: it stays as it is.
    There are fewer than nstep where the state diverged and did not start over. Raises ExpressionError for what is no expression of the Model, ValueError for one whose
    number of rows changes from step to step, and what physics.step raises.
    """
    quantities = {text: compile_quantity(m, text) for text in ("time", *expressions)}
    for quantity in quantities.values():
        check_traceable(quantity)
    numbers = 1 + sum(count(leaf) for quantity in quantities.values() for leaf in quantity.leaves)
    taken = Trace(8 * numbers * 2 * (nstep + SPARE) * 2)
    taken.choose(("time", *expressions))
    taken.follow(m, d, 0)
    done = 0
    try:
        while done < nstep and (go_on is None or go_on()):
            part = min(nstep - done, taken.make_room(done), nstep if go_on is None else ASKED)
            steps = step(m, d, part, autoreset) if controls is None else _controlled(m, d, controls[done:done + part], autoreset)
            done += steps
            if steps < part:
                break
        pieces = taken.view().pieces
    finally:
        taken.choose(())
    memories: dict[str, dict] = {text: {} for text in quantities}
    found = {text: [quantity.values(piece.source(), memories[text]) for piece in pieces] for text, quantity in quantities.items()}
    arrays = {text: np.concatenate([np.zeros((0, *quantities[text].shape)), *parts]) for text, parts in found.items()}
    return arrays["time"], {text: arrays[text] for text in expressions}


def _controlled(m: Model, d: Data, controls: np.ndarray, autoreset: bool | None) -> int:
    """Steps with another ctrl at each; how many were taken."""
    for k, ctrl in enumerate(controls):
        d.ctrl[:] = ctrl
        if not step(m, d, 1, autoreset):
            return k
    return len(controls)
