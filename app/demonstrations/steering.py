"""Who drives: a person, a policy or a script. Only the commands of the one who drives get through, and the recording tells at which step that changed.

    policy --send--+
    script --send--+--> the one who drives --> Runner
    person --send--+         take over: at once          hand back: from where the person left the targets, smoothly
"""
from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from math import acos, sin

import numpy as np

from app.demonstrations.episodes import DRIVER, DRIVERS, PERSON
from app.demonstrations.session import Session
from physics.runtime import commands as c
from physics.runtime.history.history import History
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

BLEND = 0.5     # simulated s in which targets go over from the person's to the policy's


class Steering:
    """One for a Session. All methods may be called from the threads of those who drive. refused: commands that came from somebody else."""

    def __init__(self, runner: Runner, session: Session, driver: str = PERSON, blend: float = BLEND):
        self._runner, self._session, self._blend = runner, session, blend
        self._driver, self._before = driver, driver
        self._handed: float | None = None       # simulated time of handing back
        self._targets: dict[Hashable, object] = {}      # the newest of each: commands, by their keys
        self._left: dict[Hashable, object] = {}         # those when the person let go
        self.refused = 0
        session.driven_by(driver)

    @property
    def driver(self) -> str:
        """Who drives now."""
        return self._driver

    def send(self, who: str, key: Hashable, command) -> bool:
        """A command of somebody's, of which the newest with the same key counts; whether it gets through."""
        if who != self._driver:
            self.refused += 1
            return False
        share = self._share()
        if share < 1.0 and key in self._left:
            command = between(self._left[key], command, share)
        self._targets[key] = command
        self._runner.latest(("steering", key), command)
        return True

    def take_over(self, who: str = PERSON) -> None:
        """Somebody drives from now on: a clutch closed. Raises ValueError for who is none of DRIVERS."""
        if who not in DRIVERS:
            raise ValueError(f"'{who}' is none of {', '.join(DRIVERS)}")
        if who != self._driver:
            self._before, self._driver, self._handed = self._driver, who, None
            self._session.driven_by(who)

    def hand_back(self) -> None:
        """The one who drove before drives again: the clutch is open. Targets go over to those of that one."""
        if self._before != self._driver:
            self._left = dict(self._targets)
            published = self._runner.published
            self._driver, self._handed = self._before, published.time if published is not None else None
            self._session.driven_by(self._driver)

    def rewind(self, seconds: float, who: str = PERSON, run: bool = True) -> None:
        """Go so many simulated seconds back, not before the episode's beginning, and take over there. What came after becomes a branch as soon as time passes. run: let it."""
        current = self._session.current
        first = current.first if current is not None else 0
        self.take_over(who)

        def back(sim: Simulation) -> tuple:
            if sim.model is None:
                return ()
            return c.ScrubTo(entry_before(sim.history, seconds, first)), c.NoteEpisode(DRIVER, who), *((c.Run(),) if run else ())

        self._runner.send(c.Decide(back))

    def _share(self) -> float:
        """How far targets have gone over since handing back."""
        published = self._runner.published
        if self._handed is None or published is None or self._blend <= 0:
            return 1.0
        share = (published.time - self._handed) / self._blend
        if not 0 <= share < 1:
            self._handed = None
            return 1.0
        return share * share * (3 - 2 * share)


def entry_before(history: History, seconds: float, first: int) -> int:
    """Number of the entry so many simulated seconds before the present one, in the same stretch of time and not before entry `first`."""
    number = history.number
    end = history.time(history.index)
    while number > max(first, history.gone):
        before = history.time(number - 1 - history.gone)
        if not end - seconds - 1e-9 <= before < history.time(number - history.gone):
            break
        number -= 1
    return number


def between(old, new, share: float):
    """A command whose target lies between those of two of the same kind; `new` where there is no between."""
    if type(old) is not type(new):
        return new
    if isinstance(new, c.SetCtrl) and old.index == new.index:
        return replace(new, value=old.value + share * (new.value - old.value))
    if isinstance(new, c.SetCtrls) and old.indices == new.indices:
        return replace(new, values=tuple(a + share * (b - a) for a, b in zip(old.values, new.values, strict=True)))
    if isinstance(new, c.MoveMocap) and old.mocapid == new.mocapid:
        pos = tuple((1 - share) * np.array(old.pos) + share * np.array(new.pos)) if old.pos is not None and new.pos is not None else new.pos
        quat = _turned(old.quat, new.quat, share) if old.quat is not None and new.quat is not None else new.quat
        return c.MoveMocap(new.mocapid, None if pos is None else tuple(map(float, pos)), quat)
    return new


def _turned(old: tuple, new: tuple, share: float) -> tuple:
    """Spherical interpolation of unit quaternions (Shoemake 1985), the shorter way."""
    a, b = np.array(old, float), np.array(new, float)
    dot = float(a @ b)
    if dot < 0:
        b, dot = -b, -dot
    angle = acos(min(1.0, dot))
    if angle < 1e-6:
        return tuple(map(float, b))
    return tuple(map(float, (sin((1 - share) * angle) * a + sin(share * angle) * b) / sin(angle)))
