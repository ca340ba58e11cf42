"""The window's end of the physics thread, without a window: the same client serves a program that has none, and no Qt."""
import subprocess
import sys
import time

import pytest

import physics
from app.simulation_client import SNAPSHOT_INTERVAL, SimulationClient
from physics.model.model import Revision
from physics.runtime import commands, events
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation

PENDULUM = "<mujoco><worldbody><body><joint/><geom size='.1' pos='.3 0 0'/></body></worldbody></mujoco>"
WITHOUT_QT = f"""
import sys, time
import physics
from app.simulation_client import SimulationClient
from physics.runtime import commands
from physics.runtime.runner import Runner
runner = Runner()
runner.start()
client = SimulationClient(runner)
swaps = []
client.on_swap.append(swaps.append)
runner.send(commands.SwapModel(physics.load_string({PENDULUM!r})))
end = time.monotonic() + 60
while not swaps and time.monotonic() < end:
    client.poll()
    time.sleep(0.01)
runner.stop()
assert client.model is client.snapshot.model is swaps[0].details["model"]
print([name for name in sys.modules if name.startswith("PyQt6")])
"""


class Feed:
    """A Runner that gives what a test puts in."""

    def __init__(self):
        self.snapshot, self.waiting = None, []

    def acquire(self):
        return self.snapshot

    def events(self):
        out, self.waiting = self.waiting, []
        return out


class State:
    """What the client reads of a Snapshot."""

    def __init__(self, generation, number, revised=0):
        self.generation, self.number, self.revision = generation, number, Revision(revised, fields={"geom_rgba": revised})


@pytest.fixture
def fed():
    """(feed, client, {'swap': [...], 'message': [...], 'snapshot': [...]}, function that sets the clock)."""
    now, feed = [0.0], Feed()
    client = SimulationClient(feed, lambda: now[0])
    seen = {"swap": [], "message": [], "snapshot": []}
    client.on_swap.append(seen["swap"].append)
    client.on_message.append(lambda *message: seen["message"].append(message))
    client.on_snapshot.append(seen["snapshot"].append)
    return feed, client, seen, lambda seconds: now.__setitem__(0, seconds)


def test_it_works_without_qt():
    done = subprocess.run([sys.executable, "-c", WITHOUT_QT], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stdout == "[]\n", done.stderr


def test_a_swap_is_reported_with_its_first_snapshot_and_what_follows_it_waits(fed):
    feed, client, seen, _ = fed
    feed.snapshot = State(1, 1)
    feed.waiting = [events.Event(events.WARNING, "before"), events.Event(events.SWAPPED, "", {"model": "b", "generation": 2}), events.Event(events.DIVERGED, "after")]
    assert client.poll() and seen["message"] == [("warning", "before")] and not seen["swap"] and client.model is None
    feed.snapshot = State(2, 2)
    assert client.poll() and client.model == "b" and len(seen["swap"]) == 1 and seen["message"][1:] == [("error", "after")]
    assert not client.poll()    # nothing newer


def test_figures_are_updated_fifteen_times_a_second_and_after_a_refusal(fed):
    feed, client, seen, at = fed
    for k in range(100):    # one second of pictures
        feed.snapshot = State(1, k)
        at(k / 100)
        client.poll()
    assert 14 <= len(seen["snapshot"]) <= 16
    at(2.0)
    client.poll()
    at(3.0)
    seen["snapshot"].clear()
    client.poll()
    assert not seen["snapshot"]     # all is told
    feed.waiting = [events.Event(events.REFUSED, "no")]
    client.poll()
    assert seen["snapshot"] == [feed.snapshot] and SNAPSHOT_INTERVAL < 1


def test_figures_wait_while_a_picture_is_waited_for(fed):
    feed, client, seen, at = fed
    at(2.0)
    feed.snapshot = State(1, 0)
    assert client.poll(figures=False) and not seen["snapshot"] and client.snapshot is feed.snapshot
    assert not client.poll() and seen["snapshot"] == [feed.snapshot]


def test_a_real_run_is_followed():
    physics.ensure_kernels()
    runner = Runner(Simulation(ready=True))
    runner.start()
    client, told = SimulationClient(runner), []
    client.on_snapshot.append(lambda snapshot: told.append(snapshot.time))
    try:
        runner.send(commands.SwapModel(physics.load_string(PENDULUM), run=True))
        end = time.monotonic() + 60
        while (not told or told[-1] < 0.2) and time.monotonic() < end:
            client.poll()
            time.sleep(0.002)
    finally:
        runner.stop()
    assert told[-1] >= 0.2 and told == sorted(told)


def test_edits_are_told_with_the_fields_that_are_new_and_not_with_another_model():
    feed, told = Feed(), []
    client = SimulationClient(feed, lambda: 0.0)
    client.on_edit.append(told.append)
    for state in (State(1, 1), State(1, 2, 1), State(1, 3, 1), State(2, 4, 5), State(2, 5, 6)):
        feed.snapshot = state
        client.poll()
    assert told == [("geom_rgba",), ("geom_rgba",)]
