"""A policy at work: sees states as the run goes on, and drives by what it answers, through Steering.

    Runner --Snapshot, at a rate--> thread `policy` --a line--> process or address --a line--> thread `policy actions` --Steering.send--> Runner

The next state goes out when the one before has been answered, so that a slow policy is late by one state and never by a queue of them. A message answers the state whose `seq` it has: one that comes
after an answer to a newer state, or for a state that the run has gone back from since, is left out and counted. Neither the window nor the physics thread waits for anything of this; where no answer comes, what
it drove holds.
"""
from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable
from enum import StrEnum
from types import MappingProxyType

from app.demonstrations.episodes import POLICY
from app.demonstrations.policy import messages
from app.demonstrations.policy.actions import Actions
from app.demonstrations.policy.eyes import CAMERAS, Cameras, Eyes, unknown
from app.demonstrations.policy.link import GRACE, Link, LinkError, open_link
from app.demonstrations.reaper import see_to
from app.demonstrations.steering import Steering
from app.inputs.protocol.clock import milliseconds
from app.inputs.protocol.decode import KINDS, decode, keyed
from app.inputs.protocol.messages import Event
from app.inputs.protocol.refused import Refused
from app.inputs.server.bucket import Bucket
from physics.runtime.runner import Runner

RATE = 50.0             # states per simulated second
LOOK = 0.05             # s between two looks where nothing is published
SILENCE = 1.0           # s without an answer after which a policy that has answered before is told to be silent
MOST, BURST = 1000.0, 200.0     # messages a second that are read; the rest waits at the sender's
PAUSE = 0.01            # s until the next is read then
JUNK = 100              # lines in a row that are no messages, after which it is ended
MEASURED = 40           # answers by which its rate is told
SAID = MappingProxyType({**KINDS, "cameras": (Cameras, keyed(cameras=CAMERAS))})     # what a policy may say


class Phase(StrEnum):
    """How a policy stands."""

    STARTING = "starting"   # it has not answered yet
    RUNNING = "running"
    SILENT = "silent"       # it has not answered for a while
    ENDED = "ended"         # by itself, or it could not be started
    OFF = "off"             # it was stopped


