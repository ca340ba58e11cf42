"""Demonstrations in the window: episodes of the run, begun and ended by buttons, keys and devices, kept on the disk from the first one on.

    buttons, TeleoperationController.marked --> app.demonstrations.session.Session --> words in the run's journal --> episodes, counts
                                                app.demonstrations.keeper.Keeper --> a recording in the folder of demonstrations
"""
from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal

from app.context import AppContext
from app.controllers.companions import CompanionsController
from app.controllers.teleoperation.devices import TeleoperationController
from app.controllers.teleoperation.ghost import GhostController
from app.controllers.teleoperation.recorded import RecordedEpisodes
from app.controllers.teleoperation.policy import PolicyController
from app.session import Session
from app.settings import state_folder

if TYPE_CHECKING:   # at the start every import counts: episodes are imported with the first word about one
    from app.demonstrations.episodes import Episode
    from app.demonstrations.keeper import Keeper
    from app.demonstrations.session import Session as Episodes
    from app.demonstrations.starts import Range, Start
    from app.demonstrations.success import Success

LOOK_MS = 100
WORDS = ("start", "stop", "success", "failure", "discard", "reset", "undo", "record again")     # as app.demonstrations.session.EVENTS
BEGIN = ("start", "reset", "record again")
FOLDER = "demonstrations/folder"       # setting


