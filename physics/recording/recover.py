"""A recording from the folder of a spool: of a run that was not closed, or that is handed from one process to another. Records are read as far as they are whole."""
from __future__ import annotations

import json
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.recording import rows, spool
from physics.recording.errors import RecordingError
from physics.recording.frames import read_frames
from physics.recording.recording import (
    Layout, RecordedBookmark, RecordedBranch, RecordedHeld, RecordedMark, RecordedModel, RecordedRegion, Recording,
)
from physics.recording.spool import Ref
from physics.recording.track import HEAD, Track, TrackPiece

MOST_TEXT = 1 << 30     # bytes of one record, uncompressed
MOST_NUMBERS = 1 << 33
WIDEST = 1 << 24        # numbers of a row


def recover(folder: Path, progress: Callable[[float], None] = lambda share: None) -> Recording:
    """What a spool has written. progress(share): how much is read. Raises RecordingError, where there is nothing to be had of it, and OSError."""
    reading = _Reading()
    try:
        for kind, content in read_frames(folder / spool.LOG):
            take = TAKEN.get(kind)
            if take is not None:
                take(reading, content)
        if not reading.tree:
            raise RecordingError("there is no state in it yet", str(folder))
        reading.read_rows(folder, progress)
        return reading.recording()
    except RecordingError as why:
        raise why.at(str(folder)) from None
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError, RecursionError, zlib.error) as why:
        raise RecordingError(f"its records make no sense ({type(why).__name__}: {str(why)[:200]})", str(folder)) from None


def unpacked(content: bytes, most: int = MOST_TEXT) -> bytes:
    """Uncompressed content. Raises zlib.error, and RecordingError where it is absurdly large."""
    work = zlib.decompressobj()
    found = work.decompress(content, most)
    if work.unconsumed_tail:
        raise RecordingError(f"a record of more than {most >> 20} MiB")
    if not work.eof:
        raise RecordingError("a record that ends too early")
    return found