class Policy:
    """One run of one policy. command: a command line, a Python file with arguments, or HOST:PORT; rate: states per simulated second, as far as they are published; reader: number of the Runner's
    reader that is its own; on_event(name): it says what is to happen to the episode (sample.EVENTS), in a thread of its own; picture_reader(): another such number, asked for once it wants pictures.

    wrong: messages that were refused, reason: of the newest; late: those that came after an answer to a newer state. All may be asked from any thread."""

    def __init__(self, runner: Runner, steering: Steering, command: str, rate: float = RATE, reader: int | None = None, on_event: Callable[[str], None] = lambda name: None,
                 picture_reader: Callable[[], int] | None = None):
        self.command, self.rate, self.wrong, self.reason = command, rate, 0, ""
        self.answers = self.late = 0
        self.delay = 0.0        # s from a state to its newest answer
        self._runner, self._steering, self._on_event = runner, steering, on_event
        self._reader = runner.add_reader() if reader is None else reader
        self._picture_reader = picture_reader or runner.add_reader
        self._eyes: Eyes | None = None
        self._why = ""          # it has ended, and so
        self._name = command
        self._lock = threading.Lock()       # for the link, which is made while it may be stopped
        self._link: Link | None = None
        self._actions: Actions | None = None    # there with the first state
        self._cameras: tuple[str, ...] = ()
        self._stopping = False
        self._bell = threading.Event()
        self._ring = self._bell.set
        self._asked = 0.0       # when the state that is not answered yet went out, 0: all are
        self._asked_at = 0.0    # its simulated time
        self._answered_seq = 0  # number of the newest state that was answered
        self._jumps: dict[int, int] = {}    # number of a state that may be answered -> Snapshot.jumps of it
        self._known = (-1, None)    # generation and revision of the Model that it was told
        self._last = (-1, 0, 0.0)   # starts, branch and time of the state before
        self._due, self._seq, self._junk = 0.0, 0, 0
        self._times: deque[float] = deque(maxlen=MEASURED)
        self._thread = threading.Thread(target=self._live, name="policy", daemon=True)
        self._reading = threading.Thread(target=self._read, name="policy actions", daemon=True)

    # ------------------------------------------------ from any thread

    def start(self) -> None:
        """Begin; returns at once."""
        self._runner.bells = (*self._runner.bells, self._ring)
        self._thread.start()

    def stop(self) -> None:
        """End it; returns at once. What it drove holds. Its process is gone soon, by force after GRACE, and before this program ends."""
        self._runner.bells = tuple(bell for bell in self._runner.bells if bell != self._ring)
        with self._lock:
            self._stopping, link = True, self._link
        self._steering.withdraw(POLICY)
        self._bell.set()
        if link is not None:
            link.end()
        see_to(self._thread, 4 * GRACE)

    def close(self) -> None:
        """End it, and wait until its process is gone. Not for a window's thread."""
        self.stop()
        if self._thread.is_alive():
            self._thread.join(4 * GRACE)

    @property
    def name(self) -> str:
        """For people."""
        return self._name

    @property
    def phase(self) -> Phase:
        """How it stands now."""
        if self._stopping:
            return Phase.OFF
        if self._why:
            return Phase.ENDED
        if not self.answers:
            return Phase.STARTING
        return Phase.SILENT if self.silence > SILENCE else Phase.RUNNING

    @property
    def alive(self) -> bool:
        """Whether it may still answer."""
        return not self._stopping and not self._why

    @property
    def silence(self) -> float:
        """For how long a state has not been answered [s]."""
        asked = self._asked
        return time.perf_counter() - asked if asked else 0.0

    @property
    def measured(self) -> float:
        """Answers per simulated second, of the newest ones; 0 while there are too few."""
        times = tuple(self._times.copy())
        return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 and times[-1] > times[0] else 0.0

    @property
    def problem(self) -> str:
        """What is wrong, with the last lines that it wrote for people; '' where all is well."""
        link, phase = self._link, self.phase
        if phase is Phase.ENDED:
            told = f"{self._name} {self._why}"
        elif phase is Phase.SILENT:
            told = f"{self._name} has not answered for a while; what it drives holds"
        elif (eyes := self._eyes) is not None and eyes.failed and phase is Phase.RUNNING:
            return f"{self._name} gets no pictures of cameras: {eyes.failed}"
        else:
            return ""
        return "\n".join((told, *(link.said() if link is not None else ())))

    # ------------------------------------------------ its own thread

    def _live(self) -> None:
        try:
            link = open_link(self.command)
        except LinkError as why:
            self._name, self._why = "the policy", f"does not start: {why}"
            return
        with self._lock:
            self._link, self._name, stopped = link, link.name, self._stopping
        if stopped:
            link.close()
            return
        self._reading.start()
        try:
            while not self._stopping and not self._why:
                self._bell.wait(LOOK)
                self._bell.clear()
                if link.gone:       # what it has started may keep its output open
                    link.end()
                self._turn(link)
        except OSError:     # it does not read any more; whoever reads its output finds out why
            pass
        except Exception as error:   # noqa: BLE001  the window goes on, and the person reads why
            self._why = self._why or f"cannot be told what happens: {type(error).__name__}: {error}"
        finally:
            if not self._stopping:
                self._reading.join(GRACE)
            link.end()
            self._reading.join(4 * GRACE)
            link.close()
            if self._eyes is not None:
                self._eyes.close()

    def _turn(self, link: Link) -> None:
        """Send the newest state if it is time."""
        snapshot = self._runner.acquire(self._reader)
        if snapshot is None or snapshot.model is None:
            return
        now = time.perf_counter()
        known = snapshot.generation, snapshot.revision
        if known != self._known:
            self._cameras = messages.camera_names(snapshot.model)
            self._actions, self._known = Actions(snapshot.model), known
            link.write(messages.hello(snapshot.model, self.rate, milliseconds(now)))
        if not snapshot.running or self._asked:
            return
        starts, branch, before = self._last
        fresh = snapshot.starts != starts or snapshot.history_branch > branch or snapshot.time < before     # who went back and on from there is in a new branch
        if not fresh and snapshot.time < self._due - 1e-9:
            return
        period = 1.0 / self.rate
        self._due = snapshot.time + period if fresh or snapshot.time > self._due + period else self._due + period
        self._last, self._seq = (snapshot.starts, snapshot.history_branch, snapshot.time), self._seq + 1
        if fresh:
            self._times.clear()
        self._jumps[self._seq] = snapshot.jumps
        self._asked_at, self._asked = float(snapshot.time), now
        link.write(messages.state(snapshot, self._seq, milliseconds(now), self._steering.driver, fresh, self._seen()))

    def _seen(self) -> dict:
        """New pictures of its cameras."""
        return {name: picture.told() for name, picture in self._eyes.take().items()} if self._eyes is not None else {}

    # ------------------------------------------------ the thread that reads

    def _read(self) -> None:
        link, bucket = self._link, Bucket(MOST, BURST)
        while line := link.read():
            while not self._stopping and not bucket.take(time.perf_counter()):
                time.sleep(PAUSE)
            if line.strip() and not self._stopping and not self._take(line):
                break
        if not self._stopping and not self._why:
            self._end(link.why())

    def _end(self, why: str) -> None:
        self._why = why
        self._steering.withdraw(POLICY)
        self._bell.set()

    def _take(self, line: bytes) -> bool:
        """One message; False where there were too many that are none."""
        try:
            message = decode(line, SAID)
            if isinstance(message, Cameras):
                self._look_through(message)
                return True
            if not 0 < message.seq <= self._seq:        # a message, though of no use
                self.wrong, self.reason = self.wrong + 1, f"there is no state {message.seq}"
                self._pass_over(message.seq)
                return True
            command = None if isinstance(message, Event) else self._actions.command(message)
        except Refused as why:
            self.wrong, self._junk, self.reason = self.wrong + 1, self._junk + 1, why.reason
            self._pass_over(number_of(line))
            if self._junk >= JUNK:
                self._end(f"writes what are no messages, and was ended ({why.reason}): {line[:60].decode('utf-8', 'replace').strip()}")
            return self._junk < JUNK
        self._junk = 0
        if message.seq < self._answered_seq:
            self.late += 1
            return True
        self._answered(message.seq)
        if isinstance(message, Event):
            if self._steering.driver == POLICY:     # who does not drive resets nothing and ends no episode
                self._on_event(message.event)
        elif command is not None:
            self._steering.send(POLICY, *command, self._jumps.get(message.seq))
        return True

    def _look_through(self, message: Cameras) -> None:
        """Have pictures of these cameras in its states; no answer to one. Raises Refused."""
        if self._actions is None:
            raise Refused("it was said before there is a model")
        if wrong := unknown(message.cameras, self._cameras):
            raise Refused(wrong)
        if self._eyes is None and message.cameras:
            self._eyes = Eyes(self._runner, self._picture_reader())
        if self._eyes is not None:
            self._eyes.ask(message.cameras)

    def _answered(self, seq: int) -> None:
        """A message for this state; the next one may go out if it is the newest."""
        if seq > self._answered_seq:
            self._answered_seq = seq
            for number in list(self._jumps):
                if number < seq:
                    del self._jumps[number]
        self.answers += 1
        if self.answers == 1:
            self._steering.offer(POLICY)
        if seq == self._seq and self._asked:
            asked, self._asked = self._asked, 0.0
            self.delay = time.perf_counter() - asked
            self._times.append(self._asked_at)
            self._bell.set()

    def _pass_over(self, seq: int | None) -> None:
        """What was said and refused counts as an answer, as whoever said it waits for the next state. Where it names none, one state more may go out, not a queue of them."""
        if seq is None or not 0 < seq <= self._seq:
            free = self._seq - self._answered_seq <= 1
        else:
            free = seq == self._seq
            self._answered_seq = max(self._answered_seq, seq)
        if free:
            self._asked = 0.0
            self._bell.set()


