"""Episodes that are recorded, those of this run and those of files: listed, opened, checked, edited and exported in the background.

    folder of demonstrations --thread--> recordings          chosen episodes --process--> checked, a new recording, a data set
"""
from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from PyQt6.QtCore import QObject, QTimer, pyqtSignal

from app.context import AppContext
from app.controllers.teleoperation.background_job import LONGEST, BackgroundJob
from app.session import Session
from physics.recording.first_bytes import SUFFIX
from physics.runtime import commands

if TYPE_CHECKING:   # at the start every import counts: episodes are imported with the first recording
    from app.demonstrations.episodes import Episode

DATA_SETS = "demonstrations/data_sets"     # setting
ENDINGS = MappingProxyType({"robomimic": ".hdf5"})      # of files; the others are folders
MOST = 100          # recordings of a folder that are listed, the newest
DOING = MappingProxyType({"check": "Replaying", "trim": "Trimming", "split": "Cutting", "without": "Cutting", "merge": "Merging", "export": "Exporting"})


class PresentRun(Protocol):
    """What is known of this run's demonstrations (DemonstrationsController)."""

    changed: Any
    all: tuple[Episode, ...]
    folder: Path
    name: str

    def run_on_disk(self) -> Path: ...


@dataclass(frozen=True, slots=True)
class RecordedFile:
    """A recording with its episodes. timestep: of its model [s]; problem: why it cannot be read, '' where it can."""

    path: Path
    episodes: tuple[Episode, ...] = ()
    timestep: float = 0.0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Chosen:
    """Episodes of one recording. path: None for this run; numbers: of the episodes."""

    path: Path | None
    numbers: tuple[int, ...]

    @property
    def title(self) -> str:
        """Whose they are."""
        return "this run" if self.path is None else self.path.name


