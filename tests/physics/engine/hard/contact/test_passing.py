"""Round shapes that are faster than their size in a step: they do not pass through each other, and are left alone where they merely pass by."""
import numpy as np
import pytest

import physics
from physics.enums import Engine

TWO = """<mujoco><option timestep=".01" gravity="0 0 0"/><worldbody>
<body name="a" pos="-.5 0 0"><freejoint/><geom type="{one}" size="{size}"{turn}/></body>
<body name="b" pos=".5 {y} 0"><freejoint/><geom type="{two}" size="{size}"/></body></worldbody></mujoco>"""


def hard(text):
    physics.ensure_kernels()
    m = physics.load_string(text)
    m.opt.engine = Engine.HARD
    return m, physics.Data(m)


def thrown(one="sphere", two="sphere", y=0.0, speed=100.0, turn=""):
    """Two shapes thrown at each other along x."""
    m, d = hard(TWO.format(one=one, two=two, y=y, turn=turn, size=".05" if one == two == "sphere" else ".05 .2"))
    d.qvel[0], d.qvel[6] = speed, -speed
    return m, d


def momentum(m, d):
    return m.body_mass[1] * d.qvel[:3] + m.body_mass[2] * d.qvel[6:9]


@pytest.mark.parametrize("speed", [3.0, 7.0, 12.0, 100.0, 1000.0])
def test_two_balls_meet_at_any_speed(speed):
    m, d = thrown(speed=speed)
    steps = int(1.0 / (2 * speed * 0.01)) + 3
    for _ in range(steps):
        assert physics.step(m, d, autoreset=False) == 1
        assert d.qpos[7] - d.qpos[0] >= 0.1 - 1e-6
    assert d.hard_nfailed == d.hard_ncoarse == 0
    assert d.qpos[7] - d.qpos[0] == pytest.approx(0.1, abs=1e-5) and np.abs(d.qvel).max() < 1e-4 * speed      # dead


def test_balls_that_meet_off_centre_go_around_each_other_on_their_own_side():
    m, d = thrown(y=0.06)
    for _ in range(3):
        assert physics.step(m, d, autoreset=False) == 1
        assert np.linalg.norm(d.qpos[7:10] - d.qpos[:3]) > 0.1 - 1e-6
    assert d.qvel[7] > 10 and d.qvel[1] < -10 and momentum(m, d) == pytest.approx(np.zeros(3), abs=1e-8)
    mass, inertia = m.body_mass[1], m.body_inertia[1, 0]
    assert mass * (d.qvel[:3] @ d.qvel[:3]) + inertia * (d.qvel[3:6] @ d.qvel[3:6]) < mass * 100.0 ** 2


def test_balls_that_pass_by_are_left_alone():
    m, d = thrown(y=0.11)
    assert physics.step(m, d, 3, autoreset=False) == 3
    assert d.qvel[[0, 6]] == pytest.approx([100.0, -100.0], abs=1e-8) and d.qpos[0] == pytest.approx(2.5)


@pytest.mark.parametrize(("one", "two", "turn"), [("sphere", "capsule", ""), ("capsule", "sphere", ""), ("capsule", "capsule", ' euler="90 0 0"'), ("capsule", "capsule", "")])
def test_capsules_are_met_too(one, two, turn):
    m, d = thrown(one, two, turn=turn)
    for _ in range(3):
        assert physics.step(m, d, autoreset=False) == 1
        assert d.qpos[7] > d.qpos[0]
    assert d.hard_nfailed == 0 and abs(d.qvel[0] - d.qvel[6]) < 1e-3


def test_a_ball_that_rolls_fast_over_another_keeps_its_distance():
    """Half round it in a few steps: a plane at their first touch would throw it off."""
    m, d = hard("""<mujoco><option timestep=".01"/><worldbody><geom size=".2"/>
<body pos="0 0 .25"><freejoint/><geom size=".05" mass="1"/></body></worldbody></mujoco>""")
    d.qvel[0] = 0.5
    gaps = []
    for _ in range(20):
        physics.step(m, d, autoreset=False)
        gaps.append(np.linalg.norm(d.qpos[:3]) - 0.25)
    assert max(np.abs(gaps[:10])) < 1e-7
