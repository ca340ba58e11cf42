"""What is written of Data between steps is found, field by field."""
import numpy as np
import pytest

from physics.runtime import commands as c
from tests.physics.runtime.models import ARM, do, model, simulation

WITH_DATA = ARM.replace("<mujoco>", '<mujoco><size nuserdata="3"/>', 1)


@pytest.fixture
def sim():
    made = simulation(model(WITH_DATA))
    do(made, c.Step(5))
    return made


@pytest.mark.parametrize("name, k", [("qpos", 3), ("qvel", 1), ("act", 0), ("ctrl", 1), ("mocap_pos", 2), ("mocap_quat", 1), ("qacc_warmstart", 0)])
def test_a_field_of_the_entry(sim, name, k):
    writes = sim.history.writes()
    assert writes.look(0, sim.data.time) == {} and writes.holds
    getattr(sim.data, name).reshape(-1)[k] += 0.25
    found = writes.look(0, sim.data.time)
    assert list(found) == [name] and (found[name] == getattr(sim.data, name)).all() and found[name] is not getattr(sim.data, name) and writes.holds


@pytest.mark.parametrize("name, value", [("xfrc_applied", 3.0), ("qfrc_applied", 2.0), ("userdata", 1.0)])
def test_what_is_held_is_told_once(sim, name, value):
    writes = sim.history.writes()
    getattr(sim.data, name).reshape(-1)[0] = value
    assert list(writes.look(0, sim.data.time)) == [name] and not writes.holds
    assert writes.look(0, sim.data.time) == {}


def test_the_time_and_the_entries_of_the_steps_that_follow(sim):
    writes = sim.history.writes()
    assert list(writes.look(0, 7.0)) == ["time"]
    sim.plain_steps(3)
    assert writes.look(3, sim.data.time) == {} and set(writes.look(2, sim.data.time)) >= {"qpos", "qvel", "time"}


def test_of_another_model_everything_is_written(sim):
    do(sim, c.SwapModel(model(WITH_DATA.replace('name="elbow" axis', 'name="elbow" damping="1" axis')), document=None, carry=lambda old, state, new: (state, None)))
    sim.history._pieces = sim.history._pieces[-1:]
    sim.data.record_end = 0
    found = sim.history.writes().look(0, sim.data.time)
    assert {"qpos", "qvel", "ctrl", "time"} <= set(found) and np.isfinite(found["time"]).all()
