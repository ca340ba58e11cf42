"""Recordings as HDF5 files, which any program that reads HDF5 can look into: the layout is told in docs/recordings.md.

A file begins with 512 bytes of text that say what it is, with a checksum of all that follows; HDF5 begins behind them. A file that was damaged or changed since it was
written is refused before anything of it is looked at. Code that runs nowhere in a window's process: the HDF5 library holds the interpreter (convert.py).
"""
from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.files.atomic_write import replacing_by_name
from physics.recording import blobs
from physics.recording.errors import RecordingError
from physics.recording.first_bytes import BEFORE, FIRST_LINE
from physics.recording.recording import (
    HELD_ARRAYS, HELD_SCALARS, Layout, RecordedBookmark, RecordedBranch, RecordedHeld, RecordedMark, RecordedModel, RecordedRegion, Recording,
)
from physics.recording.track import HEAD, Track, TrackPiece

FORMAT = 1
HEAD_FIELDS = ("time", "noise_step")
GZIP = 1
CHUNK = 1 << 17     # bytes of one field's rows that are compressed together
READ = 1 << 22      # bytes looked at at once
MOST = 1 << 36      # bytes of states
SUMMED = "sha256"


# ---------------------------------------------------------------- writing

def save(recording: Recording, path: str | os.PathLike, progress: Callable[[float], None] = lambda share: None) -> None:
    """Write a recording, all or nothing. progress(share): how much of the states is written. Raises OSError, and RecordingError where HDF5 is not there."""
    h5py = _h5py()
    with replacing_by_name(path) as temporary:
        with h5py.File(temporary, "w", userblock_size=BEFORE, libver="latest") as file:
            _write(file, recording, progress)
        check = _checksum(temporary)
        with open(temporary, "r+b") as raw:
            raw.write(_first_bytes(check, os.path.getsize(temporary)))


def _h5py():
    try:
        import h5py
    except ImportError as why:
        raise RecordingError(f"recordings need the package h5py, which cannot be loaded: {why}") from None
    return h5py


def _first_bytes(check: str, size: int) -> bytes:
    text = FIRST_LINE + f"{SUMMED} {check}\nbytes {size}\nHDF5 begins at byte {BEFORE}: h5py.File(path) reads it as it is.\n".encode()
    return text + bytes(BEFORE - len(text))


def _checksum(path: str | os.PathLike) -> str:
    """Of all behind the first bytes."""
    total = hashlib.sha256()
    with open(path, "rb") as file:
        file.seek(BEFORE)
        while part := file.read(READ):
            total.update(part)
    return total.hexdigest()


def _write(file, recording: Recording, progress: Callable[[float], None]) -> None:
    file.attrs["format"] = "linkwork recording"
    file.attrs["version"] = FORMAT
    file.attrs["shown"] = recording.shown
    file.attrs["running"] = recording.running
    file.attrs["again"] = -1 if recording.again is None else recording.again
    file.attrs["last"] = recording.last
    file.attrs["start_key"] = -1 if recording.start_key is None else recording.start_key
    about = file.create_group("about")
    for name, value in recording.about.items():
        about.attrs[name] = value
    known = file.create_group("blobs")
    models = file.create_group("models")
    for model in recording.models:
        _write_model(models, known, model)
    _write_inputs(file.create_group("inputs"), recording)
    total, done = sum(piece.rows.nbytes for branch in recording.branches for piece in branch.track.pieces), 0
    branches = file.create_group("branches")
    for branch in recording.branches:
        group = branches.create_group(str(branch.id))
        for name in ("parent", "fork", "kind", "text"):
            group.attrs[name] = _word(getattr(branch, name))
        group.attrs["shown"] = branch.id == recording.shown
        _columns(group.create_group("marks"), RecordedMark._fields, branch.marks)
        _write_held(group.create_group("held"), branch.held)
        pieces = group.create_group("pieces")
        for k, piece in enumerate(together(branch.track).pieces):
            done = _write_piece(pieces.create_group(str(k)), piece, lambda nbytes: progress(nbytes / max(1, total)), done)
    _write_bookmarks(file, recording)
    _text(file, "values", recording.values)
    _text(file, "note", recording.note)
    _text(file, "log", "\n".join(line.replace("\n", "\u2028") for line in recording.log))
    settings = file.create_group("settings")
    for name, value in recording.settings.items():
        settings.attrs[name] = _word(value)
    progress(1.0)


