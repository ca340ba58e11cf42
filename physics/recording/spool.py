"""The disk behind the memory: a folder that grows with a run, so that it outlives the process however that ends, and holds what the memory has no room for.

    log             models, texts, inputs, and how rows make up branches; never shortened
    rows.00000 ...  rows of states, compressed; the oldest files go where the folder would grow beyond its limit
    lock            held while the process lives (who finds it free has found a run that was not closed)

`append` is called about once a second with a Recording of views (TakeRecording) and writes what is new. Nothing here is called by the thread that runs the simulation.
"""
from __future__ import annotations

import json
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from physics.recording import blobs, rows
from physics.recording.frames import FrameFile
from physics.recording.recording import RecordedBranch, RecordedModel, Recording
from physics.recording.track import TrackPiece

LOG, ROWS, LOCK = "log", "rows.{:05}", "lock"
FORMAT = 1
SEGMENT = 64 << 20      # bytes of one file of rows
INPUT_LINES = 500       # in one record
HEADER, BLOB, MODEL, LAYOUT, PIECE, TREE, HELD, INPUTS, BOOKMARKS, STATE, PART = b"head", b"blob", b"modl", b"layo", b"piec", b"tree", b"held", b"inpt", b"mark", b"stat", b"rows"
ROWS_HEAD = np.dtype([("piece", "<u4"), ("first", "<u8"), ("count", "<u4"), ("width", "<u4")])


class Ref(NamedTuple):
    """Rows of a branch: from row `start` of piece `key` on, `count` of them (on the disk -1: as many as there are), the first of which is entry `number`."""

    key: int
    start: int
    number: int
    count: int

    def until(self, number: int) -> Ref:
        """Those before entry `number`."""
        return self._replace(count=min(self.count, number - self.number))


@dataclass(frozen=True, slots=True)
class PresentRow:
    """A row of a run as it was at a moment. address: where it lies, and may be written to meanwhile."""

    address: int
    numbers: np.ndarray

    @classmethod
    def of(cls, row: np.ndarray) -> PresentRow:
        """As it is now."""
        return cls(row.ctypes.data, row.copy())

    def put(self, part: np.ndarray) -> np.ndarray:
        """These rows, of which it may be one, with it as it was."""
        k, rest = divmod(self.address - part.ctypes.data, part.shape[1] * 8)
        if rest or not 0 <= k < len(part) or len(self.numbers) != part.shape[1]:
            return part
        found = part.copy()
        found[k] = self.numbers
        return found


@dataclass(slots=True)
class _Memory:
    """A block of memory with rows, and which of them are on the disk as rows of a piece: from `low` to `high`; row k of the memory is row k + shift of the piece."""

    block: np.ndarray
    key: int
    shift: int = 0


@dataclass(slots=True)
class _Piece:
    """What is known of a piece on the disk."""

    model: int
    stride: int
    pairs: rows.Pairs
    low: int = 0
    high: int = 0
    number: int | None = None   # of the entry that row 0 is


