"""Control noise: its random numbers, its spread, its correlation in time, and that the user's control stays."""
import numpy as np
import pytest

from physics.engine.control_noise import control_noise, normal, philox
from physics.runtime import commands as c
from tests.physics.runtime.models import ARM, do, model, simulation


@pytest.mark.nojit
def test_random_numbers_are_the_published_ones():
    # known answers of Random123's philox2x32-10
    assert philox(0, 0, 0) == (0xFF1DAE59, 0x6CD10DF2)
    assert philox(0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF) == (0x2C3F628B, 0xAB4FD7AD)
    assert philox(0x243F6A88, 0x85A308D3, 0x13198A2E) == (0xDD7CE038, 0xF62A4C12)


def test_normal_numbers_are_normal():
    x = np.array([normal(k, 1, 5) for k in range(20000)])
    assert abs(x.mean()) < 4 / np.sqrt(len(x))
    assert x.std() == pytest.approx(1, abs=4 / np.sqrt(2 * len(x)))
    assert np.mean(x ** 4) == pytest.approx(3, abs=4 * np.sqrt(96 / len(x)))


def test_compiled_and_interpreted_noise_are_equal():
    sims = [simulation(), simulation()]
    for sim in sims:
        do(sim, c.SetNoise(0.7, 0.05, seed=9))
    for _ in range(5):
        control_noise(sims[0].model, sims[0].data)
        control_noise.plain(sims[1].model, sims[1].data)
    assert np.allclose(sims[0].data.ctrl_noise, sims[1].data.ctrl_noise, rtol=1e-13)
    assert sims[0].data.ctrl_noise.all()


def test_spread_and_correlation():
    sim = simulation(model(ARM))
    scale, rate, dt = 0.4, 0.02, 0.002
    do(sim, c.SetNoise(scale, rate, seed=1))
    x = np.empty((40000, 2))
    for row in x:
        control_noise(sim.model, sim.data)
        row[:] = sim.data.ctrl_noise
    x = x[200:]
    half = np.array([1.5, 1.0])  # ctrlrange -2 1; the other control is unlimited
    independent = len(x) * dt / (2 * rate)
    assert x.std(axis=0) == pytest.approx(scale * half, rel=4 / np.sqrt(2 * independent))
    for lag in (1, 10):
        corr = (x[lag:] * x[:-lag]).mean(axis=0) / x.var(axis=0)
        assert corr == pytest.approx(np.full(2, np.exp(-lag * dt / rate)), abs=4 / np.sqrt(independent))
    assert abs(np.corrcoef(x.T)[0, 1]) < 4 / np.sqrt(independent)


def test_noise_leaves_the_users_control_and_can_be_switched_off():
    sim = simulation()
    do(sim, c.SetCtrl(0, 0.25), c.SetNoise(1.0, 0.0, seed=2), c.Step(3))
    assert sim.data.ctrl[0] == 0.25 and sim.data.ctrl_noise[0] != 0
    assert sim.data.actuator_force[0] == pytest.approx(np.clip(0.25 + sim.data.ctrl_noise[0], -2, 1))
    do(sim, c.SetNoise(0.0, 0.0), c.Step(1))
    assert not sim.data.ctrl_noise.any() and sim.data.actuator_force[0] == 0.25
