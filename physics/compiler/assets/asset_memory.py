"""Meshes and pictures that were made for one compile, for the next one of the same program: what is made of a file is known by the file's state, which takes no reading.

    AssetMemory, one for a program that compiles again and again (editor.live_compile.LiveCompiler)    compile_root(..., memory=it)
"""
from __future__ import annotations

import os
import time
from collections.abc import Hashable

__all__ = ["AssetMemory", "file_state"]

MOST = 256 << 20    # bytes that are kept
SETTLED = 2.0       # s since a file was written last, until then it may be written again without its time stamp telling


def file_state(path: str) -> tuple[int, ...] | None:
    """What changes with a file's content; None for no file, and one that was written just now."""
    try:
        state = os.stat(path)
    except OSError:
        return None
    if time.time() - max(state.st_mtime, state.st_ctime) < SETTLED:
        return None
    return state.st_dev, state.st_ino, state.st_size, state.st_mtime_ns, state.st_ctime_ns


class AssetMemory:
    """For one compile at a time, each between `begin` and `end`: what that has not asked for is forgotten then."""

    def __init__(self, most: int = MOST):
        self._most, self._bytes = most, 0
        self._kept: dict[Hashable, tuple[object, int]] = {}
        self._asked: dict[Hashable, tuple[object, int]] = {}

    def begin(self) -> None:
        """A compile begins."""
        self._asked, self._bytes = {}, 0

    def end(self, good: bool) -> None:
        """It is over; good: it has asked for all assets there are, else what was kept stays beside."""
        self._kept = self._asked if good else {**self._kept, **self._asked} if self._bytes + sum(size for _value, size in self._kept.values()) <= self._most else self._asked
        self._asked = {}

    def get(self, key: Hashable) -> object | None:
        """What was put under a key; None for nothing."""
        found = self._asked.get(key) or self._kept.get(key)
        if found is None:
            return None
        self._enter(key, found)
        return found[0]

    def put(self, key: Hashable, value: object, size: int) -> None:
        """Keep what was made of an asset. size: bytes of it."""
        self._enter(key, (value, size))

    def _enter(self, key: Hashable, found: tuple[object, int]) -> None:
        if key not in self._asked and self._bytes + found[1] <= self._most:
            self._asked[key] = found
            self._bytes += found[1]
