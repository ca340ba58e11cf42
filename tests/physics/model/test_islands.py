"""Islands under their official names."""
import mujoco
import numpy as np
import pytest

import physics
from physics.model.islands import FIELDS
from tests.physics.engine.sleep.scenes import box, world

SCENE = world(box("a", "0 0 .099") + box("b", "1 0 .5") + box("c", "0 0 .298") + box("d", "2 0 .099") + '<body pos="3 0 1"><joint name="j" axis="0 0 1" range="1 2" limited="true"'
              ' frictionloss=".1"/><geom size=".1" pos=".2 0 0"/></body><body pos="5 0 1"><joint name="k" frictionloss=".1"/><geom size=".1" pos=".2 0 0"/></body>'
              '<body pos="6 0 1"><joint/><geom size=".1" pos=".2 0 0"/></body>', '<equality><joint joint1="j" joint2="k"/></equality>')


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("flags", [0, 1 << 18, 1])
def test_islands_are_the_official_ones(flags):
    mj, m = mujoco.MjModel.from_xml_string(SCENE), physics.load_string(SCENE)
    mj.opt.disableflags = m.opt_disableflags = flags
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert mjd.nisland == (3 if flags == 0 else 0) == len(d.island_nefc) and d.nidof == mjd.nidof
    if flags:
        assert (d.tree_island == -1).all() and (d.dof_island == -1).all()
        return
    for name in sorted(FIELDS - {"nidof"}):
        assert np.array_equal(getattr(d, name), getattr(mjd, name)), name
    assert d.nisland == mjd.nisland


def test_sleepers_are_in_no_island():
    m = physics.load_string(world(box("a", "0 0 .1") + box("b", "1 0 .1", 'sleep="never"')))
    d = physics.Data(m)
    physics.step(m, d, 60)
    assert d.tree_island.tolist() == [-1, 0] and d.island_nv.tolist() == [6]


def test_what_the_effective_mass_couples_is_one_island():
    text = """<mujoco><option integrator="discrete"/><worldbody><geom type="plane" size="5 5 .1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body><body pos="1 0 .09"><freejoint/><geom size=".1"/><site name="a" pos="0 0 .1"/></body>
      <body pos="2 0 .5"><joint name="h" axis="0 1 0"/><geom size=".1" pos=".2 0 0"/><site name="b" pos=".2 0 .1"/></body>
      <body pos="4 0 .09"><freejoint/><geom size=".1"/></body></worldbody>
      <tendon><spatial damping="3"><site site="a"/><site site="b"/></spatial></tendon></mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    mujoco.mj_forward(mj, mjd)
    physics.forward(m, d)
    assert d.nisland == mjd.nisland == 3 and d.tree_island.tolist() == mjd.tree_island.tolist() == [0, 1, 1, 2]
    assert d.dof_island.tolist() == mjd.dof_island.tolist() and d.island_nefc.tolist() == mjd.island_nefc.tolist()
