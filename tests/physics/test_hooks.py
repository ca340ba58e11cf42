"""Every hook of a step: a Python function and a compiled one do the same, and what the official engine does with its own callback there."""
import mujoco
import numpy as np
import pytest

import physics
from physics.kernels import decorators, load
from physics.model.callbacks import SLOTS
from physics.runtime.profile import Profile
from physics.warm_up import MODULES
from tests.physics import callback_kernels as kernels
from tests.physics.engine.oracle_model import pair_from

SCENE = """<mujoco><option tolerance="0" ls_tolerance="0" integrator="{}"/><worldbody><geom type="plane" size="1 1 .1"/>
<body pos="0 0 .09"><joint name="x" type="slide" axis="1 0 0"/>
<joint name="z" type="slide" axis="0 0 1"/><geom size=".1"/><geom size=".1" contype="0" pos=".2 0 0"/></body><body pos="1 0 .09"><freejoint/><geom size=".1"/></body></worldbody>
<actuator><general joint="x" dyntype="user" gaintype="user" biastype="user"/><general joint="z" dyntype="user" gaintype="user" biastype="user"/></actuator>
<sensor><user dim="1" needstage="pos"/><user dim="1" needstage="vel"/><user dim="1" needstage="acc"/></sensor></mujoco>"""


def steer(m, d):
    d.ctrl[:] = 0.5 - 0.2 * d.qvel[0] + 0.1 * np.arange(m.nu)


def brake(_m, d):
    d.qfrc_passive[:] -= 0.3 * d.qvel


def odd_pairs(_m, _d, one, two):
    return (one + two) % 2


def soften(_m, d, contact):
    d.contact[contact].solref[0], d.contact[contact].solimp[0] = 0.05, 0.5


def follow(m, d, i):
    return 3.0 * (d.ctrl[i] - d.act[m.actuator_actadr[i]])


def lever(_m, d, i):
    return 2.0 + i + d.actuator_length[i]


def drag(_m, d, i):
    return -d.actuator_velocity[i] - i


def watch(_m, d, stage):
    d.sensordata[int(stage) - 1] = 10.0 * int(stage) + d.qpos[0]


# slot -> (Python, compiled, setter of the official one)
HOOKS = {
    "cb_control": (steer, kernels.steer, mujoco.set_mjcb_control), "cb_passive": (brake, kernels.brake, mujoco.set_mjcb_passive),
    "cb_contactfilter": (odd_pairs, kernels.odd_pairs, mujoco.set_mjcb_contactfilter), "cb_contactparam": (soften, kernels.soften, None),
    "cb_act_dyn": (follow, kernels.follow, mujoco.set_mjcb_act_dyn), "cb_act_gain": (lever, kernels.lever, mujoco.set_mjcb_act_gain),
    "cb_act_bias": (drag, kernels.drag, mujoco.set_mjcb_act_bias), "cb_sensor": (watch, kernels.watch, mujoco.set_mjcb_sensor),
}
FIELDS = ("qpos", "qvel", "act", "ctrl", "qfrc_passive", "actuator_force", "sensordata")


@pytest.fixture(scope="module", autouse=True)
def compiled():
    load.ensure([*MODULES, "tests.physics.callback_kernels"])


def moved(d, m, halves=False):
    d.qvel[:] = np.linspace(0.2, -0.3, m.nv)
    d.act[:] = 0.4
    for _ in range(5):
        if halves:
            physics.step1(m, d)
            physics.step2(m, d)
        else:
            physics.step(m, d)
    return np.concatenate([np.ravel(getattr(d, name)) for name in FIELDS])


@pytest.mark.nojit
def test_every_hook_has_a_case():
    assert set(HOOKS) | {"cb_time", "cb_stage"} == set(SLOTS)   # clocks: asked by the profiler alone


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "RK4"])
@pytest.mark.parametrize("slot", HOOKS)
def test_python_compiled_and_official_hooks_do_the_same(slot, integrator):
    python, kernel, official = HOOKS[slot]
    mj, mjd, m, d = pair_from(SCENE.format(integrator))
    plain = moved(physics.Data(m), m)
    d.set_callback(slot, python)
    one = moved(d, m)
    other = physics.Data(m)
    other.set_callback(slot, kernel)
    assert np.array_equal(one, moved(other, m)) and not np.array_equal(one, plain)
    if official is None:
        return
    mjd.qvel[:], mjd.act[:] = np.linspace(0.2, -0.3, m.nv), 0.4
    official(python)
    try:
        mujoco.mj_step(mj, mjd, 5)
    finally:
        official(None)
    for name in FIELDS:
        assert np.allclose(np.ravel(getattr(d, name)), getattr(mjd, name), rtol=1e-8, atol=1e-9), name


@pytest.mark.parametrize("slot", HOOKS)
def test_callbacks_are_called_in_two_halves_too(slot):
    m = physics.load_string(SCENE.format("Euler"))
    one, two = physics.Data(m), physics.Data(m)
    for d in (one, two):
        d.set_callback(slot, HOOKS[slot][0])
    assert np.allclose(moved(one, m), moved(two, m, halves=True), rtol=1e-14, atol=0)


@pytest.mark.skipif(decorators.NOJIT, reason="needs machine code")
def test_the_clock_can_be_compiled():
    m = physics.load_string(SCENE.format("Euler"))
    d, profile = physics.Data(m), Profile()
    d.set_callback("cb_time", kernels.tick)
    for _ in range(3):
        assert profile.step(m, d) == 1
    # the only time that passes on this clock is that of the state, in the last stage
    assert profile.seconds["integrate"] == pytest.approx(2 * d.time) and profile.seconds["collision"] == 0
