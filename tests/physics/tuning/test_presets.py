"""Presets: each solved for a time step and a row does what it promises, in the engine too."""
from dataclasses import replace

import pytest

import physics
from physics.tuning.closed_forms import damping_ratio_of
from physics.tuning.presets import PRESETS, SPEED, prove_preset, solve
from physics.tuning.standard_drop import PHASES
from tests.physics.tuning.drops import CONSTANT, Engine, drop, with_parameters


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("timestep", [0.002, 0.0005])
def test_presets_are_solved(name, timestep):
    preset, row = PRESETS[name], drop("box", timestep=timestep).row
    found = solve(preset, row)
    assert found.response.impacts.mean == pytest.approx(preset.restitution, abs=5e-4) and found.response.rest_depth == pytest.approx(preset.rest_depth, rel=1e-6)
    assert not found.response.gains_energy and found.response.impacts.scatter < 0.021 and found.parameters.is_direct


@pytest.mark.parametrize("name", ["steel", "foam"])
def test_a_drop_in_the_engine(name):
    preset, falling = PRESETS[name], drop("ball", (-1000.0, -1.0), CONSTANT)
    side = Engine(with_parameters(falling, solve(preset, falling.row).parameters))
    assert side.restitution(SPEED).mean() == pytest.approx(preset.restitution, abs=1e-3)
    assert side.rest(4.0, preset.rest_depth) == pytest.approx(preset.rest_depth, rel=1e-2)


def test_the_drop_that_proves_one_is_under_its_own_weight():
    preset, row = PRESETS["rubber"], replace(drop("box").row, a0=-30.0, hold=4.0)       # pressed on by something else
    proof = prove_preset(row, solve(preset, row).parameters)
    assert proof.mean == pytest.approx(preset.restitution, abs=2e-3) and proof.rest_depth == pytest.approx(preset.rest_depth, rel=1e-3) and proof.restitution.size == PHASES
    assert prove_preset(row, solve(preset, row).parameters, lambda: False) is None


def test_numbers_of_known_presets():
    """At 2 ms and s = 1: stiffness as far as w h = 0.2 or d = 1/2 allows, damping near that of the closed form."""
    row = drop("ball").row
    for name, stiffness, d in (("steel", 10000, 0.98981), ("wood", 10000, 0.89806), ("rubber", 9810, 0.5), ("pad", 9810, 0.5), ("foam", 981, 0.5)):
        found = solve(PRESETS[name], row).parameters
        assert -found.solref[0] == pytest.approx(stiffness, rel=1e-6) and found.solimp[0] == found.solimp[1] == pytest.approx(d, abs=1e-5)
    assert -solve(PRESETS["steel"], row).parameters.solref[1] == pytest.approx(2 * 100 * damping_ratio_of(0.9), rel=0.04)


def test_hard_materials_ask_for_a_smaller_step():
    deep = [solve(PRESETS["steel"], drop("ball", timestep=h).row) for h in (0.002, 0.0005)]
    assert "smaller timestep" in deep[0].warning and deep[0].response.impacts.depth == pytest.approx(0.02, rel=0.1)
    assert deep[1].response.impacts.depth == pytest.approx(0.005, rel=0.1)
    assert not solve(PRESETS["foam"], drop("ball").row).warning
