"""A script and its window in one process: real pipes between them, real Qt events in the window, the script's side driven by the test."""
import threading

from PyQt6.QtCore import QPointF
from PyQt6.QtTest import QTest

import physics
from app.film.pipe import receive
from app.passive.link import ScriptLink
from app.passive.window import ScriptWindow
from app.program import Program
from app.settings import Settings
from linkwork.passive import Handle
from linkwork.window_process import WindowProcess
from tests.app.test_windows import settle
from tests.app.workbench import NONE, SLOW, Button, Workbench
from tests.linkwork.ends import Ends


class ScriptBench:
    """viewer: the Handle; m, d: the script's own; window, application: what it sees. keys: codes that the callback was called with, unless the script has one of its own."""

    drag, move = Workbench.drag, Workbench.move     # the view's mouse

    def __init__(self, qtbot, folder, text, left=True, right=True, key_callback=None):
        physics.ensure_kernels()
        self.qtbot = qtbot
        self.m = physics.load_string(text)
        self.d = physics.Data(self.m)
        physics.forward(self.m, self.d)
        self.settings = Settings(str(folder / "settings.ini"))
        self.settings.override("view/adaptive", False)
        self.program, self.ends, self.keys, self.viewer = Program(self.settings), Ends(), [], None
        script = threading.Thread(target=self._open, args=(key_callback or self.keys.append, left, right), daemon=True)
        script.start()
        _word, opening = receive(self.ends.incoming)
        self.link = ScriptLink(self.ends.incoming, self.ends.outgoing, lambda message: self.window.arrived(message))
        self.window = ScriptWindow(self.program, self.link, opening)
        self.application = self.window.application
        self.context = self.application.context
        self.application.window.resize(1000, 700)
        self.window.show()
        self.link.start()
        self.wait(lambda: self.viewer is not None)
        self.wait(lambda: self.application.window.layout_of_docks.filled)

    def _open(self, key_callback, left, right):
        self.viewer = Handle(WindowProcess(key_callback, self.ends), self.m, self.d, True, left, right)

    @property
    def host(self):
        return self.application.viewport.host

    @property
    def actions(self):
        return self.application.actions

    @property
    def snapshot(self):
        return self.context.snapshot

    def wait(self, condition):
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=SLOW)

    def shown(self):
        """Sync and wait until the window shows this state."""
        before = self.snapshot.number
        self.viewer.sync()
        self.wait(lambda: self.snapshot.number > before and self.snapshot.time == self.d.time)
        return self.snapshot

    def until(self, condition):
        """Sync again and again, as a script's loop does."""
        def looked():
            self.viewer.sync()
            return condition()
        self.wait(looked)

    def press_key(self, key, modifiers=NONE):
        self.host.setFocus()
        self.wait(self.host.hasFocus)
        QTest.keyClick(self.host, key, modifiers)

    def centre(self, body):
        return self.application.viewport.body_pixel(self.m.id("body", body))

    def close(self):
        if self.application in self.program.windows:
            self.application.window.close()
        self.wait(lambda: self.application not in self.program.windows)
        settle()
        self.link.tell("closed", None)
        self.link.finish()
        self.ends.outgoing.close()
        self.wait(lambda: not self.viewer.is_running())


def beside(at: QPointF, dx: float, dy: float) -> QPointF:
    """A point so many pixels off."""
    return QPointF(at.x() + dx, at.y() + dy)


__all__ = ["Button", "ScriptBench", "beside"]
