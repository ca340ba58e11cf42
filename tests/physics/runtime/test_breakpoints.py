"""Breakpoints: the run pauses in the very step, and goes on from there with the same bits."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.runtime import commands, events
from physics.runtime.breakpoints import WARNING, at_limit, contact_begins, contact_ends
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation

FALL = """<mujoco><option timestep="0.001"/><worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .3"><freejoint/><geom name="ball" size=".1"/></body>
  <body pos="1 0 1"><joint name="hinge" axis="0 1 0" range="-40 40" limited="true"/><geom size=".05" pos=".3 0 0"/></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def simulation(model):
    sim = Simulation()
    perform(sim, commands.SwapModel(model))
    return sim


def hits(sim):
    return [event for event in sim.events if event.kind == events.BREAKPOINT]


def run(sim, n, chunk=137):
    """Take up to n steps in chunks while it runs; how many."""
    perform(sim, commands.Run())
    done = 0
    while done < n and sim.running:
        done += sim.take(min(chunk, n - done))
    return done


@pytest.mark.parametrize("chunk", [1, 7, 1000])
def test_it_pauses_in_the_step_in_which_the_condition_becomes_true(chunk):
    sim = simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints(('qpos[2] < 0.25',)))
    run(sim, 1000, chunk)
    assert not sim.running and sim.data.qpos[2] < 0.25
    m, d = sim.model, physics.Data(sim.model)
    while d.qpos[2] >= 0.25:
        physics.step(m, d)
    assert sim.data.time == d.time and np.array_equal(sim.data.qpos, d.qpos) and np.array_equal(sim.data.qvel, d.qvel)
    assert sim.history.at_end() and len(hits(sim)) == 1 and hits(sim)[0].details["expression"] == "qpos[2] < 0.25"


def test_going_on_does_not_pause_again_and_gives_the_same_bits():
    sim, other = simulation(physics.load_string(FALL)), simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints(("qpos[2] < 0.25", "time > 0.5005")))
    run(sim, 1000)
    run(sim, 1000)
    assert len(hits(sim)) == 2 and np.isclose(sim.data.time, 0.501)
    other.take(501)
    assert np.array_equal(sim.data.qpos, other.data.qpos) and np.array_equal(sim.data.qvel, other.data.qvel)
    run(sim, 200)
    assert sim.running and len(hits(sim)) == 2


def test_contacts_begin_and_end():
    sim = simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints((contact_begins("ball", "floor"),)))
    run(sim, 2000)
    sim.refresh()
    assert sim.data.ncon == 1
    index = sim.history.index
    sim.show_entry(index - 1)
    sim.refresh()
    assert sim.data.ncon == 0
    sim.show_entry(index)
    perform(sim, commands.SetBreakpoints((contact_ends("ball", "floor"),)))
    perform(sim, commands.SetQpos(2, 0.5))
    run(sim, 10)
    assert sim.running      # it did not touch when the run went on


def test_a_limit_is_reached():
    sim = simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints((at_limit("hinge"),)))
    run(sim, 3000)
    assert not sim.running and abs(sim.data.qpos[7]) >= np.deg2rad(40) and abs(sim.data.qpos[7]) < np.deg2rad(41)


def test_a_warning_is_counted():
    m = physics.load_string(FALL.replace("<option", '<size memory="1M"/><option'))
    sim = simulation(m)
    perform(sim, commands.SetBreakpoints((WARNING,)))
    run(sim, 50)
    assert sim.running
    sim.data.warning_number[2] += 1
    run_on = 0
    while sim.running and run_on < 10:
        sim.take(1)
        run_on += 1
    assert not sim.running and "warning_number" in hits(sim)[0].text


def test_what_holds_after_a_reset_has_not_become_true():
    sim = simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints(("qpos[2] > 0.2",)))
    run(sim, 400)
    assert sim.running and sim.data.qpos[2] < 0.2
    perform(sim, commands.Reset())
    sim.take(5)
    assert sim.running and not hits(sim)


def test_texts_are_passed_over_where_they_mean_nothing_and_act_again_in_another_model():
    sim = simulation(physics.load(bundled_model("pendulum.xml")))
    perform(sim, commands.SetBreakpoints(('geom("ball").xpos[2] < 0.25', "time > 0.1")))
    assert sim.breakpoints.texts == ("time > 0.1",)
    perform(sim, commands.SwapModel(physics.load_string(FALL)))
    assert sim.breakpoints.texts == ('geom("ball").xpos[2] < 0.25', "time > 0.1")
    run(sim, 1000)
    run(sim, 1000)
    assert len(hits(sim)) == 2


def test_what_has_no_numbers_or_only_one_value_never_becomes_true():
    sim = simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints(("sensordata > 0", "1 > 0", "qpos")))
    run(sim, 50)
    assert sim.running and not hits(sim)


def test_without_breakpoints_nothing_is_traced():
    sim = simulation(physics.load_string(FALL))
    perform(sim, commands.SetBreakpoints(("time > 9",)))
    perform(sim, commands.SetBreakpoints(()))
    sim.take(10)
    assert sim.trace.view().pieces == ()
