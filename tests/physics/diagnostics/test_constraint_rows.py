"""Constraint rows in words: against the official engine's efc_ fields, products with its Jacobian, and the mass that it feels."""
import tracemalloc

import mujoco
import numpy as np
import pytest

import physics
from physics.diagnostics.constraint_rows import KINDS, constraint_rows, dense_jacobian, effective_mass, force_unit, position_unit, row_element, row_island, rows_of
from physics.model.elements import contact_element, element
from physics.model.islands import islands_of

RIG = """<mujoco><compiler angle="radian"/><option timestep=".004" cone="{cone}" integrator="{integrator}" jacobian="{jacobian}"/>
<worldbody><geom name="floor" type="plane" size="2 2 .1" condim="1"/><site name="s0" pos="0 0 1.5"/>
<body name="a" pos="0 0 1"><joint name="ball" type="ball" limited="true" range="0 .2" frictionloss=".03"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<body name="b" pos=".3 0 0"><joint name="hinge" axis="0 1 0" limited="true" range="-.1 .1" frictionloss=".05"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/>
<site name="s1" pos=".3 0 0"/></body></body>
<body name="c" pos="1 0 1"><joint name="slide" type="slide" limited="true" range="-.1 .1"/><geom size=".1"/>
<body name="e" pos="0 0 .3"><joint name="other" axis="1 0 0"/><geom size=".05" pos="0 .1 0"/></body></body>
<body name="box" pos="0 1 .095"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
<body name="roller" pos="1 1 .09"><freejoint/><geom name="roller" size=".1" condim="6"/></body>
<body name="ice" pos="2 1 .09"><freejoint/><geom name="ice" size=".1" condim="1"/></body></worldbody>
<tendon><spatial name="rope" limited="true" range="0 .5" frictionloss=".2"><site site="s0"/><site site="s1"/></spatial>
<fixed name="sum" limited="true" range="-.01 .01"><joint joint="slide" coef="1"/><joint joint="other" coef="-.5"/></fixed></tendon>
<equality><connect name="pin" body1="b" anchor=".1 0 0"/><weld name="glue" body1="c" body2="box" relpose="0 .02 0 1 .1 0 0" torquescale=".7"/>
<joint name="gear" joint1="slide" joint2="other" polycoef="0 .3 .2 0 0"/><tendon name="pair" tendon1="sum"/></equality></mujoco>"""
FORMS = (("elliptic", "Euler", "sparse"), ("pyramidal", "implicitfast", "dense"), ("elliptic", "RK4", "auto"))


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def both(form):
    """Official and our model and data at the same state, with rows of all kinds."""
    xml = RIG.format(cone=form[0], integrator=form[1], jacobian=form[2])
    mj = mujoco.MjModel.from_xml_string(xml)
    mjd = mujoco.MjData(mj)
    m = physics.load_string(xml)
    d = physics.Data(m)
    rng = np.random.default_rng(3)
    d.qpos[m.jnt_qposadr[1]] = mjd.qpos[m.jnt_qposadr[1]] = 0.15
    slide = m.jnt_qposadr[m.id("joint", "slide")]
    d.qpos[slide] = mjd.qpos[slide] = -0.12
    d.qpos[:4] = mjd.qpos[:4] = np.array([0.95, 0.2, -0.1, 0.15]) / np.linalg.norm([0.95, 0.2, -0.1, 0.15])
    d.qvel[:] = mjd.qvel[:] = 0.2 * rng.normal(size=m.nv)
    physics.forward(m, d)
    mujoco.mj_forward(mj, mjd)
    return mj, mjd, m, d


