"""Curves of quantities over the last entries before a divergence."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from physics.diagnostics.divergence.growth import WINDOW
from physics.errors import ViewOnlyError
from physics.model.model import Model
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.recording.last_steps import HELD, INPUTS, LastSteps
from physics.recording.replayed import can_replay, values_of
from physics.recording.track import TrackPiece


@dataclass(frozen=True, slots=True)
class Curve:
    """Values of an expression over the last entries: time (n,) [s], values (n,); of a vector its length."""

    text: str
    unit: str
    time: np.ndarray
    values: np.ndarray


@dataclass(frozen=True, slots=True)
class _Parts:
    parts: Mapping[str, int]


def curves(m: Model, steps: LastSteps, texts: Sequence[str], window: int = WINDOW) -> list[Curve]:
    """Those of the texts that are expressions for this Model, which nobody else writes to. Nothing before kernels are compiled."""
    if not can_replay():
        return []
    piece, first = TrackPiece(_Parts(steps.parts), steps.rows, steps.number), max(0, len(steps) - window)
    last = len(steps) - 1
    given = steps.inputs_of(last)       # of the refused step, in the last row
    held = [*((number, {name: fields[name] for name in HELD if name in fields}) for number, fields in steps.held if number < steps.number + last),
            (steps.number + last, {name: given[name] for name in (*INPUTS, *HELD)})]
    found = []
    for text in texts:
        try:
            with np.errstate(all="ignore"):
                quantity = compile_quantity(m, text)
                time, values = values_of(m, piece, quantity, slice(first, len(steps)), held)
        except (ExpressionError, ValueError, ViewOnlyError):
            continue
        flat = values.reshape(len(values), -1)
        found.append(Curve(text, quantity.unit or "", time, flat[:, 0] if flat.shape[1] == 1 else np.linalg.norm(flat, axis=1)))
    return found
