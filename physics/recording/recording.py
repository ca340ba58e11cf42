"""A recording: everything of a run, in memory, as it is saved and as it is read again.

    models    .lwb files by number     branches    states, marks, held inputs     inputs    what was done, in order, as lines of JSON
    sources   texts they come from     bookmarks, regions, log, note              about     versions and the machine

The branch that is shown is the line: its track begins with the oldest entry. The others have their own entries only, after the fork.
"""
from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.recording import blobs
from physics.recording.track import Track

NOTHING: Mapping = MappingProxyType({})
HELD_ARRAYS = ("qfrc_applied", "xfrc_applied", "eq_active", "userdata")      # of Data, as physics/runtime/history/held_inputs.py keeps them
HELD_SCALARS = ("noise_scale", "noise_rate", "noise_seed")


@dataclass(frozen=True, slots=True)
class Layout:
    """How the rows of a file lie: RowLayout of physics/recording/track.py."""

    parts: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A compiled Model by its number in the run. data: the content of its .lwb file, or the files that make it up; texts: {path: text} of the files it was compiled from,
    where that is known."""

    number: int
    data: bytes | tuple[Path, ...]
    texts: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    def content(self) -> bytes:
        """The content of the .lwb file. Raises OSError."""
        return self.data if isinstance(self.data, bytes) else b"".join(path.read_bytes() for path in self.data)

    def parts(self) -> Iterator[bytes]:
        """The same in parts, of which Models that differ little share most. Raises OSError."""
        return iter(blobs.parts(self.data)) if isinstance(self.data, bytes) else (path.read_bytes() for path in self.data)


class RecordedMark(NamedTuple):
    """A border: number of the entry, simulated time [s], kind, words, time of the entry before."""

    number: int
    time: float
    kind: str
    text: str
    before: float


class RecordedHeld(NamedTuple):
    """Inputs held from entry `number` on. arrays: bytes of HELD_ARRAYS; scalars: values of HELD_SCALARS."""

    number: int
    arrays: tuple[bytes, ...]
    scalars: tuple


@dataclass(frozen=True, slots=True)
class RecordedBranch:
    """id: 1, 2, ...; parent: the branch it hangs on, 0 for the line; fork: number of the last entry shared with that, -1 where there is none; kind, text: what it began with."""

    id: int
    parent: int
    fork: int
    kind: str
    text: str
    track: Track
    marks: tuple[RecordedMark, ...] = ()
    held: tuple[RecordedHeld, ...] = ()


class RecordedBookmark(NamedTuple):
    """A moment with a name. png: a small picture, b'' where there is none."""

    number: int
    branch: int
    time: float
    name: str
    png: bytes = b""


class RecordedRegion(NamedTuple):
    """Entries `number` to `last` of a branch."""

    number: int
    last: int
    branch: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """shown: id of the branch that is the line. running: number of the Model that runs. again: the branch that the line may come to equal (History). last: the highest id that a branch has had. inputs: the ops, one line of JSON each:
    [kind, number, time, value]. inputs_gone: how many before them are not there; 0: doing it again begins at the beginning.
    values: what was set in the window and differs from the file, start_key: keyframe that resets go to, flags: settings of the run, all as JSON.
    about: 'linkwork', 'numpy', 'numba', 'python', 'machine', 'processor', 'created', 'timestep', 'name' (of the document) and more, as words."""

    branches: tuple[RecordedBranch, ...]
    shown: int
    running: int = -1
    models: tuple[RecordedModel, ...] = ()
    inputs: tuple[str, ...] = ()
    inputs_gone: int = 0
    again: int | None = None
    last: int = 0
    values: str = "[]"
    start_key: int | None = None
    bookmarks: tuple[RecordedBookmark, ...] = ()
    regions: tuple[RecordedRegion, ...] = ()
    about: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    log: tuple[str, ...] = ()
    note: str = ""
    settings: Mapping[str, str] = field(default_factory=lambda: NOTHING)

    @property
    def line(self) -> RecordedBranch:
        """The branch that is shown."""
        return next(branch for branch in self.branches if branch.id == self.shown)

    def branch(self, number: int) -> RecordedBranch:
        """Raises KeyError."""
        for branch in self.branches:
            if branch.id == number:
                return branch
        raise KeyError(number)

    def model(self, number: int) -> RecordedModel:
        """Raises KeyError."""
        for model in self.models:
            if model.number == number:
                return model
        raise KeyError(number)

    @property
    def steps(self) -> int:
        """Entries of all branches."""
        return sum(len(branch.track) for branch in self.branches)

    def tracks(self) -> dict[int, Track]:
        """By branch."""
        return {branch.id: branch.track for branch in self.branches}


def whole_way(recording: Recording, number: int) -> Track:
    """All entries from the oldest to the end of a branch. Raises KeyError."""
    branch = recording.branch(number)
    if number == recording.shown:
        return branch.track
    before = whole_way(recording, branch.parent or recording.shown)
    kept = []
    for piece in before.pieces:
        count = min(len(piece.rows), max(0, branch.fork + 1 - piece.number))
        if count:
            kept.append(type(piece)(piece.layout, piece.rows[:count], piece.number, piece.model))
    joins = kept and kept[-1].number + len(kept[-1].rows) == branch.fork + 1
    return Track((*(kept if joins else ()), *branch.track.pieces))


def seconds(track: Track) -> float:
    """Simulated time that passed along a track: jumps of the time are none."""
    total, last = 0.0, None
    for piece in track.pieces:
        times = piece.time if last is None else np.concatenate([[last], piece.time])
        steps = np.diff(times)
        if len(steps):
            usual = np.median(steps[steps > 0]) if (steps > 0).any() else 0.0
            total += float(steps[(steps > 0) & (steps <= 1.5 * usual)].sum())
        if len(times):
            last = times[-1]
    return total