class _Reading:
    """What the records say, as they come."""

    def __init__(self):
        self.about: dict[str, str] = {}
        self.blobs: dict[str, bytes] = {}       # compressed
        self.models: list[dict] = []
        self.layouts: dict[int, tuple[Layout, Any]] = {}
        self.pieces: dict[int, tuple[int, int]] = {}    # layout, model
        self.tree: dict[str, Any] = {}
        self.held: dict[int, tuple] = {}        # arrays, scalars
        self.inputs: list[str] = []
        self.marked: dict[str, Any] = {}
        self.state: dict[str, Any] = {}
        self._wanted: dict[int, list[int]] = {}     # piece: first and last row + 1 that branches have
        self._rows: dict[int, np.ndarray] = {}
        self._there: dict[int, np.ndarray] = {}     # which of them

    # ------------------------------------------------ the log

    def take_header(self, content: bytes) -> None:
        told = json.loads(content)
        if told["format"] != spool.FORMAT:
            raise RecordingError(f"it has version {told['format']!r} of the format, this program reads version {spool.FORMAT}")
        self.about = {str(name): str(value) for name, value in told["about"].items()}

    def take_blob(self, content: bytes) -> None:
        self.blobs[content[:32].hex()] = content[32:]

    def take_model(self, content: bytes) -> None:
        self.models.append(json.loads(content))

    def take_layout(self, content: bytes) -> None:
        told = json.loads(content)
        parts = {str(name): int(count) for name, count in told["parts"]}
        if any(count < 0 for count in parts.values()) or sum(parts.values()) + HEAD > WIDEST:
            raise RecordingError("rows of absurd width")
        self.layouts[int(told["key"])] = Layout(MappingProxyType(parts)), rows.checked_pairs(told["pairs"], sum(parts.values()) + HEAD)

    def take_piece(self, content: bytes) -> None:
        told = json.loads(content)
        self.pieces[int(told["key"])] = int(told["layout"]), int(told["model"])

    def take_tree(self, content: bytes) -> None:
        self.tree = json.loads(unpacked(content).decode("utf-8", "surrogatepass"))

    def take_held(self, content: bytes) -> None:
        key, arrays, scalars = json.loads(unpacked(content))
        self.held[int(key)] = (tuple(bytes.fromhex(data) for data in arrays), tuple(scalars))

    def take_inputs(self, content: bytes) -> None:
        self.inputs += unpacked(content).decode("utf-8", "surrogatepass").split("\n")

    def take_bookmarks(self, content: bytes) -> None:
        self.marked = json.loads(content)

    def take_state(self, content: bytes) -> None:
        self.state = json.loads(unpacked(content).decode("utf-8", "surrogatepass"))

    def _blob(self, name: str) -> bytes:
        if name not in self.blobs:
            raise RecordingError(f"the content {str(name)[:12]} is missing")
        return unpacked(self.blobs[name])

    # ------------------------------------------------ rows

    def read_rows(self, folder: Path, progress: Callable[[float], None]) -> None:
        """Those that branches have. A row that was written again is as it was written last; what comes behind damage is not believed."""
        for branch in self.tree["branches"]:
            for ref in (Ref(*map(int, ref)) for ref in branch["pieces"]):
                low, high = self._wanted.setdefault(ref.key, [ref.start, ref.start])
                end = (1 << 62) if ref.count < 0 else ref.start + ref.count
                self._wanted[ref.key] = [min(low, ref.start), max(high, end)]
        files = sorted(folder.glob("rows.*"))
        spans: dict[int, list[int]] = {}
        parts: dict[int, list[tuple[int, np.ndarray]]] = {}
        for done, path in enumerate(files):
            end = 0
            for kind, content in read_frames(path):
                end += len(content) + 12
                if kind == spool.PART:
                    self._take_rows(content, spans, parts)
            progress((done + 1) / len(files))
            if end != path.stat().st_size and done + 1 < len(files):
                break
        for key, (low, high) in spans.items():
            layout, _pairs = self.layouts[self.pieces[key][0]]
            self._rows[key] = together = np.zeros((high - low, HEAD + sum(layout.parts.values())))
            self._there[key] = there = np.zeros(high - low, bool)
            for first, part in parts.pop(key):
                together[first - low:first - low + len(part)] = part
                there[first - low:first - low + len(part)] = True
            self._wanted[key][0] = low

    def _take_rows(self, content: bytes, spans: dict, parts: dict) -> None:
        head = np.frombuffer(content, spool.ROWS_HEAD, 1)[0]
        key, first, count, width = (int(head[name]) for name in ("piece", "first", "count", "width"))
        low, high = self._wanted.get(key, (0, 0))
        if first >= high or first + count <= low:
            return
        layout, pairs = self.layouts[self.pieces[key][0]]
        if width != HEAD + sum(layout.parts.values()) or not 0 < count * width * 8 <= MOST_TEXT:
            raise RecordingError(f"{count} rows of {width} numbers")
        part = rows.unpack(content[spool.ROWS_HEAD.itemsize:], count, width, pairs)
        span = spans.setdefault(key, [first, first + count])
        span[:] = min(span[0], first), max(span[1], first + count)
        if (span[1] - span[0]) * width > MOST_NUMBERS:
            raise RecordingError("absurdly many rows")
        parts.setdefault(key, []).append((first, part))

    def _track(self, refs: list) -> Track:
        """Rows of a branch, as many as there are without a gap before the newest."""
        found: list[TrackPiece] = []
        for ref in (Ref(*map(int, ref)) for ref in refs):
            layout, model = self.pieces[ref.key]
            if ref.key not in self._rows:
                found = []      # all of these are gone
                continue
            low, there = self._wanted[ref.key][0], self._there[ref.key]
            first = max(0, ref.start - low)
            last = len(there) if ref.count < 0 else min(len(there), max(0, ref.start + ref.count - low))
            gaps = np.flatnonzero(~there[first:last])
            if ref.start < low or len(gaps):
                found = []
            if ref.count < 0 and len(gaps):     # the newest: as far as they go on
                last, gaps = first + int(gaps[0]), gaps[:0]
            begin = first + (int(gaps[-1]) + 1 if len(gaps) else 0)
            if begin < last:
                found.append(TrackPiece(self.layouts[layout][0], self._rows[ref.key][begin:last], ref.number + begin + low - ref.start, model))
            if ref.count >= 0 and last + low < ref.start + ref.count:   # the end is missing
                break
        return Track(tuple(found))

    # ------------------------------------------------ all together

    def recording(self) -> Recording:
        branches = [self._branch(told) for told in self.tree["branches"]]
        shown = int(self.tree["shown"])
        kept = [branch for branch in branches if len(branch.track) or branch.id == shown]
        if not any(branch.id == shown and len(branch.track) for branch in kept):
            raise RecordingError("there is no state in it")
        models = {int(told["number"]): told for told in self.models}
        again, key = self.tree["again"], self.state.get("start_key")
        settings = {str(name): str(value) for name, value in self.state.get("settings", {}).items()}
        return Recording(
            tuple(kept), shown, int(self.state.get("running", -1)), tuple(self._model(told) for told in models.values()), tuple(joined_steps(self.inputs)),
            int(self.state.get("inputs_gone", 0)), None if again is None else int(again), int(self.tree["last"]), str(self.state.get("values", "[]")), None if key is None else int(key),
            tuple(RecordedBookmark(int(n), int(b), float(t), str(name), self._blob(png) if png else b"") for n, b, t, name, png in self.marked.get("bookmarks", ())),
            tuple(RecordedRegion(int(a), int(b), int(c), str(name)) for a, b, c, name in self.marked.get("regions", ())),
            MappingProxyType(self.about), tuple(map(str, self.state.get("log", ()))), str(self.state.get("note", "")), MappingProxyType(settings))

    def _branch(self, told: dict) -> RecordedBranch:
        marks = tuple(RecordedMark(int(n), float(t), str(kind), str(text), float(before)) for n, t, kind, text, before in told["marks"])
        held = tuple(RecordedHeld(int(number), *self.held[key]) for number, key in told["held"] if key in self.held)
        return RecordedBranch(int(told["id"]), int(told["parent"]), int(told["fork"]), str(told["kind"]), str(told["text"]), self._track(told["pieces"]), marks, held)

    def _model(self, told: dict) -> RecordedModel:
        data = b"".join(self._blob(name) for name in told["parts"])
        texts = {str(path): self._blob(name).decode("utf-8", "surrogatepass") for path, name in told["texts"].items()}
        return RecordedModel(int(told["number"]), data, MappingProxyType(texts))


TAKEN = MappingProxyType({
    spool.HEADER: _Reading.take_header, spool.BLOB: _Reading.take_blob, spool.MODEL: _Reading.take_model, spool.LAYOUT: _Reading.take_layout,
    spool.PIECE: _Reading.take_piece, spool.TREE: _Reading.take_tree, spool.HELD: _Reading.take_held, spool.INPUTS: _Reading.take_inputs,
    spool.BOOKMARKS: _Reading.take_bookmarks, spool.STATE: _Reading.take_state,
})


def joined_steps(lines: list[str]) -> list[str]:
    """Inputs with steps after steps, and idle turns after idle turns, as one."""
    found: list[str] = []
    last: list | None = None
    for line in lines:
        told = json.loads(line) if line.startswith(('["steps"', '["idle"')) else None
        if told is not None and last is not None and last[0] == told[0]:
            last[3] += told[3]
            found[-1] = json.dumps(last, separators=(",", ":"))
        else:
            found.append(line)
            last = told
    return found


def with_lines(recording: Recording, lines: list[str]) -> Recording:
    """The same with these inputs behind its own."""
    return replace(recording, inputs=tuple(joined_steps([*recording.inputs, *lines])))
