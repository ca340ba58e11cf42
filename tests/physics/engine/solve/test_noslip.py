"""The pass against slip: as the official engine's after each solver, and what it is for."""

import mujoco
import numpy as np
import pytest

import physics
from physics.enums import DSBL_ISLAND, SOL_CG, SOL_NEWTON, SOL_PGS
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import model_from, rel
from tests.physics.engine.solve.test_cg import both, solved

HUMANOID = o.corpus_path("mj_humanoid/humanoid.xml", exact=True)
SOURCES = (HUMANOID, o.limits_and_friction(), o.limits_and_friction("elliptic"), o.odd_parameters(), o.coupled("elliptic"),
           *(o.pile(dim, cone) for dim in (1, 3, 4, 6) for cone in ("pyramidal", "elliptic")))
HELD = """<mujoco><option cone="{cone}" impratio="10" noslip_iterations="{passes}" timestep=".002"/><worldbody>
<body pos="0 0 1"><freejoint/><geom type="capsule" size=".02 .05" mass=".3" friction="1"/></body>
<body pos=".04 0 1"><joint name="a" type="slide" axis="-1 0 0"/><geom type="box" size=".02 .03 .03" mass="1"/></body>
<body pos="-.04 0 1"><joint name="b" type="slide" axis="1 0 0"/><geom type="box" size=".02 .03 .03" mass="1"/></body>
</worldbody><actuator><motor joint="a"/><motor joint="b"/></actuator></mujoco>"""


def models(source, solver):
    mj = o.loaded(source)
    mj.opt.solver = solver
    return mj, model_from(mj)


@pytest.mark.parametrize("solver,flags,passes", [(SOL_NEWTON, 0, 1), (SOL_NEWTON, DSBL_ISLAND, 4), (SOL_PGS, 0, 5), (SOL_CG, 0, 3)])
@pytest.mark.parametrize("source", SOURCES)
def test_forces_are_the_official_ones(source, solver, flags, passes):
    mj, m = models(source, solver)
    both(mj, m, disableflags=flags)
    for seed in range(2):
        mjd = o.settled(mj, 60 * seed + 20, seed)
        both(mj, m, tolerance=1e-12, iterations=10, noslip_iterations=passes, noslip_tolerance=0.0)
        mujoco.mj_forward(mj, mjd)
        d = solved(m, mjd)
        assert d.nefc == mjd.nefc > 3
        assert rel(d.qacc, mjd.qacc) < 1e-7 and rel(d.efc_force[:d.nefc], mjd.efc_force) < 1e-7
        assert rel(d.qfrc_constraint, mjd.qfrc_constraint) < 1e-7
        both(mj, m, tolerance=1e-8, iterations=100, noslip_iterations=0)


def test_it_ends_at_its_tolerance():
    mj, m = models(o.pile(3, "elliptic"), SOL_NEWTON)
    mjd = o.settled(mj, 80, 1)
    plain = solved(m, mjd)
    both(mj, m, noslip_iterations=100, noslip_tolerance=1e-6)
    mujoco.mj_forward(mj, mjd)
    d = solved(m, mjd)
    assert plain.solver_niter_max < d.solver_niter_max == mjd.solver_niter.max() < plain.solver_niter_max + 100


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_held_thing_does_not_creep(cone):
    speeds = []
    for passes in (0, 5):
        m = physics.load_string(HELD.format(cone=cone, passes=passes))
        d = physics.Data(m)
        d.ctrl[:] = 10.0
        physics.step(m, d, 500)
        height = d.qpos[2]
        physics.step(m, d, 500)
        speeds.append(abs(d.qpos[2] - height))   # of one second
        assert d.ncon >= 2 and height > 0.9
    assert speeds[0] > 1e-4 and speeds[1] < 0.02 * speeds[0], speeds


@pytest.mark.parametrize("friction,slides", [(0.5, True), (0.65, False)])
def test_a_block_on_a_slope(friction, slides):
    """It sticks below the friction angle and stays where it is; above it slides by what friction leaves."""
    m = physics.load_string(f"""<mujoco><option cone="elliptic" noslip_iterations="20" noslip_tolerance="0" gravity="{9.81 * .5} 0 {-9.81 * 3 ** .5 / 2}"/>
 <worldbody><geom type="plane" size="9 9 1" friction="{friction}"/><body pos="0 0 .0999"><freejoint/><geom type="box" size=".2 .2 .1" friction="{friction}"/>
 </body></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.step(m, d, 1000)
    way, speed = d.qpos[0], d.qvel[0]
    physics.step(m, d, 500)
    if slides:
        assert d.qvel[0] - speed == pytest.approx(9.81 * (0.5 - friction * 3 ** 0.5 / 2), rel=0.2)   # normals are soft
    else:
        assert abs(d.qpos[0] - way) < 1e-9 and abs(d.qvel[0]) < 1e-9
    assert np.isfinite(d.qpos).all()
