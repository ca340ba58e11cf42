"""The Advisor of a Model: takes Samples and Measurements as they come, and says what is worth telling of the last seconds.

    take_sample(m, d) --Sample--> Advisor.add     window of SAMPLES
    Measurer.measure(sample) --> Advisor.measured
                                 Advisor.find() --> Advice, one a kind

Nothing is told of fewer than FEWEST samples, and what is told once stays until it is clearly over.
"""
from __future__ import annotations

from collections import deque

import numpy as np

from physics.diagnostics.advice.evidence import Evidence
from physics.diagnostics.advice.finding import Advice, Finding, merged
from physics.diagnostics.advice.measurement import Measurement, Measurer
from physics.diagnostics.advice.sample import Sample, take_sample
from physics.diagnostics.advice.table import RULES, Rule
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate import step

SAMPLES = 16        # of the window: at two a second 8 s
FEWEST = 6          # of them, before anything is told
MEASUREMENTS = 3


class Advisor:
    """For one Model, in one thread at a time. rules: those that are looked at."""

    def __init__(self, model: Model, rules: tuple[Rule, ...] = RULES, measurer: Measurer | None = None):
        self.model, self.rules = model, rules
        self.measurer = measurer or Measurer(model)
        self.dismissed: set[tuple] = set()      # keys of findings that are not told any more
        self._shown: set[tuple] = set()
        self.clear()

    def clear(self) -> None:
        """Begin a window anew: the state has jumped."""
        self.samples: deque[Sample] = deque(maxlen=SAMPLES)
        self.measurements: deque[Measurement] = deque(maxlen=MEASUREMENTS)
        self.energies: deque[tuple[float, float, float]] = deque(maxlen=SAMPLES)
        self._shown.clear()

    def add(self, sample: Sample) -> bool:
        """Take a Sample; False where it tells nothing new, as no time has passed."""
        if self.samples and sample.time == self.samples[-1].time:
            return False
        if self.samples and sample.time < self.samples[-1].time:
            self.clear()
        self.samples.append(sample)
        if sample.driven:
            self.energies.clear()
        else:
            energy = self.measurer.energy(sample)
            if np.isfinite(energy).all():
                self.energies.append((sample.time, *energy))
        return True

    def measured(self, measurement: Measurement | None) -> None:
        """Take what a measurement gave."""
        if measurement is not None:
            self.measurements.append(measurement)

    def measure(self) -> Measurement | None:
        """Measure from the newest Sample."""
        found = self.measurer.measure(self.samples[-1]) if self.samples else None
        self.measured(found)
        return found

    def dismiss(self, advice: Advice) -> None:
        """Tell this no more."""
        self.dismissed.update(advice.keys)

    def find(self) -> tuple[Advice, ...]:
        """What is worth telling now, in the order of the table."""
        if len(self.samples) < FEWEST:
            return ()
        evidence = Evidence(self.model, tuple(self.samples), tuple(self.measurements), tuple(self.energies))
        out, shown = [], set()
        for rule in self.rules:
            found = [f for f in rule.find(evidence) if self._told(rule, f)]
            shown.update(f.key for f in found)
            found = [f for f in found if f.key not in self.dismissed]
            if found:
                out.append(merged(rule.title, found))
        self._shown = shown
        return tuple(out)

    def _told(self, rule: Rule, finding: Finding) -> bool:
        return finding.share >= (rule.off if finding.key in self._shown else rule.on)


def advise(m: Model, d: Data, seconds: float = 4.0, samples: int = SAMPLES) -> tuple[Advice, ...]:
    """Let a copy of d run on for so many simulated seconds, with the controls that it has, and say what is worth telling of that. d stays as it is.

    The time that a step takes is measured. Raises what `step` raises.
    """
    advisor, copy = Advisor(m), d.copy()
    n = max(1, round(seconds / m.opt_timestep / samples))
    for _ in range(samples):
        if step.step(m, copy, n, autoreset=False) < n:
            break
        advisor.add(take_sample(m, copy))
    advisor.measure()
    return advisor.find()
