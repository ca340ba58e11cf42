"""The hub: takes Samples of all sources, makes targets of them and commands of those, in a thread of its own.

    Source threads --put--> Inbox --turn, at most 500 a second--> Channel (one a drive) --> Runner.latest(("teleop", drive, part), command)

It never waits for the physics thread nor for the window, and neither waits for it. Between samples it turns only while a target is on its way.
"""
from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.inputs.channel import Channel, Moment
from app.inputs.drives.drive import Problem
from app.inputs.drives.table import DriveMissing, gather
from app.inputs.drives.table import make as make_drive
from app.inputs.feedback import Feedback
from app.inputs.inbox import Inbox
from app.inputs.intervention import Intervention
from app.inputs.latency import Latency, Passage
from app.inputs.mapping.dead_man import Lamp
from app.inputs.mapping.drive_mapping import Mapping
from app.inputs.mapping.scene_frame import SceneFrame
from app.inputs.sample import Pose, Sample
from app.inputs.source import Source
from app.inputs.two_hands import TwoHands, pairs
from physics.runtime.commands import Visit
from physics.runtime.runner import Runner

TURN = 1 / 500      # s between two turns, at least
IDLE = 1 / 25       # s between two turns while nothing arrives and nothing moves
PROBE = 1 / 20      # s between two measured passages, where not all are measured
TOLD = 1 / 30       # s between two new `states`
NO_BUTTONS: frozenset = frozenset()


@dataclass(frozen=True, slots=True)
class DriveState:
    """For panels: name, source and kind of a drive; lamp; following: its clutch is closed; target: in the world, None for kinds without; scale: of ways; problems: why it cannot drive; engaged: a person is at it now; waiting: inputs
    that act only once they have come past what they set, in words."""

    name: str
    source: str
    kind: str
    lamp: Lamp
    following: bool
    target: Pose | None
    scale: float
    problems: tuple[Problem, ...]
    engaged: bool = False
    waiting: tuple[str, ...] = ()


