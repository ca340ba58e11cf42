"""Frame states for a film, taken by the physics thread at exact simulated times.

    physics thread: due -> (steps up to the next frame) -> capture --ready--> window sends it on --free--> physics thread

Frame state k is the state at the step nearest to start + k * interval, with everything that follows from it computed for that state (while
running, positions otherwise lag one step behind the coordinates). There are few Snapshots: while none is free simulated time stands
still, so no frame is lost and the thread that draws never hurries. Where time jumps (reset, history, another model) the frame states go on
from there.
"""
from __future__ import annotations

from collections import deque
from math import ceil

from physics.runtime.snapshot import Snapshot
from physics.simulate import step

SLOTS = 3
WAIT = 2e-3     # s until the physics thread looks again for a free Snapshot


def steps_to(now: float, frame: float, timestep: float) -> int:
    """Steps from `now` to the one nearest to `frame` (of two the earlier), negative when that is past."""
    return ceil((frame - now) / timestep - 0.5 - 1e-9)


class Filming:
    """One film's frame states. interval: simulated seconds between two. `due` and `capture` belong to the physics thread, the rest to whoever draws or sends."""

    def __init__(self, interval: float, slots: int = SLOTS):
        self.interval, self._slots = interval, slots
        self._start = self._last = None
        self._count = 0
        self._free: tuple[int | None, deque[Snapshot]] = None, deque()      # generation of the model, its Snapshots: taken together, never mixed
        self._ready: deque[Snapshot] = deque()
        self.waits = 0      # times the simulation stood still for want of a free Snapshot

    # ------------------------------------------------ the physics thread

    def due(self, time: float, timestep: float) -> int:
        """Steps to take before the next frame; 0: it is now."""
        if self._start is None or time < self._last - timestep / 2:
            self._begin(time)
        frame = self._start + self._count * self.interval
        if time - frame > timestep:    # stepped past it by hand
            self._begin(time)
            return 0
        return max(0, steps_to(time, frame, timestep))

    def _begin(self, time: float) -> None:
        self._start = self._last = time
        self._count = 0

    def capture(self, sim) -> bool:
        """Keep the present frame of a Simulation; False while there is no free Snapshot. Changes nothing that the motion depends on."""
        if self._free[0] != sim.generation:
            self._free = sim.generation, deque(Snapshot(sim.model, sim.data, sim.generation) for _ in range(self._slots))
        free = self._free[1]
        if not free:
            self.waits += 1
            return False
        step.forward(sim.model, sim.data)
        snapshot, changed = free.popleft(), sim.changed
        sim.show(snapshot)
        sim.changed = changed       # the view has not been shown this
        self._last = sim.data.time
        self._count += 1
        self._ready.append(snapshot)
        return True

    # ------------------------------------------------ other threads

    @property
    def waiting(self) -> int:
        """Frame states that have been captured and not been taken."""
        return len(self._ready)

    def take(self) -> Snapshot | None:
        """The oldest frame, to be given back; None when there is none."""
        return self._ready.popleft() if self._ready else None

    def give_back(self, snapshot: Snapshot) -> None:
        """A taken frame is drawn, or copied."""
        generation, free = self._free
        if snapshot.generation == generation:
            free.append(snapshot)
