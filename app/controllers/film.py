"""Pictures and films of the view: the dialogs, the recording under way and its mark."""
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from pathlib import Path

from PyQt6.QtCore import QObject, Qt, QTimer, pyqtSignal
from PyQt6.QtWidgets import QWidget

from app.bridge.track import Track
from app.bridge.view import default_camera
from app.bridge.view_state import ViewState
from app.context import AppContext
from app.controllers.simulation import SimulationController
from app.controllers.view import ViewController
from app.dialogs.files import ask_for_new_file, with_suffix
from app.film.formats import CLEAR_VIDEO, VIDEO, FilmError, check_size, is_numbered, picture_format
from app.film.live_recording import LiveRecording
from app.film.offscreen_renderer import OffscreenRenderer, Texts
from app.film.plan import FilmPlan
from app.film.process import FilmProcess
from app.film.writers import write_picture
from physics.runtime.snapshot import Snapshot
from render.quality import QUALITIES
from render.scene.camera import FIXED, FREE, TRACKING, CameraState

NUMBERED_FILTER, CLEAR_NUMBERED_FILTER = "Numbered pictures (*.png *.jpg *.webp *.tif)", "Numbered pictures (*.png *.webp *.tif)"
PICTURE_FILTER = "Pictures (*.png *.jpg *.webp *.tif)"
LOOK_AGAIN = 5          # ms until the recording is looked at again
MARK_INTERVAL = 0.2     # s between changes of the mark


