"""Constraint rows against the official engine, on the same poses and contacts."""

import pytest

from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.kernels import load
from tests.physics.engine.constraint import official as o
from tests.physics.engine.oracle_model import rel

CASES = [("loose", o.limits_and_friction()), ("elliptic", o.limits_and_friction("elliptic", 'impratio="7"')),
         ("mixed ratio", o.limits_and_friction("pyramidal", 'impratio="3" timestep=".01"'))]
CASES += [("odd", o.odd_parameters()), ("odd pyramidal", o.odd_parameters("pyramidal")), ("coupled", o.coupled()), ("coupled elliptic", o.coupled("elliptic"))]
CASES += [("tied", o.tied()), ("tied sparse", o.tied('jacobian="sparse"')), ("tied elliptic", o.tied('cone="elliptic" timestep=".02"'))]
CASES += [(f"pile {dim} {cone} {ratio}", o.pile(dim, cone, ratio)) for dim in (1, 3, 4, 6) for cone, ratio in (("pyramidal", 1), ("elliptic", 5))]
FILES = ("mj_humanoid/humanoid.xml", "gymnasium/ant.xml", "gymnasium/walker2d_v5.xml", "dm_control_suite/cheetah.xml", "dm_control_suite/hopper.xml")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    load.ensure(["physics.engine.constraint.rows", "physics.engine.constraint.reference", "physics.engine.constraint.contact_force"])


def make(m, d):
    o.with_room(make_constraint, m, d)
    reference_constraint(m, d)


def compare(mj, mjd, m, d):
    assert (d.ne, d.nf, d.nl, d.nefc) == (mjd.ne, mjd.nf, mjd.nl, mjd.nefc)
    n = d.nefc
    assert rel(o.our_j(m, d), o.official_j(mj, mjd)) < 1e-9 if n else True
    for name in ("type", "id"):
        assert (getattr(d, "efc_" + name)[:n] == getattr(mjd, "efc_" + name)).all(), name
    for name in ("pos", "margin", "frictionloss", "diagA", "KBIP", "R", "D", "vel", "aref"):
        assert rel(getattr(d, "efc_" + name)[:n], getattr(mjd, "efc_" + name).reshape(getattr(d, "efc_" + name)[:n].shape)) < 1e-9, name
    assert (d.contact_efc_address[:d.ncon] == mjd.contact.efc_address).all()
    assert (d.contact_exclude[:d.ncon] == mjd.contact.exclude).all()


@pytest.mark.parametrize("name,xml", CASES, ids=[c[0] for c in CASES])
def test_rows_are_the_official_ones(name, xml):
    mj, m = o.official(xml)
    rows = 0
    for seed in range(4):
        mjd = o.settled(mj, 40 * seed, seed)
        d = o.ours_at(m, mjd)
        make(m, d)
        compare(mj, mjd, m, d)
        rows += d.nefc
    assert rows > 10


@pytest.mark.parametrize("path", FILES)
def test_rows_of_files(path):
    mj, m = o.official(o.corpus_path(path))
    rows = 0
    for seed in range(4):
        mjd = o.settled(mj, 100 * seed, seed)
        d = o.ours_at(m, mjd)
        make(m, d)
        compare(mj, mjd, m, d)
        rows += d.nefc
    assert rows > 5


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("equality", ['<connect body1="a" body2="b" anchor="0 0 0"/>', '<weld body1="a" body2="b"/>', '<connect body1="a" body2="world" anchor="0 .3 0"/>',
                                      '<connect body1="a" body2="world" anchor="0 .3 .1"/>'])
def test_rows_that_move_nothing_are_left_out_of_dense_jacobians(jacobian, equality):
    """Two points of one rigid body, or a point on the hinge's axis."""
    mj, m = o.official(f"""<mujoco><option jacobian="{jacobian}"/><worldbody><body name="a" pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".1 0 0"/>
        <body name="b" pos=".2 0 0"><geom size=".1"/></body></body></worldbody><equality>{equality}</equality></mujoco>""")
    mjd = o.settled(mj, 3, 0)
    d = o.ours_at(m, mjd)
    make(m, d)
    compare(mj, mjd, m, d)
