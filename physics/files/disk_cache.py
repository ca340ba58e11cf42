"""Files of a cache: kept whole with a checksum, found again, the oldest taken away.

A file that is damaged, still being written, or that somebody else may have written counts as absent.
"""
from __future__ import annotations

import contextlib
import os
import time
import zlib
from io import FileIO

import numpy as np

from physics.files.private_folder import written_by_others

MOST_BYTES = 1 << 30  # of all files; the oldest go first
MOST_FILES = 20_000
FRESH = 86_400.0  # a file used so long ago is marked as used again [s]
CHECK = 8   # bytes of the checksum that a file begins with


def load(path: str) -> np.ndarray | None:
    """The bytes that `save` was given, read-only; None where the file is absent, damaged or not this user's."""
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
    if raw.size < CHECK or zlib.crc32(raw[CHECK:]) != int.from_bytes(raw[:CHECK].tobytes(), "little"):
        return None
    raw.flags.writeable = False
    return raw[CHECK:]


def save(path: str, *pieces) -> None:
    """Write these bytes one after the other as a file, into a folder that exists. Raises OSError.

    Where a file is there already (damaged, or another process's), the new one takes its place whole.
    """
    whole = bytearray().join((bytes(CHECK), *pieces))
    whole[:CHECK] = zlib.crc32(memoryview(whole)[CHECK:]).to_bytes(CHECK, "little")
    try:
        _write(path, whole)
    except FileExistsError:
        _write(f"{path}.{os.urandom(6).hex()}.tmp", whole, path)


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


def prune(folder: str, most_bytes: int = MOST_BYTES, most_files: int = MOST_FILES) -> None:
    """Delete the files not used for longest until the rest fits."""
    with contextlib.suppress(OSError):
        files = []
        with os.scandir(folder) as entries:
            for entry in entries:
                state = entry.stat()
                files.append((state.st_mtime, state.st_size, entry.path))
        files.sort(reverse=True)
        total = 0
        for count, (_used, size, path) in enumerate(files):
            total += size
            if total > most_bytes or count >= most_files:
                with contextlib.suppress(OSError):
                    os.unlink(path)
