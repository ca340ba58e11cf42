"""A point mass drawn to a centre: Kepler's ellipse under 1/r^2, Hooke's under springs.

Source: Landau and Lifshitz, Mechanics, 15 (Kepler's problem) and 23 (the space oscillator).
"""
import numpy as np
import pytest
from scipy.optimize import brentq

import physics

MU = 3.0   # strength of the attraction per mass
POINT = """<mujoco><option integrator="RK4" timestep="{h}" gravity="0 0 0"><flag energy="enable"/></option><worldbody><site name="sun"/><body>
<joint type="slide" axis="1 0 0" {spring}/><joint type="slide" axis="0 1 0" {spring}/><joint type="slide" axis="0 0 1" {spring}/>
<geom size=".01" mass="2"/><site name="planet"/></body></worldbody>{more}</mujoco>"""
FREE = """<mujoco><option integrator="RK4" timestep="{h}" gravity="0 0 0"><flag energy="enable"/></option><worldbody><body><freejoint/>
<geom type="box" size=".01 .02 .03" mass="2"/></body></worldbody></mujoco>"""
TURN = np.linalg.qr(np.array([[1.0, 2, 0.5], [-0.3, 1, 2], [0.7, 0.1, -1]]))[0]   # the plane of the orbits


def attract(m, d) -> None:
    """The callback: the force of a mass at the origin."""
    r = d.qpos[:3]
    d.qfrc_passive[:3] -= m.body_mass[1] * MU * r / np.linalg.norm(r)**3


def orbit(xml: str, eccentricity: float, steps: int):
    """Model and Data at the near point of an ellipse of half axis 1, `steps` a revolution."""
    period = 2 * np.pi / np.sqrt(MU)
    m = physics.load_string(xml.format(h=period / steps, spring="", more=""))
    d = physics.Data(m)
    d.set_callback("cb_passive", attract)
    d.qpos[:3] = TURN[:, 0] * (1 - eccentricity)
    d.qvel[:3] = TURN[:, 1] * np.sqrt(MU * (1 + eccentricity) / (1 - eccentricity))
    return m, d, period


def keplers_place(eccentricity: float, share: float) -> np.ndarray:
    """Where the planet is after that share of a revolution: M = E - e sin E."""
    mean = 2 * np.pi * share
    e = brentq(lambda x: x - eccentricity * np.sin(x) - mean, mean - 1, mean + 1, xtol=1e-15)
    return TURN[:, 0] * (np.cos(e) - eccentricity) + TURN[:, 1] * np.sqrt(1 - eccentricity**2) * np.sin(e)


@pytest.mark.parametrize("xml", [POINT, FREE], ids=["on slides", "free"])
@pytest.mark.parametrize("eccentricity", [0.0, 0.3, 0.6])
def test_a_planet_is_where_kepler_says(xml, eccentricity):
    m, d, period = orbit(xml, eccentricity, 2000)
    for k in range(1, 9):
        assert physics.step(m, d, 250) == 250
        assert d.qpos[:3] == pytest.approx(keplers_place(eccentricity, k / 8), abs=1e-8)
    assert d.time == pytest.approx(period)


def test_energy_angular_momentum_and_the_direction_of_the_near_point_stay():
    m, d, _ = orbit(POINT, 0.5, 4000)

    def kept():
        r, v = d.qpos[:3], d.qvel[:3]
        spin = np.cross(r, v)
        return np.array([v @ v / 2 - MU / np.linalg.norm(r), *spin, *(np.cross(v, spin) / MU - r / np.linalg.norm(r))])

    start = kept()
    assert start[0] == pytest.approx(-MU / 2) and start[4:] == pytest.approx(0.5 * TURN[:, 0])
    for _ in range(4):
        physics.step(m, d, 1000)
        assert kept() == pytest.approx(start, abs=1e-9)


SPRING = '<tendon><spatial stiffness="18" springlength="0"><site site="sun"/><site site="planet"/></spatial></tendon>'


@pytest.mark.parametrize("spring, more", [('stiffness="18"', ""), ("", SPRING)], ids=["three springs", "one string"])
def test_springs_make_an_ellipse_about_its_centre(spring, more):
    m = physics.load_string(POINT.format(h=1e-3, spring=spring, more=more))
    d = physics.Data(m)
    place, speed, rate = np.array([1.0, -0.5, 0.3]), np.array([0.4, 2.0, 1.0]), np.sqrt(18 / 2)
    d.qpos[:], d.qvel[:] = place, speed
    for _ in range(6):
        assert physics.step(m, d, 500) == 500
        phase = rate * d.time
        assert d.qpos == pytest.approx(place * np.cos(phase) + speed / rate * np.sin(phase), abs=1e-9)
        physics.forward(m, d)
        assert d.energy.sum() == pytest.approx(9 * place @ place + speed @ speed, rel=1e-9)
