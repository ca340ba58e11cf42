"""Fake devices and clocks for the tests of teleoperation, and a simulation that is turned by hand."""
from __future__ import annotations

from itertools import count

from app.inputs.channel import Channel, Moment
from app.inputs.drives.table import make
from app.inputs.hub import Hub
from app.inputs.mapping.drive_mapping import DriveMapping, Mapping
from app.inputs.sample import Sample
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from physics.runtime.snapshot import Snapshot

H = 0.002       # s between two turns


class HandRunner:
    """The Runner of a Simulation that is stepped by hand, in the test's thread: commands are performed when they are drained."""

    def __init__(self, model, running: bool = True):
        from physics.runtime.commands import SwapModel
        from physics.runtime.mailbox import Mailbox

        self.sim = Simulation(ready=True)
        self.mailbox, self.bells = Mailbox(), ()
        self.seen: list = []
        perform(self.sim, SwapModel(model, run=running))
        self.publish()

    def publish(self) -> None:
        self.snapshot = Snapshot(self.sim.model, self.sim.data, self.sim.generation)
        if self.sim.stale:
            self.sim.refresh()
        self.sim.show(self.snapshot)

    def send(self, command) -> None:
        self.mailbox.send(command)

    def latest(self, key, command) -> None:
        self.mailbox.latest(key, command)

    def acquire(self, _reader: int = 0) -> Snapshot:
        return self.snapshot

    def add_reader(self) -> int:
        return 0

    def step(self, steps: int = 1) -> list:
        """Perform what waits, take steps, publish; the commands."""
        commands = self.mailbox.drain()
        for command in commands:
            perform(self.sim, command)
        if self.sim.running and steps:
            self.sim.take(steps)
        self.publish()
        self.seen += commands
        return commands


class Desk:
    """A hub without a thread over a HandRunner: the test says when time passes."""

    def __init__(self, model, *drives: DriveMapping, buttons=None, running: bool = True):
        self.runner = HandRunner(model, running)
        self.hub = Hub(self.runner)
        self.hub._reader = 0
        self.now, self._seq = 100.0, count(1).__next__
        self.hub.configure(Mapping(tuple(drives), buttons or {}))
        self.turn()
        self.hub.arm()
        self.turn()

    @property
    def data(self):
        return self.runner.sim.data

    def sample(self, source: str, **more) -> None:
        self.hub.put(Sample(source, seq=self._seq(), t_source=self.now, t_received=self.now, **more))

    def turn(self, n: int = 1, h: float = H) -> list:
        """n turns of the hub, with a step of the simulation each; the commands."""
        found = []
        for _ in range(n):
            self.now += h
            self.hub._told = 0.0
            self.hub.turn(self.now, h)
            found += self.runner.step()
        return found

    def hold(self, source: str, seconds: float, h: float = H, **more) -> None:
        """The same sample again and again."""
        for _ in range(round(seconds / h)):
            self.sample(source, **more)
            self.turn(1, h)

    def state(self, name: str):
        return next(one for one in self.hub.states if one.name == name)


def channel(model, mapping: DriveMapping) -> Channel:
    """Bound and armed at time 0."""
    made = Channel(mapping, make(mapping))
    assert made.bind(model) == []
    made.arm(0.0)
    return made


def moment(snapshot, now: float, h: float = H, **more) -> Moment:
    return Moment(now, h, snapshot, **more)
