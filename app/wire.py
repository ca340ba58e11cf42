"""The composition root: the only place that knows every class. Makes the objects, connects them, runs the program.

    session --SwapModel--> runner (physics thread) --snapshots, events--> client --> context signals --> panels
                                                                   frame timer --> viewport
"""
import contextlib
import queue
import signal
import sys
import threading
import time
from dataclasses import dataclass

from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QAction, QKeySequence, QSurfaceFormat
from PyQt6.QtWidgets import QApplication

import physics
from app import crash, theme
from app.actions import ACTIONS, VIEW, Action
from app.bridge.model_visuals import prepared
from app.bridge.options import LOOKS, VisOptions
from app.context import AppContext
from app.controllers.files import FilesController
from app.controllers.film import FilmController
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.controllers.window import WindowController
from app.freed_memory import INTERVAL_MS, give_back_aside
from app.panels.table import Services
from app.session import Session
from app.settings import Settings
from app.simulation_client import SimulationClient
from app.viewport.hosts import surface_format
from app.viewport.overlay import Overlay
from app.viewport.view import Viewport
from app.windows.main_window import MainWindow
from assets.locate import bundled_model
from physics.kernels.build import BuildError
from physics.runtime.runner import Runner

DEFAULT_MODEL = "humanoid.xml"
FIRST_MODEL = 10.0   # s to wait for the model whose kernels are compiled first
PROGRESS_INTERVAL = 2.0   # s between two pictures of how far compiling is



class KernelLoader(QObject):
    """Compiles or loads the kernels off the GUI thread. Signals: progressed(done, total, name), failed(text);

    first_ready()   where kernels have to be compiled: those that the first model can reach are there, later those of another that was opened
    ready()         all of the engine are there
    ended()         nothing is compiled any more
    """

    progressed = pyqtSignal(int, int, str)
    first_ready = pyqtSignal()
    ready = pyqtSignal()
    ended = pyqtSignal()
    failed = pyqtSignal(str)

    def __init__(self):
        super().__init__()
        self._models: queue.SimpleQueue = queue.SimpleQueue()
        self._asks = True   # for the first model alone: what nobody takes would keep all that follow alive
        self.some_ready = False

    def model_compiled(self, model) -> None:
        """The model that is about to be shown (None: its text has errors); what it needs is compiled first. From any thread."""
        if self._asks:
            self._asks = False
            self._models.put(model)

    def _first_model(self):
        with contextlib.suppress(queue.Empty):
            return self._models.get(timeout=FIRST_MODEL)

    def _let_go(self) -> None:
        """Nobody asks any more."""
        self._asks = False
        with contextlib.suppress(queue.Empty):
            self._models.get_nowait()

    def _first_ready(self) -> None:
        self.some_ready = True
        self.first_ready.emit()

    def start(self) -> None:
        """Begin; the signals arrive in the GUI thread."""
        threading.Thread(target=self._work, name="kernels", daemon=True).start()

    def _work(self) -> None:
        self._compile()
        self.ended.emit()

    def _compile(self) -> None:
        try:
            physics.ensure_engine(lambda done, total, name: self.progressed.emit(done, total, name), self._first_model, self._first_ready)
        except Exception as error:
            self.failed.emit(str(error))
            return
        finally:
            self._let_go()
        self.ready.emit()
        with contextlib.suppress(BuildError, OSError):   # without the rest models open too, by NumPy
            physics.ensure_compiler()


