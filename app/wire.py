"""One window with all that lives in it: the only place that knows every class. Makes the objects and connects them; the process: app/program.py.

    session --SwapModel--> runner (physics thread) --snapshots, events--> client --> context signals --> panels
                                                                   frame timer --> viewport
"""
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtGui import QAction, QCloseEvent, QKeySequence
from PyQt6.QtOpenGLWidgets import QOpenGLWidget
from PyQt6.QtWidgets import QApplication, QMenu

from app import workspaces
from app.actions import ACTIONS, TEXT, VIEW, Action, by_id
from app.appearance import Appearance
from app.bridge.model_visuals import Preparation
from app.bridge.options import LOOKS, VisOptions
from app.bridge.view_state import OutlineStyle
from app.context import AppContext
from app.controllers.advice import AdviceController
from app.controllers.companions import CompanionsController
from app.controllers.teleoperation.demonstrations import DemonstrationsController
from app.controllers.teleoperation.policy import PolicyController
from app.controllers.divergence import DivergenceController
from app.controllers.element_menu import fill_element_menu
from app.controllers.files import FilesController
from app.controllers.film import FilmController
from app.controllers.recordings import RecordingController
from app.controllers.program import ProgramController, Windows
from app.controllers.log_file import LogFile
from app.controllers.selection import SelectionController
from app.controllers.scripts import ScriptsController
from app.controllers.simulation import SimulationController
from app.controllers.teleoperation.devices import TeleoperationController
from app.controllers.document_selection import DocumentSelection
from app.controllers.text_selection import TextSelection
from app.controllers.timeline import TimelineController
from app.controllers.view import ViewController
from app.controllers.window import WindowController
from app.freed_memory import INTERVAL_MS, GuiCollector, give_back_aside
from app.kernel_loader import KernelLoader
from app.panels.table import Services
from app.panels.pipeline.newest_work import NewestWork
from app.panels.posing.measuring import Measuring
from app.posing.keyframe_pictures import KeyframePictures
from app.posing.keyframes import Keyframes
from app.previews.previews import Previews
from app.session import Session
from app.settings import KEYS, Settings
from app.simulation_client import SimulationClient
from app.viewport.clicked_note import ClickedNote
from app.viewport.overlay import Overlay
from app.viewport.tools import Tools
from app.viewport.tools.gizmos import connect_gizmos
from app.viewport.tools.measure import MeasureTool
from app.viewport.view import Viewport
from app.windows.main_window import MainWindow
from app.windows.menus import fill_view_menu
from app.windows.undo import EditsController
from app.windows.welcome import Welcome
from editor.source.commands import TextCommands
from editor.source.place_link import PlaceLink
from editor.tree.menu import add_text_menu
from editor.tree.operations import Operations
from physics.runtime.runner import Runner


