"""State vectors by bits and keyframes, against the official functions."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import StateBit
from tests.physics.engine import models
from tests.physics.engine.oracle_model import model_from, pair_from, randomize, take_state

XML = """<mujoco><size nuserdata="3"/><worldbody><body mocap="true"><geom size=".1"/></body><body name="a" pos="0 0 1"><joint name="j"/><geom size=".1"/></body>
<body name="b" pos="1 0 1"><freejoint/><geom size=".1"/></body></worldbody>
<equality><connect name="c" body1="a" body2="b" anchor="0 0 0"/><joint joint1="j" active="false"/></equality>
<actuator><general joint="j" dyntype="integrator"/></actuator>
<keyframe><key/><key name="mine"/></keyframe></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def filled(mj, mjd, d, seed=1):
    randomize(mj, mjd, seed)
    rng = np.random.default_rng(seed)
    mjd.time = 1.25
    mjd.qacc_warmstart[:] = rng.normal(size=mj.nv)
    mjd.userdata[:] = rng.normal(size=mj.nuserdata)
    mjd.eq_active[:] = rng.random(mj.neq) < 0.5
    take_state(d, mjd)
    d.userdata[:] = mjd.userdata
    d.eq_active[:] = mjd.eq_active


def test_parts_are_those_of_the_official_engine():
    mj, mjd, m, d = pair_from(XML)
    filled(mj, mjd, d)
    sigs = [int(bit) for bit in StateBit] + [0, 3, 16 + 64, 8191, 1 + 512 + 4096]
    for sig in sigs:
        expected = np.zeros(mujoco.mj_stateSize(mj, sig))
        mujoco.mj_getState(mj, mjd, expected, sig)
        assert physics.state_size(m, sig) == len(expected)
        assert (physics.get_state(m, d, sig) == expected).all()
        other = physics.Data(m)
        physics.set_state(m, other, expected, sig)
        assert (physics.get_state(m, other, sig) == expected).all()
        third = physics.Data(m)
        physics.copy_state(m, other, third, sig)
        assert (physics.get_state(m, third) == physics.get_state(m, other)).all()
    whole = physics.get_state(m, d)
    for sig in sigs:
        assert (physics.extract_state(m, whole, int(StateBit.INTEGRATION), sig) == physics.get_state(m, d, sig)).all()


def test_going_on_from_a_state_gives_the_same_numbers():
    mj = models.official("humanoid")
    m = model_from(mj)
    d = physics.Data(m)
    rng = np.random.default_rng(0)
    physics.step(m, d, 100)
    d.ctrl[:] = rng.normal(size=m.nu)
    state = physics.get_state(m, d)
    physics.step(m, d, 50)
    other = physics.Data(m)
    physics.set_state(m, other, state)
    physics.step(m, other, 50)
    assert d.ncon > 0 and (physics.get_state(m, other) == physics.get_state(m, d)).all()


def test_keyframes_are_stored_and_taken():
    mj, mjd, m, d = pair_from(XML)
    m.names = {**m.names, "key": ("", "mine")}
    filled(mj, mjd, d)
    mujoco.mj_setKeyframe(mj, mjd, 1)
    physics.set_keyframe(m, d, "mine")
    for name in ("time", "qpos", "qvel", "act", "ctrl", "mpos", "mquat"):
        assert (getattr(m, f"key_{name}")[1] == getattr(mj, f"key_{name}")[1]).all()
    other = physics.Data(m)
    physics.reset(m, other, 1)
    sig = StateBit.TIME | StateBit.QPOS | StateBit.QVEL | StateBit.ACT | StateBit.CTRL | StateBit.MOCAP_POS | StateBit.MOCAP_QUAT
    assert (physics.get_state(m, other, sig) == physics.get_state(m, d, sig)).all()
    for call in (physics.set_keyframe, physics.reset):
        with pytest.raises(IndexError, match="key 2 of 2"):
            call(m, d, 2)
        with pytest.raises(KeyError, match="mine"):
            call(m, d, "other")


def test_wrong_states_are_refused():
    _, _, m, d = pair_from(XML)
    for sig in (-1, 1 << 15, 1 << 20):
        with pytest.raises(ValueError, match="state bits"):
            physics.state_size(m, sig)
    with pytest.raises(ValueError, match="state: needs"):
        physics.set_state(m, d, np.zeros(3))
    with pytest.raises(ValueError, match="does not hold"):
        physics.extract_state(m, physics.get_state(m, d, 2), 2, 4)
    with pytest.raises(ValueError, match="state"):
        physics.set_state(m, d, "text", 2)