class RecordedEpisodes(QObject):
    """Signals: changed() other recordings are listed; progressed(text, share) what is done, '' when it is over; told(text) what came of it; exported(what came of it or None, why not);
    made(path) a recording that was not there before."""

    changed = pyqtSignal()
    progressed = pyqtSignal(str, float)
    told = pyqtSignal(str)
    exported = pyqtSignal(object, str)
    made = pyqtSignal(Path)
    _read = pyqtSignal(int, object)

    def __init__(self, context: AppContext, session: Session, demonstrations: PresentRun):
        super().__init__(demonstrations)
        self._context, self._session, self.demonstrations = context, session, demonstrations
        self.files: tuple[RecordedFile, ...] = ()       # the newest first
        self._added: list[Path] = []    # that lie elsewhere
        self._known: dict[tuple[Path, int, int], RecordedFile] = {}     # by path, time and size: read once
        self._finished: set[Path] = set()       # folders whose unfinished runs were made files of
        self._looks = 0
        self._thread: threading.Thread | None = None
        self._closed = False
        self._doing = ""
        self._wanted: tuple[Path, Episode] | None = None    # the episode to be shown when its recording is there
        self._job = BackgroundJob(self)
        self._job.progressed.connect(lambda share: self.progressed.emit(self.doing, share))
        self._job.ended.connect(self._take)
        self._read.connect(self._take_read)
        context.model_changed.connect(lambda _model: QTimer.singleShot(0, self._show_wanted))     # after those that forget another document's region

    # ------------------------------------------------------------------ what there is

    def look(self) -> None:
        """Read what lies in the folder of demonstrations."""
        self._looks += 1
        self._thread = threading.Thread(target=self._list, args=(self._looks, self.demonstrations.folder, tuple(self._added)), name="demonstrations' list", daemon=True)
        self._thread.start()

    def add(self, paths: Iterable[Path]) -> None:
        """List files that lie elsewhere, too."""
        self._added = list(dict.fromkeys((*self._added, *paths)))
        self.look()

    def _list(self, number: int, folder: Path, added: tuple[Path, ...]) -> None:
        """In a thread of its own: what there is, then what a program has left there that was killed."""
        self._tell_files(number, folder, added)
        if folder not in self._finished:
            from app.demonstrations.keeper import finish_left

            self._finished.add(folder)
            if finish_left(folder, stopping=lambda: self._closed):
                self._tell_files(number, folder, added)

    def _tell_files(self, number: int, folder: Path, added: tuple[Path, ...]) -> None:
        stamps: list[tuple[float, Path, tuple[Path, int, int]]] = []
        with contextlib.suppress(OSError):
            added = (*added, *folder.glob(f"*{SUFFIX}"))
        for path in dict.fromkeys(added):
            with contextlib.suppress(OSError):
                told = path.stat()
                if told.st_size:        # else its name alone is taken as yet
                    stamps.append((told.st_mtime, path, (path, told.st_mtime_ns, told.st_size)))
        newest = sorted(stamps, key=lambda one: (one[0], one[1].name), reverse=True)[:MOST]
        files = []
        for _time, path, key in newest:
            if key not in self._known:
                self._known[key] = read_episodes(path)
            files.append(self._known[key])
        with contextlib.suppress(RuntimeError):     # the window is closed
            self._read.emit(number, tuple(files))

    def _take_read(self, number: int, files: tuple[RecordedFile, ...]) -> None:
        if number == self._looks and files != self.files:
            self.files = files
            self.changed.emit()

    def episodes_of(self, path: Path | None) -> tuple[Episode, ...]:
        """Those of a recording, None: of this run."""
        if path is None:
            return self.demonstrations.all
        return next((file.episodes for file in self.files if file.path == path), ())

    def episode(self, path: Path | None, number: int) -> Episode | None:
        """One of them."""
        return next((one for one in self.episodes_of(path) if one.number == number), None)

    def timestep(self, path: Path | None) -> float:
        """Of a recording's model [s]."""
        if path is None:
            return float(self._context.model.opt_timestep) if self._context.model is not None else 0.0
        return next((file.timestep for file in self.files if file.path == path), 0.0)

    def marked(self, episode: Episode) -> tuple[float, float] | None:
        """The part of an episode of this run that is marked in the timeline [s since its beginning], None where none of it is."""
        region = self._context.region
        if self._context.snapshot is None or not region.shown(self._context.snapshot):
            return None
        first, last = max(episode.first, region.region.first), min(episode.last, region.region.last)
        step = self.timestep(None)
        return ((first - episode.first) * step, (last - episode.first) * step) if last > first else None

    def data_set_place(self, form: str) -> Path:
        """A name for a data set of a format that none has, where the last one went, else beside the model."""
        said, path = self._context.settings.get(DATA_SETS), self._session.document.path
        folder = Path(said) if said and Path(said).is_dir() else path.parent if path is not None else Path.home()
        return unused(folder / (self.demonstrations.name + ENDINGS.get(form, f"-{form}")))

    # ------------------------------------------------------------------ showing

    def open(self, path: Path | None, number: int) -> None:
        """Go to the beginning of an episode, which becomes the region of the timeline; of a file: open it in the window."""
        episode = self.episode(path, number)
        if episode is None:
            return
        if path is None:
            self._go_to(episode)
        elif self._session.may_leave():
            self._wanted = path, episode
            if not self._session.open_recording(path):
                self._wanted = None

    def _show_wanted(self) -> None:
        if self._wanted is not None and self._session.shown and self._session.document.recorded == self._wanted[0].absolute():
            (_path, episode), self._wanted = self._wanted, None
            self._go_to(episode)

    def _go_to(self, episode: Episode) -> None:
        snapshot = self._context.snapshot
        if not episode.whole:
            self.told.emit(f"Episode {episode.number} was run over later: it can be checked and exported, not scrubbed.")
        elif snapshot is None or episode.first < snapshot.history_gone:
            self.told.emit(f"The states of episode {episode.number} are not in memory any more: open its recording.")
        else:
            self._context.region.mark(snapshot, episode.first, episode.last)
            self._context.runner.latest("scrub", commands.ScrubTo(episode.first))

    # ------------------------------------------------------------------ in the background

    @property
    def busy(self) -> bool:
        """Whether something is being done."""
        return self._job.busy

    @property
    def doing(self) -> str:
        """What, in a word."""
        return DOING.get(self._doing, "")

    def place(self, path: Path | None) -> Path:
        """What a recording lies in, of this run with all that happened so far. For a thread that may wait. Raises ValueError."""
        return path if path is not None else self.demonstrations.run_on_disk()

    def cancel(self) -> None:
        """Give up what is being done."""
        self._job.cancel()

    def check(self, chosen: Iterable[Chosen]) -> None:
        """Do episodes again and tell whether each comes out to the bit."""
        self._begin("check", lambda: {"sources": self._sources(chosen)})

    def trim(self, path: Path | None, number: int, start: float, end: float) -> None:
        """A new recording in which an episode is what lies between two times [s]."""
        self._edit("trim", path, "trimmed", episode=number, start=start, end=end)

    def split(self, path: Path | None, number: int, at: float) -> None:
        """A new recording in which an episode is two."""
        self._edit("split", path, "cut", episode=number, at=at)

    def without(self, chosen: Chosen) -> None:
        """A new recording without these episodes."""
        self._edit("without", chosen.path, "cut", episodes=list(chosen.numbers))

    def merge(self, chosen: Iterable[Chosen]) -> None:
        """A new recording of these episodes."""
        chosen = tuple(chosen)
        self._begin("merge", lambda: {"sources": self._sources(chosen), "output": self._new(chosen[0].path, "merged")})

    def export(self, sources: Iterable[tuple[Path | None, tuple[int, ...] | None]], output: Path, form: str, plan: dict[str, Any], quality: str = "high") -> None:
        """Write a data set; plan: as app.demonstrations.export.plan.ExportPlan has it. `exported` follows."""
        sources = tuple(sources)
        self._context.settings.set(DATA_SETS, str(output.parent))
        self._begin("export", lambda: {"sources": [[str(self.place(path)), numbers] for path, numbers in sources], "output": str(output), "format": form, "plan": plan, "quality": quality})

    def _sources(self, chosen: Iterable[Chosen]) -> list:
        return [[str(self.place(one.path)), list(one.numbers)] for one in chosen]

    def _edit(self, job: str, path: Path | None, word: str, **more) -> None:
        self._begin(job, lambda: {"recording": str(self.place(path)), "output": self._new(path, word), **more})

    def _new(self, path: Path | None, word: str) -> str:
        """A name beside the others that none has. In another thread."""
        name = path.stem if path is not None else self.demonstrations.name
        folder = self.demonstrations.folder
        folder.mkdir(parents=True, exist_ok=True)
        return str(unused(folder / f"{name}-{word}{SUFFIX}"))

    def _begin(self, job: str, make: Callable[[], dict[str, Any]]) -> None:
        if not self.busy:
            self._doing = job
            self._job.begin(lambda: {"job": job, **make()})
            self.progressed.emit(self.doing, -1.0)

    def _take(self, result: dict[str, Any] | None, why: str) -> None:
        job, self._doing = self._doing, ""
        self.progressed.emit("", 0.0)
        if job == "export":
            self.exported.emit(result, why or ("" if result is not None else "Given up: nothing was written."))
        elif result is None:
            self.told.emit(f"{DOING[job]} came to nothing: {why}" if why else "Given up: nothing was written.")
        elif job == "check":
            self.told.emit(replayed_text(result["replayed"]))
        else:
            output = Path(result["output"])
            self.told.emit(f"{output.name}: {counted(result['episodes'], 'episode')}, as recorded to the bit. What it was made of stays as it is.")
            self.made.emit(output)
            self.look()

    def close(self) -> None:
        """The window goes; what is under way ends by itself."""
        from app.demonstrations.reaper import see_to

        self._looks += 1
        self._closed = True
        self._job.close()
        see_to(self._thread, LONGEST)


