"""Parameters given to one target in a Model beside: the target has them, and nothing else of it is another."""
import numpy as np
import pytest

import physics
from physics.enums import ENBL_OVERRIDE
from physics.model.elements import CONTACT, Element, element
from physics.runtime.commands import SetFields
from physics.tuning.law import Parameters
from physics.tuning.mixing import COLUMNS, affected_pairs, contact_table, explicit_pairs
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.target import Form, Target
from physics.tuning.target_changes import given_geom, target_changes

TEXT = """<mujoco><worldbody>
  <geom name="floor" type="plane" size="5 5 .1" friction=".4" solimp=".8 .9 .01"/>
  <body name="a" pos="0 0 .1"><freejoint/><geom name="a" size=".1" condim="4" friction=".7 .01 .002"/></body>
  <body name="b" pos="1 0 .1"><joint name="slide" type="ball" frictionloss=".1"/><geom name="b" size=".1" priority="2"/></body>
  <body name="c" pos="2 0 .1"><freejoint/><geom name="c" size=".1"/></body>
</worldbody><contact><pair geom1="floor" geom2="c"/></contact><equality><weld name="w" body1="a" body2="b"/></equality></mujoco>"""
WANTED = Parameters((-4000.0, -30.0), (0.7, 0.8, 0.002, 0.4, 3.0))


@pytest.fixture
def m():
    return physics.load_string(TEXT)


def contact(m, one, two):
    return Target(Form.CONTACT, Element(CONTACT, -1, "", tuple(element(m, "geom", m.id("geom", name)) for name in (one, two))))


def row(m, one, two):
    geoms = m.id("geom", one), m.id("geom", two)
    pairs = explicit_pairs(m, *geoms)
    return contact_table(m, np.array([geoms]), np.array([pairs[0] if pairs else -1]))[0]


@pytest.mark.parametrize("other, pair", [("a", False), ("b", False), ("c", True)])
def test_a_contact_has_them_and_keeps_all_else(m, other, pair):
    before, made = row(m, "floor", other), ParameterSet("s", 0, target_changes(m, contact(m, "floor", other), WANTED)).beside(m)
    after = row(made, "floor", other)
    assert after[COLUMNS["solref"]] == pytest.approx(WANTED.solref) and after[COLUMNS["solimp"]] == pytest.approx(WANTED.solimp)
    for name in ("condim", "friction", "adhesion", "margin", "gap"):
        assert after[COLUMNS[name]] == pytest.approx(before[COLUMNS[name]]), name
    for third in {"a", "b", "c"} - {other}:
        assert np.array_equal(row(made, "floor", third), row(m, "floor", third))
    changes = [(change.name, int(k), value) for change in target_changes(m, contact(m, "floor", other), WANTED) for k, value in zip(change.rows, change.values, strict=True)]
    assert len(affected_pairs(m, changes)) >= 1 and (("pair_solref" in {name for name, *_ in changes}) is pair)


def test_the_geom_that_moves_is_raised(m):
    assert given_geom(m, (m.id("geom", "a"), m.id("geom", "floor"))) == m.id("geom", "a") == given_geom(m, (m.id("geom", "floor"), m.id("geom", "a")))
    assert given_geom(m, (m.id("geom", "a"), m.id("geom", "b"))) == m.id("geom", "b")


def test_joints_equalities_and_the_override(m):
    loss = target_changes(m, Target(Form.FRICTION_LOSS, element(m, "joint", m.id("joint", "slide"))), WANTED)
    assert [change.name for change in loss] == ["dof_solref", "dof_solimp"] and len(loss[0].rows) == 3
    made = ParameterSet("s", 0, target_changes(m, Target(Form.EQUALITY, element(m, "equality", 0)), WANTED)).beside(m)
    assert tuple(made.eq_solimp[0]) == WANTED.solimp
    m.opt_enableflags = int(m.opt_enableflags) | int(ENBL_OVERRIDE)
    changes = target_changes(m, contact(m, "floor", "a"), WANTED)
    assert [change.name for change in changes] == ["opt_o_solref", "opt_o_solimp"] and isinstance(ParameterSet("s", 0, changes).commands()[0], SetFields)
    with pytest.raises(ValueError, match="two geoms"):
        target_changes(physics.load_string(TEXT), Target(Form.CONTACT, Element(CONTACT, -1, "", ())), WANTED)