class FilmController(QObject):
    """Handlers of the picture and film actions. Signal: recording_changed(bool) when a film begins or has ended.

    host: the widget with the picture (app.viewport.hosts), whose GL context draws pictures too; start_folder(): where files are looked for at
    first; show_mark(text): write beside the red dot in the view, '' for no dot.
    """

    recording_changed = pyqtSignal(bool)

    def __init__(self, context: AppContext, simulation: SimulationController, view_control: ViewController, host: QWidget,
                 window: QWidget, start_folder: Callable[[], Path], show_mark: Callable[[str], None]):
        super().__init__()
        self._context, self._simulation, self._view_control = context, simulation, view_control
        self._host, self._window, self._start_folder, self._show_mark = host, window, start_folder, show_mark
        self.recording: LiveRecording | None = None
        self.dialog = None
        self._renderer: OffscreenRenderer | None = None
        self._renderer_quality = None      # quality the renderer was made for
        self._leaving = False       # the view's GL context is current, for the last time
        self._camera: CameraState | None = None     # the film's own; None: the window's
        self._through = ("camera", "", 0)           # kind and name of what that hangs on, and the generation of the model
        self._process: FilmProcess | None = None    # begun while the user still chooses
        self._track = Track()
        self._marked_at = 0.0
        self._timer = QTimer()
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._turn)

    # ------------------------------------------------------------------ pictures

    def picture(self) -> None:
        """Ask how large and what with, then for a name, and write a picture of the present state."""
        from app.dialogs.film import PictureDialog

        self._open(PictureDialog(self._context.settings, self.view_size(), self._window), self._picture_accepted)

    def _picture_accepted(self) -> None:
        wanted = self.dialog.wanted()
        path = ask_for_new_file(self._window, "Picture", self._folder() / "picture.png", PICTURE_FILTER, lambda entered, _filter: with_suffix(entered, ".png"))
        if path is not None:
            self._context.settings.set("film/folder", str(path.parent))
            self.write_picture(path, **wanted)

    def write_picture(self, path: Path, size=None, transparent: bool = False, labels: bool = True) -> bool:
        """Write the present state as a picture of any size; False (and a log entry) when that fails."""
        snapshot = self._context.snapshot
        if snapshot is None:
            return False
        size = size or self.view_size()
        try:
            check_size(*size)
            form = picture_format(path, transparent)
            self._renderer_now().begin()
            present = self._context.view_state
            unselected = self._context.with_added(ViewState(trail_body=present.trail_body, track=present.track))
            write_picture(path, self._renderer_now().shot(snapshot, self._context.options, self._view_control.camera, size, Texts(labels), transparent, unselected), form)
        except FilmError as error:
            self._context.log("error", f"No picture: {error}")
            return False
        self._context.log("info", f"Picture of {size[0]} x {size[1]} written to {path}")
        return True

    def view_size(self) -> tuple[int, int]:
        """Size of the view [device pixels]."""
        host = self._host
        return tuple(max(1, round(side * host.devicePixelRatioF())) for side in (host.width(), host.height()))

    # ------------------------------------------------------------------ films

    def record(self, _checked: bool = False) -> None:
        """Ask what to record and begin, or end the recording."""
        from app.dialogs.film import FilmDialog

        if self.recording is not None:
            self.recording.stop()
        elif self._context.model is not None:
            with suppress(FilmError):   # told when the film begins
                self._process = self._process or FilmProcess()
            self._open(FilmDialog(self._context.settings, self._context.model, self._simulation.speed, self.view_size(), self._window), self._film_accepted)
            self.dialog.rejected.connect(self._dismiss)
        self._show_state()

    def _film_accepted(self) -> None:
        wanted = self.dialog.wanted()
        suffixes, numbered = (CLEAR_VIDEO, CLEAR_NUMBERED_FILTER) if wanted["transparent"] else (tuple(VIDEO), NUMBERED_FILTER)
        filters = f"Films ({' '.join('*' + suffix for suffix in suffixes)});;{numbered}"
        path = ask_for_new_file(self._window, "Record a film", self._folder() / f"film{suffixes[0]}", filters,
                                lambda entered, kind: film_path(entered, kind == numbered, suffixes[0]))
        if path is not None:
            self._context.settings.set("film/folder", str(path.parent))
            self.start(FilmPlan(path, **wanted))
        self._dismiss()
        self._show_state()

    def _dismiss(self) -> None:
        """No film after all."""
        if self._process is not None:
            self._process.dismiss()
        self._process = None

    def start(self, plan: FilmPlan) -> bool:
        """Begin to record; False (and a log entry) when the plan cannot be carried out."""
        if self.recording is not None:
            return False
        try:
            plan.checked()
            if self._context.model is None or self._context.model.view_only:
                raise FilmError(f"{plan.path}: there is no simulation to record")
            process = self._process if self._process is not None and not self._process.over else FilmProcess()
            self._process = None
        except FilmError as error:
            self._context.log("error", f"No film: {error}")
            return False
        self._camera = None if plan.camera is None else self._camera_at(plan.camera)
        self._through = self._hold(self._context.snapshot)
        with self._lent():      # no picture feeds the track meanwhile
            self._track = self._context.view_state.track.copy()    # the process goes on with the trails from here
        self.recording = LiveRecording(plan, self._context.runner, self._look, process, self._context.settings.get("film/quality") or None)
        self._timer.start(LOOK_AGAIN)
        self._show_state()
        return True

    def _camera_at(self, index: int) -> CameraState:
        return CameraState(FIXED, fixedcamid=index) if index >= 0 else self._view_control.camera

    def _look(self, snapshot: Snapshot):
        """What a frame state is drawn with: the window's present choice, and its camera unless the film has one."""
        camera, m = self._film_camera(snapshot), snapshot.model
        if camera.kind == FIXED and camera.fixedcamid >= m.ncam or camera.kind == TRACKING and camera.trackbodyid >= m.nbody:
            camera = default_camera(m)      # the window's, and the window is a model ahead
        track, self._track = self._track, Track()
        state = ViewState(trail_body=self._context.view_state.trail_body, track=track)   # nothing shown as selected
        return self._context.options, camera, self._context.with_added(state)

    def _hold(self, snapshot: Snapshot) -> tuple[str, str, int]:
        camera, m = self._camera, snapshot.model
        if camera is None or camera.kind == FREE:
            return "camera", "", snapshot.generation
        kind, index = ("camera", camera.fixedcamid) if camera.kind == FIXED else ("body", camera.trackbodyid)
        return kind, m.name(kind, index), snapshot.generation

    def _film_camera(self, snapshot: Snapshot) -> CameraState:
        """The film's own camera, found again by name in a model that was reloaded; the window's where there is none."""
        kind, name, generation = self._through
        if self._camera is not None and snapshot.generation != generation and self._camera.kind != FREE:
            m, attribute = snapshot.model, "fixedcamid" if kind == "camera" else "trackbodyid"
            index = m.id(kind, name) if name else getattr(self._camera, attribute)
            found = 0 <= index < (m.ncam if kind == "camera" else m.nbody)
            self._camera = replace(self._camera, **{attribute: index}) if found else None
            if not found:
                self._context.log("warning", f"The film's {kind} '{name}' is gone; it goes on as the window looks")
            self._through = (kind, name, snapshot.generation)
        return self._camera or self._view_control.camera

    def _turn(self) -> None:
        """Hand the frame states over that are there."""
        recording = self.recording
        if recording is None:
            return
        while recording.turn():
            pass
        if recording.finished:
            self._end(recording)
            return
        now = time.perf_counter()
        if now - self._marked_at >= MARK_INTERVAL:
            self._marked_at = now
            self._mark()
        self._timer.start(LOOK_AGAIN)

    def _end(self, recording: LiveRecording) -> None:
        self.recording = None
        self._context.idle("film")
        path, frames = recording.plan.path, recording.written
        if recording.error is not None:
            self._context.log("error", f"No film: {recording.error}")
        elif not frames:
            self._context.log("warning", f"Nothing was recorded into {path.name}: no simulated time passed")
        else:
            width, height = recording.plan.drawn_size
            self._context.log("info", f"Film written to {path}: {frames} frames of {width} x {height}, {float(frames / recording.plan.rate):.4g} s")
        self._show_state()

    def close(self) -> None:
        """The program ends: complete the film that is being recorded, free the renderer."""
        self._timer.stop()
        if self.recording is not None:
            self.recording.close()
            self._end(self.recording)
        self._dismiss()
        self._drop_renderer()

    # ------------------------------------------------------------------ what both need

    def _open(self, dialog, accepted) -> None:
        if self.dialog is not None:
            self.dialog.deleteLater()       # answered
        self.dialog = dialog
        dialog.accepted.connect(accepted)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        dialog.open()

    def _folder(self) -> Path:
        remembered = self._context.settings.get("film/folder")
        return Path(remembered) if remembered and Path(remembered).is_dir() else self._start_folder()

    def _renderer_now(self) -> OffscreenRenderer:
        """The renderer, in the view's GL context."""
        quality = self._context.settings.get("film/quality")
        if self._renderer is None or quality != self._renderer_quality:
            self._drop_renderer()
            self._renderer, self._renderer_quality = OffscreenRenderer(QUALITIES.get(quality), self._lent), quality
        return self._renderer

    def _lent(self):
        return nullcontext() if self._leaving else self._host.current()

    def _drop_renderer(self) -> None:
        if self._renderer is not None:
            self._renderer.close()
        self._renderer = None

    def leave_context(self) -> None:
        """The view's GL context goes and is current: free what the renderer has in it."""
        self._leaving = True
        try:
            self._drop_renderer()
        finally:
            self._leaving = False

    def forget_renderer(self) -> None:
        """The view has a new GL context: what the renderer still had was lost with the old one."""
        self._renderer = None

    def _show_state(self) -> None:
        self.recording_changed.emit(self.recording is not None)
        self._mark()

    def _mark(self) -> None:
        recording = self.recording
        if recording is not None and recording.stopping:
            self._context.busy("Writing the film", recording.written / max(1, recording.frames), "film")
        self._show_mark("" if recording is None else mark_text(recording, bool(self._context.snapshot and self._context.snapshot.running)))


def mark_text(recording: LiveRecording, running: bool) -> str:
    """What stands beside the red dot."""
    minutes, seconds = divmod(recording.seconds, 60)
    text = f"{int(minutes)}:{seconds:04.1f}"
    if recording.plan.limit:
        text += f" of {recording.plan.limit:g} s"
    if recording.stopping:
        return f"{text}   writing {recording.written} of {recording.frames}"
    return text if running else f"{text}   paused"


def film_path(path: Path, numbered: bool, suffix: str = ".mp4") -> Path:
    """The name a film gets for what was entered: a suffix where there is none, a number where pictures are asked for."""
    if numbered and not is_numbered(path):
        path = path.with_name(f"{path.stem}_%05d{path.suffix if path.suffix and path.suffix not in VIDEO else '.png'}")
    return with_suffix(path, suffix)
