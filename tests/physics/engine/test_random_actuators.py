"""A seeded share of random actuators at random states: forces, rates, moments and steps as officially."""
import pytest

from tests.physics.engine.random_actuators import INTEGRATORS, pair, worst


@pytest.mark.parametrize("integrator", [*INTEGRATORS, "discrete"])
def test_random_actuators_act_as_officially(integrator):
    taken, off, bound = 0, {}, 1e-8 if integrator == "discrete" else 1e-9   # there qacc is a step of the solver
    for seed in range(100):
        both = pair(seed, integrator)
        if both is not None:
            taken += 1
            found = {n: v for n, v in worst(*both, seed).items() if not v <= bound}
            off.update({seed: found} if found else {})
    assert taken > 20
    assert off == {}
