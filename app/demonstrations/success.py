"""Automatic success: an expression, or a sensor, that holds for a time."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.model.model import Model
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import ExpressionError


@dataclass(frozen=True, slots=True)
class Success:
    """text: an expression that is not 0 where it succeeds, as 'body("cup").xpos[2] > 0.2', or the name of a sensor. held: simulated seconds for which it has to hold."""

    text: str
    held: float = 0.5


def compile_success(m: Model, text: str) -> Quantity:
    """The expression, for a Model; a sensor's name stands for its first number. Raises ExpressionError, also for what has more than one number."""
    found = compile_quantity(m, f'sensordata["{text}"]' if text in m.names["sensor"] else text)
    if int(np.prod(found.shape, dtype=int)) != 1:
        raise ExpressionError(1, f"it has numbers of shape {found.shape} and should have one")
    return found


class Watching:
    """Looks at states in ascending time, of one run."""

    def __init__(self, success: Success):
        self.success = success
        self._model: Model | None = None
        self._quantity: Quantity | None = None
        self.begin()

    def begin(self) -> None:
        """Another episode: what held before does not count."""
        self._since: float | None = None

    def look(self, m: Model, d) -> bool:
        """Whether it has held for long enough now. Raises ExpressionError."""
        if m is not self._model:
            self._quantity = compile_success(m, self.success.text)
            self._model = m
        return self.take(float(d.time), bool(np.nan_to_num(self._quantity.now(m, d)).any()))

    def take(self, time: float, holds: bool) -> bool:
        """The same for a value at a time [s]."""
        if not holds:
            self._since = None
            return False
        if self._since is None or time < self._since:
            self._since = time
        return time - self._since >= self.success.held - 1e-9


def first_success(time: np.ndarray, values: np.ndarray, held: float) -> int | None:
    """The first of these times (n,) [s] at which values (n,) have not been 0 for `held` seconds; None where there is none. NaN counts as 0."""
    watching = Watching(Success("", held))
    for k, (now, value) in enumerate(zip(time.tolist(), np.nan_to_num(values).tolist(), strict=True)):
        if watching.take(now, bool(value)):
            return k
    return None
