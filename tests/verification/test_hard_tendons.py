"""Tendons under the hard engine against closed forms: two weights over a pulley, a block and tackle, a pendulum on a rope."""
import numpy as np
import pytest

import physics
from physics.enums import Engine

WEIGHTS = """<mujoco><option timestep="{h}"/><worldbody><site name="left" pos="-.2 0 2"/><site name="right" pos=".2 0 2"/>
<body name="a" pos="-.2 0 1"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="{a}"/><site name="a"/></body>
<body name="b" pos=".2 0 1"><joint type="slide" axis="0 0 1"/><geom size=".05" mass="{b}"/><site name="b"/></body></worldbody>
<tendon><spatial name="rope"><site site="a"/><site site="left"/>{pulley}<site site="right"/><site site="b"/></spatial></tendon>
<equality><tendon tendon1="rope"/></equality></mujoco>"""


def moved(text, n):
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    physics.step(m, d, n)
    assert d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0
    return m, d


@pytest.mark.parametrize("h", [0.001, 0.02])
def test_two_weights_on_one_rope(h):
    """a = g (m1 - m2) / (m1 + m2), the rope's force 2 m1 m2 g / (m1 + m2)."""
    n = round(0.2 / h)
    m, d = moved(WEIGHTS.format(h=h, a=3, b=1, pulley=""), n)
    a = 9.81 * 2 / 4
    assert d.qvel == pytest.approx([-a * n * h, a * n * h], abs=1e-7) and abs(d.qpos.sum()) < 1e-9
    assert d.efc_force[0] == pytest.approx(-2 * 3 / 4 * 9.81, abs=1e-6)


def test_a_block_and_tackle_balances_weights_of_two_to_one():
    """The right part counts half, length = left + right / 2: with coordinates x = -y / 2 the force of the rope is m_a g, and half of it m_b g."""
    m, d = moved(WEIGHTS.format(h=0.01, a=2, b=1, pulley='<pulley divisor="2"/>'), 50)
    assert np.abs(d.qvel).max() < 1e-7 and np.abs(d.qpos).max() < 1e-7
    assert d.efc_force[0] == pytest.approx(-2 * 9.81, abs=1e-6) and d.qfrc_constraint == pytest.approx([2 * 9.81, 9.81], abs=1e-6)


def test_a_weight_on_a_rope_swings_in_the_time_of_a_pendulum():
    """Small swings from a taut start: T = 2 pi sqrt(l / g)."""
    m = physics.load_string("""<mujoco><option timestep=".002"/><worldbody><site name="top" pos="0 0 1"/>
        <body pos=".05 0 0"><freejoint/><geom size=".01" mass="1"/><site name="s"/></body></worldbody>
        <tendon><spatial range="0 1.00125" limited="true"><site site="top"/><site site="s"/></spatial></tendon></mujoco>""")
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    x, crossings = d.qpos[0], []
    while d.time < 6.5:
        physics.step(m, d)
        if x > 0 >= d.qpos[0] or x < 0 <= d.qpos[0]:
            crossings.append(d.time)
        x = d.qpos[0]
    assert np.diff(crossings).mean() == pytest.approx(np.pi * np.sqrt(1.00125 / 9.81), rel=3e-3)
    assert d.hard_nfailed == d.hard_ncoarse == d.hard_nhalved == 0
