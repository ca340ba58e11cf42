"""A little of everything at once, under the interpreter too: what no small model shows is how the parts go together."""
import mujoco
import numpy as np
import pytest

import physics
from tests.oracle import stages
from tests.oracle.states import capture
from tests.physics.everything import everything

INTEGRATORS = ("Euler", "RK4", "implicit", "implicitfast", "discrete")


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


def test_random_states_are_as_officially():
    """Far and near, fast and slow, with forces on bodies; where solvers and differences of large numbers widen rounding, a little more than the stages' own limits."""
    rng, contacts = np.random.default_rng(3), 0
    for k in range(20):
        text = everything(f'integrator="{INTEGRATORS[k % 5]}" cone="{("pyramidal", "elliptic")[k % 2]}" impratio="{1 + 9 * (k % 3 == 0)}"', 'energy="enable"')
        mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
        data = mujoco.MjData(mj)
        mujoco.mj_integratePos(mj, data.qpos, rng.choice([0.05, 0.3, 1.0]) * rng.normal(size=mj.nv), 1.0)
        data.qvel[:], data.act[:], data.ctrl[:] = rng.choice([0.1, 1, 5]) * rng.normal(size=mj.nv), 0.5 * rng.normal(size=mj.na), rng.normal(size=mj.nu)
        data.xfrc_applied[1:] = rng.normal(size=(mj.nbody - 1, 6)) * (rng.random((mj.nbody - 1, 1)) < 0.3)
        found, ncon, _ = stages.compare(m, mj, capture(data))
        contacts += ncon
        assert not {name: value for name, value in found.items() if not value <= 10 * stages.limit(name)}, k
    assert contacts > 40