class DemonstrationsController(QObject):
    """Signals: changed() episodes, counts or the driver are others; told(text) what goes wrong, '' when that is over; export_wanted() that is to be asked for.

    recorded: what can be done with episodes that are recorded; ghost: one of them over each attempt."""

    changed = pyqtSignal()
    export_wanted = pyqtSignal()
    told = pyqtSignal(str)
    _logged = pyqtSignal(str, str)

    def __init__(self, context: AppContext, session: Session, teleoperation: TeleoperationController, companions: CompanionsController, parent: QObject | None = None):
        super().__init__(parent)
        self._context, self._session, self._teleoperation = context, session, teleoperation
        self.policy = PolicyController(context, teleoperation, lambda: self.episodes, self)
        self.episodes: Episodes | None = None       # from the first word on
        self.keeper: Keeper | None = None
        self._start: Start | None = None            # where episodes begin, None: at the model's own start
        self.success: Success | None = None
        self._problem, self._recording = "", False      # whether episodes are said, not only those of a recording shown
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._logged.connect(context.log)
        teleoperation.marked.connect(self.say)
        self.policy.marked.connect(self.say)
        teleoperation.resets = self._reset
        context.model_changed.connect(lambda _model: self._model_changed(), Qt.ConnectionType.QueuedConnection)
        self.recorded = RecordedEpisodes(context, session, self)
        self.ghost = GhostController(context, companions, self.recorded)

    # ------------------------------------------------------------------ what there is

    @property
    def folder(self) -> Path:
        """Where recordings of demonstrations go: that of the settings, else the user's own."""
        said = self._context.settings.get(FOLDER)
        return Path(said) if said else state_folder() / "demonstrations"

    @property
    def start(self) -> Start:
        """Where episodes begin."""
        from app.demonstrations.starts import Start

        return self._start or Start()

    @property
    def all(self) -> tuple[Episode, ...]:
        """All episodes of this document's run."""
        return self.episodes.episodes if self.episodes is not None else ()

    @property
    def current(self) -> Episode | None:
        """The one that goes on."""
        return self.episodes.current if self.episodes is not None else None

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each outcome."""
        return dict(self.episodes.counts) if self.episodes is not None else {}

    # ------------------------------------------------------------------ words

    def say(self, word: str, task: str = "") -> None:
        """One of WORDS, from a button, a key or a device."""
        if word not in WORDS or self._context.model is None:
            return
        if not self._recording and word not in BEGIN and not self.all:
            return      # nothing was begun
        episodes = self._begin()
        if word == "start" and task:
            episodes.start(task)
        else:
            episodes.event(word)
        self.look()

    def toggle(self) -> None:
        """Start, or end what goes on as a success."""
        self.say("start" if self.current is None else "success")

    def describe(self, task: str) -> None:
        """What is to be done, from now on."""
        if task != (self.episodes.task if self.episodes is not None else ""):
            self._begin().describe(task)

    def note(self, text: str) -> None:
        """Something about the present episode, or the last one."""
        if self.episodes is not None and text:
            self.episodes.note(text)

    def begin_at(self, key: str | None = None, ranges: tuple[Range, ...] | None = None, seed: int | None = None) -> None:
        """Where episodes begin from now on."""
        self._start = replace(self.start, key=key, ranges=self.start.ranges if ranges is None else ranges, seed=self.start.seed if seed is None else seed)
        if self.episodes is not None:
            self.episodes.start_state = self._start

    def succeed_by(self, text: str, held: float) -> None:
        """End episodes by themselves where an expression, or a sensor, holds for so long [s]; '' for never."""
        from app.demonstrations.success import Success

        self.success = Success(text, held) if text else None
        if self.episodes is not None:
            self.episodes.succeed_by(self.success)

    def _reset(self) -> bool:
        """A device wants the start; whether this has been done here."""
        if not self._recording and self._start is None:
            return False
        self._begin().reset()
        return True

    def _begin(self) -> Episodes:
        if not self._recording:
            self._recording = True
            if self.keeper is None and self._context.runner.keeps_history:
                self._keep()
            self._read_episodes()
        return self.episodes

    def _read_episodes(self) -> None:
        """Of the run's journal, from its beginning."""
        from app.demonstrations.session import Session as Episodes

        self.episodes = Episodes(self._context.runner, self.keeper, self.start, self.success if self._recording else None)
        self._timer.start()

    def _model_changed(self) -> None:
        """A recording that is shown has its episodes."""
        if self.episodes is None and self._session.document.recorded is not None and self._session.shown:
            self._read_episodes()
        self.look()

    def _keep(self) -> None:
        """Have what is done written to the disk from now on."""
        from app.demonstrations.keeper import Keeper

        folder = self.folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self.keeper = Keeper(self._context.runner, folder, self.name, self._log)
        except OSError as why:
            self.told.emit(f"{folder} cannot be written to: {why.strerror or why}. The demonstrations are not kept.")
            return
        self.keeper.keep_model(self._context.model, self._session.document.texts())
        self._session.model_keepers.append(self._keep_model)
        self.keeper.begin()

    def _keep_model(self, model, texts) -> None:
        """In the compiler's thread."""
        keeper = self.keeper
        if keeper is not None:
            with contextlib.suppress(OSError):
                keeper.keep_model(model, texts)

    def _log(self, level: str, text: str) -> None:
        """In any thread."""
        with contextlib.suppress(RuntimeError):
            self._logged.emit(level, text)

    def look(self) -> None:
        """Read what the run has made of it."""
        if self.episodes is None:
            return
        changed = self.episodes.update()
        if self.episodes.problem != self._problem:
            self._problem = self.episodes.problem
            self.told.emit(self._problem)
        if changed:
            self.changed.emit()
            self._tell_page()

    def _tell_page(self) -> None:
        """The page in the headset says it, too."""
        page = self._teleoperation.page
        if page is not None:
            page.tell(recording=self.current is not None, episodes=len(self.all), text=self.episodes.task)

    # ------------------------------------------------------------------ what is recorded

    @property
    def name(self) -> str:
        """What recordings of this document are called."""
        path = self._session.document.path
        return path.stem if path is not None else "demonstrations"

    def run_on_disk(self) -> Path:
        """Where the present run lies on the disk, with all that happened so far. For a thread that may wait. Raises ValueError."""
        keeper = self.keeper
        found = keeper.on_disk() if keeper is not None else self._session.document.recorded
        if found is None:
            raise ValueError("this run is not on the disk")
        return found

    def ask_export(self) -> None:
        """Ask what is to be exported as a data set, and how."""
        self.export_wanted.emit()

    # ------------------------------------------------------------------ the end

    def flush(self) -> bool:
        """Wait until what happened so far is on the disk."""
        return self.keeper is None or self.keeper.flush()

    def close(self) -> None:
        """The window goes: what there is becomes a recording, if any episode was begun, made after the window has gone."""
        self._timer.stop()
        self.ghost.close()
        self.recorded.close()
        self.policy.close()
        if self.keeper is not None:
            if self.episodes is not None:
                self.episodes.update()
            self.keeper.leave()
            self.keeper = None