def _word(value):
    """Text that HDF5 can hold."""
    return value.encode("utf-8", "replace").decode().replace("\0", "") if isinstance(value, str) else value


def together(track: Track) -> Track:
    """The same with neighbouring pieces of the same Model as one, where they lie one behind the other in memory; a view."""
    found: list[TrackPiece] = []
    for piece in track.pieces:
        last = found[-1] if found else None
        if last is not None and last.model == piece.model and last.number + len(last.rows) == piece.number and last.rows.ctypes.data + last.rows.nbytes == piece.rows.ctypes.data \
                and last.rows.base is not None and last.rows.base is piece.rows.base and last.rows.shape[1] == piece.rows.shape[1]:
            start = (last.rows.ctypes.data - last.rows.base.ctypes.data) // 8
            rows = last.rows.base.reshape(-1)[start:start + last.rows.size + piece.rows.size].reshape(-1, last.rows.shape[1])
            found[-1] = TrackPiece(last.layout, rows, last.number, last.model)
        else:
            found.append(piece)
    return Track(tuple(found))


def _bytes(group, name: str, content: bytes) -> None:
    data = np.frombuffer(content, np.uint8)
    if len(data):
        group.create_dataset(name, data=data, chunks=(min(len(data), 1 << 20),), compression="gzip", compression_opts=GZIP)
    else:
        group.create_dataset(name, data=data)


def _text(group, name: str, text: str) -> None:
    _bytes(group, name, text.encode("utf-8", "replace"))


def _blob(known, content: bytes) -> str:
    name = blobs.name_of(content)
    if name not in known:
        _bytes(known, name, content)
    return name


def _write_model(models, known, model: RecordedModel) -> None:
    group = models.create_group(str(model.number))
    names = [_blob(known, part) for part in model.parts()]
    group.create_dataset("parts", data=np.array(names, "S64"))
    texts = group.create_group("texts")
    for k, (path, text) in enumerate(model.texts.items()):
        one = texts.create_group(str(k))
        one.attrs["path"] = _word(path)
        one.attrs["blob"] = _blob(known, text.encode("utf-8", "replace"))


def _write_inputs(group, recording: Recording) -> None:
    group.attrs["gone"] = recording.inputs_gone
    _text(group, "lines", "\n".join(recording.inputs))
    heads = [line_head(line) for line in recording.inputs]
    _column(group, "kind", np.array([kind for kind, _number, _time in heads], "S12"))
    _column(group, "number", np.array([number for _kind, number, _time in heads], np.int64))
    _column(group, "time", np.array([time for _kind, _number, time in heads], float))


def line_head(line: str) -> tuple[str, int, float]:
    """(kind, number of the entry, simulated time) of an input. Raises RecordingError."""
    try:
        kind, number, rest = line[1:].split(",", 2)     # the value behind them can be long
        text = rest.partition(",")[0]
        return json.loads(kind), int(number), float(text) if text[0] != "{" else float("nan")
    except (ValueError, IndexError):
        raise RecordingError(f"not an input: {line[:60]!r}", field="inputs") from None


def _column(group, name: str, values: np.ndarray) -> None:
    if values.size:
        group.create_dataset(name, data=values, chunks=(min(len(values), 1 << 14), *values.shape[1:]), compression="gzip", compression_opts=GZIP, shuffle=True)
    else:
        group.create_dataset(name, data=values)


def _columns(group, names: tuple[str, ...], rows: tuple[tuple, ...]) -> None:
    """A table: a dataset for each column, texts as UTF-8."""
    for k, name in enumerate(names):
        values = [row[k] for row in rows]
        if any(isinstance(value, str) for value in values):
            _text(group, name, json.dumps(values))
            group[name].attrs["json"] = True
        else:
            _column(group, name, np.array(values, np.int64 if all(isinstance(value, int) for value in values) else float))