def number_of(line: bytes) -> int | None:
    """The `seq` of a line that is refused for something else; None where it has none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return None
    seq = found.get("seq") if isinstance(found, dict) else None
    return seq if type(seq) is int and seq >= 0 else None


def told(policy: Policy, steering: Steering) -> str:
    """How it goes, in one line."""
    phase, parts = policy.phase, []
    if phase is Phase.STARTING:
        parts.append("starting" if policy.silence < SILENCE else f"has not answered yet ({policy.silence:.0f} s)")
    elif phase is Phase.RUNNING:
        parts.append(f"running: {policy.measured:.0f} of {policy.rate:g} states/s, answers in {1e3 * policy.delay:.1f} ms" if policy.measured else "running")
    else:
        parts.append({Phase.SILENT: f"silent for {policy.silence:.0f} s", Phase.ENDED: "ended", Phase.OFF: "off"}[phase])
    parts.append(f"{steering.driver} drives")
    if steering.refused:
        parts.append(f"{steering.refused} commands of who does not drive refused")
    if policy.late:
        parts.append(f"{policy.late} late answers left out")
    if steering.outdated:
        parts.append(f"{steering.outdated} commands for a state that was left")
    if policy.wrong:
        parts.append(f"{policy.wrong} messages refused (last: {policy.reason})")
    return ", ".join(parts)
