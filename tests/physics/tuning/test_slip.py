"""How a contact slips: its speed is the body's, the share of the cone what gravity asks for; it creeps within the cone and slides on its side."""
import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.tuning.slip import SlipWindow, held, slip_of
from physics.tuning.target import Form, Target

BOX = """<mujoco><option cone="elliptic" gravity="{pull} 0 -9.81"/><worldbody><geom name="floor" type="plane" size="50 50 1"/>
  <body pos="0 0 .0999"><freejoint/><geom name="box" type="box" size=".3 .3 .1" condim="{condim}" mass="2" friction=".5 .01 .001"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def lying(pull, condim=3, mu=.5):
    m = physics.load_string(BOX.format(pull=pull, condim=condim))
    m.geom_friction[:, 0], m.geom_condim[:] = mu, condim
    d = physics.Data(m)
    return m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "box")))


def watched(m, d, target, steps, pull=None):
    window = SlipWindow()
    for k in range(steps):
        if pull is not None:
            d.xfrc_applied[1, 0] = pull(k)
        physics.step(m, d)
        window.add(d.time, slip_of(m, d, target))
    return window.creep()


@pytest.mark.parametrize("pull,text", [(2.0, "creeps"), (5.2, "slides"), (0.0, "sticks")])
def test_it_sticks_creeps_or_slides_by_what_is_asked_of_the_cone(pull, text):
    m, d, target = lying(pull)
    physics.step(m, d, 200)
    before = d.qpos[0]
    creep = watched(m, d, target, 200)
    print(creep)
    assert creep.text == text and creep.changes == 0 and creep.share == pytest.approx(min(1.0, pull / 9.81 / .5), abs=.02)
    slip = slip_of(m, d, target)
    assert slip.friction[0] == pytest.approx(-min(2 * pull, .5 * slip.normal), abs=.05) and slip.velocity[0] == pytest.approx(d.qvel[0], rel=.15, abs=1e-6)      # it rocks
    assert creep.speed == pytest.approx((d.qpos[0] - before) / (200 * m.opt_timestep), rel=.02, abs=1e-7)


def test_a_pull_that_comes_and_goes_makes_it_stick_and_slip():
    m, d, target = lying(0.0)
    creep = watched(m, d, target, 400, lambda k: 12.0 if k % 100 < 40 else 0.0)
    print(creep)
    assert creep.slips_by_turns and creep.changes in (7, 8) and creep.text.startswith(f"sticks and slips, {creep.changes // 2} times in 0.8 s")


def test_without_friction_nothing_is_held_and_apart_there_is_nothing():
    m, d, target = lying(1.0, condim=1)
    assert watched(m, d, target, 100).text == "no friction (condim 1)"
    d.qpos[2] = 3.0
    physics.forward(m, d)
    assert slip_of(m, d, target) is None
    window = SlipWindow()
    window.add(0.0, None)
    assert window.creep() is None


def test_it_is_held_again_only_well_within_the_cone():
    assert held([.5, .95, 1.0, .95, .85, .95, np.nan, 1.0]).tolist() == [True, True, False, False, True, True, True, False]
