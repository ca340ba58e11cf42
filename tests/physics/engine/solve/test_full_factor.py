"""Where Newton's factor would be too full, conjugate gradients solve the island."""
import mujoco
import numpy as np
import pytest

import physics

SIDE = 10
SPACING = 0.0995   # of balls 0.1 across: each touches six


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def block(side: int) -> str:
    """A cube of balls, lighter and heavier ones by turns."""
    r = np.random.default_rng(3)
    balls = "".join(f'<body pos="{x * SPACING} {y * SPACING} {z * SPACING + .0495}"><freejoint/><geom size=".05" mass="{r.uniform(.5, 2):.3f}"/></body>'
                    for x in range(side) for y in range(side) for z in range(side))
    return f"""<mujoco><option tolerance="1e-13" iterations="300"/><default><geom condim="1"/></default>
    <worldbody><geom type="plane" size="5 5 1"/>{balls}</worldbody></mujoco>"""


def test_a_block_of_balls_is_solved_without_a_factor():
    text = block(SIDE)
    m = physics.load_string(text)
    d = physics.Data(m)
    physics.forward(m, d)
    assert d.sol_nisland == 1 and d.sol_island_full[0] == 1 and d.nefc == 3 * SIDE**2 * (SIDE - 1) + SIDE**2
    assert d.solver_niter_max > 10 and d.maxH < 5e6   # no room was made for the panels
    official = mujoco.MjModel.from_xml_string(text)
    official.opt.solver = mujoco.mjtSolver.mjSOL_CG
    mjd = mujoco.MjData(official)
    mujoco.mj_forward(official, mjd)
    assert np.abs(d.qacc - mjd.qacc).max() < 1e-6 * np.abs(mjd.qacc).max()


def test_a_small_block_is_factored():
    m = physics.load_string(block(4))
    d = physics.Data(m)
    physics.forward(m, d)
    assert d.sol_nisland == 1 and d.sol_island_full[0] == 0 and d.solver_niter_max < 10
