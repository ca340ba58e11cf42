"""A policy in the window: a process that the user names drives, a person takes over by a clutch, a button or a key, hands back, and goes back to before it went wrong.

    command line, Start --> app.demonstrations.policy.policy.Policy --> Steering --> Runner
    clutches of drives --> app.inputs.intervention.Intervention ---^  ^--- take over, hand back, rewind
"""
from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.controllers.teleoperation.devices import TeleoperationController
from physics.model.model import Model
from physics.runtime import commands

if TYPE_CHECKING:   # at the start every import counts
    from app.demonstrations.episodes import Episode
    from app.demonstrations.policy.policy import Policy
    from app.demonstrations.session import Session
    from app.demonstrations.steering import Steering

LOOK_MS = 100
PERSON = "person"       # as app.demonstrations.episodes.PERSON
COMMAND, RATE, SECONDS = "demonstrations/policy", "demonstrations/policy_rate", "demonstrations/rewind_s"      # settings


class PolicyController(QObject):
    """Signals: changed() how the policy stands, or who drives; told(text) what is wrong with it, '' when that is over; marked(word) it says what is to happen to the episode.

    episodes(): the Session of the window's demonstrations, None before the first word about one. steering: None before the first policy."""

    changed = pyqtSignal()
    told = pyqtSignal(str)
    marked = pyqtSignal(str)
    _event = pyqtSignal(str)      # from a thread of the policy

    def __init__(self, context: AppContext, teleoperation: TeleoperationController, episodes: Callable[[], Session | None], parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._teleoperation, self._episodes = context, teleoperation, episodes
        self.policy: Policy | None = None
        self.steering: Steering | None = None
        self._reader: int | None = None         # of Snapshots, for one policy after the other
        self._picture_reader: int | None = None
        self._problem = ""
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._event.connect(self.marked)
        context.model_changed.connect(self._model_changed)

    # ------------------------------------------------ what there is

    @property
    def alive(self) -> bool:
        """Whether there is a policy that may drive."""
        return self.policy is not None and self.policy.alive

    @property
    def driver(self) -> str:
        """Who drives now."""
        return self.steering.driver if self.steering is not None else PERSON

    @property
    def waits(self) -> bool:
        """Whether there is somebody to hand back to."""
        return self.steering is not None and bool(self.steering.waiting)

    @property
    def command(self) -> str:
        """The command line of the policy started last."""
        return self._context.settings.get(COMMAND)

    @property
    def rate(self) -> int:
        """States that it is given per simulated second."""
        return self._context.settings.get(RATE)

    @property
    def seconds(self) -> int:
        """How far taking over goes back [s]."""
        return self._context.settings.get(SECONDS)

    # ------------------------------------------------ start and stop

    def toggle(self) -> None:
        """Start the policy that was started last, or stop the one that goes on."""
        if self.alive:
            self.stop()
        else:
            self.start()

    def start(self, command: str | None = None, rate: int | None = None) -> None:
        """Have a policy drive as soon as it answers: a command line, a Python file with arguments, or HOST:PORT; None: that of the last time. The run goes on if it was paused."""
        from app.demonstrations.policy.policy import Policy

        for name, value in ((COMMAND, command), (RATE, rate)):
            if value is not None:
                self._context.settings.set(name, value)
        if not self.command.strip():
            self._tell("Say how the policy is started: a Python file, a command line, or an address as 127.0.0.1:5555.")
            return
        if self._context.model is None:
            return
        self.stop()
        runner = self._context.runner
        steering = self._begin()
        self.policy = Policy(runner, steering, self.command, float(self.rate), self._reader, self._event.emit, self._for_pictures)
        self.policy.start()
        snapshot = self._context.snapshot
        if snapshot is not None and not snapshot.running:
            runner.send(commands.Run())
        self._timer.start()
        self.look()

    def stop(self) -> None:
        """End it; a person drives from then on, and what it drove holds."""
        if self.policy is not None:
            self.policy.stop()
            self.policy = None
            if self.steering.driver != PERSON:      # who holds a clutch goes on
                self.steering.take_over(PERSON)
            self.look()

    def _begin(self) -> Steering:
        if self.steering is None:
            from app.demonstrations.steering import Steering
            from app.inputs.intervention import Intervention

            self._reader = self._context.runner.add_reader()
            self.steering = Steering(self._context.runner, _Words(self._context.runner, self._episodes))
            self._teleoperation.intervene(Intervention(self.steering, PERSON))
        return self.steering

    def _for_pictures(self) -> int:
        """In a thread of the policy: a reader for its pictures, one after the other's."""
        if self._picture_reader is None:
            self._picture_reader = self._context.runner.add_reader()
        return self._picture_reader

    def _model_changed(self, _model: Model) -> None:
        """A policy is of one document."""
        if self._context.newly_opened:
            self.stop()

    # ------------------------------------------------ who drives

    def take_over(self) -> None:
        """A person drives, until `hand_back`."""
        if self.steering is not None:
            self.steering.take_over(PERSON)
            self.look()

    def hand_back(self) -> None:
        """The policy drives on, from where the person left the targets."""
        if self.alive:
            self.steering.hand_back()
            self.look()

    def rewind(self) -> None:
        """Go back by `seconds`, not before the episode's beginning, and have a person drive from there."""
        if self._context.model is not None:
            self._begin().rewind(float(self.seconds), PERSON)
            self.look()

    def rewind_by(self, seconds: float) -> None:
        """How far `rewind` goes from now on."""
        self._context.settings.set(SECONDS, int(seconds))

    # ------------------------------------------------ what is told

    def look(self) -> None:
        """See how it stands."""
        self._tell(self.policy.problem if self.policy is not None else "")
        if self.policy is None:
            self._timer.stop()
        self.changed.emit()

    def _tell(self, text: str) -> None:
        if text != self._problem:
            self._problem = text
            self.told.emit(text)
            if text:
                self._context.log("warning", text)

    @property
    def state(self) -> str:
        """How it stands, in words."""
        policy = self.policy
        if policy is None:
            return ""
        from app.demonstrations.policy.policy import told

        return told(policy, self.steering)

    def close(self) -> None:
        """The window goes, and the process soon after it."""
        self._timer.stop()
        if self.policy is not None:
            self.policy.stop()
            self.policy = None


class _Words:
    """Says who drives: through the session where there are episodes, else straight to the run, whose recording has it either way."""

    def __init__(self, runner, episodes: Callable[[], Session | None]):
        self._runner, self._episodes = runner, episodes

    @property
    def current(self) -> Episode | None:
        """The episode that goes on."""
        episodes = self._episodes()
        return episodes.current if episodes is not None else None

    def driven_by(self, who: str) -> None:
        """Who drives from now on."""
        episodes = self._episodes()
        if episodes is not None:
            episodes.driven_by(who)
        else:
            self._runner.send(commands.NoteEpisode("driver", who))