@pytest.mark.parametrize("form", FORMS)
def test_rows_are_those_of_the_official_engine(form):
    """Each number of each row, with acc and vel by the official engine's own products."""
    mj, mjd, m, d = both(form)
    assert d.nefc == mjd.nefc > 25
    rows = constraint_rows(m, d, range(d.nefc))
    kinds = {row.kind for row in rows}
    assert {"equality", "friction dof", "friction tendon", "limit joint", "limit tendon", "contact frictionless"} <= kinds
    acc = np.zeros(mjd.nefc)
    mujoco.mj_mulJacVec(mj, mjd, acc, mjd.qacc)
    for name, official in (("pos", mjd.efc_pos), ("margin", mjd.efc_margin), ("vel", mjd.efc_vel), ("aref", mjd.efc_aref), ("R", mjd.efc_R), ("D", mjd.efc_D),
                           ("diagA", mjd.efc_diagA), ("force", mjd.efc_force), ("acc", acc), ("b", mjd.efc_b), ("K", mjd.efc_KBIP[:, 0]), ("B", mjd.efc_KBIP[:, 1]),
                           ("impedance", mjd.efc_KBIP[:, 2]), ("frictionloss", mjd.efc_frictionloss)):
        mine = np.array([getattr(row, name) for row in rows])
        assert np.allclose(mine, official, rtol=1e-6, atol=1e-6 * max(1.0, np.abs(official).max())), name
    assert [row.id for row in rows] == mjd.efc_id.tolist()
    assert [KINDS[int(kind)][0] for kind in mjd.efc_type] == [row.kind for row in rows]
    assert np.array_equal([row.island for row in rows], mjd.efc_island)


@pytest.mark.parametrize("form", FORMS)
def test_jacobian_and_effective_mass(form):
    """J by columns of the official products; the effective mass of any rows is the inverse of J inv(M) J' of dense matrices."""
    mj, mjd, m, d = both(form)
    official = np.zeros((mjd.nefc, m.nv))
    column = np.zeros(mjd.nefc)
    for k in range(m.nv):
        mujoco.mj_mulJacVec(mj, mjd, column, np.eye(m.nv)[k])
        official[:, k] = column
    mine = dense_jacobian(m, d, range(d.nefc))
    assert np.allclose(mine, official, atol=1e-9)
    for row in constraint_rows(m, d, range(d.nefc)):
        assert {dof for dof, _ in row.jacobian} == set(np.flatnonzero(mine[row.row]))
        assert all(value == mine[row.row, dof] for dof, value in row.jacobian)
    full = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(mj, full, mjd.qM) if hasattr(mjd, "qM") else mujoco.mj_fullM(mj, mjd, full)
    for chosen in ([0], [0, 1, 2], list(range(d.ne)), [d.ne + d.nf]):
        inverse = official[chosen] @ np.linalg.solve(full, official[chosen].T)
        assert np.allclose(effective_mass(m, d, chosen), np.linalg.pinv(inverse, rcond=1e-12, hermitian=True), rtol=1e-6, atol=1e-8)
    assert effective_mass(m, d, []).shape == (0, 0)


def test_the_mass_that_a_row_of_a_large_tree_feels_takes_no_dense_matrix():
    """A tree of 1,201 dofs, whose matrix would take 11 MB."""
    link = '<body pos=".1 0 0"><joint axis="0 1 0" frictionloss=".1"/><geom size=".02"/>'
    arm = link * 3 + "</body>" * 3
    m = physics.load_string(f"<mujoco><worldbody><body><joint/><geom size='.5'/>{arm * 400}</body></worldbody></mujoco>")
    d = physics.Data(m)
    physics.forward(m, d)
    rows = [5, 6, 700]
    inverse = np.linalg.inv(physics.full_m(m, d))[np.ix_(d.efc_id[rows], d.efc_id[rows])]
    tracemalloc.start()
    found = effective_mass(m, d, rows)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert np.allclose(found, np.linalg.inv(inverse), rtol=1e-6) and most < 1e6


