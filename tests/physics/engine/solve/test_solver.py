"""The Newton solver against the official engine, both at tolerance 0, and against the conditions of optimality."""

import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.kernels import load
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel

XML = [("loose", o.limits_and_friction()), ("loose elliptic", o.limits_and_friction("elliptic", 'impratio="7"'))]
XML += [("odd", o.odd_parameters()), ("odd pyramidal", o.odd_parameters("pyramidal")), ("coupled", o.coupled()), ("coupled elliptic", o.coupled("elliptic"))]
XML += [(f"pile {dim} {cone} {ratio}", o.pile(dim, cone, ratio)) for dim in (1, 3, 4, 6) for cone, ratio in (("pyramidal", 1), ("elliptic", 5))]
FILES = ("mj_humanoid/humanoid.xml", "gymnasium/ant.xml", "gymnasium/walker2d_v5.xml", "dm_control_suite/cheetah.xml", "dm_control_suite/hopper.xml")
STATES = 4


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.solve.constraint_solve"])


def solve(m, d, tolerance=0.0):
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)
    keep = m.opt_tolerance
    m.opt_tolerance = tolerance
    o.with_room(fwd_constraint, m, d)
    m.opt_tolerance = keep


def compare(mj, m, seeds):
    rows = 0
    for seed in range(seeds):
        mjd = o.settled(mj, 60 * seed, seed, exact=True)
        d = o.ours_at(m, mjd)
        solve(m, d)
        assert d.nefc == mjd.nefc
        assert rel(d.qacc, mjd.qacc) < 1e-8
        assert rel(d.efc_force[:d.nefc], mjd.efc_force) < 1e-8
        assert rel(d.qfrc_constraint, mjd.qfrc_constraint) < 1e-8
        assert rel(d.efc_b[:d.nefc], mjd.efc_b) < 1e-9
        rows += d.nefc
    assert rows > 5


@pytest.mark.parametrize("name,xml", XML, ids=[c[0] for c in XML])
def test_solution_is_the_official_one(name, xml):
    compare(*o.official(xml), STATES)


@pytest.mark.parametrize("path", FILES)
def test_solution_of_files(path):
    compare(*o.official(o.corpus_path(path)), STATES)
