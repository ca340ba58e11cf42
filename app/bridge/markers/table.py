"""Tables of markers that are appended to, and what a picture takes from them.

Records are only ever appended, and a table that has many dead ones is copied: so a picture may look at what it was handed while scripts go on.
"""
from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from render.scene import shapes
from render.scene.rotation import turn_z
from render.scene.snapshot import MeshAsset

SOLID = np.dtype([("shape", "i1"), ("pos", "f4", 3), ("mat", "f4", 9), ("size", "f4", 3), ("rgba", "f4", 4), ("mesh", "i4")])
SEGMENT = np.dtype([("start", "f4", 3), ("end", "f4", 3), ("rgba", "f4", 4), ("width", "f4")])
DOT = np.dtype([("pos", "f4", 3), ("rgba", "f4", 4), ("size", "f4")])
SOLIDS, SEGMENTS, DOTS, TEXTS = range(4)
RECORDS = (SOLID, SEGMENT, DOT)
FEW = 1000      # dead records that nobody minds


class Text(NamedTuple):
    """A written marker; key: what tells it from others."""

    pos: tuple
    text: str
    rgba: tuple
    key: object


class Arrays(NamedTuple):
    """All that is drawn: records of SOLID (mesh: place in meshes, -1 none), SEGMENT, DOT; texts; meshes."""

    solids: np.ndarray
    segments: np.ndarray
    dots: np.ndarray
    texts: tuple[Text, ...]
    meshes: tuple[MeshAsset, ...]


class _Records:
    """Records of one kind, and which of them are still there."""

    def __init__(self, dtype: np.dtype):
        self._all, self._alive = np.zeros(64, dtype), np.zeros(64, bool)
        self.count = self.there = 0

    def append(self, new: np.ndarray) -> int:
        """Put records behind the others; the number of the first."""
        first, self.count = self.count, self.count + len(new)
        if self.count > len(self._all):
            self._move(np.arange(first), max(2 * len(self._all), self.count))
        self._all[first:self.count], self._alive[first:self.count] = new, True
        self.there += len(new)
        return first

    def drop(self, first: int, count: int) -> None:
        """These are not there any more."""
        self._alive[first:first + count] = False
        self.there -= count

    @property
    def sparse(self) -> bool:
        """Whether most are gone."""
        return self.count > 2 * self.there + FEW

    def squeeze(self) -> np.ndarray:
        """Give up those that are gone; (count + 1,) the new number of each one that was there."""
        moved = np.r_[0, np.cumsum(self._alive[:self.count])]
        self._move(np.flatnonzero(self._alive[:self.count]), max(64, 2 * self.there))
        self.count = self.there
        return moved

    def _move(self, kept: np.ndarray, room: int) -> None:
        every, alive = np.zeros(room, self._all.dtype), np.zeros(room, bool)
        every[:len(kept)], alive[:len(kept)] = self._all[kept], self._alive[kept]
        self._all, self._alive = every, alive     # pictures go on with the old ones

    def frozen(self) -> tuple[np.ndarray, np.ndarray | None]:
        """(records, which of them are there or None for all), which stay as they are."""
        return self._all[:self.count], None if self.there == self.count else self._alive[:self.count].copy()


class _Entry:
    """One marker: its kind, its records, its name."""

    __slots__ = ("kind", "first", "count", "name")

    def __init__(self, kind: int, first: int, count: int, name: str | None):
        self.kind, self.first, self.count, self.name = kind, first, count, name