class Spool:
    """limit: bytes of the folder, None for no limit. All methods are for one thread. Raises OSError."""

    def __init__(self, folder: Path, limit: int | None = None, segment: int = SEGMENT):
        self.folder, self.limit, self._segment = folder, limit, segment
        folder.mkdir(parents=True, exist_ok=True)
        self._log = FrameFile(folder / LOG)
        self._parts: list[FrameFile | Path] = []
        self._sizes: list[int] = []
        self._number = 0
        self._names: set[str] = set()           # blobs
        self._models: set[int] = set()
        self._layouts: dict[tuple, tuple[int, rows.Pairs]] = {}
        self._pieces: dict[int, _Piece] = {}
        self._memory: dict[int, _Memory] = {}   # by the address of the block
        self._held: dict[tuple, int] = {}       # what notes in memory hold
        self._held_count = 0
        self._ways: dict[int, tuple[Ref, ...]] = {}     # by branch
        self._marks: dict[int, tuple] = {}
        self._notes: dict[int, tuple] = {}
        self._shown = 0
        self._seen: list[TrackPiece] = []
        self._present: PresentRow | None = None
        self._marked: tuple = ((), ())
        self._tree = self._about = self._state = ""
        self.steps = 0      # rows written

    @property
    def size(self) -> int:
        """Bytes of the folder."""
        return self._log.size + sum(self._sizes[:-1]) + (self._parts[-1].size if self._parts else 0)

    # ------------------------------------------------ writing

    def append(self, now: Recording, changed: Iterable[int] = (), present: PresentRow | None = None) -> int:
        """Write what is new in a run: inputs of `now` are those since the last call, all else is as it is. changed: numbers of entries that were set by hand since then;
        present: the row that may be changed by hand while this goes on. Returns the bytes written."""
        size, self._present = self.size, present
        self._add_about(now)
        for model in now.models:
            self._add_model(model)
        used: dict[int, _Memory] = {}
        self._seen = [piece for branch in now.branches for piece in branch.track.pieces]
        ways = {branch.id: self._way(branch, now, frozenset(changed), used) for branch in now.branches}
        self._memory = used
        marks, notes, kept = {}, {}, {}
        for branch in now.branches:
            before = self._shown if branch.id == now.shown else branch.id       # the line is another's line from its beginning on
            old = self._ways.get(before, ())
            ways[branch.id] = with_older(old if branch.id == now.shown else behind(old, branch.fork), ways[branch.id])
            first = branch.track.first if len(branch.track) else 0
            marks[branch.id] = _joined(self._marks.get(before, ()), branch.marks, ways[branch.id], first)
            notes[branch.id] = _joined(self._notes.get(before, ()), tuple((note.number, self._held_note(note, kept)) for note in branch.held), ways[branch.id], first)
        self._held = kept
        self._ways, self._marks, self._notes, self._shown = ways, marks, notes, now.shown
        self._add_tree(now)
        self._add_inputs(now.inputs)
        self._add_bookmarks(now)
        self._forget_oldest()
        return self.size - size

    def close(self) -> None:
        """Close the files; they stay."""
        self._log.close()
        if self._parts:
            self._parts[-1].close()

    def _json(self, kind: bytes, told) -> None:
        self._log.add(kind, json.dumps(told, separators=(",", ":")).encode())

    def _blob(self, content: bytes) -> str:
        name = blobs.name_of(content)
        if name not in self._names:
            self._names.add(name)
            self._log.add(BLOB, bytes.fromhex(name) + zlib.compress(content, rows.LEVEL))
        return name

    def _add_about(self, now: Recording) -> None:
        told = json.dumps({"format": FORMAT, "about": dict(now.about)}, separators=(",", ":"))
        if told != self._about:
            self._about = told
            self._log.add(HEADER, told.encode())

    def _add_model(self, model: RecordedModel) -> None:
        if model.number in self._models:
            return
        self._models.add(model.number)
        self._json(MODEL, {"number": model.number, "parts": [self._blob(part) for part in model.parts()],
                           "texts": {path: self._blob(text.encode("utf-8", "surrogatepass")) for path, text in model.texts.items()}})

    def _add_inputs(self, lines: tuple[str, ...]) -> None:
        for k in range(0, len(lines), INPUT_LINES):
            self._log.add(INPUTS, zlib.compress("\n".join(lines[k:k + INPUT_LINES]).encode("utf-8", "surrogatepass"), rows.LEVEL))

    def _add_bookmarks(self, now: Recording) -> None:
        if (now.bookmarks, now.regions) != self._marked:
            self._marked = now.bookmarks, now.regions
            self._add_marked(now)
        told = json.dumps({"values": now.values, "start_key": now.start_key, "running": now.running, "note": now.note, "log": now.log, "settings": dict(now.settings),
                           "inputs_gone": now.inputs_gone}, separators=(",", ":"))
        if told != self._state:
            self._state = told
            self._log.add(STATE, zlib.compress(told.encode("utf-8", "surrogatepass"), rows.LEVEL))

    def _add_marked(self, now: Recording) -> None:
        told = json.dumps({"bookmarks": [[*mark[:4], self._blob(mark[4]) if mark[4] else ""] for mark in now.bookmarks], "regions": now.regions}, separators=(",", ":"))
        self._log.add(BOOKMARKS, told.encode())

    # ------------------------------------------------ rows

    def _way(self, branch: RecordedBranch, now: Recording, changed: frozenset[int], used: dict[int, _Memory]) -> tuple[Ref, ...]:
        """Where the rows of a branch are on the disk, once they are."""
        found = []
        for piece in branch.track.pieces:
            if not len(piece.rows):
                continue
            memory, start = self._memory_of(piece, used)
            key = memory.key
            self._write(piece, key, start, changed)
            found.append(Ref(key, start, piece.number, len(piece.rows)))
        return tuple(found)

    def _memory_of(self, piece: TrackPiece, used: dict[int, _Memory]) -> tuple[_Memory, int]:
        """The block that the rows lie in, and the row of the piece on the disk that the first of them is."""
        block = block_of(piece)
        address, stride = block.ctypes.data, piece.rows.shape[1]
        memory = used.get(address) or self._memory.get(address)
        if memory is None or memory.block is not block or self._pieces[memory.key].stride != stride or self._pieces[memory.key].model != piece.model:
            memory = self._copied(piece, block) or _Memory(block, self._new_piece(piece))
        used[address] = memory
        return memory, (piece.rows.ctypes.data - address) // (8 * stride) + memory.shift

    def _copied(self, piece: TrackPiece, block: np.ndarray) -> _Memory | None:
        """The memory of rows that were there before in another block, which was larger than need be (History). Rows that are alike by chance are others."""
        if block.size != piece.rows.size:
            return None
        for old in self._memory.values():
            known = self._pieces[old.key]
            if (known.model, known.stride) != (piece.model, piece.rows.shape[1]) or known.number is None or known.number > piece.number:
                continue
            start = piece.number - known.number - old.shift
            was = old.block.reshape(-1)[start * known.stride:(start + len(piece.rows)) * known.stride] if start >= 0 else old.block[:0]
            if was.size == piece.rows.size and known.high >= start + old.shift + len(piece.rows) and not self._used(was) \
                    and np.array_equal(was.view(np.int64), piece.rows.reshape(-1).view(np.int64)):
                return _Memory(block, old.key, start + old.shift)
        return None

    def _used(self, part: np.ndarray) -> bool:
        """Whether some of this memory is in the run still."""
        return any(np.may_share_memory(part, piece.rows) for piece in self._seen)

    def _new_piece(self, piece: TrackPiece) -> int:
        layout = tuple(piece.layout.parts.items())
        if layout not in self._layouts:
            pairs = rows.pairs(piece.layout)
            self._layouts[layout] = len(self._layouts), rows.checked_pairs(pairs, piece.rows.shape[1])
            self._json(LAYOUT, {"key": self._layouts[layout][0], "parts": layout, "pairs": pairs})
        key, (layout_key, pairs) = len(self._pieces), self._layouts[layout]
        self._pieces[key] = _Piece(piece.model, piece.rows.shape[1], pairs)
        self._json(PIECE, {"key": key, "layout": layout_key, "model": piece.model})
        return key

    def _write(self, piece: TrackPiece, key: int, start: int, changed: frozenset[int]) -> None:
        """Those rows that are not on the disk yet, and those that were changed since."""
        known, count = self._pieces[key], len(piece.rows)
        if known.high == known.low:
            known.low = known.high = start
        if known.number is None:
            known.number = piece.number - start
        if start > known.high or start + count < known.low:     # rows between are in no branch: known as one range all the same
            known.low = known.high = start
        for number in sorted(changed):
            row = number - piece.number
            if 0 <= row < count and known.low <= start + row < known.high:
                self._rows(piece, key, start, row, row + 1)
        if start < known.low:
            self._rows(piece, key, start, 0, min(known.low - start, count))
            known.low = start
        if start + count > known.high:
            self._rows(piece, key, start, known.high - start, count)
            known.high = start + count

    def _rows(self, piece: TrackPiece, key: int, start: int, first: int, end: int) -> None:
        stride = piece.rows.shape[1]
        most = max(1, rows.SLICE // (8 * stride))
        for k in range(first, end, most):
            part = piece.rows[k:min(k + most, end)]
            part = part if self._present is None else self._present.put(part)
            head = np.array([(key, start + k, len(part), stride)], ROWS_HEAD).tobytes()
            self._file().add(PART, head + rows.pack(part, self._pieces[key].pairs))
            self.steps += len(part)

    def _file(self) -> FrameFile:
        """The file of rows that is written to."""
        if not self._parts or self._parts[-1].size >= self._segment:
            if self._parts:
                self._parts[-1].close()
                self._sizes[-1] = self._parts[-1].size
                self._parts[-1] = self._parts[-1].path
            self._parts.append(FrameFile(self.folder / ROWS.format(self._number)))
            self._sizes.append(0)
            self._number += 1
        return self._parts[-1]

    def _forget_oldest(self) -> None:
        while self.limit is not None and len(self._parts) > 1 and self.size > self.limit:
            self._parts.pop(0).unlink(missing_ok=True)
            self._sizes.pop(0)

    # ------------------------------------------------ branches

    def _add_tree(self, now: Recording) -> None:
        told = json.dumps({"shown": now.shown, "again": now.again, "last": now.last, "branches": [
            {"id": branch.id, "parent": branch.parent, "fork": branch.fork, "kind": branch.kind, "text": branch.text, "pieces": self._open(branch.id, now.shown),
             "marks": self._marks[branch.id], "held": self._notes[branch.id]} for branch in now.branches]}, separators=(",", ":"))
        if told != self._tree:
            self._tree = told
            self._log.add(TREE, zlib.compress(told.encode("utf-8", "surrogatepass"), rows.LEVEL))

    def _open(self, branch: int, shown: int) -> tuple[Ref, ...]:
        """Where the rows of a branch are; the newest ones of the line grow without being told again."""
        way = self._ways[branch]
        grows = bool(way) and branch == shown and way[-1].start + way[-1].count == self._pieces[way[-1].key].high
        return (*way[:-1], way[-1]._replace(count=-1)) if grows else way

    def _held_note(self, note: tuple, kept: dict[tuple, int]) -> int:
        """The number of what a note holds, on the disk. kept: what notes in memory hold, by these numbers."""
        note = note[1:]
        key = kept.get(note, self._held.get(note))
        if key is None:
            key, self._held_count = self._held_count, self._held_count + 1
            arrays, scalars = note
            self._log.add(HELD, zlib.compress(json.dumps([key, [data.hex() for data in arrays], scalars]).encode(), rows.LEVEL))
        kept[note] = key
        return key


def block_of(piece: TrackPiece) -> np.ndarray:
    """The memory that rows lie in."""
    block = piece.rows
    while isinstance(block.base, np.ndarray):
        block = block.base
    return block


def with_older(old: tuple[Ref, ...], new: tuple[Ref, ...]) -> tuple[Ref, ...]:
    """Refs of a branch, with those before them that the memory has no room for any more."""
    if not old or not new or new[0].number <= old[0].number:
        return new
    first = new[0]
    for k, ref in enumerate(old):
        same = ref.key == first.key and ref.start - ref.number == first.start - first.number
        if same and ref.number <= first.number <= ref.number + ref.count:
            kept = [*old[:k], *([ref.until(first.number)] if ref.number < first.number else [])]
            return _merged([*kept, *new])
        if k + 1 == len(old) and ref.number + ref.count == first.number:     # just behind
            return (*old, *new)
    return new


def behind(refs: tuple[Ref, ...], number: int) -> tuple[Ref, ...]:
    """What of these comes after entry `number`."""
    found = []
    for ref in refs:
        skip = max(0, number + 1 - ref.number)
        if skip < ref.count:
            found.append(Ref(ref.key, ref.start + skip, ref.number + skip, ref.count - skip))
    return tuple(found)


def _merged(refs: list[Ref]) -> tuple[Ref, ...]:
    """Neighbours of one piece as one."""
    found = [refs[0]]
    for ref in refs[1:]:
        last = found[-1]
        if last.key == ref.key and last.start + last.count == ref.start and last.number + last.count == ref.number:
            found[-1] = last._replace(count=last.count + ref.count)
        else:
            found.append(ref)
    return tuple(found)


def _joined(old: tuple, new: tuple, way: tuple[Ref, ...], first: int) -> tuple:
    """Marks or held inputs (number, ...) of a branch, with those of entries before `first`, which are on the disk only."""
    begin = way[0].number if way else first
    if begin >= first:
        return tuple(new)
    kept = [one for one in old if begin <= one[0] < first]
    again = bool(kept and new) and kept[-1][1:] == new[0][1:]       # inputs that hold on are told with the first entry of all
    return (*kept, *new[again:])

