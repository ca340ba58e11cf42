"""Remedies that hold inputs within bounds: controls, forces that are applied to joints and bodies."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from physics import enums
from physics.diagnostics.divergence.changes import InputChange
from physics.model.model import Model
from physics.recording.last_steps import LastSteps


@dataclass(frozen=True, slots=True)
class ControlSpan:
    """Recorded controls, arrays (nu,). usual: largest size up to the onset, numbers only; low, high: smallest and largest of all steps with the refused one, NaN where there is
    one that is no number."""

    usual: np.ndarray
    low: np.ndarray
    high: np.ndarray


def control_span(steps: LastSteps, onset: int) -> ControlSpan:
    """Of recorded steps, which grew from row `onset` on."""
    ctrl = steps.columns("ctrl")
    before = ctrl[:max(1, onset)]
    usual = np.abs(np.where(np.isfinite(before), before, 0.0)).max(axis=0, initial=0.0)
    every = np.concatenate([ctrl, np.reshape(steps.refused.ctrl, (1, -1))])
    return ControlSpan(usual, every.min(axis=0), every.max(axis=0))


def held_controls(m: Model, actuator: int, span: ControlSpan, blamed: bool) -> Iterator[tuple[str, InputChange]]:
    """(what is held, in words, the change) for each control of an actuator that left its range, where the engine does not clamp it already; where the control is blamed also
    of one without a range that left what was usual before it grew."""
    first = int(m.actuator_ctrladr[actuator])
    for row in range(first, first + int(m.actuator_ctrlnum[actuator])):
        low, high = (float(x) for x in m.actuator_ctrlrange[row])
        given = high > low
        if not given and not blamed:
            continue
        if not given:
            high = float(span.usual[row])
            low = -high
        sound = np.isfinite(span.low[row]) and np.isfinite(span.high[row])
        clamped = given and m.actuator_ctrllimited[row] and not m.opt_disableflags & enums.DSBL_CLAMPCTRL
        if sound and (clamped or low <= span.low[row] and span.high[row] <= high):
            continue
        words = f"control within its range, {low:g} to {high:g}" if given else f"control no larger than before, {high:.3g}" if high else "control 0"
        yield words, InputChange("ctrl", row, low, high)