def _write_held(group, held: tuple[RecordedHeld, ...]) -> None:
    """Notes of the same sizes one after the other as arrays (n, numbers); a group for each run of them."""
    runs: list[list[RecordedHeld]] = []
    for note in held:
        if runs and tuple(map(len, runs[-1][-1].arrays)) == tuple(map(len, note.arrays)):
            runs[-1].append(note)
        else:
            runs.append([note])
    for k, run in enumerate(runs):
        one = group.create_group(str(k))
        _column(one, "number", np.array([note.number for note in run], np.int64))
        for i, name in enumerate(HELD_ARRAYS):
            kind = np.uint8 if name == "eq_active" else np.float64
            _column(one, name, np.array([np.frombuffer(note.arrays[i], kind) for note in run]).reshape(len(run), -1))
        for i, name in enumerate(HELD_SCALARS):
            _column(one, name, np.array([note.scalars[i] for note in run], np.int64 if name == "noise_seed" else np.float64))


def _write_piece(group, piece: TrackPiece, progress: Callable[[int], None], done: int) -> int:
    count = len(piece.rows)
    group.attrs["model"], group.attrs["number"] = piece.model, piece.number
    group.attrs["fields"] = json.dumps(dict(piece.layout.parts))
    columns = {name: piece.rows[:, k] for k, name in enumerate(HEAD_FIELDS)} | {name: piece.columns(name) for name, n in piece.layout.parts.items() if n}
    for name, values in columns.items():
        chunk = max(1, min(count, CHUNK // (8 * values[0].size)))
        made = group.create_dataset(name, shape=values.shape, dtype="<f8", chunks=(chunk, *values.shape[1:]), compression="gzip", compression_opts=GZIP, shuffle=True)
        for start in range(0, count, chunk):
            made[start:start + chunk] = values[start:start + chunk]
            done += values[start:start + chunk].size * 8
            progress(done)
    return done


def _write_bookmarks(file, recording: Recording) -> None:
    group = file.create_group("bookmarks")
    for k, mark in enumerate(recording.bookmarks):
        one = group.create_group(str(k))
        for name in ("number", "branch", "time", "name"):
            one.attrs[name] = _word(getattr(mark, name))
        _bytes(one, "png", mark.png)
    group = file.create_group("regions")
    for k, region in enumerate(recording.regions):
        one = group.create_group(str(k))
        for name in RecordedRegion._fields:
            one.attrs[name] = _word(getattr(region, name))


# ---------------------------------------------------------------- reading

def load(path: str | os.PathLike, progress: Callable[[float], None] = lambda share: None, states: bool = True) -> Recording:
    """Read a recording. states: without them rows have no more than their time, and Models no content (info). Raises RecordingError for what is none, or damaged, and OSError."""
    path = os.fspath(path)
    h5py = _h5py()
    try:
        _check(path)
        with h5py.File(path, "r") as file:
            return _Reader(file, progress, states).recording()
    except RecordingError as why:
        raise why.at(path) from None
    except FileNotFoundError:
        raise
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, MemoryError, RecursionError, RuntimeError, OSError) as why:
        if isinstance(why, OSError) and why.errno:
            raise
        raise RecordingError(f"it makes no sense ({type(why).__name__}: {str(why)[:200]})", path) from None


def _check(path: str) -> None:
    """Raises RecordingError for a file that is not as it was written."""
    with open(path, "rb") as file:
        head = file.read(BEFORE)
    if not head.startswith(FIRST_LINE):
        other = head.startswith(FIRST_LINE[:FIRST_LINE.rindex(b" ") + 1])
        raise RecordingError("it was written by a later version of Linkwork" if other else "this is no recording of Linkwork: it begins otherwise")
    told = dict(line.split(" ", 1) for line in head.decode("utf-8", "replace").split("\n")[1:3] if " " in line)
    size = os.path.getsize(path)
    if told.get("bytes") != str(size):
        raise RecordingError(f"the file has {size} bytes and should have {told.get('bytes', '?')[:20]}: it was cut short or added to")
    if told.get(SUMMED) != _checksum(path):
        raise RecordingError("its checksum is wrong: the file was damaged or changed since it was written")
    if head != _first_bytes(told[SUMMED], size):
        raise RecordingError("its first bytes were changed since it was written")


class _Reader:
    """Reads by a whitelist: what is not expected is not looked at. Each dataset's kind, shape and size are checked before it is read."""

    def __init__(self, file, progress: Callable[[float], None], states: bool):
        self._file, self._progress, self._states = file, progress, states
        self._read, self._size = 0, max(1, os.path.getsize(file.filename))

    def recording(self) -> Recording:
        file = self._file
        if file.attrs.get("version") != FORMAT:
            raise RecordingError(f"it has version {file.attrs.get('version')} of the layout, this program reads version {FORMAT}")
        shown, again, key = (int(file.attrs[name]) for name in ("shown", "again", "start_key"))
        branches = tuple(self._branch(number) for number in self._numbers(self._group("branches")))
        if not any(branch.id == shown and len(branch.track) for branch in branches):
            raise RecordingError("there is no state in it", field="branches")
        text = self._text("inputs/lines")
        return Recording(
            branches, shown, int(file.attrs["running"]), tuple(self._model(number) for number in self._numbers(self._group("models"))),
            tuple(text.split("\n")) if text else (), int(self._group("inputs").attrs["gone"]), None if again < 0 else again, int(file.attrs["last"]), self._text("values"), None if key < 0 else key,
            tuple(self._bookmark(number) for number in self._numbers(self._group("bookmarks"))), tuple(self._region(number) for number in self._numbers(self._group("regions"))),
            MappingProxyType(self._words("about")), tuple(line.replace("\u2028", "\n") for line in filter(None, self._text("log").split("\n"))), self._text("note"),
            MappingProxyType(self._words("settings")))

    # ------------------------------------------------ what is in the file

    def _entry(self, name: str):
        """A group or dataset that lies in this very file."""
        h5py = _h5py()
        at = self._file
        for part in name.split("/"):
            if not isinstance(at.get(part, getlink=True), h5py.HardLink):
                raise RecordingError("is missing", field=name)
            at = at[part]
        return at

    def _group(self, name: str):
        found = self._entry(name)
        if not isinstance(found, _h5py().Group):
            raise RecordingError("is no group", field=name)
        return found

    @staticmethod
    def _numbers(group) -> list[int]:
        names = list(group)
        if not all(name.isdecimal() and str(int(name)) == name for name in names):
            raise RecordingError("has an entry that is no number", field=group.name.strip("/"))
        return sorted(map(int, names))

    def _array(self, name: str, kinds: str, ndim: int = 1) -> np.ndarray:
        """A dataset whose type is of one of these kinds (NumPy's letters)."""
        found = self._entry(name)
        if not isinstance(found, _h5py().Dataset) or found.dtype.kind not in kinds or found.ndim != ndim or found.external or found.is_virtual:
            raise RecordingError("is not an array as it should be", field=name)
        if found.size * found.dtype.itemsize > MOST:
            raise RecordingError(f"is absurdly large, of shape {found.shape}", field=name)
        try:
            return found[...]
        except OSError as why:
            raise RecordingError(f"cannot be read: {str(why)[:100]}", field=name) from None

    def _text(self, name: str) -> str:
        return self._array(name, "u").tobytes().decode()

    def _words(self, name: str) -> dict[str, str]:
        return {str(key): str(value) for key, value in self._group(name).attrs.items()}

    def _blob(self, name: str) -> bytes:
        if len(name) != 64 or not all(digit in "0123456789abcdef" for digit in name):
            raise RecordingError("a name that is no checksum", field="blobs")
        content = self._array(f"blobs/{name}", "u").tobytes()
        if blobs.name_of(content) != name:
            raise RecordingError("its checksum is wrong", field=f"blobs/{name}")
        return content

    def _model(self, number: int) -> RecordedModel:
        place = f"models/{number}"
        data = b"".join(self._blob(name.decode()) for name in self._array(f"{place}/parts", "S").tolist()) if self._states else b""
        texts = {}
        for k in self._numbers(self._group(f"{place}/texts")):
            one = self._group(f"{place}/texts/{k}")
            texts[str(one.attrs["path"])] = self._blob(str(one.attrs["blob"])).decode()
        return RecordedModel(number, data, MappingProxyType(texts))

    def _table(self, name: str, fields: tuple[str, ...], kinds: str) -> list[tuple]:
        """Rows of a table. kinds: of each column 'i', 'f' or 's'."""
        columns = []
        for field, kind in zip(fields, kinds, strict=True):
            place = f"{name}/{field}"
            if kind == "s" and self._entry(place).attrs.get("json"):
                columns.append([str(word) for word in json.loads(self._text(place))])
            else:
                columns.append(self._array(place, "iuf").tolist())
        if len(set(map(len, columns))) > 1:
            raise RecordingError("its columns differ in length", field=name)
        return list(zip(*columns, strict=True))

    def _branch(self, number: int) -> RecordedBranch:
        place = f"branches/{number}"
        told = self._group(place).attrs
        marks = tuple(RecordedMark(int(n), float(t), kind, text, float(before)) for n, t, kind, text, before in self._table(f"{place}/marks", RecordedMark._fields, "ifssf"))
        pieces = tuple(self._piece(f"{place}/pieces/{k}") for k in self._numbers(self._group(f"{place}/pieces")))
        return RecordedBranch(number, int(told["parent"]), int(told["fork"]), str(told["kind"]), str(told["text"]), Track(pieces), marks, self._held(f"{place}/held"))

    def _held(self, place: str) -> tuple[RecordedHeld, ...]:
        found: list[RecordedHeld] = []
        for k in self._numbers(self._group(place)):
            numbers = self._array(f"{place}/{k}/number", "i").tolist()
            arrays = [self._array(f"{place}/{k}/{name}", "uf", 2) for name in HELD_ARRAYS]
            scalars = [self._array(f"{place}/{k}/{name}", "if").tolist() for name in HELD_SCALARS]
            if any(len(column) != len(numbers) for column in (*arrays, *scalars)):
                raise RecordingError("its columns differ in length", field=f"{place}/{k}")
            found += [RecordedHeld(number, tuple(array[i].tobytes() for array in arrays), tuple(column[i] for column in scalars)) for i, number in enumerate(numbers)]
        return tuple(found)

    def _piece(self, place: str) -> TrackPiece:
        group = self._group(place)
        parts = {str(name): int(count) for name, count in json.loads(group.attrs["fields"]).items()}
        if any(count < 0 for count in parts.values()):
            raise RecordingError("a field of fewer than no numbers", field=place)
        count, width = self._entry(f"{place}/time").shape[0], HEAD + sum(parts.values())
        if count * width * 8 > MOST:
            raise RecordingError(f"{count} rows of {width} numbers are absurdly many", field=place)
        layout = Layout(MappingProxyType(parts))
        if not self._states:
            rows = np.zeros((count, HEAD))
            rows[:, 0] = self._array(f"{place}/time", "f")
            return TrackPiece(layout, rows, int(group.attrs["number"]), int(group.attrs["model"]))
        rows, k = np.empty((count, width)), 0
        for name, n in ((HEAD_FIELDS[0], 1), (HEAD_FIELDS[1], 1), *parts.items()):
            if n:
                values = self._array(f"{place}/{name}", "f", 1 if k < HEAD else 2)
                if values.shape != ((count,) if k < HEAD else (count, n)) or values.dtype.itemsize != 8:
                    raise RecordingError(f"has type {values.dtype} and shape {values.shape} in place of {count} rows of {n} numbers", field=f"{place}/{name}")
                rows[:, k:k + n] = values.reshape(count, n)
                k += n
                self._progress(min(0.99, self._add(group[name])))
        return TrackPiece(layout, rows, int(group.attrs["number"]), int(group.attrs["model"]))

    def _add(self, dataset) -> float:
        self._read += dataset.id.get_storage_size()
        return self._read / self._size

    def _bookmark(self, number: int) -> RecordedBookmark:
        told = self._group(f"bookmarks/{number}").attrs
        return RecordedBookmark(int(told["number"]), int(told["branch"]), float(told["time"]), str(told["name"]), self._array(f"bookmarks/{number}/png", "u").tobytes())

    def _region(self, number: int) -> RecordedRegion:
        told = self._group(f"regions/{number}").attrs
        return RecordedRegion(int(told["number"]), int(told["last"]), int(told["branch"]), str(told["name"]))


def summary(recording: Recording) -> dict[str, Any]:
    """What is in a recording, for people: branches, entries, inputs by kind."""
    kinds: dict[str, int] = {}
    for line in recording.inputs:
        kind = line_head(line)[0]
        if kind == "command":
            told = json.loads(line)[3]
            kind = str(told.get("#", kind)) if isinstance(told, dict) else kind
        kinds[kind] = kinds.get(kind, 0) + 1
    return {"steps": recording.steps, "branches": len(recording.branches), "inputs": dict(sorted(kinds.items(), key=lambda item: -item[1])), "models": len(recording.models),
            "texts": len({path for model in recording.models for path in model.texts}), "bookmarks": len(recording.bookmarks), "regions": len(recording.regions)}
