"""Rigid bodies that spin: the heavy top and the free body, against the closed forms of Euler, Lagrange and Jacobi.

Source: Landau and Lifshitz, Mechanics, 33 (free symmetric top), 35 (heavy top) and 37 (free asymmetric body).
"""
import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import physics
from tests.verification.test_mechanics import momentum

# ---------------------------------------------------------------- the heavy top

MASS, ARM, ACROSS, ALONG, GRAVITY = 0.5, 0.08, 0.0009, 0.0006, 9.81   # inertias about the centre of mass
PIVOT = ACROSS + MASS * ARM**2   # across, about the pivot
TOP = f"""<mujoco><option integrator="RK4" timestep="{{h}}" gravity="0 0 -{GRAVITY}"><flag energy="enable"/></option><worldbody><body>
<joint type="ball"/><inertial pos="0 0 {ARM}" mass="{MASS}" diaginertia="{ACROSS} {ACROSS} {ALONG}"/></body></worldbody></mujoco>"""


def top(tilt: float, turning: float, spin: float, nodding: float = 0.0, h: float = 2e-4):
    """A top tilted about y, turning about the vertical, with so much angular velocity along its axis, its tilt growing at `nodding`."""
    m = physics.load_string(TOP.format(h=h))
    d = physics.Data(m)
    d.qpos[:] = np.cos(tilt / 2), 0, np.sin(tilt / 2), 0
    d.qvel[:] = -turning * np.sin(tilt), nodding, spin
    physics.forward(m, d)
    return m, d


def axis(d) -> np.ndarray:
    return d.xmat[1].reshape(3, 3)[:, 2]


def steady(tilt: float, spin: float) -> np.ndarray:
    """Both rates at which a top turns without nodding: I W^2 cos(tilt) - I3 spin W + m g l = 0."""
    return np.sort(np.roots([PIVOT * np.cos(tilt), -ALONG * spin, MASS * GRAVITY * ARM]))


@pytest.mark.parametrize("root", [0, 1], ids=["slow", "fast"])
@pytest.mark.parametrize("tilt", [0.2, 1.0, 2.5])
def test_a_fast_top_turns_steadily_at_either_rate(tilt, root):
    spin = 150.0
    turning = steady(tilt, spin)[root if tilt < np.pi / 2 else 1 - root]   # hanging, the fast root turns backward
    m, d = top(tilt, turning, spin, h=1e-4)
    for _ in range(5):
        assert physics.step(m, d, 1000) == 1000
        physics.forward(m, d)
        azimuth = turning * d.time
        assert axis(d) == pytest.approx(np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)]), abs=2e-7)


def test_energy_and_both_momenta_of_a_top_stay():
    m, d = top(0.6, 3.0, 120.0, nodding=-2.0)
    kept = []
    for _ in range(6):
        physics.forward(m, d)
        spin = momentum(m, d)[1]   # about the origin, where the pivot is
        kept.append((d.energy.sum(), spin[2], spin @ axis(d)))
        assert d.qvel[2] == pytest.approx(120.0, rel=1e-9)
        physics.step(m, d, 500)
    assert np.ptp(kept, 0) == pytest.approx(np.zeros(3), abs=1e-9) and np.abs(kept[0]).min() > 0.01


def turning_points(m, d, count: int) -> list:
    """Times at which the axis stops rising or sinking, by a straight line between the rates in the middle of two steps."""
    found, last, h = [], 0.0, m.opt_timestep
    while len(found) < count:
        start, height = d.time, axis(d)[2]
        physics.step(m, d)
        physics.forward(m, d)
        rate = axis(d)[2] - height
        if last * rate < 0:
            found.append(start + h * (last / (last - rate) - 0.5))
        last = rate
    return found


def test_small_nods_about_a_steady_turn():
    tilt, spin = 0.9, 110.0
    turning = steady(tilt, spin)[0]
    across = ALONG * spin / PIVOT
    rate = np.hypot(across - 2 * turning * np.cos(tilt), turning * np.sin(tilt))
    m, d = top(tilt, turning, spin, nodding=1e-3)
    times = np.array(turning_points(m, d, 9))
    assert np.diff(times) == pytest.approx(np.full(8, np.pi / rate), rel=2e-5)