class Application:
    """Everything that lives as long as the window."""

    def __init__(self, settings: Settings, runner: Runner):
        self.runner = runner
        look = settings.get("view/look")
        options = VisOptions(look=look if look in LOOKS else LOOKS[0], explained=True)
        self.client = SimulationClient(runner)
        self.context = context = AppContext(self.client, settings, options)
        self.loader = KernelLoader()
        self.session = Session(context, compiled=self._model_compiled)
        self.overlay = Overlay()
        self.window = MainWindow(settings)
        self.simulation, self.view_control = SimulationController(context), ViewController(context)
        self.viewport = Viewport(context, self.view_control, self.overlay)
        self.files = FilesController(self.session, settings, self.window)
        self.window_control = WindowController(context, self.window, self.overlay, self.viewport.hover)
        self.film = FilmController(context, self.simulation, self.view_control, self.viewport.host, self.window, self.files.start_folder, self._show_recording)
        self.actions = make_actions(self.viewport, Controllers(self.simulation, self.view_control, self.files, self.window_control, self.film), settings)
        services = Services(context, settings, self.session, self.simulation, self.view_control)
        self.window.assemble(services, self.viewport, self.actions, self.files.recent_menu)
        self.window.add_menu("&View", self.viewport.insets.menu)
        self.interrupted = False
        self._progress_due = 0.0
        self._icons_for = None   # palette the icons were drawn for
        self._frames = QTimer()
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.timeout.connect(self._frame)
        self._give_back = QTimer()
        self._give_back.timeout.connect(give_back_aside)
        self._connect()
        self._frames.start(self.viewport.interval)
        self._give_back.start(INTERVAL_MS)

    def _model_compiled(self, model) -> None:
        """In the compiler's thread: what takes long for a large model is done before the window sees it."""
        self.loader.model_compiled(model)
        if model is not None:
            with contextlib.suppress(Exception):    # what fails here fails again, and is told, where it is drawn
                self.context.prepared = prepared(model)

    def _connect(self) -> None:
        context, session = self.context, self.session
        self.window.file_dropped.connect(self.files.open)
        self.window.closing.connect(self.files.closing)
        session.title_changed.connect(self.window.setWindowTitle)
        session.problem_changed.connect(self._problem_changed)
        session.view_only_changed.connect(self._view_only_changed)
        self.loader.progressed.connect(self._kernels_progressed)
        self.loader.failed.connect(lambda text: self._problem_changed(f"The physics kernels could not be compiled: {text}"))
        self.loader.first_ready.connect(self._first_kernels_ready)
        self.loader.ended.connect(lambda: self.viewport.spare(False))
        self.loader.ready.connect(self._kernels_ready)
        context.options_changed.connect(self._show_state_of_actions)
        context.thing_clicked.connect(self._thing_clicked)
        context.model_changed.connect(lambda _model: self._thing_clicked(None))
        context.snapshot_ready.connect(self._snapshot_ready)
        context.first_frame.connect(self.viewport.host.setFocus)
        self.viewport.context_begins.connect(self.film.forget_renderer)
        self.viewport.context_ends.connect(self.film.leave_context)
        self.viewport.pace_changed.connect(self._frames.setInterval)
        self.viewport.frame_due.connect(self._frame)
        self.film.recording_changed.connect(self.actions["record"].setChecked)
        self.client.on_swap.append(session.swapped)
        self._show_state_of_actions()

    # ------------------------------------------------------------------ what arrives

    def _frame(self) -> None:
        """The time for a picture: news of the physics thread first."""
        self.viewport.frame(self.client.poll())

    def _problem_changed(self, text: str) -> None:
        self.overlay.problem = text
        self.viewport.refresh()

    def _show_recording(self, text: str) -> None:
        self.overlay.recording = text
        self.viewport.refresh()

    def _thing_clicked(self, thing) -> None:
        self.overlay.clicked = thing.lines if thing is not None else ()
        self.viewport.refresh()

    def _view_only_changed(self, text: str) -> None:
        self.overlay.notice = text
        self.viewport.refresh()

    def _kernels_progressed(self, done: int, total: int, _name: str) -> None:
        what = "the rest of the physics engine" if self.loader.some_ready else "the physics engine"
        self.overlay.loading = f"Compiling {what}: {done} of {total} (once)" if done < total else ""
        now = time.monotonic()
        if done == total or now >= self._progress_due:   # a picture without a GPU costs what half a kernel does: not one for each
            self._progress_due = now + PROGRESS_INTERVAL
            self.viewport.refresh()

    def _first_kernels_ready(self) -> None:
        self.viewport.spare(True)   # the model moves, and the rest is compiled beside it
        self.runner.kernels_ready()

    def _kernels_ready(self) -> None:
        self.overlay.loading = ""
        self.runner.kernels_ready()

    def _snapshot_ready(self, snapshot) -> None:
        run = self.actions["run"]
        if run.isChecked() != snapshot.running:
            run.setChecked(snapshot.running)
            run.setProperty("picture", "pause" if snapshot.running else "run")
            self._colour_icons(run)

    def _colour_icons(self, *actions: QAction) -> None:
        colour = QApplication.palette().windowText().color()
        for action in actions:
            if action.property("picture"):
                action.setIcon(theme.icon(action.property("picture"), colour))

    def _show_state_of_actions(self) -> None:
        options = self.context.options
        if QApplication.palette() != self._icons_for:
            self._icons_for = QApplication.palette()
            self._colour_icons(*self.actions.values())
        for action_id, action in self.actions.items():
            if action_id.startswith("flag_"):
                action.setChecked(options[action_id.removeprefix("flag_")])
        self.actions["physical_look"].setChecked(options.look == "physical")
        self.actions["info"].setChecked(self.overlay.show_info)
        self.actions["help"].setChecked(self.overlay.show_help)
        self.actions["hover"].setChecked(self.viewport.hover.enabled)
        self.actions["light_theme"].setChecked(self.context.settings.get("view/theme") == "light")
        self.actions["full_speed"].setChecked(self.simulation.speed is None)

    def end_on_signals(self) -> None:
        """Let Ctrl+C in the terminal and a plain kill end the program in order, with a copy of unsaved text for the next start."""

        def end(*_) -> None:
            self.interrupted = True
            QApplication.exit(0)   # not quit(): that would ask about unsaved text

        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, end)   # runs at the next tick of the frame timer

    def close(self) -> None:
        """Stop every thread; the window is gone or about to go."""
        self._frames.stop()
        self._give_back.stop()
        self.film.close()
        self.session.close(keep_unsaved=self.interrupted)
        self.runner.stop()
        self.viewport.host.leave()