class MarkerTable:
    """Markers that go together; not protected from other threads."""

    def __init__(self):
        self._records = tuple(_Records(dtype) for dtype in RECORDS)
        self._texts: dict[int, Text] = {}
        self._meshes: dict[int, MeshAsset] = {}
        self._entries: dict[int, _Entry] = {}
        self._names: dict[str, int] = {}

    @property
    def elements(self) -> int:
        """Records that are drawn."""
        return sum(records.there for records in self._records)

    @property
    def texts(self) -> int:
        """Texts that are drawn."""
        return len(self._texts)

    def __contains__(self, number: int) -> bool:
        return number in self._entries

    def named(self, name: str | None) -> tuple[int, int]:
        """(elements, texts) of the marker of that name."""
        entry = self._entries.get(self._names.get(name, -1))
        return (0, 0) if entry is None else (0, entry.count) if entry.kind == TEXTS else (entry.count, 0)

    def add(self, number: int, kind: int, new, name: str | None, mesh: MeshAsset | None = None) -> None:
        """Put in a marker under a number of its own: records of its kind, or a Text. One of the same name goes."""
        if name is not None:
            self.remove(self._names.get(name, -1))
            self._names[name] = number
        if kind == TEXTS:
            self._texts[number] = new
            self._entries[number] = _Entry(kind, 0, 1, name)
        else:
            self._entries[number] = _Entry(kind, self._records[kind].append(new), len(new), name)
        if mesh is not None:
            self._meshes[number] = mesh

    def remove(self, number: int) -> bool:
        """Take a marker out; whether it was there."""
        entry = self._entries.pop(number, None)
        if entry is None:
            return False
        if entry.name is not None:
            self._names.pop(entry.name, None)
        self._meshes.pop(number, None)
        if entry.kind == TEXTS:
            del self._texts[number]
            return True
        records = self._records[entry.kind]
        records.drop(entry.first, entry.count)
        if records.sparse:
            moved = records.squeeze()
            for other in self._entries.values():
                if other.kind == entry.kind:
                    other.first = int(moved[other.first])
        return True

    def frozen(self) -> tuple:
        """What `gathered` takes."""
        return tuple(records.frozen() for records in self._records), tuple(self._texts.values()), dict(self._meshes)


def gathered(tables: Iterable[tuple]) -> Arrays:
    """All that frozen tables hold."""
    parts: tuple[list, ...] = ([], [], [])
    texts, known, meshes = [], {}, []      # known: place of a mesh in meshes by what it is
    for records, written, assets in tables:
        for into, (every, there) in zip(parts, records, strict=True):
            into.append(every if there is None else every[there])
        texts += written
        if assets:
            parts[SOLIDS][-1] = _numbered(parts[SOLIDS][-1], assets, known, meshes)
    solids, segments, dots = (_joined(part, dtype) for part, dtype in zip(parts, RECORDS, strict=True))
    return Arrays(_turned(solids), segments, dots, tuple(texts), tuple(meshes))


def _joined(parts: list, dtype: np.dtype) -> np.ndarray:
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.zeros(0, dtype)


def _turned(solids: np.ndarray) -> np.ndarray:
    """Arrows as they are drawn: a script gives the way from start to end in place of a rotation, and many are turned at once much faster than one by one."""
    arrows = np.flatnonzero(solids["shape"] == shapes.ARROW)
    if not len(arrows):
        return solids
    out = solids.copy()     # scripts go on with the others
    way = out["mat"][arrows, :3].astype(float)
    out["mat"][arrows] = turn_z(way)
    out["size"][arrows, 1], out["size"][arrows, 2] = out["size"][arrows, 0], np.linalg.norm(way, axis=1)
    return out if out["size"][arrows, 2].all() else np.delete(out, arrows[out["size"][arrows, 2] == 0])     # of no length: nothing


def _numbered(solids: np.ndarray, assets: dict[int, MeshAsset], known: dict, meshes: list) -> np.ndarray:
    """A copy in which the numbers of markers stand for the places of their meshes; each geometry once."""
    out = solids.copy()
    has = np.flatnonzero(out["mesh"] >= 0)
    places = {}
    for number, asset in assets.items():
        if id(asset) not in known:
            known[id(asset)] = len(meshes)
            meshes.append(asset)
        places[number] = known[id(asset)]
    numbers, which = np.unique(out["mesh"][has], return_inverse=True)
    out["mesh"][has] = np.array([places[number] for number in numbers.tolist()], int)[which]
    return out


class DrawnMarkers:
    """All markers at a moment; does not change. From any thread."""

    __slots__ = ("_tables", "_arrays")

    def __init__(self, tables: tuple = (), arrays: Arrays | None = None):
        self._tables, self._arrays = tables, arrays

    def arrays(self) -> Arrays:
        """What is drawn, gathered when it is first asked for: by whoever draws, not where scripts wait."""
        tables = self._tables
        if self._arrays is None:
            self._arrays = gathered(tables)
            self._tables = ()      # after the arrays, for whoever asks meanwhile
        return self._arrays

    def __reduce__(self):
        """For films, which are drawn in another process."""
        return DrawnMarkers, ((), self.arrays())
