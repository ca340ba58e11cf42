"""The Models of a run by number, kept as compiled files (.lwb), so that none of them stays in memory for the sake of a recording."""
from __future__ import annotations

import threading
import weakref
from collections.abc import Mapping
from pathlib import Path

from physics.model import lwb
from physics.model.model import Model


class ModelStore:
    """folder: where the files go; None: nothing is kept, and only Models that live can be had. May be used from any thread."""

    def __init__(self, folder: Path | None = None):
        self.folder = folder
        self._lock = threading.Lock()
        self._living: dict[int, weakref.ref] = {}
        self._next = 0
        self._kept: set[int] = set()    # whose files are there
        self.problem = ""       # why the last one that could not be written was not

    def add(self, model: Model) -> int:
        """The number of a Model; one that is new is written as it is now. That it cannot be written is noted as `problem`."""
        with self._lock:
            number = next((number for number, living in self._living.items() if living() is model), None)
            if number is not None:
                return number
            number, self._next = self._next, self._next + 1
            self._living = {known: living for known, living in self._living.items() if living() is not None}
            self._living[number] = weakref.ref(model)
        if self.folder is not None:
            self._write(model, number)
        return number

    def _write(self, model: Model, number: int) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            lwb.save(model, self.path(number), wait=False)
        except OSError as why:      # the run goes on
            self.problem = f"{self.path(number)}: {why.strerror or why}"
            return
        with self._lock:
            self._kept.add(number)

    def take(self, number: int, model: Model) -> None:
        """This is the Model of a number that is kept."""
        with self._lock:
            self._living[number] = weakref.ref(model)

    def adopt(self, contents: Mapping[int, bytes]) -> None:
        """Keep the Models of a recording, files (.lwb) by number. Raises LookupError where none are kept, OSError."""
        for number, content in contents.items():
            path = self.path(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        with self._lock:
            self._next = max([self._next, *(number + 1 for number in contents)])
            self._kept.update(contents)

    def numbers(self) -> tuple[int, ...]:
        """Of all that are kept."""
        with self._lock:
            return tuple(sorted(self._kept))

    def path(self, number: int) -> Path:
        """The file of a Model. Raises LookupError where none is kept."""
        if self.folder is None:
            raise LookupError("models are not kept")
        return self.folder / f"model{number}.lwb"

    def living(self, number: int) -> Model | None:
        """The Model itself while somebody has it, with whatever was set in it since."""
        found = self._living.get(number)
        return found() if found is not None else None

    def load(self, number: int) -> Model:
        """Another one, as it was when it was added. Raises LookupError where none is kept, ModelError and OSError."""
        path = self.path(number)
        if not path.exists():
            raise LookupError(f"model {number} is not kept")
        return lwb.load(path)