def read_episodes(path: Path) -> RecordedFile:
    """What a file has; quick, as no state is read."""
    from app.demonstrations.sources import told
    from physics.recording.errors import RecordingError

    try:
        recording, episodes = told(path)
        return RecordedFile(path, episodes, float(recording.about.get("timestep", "0")))
    except (RecordingError, OSError, ValueError) as why:
        return RecordedFile(path, problem=str(why))


def unused(path: Path) -> Path:
    """The same name, with the present time, then a number, where there is such a file."""
    if not path.exists():
        return path
    stem, number = f"{path.stem}-{time.strftime('%Y%m%d-%H%M%S')}", 1
    found = path.with_name(stem + path.suffix)
    while found.exists():
        number += 1
        found = path.with_name(f"{stem}-{number}{path.suffix}")
    return found


def counted(count: int, what: str) -> str:
    """So many of it."""
    return f"{count} {what}{'s' * (count != 1)}"


def replayed_text(replayed: list[dict[str, Any]]) -> str:
    """What came of doing episodes again."""
    wrong = [one for one in replayed if not one["same"]]
    lines = [f"Episode {one['episode']} of {Path(one['recording']).name} is not the same: {one['difference']}" for one in wrong]
    same = len(replayed) - len(wrong)
    return "\n".join([*lines, f"{counted(same, 'episode')} to the bit the same" if not wrong else f"{same} of {len(replayed)} to the bit the same"])
