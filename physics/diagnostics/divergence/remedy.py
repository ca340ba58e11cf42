"""A remedy: a few values of the Model or bounds of inputs, with a label."""
from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

import numpy as np

from physics.diagnostics.divergence.changes import Change, InputChange


@dataclass(frozen=True, slots=True)
class Remedy:
    """label: in words; changes: of the Model; inputs: of inputs; why: a sentence, '' where the label says all. Nothing of either: to go back and run on as before."""

    label: str
    changes: tuple[Change, ...] = ()
    inputs: tuple[InputChange, ...] = ()
    why: str = ""

    @property
    def live(self) -> bool:
        """Whether all of it can be done while the Model runs."""
        return all(change.live for change in (*self.changes, *self.inputs))

    @property
    def text(self) -> str:
        """What the text has to say, for what cannot be set while the Model runs: a line per change; '' where it is not the text that says it."""
        return "\n".join(f"{change.of}: {change.text}" if change.of is not None else change.text for change in self.changes if change.text)


def rounded(x: float, digits: int = 2) -> float:
    """To so many significant digits."""
    return round(x, digits - 1 - floor(log10(abs(x)))) if x and np.isfinite(x) else x
