"""The full window as a script opens it: on a file, a text or a Model of the script, at a state of its own."""
from __future__ import annotations

from PyQt6.QtCore import QObject, pyqtSignal

from app.passive.answers import Answers
from app.passive.link import ScriptLink
from app.passive.window import leave_sides
from app.passive.window_opening import Launch
from app.program import DEFAULT_MODEL, Program
from assets.locate import bundled_model
from physics.model.state_fields import State
from physics.runtime import commands


class LaunchedWindow(QObject):
    """A window of the program with the model of a script. last_state(): where it was when it was closed, while it showed that model."""

    received = pyqtSignal(object)

    def __init__(self, program: Program, link: ScriptLink, launch: Launch):
        super().__init__()
        self._program, self._link, self._launch = program, link, launch
        self._last: State | None = None
        self._document = None       # that of the script (AppContext.document)
        self.application = program.make_window()
        self.answers = Answers(self.application, link)
        self._runs = program.settings.get("run/start_running")
        self.received.connect(self._take)
        self.application.context.model_changed.connect(self._model_changed)
        self.application.window.closing.connect(lambda _event: self._keep())

    def show(self) -> None:
        """Open it."""
        application, launch = self.application, self._launch
        application.window.restore()
        run = self._runs and launch.state is None    # else time passes once the state is there
        if launch.text is not None:
            application.session.new(launch.text, run=run)
        else:
            application.session.open(launch.path or bundled_model(DEFAULT_MODEL), run=run, recent=not launch.passing)
        application.window.show()
        application.window.activateWindow()
        leave_sides(application.window, launch.left, launch.right)
        self._link.tell("opened", {})

    def _model_changed(self, _model) -> None:
        context = self.application.context
        if self._document is None and self._launch.state is not None:
            context.runner.send(commands.SetState(self._launch.state))
            if self._runs:
                context.runner.send(commands.Run())
        if self._document is None:
            self._document = context.document

    def _keep(self) -> None:
        context = self.application.context
        if context.snapshot is not None and context.document == self._document:
            self._last = State.of(context.snapshot)

    def last_state(self) -> State | None:
        """The state when it was closed, or now."""
        if self._last is None and self.application in self._program.windows:
            self._keep()
        return self._last

    # ------------------------------------------------------------------ what arrives

    def arrived(self, message: tuple) -> None:
        """In the reading thread."""
        self.received.emit(message)

    def _take(self, message: tuple) -> None:
        if message[0] == "ask" and self.application in self._program.windows:
            self.answers.ask(*message[1:])
        elif message[0] == "close":
            self._keep()
            self._program.interrupt()   # the script is gone: unsaved text is kept for the next start
