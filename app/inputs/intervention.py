"""Where somebody else drives (a policy, a script), a person's drives come in between: closing a clutch takes over at once, opening it hands back.

    Channel --commands--> Intervention --those of who drives--> Helm --> Runner
              its clutch --take over, let go--^

What a person's drives want while the other one drives goes nowhere, and they begin anew from where things are then, so that taking over is never a jump. A device that is lost while it
drives, or a drive that is disarmed then, hands nothing back: the targets hold until the clutch is closed and opened again, or somebody hands back otherwise.
"""
from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Protocol

from app.inputs.channel import Channel
from app.inputs.mapping.dead_man import Lamp

LINGER = 0.5        # s at rest after which what has no clutch to open (keys, sticks) counts as let go of


class Helm(Protocol):
    """Who drives (app.demonstrations.steering.Steering)."""

    driver: str
    holding: bool

    def take_over(self, who: str, holding: bool) -> None:
        """Somebody drives from now on."""

    def let_go(self) -> None:
        """The clutch is open."""

    def send(self, who: str, key: Hashable, command, jumps: int | None = None) -> bool:
        """A command of which the newest of its key counts; jumps: of the Snapshot that it was made for."""

    def release(self, who: str, command) -> None:
        """What who drives no more leaves behind."""

    def perform(self, who: str, command) -> bool:
        """A command of which all count."""


class Intervention:
    """person: as whom the drives of a hub take over. All in the hub's thread."""

    def __init__(self, helm: Helm, person: str = "person"):
        self._helm, self._person = helm, person
        self._engaged: set[str] = set()         # drives whose clutches are closed
        self._opened: dict[str, float | None] = {}      # those that took over: when that counts as let go of [s], None while it does not
        self._passing: set[str] = set()         # those that have commanded since they began

    @property
    def drives(self) -> bool:
        """Whether it is the person who drives."""
        return self._helm.driver == self._person

    def forget(self) -> None:
        """Other drives from now on."""
        self._engaged.clear()
        self._opened.clear()
        self._passing.clear()

    def through(self, channel: Channel, commands: list, now: float) -> list:
        """What of a drive's commands of this turn counts."""
        name, helm = channel.mapping.name, self._helm
        if channel.engaged:
            if name not in self._engaged:
                helm.take_over(self._person, True)
            self._engaged.add(name)
            self._opened[name] = None
        elif name in self._engaged and channel.lamp is Lamp.ARMED:
            self._engaged.discard(name)
            self._opened[name] = now + (0.0 if channel.has_clutch else LINGER)
        elif channel.lamp is not Lamp.ARMED and not self.drives:
            self._engaged.discard(name)     # closing it once more takes over
        if self.drives:
            self._passing.add(name)
            return commands
        self._opened.pop(name, None)        # whoever drives now was handed it, or took it
        ended = channel.give_up()
        if name not in self._passing:
            return []
        self._passing.discard(name)
        for part, command in ended:
            if part is not None:        # what has a speed stands still: whoever drives now may not command it at all
                helm.release(self._person, command)
        return [one for one in ended if one[0] is None]

    def settle(self, now: float) -> None:
        """After all drives of a turn: hand back where every clutch that took over has been opened."""
        if self._opened and all(until is not None and now >= until for until in self._opened.values()):
            self._opened.clear()
            self._helm.let_go()

    def send(self, drive: str, commands: Iterable, jumps: int | None = None) -> None:
        """Hand commands on, (part, command) each. jumps: of the Snapshot that they were made for, None: for any state."""
        for part, command in commands:
            if part is None:
                self._helm.perform(self._person, command)
            else:
                self._helm.send(self._person, ("teleop", drive, part), command, jumps)
