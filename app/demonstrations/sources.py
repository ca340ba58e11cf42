"""Recordings with demonstrations: files, folders of runs that were not closed, and folders of both."""
from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from app.demonstrations.episodes import DISCARD, Episode, episodes_of
from physics.model.model import Model
from physics.recording import journal, spool
from physics.recording.errors import RecordingError
from physics.recording.first_bytes import SUFFIX
from physics.recording.recording import Recording
from physics.runtime.recorded.command_text import ops_of
from physics.runtime.recorded.restore import Prepared, prepare

UNFINISHED = "unfinished"       # folder of runs that are being recorded, or were not closed
RUNS = "run*"

CompileTexts = Callable[[Mapping[str, str]], Model]


@dataclass(frozen=True, slots=True)
class Demonstrations:
    """A recording with its episodes. prepared: checked, with its Models; path: of the file or folder it comes from."""

    path: Path
    recording: Recording
    prepared: Prepared
    episodes: tuple[Episode, ...]

    @property
    def name(self) -> str:
        """What people call it."""
        return self.path.name

    @property
    def kept(self) -> tuple[Episode, ...]:
        """Those that were not discarded."""
        return tuple(episode for episode in self.episodes if episode.outcome != DISCARD)

    def episode(self, number: int) -> Episode:
        """Raises RecordingError."""
        if not 1 <= number <= len(self.episodes):
            raise RecordingError(f"there is no episode {number}; there are {len(self.episodes)}", str(self.path))
        return self.episodes[number - 1]

    def check_complete(self) -> None:
        """Raises RecordingError where the first inputs are not there, so that nothing can be done again."""
        if self.recording.inputs_gone or not self.prepared.ops or self.prepared.ops[0].kind != journal.INSTALL:
            raise RecordingError("its first inputs are not there, so that it can be shown but not done again", str(self.path))


def is_spool(path: Path) -> bool:
    """Whether a folder is one that a run is, or was, recorded in."""
    return (path / spool.LOG).is_file()


def found(paths: Iterable[Path]) -> list[Path]:
    """Files and folders with a recording each; a folder of them stands for all in it, runs that were not closed too. Raises RecordingError for what is none."""
    recordings: list[Path] = []
    for path in map(Path, paths):
        if path.is_file() or is_spool(path):
            recordings.append(path)
            continue
        if not path.is_dir():
            raise RecordingError("there is no such file or folder", str(path))
        inside = [*sorted(path.glob(f"*{SUFFIX}")), *sorted(run for run in path.glob(f"{UNFINISHED}/*/{RUNS}") if is_spool(run))]
        if not inside:
            raise RecordingError("there is no recording in it", str(path))
        recordings += inside
    return recordings


def load(path: Path, states: bool = True) -> Recording:
    """The recording of a file, or of a folder that a run was recorded in. Raises RecordingError, OSError."""
    if path.is_dir():
        from physics.recording.recover import recover

        return recover(path)
    from physics.recording import file

    return file.load(path, states=states)


@contextmanager
def opened(path: Path, compile_texts: CompileTexts | None = None) -> Iterator[Demonstrations]:
    """A recording, checked, with its Models in a folder of its own meanwhile. Raises RecordingError, OSError."""
    recording = load(Path(path))
    with tempfile.TemporaryDirectory(prefix="linkwork-") as folder:
        try:
            prepared = prepare(recording, Path(folder), compile_texts)
        except RecordingError as why:
            raise why.at(str(path)) from None
        yield Demonstrations(Path(path), recording, prepared, episodes_of(prepared.ops))


def told(path: Path) -> tuple[Recording, tuple[Episode, ...]]:
    """A recording without its states, and its episodes: quick. Raises RecordingError, OSError."""
    recording = load(Path(path), states=False)
    try:
        return recording, episodes_of(ops_of(recording.inputs))
    except RecordingError as why:
        raise why.at(str(path)) from None
