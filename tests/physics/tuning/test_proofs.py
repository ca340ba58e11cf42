"""Parameters proven by the engine: the standard drop is the scalar simulation's motion, a copy of the scene that of the scene itself."""
import numpy as np
import pytest

import physics
from physics.model.elements import CONTACT, Element, element
from physics.model.state_fields import State
from physics.tuning.closed_forms import rest_depth
from physics.tuning.fit import Goal, fit
from physics.tuning.law import Parameters, Row
from physics.tuning.scalar import impacts, load_step
from physics.tuning.scene_proof import prove_in_scene
from physics.tuning.standard_drop import prove
from physics.tuning.target import Form, Target, read
from physics.tuning.target_values import PARAMETERS, changes_for, number_of, values_of, with_number
from tests.physics.tuning.drops import CONSTANT, CURVED, INTEGRATORS, drop

LIVELY = Parameters((-9000.0, -20.0), CURVED)


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_the_standard_drop_has_the_row_s_factor_load_and_step_rule(integrator):
    number = INTEGRATORS.index(integrator)
    row = Row(1.0 / 0.3, 4.5, -6.0, 0.001, int(physics.Integrator[integrator.upper()]), True, 0.01, 0.7)
    proof = prove(row, LIVELY, 1.5, 6)
    expected = impacts(row, LIVELY, (1.5,), 6)[0]
    assert proof.restitution == pytest.approx(expected.restitution, abs=1e-6), number
    assert proof.rest_depth == pytest.approx(rest_depth(row, LIVELY), rel=1e-4)
    assert proof.settling == pytest.approx(load_step(row, LIVELY).settling, rel=0.01)


def test_without_refsafe_and_without_stiffness():
    row = drop("ball").row
    assert np.isnan(prove(row, Parameters((0.0, -10.0), CONSTANT), 1.0, 2).rest_depth)
    assert prove(row, LIVELY, 1.0, 4, lambda: False) is None


SCENE = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="0 0 1"/>
  <body name="ball" pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="0.7"/></body>
  <body name="arm" pos="2 0 .05"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" fromto="0 0 0 .4 0 0" size=".05" mass="1"/></body></worldbody>{more}</mujoco>"""


def settled(more=""):
    m = physics.load_string(SCENE.format(more=more))
    d = physics.Data(m)
    physics.step(m, d, 1000)
    return m, d


def contact(m, one, two):
    return Target(Form.CONTACT, Element(CONTACT, -1, "", tuple(element(m, "geom", m.id("geom", name)) for name in (one, two))))


@pytest.mark.parametrize("more", ["", '<contact><pair geom1="floor" geom2="ball"/></contact>'])
def test_a_copy_of_the_scene_rests_and_bounces_as_was_fitted_and_the_scene_stays(more):
    m, d = settled(more)
    target = contact(m, "floor", "ball")
    row = read(m, d, target, held=True).row
    found = fit(row, Goal(0.7, 3e-4, 0.3))
    before = m.geom_solref.copy(), d.qpos.copy()
    proof = prove_in_scene(m, State.of(d), target, row, found.parameters, 1.0, 0.3)
    assert proof.restitution.size == 16 and proof.restitution.mean() == pytest.approx(0.7, abs=2e-3)
    assert proof.rest_depth == pytest.approx(3e-4, rel=0.01)
    assert (m.geom_solref == before[0]).all() and (d.qpos == before[1]).all()


def test_what_hangs_on_a_joint_rests_in_the_scene_but_does_not_bounce_there():
    m, d = settled()
    target = contact(m, "floor", "rod")
    row = read(m, d, target, held=True).row
    found = fit(row, Goal(0.5, 2e-4, 0.3))
    proof = prove_in_scene(m, State.of(d), target, row, found.parameters, 1.0, 0.3)
    assert proof.restitution.size == 0 and proof.rest_depth == pytest.approx(2e-4, rel=0.05)


@pytest.mark.parametrize("more, fields", [("", {"geom_solref", "geom_solimp"}), ('<contact><pair geom1="floor" geom2="ball"/></contact>', {"pair_solref", "pair_solimp"})])
def test_numbers_of_a_contact_are_set_where_they_count(more, fields):
    m, _d = settled(more)
    changes = changes_for(m, contact(m, "ball", "floor"), LIVELY)
    assert {change.name for change in changes} == fields
    for name, rows, values in changes:
        assert len(rows) == (2 if name.startswith("geom") else 1) and (values == getattr(LIVELY, name.partition("_")[2])).all()


def test_the_override_counts_where_it_is_on_and_joints_have_their_own():
    m = physics.load_string(SCENE.format(more="").replace("<option ", '<option><flag override="enable"/></option><option '))
    assert {change.name for change in changes_for(m, contact(m, "ball", "floor"), LIVELY)} == {"opt_o_solref", "opt_o_solimp"}
    hinge = Target(Form.LIMIT, element(m, "joint", m.id("joint", "hinge")))
    assert {change.name for change in changes_for(m, hinge, LIVELY)} == {"jnt_solref", "jnt_solimp"}
    assert set(values_of(m, hinge)) == set(PARAMETERS) and number_of(with_number(LIVELY, "solimp[1]", 0.7), "solimp[1]") == 0.7
