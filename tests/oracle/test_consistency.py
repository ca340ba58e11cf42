"""Our own forward and inverse dynamics, and the official derivatives of a step, at real models in motion."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import SOL_NEWTON
from tests.oracle.corpus import entry
from tests.oracle.states import states

MODELS = ("humanoid", "agility_cassie", "arm26", "dmc_manipulator", "dmc_walker", "kuka_iiwa_14", "legacy_grid1_expanded", "legacy_loop_expanded")
DERIVED = ("humanoid", "dmc_manipulator", "dmc_walker", "dmc_reacher")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def moving(name):
    """Both models with all tolerances 0, and states that the model meets."""
    row = entry(name, exact=name in ("arm26", "dmc_reacher"))   # bounds that are theirs
    m, mj = physics.load(row.path), mujoco.MjModel.from_xml_path(str(row.path))
    for opt in (m.opt, mj.opt):
        opt.tolerance = opt.ls_tolerance = 0
        opt.solver = SOL_NEWTON
    return m, mj, states(mj, row, 2)


@pytest.mark.parametrize("name", MODELS)
def test_inverse_undoes_forward(name):
    m, _, found = moving(name)
    d = physics.Data(m)
    for state in found:
        state.into(d)
        physics.forward(m, d)
        wanted, pushed = d.qfrc_smooth - d.qfrc_passive + d.qfrc_bias, d.qfrc_constraint.copy()
        physics.inverse(m, d)
        scale = max(np.abs(x).max() for x in (wanted, d.qfrc_bias, pushed))
        assert np.abs(d.qfrc_inverse - wanted).max() < 1e-10 * scale and np.abs(d.qfrc_constraint - pushed).max() < 1e-10 * scale


@pytest.mark.parametrize("name", DERIVED)
def test_derivatives_of_a_step(name):
    m, mj, found = moving(name)
    d, mjd = physics.Data(m), mujoco.MjData(mj)
    found[1].into(d)
    found[1].into(mjd)
    n = 2 * mj.nv + mj.na
    a, b = np.zeros((n, n)), np.zeros((n, mj.nu))
    mujoco.mjd_transitionFD(mj, mjd, 1e-6, True, a, b, None, None)
    ours = physics.transition_fd(m, d, 1e-6, True)
    assert np.abs(ours.A - a).max() < 1e-8 * np.abs(a).max() and np.abs(ours.B - b).max() < 1e-7 * np.abs(b).max()
