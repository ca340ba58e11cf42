"""Trees with long chains are solved by recursion over bodies: same numbers as M's factor, which is made only when it is asked for."""
import mujoco
import numpy as np
import pytest

import physics
from physics.enums import INT_DISCRETE, INT_EULER, WARN_INERTIA
from physics.kernels import load
from physics.kernels.decorators import NOJIT

pytestmark = pytest.mark.nojit
JOINTS = ('<joint axis="0 1 0" damping=".02"/>', '<joint axis="1 0 0" armature=".01"/><joint axis="0 1 .3" pos=".01 0 .02"/>', '<joint type="ball"/>',
          '<joint type="slide" axis=".2 0 1" armature=".1"/>', "")


@pytest.fixture(scope="module", autouse=True)
def questions():
    """Kernels that a step does not reach."""
    load.ensure(["physics.engine.inertia.mass_matrix", "physics.engine.point_velocity"])


def links(count: int, seed: int) -> str:
    """A chain of links with joints of all kinds, some links without any."""
    rng = np.random.default_rng(seed)
    body = ""
    for _ in range(count):
        x, y = rng.uniform(-0.02, 0.02, 2)
        body = f'<body pos="{x:.3f} {y:.3f} -.1">{JOINTS[rng.integers(len(JOINTS))]}<geom size=".03 .05" type="capsule" pos="0 .01 -.05"/>{body}</body>'
    return body


def model(extra: str = "", flags: str = "") -> str:
    """Two deep trees, one of which hangs on a static body and branches, and a shallow one between them."""
    return f"""<mujoco><option timestep="1e-4"><flag contact="disable" {flags}/></option><worldbody>
      <body pos="0 0 9"><geom size=".1"/><body><joint name="a" axis="1 0 0" damping=".1"/><geom size=".05"/>{links(36, 1)}{links(40, 2)}</body></body>
      <body pos="3 0 1"><freejoint/><geom size=".1"/><body pos="0 .2 0"><joint name="b" armature=".01"/><geom size=".05 .1" type="capsule"/></body></body>
      <body pos="6 0 9"><freejoint/><geom size=".1"/>{links(44, 3)}</body></worldbody>{extra}</mujoco>"""


def moving(text: str):
    """Both engines at the same random state, forward called."""
    ours_model, official_model = physics.load_string(text), mujoco.MjModel.from_xml_string(text)
    ours, official = physics.Data(ours_model), mujoco.MjData(official_model)
    rng = np.random.default_rng(0)
    mujoco.mj_integratePos(official_model, official.qpos, rng.normal(size=official_model.nv), 0.3)
    official.qvel[:] = 0.3 * rng.normal(size=official_model.nv)
    ours.qpos[:], ours.qvel[:] = official.qpos, official.qvel
    physics.forward(ours_model, ours)
    mujoco.mj_forward(official_model, official)
    return ours_model, ours, official_model, official


def test_the_long_trees_are_marked():
    m = physics.load_string(model())
    assert m.tree_aba.tolist() == [1, 0, 1] and m.nabadof == m.nv and m.nababody == m.nbody
    short = physics.load_string("<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>")
    assert short.tree_aba.tolist() == [0] and short.nabadof == 0 and physics.Data(short).aba_inertia.size == 0


def test_accelerations_solve_the_full_matrix():
    m, d, _, official = moving(model())
    assert d.aba_trees == 1
    dense = physics.full_m(m, d)
    assert np.allclose(dense @ np.asarray(d.qacc_smooth), d.qfrc_smooth, rtol=0, atol=1e-10 * np.abs(d.qfrc_smooth).max())
    assert np.allclose(d.qacc_smooth, official.qacc_smooth, rtol=1e-7, atol=1e-9 * np.abs(official.qacc_smooth).max())
    b = np.random.default_rng(1).normal(size=m.nv)
    assert np.allclose(dense @ physics.solve_m(m, d, b), b, rtol=0, atol=1e-9)


def test_the_factor_is_there_when_asked_for():
    m, d, _, official = moving(model())
    assert d.qLD_due == 1
    assert np.allclose(d.qLD, official.qLD, rtol=1e-7, atol=1e-9) and d.qLD_due == 0
    assert np.allclose(d.qLDiagInv, official.qLDiagInv, rtol=1e-7)
    physics.step(m, d)
    inertia = np.asarray(d.M).copy()
    assert d.qLD_due == 1 and np.isfinite(np.asarray(d.qLD)).all() and np.array_equal(d.M, inertia)
    twin = d.copy()
    assert np.array_equal(twin.qLD, d.qLD)


@pytest.mark.parametrize("damping", ["enable", "disable"])
def test_steps_follow_the_official_engine(damping):
    m, d, official_model, official = moving(model(flags=f'eulerdamp="{damping}"'))
    for _ in range(3 if NOJIT else 20):
        physics.step(m, d)
        mujoco.mj_step(official_model, official)
    assert np.allclose(d.qpos, official.qpos, rtol=0, atol=1e-9) and np.allclose(d.qvel, official.qvel, rtol=0, atol=1e-6 * np.abs(official.qvel).max())


def test_a_tendon_with_armature_goes_by_the_factor():
    text = model('<tendon><fixed name="t" armature=".5"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>')
    m, d, _, official = moving(text)
    assert d.aba_trees == 0 and d.qLD_due == 0
    assert np.allclose(d.qacc_smooth, official.qacc_smooth, rtol=1e-7, atol=1e-9 * np.abs(official.qacc_smooth).max())
    m.tendon_armature[:] = 0
    physics.forward(m, d)
    assert d.aba_trees == 1


def test_the_integrator_may_change_at_run_time():
    m, d, _, _ = moving(model())
    m.opt.integrator = INT_DISCRETE
    physics.forward(m, d)
    assert d.aba_trees == 0
    m.opt.integrator = INT_EULER
    physics.forward(m, d)
    again = d.copy()
    physics.forward(m, again)
    assert d.aba_trees == 1 and np.array_equal(again.qacc, d.qacc)


def test_a_chain_without_mass_is_a_warning():
    m, d, _, _ = moving(model())
    m.body_mass[:], m.body_inertia[:], m.dof_armature[:] = 0, 0, 0
    before = d.warning[WARN_INERTIA].number
    physics.forward(m, d)
    assert d.warning[WARN_INERTIA].number > before