class Hub:
    """runner: of the simulation that is driven. measure: keep the times of every command, for a file; else of a few.

    states: of all drives, replaced as they change. on_event: f(source, name) for events (sample.EVENTS), in the hub's thread. intervention: where a policy may drive, too. All methods may
    be called from any thread.
    """

    def __init__(self, runner: Runner, measure: bool = False):
        self.runner, self.latency = runner, Latency(measure)
        self.inbox = Inbox()
        self.states: tuple[DriveState, ...] = ()
        self.intervention: Intervention | None = None
        self.on_event: list[Callable[[str, str], None]] = []
        self.focus, self.view = True, 0.0       # whether the window has the focus; azimuth of its camera [rad]
        self._measure = measure
        self._mapping = Mapping()
        self._channels: list[Channel] = []
        self._hands: list[TwoHands] = []
        self._problems: dict[str, tuple[Problem, ...]] = {}
        self._sources: dict[str, Source] = {}
        self._requests: deque[Callable[[], None]] = deque()
        self._bell = threading.Event()
        self._thread: threading.Thread | None = None
        self._stopping = False
        self._reader = -1
        self._bound = (-1, -1, -1)  # generation, starts and jumps of the snapshot that the channels know
        self._time = 0.0            # and its simulated time
        self._now = self._probed = self._told = 0.0
        self._passed: dict[str, int] = {}       # number of the newest sample that was measured, by drive
        self._feedback = Feedback(self._pulse)

    # ------------------------------------------------ from any thread

    def start(self) -> None:
        """Start the thread. Once."""
        if self._thread is None:
            self._reader = self.runner.add_reader()
            self.runner.bells = (*self.runner.bells, self.latency.published)
            self._thread = threading.Thread(target=self._loop, name="teleoperation", daemon=True)
            self._thread.start()

    def stop(self, timeout: float = 5.0) -> None:
        """Let go of everything, end the sources and the thread."""
        for source in list(self._sources.values()):
            source.stop()
        self._sources.clear()
        self._stopping = True
        self._bell.set()
        if self._thread is not None:
            self._thread.join(timeout)
        self.runner.bells = tuple(bell for bell in self.runner.bells if bell != self.latency.published)

    def put(self, sample: Sample) -> None:
        """Take a Sample; the newest of each source counts."""
        if sample.t_received <= 0:
            sample = replace(sample, t_received=time.perf_counter())
        if self.inbox.put(sample):
            self._bell.set()

    def add(self, source: Source) -> None:
        """Start a source. Raises SourceMissing."""
        source.start(self.put)
        self._sources[source.name] = source

    def remove(self, name: str) -> None:
        """Stop a source; what it drives holds."""
        source = self.take_out(name)
        if source is not None:
            source.stop()

    def take_out(self, name: str) -> Source | None:
        """A source that is the hub's no more, for who stops it in a thread that may wait."""
        return self._sources.pop(name, None)

    @property
    def sources(self) -> dict[str, Source]:
        """The sources that were added, by name."""
        return dict(self._sources)

    def configure(self, mapping: Mapping) -> None:
        """Drive by this mapping from now on; all drives are disarmed."""
        self._request(lambda: self._configure(mapping))

    def arm(self, drive: str | None = None) -> None:
        """Have a drive follow, once its clutch closes; None: all."""
        self._request(lambda: [channel.arm(self._now) for channel in self._named(drive) if not self._problems.get(channel.mapping.name)])

    def disarm(self, drive: str | None = None) -> None:
        """Let go of a drive; None: of all (Esc)."""
        self._request(lambda: [self._send(channel, channel.disarm()) for channel in self._named(drive)])

    def rescale(self, drive: str, factor: float) -> None:
        """Another scale of ways while it moves: the target stays."""
        self._request(lambda: [channel.rescale(factor) for channel in self._named(drive)])

    def scene_frame(self, source: str) -> SceneFrame:
        """Where the space of a hand ('xr:left') is in the scene, which both hands may have moved."""
        return next((channel.scene for channel in self._channels if channel.mapping.source == source), SceneFrame())

    def level(self) -> None:
        """The frames that hands have moved are as at the beginning again; what they hold on to stays where it is."""
        self._request(lambda: [hands.level() for hands in self._hands])

    def _request(self, what: Callable[[], object]) -> None:
        self._requests.append(what)
        self._bell.set()

    def _named(self, drive: str | None) -> list[Channel]:
        return [channel for channel in self._channels if drive is None or channel.mapping.name == drive]

    # ------------------------------------------------ its own thread

    def _loop(self) -> None:
        before = time.perf_counter()
        while not self._stopping:
            moving = any(channel.moving for channel in self._channels)
            self._bell.wait(TURN if moving else IDLE)
            early = before + TURN - time.perf_counter()
            if early > 0:
                time.sleep(early)
            self._bell.clear()      # before taking: what arrives later rings again
            now = time.perf_counter()
            self.turn(now, now - before)
            before = now
        for channel in self._channels:
            self._send(channel, channel.disarm())

    def turn(self, now: float, h: float) -> None:
        """One turn at `now` [s], h [s] after the last one: in the hub's thread, or by hand without one."""
        self._now = now
        while self._requests:
            self._requests.popleft()()
        snapshot = self.runner.acquire(self._reader) if self._reader >= 0 else None
        if snapshot is not None:
            self._follow(snapshot)
        samples, events = self.inbox.take()
        for source, (_sample, pressed) in samples.items():
            events += [(source, event) for button in sorted(pressed) if (event := self._mapping.buttons.get(f"{source} {button}")) is not None]
        moment = Moment(now, h, snapshot, self.view, self.focus and snapshot is not None and snapshot.running)
        for part in (self._turn_of, self._settle):      # what drives share is worked out when all have been told
            for channel in self._channels:
                self._guarded(part, channel, samples, moment)
        for hands in self._hands:
            hands.turn()
        if self.intervention is not None:
            self.intervention.settle(now)
        for source, event in events:
            for listener in self.on_event:
                listener(source, event)
        if snapshot is not None:
            self._feedback.turn(snapshot, now)
        if now >= self._told + TOLD:
            self._tell()

    def _guarded(self, part: Callable, channel: Channel, samples, moment: Moment) -> None:
        name = channel.mapping.name
        if self._problems.get(name):
            return
        try:
            part(channel, *samples.get(channel.mapping.source, (None, NO_BUTTONS)), moment)
        except Exception as error:      # the others drive on; the panel shows it
            self._problems[name] = (Problem(name, "kind", channel.mapping.kind, f"{type(error).__name__}: {error}"),)
            channel.dead_man.disarm()
            channel.forget()

    def _turn_of(self, channel: Channel, sample: Sample | None, pressed: frozenset, moment: Moment) -> None:
        commands = channel.turn(sample, pressed, moment)
        if self.intervention is not None:
            commands = self.intervention.through(channel, commands, moment.now)
        self._send(channel, commands, sample, moment.snapshot)

    def _settle(self, channel: Channel, sample: Sample | None, _pressed: frozenset, moment: Moment) -> None:
        if moment.snapshot is not None and (self.intervention is None or self.intervention.drives):
            self._send(channel, channel.drive.settle(moment.snapshot), sample, moment.snapshot)

    def _configure(self, mapping: Mapping) -> None:
        for channel in self._channels:
            self._send(channel, channel.disarm())
        self._mapping, self._channels, self._problems = mapping, [], {}
        for one in mapping.drives:
            try:
                self._channels.append(Channel(one, make_drive(one)))
            except DriveMissing as why:
                self._problems[one.name] = (Problem(one.name, "kind", one.kind, str(why)),)
        self._hands = pairs(self._channels)
        self._bound = (-1, -1, -1)
        if self.intervention is not None:
            self.intervention.forget()
        self._feedback.configure(mapping)
        self._told = 0.0

    def _follow(self, snapshot) -> None:
        """Another Model is bound; after a jump of the state what was a target means nothing."""
        generation, starts, jumps = self._bound
        if snapshot.generation != generation:
            missing = {name: found for name, found in self._problems.items() if name not in {channel.mapping.name for channel in self._channels}}
            self._problems = missing | {channel.mapping.name: tuple(channel.bind(snapshot.model)) for channel in self._channels}
            for channel in self._channels:
                if self._problems[channel.mapping.name]:
                    channel.dead_man.disarm()
            gather(snapshot.model, [channel.drive for channel in self._channels if not self._problems[channel.mapping.name]])
            self._feedback.bind(snapshot.model)
        elif snapshot.starts != starts:
            for channel in self._channels:
                channel.forget()
        elif snapshot.jumps != jumps or snapshot.time < self._time:     # somebody has gone to another moment
            for channel in self._channels:
                self._send(channel, channel.give_up())
        self._bound, self._time = (snapshot.generation, snapshot.starts, snapshot.jumps), snapshot.time

    def _send(self, channel: Channel, commands: list, sample: Sample | None = None, snapshot=None) -> None:
        """snapshot: that these commands were made for, None where they count for any state."""
        if not commands:
            return
        name, helm = channel.mapping.name, self.intervention
        if helm is not None:
            helm.send(name, commands, None if snapshot is None else snapshot.jumps)
        for part, command in commands if helm is None else ():
            if part is None:
                self.runner.send(command)
            else:
                self.runner.latest(("teleop", name, part), command)
        sent = time.perf_counter()
        if sample is not None and self._passed.get(name) != sample.seq and (self._measure or sent >= self._probed + PROBE):
            self._probed, self._passed[name] = sent, sample.seq     # once for each sample: a target may still be on its way
            passage = Passage(name, sample.source, sample.seq, sample.t_source or sample.t_received, sample.t_received, self._now, sent)
            self.runner.latest(("teleop", name, "passage"), Visit(lambda _m, _d: self.latency.performed(passage)))

    def _pulse(self, source: str, strength: float, milliseconds: float) -> None:
        """Have a source, or the server that it belongs to, be felt."""
        found = self._sources.get(source) or self._sources.get(source.partition(":")[0])
        if found is not None:
            found.feedback(strength, milliseconds, source)

    def _tell(self) -> None:
        self._told = self._now
        live = {channel.mapping.name: channel for channel in self._channels}
        states = []
        for one in self._mapping.drives:
            channel = live.get(one.name)
            states.append(DriveState(one.name, one.source, one.kind, channel.lamp if channel else Lamp.DISARMED, bool(channel and channel.following),
                                     channel.target if channel else None, channel.clutch.scale[0] if channel else one.scale[0], self._problems.get(one.name, ()), bool(channel and channel.engaged),
                                     tuple(map(str, channel.waiting)) if channel else ()))
        self.states = tuple(states)
