"""Delays, intervals and kept values of sensors follow the official engine step by step."""
import random

import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.sensor.scenes import scene

WORLD = """<mujoco><option timestep=".002" integrator="%s"/><worldbody><geom type="plane" size="3 3 1"/><site name="w" pos="0 0 3" euler="170 10 0"/>
<body name="a" pos="0 0 .2"><freejoint/><geom name="ga" size=".1"/><site name="s" pos=".05 0 .02" euler="20 30 40"/>
<body pos=".2 0 0"><joint name="j" axis="0 1 0" damping=".1" range="-20 20"/><geom name="gb" type="capsule" size=".03 .1"/></body></body></worldbody><sensor>%s</sensor></mujoco>"""
KINDS = ('<accelerometer site="s" %s/>', '<gyro site="s" %s/>', '<jointpos joint="j" %s/>', '<jointlimitfrc joint="j" %s/>', '<rangefinder site="w" %s/>',
         '<framequat objtype="body" objname="a" %s/>', '<distance geom1="ga" geom2="gb" cutoff="1" %s/>', '<contact data="found force dist" reduce="maxforce" %s/>',
         '<subtreeangmom body="a" %s/>', '<clock %s/>', '<e_kinetic %s/>', '<touch site="s" %s/>')


def settings(rng):
    delay = rng.choice(("", *(f' delay="{x}"' for x in (0.002, 0.004, 0.005, 0.01, 0.0013))))
    interval = rng.choice(("", *(f' interval="{x}"' for x in (".004", ".01", ".007 -.003", ".005 -.002", ".0021"))))
    return f'nsample="{rng.choice((1, 2, 3, 5, 9))}"{delay}{interval}' + rng.choice(("", ' interp="linear"', ' interp="cubic"'))


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
def test_late_sensors_agree_over_many_steps(integrator):
    for seed in range(8):
        rng = random.Random(seed)
        mj, mjd, m, d = scene(WORLD % (integrator, "".join(kind % settings(rng) for kind in KINDS)))
        assert not m.view_only
        for data in (d, mjd):
            data.qvel[:] = (0.3, 0.2, -1, 3, 1, 2, 4)
        for n in range(60):
            mujoco.mj_step(mj, mjd)
            physics.step(m, d)
            error = np.abs(d.sensordata - mjd.sensordata) / np.maximum(1.0, np.abs(mjd.sensordata))
            assert error.max() < 1e-8, (seed, n, int(error.argmax()))


def test_a_delayed_clock_is_late():
    _, _, m, d = scene('<mujoco><option timestep=".01"/><worldbody/><sensor><clock nsample="8" delay=".05"/><clock nsample="2" interval=".03"/><clock/></sensor></mujoco>')
    shown = []
    for _ in range(20):
        physics.step(m, d)
        shown.append(d.sensordata.copy())
    shown = np.array(shown)
    assert np.allclose(shown[5:, 0], shown[5:, 2] - 0.05)
    age = shown[:, 2] - shown[:, 1]
    assert age.min() == 0.0 and 0.015 < age.max() < 0.0301   # read when the interval is over, up to rounding of the time
    assert len(set(shown[:, 1])) in (6, 7, 8)
