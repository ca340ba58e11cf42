"""Files of a cache: kept whole with a checksum, found again, the oldest taken away.

A file that is damaged, still being written, under another file's name, or that somebody else may have written counts as absent.
"""
from __future__ import annotations

import contextlib
import os
import time
import zlib
from collections.abc import Callable
from io import FileIO

import numpy as np

from physics.files.private_folder import written_by_others

MOST_BYTES = 1 << 30  # of all files; the oldest go first
MOST_FILES = 20_000
FRESH = 86_400.0  # a file used so long ago is marked as used again [s]
CHECK = 8   # bytes of the checksum that a file begins with


def load(path: str) -> np.ndarray | None:
    """The bytes that `save` was given under this name, read-only; None where the file is absent, damaged, another's or not this user's."""
    try:
        with FileIO(path) as file:
            state = os.fstat(file.fileno())
            if written_by_others(state):
                return None
            raw = np.empty(state.st_size, np.uint8)
            if file.readinto(raw) != raw.size:
                return None
    except OSError:
        return None
    if time.time() - state.st_mtime > FRESH:
        with contextlib.suppress(OSError):
            os.utime(path)
    if raw.size < CHECK or _checksum(path, raw[CHECK:]) != raw[:CHECK].tobytes():
        return None
    raw.flags.writeable = False
    return raw[CHECK:]


def save(path: str, *pieces) -> None:
    """Write these bytes one after the other as a file, into a folder that exists. Raises OSError.

    Where a file is there already (damaged, or another process's), the new one takes its place whole.
    """
    whole = bytearray().join((bytes(CHECK), *pieces))
    whole[:CHECK] = _checksum(path, memoryview(whole)[CHECK:])
    try:
        _write(path, whole)
    except FileExistsError:
        _write(f"{path}.{os.urandom(6).hex()}.tmp", whole, path)


def _checksum(path: str, data) -> bytes:
    """Of the file's name and what is in it: a file that was put under another name is none."""
    return zlib.crc32(data, zlib.crc32(os.path.basename(path).encode())).to_bytes(CHECK, "little")


def _write(path: str, whole: bytearray, place: str = "") -> None:
    """Write a file that is not there yet and give it its place; one that cannot be finished is taken away. Raises OSError."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
    try:
        try:
            if os.write(handle, whole) != len(whole):
                raise OSError("the file is cut short")
        finally:
            os.close(handle)
        if place:
            os.replace(path, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise


def prune(folder: str, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES, longest: float = float("inf"),
          counts: Callable[[str], bool] = lambda name: True) -> None:
    """Delete the files not used for `longest` seconds, and of the others those not used for longest until the rest fits. counts: by name, which files are the cache's."""
    with contextlib.suppress(OSError):
        files, oldest = [], time.time() - longest
        with os.scandir(folder) as entries:
            for entry in entries:
                if counts(entry.name):
                    with contextlib.suppress(OSError):   # another program was first
                        state = entry.stat()
                        files.append((state.st_mtime, state.st_size, entry.path))
        files.sort(reverse=True)
        total = 0
        for count, (used, size, path) in enumerate(files):
            total += size
            if total > most_bytes or count >= most_files or used < oldest:
                with contextlib.suppress(OSError):
                    os.unlink(path)
