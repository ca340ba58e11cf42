"""Recordings: saving what happened, opening it again, and reports that hold all that is needed to see what somebody saw."""
import contextlib
import shutil
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from PyQt6.QtCore import QObject, Qt, pyqtSignal
from PyQt6.QtWidgets import QFileDialog, QWidget

from app.context import AppContext
from app.dialogs.files import ask_for_new_file, with_suffix
from app.recordings.recorder import Opened, Recorder, texts_of
from app.session import Session
from app.settings import SETTINGS, state_folder
from app.timeline.bookmarks import Bookmark
from app.timeline.region import Region
from physics.recording.first_bytes import SUFFIX, is_recording

LIMIT = "recording/disk_mb"     # setting
FILTER = "Recordings (*.h5)"
PRIVATE = ("files/recent", "files/folder", "film/folder", "palette/recent", "log/file", "window/geometry", "run/panels", "run/start_keys", "view/insets")     # settings that are nobody's business
WHO = "recording"               # is busy


class RecordingController(QObject):
    """Handlers of the actions about recordings. compile_texts: makes a Model of texts, for recordings of other versions. Signals: saved(path, why it failed or ''),
    opened(whether it is shown)."""

    saved = pyqtSignal(str, str)
    opened = pyqtSignal(bool)
    _progressed = pyqtSignal(str, float)
    _saved = pyqtSignal(str, str)
    _read = pyqtSignal(object)
    _told = pyqtSignal(str, str)

    def __init__(self, context: AppContext, session: Session, window: QWidget, start_folder: Callable[[], Path]):
        super().__init__()
        self._context, self._session, self._window, self._start_folder = context, session, window, start_folder
        self._left: list = []       # runs that were not closed (app.recordings.folders.LeftRun), the newest first
        self.recorder = Recorder(context.runner, state_folder() / "recordings", self._tell, compile_texts)
        self.recorder.extras = self._marks
        self._whole: Path | None = None     # file of the whole run, while it is made and read
        self._opened_marks: Opened | None = None    # whose bookmarks are to be shown, when its model is
        if context.runner.keeps_history:
            session.model_keepers.append(self.recorder.keep_model)
        session.open_recording = self.open
        session.document_opened.connect(self._document_opened)
        self._progressed.connect(self._show_progress)
        self._saved.connect(self._take_saved)
        self._read.connect(self._take_read)
        self._told.connect(context.log)
        context.settings.changed.connect(self._setting_changed)
        context.first_frame.connect(self._begin)
        context.model_changed.connect(self._model_changed, Qt.ConnectionType.QueuedConnection)     # after those that forget another document's bookmarks

    def _begin(self) -> None:
        """With the first picture: until then every import counts."""
        if self._context.runner.keeps_history:
            self.recorder.begin(int(self._context.settings.get(LIMIT)))

    def _setting_changed(self, name: str) -> None:
        if name == LIMIT:
            self.recorder.set_limit(int(self._context.settings.get(LIMIT)))

    def _document_opened(self) -> None:
        path = self._session.path
        self.recorder.name = path.name if path is not None else self._session.document.main.name

    def _tell(self, level: str, text: str) -> None:
        """In any thread."""
        emit(self._told, level, text)

    # ------------------------------------------------------------------ saving

    def save(self) -> None:
        """Ask for a name and write everything that happened."""
        path = self._ask("Save recording", self._stem())
        if path is not None:
            self.save_to(path)

    def save_to(self, path: Path, more: Mapping[str, Any] = MappingProxyType({})) -> None:
        """Write everything that happened to this file; told in the log when it is there."""
        self._context.busy(f"Saving {path.name}", 0.0, WHO)
        self.recorder.save(path, more, self._telling(f"Saving {path.name}"), lambda why: emit(self._saved, str(path), why))

    def report(self) -> None:
        """Ask what happened, then for a name: a recording with log, settings and versions, without the names of one's folders."""
        from app.dialogs.report import ask_for_note

        note = ask_for_note(self._window)
        if note is None:
            return
        path = self._ask("Save report", f"{self._stem()}_report")
        if path is not None:
            self.save_to(path, report_of(self._context, note))

    def _ask(self, title: str, stem: str) -> Path | None:
        return ask_for_new_file(self._window, title, self._start_folder() / f"{stem}{SUFFIX}", FILTER, lambda entered, _filter: with_suffix(entered, SUFFIX))

    def _stem(self) -> str:
        path = self._session.path
        return path.stem if path is not None else "recording"

    def _take_saved(self, path: str, why: str) -> None:
        self._context.idle(WHO)
        name = Path(path).name
        if self._whole == Path(path) and not why:
            self.open(self._whole)
            return
        self._context.log("error" if why else "info", f"Not saved: {name}: {why}" if why else f"Saved {name}: {size_text(Path(path))}")
        if self._whole == Path(path):
            self._forget_whole()
        self.saved.emit(path, why)

    # ------------------------------------------------------------------ opening

    def open_dialog(self) -> None:
        """Ask for a recording and open it."""
        name, _ = QFileDialog.getOpenFileName(self._window, "Open recording", str(self._start_folder()), f"{FILTER};;All files (*)")
        if name and self._session.may_leave():
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Read a recording and show it as soon as it is there; False (and a message) for a file that is none."""
        if not is_recording(path):
            self._session.recording_failed(f"{path}: this is no recording of Linkwork")
            return False
        self._start(path, path.name)
        return True

    def look_for_left(self) -> None:
        """At the start of the program: is there a run that was not closed?"""
        from app.recordings.folders import left_runs

        self._left = left_runs(self.recorder.home, int(self._context.settings.get(LIMIT)) << 20)
        if self._left:
            self._context.log("info", f"A recording of {self._left[0].name or 'a model'} was not closed: File > Open what was not closed shows it")

    def open_left(self) -> None:
        """Open the newest run that was not closed."""
        left = next((run for run in self._left if run.folder.exists()), None)
        if left is None:
            self._context.log("info", "There is no recording that was not closed")
        elif self._session.may_leave():
            self._start(left, left.name)

    def open_whole_run(self) -> None:
        """Open what the disk has of this run in its place: with the steps that the memory has lost."""
        snapshot = self._context.snapshot
        if snapshot is None or not snapshot.history_gone:
            self._context.log("info", "No step is missing: the memory has all of them")
        elif self._session.may_leave():
            self._whole = Path(tempfile.mkdtemp(prefix="linkwork-")) / f"{self._stem()}_run{SUFFIX}"
            self.save_to(self._whole)

    def _forget_whole(self) -> None:
        """The file of the whole run has been read, or could not be made."""
        if self._whole is not None:
            shutil.rmtree(self._whole.parent, ignore_errors=True)
            self._whole = None

    def _start(self, what, name: str) -> None:
        self._context.busy(f"Reading {name}", 0.0, WHO)
        self.recorder.open(what, self._telling(f"Reading {name}"), lambda opened: emit(self._read, opened))

    def _telling(self, text: str) -> Callable[[float], None]:
        return lambda share: emit(self._progressed, text, share)

    def _take_read(self, opened: Opened | str) -> None:
        self._context.idle(WHO)
        self._forget_whole()
        if isinstance(opened, str):
            self._session.recording_failed(f"The recording cannot be opened: {opened}")
            self.opened.emit(False)
            return
        texts, main = texts_of(opened)
        self._session.show_recording(opened.path, texts, main, opened.prepared)
        self._opened_marks = opened
        self.recorder.discard(opened.left)
        self._left = [run for run in self._left if run is not opened.left]
        recording = opened.recording
        self._context.log("info", f"{opened.path.name}: {recording.steps} steps, {len(recording.branches)} branch{'es' * (len(recording.branches) > 1)}")
        if recording.note:
            self._context.log("info", f"{opened.path.name}: {recording.note}")
        self.opened.emit(True)

    def _model_changed(self, _model) -> None:
        """The model of a recording runs: its bookmarks and its region are the window's."""
        if self._opened_marks is None or not self._session.shown:
            return
        opened, self._opened_marks = self._opened_marks, None
        recording = opened.recording
        self._context.bookmarks.replace_all(Bookmark(mark.number, mark.time, mark.name, mark.branch, mark.png) for mark in recording.bookmarks)
        for region in recording.regions[:1]:
            self._context.region.take(Region(region.number, region.last, region.branch))

    def _marks(self) -> dict[str, tuple]:
        """Bookmarks and the region, for the recording. In another thread."""
        region = self._context.region.region
        return {"bookmarks": tuple((int(mark.number), int(mark.branch), float(mark.time), mark.name, mark.thumbnail) for mark in self._context.bookmarks.all),
                "regions": () if region is None else ((*map(int, region), ""),)}

    def _show_progress(self, text: str, share: float) -> None:
        self._context.busy(text, share, WHO)

    def close(self) -> None:
        """The window is closed."""
        self.recorder.close()
        self._forget_whole()


def emit(signal, *values) -> None:
    """From another thread; nothing where the window was closed meanwhile."""
    with contextlib.suppress(RuntimeError):
        signal.emit(*values)


def report_of(context: AppContext, note: str) -> dict[str, Any]:
    """What a report holds beside the recording, for physics.recording.convert."""
    lines = [f"{told.isoformat(timespec='seconds')} {level:<7} {text}" for (level, text), told in zip(context.log_lines, context.log_times, strict=True)]
    settings = {name: str(context.settings.get(name)) for name in SETTINGS if name not in PRIVATE}
    return {"note": note, "log": lines, "settings": settings, "hide": [[str(Path.home()), "~"]]}


def size_text(path: Path) -> str:
    """How large a file is."""
    size = path.stat().st_size if path.exists() else 0
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def compile_texts(texts: Mapping[str, str]):
    """A Model of the texts that a recording holds, main first. Raises ModelError."""
    from physics.compiler.compile import compile_root
    from physics.mjcf import reader

    main = next(iter(texts))
    return compile_root(reader.read_text(texts[main], name=main, base_dir=str(Path(main).parent), files=dict(texts)), stand_ins=True)
