"""A seeded share of random actuators at random states: forces, rates, moments and steps as officially."""
import pytest

from tests.physics.engine.random_actuators import INTEGRATORS, pair, worst


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_random_actuators_act_as_officially(integrator):
    taken, off = 0, {}
    for seed in range(100):
        both = pair(seed, integrator)
        if both is not None:
            taken += 1
            found = {n: v for n, v in worst(*both, seed).items() if not v <= 1e-9}
            off.update({seed: found} if found else {})
    assert taken > 20
    assert off == {}
