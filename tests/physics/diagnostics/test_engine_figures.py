"""What two engines are compared by."""
import pytest

import physics
from physics.diagnostics.engine_figures import Judge
from physics.enums import Engine

BELT = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="5 5 .1" surfacevel="1 0 0 0 0 0"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.compile_kernels()
    physics.ensure_hard()


@pytest.mark.parametrize("engine", Engine)
def test_what_a_belt_carries_along_does_not_slip(engine):
    m = physics.load_string(BELT)
    m.opt.engine = engine
    d = physics.Data(m)
    d.qvel[0] = 1       # as fast as the belt
    physics.step(m, d, 50)
    assert abs(d.qvel[0] - 1) < .01 and d.ncon == 4
    assert Judge(m).look(d).slip < .01
