"""Threads that move simulations: each has a Data to work in, takes the next few simulations as soon as it is done with some, and shares nothing else.

Which thread moves which simulation is a matter of chance and changes no bit: all that a step depends on comes in with the rows.
"""
from __future__ import annotations

import itertools
import os
import time
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from physics.fleet.rows import Rows
from physics.kernels.decorators import Kernel
from physics.model.data import Batch, Data
from physics.model.kernel_buffers import KernelBuffers
from physics.model.model import Model
from physics.model.model_copy import model_face, refresh_face
from physics.model.struct import address

SMALL = 2e-4    # work of so long is done by the caller's thread alone: others would come too late [s]
SHARES = 8      # of what there is to do, taken one after the other by each thread: none waits long for the last one


class Worker:
    """What one thread has to itself: a Data in its slot, a face of the Model where simulations differ in fields of it, and the buffers that its kernels read."""

    def __init__(self, m: Model, slot: int, lent: dict[str, np.ndarray]):
        self.model, self.slot, self.face = m, slot, None
        self.data = Data(m)
        self.buffers = KernelBuffers(**lent)

    def learn(self, rows: Rows) -> None:
        """Take note of which fields simulations have for themselves."""
        self.face = model_face(self.model, rows.of_model) if rows.of_model else None
        self.buffers.bind("fleet_field", (table := rows.table(self.data, self.face))[0])
        self.buffers.bind("fleet_part", table[1])

    def bind_runs(self, **arrays: np.ndarray) -> None:
        """The arrays of a rollout: those named fleet_* for the kernel, the others of the Data."""
        for name, array in arrays.items():
            (self.buffers if name.startswith("fleet_") else self.data).bind(name, array)

    def run(self, kernel: Callable, batch: Batch, slot: int, first: int, last: int, owners: Callable[[int], Data], *args: int) -> None:
        """Call a kernel for places first .. last-1, again where it lacked room. owners: the Data in which the simulation at a place is moved."""
        m = self.model if self.face is None else self.face
        while (first := kernel(self.buffers, m, batch, slot, first, last, *args)) < last:
            d = owners(first)
            if d.cb_error:
                d.raise_callback_error()
            if not d.make_room():
                raise RuntimeError(f"a step of simulation at place {first} ended early and asked for no room")


class Workers:
    """The threads of a fleet, the caller's own among them. kept: a Data for each simulation, where it needs one to itself."""

    def __init__(self, m: Model, nthread: int, kept: list[Data], lent: dict[str, np.ndarray]):
        self.ids = lent["fleet_id"]
        self._all = [Worker(m, slot, lent) for slot in range(nthread)]
        self._kept = kept
        datas = [*(w.data for w in self._all), *kept]
        self._batch = Batch(datas)
        self._places = np.array([(d._buffer.ctypes.data, address(d._block)) for d in datas], np.int64)
        for worker in self._all:
            worker.buffers.bind("fleet_data", self._places)
        self._pool = ThreadPoolExecutor(nthread - 1, "fleet") if nthread > 1 else None
        if self._pool is not None:
            weakref.finalize(self, self._pool.shutdown, wait=False)
        self._pace: dict[Kernel, float] = {}      # of each kernel, how long the caller's thread was busy with one step of one simulation the last time [s]

    def __iter__(self) -> Iterator[Worker]:
        return iter(self._all)

    def __len__(self) -> int:
        return len(self._all)

    def march(self, kernel: Kernel, count: int, *args: int, kept: bool = False) -> None:
        """Call a kernel for places 0 .. count-1 of fleet_id on all threads, or on one where there is little to do; returns when all is done.

        args: the kernel's, the number of steps first. kept: each simulation in the Data that it has to itself. Raises what a thread raised, when all have ended.
        """
        steps = count * (args[0] if args else 1)
        alone = self._pool is None or self._pace.get(kernel, SMALL) * steps < SMALL
        for worker in self._all:
            if worker.face is not None:
                refresh_face(worker.face, worker.model)
        share = count if alone else -(-count // (SHARES * len(self._all)))
        starts = itertools.count(0, max(1, share))     # next() of it is whole for Python's threads

        def work(worker: Worker) -> int:
            slot, done = -1 - len(self._all) if kept else worker.slot, 0
            for first in starts:
                if first >= count:
                    break
                last = min(count, first + share)
                worker.run(kernel, self._batch, slot, first, last, self._owner if kept else lambda _place: worker.data, *args)
                done += last - first
            return done

        jobs = [] if alone or share >= count else [self._pool.submit(work, worker) for worker in self._all[1:]]
        begun = time.perf_counter()
        try:
            done = work(self._all[0])
            if done:
                self._pace[kernel] = (time.perf_counter() - begun) / (done * steps / count)
        finally:
            for job in jobs:
                job.exception()      # waits: nobody may be inside a kernel when the caller goes on
        for job in jobs:
            job.result()

    def _owner(self, place: int) -> Data:
        return self._kept[self.ids[place]]

    def close(self) -> None:
        """End the threads."""
        if self._pool is not None:
            self._pool.shutdown()
            self._pool = None

    def nbytes(self) -> int:
        """Memory of all Data [byte]."""
        return sum(d.nbytes() for d in (*(w.data for w in self._all), *self._kept))


def thread_count(nthread: int, n: int) -> int:
    """How many threads: 0 is one per processor that this process may use. Raises ValueError for a number below 0."""
    if nthread < 0:
        raise ValueError(f"{nthread} threads")
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(nthread or allowed, n))
