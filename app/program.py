"""The program: what all windows of the process share, the windows, and how it begins and ends.

    Program -- QApplication, Settings, KernelLoader
       +----- windows: one Application (app/wire.py) each, with physics thread, document and view of its own
"""
import argparse
import gc
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from PyQt6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, QTimer
from PyQt6.QtGui import QSurfaceFormat
from PyQt6.QtWidgets import QApplication

from app import crash, wire
from app.appearance import Appearance
from app.freed_memory import give_back_aside, tune_malloc
from app.inputs.interpreter_turns import take_short_turns
from app.kernel_loader import KernelLoader
from app.settings import Settings
from app.start.start_values import StartValues
from app.viewport.hosts import surface_format
from assets.locate import bundled_model
from physics.runtime.runner import Runner

DEFAULT_MODEL = "humanoid.xml"
COLLECT_MS = 500   # after a window is closed
BESIDE = QPoint(28, 28)   # from a window to the next one [logical pixels]


class Program(QObject):
    """All windows of a process. `windows`: those that are open, in the order of their opening."""

    def __init__(self, settings: Settings):
        super().__init__()
        self.settings, self.loader, self.appearance = settings, KernelLoader(), Appearance(settings)
        self.windows: list[wire.Application] = []
        self._interrupted = False

    # ------------------------------------------------------------------ windows

    def make_window(self, runner: Runner | None = None) -> wire.Application:
        """A window with nothing open in it, not shown yet. runner: what simulates, not started; None: a physics thread of its own."""
        runner = runner or Runner()
        runner.start()
        application = wire.Application(self.settings, runner, self)
        application.closed.connect(lambda: self._closed(application))
        application.session.title_changed.connect(lambda _title: self._number_titles())
        application.session.recovery_found.connect(lambda: self._recovery_settled(application))
        self.windows.append(application)
        return application

    def open_window(self, path: Path | None = None) -> wire.Application:
        """A window more, beside the others, with the model of a file, or with models to choose from."""
        before = self.active()
        application = self.make_window()
        application.window.restore()
        if before is not None:
            application.window.resize(before.window.size())
            application.window.move(before.window.pos() + BESIDE)
        application.window.show()
        application.window.activateWindow()
        if path is None:
            application.welcome.show_page()
        else:
            application.files.open(path)
        return application

    def active(self) -> wire.Application | None:
        """The window that the user works in, else the one opened last; None without any."""
        there = [application for application in self.windows if application.window.isActiveWindow()]
        return (there or self.windows or [None])[-1]

    def _number_titles(self) -> None:
        """Windows on the same document are told apart by a number."""
        seen: dict[str, int] = {}
        for application in self.windows:
            document = application.session.document
            seen[document.key] = number = seen.get(document.key, 0) + 1
            application.number_title(number)

    def _recovery_settled(self, application: wire.Application) -> None:
        """Text that was left behind was taken or dropped in one window: the others need not ask any more."""
        if application.session.recovery is None:
            for other in self.windows:
                if other.session.recovery is not None and not other.session.recovery.place.exists():
                    other.session.discard_recovery()

    # ------------------------------------------------------------------ the end

    def _closed(self, application: wire.Application) -> None:
        """A window was closed: its threads end, its model and what is drawn are freed. Qt ends the program with the last one."""
        if application in self.windows:
            self.windows.remove(application)
            application.close()
            application.let_go()
            self._number_titles()
            QTimer.singleShot(COLLECT_MS, give_back_closed)

    def quit(self) -> None:
        """Close all windows, the newest first, until one is kept open."""
        for application in reversed(self.windows.copy()):
            if not application.window.close():
                return

    def close(self) -> None:
        """Stop the threads of all windows that are still there, and free the windows: Qt's application, which goes last, would delete what is left in an order of its own,
        and follow wrappers that go with others."""
        for application in self.windows:
            application.close(keep_unsaved=self._interrupted)
            application.let_go()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def end_on_signals(self) -> None:
        """Let Ctrl+C in the terminal and a plain kill end the program in order, with a copy of unsaved text for the next start."""

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: self.interrupt())   # runs at the next tick of a frame timer

    def interrupt(self) -> None:
        """End now, without questions, with a copy of unsaved text for the next start."""
        self._interrupted = True
        QApplication.exit(0)   # not quit(): that would ask about unsaved text

    def tell(self, level: str, text: str) -> None:
        """Write a line into the log of every window."""
        for application in self.windows:
            application.context.log(level, text)


def give_back_closed() -> None:
    """What a closed window leaves refers to itself in circles: collect it now, for a model can be large, and give its memory back."""
    gc.collect()
    give_back_aside()


def prepare_process() -> None:
    """What holds for all threads; before there are others. Qt paints the window in one: it would have others fill every wide rectangle in parts, and wait for
    each of them to get its turn beside the drawing of the picture. Modules, classes and functions are there for good: full collections need not look through them."""
    tune_malloc()
    gc.freeze()
    take_short_turns()
    os.environ.setdefault("QT_NO_GUI_THREADPOOL", "1")


def begin(overrides: Mapping[str, object] = MappingProxyType({})) -> tuple[QApplication, Program]:
    """What is there before the first window. overrides: settings that hold until the end, by name."""
    prepare_process()
    settings = Settings()
    for name, value in overrides.items():
        settings.override(name, value)
    QSurfaceFormat.setDefaultFormat(surface_format(settings.get("view/vsync")))
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication([sys.argv[0]])
    app.setApplicationName("Linkwork")
    app.setDesktopFileName("linkwork")
    program = Program(settings)
    program.appearance.apply()
    crash.install(lambda text: program.tell("error", text))
    return app, program


def run(chosen: argparse.Namespace) -> int:
    """Open the windows that the command line (app/start/command_line.py) asks for; returns when the last is closed."""
    app, program = begin(chosen.settings)
    for number, path in enumerate(chosen.models or [bundled_model(DEFAULT_MODEL)]):
        open_first(program, path, chosen, number)
    program.windows[0].session.look_for_any_recovery()
    program.windows[0].recordings.look_for_left()
    program.windows[0].welcome.begin()
    program.loader.start()
    program.end_on_signals()
    code = app.exec()
    program.close()
    return code


def open_first(program: Program, path: Path, chosen: argparse.Namespace, number: int) -> None:
    """A window of those that the command line asks for; number: how many there are already."""
    application = program.make_window()
    window = application.window
    if chosen.reset_layout:
        program.settings.reset("window/workspaces")
    else:
        window.restore()
    if chosen.size:
        window.resize(*chosen.size)
    if number:
        window.move(program.windows[0].window.pos() + number * BESIDE)
    start = StartValues(application, chosen, program.settings.get("run/start_running") and not chosen.paused)
    start.open(path)
    if chosen.fullscreen:
        application.window_control.toggle_fullscreen(True)
    window.show()
    start.arrange()
