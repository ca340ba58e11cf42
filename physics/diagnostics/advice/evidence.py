"""What rules look at: the Samples and Measurements of the last seconds, and sizes of the Model."""
from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from physics.diagnostics.advice.measurement import Measurement
from physics.diagnostics.advice.sample import Sample
from physics.diagnostics.advice.shapes import half_sizes
from physics.model.model import Model


@dataclass(frozen=True)
class Evidence:
    """m: the Model; samples: the window, oldest first; measurements: the newest few; energies: (time, potential, kinetic) [s, J] of samples in which nothing did work."""

    m: Model
    samples: Sequence[Sample]
    measurements: Sequence[Measurement] = ()
    energies: Sequence[tuple[float, float, float]] = field(default=())

    @property
    def timestep(self) -> float:
        """Of the Model now [s]."""
        return float(self.m.opt_timestep)

    @property
    def times(self) -> np.ndarray:
        """Simulated times of the samples [s]."""
        return np.array([s.time for s in self.samples])

    @cached_property
    def geom_half_size(self) -> np.ndarray:
        """As half_sizes."""
        return half_sizes(self.m)

    @cached_property
    def step_cost(self) -> float:
        """Seconds that a step of the run takes, as the newest sample tells; else as measured; 0: not known."""
        told = [s.step_cost for s in self.samples if s.step_cost > 0]
        return float(np.median(told[-5:])) if told else (self.measurements[-1].total if self.measurements else 0.0)

    def stack(self, name: str) -> np.ndarray:
        """A field of all samples, a row each."""
        return np.array([getattr(s, name) for s in self.samples])

    def seen(self, so: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(share, last time) of each column of a table of truths with a row per sample; the time is nan where it was never so."""
        times = np.where(so, self.times[:, None], -np.inf).max(axis=0, initial=-np.inf)
        return so.mean(axis=0), np.where(np.isfinite(times), times, np.nan)


def per_thing(e: Evidence, find: Callable[[Sample], dict]) -> dict:
    """{thing: (share of the samples, last time, [(what find said)])}: find(sample) gives {thing: figure} of what is so in one sample."""
    out: dict = {}
    for sample in e.samples:
        for thing, figure in find(sample).items():
            out.setdefault(thing, []).append((sample.time, figure))
    return {thing: (len(rows) / len(e.samples), rows[-1][0], [figure for _, figure in rows]) for thing, rows in out.items()}
