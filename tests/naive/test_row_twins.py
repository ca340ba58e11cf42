"""Rows of friction, limits and contacts are what their plain twins say, in their order."""
import numpy as np
import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.kernels import load
from tests.naive import constraint, rows
from tests.physics.engine.constraint import official as o

CASES = {"limits, pyramids": o.limits_and_friction(), "limits, cones": o.limits_and_friction("elliptic", 'impratio="3"'), "odd": o.odd_parameters(),
         "odd, pyramids": o.odd_parameters("pyramidal"), "coupled": o.coupled(), "pile 6": o.pile(6, "elliptic", 5.0, 4),
         "pile 4": o.pile(4, "pyramidal", 2.0, 4), "pile 1": o.pile(1, "elliptic")}


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference"])


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.nojit if n.startswith("limits") else ()) for n in CASES])
def test_rows(name):
    mj, m = o.official(CASES[name])
    mjd = o.settled(mj, 30, 3)
    d = o.ours_at(m, mjd)
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    expected = [*rows.friction(m, d), *rows.limits(m, d), *rows.contacts(m, d)]
    assert d.nefc == len(expected) >= 3 and d.ne == 0
    jac = constraint.dense_j(m, d)
    for k, row in enumerate(expected):
        assert (d.efc_type[k], d.efc_id[k]) == (row.kind, row.element)
        assert (d.efc_pos[k], d.efc_margin[k], d.efc_frictionloss[k]) == pytest.approx((row.pos, row.margin, row.loss), abs=1e-13)
        assert np.allclose(jac[k], row.jac, atol=1e-12)
        assert d.efc_KBIP[k, 2] == pytest.approx(row.kbi[2], rel=1e-12) and d.efc_KBIP[k, :2] == pytest.approx(row.kbi[:2], rel=1e-12)
        assert d.efc_R[k] == pytest.approx(row.reg, rel=1e-12) and d.efc_D[k] == pytest.approx(1 / row.reg, rel=1e-12)
        speed = row.jac @ d.qvel
        assert d.efc_vel[k] == pytest.approx(speed, abs=1e-11)
        push = row.kbi[0] * row.kbi[2] * (row.pos - row.margin)
        assert d.efc_aref[k] == pytest.approx(-row.kbi[1] * speed - push, rel=1e-9, abs=1e-8)


def test_all_kinds_are_here():
    seen = set()
    for text in CASES.values():
        mj, m = o.official(text)
        d = o.ours_at(m, o.settled(mj, 30, 3))
        o.with_room(make_constraint, m, d)
        seen |= set(d.efc_type[:d.nefc].tolist())
    assert seen == {1, 2, 3, 4, 5, 6, 7}
