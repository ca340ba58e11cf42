"""Who drives: a person, a policy or a script. Only the commands of the one who drives get through, and the recording tells at which step that changed.

    policy --send--+
    script --send--+--> the one who drives --> Runner
    person --send--+         take over: at once          hand back: from where the person left the targets, smoothly
"""
from __future__ import annotations

import threading
import time
from collections.abc import Hashable, Mapping
from dataclasses import replace
from math import acos, sin
from typing import Protocol

import numpy as np

from app.demonstrations.episodes import DRIVER, DRIVERS, PERSON, Episode
from physics.runtime import commands as c
from physics.runtime.history.history import History
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

BLEND = 0.5     # simulated s in which targets go over from the person's to the policy's
RECENT = 0.05   # s within which what was sent may not be in a snapshot yet
NOBODY = ""


class Words(Protocol):
    """Where it is said who drives: a Session, or what stands for one before any episode."""

    @property
    def current(self) -> Episode | None:
        """The episode that goes on."""

    def driven_by(self, who: str) -> None:
        """Who drives from now on."""


class Steering:
    """One for a run. All methods may be called from the threads of those who drive. refused: commands that came from somebody else; outdated: those for a state that the run had left before
    they came to it.

    holding: who drives took over by a clutch that is still closed, and hands back by opening it (`let_go`); who took over by a button hands back by one."""

    def __init__(self, runner: Runner, session: Words, driver: str = PERSON, blend: float = BLEND):
        self._runner, self._session, self._blend = runner, session, blend
        self._reader = runner.add_reader()
        self._lock = threading.RLock()
        self._driver, self._before = driver, driver
        self._gone = NOBODY         # who drives no more, and is not handed back to
        self._latched = False       # taken over by a button
        self.holding = False
        self._handed: float | None = None       # simulated time of handing back
        self._targets: dict[Hashable, object] = {}      # the newest that who drives has sent: commands of one control or mocap body, by it
        self._sent: dict[Hashable, float] = {}          # when, by the clock of this machine [s]
        self._left: dict[Hashable, object] = {}         # where all of them were when the one before let go
        self.refused = self.outdated = 0
        session.driven_by(driver)

    @property
    def driver(self) -> str:
        """Who drives now."""
        return self._driver

    @property
    def waiting(self) -> str:
        """Who would drive after handing back, '' for nobody else."""
        return self._before if self._before != self._driver else NOBODY

    # ------------------------------------------------ commands

    def send(self, who: str, key: Hashable, command, jumps: int | None = None) -> bool:
        """A command of somebody's, of which the newest with the same key counts; whether it gets through. jumps: of the Snapshot that it was made for (Snapshot.jumps): where the run has gone back, or begun
        anew, since then, it is left out; None: for any state."""
        with self._lock:
            if who != self._driver:
                self.refused += 1
                return False
            share = self._share()
            if share < 1.0:
                command = blended(self._left, command, share)
            for one, target in parts(command).items():
                self._targets[one], self._sent[one] = whole(self._targets.get(one), target), time.perf_counter()
            any_state = jumps is None or not self._runner.keeps_history     # where nothing can be gone back to
            self._runner.latest(("steering", key), command if any_state else self._made_for(jumps, command))
            return True

    def release(self, who: str, command) -> None:
        """What somebody leaves behind who drives no more, as that wheels stand: of controls that whoever drives now has not commanded since."""
        with self._lock:
            left = {one: target for one, target in parts(command).items() if one not in self._targets}
            if who == self._driver or not left:
                return
            self._left.update(left)
            for one, target in left.items():
                self._runner.latest(("steering", "left", one), target)

    def perform(self, who: str, command) -> bool:
        """A command of somebody's all of which are carried out in their order; whether it gets through. Letting go of a spring always does."""
        with self._lock:
            if who != self._driver and not isinstance(command, c.PerturbStop):
                self.refused += 1
                return False
            self._runner.send(command)
            return True

    # ------------------------------------------------ who drives

    def take_over(self, who: str = PERSON, holding: bool = False) -> None:
        """Somebody drives from now on, at once. holding: by closing a clutch. Raises ValueError for who is none of DRIVERS."""
        if who not in DRIVERS:
            raise ValueError(f"'{who}' is none of {', '.join(DRIVERS)}")
        with self._lock:
            if who != self._driver:
                self._before = who if self._driver == self._gone else self._driver
                self._latched, self.holding = not holding, holding
                self._drive(who)
                self._handed = None
            elif not holding:
                self._latched, self.holding = True, False
            elif not self._latched or self._before == who:
                self._latched, self.holding = False, True

    def hand_back(self) -> None:
        """The one who drove before drives again. Targets go over to those of that one."""
        with self._lock:
            self._latched = self.holding = False
            if self._before != self._driver:
                self._go_over(self._before)

    def let_go(self) -> None:
        """The clutch is open: hand back, unless it was taken over by a button since."""
        with self._lock:
            if self.holding:
                self.hand_back()

    def offer(self, who: str) -> None:
        """Somebody is there who wants to drive: at once and smoothly, or, where a person holds a clutch, once that is open."""
        with self._lock:
            if self._gone == who:
                self._gone = NOBODY
            if self.holding:
                self._before = who
            elif who != self._driver:
                self._before, self._latched = self._driver, False
                self._go_over(who)

    def withdraw(self, who: str) -> None:
        """Somebody drives no more: what was driven holds, and nobody hands back to that one."""
        with self._lock:
            self._gone = who
            if self._before == who:
                self._before = self._driver

    def rewind(self, seconds: float, who: str = PERSON, run: bool = True) -> None:
        """Go so many simulated seconds back, not before the episode's beginning, and take over there. What came after becomes a branch as soon as time passes. run: let it."""
        current = self._session.current
        first = current.first if current is not None else 0

        def back(sim: Simulation) -> tuple:
            if sim.model is None:
                return ()
            return c.ScrubTo(entry_before(sim.history, seconds, first)), c.NoteEpisode(DRIVER, who), *((c.Run(),) if run else ())

        with self._lock:
            self.take_over(who)
            self._latched = self.holding = False    # the next clutch that closes and opens hands back
            self._targets, self._handed = {}, None  # they are those of there
            self._runner.send(c.Decide(back))

    def _made_for(self, jumps: int, command) -> c.Decide:
        """The command where the state is still one of those that it was made for, as the physics thread finds it."""
        def decide(sim: Simulation) -> tuple:
            if sim.jumps == jumps:
                return (command,)
            self.outdated += 1
            return ()

        return c.Decide(decide)

    def _drive(self, who: str) -> None:
        self._driver, self._targets = who, {}
        self._session.driven_by(who)

    def _go_over(self, who: str) -> None:
        """Drive by somebody else's targets, beginning where they are now."""
        snapshot, published = self._runner.acquire(self._reader), self._runner.published
        held = {}
        if snapshot is not None and snapshot.model is not None:
            held = {("ctrl", i): c.SetCtrl(i, value) for i, value in enumerate(snapshot.ctrl.tolist())}
            held.update((("mocap", i), c.MoveMocap(i, tuple(pos), tuple(quat))) for i, (pos, quat) in enumerate(zip(snapshot.mocap_pos.tolist(), snapshot.mocap_quat.tolist(), strict=True)))
        since = time.perf_counter() - RECENT
        self._left = held | {one: whole(held.get(one), target) for one, target in self._targets.items() if self._sent[one] > since}
        self._handed = published.time if published is not None else None
        self._drive(who)

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


def parts(command) -> dict[Hashable, object]:
    """A command of controls or of a mocap body as one for each; nothing for others."""
    if isinstance(command, c.SetCtrl):
        return {("ctrl", command.index): command}
    if isinstance(command, c.SetCtrls):
        return {("ctrl", i): c.SetCtrl(i, value) for i, value in zip(command.indices, command.values, strict=True)}
    if isinstance(command, c.MoveMocap):
        return {("mocap", command.mocapid): command}
    return {}


def whole(before, command):
    """A command; what it says nothing about of a mocap body's pose is as before."""
    if isinstance(command, c.MoveMocap) and before is not None:
        return replace(command, pos=before.pos if command.pos is None else command.pos, quat=before.quat if command.quat is None else command.quat)
    return command


def blended(left: Mapping[Hashable, object], command, share: float):
    """A command whose targets lie between where they were left and what it wants."""
    now = {key: between(left[key], one, share) if key in left else one for key, one in parts(command).items()}
    if isinstance(command, c.SetCtrls):
        return replace(command, values=tuple(one.value for one in now.values())) if len(now) == len(command.indices) else command
    return next(iter(now.values()), command)


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
