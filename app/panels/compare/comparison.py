"""What runs beside each other have done since they began together: samples of a contact at each step, and figures made of them. No Qt."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, isfinite, nan

import numpy as np

from app.panels.tuner.figures import NONE, length_text
from app.panels.tuner.replayed_states import Touches
from physics.tuning.measured import Touch, Window
from physics.tuning.target import Target

COLUMNS = ("depth", "force", "energy")


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """One run. time (n) [s]; depth [m] (NaN apart), force [N] along the normal, energy [J] of the whole model, each (n); touches; rest: depth of a contact that stays [m], else NaN."""

    time: np.ndarray
    depth: np.ndarray
    force: np.ndarray
    energy: np.ndarray
    touches: tuple[Touch, ...] = ()
    rest: float = nan

    def since(self, begin: float) -> Course:
        """From a moment on."""
        first = int(np.searchsorted(self.time, begin - 1e-9))
        if first == 0:
            return self
        return Course(self.time[first:], self.depth[first:], self.force[first:], self.energy[first:], tuple(one for one in self.touches if one.begin >= begin - 1e-9), self.rest)


def course_of(window: Window) -> Course:
    """What a window holds; for the thread that fills it."""
    settling = window.settling()
    return Course(window.column("time"), *(window.column(name) for name in COLUMNS), window.touches, settling.depth if settling is not None else nan)


class WholeCourse(Touches):
    """A Follower of a contact and of the energy of the whole model, that finds its Course."""

    def __init__(self, target: Target):
        super().__init__(target, whole=True)

    def found(self) -> Course:
        """So far."""
        return course_of(self.window)


@dataclass(frozen=True, slots=True)
class Figures:
    """rest_depth [m]; largest_force [N]; energy_loss [J] of the whole model, below 0: a gain; bounces that have ended; restitution: their mean. NaN: not known."""

    rest_depth: float = nan
    largest_force: float = nan
    energy_loss: float = nan
    bounces: int = 0
    restitution: float = nan


def figures_of(course: Course) -> Figures:
    """Of one run."""
    if not len(course.time):
        return Figures()
    ended = [touch.restitution for touch in course.touches if touch.end < inf and isfinite(touch.restitution)]
    force = float(np.nanmax(course.force)) if np.isfinite(course.force).any() else nan
    return Figures(course.rest, force if force > 0.0 else nan, float(course.energy[0] - course.energy[-1]), len(ended), float(np.mean(ended)) if ended else nan)


HEADS = ("Rest depth", "Largest force", "Energy loss", "Bounces", "Restitution")


def texts_of(figures: Figures) -> Iterator[str]:
    """In the order of HEADS."""
    yield length_text(figures.rest_depth)
    yield f"{figures.largest_force:.4g} N" if isfinite(figures.largest_force) else NONE
    yield f"{figures.energy_loss:.4g} J" if isfinite(figures.energy_loss) else NONE
    yield str(figures.bounces) if figures.bounces else NONE
    yield f"{figures.restitution:.3f}" if isfinite(figures.restitution) else NONE
