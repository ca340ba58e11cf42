"""Stage timers of the running simulation."""
import threading
import time

import numpy as np
import pytest

import physics
import physics.runtime.commands as c
from physics.engine.stage_time import add_stage_time
from physics.enums import ENBL_SPECULATIVE
from physics.kernels.clock import clock_address
from physics.runtime.profile import STAGES, Profile
from tests.physics.runtime.models import do, simulation

STEPS = 300


def test_a_busy_window_does_not_count_as_physics():
    """Between two stages the thread may have to wait for the interpreter, 5 ms or more at a time; that is no cost of a stage."""
    sim = simulation()
    do(sim, c.SetProfile(True))
    sim.take(STEPS)
    alone = sim.profile.per_step()["total"]
    sim.profile.clear()
    stop = threading.Event()

    def spin():
        while not stop.is_set():
            sum(range(1000))

    threads = [threading.Thread(target=spin) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        sim.step_cost = 1e-3   # a dear one: every step is timed
        sim.take(3)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert 0 < sim.profile.per_step()["total"] < 100 * alone   # waits counted, it would be thousands of times as much


WATCHED = """<mujoco><option><flag energy="enable" fwdinv="enable"/></option><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .09"><freejoint/>
<geom size=".1"/><site name="s"/></body><body><joint name="j"/><geom size=".1" pos=".3 0 1"/></body></worldbody><actuator><motor name="a" joint="j"/></actuator>
<sensor><framepos objtype="site" objname="s"/><velocimeter site="s"/><subtreeangmom body="world"/><accelerometer site="s"/><touch site="s"/><e_kinetic/></sensor></mujoco>"""


def test_a_timed_step_also_reads_sensors_and_calls_the_control_callback():
    m = physics.load_string(WATCHED)
    physics.ensure_kernels()
    plain, timed, profile = physics.Data(m), physics.Data(m), Profile()
    for d in (plain, timed):
        d.qvel[:] = 0.1
        d.set_callback("cb_control", lambda _m, d: d.ctrl.__setitem__(0, 1 - d.qpos[7]))
    for _ in range(5):
        assert physics.step(m, plain) == profile.step(m, timed) == 1
    for name in ("qpos", "qvel", "ctrl", "sensordata", "energy", "solver_fwdinv"):
        assert np.array_equal(getattr(plain, name), getattr(timed, name))
    assert profile.per_step()["sensors"] > 0 and timed.ctrl[0] != 0


def test_a_timed_step_refuses_what_a_step_refuses():
    m = physics.load_string(WATCHED)
    d, profile = physics.Data(m), Profile()
    m.opt_enableflags = ENBL_SPECULATIVE
    with pytest.raises(physics.ViewOnlyError, match="speculative"):
        profile.step(m, d)
    m.opt_enableflags = 0

    def fail(_m, _d):
        raise LookupError("mine")

    d.set_callback("cb_passive", fail)
    assert profile.step(m, d) == 0 and d.time == 0 and (d.qpos == m.qpos0).all()
    with pytest.raises(LookupError):
        d.raise_callback_error()


def test_compiled_code_stamps_the_stages_with_the_same_result():
    sim = simulation()
    other = simulation()
    do(sim, c.SetProfile(True))
    for one in (sim, other):
        one.take(STEPS)
    assert (sim.data.qpos == other.data.qpos).all() and sim.data.cb_stage == 0
    assert sim.data.stage_time[2] > 0 and sim.profile.steps > 0     # by the kernel, not by a function of Python
    timers = sim.profile.per_step()
    assert timers["kinematics"] > 0 and timers["total"] == pytest.approx(sum(timers[stage] for stage in STAGES))


def test_steps_that_cost_little_are_timed_now_and_then():
    profile = Profile()
    assert [profile.due(100e-6) for _ in range(3)] == [True] * 3 and profile.every == 1
    due = [profile.due(0.97e-6) for _ in range(60)]
    assert profile.every == 16 and sum(due) == 60 // 16


def test_a_users_clock_is_asked_where_the_data_has_one():
    m = physics.load_string(WATCHED)
    physics.ensure_kernels()
    d, profile, asked = physics.Data(m), Profile(), []
    d.set_callback("cb_time", lambda: asked.append(1) or 0.001 * len(asked))
    assert profile.step(m, d) == 1 and len(asked) >= 15 and profile.seconds["kinematics"] == pytest.approx(0.001)


@pytest.mark.nojit
def test_a_stamp_counts_for_the_stage_that_has_ended():
    d = physics.Data(physics.load_string("<mujoco/>"))
    d.clock_address, d.clock_kind, d.cb_id = clock_address(), time.CLOCK_MONOTONIC, -1
    before = time.monotonic_ns()
    add_stage_time(d.model, d)
    first = d.stage_since
    assert before <= first <= time.monotonic_ns() and not d.stage_time.any()     # what went before belongs to no stage
    d.cb_id = 3
    add_stage_time(d.model, d)
    assert d.stage_time[3] == d.stage_since - first > 0 and np.count_nonzero(d.stage_time) == 1
