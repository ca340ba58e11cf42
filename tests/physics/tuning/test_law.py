"""The law of a row: formats, physical units, the impedance curve and its slope, factors, clamps, against the engine's own functions."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.engine.constraint import impedance as engine
from physics.enums import CONE_ELLIPTIC, CONE_PYRAMIDAL, INT_DISCRETE, INT_EULER
from physics.model.elements import Element, element
from physics.tuning.law import (
    Friction,
    Parameters,
    Row,
    contact_factor,
    effective_impedance,
    from_physical,
    impedance,
    law_of,
    raw_impedance,
    to_direct,
    to_physical,
    to_standard,
    used_solref,
)
from physics.tuning.target import Form, Target, contact_friction, read
from tests.physics.tuning.drops import CONSTANT, CURVED, DEFAULT, Engine, drop, limited

ROW = Row(2.0, 1.0, -9.81, 0.002, INT_EULER, True, 0.0)
JOINT = Element("joint", 0)


@pytest.fixture(scope="module", autouse=True)
def _kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("solimp", [DEFAULT, CURVED, CONSTANT, (0.9, 0.5, 0.01, 0.5, 1.0), (0.0, 1.0, 0.01, 0.2, 2.0), (0.1, 0.8, 0.0, 0.5, 2.0), (0.1, 0.8, 0.01, 0.9, 0.5)])
def test_the_impedance_curve_is_the_engines(solimp):
    r = np.array([-0.03, -0.02, -0.0151, -0.004, -0.0009, -0.0003, 0.0, 0.004])
    d, slope = impedance(solimp, r)
    expected = np.array([engine.impedance(solimp, x) for x in r.tolist()])
    np.testing.assert_allclose(d, expected[:, 0], rtol=1e-14)
    np.testing.assert_allclose(slope, expected[:, 1], rtol=1e-12, atol=1e-300)
    assert impedance(solimp, -0.004)[0].shape == ()


def test_formats_convert_both_ways():
    for solref in ((0.02, 1.0), (0.1, 0.05), (0.005, 3.0)):
        direct = to_direct(solref)
        np.testing.assert_allclose(to_standard(direct), solref, rtol=1e-14)
        one, other = (law_of(ROW, Parameters(s, DEFAULT)) for s in (solref, direct))
        assert (one.k, one.b) == pytest.approx((other.k, other.b), rel=1e-13)
    for wrong in ((0.0, 1.0), (-1.0, -1.0)):
        with pytest.raises(ValueError):
            to_direct(wrong)
    for wrong in ((-1.0, 0.0), (0.02, 1.0)):
        with pytest.raises(ValueError):
            to_standard(wrong)


@pytest.mark.parametrize("factor", [1.0, 4.0, 0.3])
def test_physical_units_are_what_force_does_over_depth_and_speed(factor):
    row, depth = replace(ROW, factor=factor), 0.01
    solref = from_physical(row, CONSTANT, 5000.0, 20.0, depth)
    parameters = Parameters(solref, CONSTANT)
    assert to_physical(row, parameters, depth) == pytest.approx((5000.0, 20.0), rel=1e-12)
    law = law_of(row, parameters)

    def force(r, v):
        return float(law.acceleration(r, v) - row.a0) / row.inverse_mass

    assert (force(-depth - 1e-4, 0.0) - force(-depth, 0.0)) / 1e-4 == pytest.approx(5000.0, rel=1e-6)
    assert (force(-depth, -0.1) - force(-depth, 0.0)) / 0.1 == pytest.approx(20.0, rel=1e-6)
    with pytest.raises(ValueError):
        from_physical(row, CONSTANT, -1.0, 0.0, depth)


def test_effective_impedance_and_back():
    for s in (0.1, 1.0, 8.0):
        for d in (0.001, 0.5, 0.99):
            assert raw_impedance(effective_impedance(d, s), s) == pytest.approx(d, rel=1e-12)
    assert effective_impedance(0.7, 1.0) == pytest.approx(0.7)


@pytest.mark.parametrize("shape, count", [("ball", 1), ("capsule", 2), ("box", 4)])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("cone, mu, impratio", [("pyramidal", 0.2, 1.0), ("pyramidal", 2.0, 10.0), ("elliptic", 0.5, 10.0)])
@pytest.mark.parametrize("integrator", ["Euler", "discrete"])
def test_the_factor_is_that_of_the_engines_rows(shape, count, condim, cone, mu, impratio, integrator):
    falling = drop(shape, condim=condim, cone=cone, mu=mu, impratio=impratio, integrator=integrator)
    side = Engine(falling)
    side.put(-0.0005, 0.0)
    physics.forward(side.m, side.d)
    row, friction = read(side.m, side.d, Target(Form.CONTACT, element(side.m, "geom", 1))).row, contact_friction(side.m, side.d, 0)
    assert side.d.ncon == count and row.factor == pytest.approx(contact_factor(count, friction), rel=1e-9) == pytest.approx(falling.row.factor, rel=1e-9)
    assert (row.inverse_mass, row.a0) == pytest.approx((falling.row.inverse_mass, falling.row.a0), rel=1e-9)
    assert (row.timestep, row.integrator, row.refsafe, row.margin) == (0.002, falling.row.integrator, True, 0.0)
    assert friction == Friction(condim, mu, impratio, CONE_PYRAMIDAL if cone == "pyramidal" else CONE_ELLIPTIC)


def test_the_row_of_a_limit():
    falling = limited()
    side = Engine(falling)
    side.put(-0.001, 0.0)
    physics.forward(side.m, side.d)
    row = read(side.m, side.d, Target(Form.LIMIT, JOINT)).row
    for name in ("inverse_mass", "factor", "a0", "margin", "timestep"):
        assert getattr(row, name) == pytest.approx(getattr(falling.row, name), rel=1e-9)
    side.put(0.2, 0.0)
    physics.forward(side.m, side.d)
    assert read(side.m, side.d, Target(Form.LIMIT, JOINT)) is None


def test_a_contact_that_is_not_there():
    side = Engine(drop("ball"))
    side.put(0.5, 0.0)
    physics.forward(side.m, side.d)
    assert read(side.m, side.d, Target(Form.CONTACT, element(side.m, "geom", 1))) is None
    with pytest.raises(IndexError):
        contact_friction(side.m, side.d, 0)


def test_solref_is_used_as_the_engine_uses_it():
    assert used_solref(ROW, (0.001, 1.0)) == (0.004, 1.0) and used_solref(replace(ROW, refsafe=False), (0.001, 1.0)) == (0.001, 1.0)
    assert used_solref(replace(ROW, integrator=INT_DISCRETE), (0.001, 1.0)) == (0.001, 1.0)
    assert used_solref(ROW, (0.02, -1.0)) == (0.02, 1.0) and used_solref(ROW, (-5.0, -1.0)) == (-5.0, -1.0)


def test_discrete_bounds_the_stiffness_by_the_step():
    """timeconst 1 ms at steps of 2 ms: k is 277,777 there, where the others take 69,252 (refsafe)."""
    parameters = Parameters((0.001, 1.0), (0.9, 0.95, 0.001, 0.5, 2.0))
    assert law_of(ROW, parameters).k == pytest.approx(69252, abs=1)
    law = law_of(replace(ROW, integrator=INT_DISCRETE), parameters)
    assert law.bounded and float(law.spring(0.9)[0]) == pytest.approx(277777, abs=1)


@pytest.mark.parametrize("name", ["inverse_mass", "factor", "timestep"])
def test_rows_that_cannot_be(name):
    with pytest.raises(ValueError):
        law_of(replace(ROW, **{name: 0.0}), Parameters((0.02, 1.0), DEFAULT))


@pytest.mark.parametrize("integrator", [INT_EULER, INT_DISCRETE])
@pytest.mark.parametrize("solref", [(0.02, 1.0), (0.001, 0.4), (-9000.0, -20.0)])
@pytest.mark.parametrize("solimp", [DEFAULT, CURVED, CONSTANT, (0.1, 0.8, 0.0, 0.5, 2.0)])
def test_terms_in_plain_numbers_are_those_of_arrays(integrator, solref, solimp):
    law = law_of(replace(ROW, integrator=integrator, factor=3.0), Parameters(solref, solimp))
    for r in (-0.05, -0.02, -0.013, -0.004, -0.0007, -0.0002, 0.0):
        assert law.terms_at(r) == pytest.approx([float(x) for x in law.terms(r)], rel=1e-14)
