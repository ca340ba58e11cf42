"""Springs and dampers of joints and tendons: forces and energies worked out by hand."""
import numpy as np
import pytest

from physics.engine import forward as stages
from tests.physics.engine.oracle_model import pair_from

SPACE = '<mujoco><option gravity="0 0 0"><flag energy="enable"/></option><worldbody>{}</worldbody>{}</mujoco>'


def slide(joint="", rest=""):
    """Our model and data of a body of 1 kg on a slide along x."""
    body = f'<body><joint name="j" type="slide" axis="1 0 0" {joint}/><geom size="1" mass="1"/><site name="p"/></body><site name="o" pos="-2 0 0"/>'
    return pair_from(SPACE.format(body, rest))[2:]


@pytest.mark.nojit
def test_a_stiffening_spring():
    m, d = slide('stiffness="10 5 1" springref="1"')
    for x, force in ((3.0, -2 * (10 + 5 * 2 + 2 * 2)), (-1.0, 2 * (10 - 5 * 2 + 2 * 2)), (1.0, 0.0)):
        d.qpos[0] = x
        stages.forward(m, d)
        assert d.qfrc_spring[0] == d.qacc[0] == force


def test_a_stiffening_damper_resists_alike_both_ways():
    m, d = slide('damping="3 2 1"')
    for v in (2.0, -2.0, 0.0):
        d.qvel[0] = v
        stages.forward(m, d)
        assert d.qfrc_damper[0] == d.qfrc_passive[0] == -v * (3 + 2 * abs(v) + v * v)


STRINGS = {"fixed": '<tendon><fixed name="t" {}><joint joint="j" coef="1"/></fixed></tendon>',
           "spatial": '<tendon><spatial name="t" {}><site site="o"/><site site="p"/></spatial></tendon>'}


@pytest.mark.parametrize("kind", STRINGS)
def test_a_deadband_is_free_of_force(kind):
    shift = {"fixed": 0.0, "spatial": 2.0}[kind]
    m, d = slide("", STRINGS[kind].format(f'stiffness="10 4" damping=".5 .1" springlength="{shift + 0.5} {shift + 1}"'))
    for x, stretch in ((0.7, 0.0), (0.5, 0.0), (1.0, 0.0), (1.5, 0.5), (0.25, -0.25)):
        d.qpos[0], d.qvel[0] = x, 2.0
        stages.forward(m, d)
        assert d.qfrc_spring[0] == pytest.approx(-stretch * (10 + 4 * stretch), abs=1e-14)
        assert d.energy[0] == pytest.approx(5 * stretch**2 + 4 / 3 * stretch**3, abs=1e-14)
        assert d.qfrc_damper[0] == pytest.approx(-2 * (0.5 + 0.1 * 2), rel=1e-14)


@pytest.mark.parametrize("joint, rest", [('stiffness="3 2 1"', ""), ("", STRINGS["fixed"].format('stiffness="3 -1 2" springlength=".1"')),
                                         ("", STRINGS["spatial"].format('stiffness="3 2 1" springlength="1.5"'))])
def test_force_is_the_slope_of_the_energy(joint, rest):
    m, d = slide(joint, rest)
    for x in np.linspace(-1, 1, 9):
        ends = []
        for h in (-1e-6, 1e-6):
            d.qpos[0] = x + h
            stages.forward(m, d)
            ends.append(d.energy[0])
        d.qpos[0] = x
        stages.forward(m, d)
        assert d.qfrc_spring[0] == pytest.approx((ends[0] - ends[1]) / 2e-6, abs=1e-7)


def test_a_spring_on_a_ball_pulls_back_the_short_way():
    m, d = pair_from(SPACE.format('<body><joint type="ball" stiffness="2 1 .5"/><geom size=".1"/></body>', ""))[2:]
    axis = np.array([2, -1, 2]) / 3
    for angle, turned in ((0.5, 0.5), (3.0, 3.0), (4.0, 4.0 - 2 * np.pi), (-0.5, -0.5)):
        d.qpos[:] = 3 * np.cos(angle / 2), *(3 * np.sin(angle / 2) * axis)  # not normalised
        stages.forward(m, d)
        stiffness = 2 + abs(turned) + 0.5 * turned**2
        assert d.qfrc_spring == pytest.approx(-stiffness * turned * axis, rel=1e-12)
        assert d.energy[0] == pytest.approx(turned**2 + abs(turned)**3 / 3 + turned**4 / 8, rel=1e-12)


def test_a_spring_on_a_free_body_pulls_it_home():
    m, d = pair_from(SPACE.format('<body pos="1 2 3"><joint type="free" stiffness="2 1"/><geom size=".1"/></body>', ""))[2:]
    d.qpos[:] += 2, -1, 2, 0, 0, 0, 0
    stages.forward(m, d)
    assert d.qfrc_spring == pytest.approx([-10, 5, -10, 0, 0, 0], abs=1e-12)
    assert d.energy[0] == pytest.approx(9 + 9, rel=1e-13)


def test_a_springdamper_settles_in_its_time():
    m, d = slide('springdamper=".5 1"')  # critically damped: x = (1 + t / tau) exp(-t / tau)
    m.opt_timestep, m.opt_integrator, d.qpos[0] = 1e-3, 1, 1.0
    assert stages.step_n(m, d, 700) == 700
    assert d.qpos[0] == pytest.approx((1 + 0.7 / 0.5) * np.exp(-0.7 / 0.5), rel=1e-9)
