"""Time passing: pace, divergence, growth of storage, timers."""
import mujoco
import numpy as np
import pytest

import physics
from physics.runtime import commands as c
from physics.runtime.profile import STAGES
from physics.runtime.snapshot import Snapshot
from tests.physics.runtime.models import ARM, do, model, named, simulation

PILE = '<mujoco><option timestep="0.004"/><worldbody><geom type="plane" size="5 5 .1"/>' + "".join(
    f'<body pos="{0.21 * (i % 3)} {0.21 * (i // 3 % 3)} {0.099 + 0.2 * (i // 9)}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
    for i in range(18)) + "</worldbody></mujoco>"
STIFF = """<mujoco><option timestep="0.01" integrator="RK4"/><worldbody><body name="a"><joint name="weak" axis="0 1 0"/>
<geom size=".1" pos="1 0 0"/>
<body name="wild" pos="1 0 0"><joint name="spring" type="slide" stiffness="-1e9"/><geom size=".01"/></body></body></worldbody></mujoco>"""


def test_the_clock_drives_the_steps():
    sim = simulation()
    clock = sim.pacing.clock
    do(sim, c.Run())
    for _ in range(200):
        while sim.advance() == 0:
            pass
        clock.now += 0.005
    assert sim.data.time == pytest.approx(1.0, abs=0.005) and sim.pacing.resyncs == 0
    assert sim.advance() == 0 and sim.advance() > 0 or sim.advance() > 0
    assert len(sim.history) == round(sim.data.time / 0.002) + 1


@pytest.mark.nojit
def test_steps_with_noise_and_record_under_the_interpreter():
    sim = simulation()
    do(sim, c.SetCtrl(0, 0.4), c.SetNoise(0.3, 0.1, seed=5))
    assert sim.take(4) == 4 and sim.data.noise_step == 4 and sim.data.ctrl_noise.any()
    assert len(sim.history) == 5 and sim.data.time == pytest.approx(4 * sim.model.opt_timestep)


def test_official_steps_in_long_chunks():
    mj = mujoco.MjModel.from_xml_string(ARM)
    mjd, sim = mujoco.MjData(mj), simulation(named(mj))
    mjd.ctrl[0] = 0.4
    do(sim, c.SetCtrl(0, 0.4))
    sim.take(300)
    for _ in range(300):
        mujoco.mj_step(mj, mjd)
    assert np.allclose(sim.data.qpos, mjd.qpos, atol=1e-8)


def test_divergence_names_the_culprit_and_keeps_the_last_good_state():
    sim = simulation(model(STIFF))
    do(sim, c.Run())
    sim.data.qpos[1] = 1e-3
    events = []
    for _ in range(500):
        sim.take(20)
        events = [e for e in sim.events if e.kind == "diverged"]
        if events:
            break
    assert len(events) == 1
    details = events[0].details
    assert details["dof"] in (0, 1) and details["joint"] == details["dof"] and details["body"] == details["dof"] + 1
    assert sim.model.name("joint", details["joint"]) in events[0].text and f"{details['time']:g} s" in events[0].text
    assert details["quantity"] in ("position", "velocity", "acceleration") and details["quantity"] in events[0].text
    assert not sim.running and sim.status == "diverged" and sim.message == events[0].text
    sim.idle()
    state = np.concatenate([sim.data.qpos, sim.data.qvel, sim.data.xpos.ravel()])
    assert np.isfinite(state).all() and np.abs(sim.data.qpos).max() < 1e10
    assert sim.history.at_end()
    do(sim, c.Reset())
    assert sim.status == "paused" and sim.data.time == 0


def test_a_bad_number_from_outside_is_named_too():
    sim = simulation()
    sim.take(5)
    sim.data.qvel[4] = np.nan
    sim.take(5)
    event = next(e for e in sim.events if e.kind == "diverged")
    assert event.details["quantity"] == "velocity" and event.details["dof"] == 4 and event.details["body"] == 3
    assert "'free'" in event.text and "'ball'" in event.text
    assert sim.data.time == pytest.approx(0.01) and np.isfinite(sim.data.qvel).all()


def test_autoreset_goes_on():
    sim = simulation()
    do(sim, c.SetAutoReset(True), c.Run())
    sim.take(5)
    sim.data.qvel[0] = 1e30
    sim.take(5)
    assert [e.kind for e in sim.events if e.kind == "diverged"] and sim.running and sim.data.time == 0
    sim.take(5)
    assert sim.data.time == pytest.approx(0.01)


def test_storage_that_grows_while_running_changes_nothing():
    tight, roomy = simulation(model(PILE)), simulation(model(PILE))
    roomy.data.grow_contacts(1000)
    roomy.data.grow_efc(8000, 200000)
    for sim in (tight, roomy):
        do(sim, c.SetNoise(0.1, 0.1))
    small = tight.data.maxcon, tight.data.maxefc, tight.data.maxJ
    for sim in (tight, roomy):
        assert sim.take(40) == 40
    assert (tight.data.maxcon, tight.data.maxefc, tight.data.maxJ) != small
    assert roomy.data.ncon > 64
    assert (tight.data.qpos == roomy.data.qpos).all() and (tight.data.qvel == roomy.data.qvel).all() and tight.data.time == roomy.data.time
    assert len(tight.history) == len(roomy.history) == 41


