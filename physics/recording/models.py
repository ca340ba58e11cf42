"""The Models of a run by number, kept on the disk as compiled models (.lwb) in parts, so that none stays in memory for the sake of a recording and those that differ in a
number share their meshes and textures.

    folder/<checksum>    a part of one or more of them
"""
from __future__ import annotations

import tempfile
import threading
import weakref
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from physics.files.atomic_write import write_file
from physics.model import lwb
from physics.model.model import Model
from physics.recording import blobs


CALM = 0.5      # s after which one that was added is written, unless somebody waits for it


class ModelStore:
    """folder: where the parts go; None: nothing is kept, and only Models that live can be had. May be used from any thread."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder
        self.problem = ""       # why the last one that could not be written was not
        self._lock = threading.Lock()
        self._living: dict[int, weakref.ref] = {}
        self._next = 0
        self._parts: dict[int, bytes] = {}      # checksums one behind the other: a window that lives for days has many Models
        self._waiting: dict = {}    # futures
        self._disk = None           # a thread for all of them
        self._hurry = threading.Event()     # somebody waits for what is written
        self._gone = False      # nobody wants it any more

    def add(self, model: Model) -> int:
        """The number of a Model; one that is new is kept as it is now, whatever is set in it later. It is written aside: the run does not wait for the disk."""
        with self._lock:
            number = next((number for number, living in self._living.items() if living() is model), None)
            if number is not None:
                return number
            number, self._next = self._next, self._next + 1
            self._living = {known: living for known, living in self._living.items() if living() is not None}
            self._living[number] = weakref.ref(model)
            if self.folder is not None:
                self._disk = self._disk or _thread()
                self._waiting[number] = self._disk.submit(self._write, number, model, lwb.still(model))
        return number

    def _write(self, number: int, model: Model, still: lwb.Still) -> None:
        self._hurry.wait(CALM)      # its first picture is being made: this takes a core
        try:
            parts = self._keep(lwb.parts(model, still)) if not self._gone else None
        except OSError as why:      # the run goes on
            parts, self.problem = None, f"{self.folder}: {why.strerror or why}"
        with self._lock:
            if parts is not None:
                self._parts[number] = parts
            self._waiting.pop(number, None)

    def _keep(self, pieces: Iterable[bytes]) -> bytes:
        """Write what is not there; small pieces together."""
        self.folder.mkdir(parents=True, exist_ok=True)
        found, small = b"", b""
        for piece in pieces:
            if len(piece) >= blobs.APART:
                found += b"".join(self._keep_part(part) for part in (small, *(piece[k:k + blobs.LARGEST] for k in range(0, len(piece), blobs.LARGEST))) if part)
                small = b""
            else:
                small += piece
        return found + self._keep_part(small) if small else found

    def _keep_part(self, content: bytes) -> bytes:
        name = blobs.name_of(content)
        path = self.folder / name
        if not path.exists():
            write_file(path, content, wait=False)
        return bytes.fromhex(name)

    def adopt(self, contents: Mapping[int, bytes]) -> None:
        """Keep the Models of a recording, files (.lwb) by number. Raises LookupError where none are kept, OSError."""
        if self.folder is None:
            raise LookupError("models are not kept")
        for number, content in contents.items():
            parts = self._keep(blobs.parts(content))
            with self._lock:
                self._parts[number] = parts
                self._next = max(self._next, number + 1)

    def renew(self, number: int, model: Model) -> None:
        """Keep another Model under this number. Raises OSError."""
        parts = self._keep(lwb.parts(model, lwb.still(model)))
        with self._lock:
            self._parts[number] = parts

    def take(self, number: int, model: Model) -> None:
        """This is the Model of a number that is kept."""
        with self._lock:
            self._living[number] = weakref.ref(model)

    def wait(self) -> None:
        """Until all that were added are written, or could not be."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        for future in waiting.values():
            self._result(future)

    def _result(self, future) -> None:
        self._hurry.set()
        try:
            future.result()
        finally:
            self._hurry.clear()

    def leave(self) -> None:
        """The folder is about to be deleted: what was not written yet is not written any more."""
        self._gone = True
        self._hurry.set()

    def numbers(self) -> tuple[int, ...]:
        """Of all that are kept, or will be."""
        with self._lock:
            return tuple(sorted({*self._parts, *self._waiting}))

    def parts(self, number: int) -> tuple[Path, ...]:
        """The files that make up a Model's .lwb, one behind the other; waits until they are written. Raises LookupError where it is not kept."""
        with self._lock:
            future = self._waiting.get(number)
        if future is not None:
            self._result(future)
        with self._lock:
            if number not in self._parts:
                raise LookupError(f"model {number} is not kept" if self.folder is not None else "models are not kept")
            sums = self._parts[number]
        return tuple(self.folder / sums[k:k + blobs.SIZE].hex() for k in range(0, len(sums), blobs.SIZE))

    def living(self, number: int) -> Model | None:
        """The Model itself while somebody has it, with whatever was set in it since."""
        found = self._living.get(number)
        return found() if found is not None else None

    def load(self, number: int) -> Model:
        """Another one, as it was when it was added. Raises LookupError where none is kept, ModelError and OSError."""
        parts = self.parts(number)
        with tempfile.NamedTemporaryFile(suffix=".lwb", delete=False) as file:
            for part in parts:
                file.write(part.read_bytes())
        try:
            return lwb.load(file.name)
        finally:
            with suppress(OSError):
                Path(file.name).unlink()


def _thread():
    from concurrent.futures import ThreadPoolExecutor   # late: at the start every import counts

    return ThreadPoolExecutor(1, "models")
