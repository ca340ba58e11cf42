"""What long searches share: reports while they run, checkpoints on the disk, random numbers by seed.

A checkpoint is one .npz file, written beside and renamed, so that it is always whole. Random numbers of iteration k depend on the seed and on k alone
(`generator`), so that a search that is taken up again draws what it would have drawn.
"""
from __future__ import annotations

import hashlib
import io
import os
import zipfile
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np

from physics.files.atomic_write import write_file
from physics.model.model import Model

FORMAT = 1


class Progress(NamedTuple):
    """One report. what: 'ilqr', 'random search', ...; done of total iterations; value: cost or reward now; text: the rest in words."""

    what: str
    done: int
    total: int
    value: float
    text: str = ""


# called after each iteration; returning False ends the search with what it has
Report = Callable[[Progress], "bool | None"]


def reported(report: Report | None, progress: Progress) -> bool:
    """Hand a report on; whether to go on."""
    return report is None or report(progress) is not False


def generator(seed: int, *place: int) -> np.random.Generator:
    """The random numbers of one place of a search (iteration, direction, ...). Raises ValueError for a negative seed."""
    if seed < 0:
        raise ValueError(f"a seed is 0 or more, not {seed}")
    return np.random.default_rng([seed, *place])


class Checkpoint:
    """Where a search keeps what it needs to be taken up again. path: an .npz file; every: iterations between two writes.

    A search that is given the checkpoint of the same search goes on from there with the same numbers; that of another search raises ValueError. Functions of the
    user's (costs, rewards) cannot be compared: keep them as they were.
    """

    def __init__(self, path: str | os.PathLike, every: int = 1):
        if every < 1:
            raise ValueError(f"a checkpoint each {every} iterations")
        self.path, self.every = os.fspath(path), every

    def load(self, what: str, mark: str) -> dict[str, np.ndarray] | None:
        """The arrays of the last write, None where there is no file. Raises ValueError for the file of another search or a damaged one, OSError."""
        try:
            with open(self.path, "rb") as file:
                content = file.read()
        except FileNotFoundError:
            return None
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as found:
                arrays = {name: found[name] for name in found.files}
            head = [str(part) for part in arrays.pop("checkpoint")]
        except (ValueError, KeyError, EOFError, OSError, TypeError, zipfile.BadZipFile) as why:
            raise ValueError(f"{self.path} is no checkpoint: {why}") from None
        if head != [str(FORMAT), what, mark]:
            raise ValueError(f"{self.path} is a checkpoint of another search ({head[1] if len(head) > 1 else '?'}; another model, start or other options)")
        return arrays

    def save(self, what: str, mark: str, arrays: Mapping[str, np.ndarray], done: int, last: bool = False) -> None:
        """Write these arrays after iteration `done`, where it is one in `every` or the last. Raises OSError."""
        if not last and done % self.every:
            return
        buffer = io.BytesIO()
        np.savez(buffer, checkpoint=np.array([str(FORMAT), what, mark]), **{name: np.asarray(array) for name, array in arrays.items()})
        write_file(self.path, buffer.getvalue(), wait=last)


def fingerprint(m: Model, *parts) -> str:
    """A search's mark: of all numbers of a Model, and of arrays, options and words."""
    total = hashlib.sha256()
    for name in sorted(m.layout.scalars):
        total.update(f"{name}={getattr(m, name)!r};".encode())
    for name in sorted(m.layout.arrays):
        total.update(name.encode())
        total.update(np.ascontiguousarray(getattr(m, name)).tobytes())
    for part in parts:
        total.update(np.ascontiguousarray(part).tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return total.hexdigest()
