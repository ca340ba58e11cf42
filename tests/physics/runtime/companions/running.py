"""A primary run with its thread, and companions of it."""
import time

import numpy as np

from physics.runtime import commands as c
from physics.runtime.companions.companion import PAUSED
from physics.runtime.companions.companions import Companions
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

PATIENCE = 30.0     # s


def until(condition) -> None:
    """Wait for it."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "it does not come"
        time.sleep(0.005)


def same_poses(one, other) -> bool:
    """Whether two Snapshots show the same, bit for bit."""
    return np.array_equal(one.geom_xpos, other.geom_xpos)


class Run:
    """A primary with its thread, and companions of it."""

    def __init__(self, model):
        self.simulation = Simulation()
        self.runner = Runner(self.simulation)
        self.runner.start()
        self.companions = Companions(self.runner)
        self.send(c.SwapModel(model, document=1))
        self.settle()

    def send(self, *wanted) -> None:
        for command in wanted:
            self.runner.send(command)

    def settle(self) -> None:
        """Wait until all that was sent is done."""
        done = []
        self.send(c.VisitRun(lambda _simulation: done.append(True)))
        until(lambda: done and self.runner.published is not None)

    def run_for(self, seconds: float) -> None:
        """Run so much simulated time, then pause."""
        start = self.runner.published.time
        self.send(c.Run())
        until(lambda: self.runner.published.time >= start + seconds)
        self.send(c.Pause())
        until(lambda: not self.runner.published.running)
        self.settle()

    def caught_up(self, companion) -> bool:
        """Whether a companion shows the primary's time, paused."""
        newest = companion.acquire()
        return companion.state.status == PAUSED and newest is not None and abs(newest.time - self.runner.published.time) < 1e-9

    def close(self) -> None:
        self.companions.stop(wait=True)
        self.runner.stop()
