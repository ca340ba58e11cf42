"""Collect the object files of a set of kernels, from the cache or fresh from the workers; what somebody waits for comes first.

A set that is waited for (what the model that was opened can reach) goes to the front of the queue, and as soon as the last of it has landed
all that is there is loaded; the kernels that are not are stubs until then (physics/kernels/load.py). Another set may be asked for at any
time, from any thread: the newest is served first.
"""
from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from physics.kernels import build, cache
from physics.kernels.decorators import KERNELS

Load = Callable[[list[bytes], dict[str, str], list[str]], None]   # object files, symbol -> key of each, symbols of those that are not there


class Gathering:
    """have: symbol -> object file, None where there is none yet; first_at: time.perf_counter() when the first ones had been loaded, or None."""

    def __init__(self, folder: str | None, keys: dict[str, str], procs: int | None, load: Load):
        self._folder, self._keys, self._load = folder, keys, load
        self.have = {s: cache.read_object(folder, key) for s, key in keys.items()}
        self._uncompiled = {s: keys[s] for s, data in self.have.items() if data is None}
        self._build = build.BuildRun(self._uncompiled, folder, procs)
        self._ranks: dict[str, int] = {}
        self._waiting: set[str] | None = None   # of what is waited for, not there yet; None: nothing is waited for
        self._ready: Callable[[], None] | None = None
        self.first_at: float | None = None

    def run(self, modules: list[str], progress: Callable | None, first: Callable[[], Iterable[str]] | None, ready: Callable[[], None] | None) -> int:
        """Compile what is not there; how many that were. Arguments: those of load.ensure. Raises BuildError."""
        if not self._uncompiled:
            return 0
        place = {name: k for k, name in enumerate(modules)}
        self._ranks = {s: place.get(KERNELS[s].module, -1) for s in self._keys}
        self._ready = ready
        self._build.tell(lambda: self._serve_first(first() if first is not None else ()))   # asked while the workers start
        self._build.run(self._landed, progress)
        cache.prune(self._folder)
        return len(self._uncompiled)

    def want(self, symbols: Iterable[str]) -> None:
        """Somebody waits for these kernels. From any thread."""
        self._build.tell(lambda: self._serve_first(symbols))

    # ------------------------------------------------ in the thread that runs the build

    def _serve_first(self, symbols: Iterable[str]) -> None:
        """Compile these ahead of all others, and load as soon as they are there."""
        wanted = {s for s in symbols if s in self._keys}
        front = min(self._ranks.values(), default=0) - 1
        self._ranks |= dict.fromkeys(wanted, front)
        self._build.order(self._ranks)
        if wanted and self._ready is not None and not all(KERNELS[s].addr and KERNELS[s].key == self._keys[s] for s in wanted):
            self._waiting = {s for s in wanted if self.have[s] is None}
            self._load_what_is_there()

    def _landed(self, symbol: str, data: bytes) -> None:
        self.have[symbol] = data
        if self._waiting:
            self._waiting.discard(symbol)
            self._load_what_is_there()

    def _load_what_is_there(self) -> None:
        """Load, unless something is waited for that is not there, or all is there: then all of it is loaded anyway."""
        if self._waiting:
            return
        self._waiting = None
        keys = {s: key for s, key in self._keys.items() if self.have[s] is not None}
        if len(keys) < len(self._keys):
            self._load([self.have[s] for s in keys], keys, [s for s in self._keys if s not in keys])
            self.first_at = self.first_at or time.perf_counter()
            self._ready()
        self._build.give_way()
