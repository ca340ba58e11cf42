"""A model under the hard engine, and how it fared."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

import physics
from physics.model.data import Data
from physics.model.model import Model


def hard_model(text: str, tolerance: float = 1e-8, kappa: float = 0.0) -> Model:
    """A model from MJCF text that moves by the hard engine. tolerance: of residuals and products; kappa > 0: exactly that point of the central path [J]."""
    m = physics.load_string(text)
    m.opt_engine = physics.Engine.HARD
    m.opt_hard_rtol = m.opt_hard_ktol = tolerance
    m.opt_hard_kappa = kappa
    return m


@dataclass
class Fared:
    """Iterations of every step, and how many steps did not simply converge."""

    iterations: list[int] = field(default_factory=list)
    coarse: int = 0
    halved: int = 0
    failed: int = 0

    def __str__(self) -> str:
        return f"{np.mean(self.iterations):.1f} (max {max(self.iterations)})"

    @property
    def counts(self) -> str:
        """Coarse, halved and failed of all steps."""
        return f"{self.coarse}/{self.halved}/{self.failed} of {len(self.iterations)}"


def run_steps(m: Model, d: Data, n: int, after: Callable[[], object] | None = None) -> Fared:
    """n steps; `after` is called after each. Raises RuntimeError where a step does not happen."""
    fared = Fared()
    for _ in range(n):
        before = d.time
        physics.step(m, d)
        fared.iterations.append(d.hard_niter)
        if not d.time > before:
            raise RuntimeError(f"the step from time {before:g} s did not happen: {physics.step_error(m, d) or 'status ' + str(d.hard_status)}")
        if after is not None:
            after()
    fared.coarse, fared.halved, fared.failed = d.hard_ncoarse, d.hard_nhalved, d.hard_nfailed
    return fared
