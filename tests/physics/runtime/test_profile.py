"""Stage timers of the running simulation."""
import threading

import numpy as np
import pytest

import physics
import physics.runtime.commands as c
from physics.enums import ENBL_SPECULATIVE
from physics.runtime.profile import Profile
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