class Application(QObject):
    """Everything that lives as long as the window. windows: the program it is one window of (app.program.Program); None where it is the only one.

    Signal: closed() when the window has been closed; `close` is to be called then, and `let_go` where the process goes on.
    """

    closed = pyqtSignal()
    _input_taken = pyqtSignal()     # from the physics thread

    def __init__(self, settings: Settings, runner: Runner, windows: Windows | None = None):
        super().__init__()
        self.runner = runner
        look = settings.get("view/look")
        options = VisOptions(look=look if look in LOOKS else LOOKS[0], explained=True)
        self.client = SimulationClient(runner)
        self.context = context = AppContext(self.client, settings, options)
        self.log_file = LogFile(context)
        self.loader = windows.loader if windows is not None else KernelLoader()
        self.appearance = windows.appearance if windows is not None else Appearance(settings)
        self._prepared_last = None   # visuals of the Model compiled last: of the next one much is the same
        self.session = Session(context, compiled=self._model_compiled)
        self.overlay = Overlay()
        self.window = MainWindow(settings)
        self.simulation, self.view_control = SimulationController(context), ViewController(context)
        self.companions, self.advice = CompanionsController(context), AdviceController(context)
        self.divergence = DivergenceController(context, self.companions)
        self.viewport = Viewport(context, self.view_control, self.overlay)
        self.measuring = Measuring(context, self)
        self.keyframes = Keyframes(context, self.session, self.simulation, KeyframePictures(self.viewport.small_picture, self.viewport.host.run, self), self)
        self.teleoperation = TeleoperationController(context, self.session, self.view_control, self.viewport.host, self)
        self.demonstrations = DemonstrationsController(context, self.session, self.teleoperation, self.companions, self)
        self.selection, self.places = SelectionController(context, self.view_control), PlaceLink()
        self.document_selection = DocumentSelection(context, self.session)
        self.text_selection = TextSelection(context, self.document_selection, self.places, self.session)
        self.selection.present_place = self.text_selection.place_of
        self.structure = Operations(self.session, self.document_selection, settings, self.window, lambda: context.model, Previews())
        self.files = FilesController(self.session, settings, self.window)
        self.edits = EditsController(self.session, self.window)
        self.recordings = RecordingController(context, self.session, self.window, self.files.start_folder)
        self.scripts = ScriptsController(context, self.viewport.host, self.window)
        self.window_control = WindowController(context, self.window, self.overlay, self.viewport.hover)
        self.film = FilmController(context, self.simulation, self.view_control, self.viewport.host, self.window, self.files.start_folder, self._show_recording)
        self.timeline = TimelineController(context, self.simulation, self.viewport)
        self.program_control = ProgramController(context, self.window, self.simulation, self.view_control, self.files, self.appearance, windows)
        self.program_control.idle = self._why_idle
        controllers = Controllers(self.simulation, self.view_control, self.files, self.window_control, self.film, self.program_control, self.selection, self.viewport.tools, self.timeline, self.scripts,
                                  self.companions, self.recordings, self.keyframes, TextCommands(self._source_panel), self.edits, self.structure, self.teleoperation, self.demonstrations,
                                  self.demonstrations.policy)
        self.actions = make_actions(self.viewport, controllers, settings)
        self.edits.follow(self.actions)
        services = Services(context, settings, self.session, self.simulation, self.view_control, self.selection, self.places, self.timeline, self.scripts, self.actions,
                            self.companions, self.advice, self.measuring, self.keyframes, self.divergence, self.document_selection, self.structure, self.teleoperation,
                            self.demonstrations, self.viewport.insets)
        self.window.assemble(services, self.viewport, self.actions, self.files.recent_menu)
        self.window.add_menu("&View", self.viewport.insets.menu)
        self.clicked_note = ClickedNote(context, self.overlay, self.viewport.refresh, self.actions["free_camera"])
        self.welcome = self.program_control.welcome = Welcome(context, self.session, self.files, self.viewport, self)
        self._title = self.window.windowTitle()
        self._frames = QTimer()
        self._frames.setTimerType(Qt.TimerType.PreciseTimer)
        self._frames.timeout.connect(self._frame)
        self._collector = GuiCollector()
        self._give_back = QTimer()
        self._give_back.timeout.connect(give_back_aside)
        self._connect()
        self._frames.start(self.viewport.interval)
        self._give_back.start(INTERVAL_MS)

    def _model_compiled(self, model) -> Callable[[], None] | None:
        """In the compiler's thread: what takes long for a large model and is needed to draw it; to be done while it is on its way."""
        self.loader.model_compiled(model)
        if model is None:
            return None
        preparation = self.context.prepared = Preparation(model)

        def prepare() -> None:
            with contextlib.suppress(Exception):    # what fails here fails again, and is told, where it is drawn
                self._prepared_last = preparation.make(self._prepared_last)

        if self.viewport.host.aside:
            return prepare
        prepare()       # who draws in the window's thread must not wait for it there
        return None

    def _connect(self) -> None:
        context, session = self.context, self.session
        self.window.file_dropped.connect(self._file_dropped)
        self.window.closing.connect(self.files.closing)
        self.window.closing.connect(self._closing)
        session.title_changed.connect(self._title_changed)
        session.problem_changed.connect(self._problem_changed)
        session.view_only_changed.connect(self._view_only_changed)
        session.loading_changed.connect(self._loading_changed)
        self.loader.progressed.connect(self._kernels_progressed)
        self.loader.failed.connect(self._kernels_failed)
        self.loader.first_ready.connect(self._first_kernels_ready)
        self.loader.ended.connect(self._kernels_ended)
        self.loader.ready.connect(self._kernels_ready)
        self.appearance.changed.connect(self._look_changed)
        context.settings.changed.connect(self._setting_changed)
        context.options_changed.connect(self._show_state_of_actions)
        self.viewport.hover.clicked.connect(self._clicked)
        self.viewport.cube.changed.connect(self._show_state_of_actions)
        self.viewport.tools.changed.connect(lambda: self.actions["pose"].setChecked(self.viewport.tools.name == "pose"))
        self.viewport.cube.note_clicked.connect(self.selection.show_all)
        self.selection.place_wanted.connect(self._show_place)
        self.structure.place_wanted.connect(self._show_place)
        self.structure.told.connect(lambda text: context.log("info", text) if text else None)
        self.selection.panel_wanted.connect(self.window.layout_of_docks.show)
        context.first_frame.connect(self.viewport.host.setFocus)
        self.viewport.context_begins.connect(self.film.forget_renderer)
        self.viewport.context_ends.connect(self.film.leave_context)
        self.viewport.pace_changed.connect(self._frames.setInterval)
        self.viewport.frame_due.connect(self._frame_at_once)
        self._input_taken.connect(self._frame_at_once, Qt.ConnectionType.QueuedConnection)
        self.runner.on_input = self._input_taken.emit
        self.viewport.host.gives_way = session.writes
        self.viewport.dragged = lambda: session.document.open_gesture is not None
        self.viewport.painted.connect(self.timeline.picture_seen)
        self.film.recording_changed.connect(self.actions["record"].setChecked)
        self.companions.changed.connect(self._show_companions)
        self.teleoperation.armed_changed.connect(self.actions["arm"].setChecked)
        self.companions.live = session.live
        self._connect_measuring()
        self.viewport.insets.put_away.connect(self.companions.put_away)
        self.demonstrations.export_wanted.connect(self._export_demonstrations)
        self.window.workspaces.chosen.connect(self._workspace_chosen)
        self.companions.needed.connect(lambda: self.window.layout_of_docks.show("companions"))
        self.companions.engines_needed.connect(lambda: self.window.layout_of_docks.show("engines"))
        self.divergence.needed.connect(lambda: self.window.layout_of_docks.show("divergence"))
        self.client.on_swap.append(session.swapped)
        self._look_changed()
        self._show_state_of_actions()

    def _connect_measuring(self) -> None:
        self.viewport.tools.make["measure"] = lambda: MeasureTool(self.measuring)
        self.viewport.painters += (self.measuring.paint, self.teleoperation.paint)
        connect_gizmos(self.context, self.view_control, self.viewport, self.session, self.document_selection, self.actions, self.window)
        for signal in (self.measuring.changed, self.measuring.answered):
            signal.connect(self.viewport.host.update)
        self.keyframes.ghost_changed.connect(self._take_ghosts)
        self.keyframes.place_wanted.connect(self._show_place)
        self.keyframes.panel_wanted.connect(lambda: self.window.layout_of_docks.show("keyframes"))
        self.measuring.plot_wanted.connect(lambda text: self.window.layout_of_docks.show("plots").add(text))

    # ------------------------------------------------------------------ what arrives

    def _frame(self, prompt: bool = False) -> None:
        """The time for a picture: news of the physics thread first. prompt: what the user has just set is there."""
        newer = self.client.poll(figures=not prompt)
        if newer:
            self.scripts.draw(self.client.snapshot)
        beside = self.companions.poll()
        if beside:
            self.context.show_ghosts("companions", self.companions.ghosts())
        self.viewport.frame(beside or newer, prompt)

    def _frame_at_once(self) -> None:
        """What the user has just set is there, or the picture that it waited for: by the next tick half a picture would be lost. Who shows figures hears of it with that."""
        if self._frames.isActive() and self.viewport.host.aside:    # not when the window has been closed meanwhile
            self._frame(prompt=True)

    def _take_ghosts(self) -> None:
        """Other poses of keyframes are to be drawn."""
        self.context.show_ghosts("keyframes", self.keyframes.ghosts)

    def _file_dropped(self, path: Path) -> None:
        if path.suffix == ".py":
            self.scripts.open(path)
        else:
            self.files.open(path)

    def _show_companions(self) -> None:
        """There are other companion runs, or they are shown otherwise."""
        self.context.show_ghosts("companions", self.companions.ghosts())
        self.viewport.insets.show_companions(self.companions.rows)
        self.viewport.refresh()

    def _export_demonstrations(self) -> None:
        panel = self.window.layout_of_docks.show("demonstrations")
        if panel is not None:       # not before the window is filled
            panel.recorded.export()

    def _workspace_chosen(self, workspace_id: str) -> None:
        """Cameras in the view are those of the workspace, where it has its own."""
        workspace = workspaces.by_id(workspace_id)
        self.viewport.insets.use(workspace.id if workspace.cameras else "", workspace.cameras)

    def _title_changed(self, title: str) -> None:
        self._title = title
        self.number_title(1)

    def number_title(self, number: int) -> None:
        """Tell this window from others on the same document: 1 is the first."""
        name, dash, program = self._title.rpartition(" - ")
        self.window.setWindowTitle(self._title if number == 1 else f"{name} [{number}]{dash}{program}")

    def _look_changed(self) -> None:
        self.overlay.scale = self.appearance.scale
        self.context.view_state.outline = OutlineStyle(QApplication.palette().highlight().color().getRgbF())
        self.context.options_changed.emit()

    def _setting_changed(self, name: str) -> None:
        """What is not asked for anew each time it is needed is told here."""
        settings = self.context.settings
        if name.startswith(KEYS):
            row = by_id(name.removeprefix(KEYS))
            bind_keys(self.actions[row.id], row, settings)
        elif name == "view/hover":
            self.viewport.hover.enabled = settings.get(name)
            self._show_state_of_actions()
        elif name == "view/look":
            self.view_control.choose_look(settings.get(name))

    def _why_idle(self, name: str) -> str:
        """Why a setting does nothing on this machine."""
        image = not isinstance(self.viewport.host, QOpenGLWidget)
        return "Does nothing here: no graphics card draws into this window" if name == "view/vsync" and image else ""

    def _problem_changed(self, text: str) -> None:
        self.overlay.problem = text
        self.viewport.refresh()

    def _show_recording(self, text: str) -> None:
        self.overlay.recording = text
        self.window.timeline.show_recording(text)
        self.viewport.refresh()

    def _source_panel(self):
        """The XML panel, brought to the front unless it is there."""
        panel = self.window.layout_of_docks.panels.get("source")
        return panel if panel is not None and not panel.visibleRegion().isEmpty() else self.window.layout_of_docks.show("source")

    def _show_place(self, place) -> None:
        panel = self._source_panel()
        if panel is not None:
            panel.go_to(place)

    def _clicked(self, thing, click) -> None:
        if not click.menu:
            self.selection.clicked(thing, click)
            return
        menu, what = QMenu(self.viewport), thing.element if thing is not None else None
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if what is not None:
            elements = self.context.selection.elements if self.context.is_selected(what) else (what,)
            fill_element_menu(menu, elements, self.context, self.selection, thing.point)
            number = self.document_selection.id_of(what)
            if number is not None and not self.session.document.sealed:
                add_text_menu(menu, self.structure, number, lambda: number in self.document_selection.ids or self.document_selection.select((number,)))
        else:
            fill_view_menu(menu, self.actions)
        menu.popup(self.viewport.host.mapToGlobal(click.at.toPoint()))

    def _loading_changed(self, name: str) -> None:
        self.overlay.loading = f"Loading {name}..." if name else ""
        self.viewport.refresh()

    def _view_only_changed(self, text: str) -> None:
        self.overlay.notice = text
        self.viewport.refresh()

    def _kernels_progressed(self, done: int, total: int, _name: str) -> None:
        what = "the rest of the physics engine" if self.loader.some_ready else "the physics engine"
        self.context.busy(f"Compiling {what}: {done} of {total} (once)", done / max(1, total), "kernels")

    def _first_kernels_ready(self) -> None:
        self.viewport.spare(True)   # the model moves, and the rest is compiled beside it
        self.runner.kernels_ready()

    def _kernels_failed(self, text: str) -> None:
        self._problem_changed(f"The physics kernels could not be compiled: {text}")

    def _kernels_ended(self) -> None:
        self.viewport.spare(False)
        self.context.idle("kernels")

    def _kernels_ready(self) -> None:
        self.context.idle("kernels")
        self.runner.kernels_ready()

    def _show_state_of_actions(self) -> None:
        options = self.context.options
        for action_id, action in self.actions.items():
            if action_id.startswith("flag_"):
                action.setChecked(options[action_id.removeprefix("flag_")])
        self.actions["physical_look"].setChecked(options.look == "physical")
        self.actions["info"].setChecked(self.overlay.show_info)
        self.actions["hover"].setChecked(self.viewport.hover.enabled)
        self.actions["view_cube"].setChecked(self.viewport.cube.on)
        for name in ("dark", "light", "system"):
            self.actions[f"theme_{name}"].setChecked(self.context.settings.get("view/theme") == name)
        self.actions["full_speed"].setChecked(self.simulation.speed is None and self.simulation.steps_per_picture is None)

    # ------------------------------------------------------------------ the end

    def _closing(self, event: QCloseEvent) -> None:
        if event.isAccepted():
            QTimer.singleShot(0, self.closed)   # when the window has remembered its arrangement

    def close(self, keep_unsaved: bool = False) -> None:
        """Stop every thread; the window is gone or about to go. keep_unsaved: a copy of unsaved text stays for the next start."""
        self._frames.stop()
        self._give_back.stop()
        self.viewport.tools.cancel()
        self.timeline.close()
        self.view_control.close()
        self.welcome.close()
        self.film.close()
        self.scripts.close()
        if (console := self.window.layout_of_docks.panels.get("console")) is not None:
            console.end()
        for work in self.window.findChildren(NewestWork):
            work.end()
        self.session.close(keep_unsaved=keep_unsaved)
        self.demonstrations.close()
        self.teleoperation.close()
        self.divergence.close()
        self.companions.close()
        self.advice.close()
        self.recordings.close()
        self.runner.stop()
        self.runner.on_input = None
        self.viewport.host.leave()
        self._collector.end()   # last: the threads have ended

    def let_go(self) -> None:
        """After `close`: free the window and all that hangs on it. What its signals were connected to would keep the whole of it alive."""
        for part in (self.window, self.session, self.film, self.timeline, self.scripts, self.recordings, self.companions, self.divergence, self.advice, self.teleoperation, self.demonstrations, self._frames,
                     self._give_back, self.context, self):
            part.deleteLater()