@pytest.mark.parametrize("spin, turning", [(90.0, 0.0), (60.0, 4.0), (60.0, -3.0), (0.0, 2.0)])
def test_nods_of_any_size_take_the_time_of_the_elliptic_integral(spin, turning):
    """u = cos(tilt): u'^2 is a cubic in u; between its two roots within -1..1 the time is that of an elliptic integral of the first kind."""
    tilt = 1.1
    m, d = top(tilt, turning, spin)
    a, beta = ALONG * spin / PIVOT, 2 * MASS * GRAVITY * ARM / PIVOT
    u = np.cos(tilt)
    b = turning * (1 - u * u) + a * u
    alpha = turning**2 * (1 - u * u) + beta * u
    cubic = np.polysub(np.polymul([-beta, alpha], [-1, 0, 1]), np.polymul([-a, b], [-a, b]))
    low, high, far = np.sort(np.roots(cubic).real)
    period = 4 * ellipk((high - low) / (far - low)) / np.sqrt(beta * (far - low))
    times = np.array(turning_points(m, d, 7))
    assert times[2:] - times[:-2] == pytest.approx(np.full(5, period), rel=1e-6)
    assert high - low > 0.01


# ---------------------------------------------------------------- free bodies

FREE = """<mujoco><option integrator="RK4" timestep="{h}" gravity="0 0 0"><flag energy="enable"/></option><worldbody><body pos="1 2 3" quat=".8 .1 .5 -.3">
<joint type="free"/><inertial pos="0 0 0" mass="2" diaginertia="{inertia}"/></body></worldbody></mujoco>"""


def free(inertia, spin, h=1e-3):
    m = physics.load_string(FREE.format(inertia=" ".join(map(str, inertia)), h=h))
    assert m.body_inertia[1].tolist() == list(inertia) and m.body_iquat[1].tolist() == [1, 0, 0, 0]
    d = physics.Data(m)
    d.qvel[3:] = spin
    physics.forward(m, d)
    return m, d


def jacobi(inertia, spin, times):
    """Angular velocity in body axes of inertias in ascending order, from (0, b, c) with c > 0: (cn, sn, dn) that begin at a quarter period. And the period."""
    i1, i2, i3 = inertia
    twice, square = np.dot(inertia, np.square(spin)), np.dot(np.square(inertia), np.square(spin))
    assert square > twice * i2 and spin[0] == 0
    rate = np.sqrt((i3 - i2) * (square - twice * i1) / (i1 * i2 * i3))
    m = (i2 - i1) * (twice * i3 - square) / ((i3 - i2) * (square - twice * i1))
    sn, cn, dn, _ = ellipj(rate * times + ellipk(m), m)
    return np.array([np.sqrt((twice * i3 - square) / (i1 * (i3 - i1))) * cn, np.sqrt((twice * i3 - square) / (i2 * (i3 - i2))) * sn,
                     np.sqrt((square - twice * i1) / (i3 * (i3 - i1))) * dn]).T, 4 * ellipk(m) / rate


@pytest.mark.parametrize("spin", [(0, 2.0, 1.5), (0, 5.0, 0.02), (0, 5.0, 1e-3)], ids=["tumbling", "nearly about the middle axis", "flipping"])
def test_a_free_body_follows_jacobis_functions(spin):
    inertia, count = (0.7, 1.1, 1.6), 40
    _, period = jacobi(inertia, spin, np.zeros(1))
    steps = 500
    m, d = free(inertia, spin, h=1.5 * period / (count * steps))
    before, energy = momentum(m, d), d.energy.sum()
    expected, _ = jacobi(inertia, spin, np.arange(1, count + 1) * steps * m.opt_timestep)
    middle = []
    for k in range(count):
        assert physics.step(m, d, steps) == steps
        physics.forward(m, d)
        assert d.qvel[3:] == pytest.approx(expected[k], abs=2e-7)
        middle.append(d.xmat[1].reshape(3, 3)[:, 1] @ before[1])
    assert np.allclose(momentum(m, d), before, atol=1e-9) and d.energy.sum() == pytest.approx(energy, rel=1e-9)
    assert min(middle) < -0.5 * np.linalg.norm(before[1]) < 0.5 * np.linalg.norm(before[1]) < max(middle)   # the middle axis turns over in world axes


@pytest.mark.parametrize("along", [0.4, 1.9], ids=["rod", "disc"])
def test_the_axis_of_a_free_symmetric_body_goes_round_its_momentum(along):
    across, spin = 1.0, np.array([0.8, -0.5, 3.0])
    m, d = free((across, across, along), spin)
    whole = momentum(m, d)[1]
    rate, about, start = np.linalg.norm(whole) / across, whole / np.linalg.norm(whole), axis(d).copy()
    own = (along - across) / across * spin[2]
    for _ in range(5):
        assert physics.step(m, d, 700) == 700
        physics.forward(m, d)
        angle = rate * d.time
        turned = start * np.cos(angle) + np.cross(about, start) * np.sin(angle) + about * (about @ start) * (1 - np.cos(angle))
        assert axis(d) == pytest.approx(turned, abs=1e-9)
        c, s = np.cos(own * d.time), np.sin(own * d.time)
        assert d.qvel[3:] == pytest.approx([c * spin[0] - s * spin[1], s * spin[0] + c * spin[1], spin[2]], abs=1e-9)
