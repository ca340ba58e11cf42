"""How finely pictures are drawn where the processor draws them: as finely as they may be at rest, and while they change no finer than leaves motion smooth.

    pace.ask(now, dragged) -> level, 0 the finest --> quality_at(quality, level), scale_at(level) --> pace.done(level, seconds, now)
    pace.due(now): what is seen is coarser than it need be, and nothing has changed for a while

A level is left for a coarser one when pictures take longer than it is worth: the first ones cost little that is seen and are left soon, the last ones lose shadows and are
only taken where nothing moves otherwise. A finer one is tried when it can be expected to do, and less often each time that it did not. No GL, no clock of its own.
"""
from collections import deque
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np

from render.quality import Quality

REST = 0.08         # s after the last picture from which on the next one belongs to no motion: it is drawn finely, and asked for if nothing changes
INTERVALS = 1.5     # at least so many times what lies between two pictures, where few are asked for
SLOW = 0.1          # s from which on a fine picture is not worth its time at the beginning of what may be a motion
SETTLING = 2        # pictures that are not judged after a change of level: programs are compiled and meshes made
FEWEST, JUDGED = 3, 5   # pictures whose median is judged: of the last so many, before a finer level is tried of all of them
EASY = 0.8          # share of what a finer level may take that is expected of it before it is tried
PATIENCE, LONGEST = 1.0, 30.0   # s before a finer level is tried: at first, and after it has failed several times
DRAG, DRAG_LEVELS = 0.024, 2    # s that a picture which follows a hand may take, and how many levels coarser it may be for that
AGAIN = 3.0         # s within which a level that is left again has failed


@dataclass(frozen=True, slots=True)
class Level:
    """scale: of the picture's sides. cost: about how long it takes against the finest. longest: s that a picture may take before a coarser level is better.
    changes: at most these values of Quality's fields; `coarser`: at least that."""
    scale: float
    cost: float
    longest: float
    changes: MappingProxyType


def _level(scale: float, cost: float, longest: float, **changes: float) -> Level:
    return Level(scale, cost, longest, MappingProxyType(changes))


LEVELS = (
    _level(1.0, 1.0, 0.036),
    _level(1.0, 0.82, 0.036, coarser=1, shadow_size=512),
    _level(0.8, 0.68, 0.040, coarser=1, shadow_size=512, occlusion=6),
    _level(0.65, 0.52, 0.044, coarser=2, shadow_size=512, occlusion=4),
    _level(0.5, 0.43, 0.050, coarser=2, shadow_size=512, occlusion=4, cascades=1, parts=False),
    _level(0.5, 0.38, 0.060, coarser=2, shadow_size=512, occlusion=0, cascades=1, mirrors=0, parts=False),
    _level(0.5, 0.25, np.inf, coarser=2, shadow_size=512, occlusion=0, cascades=0, mirrors=0, parts=False),
)


def quality_at(quality: Quality, level: int) -> Quality:
    """The quality of pictures at a level."""
    return replace(quality, **{name: max(value, quality.coarser) if name == 'coarser' else min(value, getattr(quality, name))
                               for name, value in LEVELS[level].changes.items()})


def scale_at(level: int) -> float:
    """The sides of pictures at a level, as a share of what they are at the finest."""
    return LEVELS[level].scale


class Pace:
    """Of one view. level: of pictures that belong to a motion; interval: s between two pictures at the least."""

    def __init__(self):
        self.interval = 0.0
        self.forget()

    def forget(self) -> None:
        """Another model: what is known of costs does not hold any more."""
        self.level = 0
        self._costs: deque[float] = deque(maxlen=JUDGED)
        self._fine: float | None = None         # s that the last fine picture took
        self._settling = SETTLING
        self._seen, self._last = 0, -np.inf     # level of the picture that is seen, and when it was done
        self._since = -np.inf                   # when this level was begun
        self._patience, self._trial = PATIENCE, False   # trial: this level was entered from a coarser one

    def ask(self, now: float, dragged: bool = False) -> int:
        """Level of a picture that something has changed for: a fine one after a rest, unless that is known to take long. dragged: what is changed follows a hand, which sees
        it late by what a picture takes."""
        level = self.level if now - self._last < self.rest or self._fine_cost() > SLOW else 0
        return self._quick(level) if dragged else level

    def _quick(self, level: int) -> int:
        """The first level from there on whose pictures are expected within DRAG, of the next few."""
        fine = float(np.median(self._costs)) / LEVELS[self.level].cost if self._costs else self._fine_cost()
        last = min(level + DRAG_LEVELS, len(LEVELS) - 1)
        return next((k for k in range(level, last) if fine * LEVELS[k].cost <= DRAG), last)

    def due(self, now: float) -> bool:
        """Whether it is time for a fine picture of what does not change any more."""
        return self._seen > 0 and now - self._last >= self.rest

    @property
    def rest(self) -> float:
        """Seconds without a picture after which motion is over."""
        return max(REST, INTERVALS * self.interval)

    def _fine_cost(self) -> float:
        """Seconds that a fine picture takes, as far as is known."""
        if self._fine is None and self._costs:
            return float(np.median(self._costs)) / LEVELS[self.level].cost
        return self._fine or 0.0

    def given_up(self, now: float) -> None:
        """A picture was left away for another one that is about to be asked for."""
        self._last = now

    def done(self, level: int, seconds: float, now: float) -> None:
        """A picture of that level took so long."""
        self._seen, self._last = level, now
        if level == 0:
            self._fine = seconds
        if level != self.level:
            return      # the first or the last of a motion
        if self._settling:
            self._settling -= 1
            return
        self._costs.append(seconds)
        if len(self._costs) >= FEWEST:
            self._judge(float(np.median(self._costs)), now)

    def _judge(self, cost: float, now: float) -> None:
        level = LEVELS[self.level]
        if cost > level.longest:
            failed = self._trial and now - self._since < AGAIN
            self._patience = min(2 * self._patience, LONGEST) if failed else PATIENCE
            self._go(self.level + 1 if failed else self._coarser(cost), now)
        elif self.level and len(self._costs) == JUDGED and now - self._since >= self._patience:
            finer = LEVELS[self.level - 1]
            if cost * finer.cost / level.cost < EASY * finer.longest:
                self._go(self.level - 1, now, trial=True)

    def _coarser(self, cost: float) -> int:
        """The next level that is expected to do."""
        present = LEVELS[self.level].cost
        return next((k for k in range(self.level + 1, len(LEVELS)) if cost * LEVELS[k].cost / present <= LEVELS[k].longest), len(LEVELS) - 1)

    def _go(self, level: int, now: float, trial: bool = False) -> None:
        self.level, self._since, self._settling, self._trial = level, now, SETTLING, trial
        self._costs.clear()
