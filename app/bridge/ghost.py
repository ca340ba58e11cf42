"""Another pose of a Model, drawn beside the one that runs: a companion run, a replay, a branch, a goal."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from physics.model.model import Model

ORANGE, BLUE, GREEN, VIOLET = (1.0, 0.55, 0.1), (0.2, 0.55, 1.0), (0.35, 0.85, 0.35), (0.75, 0.45, 1.0)
TINTS = (ORANGE, BLUE, GREEN, VIOLET)   # of several, in turn


@dataclass(frozen=True, slots=True, eq=False)
class Ghost:
    """geom_xpos (ngeom, 3), geom_xmat (ngeom, 9): where the geoms of `model` are [m]; copied, so that a Snapshot's or Data's own arrays may be given.
    forces: (n, 6) points [m] and forces [N] of contacts, drawn in the tint where those of the model are, None: none. tint: 3 numbers, 0 to 1; opacity: above 0 up to 1; label: written above it, '' for nothing. Raises ValueError."""

    model: Model
    geom_xpos: np.ndarray
    geom_xmat: np.ndarray
    tint: tuple[float, float, float] = ORANGE
    opacity: float = 0.35
    label: str = ""
    forces: np.ndarray | None = None

    def __post_init__(self):
        for name, width in (("geom_xpos", 3), ("geom_xmat", 9)):
            array = np.array(getattr(self, name), np.float32)
            if array.shape != (self.model.ngeom, width):
                raise ValueError(f"ghost: {name} must be of shape ({self.model.ngeom}, {width}), not {array.shape}")
            object.__setattr__(self, name, array)
        if not (len(self.tint) == 3 and all(0 <= x <= 1 for x in self.tint)):
            raise ValueError(f"ghost: tint must be 3 numbers from 0 to 1, not {self.tint!r}")
        if not 0 < self.opacity <= 1:
            raise ValueError(f"ghost: opacity must be above 0 and at most 1, not {self.opacity!r}")