def test_storage_grows_once_per_step_without_drawing_noise_twice():
    """Growing repeats the very step: with room for one contact only, noise and time are those of the roomy run."""
    xml = PILE.replace("</worldbody>", '<body pos="3 3 3"><joint name="j"/><geom size=".1"/></body></worldbody><actuator><motor joint="j"/></actuator>')
    from physics.model.data import Data

    tight, roomy = simulation(model(xml)), simulation(model(xml))
    tight.data = Data(tight.model, maxcon=1, maxefc=1, maxJ=1)
    tight._start_anew()
    for sim in (tight, roomy):
        do(sim, c.SetNoise(1.0, 0.1, seed=4))
        sim.take(10)
    assert tight.data.noise_step == roomy.data.noise_step == 10
    assert (tight.data.qpos == roomy.data.qpos).all() and (tight.data.ctrl_noise == roomy.data.ctrl_noise).all()


def test_timed_steps_are_the_same_steps():
    plain, timed = simulation(), simulation()
    do(timed, c.SetProfile(True))
    for sim in (plain, timed):
        do(sim, c.SetCtrl(0, 0.5), c.SetNoise(0.3, 0.1, seed=5))
        sim.take(30)
    assert (plain.data.qpos == timed.data.qpos).all() and (plain.data.qacc_warmstart == timed.data.qacc_warmstart).all()
    timers = timed.profile.per_step()
    assert timed.profile.steps == 30 and set(STAGES) <= set(timers)
    assert all(timers[s] > 0 for s in STAGES if s not in ("energy", "sensors")) and timers["energy"] == timers["sensors"] == 0
    assert timers["total"] == pytest.approx(sum(timers[s] for s in STAGES))
    assert timers["total"] == pytest.approx(sum(timers["group:" + g] for g in ("collision", "prepare", "solve", "other")))


@pytest.mark.parametrize("integrator", ["Euler", "implicit", "implicitfast", "discrete", "RK4"])
def test_timed_steps_with_every_integrator(integrator):
    xml = ARM.replace('timestep="0.002"', f'timestep="0.002" integrator="{integrator}"')
    plain, timed = simulation(model(xml)), simulation(model(xml))
    do(timed, c.SetProfile(True), c.SetFlag("enable", 2, True))
    do(plain, c.SetFlag("enable", 2, True))
    for sim in (plain, timed):
        sim.take(20)
    assert (plain.data.qpos == timed.data.qpos).all() and (plain.data.energy == timed.data.energy).all()


def test_timed_steps_find_bad_numbers():
    sim = simulation()
    do(sim, c.SetProfile(True))
    sim.take(3)
    sim.data.qvel[1] = np.inf
    sim.take(3)
    assert sim.events[-1].kind == "diverged" or any(e.kind == "diverged" for e in sim.events)
    assert sim.data.time == pytest.approx(0.006)


def test_warnings_are_reported_once_and_counted():
    sim = simulation()
    sim.data.warning_number[0], sim.data.warning_lastinfo[0] = 3, 2
    sim.take(2)
    sim.take(2)
    told = [e for e in sim.events if e.kind == "warning"]
    assert len(told) == 1 and told[0].details == {"warning": 0, "count": 3, "info": 2} and "INERTIA" in told[0].text


def test_wrong_whole_numbers_stop_it_with_a_message_until_they_are_mended():
    sim = simulation(physics.load_string(ARM))
    m, d, snapshot = sim.model, sim.data, Snapshot(sim.model, sim.data, 1)
    do(sim, c.Run())
    assert sim.take(20) == 20
    state = d.qpos.copy()
    m.geom_dataid[0] = 99
    assert sim.take(20) == 0 and not sim.running and (d.qpos == state).all() and d.time == pytest.approx(0.04)
    told = [e for e in sim.events if e.kind == "refused"]
    assert len(told) == 1 and "geom_dataid" in told[0].text
    sim.show(snapshot)
    assert not snapshot.running and snapshot.time == d.time
    sim.events.clear()
    for command in (c.Run(), c.Step(1), c.Reset(), c.SetQpos(0, 1.0), c.SetOption("timestep", 0.001)):
        events = do(sim, command)
        assert [e.kind for e in events] == ["refused"] and "geom_dataid" in events[0].text, command
    assert not sim.running and (d.qpos == state).all() and m.opt.timestep == 0.002
    m.geom_dataid[0] = -1
    assert [e.kind for e in do(sim, c.Run())] == ["running"]
    assert sim.take(20) == 20 and d.time == pytest.approx(0.08)


def test_a_wrong_option_is_taken_back():
    sim = simulation(physics.load_string(ARM))
    events = do(sim, c.SetOption("cone", 5))
    assert [e.kind for e in events] == ["refused"] and "opt_cone" in events[0].text and sim.model.opt.cone == 0
    assert sim.take(3) == 3


def test_a_model_with_wrong_numbers_does_not_take_the_place_of_a_good_one():
    sim, other = simulation(physics.load_string(ARM)), physics.load_string(ARM)
    good = sim.model
    other.jnt_type[0] = 44
    assert [e.kind for e in do(sim, c.SwapModel(other))] == ["refused"] and sim.model is good and sim.take(3) == 3
