"""The real window for tests: made as the program makes it, with settings and files of its own, driven by real Qt events."""
import time
from functools import cache
from pathlib import Path

from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QMouseEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

import physics
from app.inputs.interpreter_turns import take_short_turns
from app.settings import Settings
from app.wire import Application
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

SLOW = 20_000   # ms that a loaded machine may take for anything
Button, Key = Qt.MouseButton, Qt.Key
CTRL, SHIFT, NONE = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.NoModifier


@cache
def _kernels() -> None:
    """Once for all windows of this process: to ask whether they are there takes a while."""
    physics.ensure_kernels()


class Workbench:
    """The program with its window open on `model` (a new one when None; `broken` when it cannot be compiled; ready False: the kernels
    are still being compiled; quality: how much is done for a picture). `wait(condition)` processes events until the condition holds."""

    def __init__(self, qtbot, folder: Path, model: Path | None = None, size=(900, 620), running: bool = False,
                 broken: bool = False, restore: bool = False, ready: bool | None = None, adaptive: bool = False,
                 quality: str = "lowest"):
        _kernels()
        take_short_turns()      # as the program does: else its threads keep the window waiting
        self._closed = False
        self.qtbot = qtbot
        self.settings = Settings(str(folder / "settings.ini"))
        if not adaptive:
            self.settings.override("view/adaptive", False)      # pictures are compared, and how fast they come is not
        self.settings.override("view/quality", quality)     # shadows and mirrors are proved by tests of pictures, and are half of what a window costs
        self.runner = Runner(Simulation(ready=ready))
        self.runner.start()
        self.application = Application(self.settings, self.runner)
        self.context, self.session = self.application.context, self.application.session
        self.window, self.viewport, self.actions = self.application.window, self.application.viewport, self.application.actions
        self.docks = self.window.layout_of_docks
        self.window.resize(*size)
        if restore:
            self.window.restore()
        self.session.open(model, run=running) if model is not None else self.session.new()
        self.window.show()
        self.window.activateWindow()
        if not broken:
            self.wait(lambda: self.context.model is not None and self.snapshot is not None)
        self.wait(lambda: self.docks.filled)   # filled after the first picture

    @property
    def host(self):
        """The widget that shows the picture."""
        return self.viewport.host

    @property
    def snapshot(self):
        """The newest snapshot."""
        return self.context.snapshot

    @property
    def source(self):
        """The XML panel, shown on top where it was not."""
        shown = self.docks.panels.get("source")
        return shown if shown is not None and shown.isVisible() and not shown.visibleRegion().isEmpty() else self.panel("source")

    def panel(self, panel_id: str):
        """A panel, shown on top."""
        return self.docks.show(panel_id)

    def wait(self, condition, timeout: int = SLOW) -> None:
        """Process events until `condition()`."""
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=timeout)

    def taken_up(self) -> None:
        """Wait until the present texts run, written into the model or compiled."""
        session = self.session
        self.wait(lambda: session.runs_present_texts and session.live.written and not session._compiler.busy and session._untaken is None
                  and self.snapshot.model is self.context.model and session.live.model in (None, self.context.model))

    def pass_time(self, seconds: float) -> None:
        """Wait until so much simulated time has passed."""
        end = self.snapshot.time + seconds
        self.wait(lambda: self.snapshot.time >= end)

    def steady(self, value, seconds: float = 0.3):
        """What `value()` is, when it has been the same for so long while events were processed."""
        last, since = value(), time.monotonic()

        def same() -> bool:
            nonlocal last, since
            now = value()
            if now != last:
                last, since = now, time.monotonic()
            return time.monotonic() - since >= seconds

        self.wait(same)
        return last

    def settled(self) -> None:
        """Wait until the docks have their places: Qt moves them once more a while after they were shown."""
        self.wait(lambda: not self.docks._settling and not self.docks._settled.isActive())

    def pictures(self, count: int = 2) -> None:
        """Wait for that many more pictures."""
        self.viewport.frame_times = drawn = []
        def enough():
            self.viewport.refresh()
            return len(drawn) >= count
        self.wait(enough)
        self.viewport.frame_times = None

    def logged(self, part: str) -> bool:
        """Whether a line of the log holds `part`."""
        return any(part in text for _level, text in self.context.log_lines)

    # ------------------------------------------------------------------ hands

    def press_key(self, key, modifiers=NONE, widget=None) -> None:
        """A key of the keyboard, to the view unless another widget is given."""
        widget = widget or self.host
        widget.setFocus()
        self.wait(lambda: widget.hasFocus())
        QTest.keyClick(widget, key, modifiers)

    def double_click(self, at: QPointF, button=Button.LeftButton, modifiers=NONE) -> None:
        """A double-click on the view."""
        QTest.mouseDClick(self.host, button, modifiers, at.toPoint())

    def drag(self, start: QPointF, *stops: QPointF, button=Button.LeftButton, modifiers=NONE, between=lambda: None, release: bool = True) -> None:
        """Press at `start`, move through `stops` (calling `between` after each), and let go at the last unless told otherwise."""
        QTest.mousePress(self.host, button, modifiers, start.toPoint())
        for stop in stops:
            self.move(stop, button, modifiers)
            between()
        if release:
            QTest.mouseRelease(self.host, button, modifiers, (stops[-1] if stops else start).toPoint())

    def move(self, to: QPointF, button=Button.LeftButton, modifiers=NONE) -> None:
        """A mouse motion with a button held (QTest's own motions carry neither buttons nor keys)."""
        at = QPoint(round(to.x()), round(to.y()))
        event = QMouseEvent(QMouseEvent.Type.MouseMove, QPointF(at), QPointF(self.host.mapToGlobal(at)), Button.NoButton, button, modifiers)
        QApplication.sendEvent(self.host, event)

    def centre(self, body: str) -> QPointF:
        """Where the centre of a body is in the view."""
        return self.viewport.body_pixel(self.context.model.id("body", body))

    def close(self) -> None:
        """End the program without questions about unsaved text."""
        if self._closed:
            return
        self._closed = True
        self.application.files.may_leave = lambda: True
        self.window.close()
        self.application.close()
        self.window.deleteLater()
