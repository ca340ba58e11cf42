"""What the tuner warns of, each badge where it holds and not where it nearly does."""
from dataclasses import replace

import pytest

from physics.enums import CONE_ELLIPTIC, CONE_PYRAMIDAL, INT_DISCRETE
from physics.tuning import badges as b
from physics.tuning.law import Friction, Parameters
from physics.tuning.scalar import simulate
from tests.physics.tuning.drops import CONSTANT, DEFAULT, drop

ROW = replace(drop("ball", condim=1).row)
CALM = Parameters((-2500.0, -30.0), CONSTANT)       # w h = 0.1


def kinds(row, parameters, friction=None):
    found = b.badges(row, parameters, simulate(row, parameters, 1.0), friction)
    assert all(badge.words for badge in found)
    return {badge.kind for badge in found}


def test_a_calm_contact_has_none():
    assert kinds(ROW, CALM) == set()


def test_refsafe():
    assert b.REFSAFE in kinds(ROW, Parameters((0.0039, 1.0), DEFAULT))
    assert b.REFSAFE not in kinds(ROW, Parameters((0.0041, 1.0), DEFAULT)) | kinds(replace(ROW, refsafe=False), Parameters((0.0039, 1.0), DEFAULT))
    assert b.REFSAFE not in kinds(replace(ROW, integrator=INT_DISCRETE), Parameters((0.001, 1.0), DEFAULT))


def test_the_bound_of_discrete():
    discrete = replace(ROW, integrator=INT_DISCRETE)
    assert b.DISCRETE in kinds(discrete, Parameters((0.001, 1.0), DEFAULT))
    assert b.DISCRETE not in kinds(discrete, Parameters((0.02, 1.0), DEFAULT)) | kinds(discrete, Parameters((-1e6, -1000.0), DEFAULT)) | kinds(ROW, Parameters((0.001, 1.0), DEFAULT))


def test_contradicting_signs():
    assert b.SIGNS in kinds(ROW, Parameters((0.02, -1.0), DEFAULT)) and b.SIGNS not in kinds(ROW, Parameters((0.02, 1.0), DEFAULT))


@pytest.mark.parametrize("zeta, gains", [(0.5, False), (1.0, True)])
def test_gain_of_energy(zeta, gains):
    w = 1.0 / ROW.timestep
    found = b.badges(ROW, Parameters((-w * w, -2 * zeta * w), (0.999, 0.999, 0.001, 0.5, 2.0)), simulate(ROW, Parameters((-w * w, -2 * zeta * w), (0.999, 0.999, 0.001, 0.5, 2.0)), 1.0))
    assert any(badge.kind == b.ENERGY for badge in found) is gains and found[0].severe


def test_the_rule_of_the_step_and_scatter():
    w = 0.6 / ROW.timestep
    coarse, rough = Parameters((-w * w, -2 * 0.8 * w), CONSTANT), Parameters((-w * w, -2 * 0.1 * w), CONSTANT)
    assert b.STEP in kinds(ROW, coarse) and b.SCATTER in kinds(ROW, rough) and b.STEP not in kinds(ROW, rough)
    assert not {b.STEP, b.SCATTER} & kinds(replace(ROW, integrator=INT_DISCRETE), coarse)


def test_friction_as_stiffness():
    assert b.FRICTION in kinds(ROW, CALM, Friction(3, 0.2, 1.0, CONE_PYRAMIDAL))
    assert b.FRICTION not in kinds(ROW, CALM, Friction(3, 0.2, 1.0, CONE_ELLIPTIC)) | kinds(ROW, CALM, Friction(1, 0.2, 1.0, CONE_PYRAMIDAL))
    assert b.FRICTION not in kinds(ROW, CALM, Friction(3, 1.0, 1.0, CONE_PYRAMIDAL)), "the usual friction makes a contact as hard as one without"


def test_overdamped_and_sinking():
    assert b.OVERDAMPED in kinds(ROW, Parameters((0.02, 1.2), CONSTANT)) and b.OVERDAMPED not in kinds(ROW, Parameters((0.02, 0.95), CONSTANT))
    assert b.SINKS in kinds(ROW, Parameters((0.0, -5.0), CONSTANT)) and b.SINKS not in kinds(ROW, CALM)
