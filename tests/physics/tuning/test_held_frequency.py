"""What a strong damper drives moves along with a slow motion and stays behind in a quick one: the row is told at the frequency of the contact, by the engine."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.tuning.closed_forms import closed_forms, rest_depth
from physics.tuning.fit import Goal, fit
from physics.tuning.law import law_of
from physics.tuning.scalar import approach, impacts, surface_speed
from physics.tuning.target import Form, Target, read

# a foot that carries a part on a slide with a spring and a damper of 200 N s/m: 2 kg in a sudden push, 3 kg in motions slower than 200 rad/s
DRAGGED = """<mujoco><option timestep="0.0005"/><worldbody><geom type="plane" size="0 0 1" condim="1"/>
  <body pos="0 0 .0995"><joint type="slide" axis="0 0 1"/><geom name="foot" size=".1" mass="2" condim="1" priority="1" solref="{} {}" solimp=".5 .5 .001 .5 2"/>
  <body><joint type="slide" axis="0 0 1" damping="200" stiffness="400"/><geom size=".02" mass="1" contype="0" conaffinity="0"/></body></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def dragged(w):
    m = physics.load_string(DRAGGED.format(-w * w, -0.2 * w))
    d = physics.Data(m)
    physics.step(m, d, 40000)
    physics.forward(m, d)
    assert np.abs(d.qvel).max() < 1e-6
    return m, d, read(m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "foot"))), held=True)


def bounced(m, d, row, speed):
    """Restitution of the foot with its part, thrown as one."""
    foot = m.id("geom", "foot")
    r, u = (float(x) for x in approach(row, np.array(speed), np.array(0.5)))
    d.qpos[0] += r + m.geom_size[foot, 0] - d.geom_xpos[foot, 2]
    zero = d.qpos[0] - r
    d.qvel[0], d.qvel[1] = u, 0.0
    for _ in range(4000):
        physics.step(m, d)
        if d.qpos[0] >= zero and d.qvel[0] > 0.0:
            return float(surface_speed(row, d.qpos[0] - zero, d.qvel[0])) / speed
    return 0.0


@pytest.mark.parametrize("w", [60.0, 150.0])
def test_an_impact_on_what_a_damper_drags_is_that_of_its_frequency(w):
    m, d, found = dragged(w)
    row, parameters = found.row, found.parameters
    assert 1.0 / row.inverse_mass == pytest.approx(2.0) and row.damping + row.drag == pytest.approx(100.0) and row.by_frequency
    # the part of 1 kg on its spring and damper: s^2 (200 s + 400) / (s^2 + 200 s + 400)
    at, s = law_of(row, parameters).row, 1j * closed_forms(row, parameters).frequency
    stiffness = 2.0 * s * s + s * s * (200.0 * s + 400.0) / (s * s + 200.0 * s + 400.0)
    mass, slowing = -stiffness.real / s.imag ** 2, stiffness.imag / s.imag
    assert 1.0 / at.inverse_mass == pytest.approx(mass, rel=0.02) and mass > 2.4
    assert at.damping + at.drag == pytest.approx(slowing / mass, rel=0.1) and slowing / mass < 40.0
    # what the engine does
    alone = replace(row, by_frequency=())
    predicted, sudden = (float(impacts(one, parameters, (1.0,), 1)[0].restitution[0]) for one in (row, alone))
    seen = bounced(m, d, row, 1.0)
    print(f"w {s.imag:.4g}: predicted {predicted:.3f}, seen {seen:.3f}, as of a sudden push {sudden:.3f}")
    assert predicted == pytest.approx(seen, abs=0.03) and abs(sudden - seen) > 0.1
    assert rest_depth(row, parameters) == pytest.approx(rest_depth(alone, parameters)) == pytest.approx(-found.position, rel=1e-3)


def test_a_fit_is_made_for_the_frequency_that_it_gives():
    _m, _d, found = dragged(60.0)
    row, goal = found.row, Goal(0.6, 3e-4, 0.15)
    answer = fit(row, goal)
    assert not answer.refused, answer.refused
    assert rest_depth(row, answer.parameters) == pytest.approx(3e-4, rel=1e-3) and answer.response.impacts.mean == pytest.approx(0.6, abs=2e-3)
    assert closed_forms(row, answer.parameters).frequency == pytest.approx(closed_forms(law_of(row, answer.parameters).row, answer.parameters).frequency)
