"""A little of everything at once, under the interpreter too: what no small model shows is how the parts go together."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle import stages
from tests.oracle.states import capture
from tests.physics.everything import everything


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.nojit
@pytest.mark.parametrize("option", [
    'integrator="Euler"', 'integrator="implicit" cone="elliptic"', 'integrator="implicitfast"', 'integrator="discrete" cone="elliptic"', 'integrator="RK4"'])
def test_everything_is_as_officially(option):
    text = everything(option, 'energy="enable" fwdinv="enable"')
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    data = mujoco.MjData(mj)
    for k in range(60):
        data.ctrl[:] = np.sin(0.1 * k + np.arange(mj.nu))
        mujoco.mj_step(mj, data)
    state = capture(data)
    state.fields["qvel"] += 0.1 * np.cos(np.arange(mj.nv))
    mujoco.mj_integratePos(mj, state.fields["qpos"], 0.02 * np.cos(np.arange(mj.nv)), 1.0)
    found, ncon, nefc = stages.compare(m, mj, state)
    off = {name: value for name, value in found.items() if not value <= stages.limit(name)}
    assert not off and ncon > 3 and nefc > 40