@dataclass(frozen=True, slots=True)
class Controllers:
    """What the handlers of the action table name."""

    simulation: SimulationController
    view: ViewController
    files: FilesController
    window: WindowController
    film: FilmController


def make_actions(viewport: Viewport, controllers: Controllers, settings: Settings) -> dict[str, QAction]:
    """A QAction per row of the table; those of scope VIEW act while the view has the focus."""
    made = {}
    for row in ACTIONS:
        action = QAction(row.text, viewport)
        action.setProperty("id", row.id)
        action.setProperty("menu", row.menu)
        action.setProperty("scope", row.scope)
        action.setShortcuts([QKeySequence(key) for key in settings.keys(row.id, row.keys)])
        action.setCheckable(row.checkable or row.id.startswith("flag_"))
        action.setToolTip(row.tip or row.text)
        action.setProperty("picture", row.icon)
        action.triggered.connect(_trigger(row, controllers))
        if row.scope == VIEW:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            viewport.host.addAction(action)
        made[row.id] = action
    return made


def _trigger(row: Action, controllers: Controllers):
    controller, _, method = row.handler.partition(".")
    handler = getattr(getattr(controllers, controller), method)
    if row.argument is not None:
        return lambda _checked=False: handler(row.argument)
    return handler if row.checkable else lambda _checked=False: handler()


def run(chosen) -> int:
    """Open the window as the command line asks; returns when it is closed."""
    QSurfaceFormat.setDefaultFormat(surface_format())
    QApplication.setAttribute(Qt.ApplicationAttribute.AA_ShareOpenGLContexts)
    app = QApplication([sys.argv[0]])
    app.setApplicationName("Linkwork")
    app.setDesktopFileName("linkwork")
    settings = Settings()
    theme.apply(app, settings.get("view/theme"))
    runner = Runner()
    runner.start()
    application = Application(settings, runner)
    crash.install(lambda text: application.context.log("error", text))
    if chosen.size:
        application.window.resize(*chosen.size)
    if not chosen.reset_layout:
        application.window.restore()
    application.session.open(chosen.model or bundled_model(DEFAULT_MODEL), run=settings.get("run/start_running") and not chosen.paused, compat=chosen.compat)
    application.session.look_for_any_recovery()
    application.window.show()
    application.loader.start()
    application.end_on_signals()
    code = app.exec()
    application.close()
    return code