@dataclass(frozen=True, slots=True)
class Controllers:
    """What the handlers of the action table name."""

    simulation: SimulationController
    view: ViewController
    files: FilesController
    window: WindowController
    film: FilmController
    program: ProgramController
    selection: SelectionController
    tools: Tools
    timeline: TimelineController
    scripts: ScriptsController
    companions: CompanionsController
    recordings: RecordingController
    keyframes: Keyframes
    text: TextCommands
    edits: EditsController
    structure: Operations
    teleoperation: TeleoperationController
    demonstrations: DemonstrationsController
    policy: PolicyController


def make_actions(viewport: Viewport, controllers: Controllers, settings: Settings) -> dict[str, QAction]:
    """A QAction per row of the table; those of scope VIEW act while the view has the focus."""
    made = {}
    for row in ACTIONS:
        action = QAction(row.text, viewport)
        action.setProperty("id", row.id)
        action.setProperty("menu", row.menu)
        action.setProperty("scope", row.scope)
        bind_keys(action, row, settings)
        action.setCheckable(row.checkable or row.id.startswith("flag_"))
        action.setProperty("picture", row.icon)
        action.triggered.connect(_trigger(row, controllers))
        if row.scope in (VIEW, TEXT):     # those of the text: editor.source.text_keys
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        if row.scope == VIEW:
            viewport.host.addAction(action)
        made[row.id] = action
    return made


def bind_keys(action: QAction, row: Action, settings: Settings) -> None:
    """Give an action the keys that are bound to it now; its tip tells the first."""
    keys = settings.keys(row.id, row.keys)
    action.setShortcuts([QKeySequence(key) for key in keys])
    action.setToolTip(f"{row.tip or row.text} ({keys[0]})" if keys else row.tip or row.text)


def _trigger(row: Action, controllers: Controllers):
    controller, _, method = row.handler.partition(".")
    handler = getattr(getattr(controllers, controller), method)
    if row.argument is not None:
        return lambda _checked=False: handler(row.argument)
    return handler if row.checkable else lambda _checked=False: handler()
