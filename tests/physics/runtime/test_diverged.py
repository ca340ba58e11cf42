"""What a run keeps of its last steps when it diverges."""
import numpy as np
import pytest

import physics
from physics.runtime import commands, events
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from tests.physics.diagnostics.divergence_cases import CASES


@pytest.fixture
def diverged():
    physics.ensure_kernels()
    sim = Simulation(ready=True)
    sim.install(next(case for case in CASES if case.name.startswith("servo with kp")).make(1.0))
    sim.set_running(True)
    perform(sim, commands.SetCtrl(2, 0.3))
    perform(sim, commands.SetForce(1, (1, 0, 0, 0, 0, 0)))
    for _ in range(1000):
        if sim.take(10) < 10:
            break
    return sim


def test_the_event_carries_the_last_steps(diverged):
    event = next(event for event in diverged.events if event.kind == events.DIVERGED)
    steps = event.details["last_steps"]
    assert not event.details["reset"] and steps.model is diverged.model and steps.found.text == event.text == diverged.message
    assert steps.number + len(steps) - 1 == diverged.history.number and np.array_equal(steps.rows[-1, 2:2 + diverged.model.nq], diverged.data.qpos)
    assert steps.inputs_of(len(steps) - 1)["xfrc_applied"][1, 0] == 1 and steps.inputs_of(0)["ctrl"][2] == 0.3
    assert steps.live["opt_timestep"] == 0.002


def test_they_begin_where_the_state_jumped_last(diverged):
    diverged.reset()
    first = diverged.history.number
    diverged.events.clear()
    diverged._diverged_at = float("-inf")
    perform(diverged, commands.SetCtrl(2, 0.3))
    for _ in range(1000):
        if diverged.take(10) < 10:
            break
    steps = next(event for event in diverged.events if event.kind == events.DIVERGED).details["last_steps"]
    assert steps.number == first and steps.time[0] == 0


def test_one_that_starts_over_by_itself_says_so(diverged):
    perform(diverged, commands.SetAutoReset(True))
    diverged.reset()
    diverged.events.clear()
    diverged._diverged_at = float("-inf")
    perform(diverged, commands.SetCtrl(2, 0.3))
    diverged.set_running(True)
    for _ in range(1000):
        if diverged.take(10) < 10:
            break
    assert next(event for event in diverged.events if event.kind == events.DIVERGED).details["reset"]