@pytest.mark.parametrize("flag", ("enable", "disable"))
def test_islands_of_rows_are_those_of_all_rows_together(flag):
    """Each row's by itself, in a scene of several islands."""
    boxes = "".join(f'<body name="b{k}" pos="{0.5 * k} 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for k in range(5))
    m = physics.load_string(f"""<mujoco><option><flag island="{flag}"/></option><worldbody><geom type="plane" size="9 9 1"/>{boxes}</worldbody>
        <equality><connect body1="b1" body2="b3" anchor="0 0 0"/></equality></mujoco>""")
    d = physics.Data(m)
    physics.step(m, d, 3)
    together = islands_of(m, d).efc_island
    assert [row_island(m, d, i) for i in range(d.nefc)] == (together.tolist() if flag == "enable" else [-1] * d.nefc)
    assert flag == "disable" or len(set(together.tolist())) == 4


def test_units_of_tendons():
    """A spatial tendon has a length; a fixed one is in what its joints have, or in nothing that has a name."""
    m = physics.load_string("""<mujoco><worldbody><site name="s"/>
        <body><joint name="turn"/><joint name="twist" axis="0 1 0"/><joint name="shift" type="slide"/><geom size=".1"/><site name="t" pos=".1 0 0"/></body>
        <body name="f"><freejoint name="free"/><geom size=".1"/></body></worldbody><tendon>
        <spatial><site site="s"/><site site="t"/></spatial><fixed><joint joint="turn" coef="1"/><joint joint="twist" coef="2"/></fixed>
        <fixed><joint joint="shift" coef="1"/></fixed>
        <fixed><joint joint="turn" coef="1"/><joint joint="shift" coef="2"/></fixed></tendon></mujoco>""")
    assert [(position_unit(m, what), force_unit(m, what)) for what in (element(m, "tendon", t) for t in range(4))] == [("m", "N"), ("rad", "N m"), ("m", "N"), ("", "")]
    assert [force_unit(m, element(m, "joint", m.id("joint", name))) for name in ("turn", "shift", "free")] == ["N m", "N", "N or N m"]


def test_effective_mass_of_a_free_body_is_its_mass():
    """A ball on the floor feels its mass along the normal."""
    m = physics.load_string("""<mujoco><worldbody><geom type="plane" size="1 1 1" condim="1"/><body pos="0 0 .09"><freejoint/><geom size=".1" mass="3" condim="1"/></body></worldbody></mujoco>""")
    d = physics.Data(m)
    physics.forward(m, d)
    assert np.allclose(effective_mass(m, d, [0]), [[3.0]])


def test_rows_of_elements_share_out_all_rows():
    """Each row belongs to exactly one element, and is found again from it."""
    _mj, _mjd, m, d = both(FORMS[0])
    found = []
    for kind, count in (("equality", m.neq), ("joint", m.njnt), ("tendon", m.ntendon)):
        for i in range(count):
            rows = rows_of(m, d, element(m, kind, i))
            assert all(row_element(m, d, i) == element(m, kind, row_element(m, d, i).id) for i in rows)
            found += rows
    for i in range(d.ncon):
        found += rows_of(m, d, contact_element(m, d, i))
    assert sorted(found) == list(range(d.nefc))
    assert rows_of(m, d, element(m, "body", 1)) == ()


def test_parts_in_words():
    """Which direction of its element a row is about."""
    _mj, _mjd, m, d = both(FORMS[0])
    parts = {}
    for row in constraint_rows(m, d, range(d.nefc)):
        parts.setdefault(row.name.split(" of ")[0] if row.name.startswith("contact") else row.name, []).append(row.part)
    assert parts["equality pin"] == ["x", "y", "z"]
    assert parts["equality glue"] == ["x", "y", "z", "rotation x", "rotation y", "rotation z"]
    assert parts["equality gear"] == ["joint position"] and parts["equality pair"] == ["tendon length"]
    assert parts["joint ball"] == ["friction loss, rotation x", "friction loss, rotation y", "friction loss, rotation z", "rotation angle limit"]
    assert parts["joint hinge"] == ["friction loss, rotation", "upper limit"]
    assert parts["joint slide"] == ["lower limit"]
    assert parts["tendon rope"] == ["friction loss", "upper limit"] and parts["tendon sum"] == ["lower limit"]
    assert parts["contact"].count("normal") == d.ncon and "spin" in parts["contact"] and "roll 2" in parts["contact"]
    _mj, _mjd, m, d = both(FORMS[1])
    edges = [row.part for row in constraint_rows(m, d, range(d.nefc)) if row.kind == "contact pyramidal"]
    assert "edge 10" in edges and edges.count("edge 1") == d.ncon - 1


def test_a_row_that_is_not_there():
    """Rows beyond nefc are room, not rows."""
    _mj, _mjd, m, d = both(FORMS[0])
    with pytest.raises(IndexError, match=f"constraint row {d.nefc} of {d.nefc}"):
        constraint_rows(m, d, [d.nefc])
    with pytest.raises(IndexError):
        effective_mass(m, d, [-1])
