"""Restitution and settling over ranges by drops in the engine."""
import numpy as np
import pytest

import physics
from physics.tuning.standard_drop import StandardDrop
from physics.tuning.sweep import DropSweep, contact_sweep
from physics.tuning.target_values import with_number
from tests.physics.tuning.drops import CONSTANT, drop

RANGES = [("solref[0]", (0.01, 0.03)), ("solref[1]", (0.2, 0.6, 1.0))]


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def given():
    falling = drop(solimp=CONSTANT, condim=1)
    return falling.row, falling.parameters


def swept(given, what, ranges=RANGES, threads=0):
    sweep = DropSweep(*given, ranges, what, 1.0, 8, threads)
    sweep.start()
    assert sweep.wait(60.0) and not sweep.error
    return sweep


def test_restitution_is_that_of_the_scalar_simulation_in_the_engines_own_steps(given):
    sweep = swept(given, "restitution")
    found, expected = sweep.result(), contact_sweep(*given, RANGES, 1.0, 8)
    assert found.complete and not found.diverged.any() and sweep.progress == (6, 6)
    assert found.values == pytest.approx(expected.restitution, abs=1e-9) and (expected.restitution > 0.1).any()


def test_settling_is_that_of_drops_by_themselves_whatever_the_threads(given):
    row, parameters = given
    one, two = (swept(given, "settling", RANGES[1:], threads).result().values for threads in (1, 2))
    alone = [StandardDrop(row, with_number(parameters, "solref[1]", number)).rest()[1] for number in RANGES[1][1]]
    assert one.tolist() == two.tolist() == alone and np.isfinite(one).all()


def test_it_ends_when_it_is_told_to(given):
    sweep = DropSweep(*given, [("solref[1]", np.linspace(0.01, 1.0, 400))], "restitution", 1.0)
    sweep.start()
    sweep.cancel()
    assert sweep.wait(60.0) and sweep.progress[0] < 400 and not sweep.result().complete


@pytest.mark.parametrize("what, ranges, speed, said", [
    ("depth", RANGES, 1.0, "not found by drops"), ("restitution", RANGES, 0.0, "impacts at 0"), ("restitution", [("solref[0]", (-1.0, 0.02))], 1.0, "either both"),
    ("settling", [], 1.0, "one or two"), ("settling", [("friction", (1.0,))], 1.0, "no parameter")])
def test_what_is_no_sweep_is_told(given, what, ranges, speed, said):
    with pytest.raises(ValueError, match=said):
        DropSweep(*given, ranges, what, speed)
