"""Expressions of a Model and its Data: values, shapes, units, and the same bits for one moment and for many."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.fields.layout import LAYOUTS
from physics.quantities.field_rows import grows
from physics.quantities.functions import FUNCTIONS
from physics.quantities.leaves import OneMoment
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.runtime.snapshot import Snapshot


@pytest.fixture(scope="module")
def humanoid():
    physics.ensure_kernels()
    m = physics.load(bundled_model("humanoid.xml"))
    d = physics.Data(m)
    d.ctrl[:] = np.linspace(-0.3, 0.3, m.nu)
    physics.step(m, d, 300)
    return m, d


def value(pair, text):
    return compile_quantity(pair[0], text).now(*pair)


def test_fields_whole_and_by_entry(humanoid):
    m, d = humanoid
    nod = m.jnt_qposadr[m.id("joint", "nod")]
    assert np.array_equal(value(humanoid, "qpos"), d.qpos)
    assert value(humanoid, "qpos[3]") == d.qpos[3]
    assert value(humanoid, 'qpos["nod"]') == value(humanoid, 'joint("nod").qpos') == d.qpos[nod]
    assert np.array_equal(value(humanoid, 'qvel["root"]'), d.qvel[:6])
    assert value(humanoid, 'qvel["root", 4]') == value(humanoid, 'qvel["root"][4]') == d.qvel[4]
    assert np.array_equal(value(humanoid, 'body("chest").xpos'), d.xpos[m.id("body", "chest")])
    assert value(humanoid, "xmat[2, 5]") == value(humanoid, "xmat[2][5]") == d.xmat[2, 5]
    assert value(humanoid, "ncon") == d.ncon > 0
    assert value(humanoid, "opt.timestep") == value(humanoid, "opt_timestep") == m.opt_timestep
    assert value(humanoid, "opt.gravity[2]") == m.opt_gravity[2]
    assert value(humanoid, 'geom_friction["floor", 0]') == m.geom_friction[m.id("geom", "floor"), 0]


def test_every_public_field_can_be_looked_at(humanoid):
    m, d = humanoid
    for letter, owner in (("d", d), ("m", m)):
        layout = LAYOUTS[letter]
        for name in layout.public:
            row = layout.rows[name]
            if name in LAYOUTS["d"].rows and letter == "m" or not row.is_scalar and np.dtype(row.kind).kind not in "iufb":
                continue
            quantity = compile_quantity(m, name)
            found = quantity.now(m, d)
            want = np.asarray(getattr(owner, name), float)
            if grows(row):
                want = want[:len(found)]
            else:
                assert quantity.shape == want.shape, name
            assert np.array_equal(found, want, equal_nan=True), name


def test_arithmetic_is_numpys(humanoid):
    _m, d = humanoid
    assert value(humanoid, "2*qpos[0]**2 - qpos[1]/3 + 0.25") == 2 * d.qpos[0]**2 - d.qpos[1] / 3 + 0.25
    assert np.array_equal(value(humanoid, "-qvel*0.5"), -d.qvel * 0.5)
    assert np.array_equal(value(humanoid, "cross(xpos[1], xpos[2])"), np.cross(d.xpos[1], d.xpos[2]))
    assert np.isclose(value(humanoid, "norm(cvel[1])"), np.linalg.norm(d.cvel[1]), rtol=1e-15)
    assert np.isclose(value(humanoid, "dot(qvel, qfrc_actuator)"), d.qvel @ d.qfrc_actuator, rtol=1e-13)
    assert value(humanoid, "max(qvel)") == d.qvel.max() and value(humanoid, "min(qvel)") == d.qvel.min()
    assert np.array_equal(value(humanoid, "max(qvel, 0)"), np.maximum(d.qvel, 0))
    assert np.array_equal(value(humanoid, "clip(qvel, -0.1, 0.1)"), np.clip(d.qvel, -0.1, 0.1))
    assert np.isclose(value(humanoid, "mean(qvel)"), d.qvel.mean(), rtol=1e-13)
    assert value(humanoid, "deg(pi)") == 180.0 and value(humanoid, "7 % 4") == 3.0


@pytest.mark.parametrize("kind, name, pos, mat", [("body", "chest", "xpos", "xmat"), ("geom", "head", "geom_xpos", "geom_xmat"), ("geom", 3, "geom_xpos", "geom_xmat")])
def test_a_point_stays_on_its_element(humanoid, kind, name, pos, mat):
    m, d = humanoid
    i = m.id(kind, name) if isinstance(name, str) else name
    key = f'{kind}("{name}")' if isinstance(name, str) else f"{kind}({name})"
    want = getattr(d, pos)[i] + getattr(d, mat)[i].reshape(3, 3) @ (0.1, -0.2, 0.3)
    quantity = compile_quantity(m, f"point({key}, 0.1, -0.2, 0.3)")
    assert np.allclose(quantity.now(m, d), want, rtol=0, atol=1e-15) and quantity.shape == (3,) and quantity.unit == "m"
    assert compile_quantity(m, f"norm(point({key}, .1, -.2, .3) - point(body(0), 1, 2, 3))").unit == "m"
    assert np.isclose(value(humanoid, f"norm(point({key}, .1, -.2, .3) - point(body(0), 1, 2, 3))"), np.linalg.norm(want - (1, 2, 3)))
    for wrong in (f"point({key}, 1, 2)", "point(1, 2, 3, 4)", "point", 'point("chest", 0, 0, 0)', f"point({key}, qvel, 0, 0)", 'point(joint("nod"), 0, 0, 0)', 'point(body("nobody"), 0, 0, 0)', "point()"):
        with pytest.raises(ExpressionError):
            compile_quantity(m, wrong)


def test_conditions_are_one_and_zero(humanoid):
    _m, d = humanoid
    assert value(humanoid, "time > 1 and ncon > 0") == 1.0
    assert value(humanoid, "not (time > 1) or ncon == 0") == 0.0
    assert value(humanoid, f"0 < time < {d.time}") == 0.0 and value(humanoid, "where(time > 1, 5, 6)") == 5.0


def test_what_reads_nothing_has_a_value_at_each_moment(humanoid):
    quantity = compile_quantity(humanoid[0], "2*pi")
    assert value(humanoid, "2*pi") == 2 * np.pi
    assert np.array_equal(quantity.values(lambda leaf: np.zeros((3, *leaf.shape))), np.full(3, 2 * np.pi))


def test_rows_that_come_and_go(humanoid):
    m, d = humanoid
    assert value(humanoid, "min(contact_dist)") == d.contact_dist[:d.ncon].min()
    assert value(humanoid, "sum(efc_force)") == sum(d.efc_force[:d.nefc].tolist())
    assert value(humanoid, f"contact_dist[{d.ncon - 1}]") == d.contact_dist[d.ncon - 1]
    assert np.isnan(value(humanoid, f"contact_dist[{d.ncon}]"))
    assert value(humanoid, "contact_dist").shape == (d.ncon,)
    with pytest.raises(ExpressionError, match="changes from step to step"):
        compile_quantity(m, "contact_dist + 1")
    empty = physics.Data(m)
    assert np.isnan(compile_quantity(m, "min(contact_dist)").now(m, empty))
    assert compile_quantity(m, "sum(contact_dist)").now(m, empty) == 0.0


@pytest.mark.parametrize(("text", "unit"), [
    ("time", "s"), ("qpos[2]", "m"), ("qpos[4]", ""), ('qpos["nod"]', "rad"), ('qvel["nod"]', "rad/s"), ("qvel[0]", "m/s"), ("qvel[4]", "rad/s"), ('qvel["root"]', ""), ('qvel["root", 5]', "rad/s"),
    ("qacc[0]", "m/s2"), ("xpos[1]", "m"), ("norm(xpos[1])", "m"), ("cvel[1, 0]", "rad/s"), ("cvel[1, 5]", "m/s"), ('qfrc_actuator["nod"]*qvel["nod"]', "W"), ("energy", "J"), ("sum(energy)", "J"),
    ('qfrc_bias["nod"]', "N m"), ("qfrc_bias[0]", "N"), ('joint("nod").range', "rad"), ("body_mass[1]*9.81", "kg"), ("body_mass[1]*opt.gravity[2]", "N"), ("xpos[1,0] + 1", "m"), ("xpos[1,0] + qvel[0]", ""),
    ("xpos[1,0]**2", "m2"), ("sqrt(xpos[1,0]**2 + xpos[1,1]**2)", "m"), ("deriv(qpos[2])", "m/s"), ("lowpass(qpos[2], 5)", "m"), ("time > 1", ""), ('deg(qpos["nod"])', "deg"), ("actuator_force[0]", "N m"),
    ("ctrl[0]", "N m"), ("contact_dist[0]", "m"), ('contact("floor").force', "N"), ('contact("floor").count', ""), ("atan2(xpos[1,1], xpos[1,0])", "rad"), ("xpos[1,0]/xpos[2,0]", ""),
])
def test_units(humanoid, text, unit):
    assert compile_quantity(humanoid[0], text).unit == unit


@pytest.mark.parametrize(("text", "column", "words"), [
    ("qpo[1]", 1, "did you mean 'qpos'"), ('xpos["ches"]', 6, "did you mean 'chest'"), ("qpos[99]", 6, "30 rows"), ("xpos[1, 3]", 9, "3 entries"), ("xpos[1, 1, 1]", 12, "2 axes"), ("time[0]", 6, "single number"),
    ('body("ches").xpos', 6, "did you mean 'chest'"), ('body("chest").xpo', 15, "did you mean 'xpos'"), ("body(99).xpos", 6, "from 0 on"), ("body(1.5).xpos", 6, "from 0 on"), ('body("chest")', 1, "which value"),
    ("nrm(xpos[1])", 1, "did you mean 'norm'"), ("sin", 1, "sin(x)"), ("norm", 1, "norm(v)"), ("dot(xpos[1])", 1, "dot(a, b)"), ("dot(xpos[1], qpos)", 1, "do not fit"), ("cross(qpos, qpos)", 1, "vectors of 3"),
    ("qpos + qvel", 1, "do not fit"), ('contact("floor", "chst").force', 18, "did you mean 'chest'"), ('contact("floor").forc', 18, "did you mean 'force'"), ("contact(1).force", 9, "names of geoms"), ("opt.gravty", 5, "did you mean 'gravity'"),
    ("qpos.x", 6, "behind an element"), ("deriv(1, 2)", 1, "deriv(x)"), ("lowpass(qpos[0], qpos)", 1, "single number"), ('norm("a")', 6, "in brackets"), ("xpos[1][3]", 9, "3 entries"), ('xpos[1, "x"]', 9, "first index"),
    ('solver_niter["a"]', 14, "no names"), ("__import__('os')", 1, "no function"), ("qpos.__class__", 6, "behind an element"), ('body("chest").__class__', 15, "no '__class__'"), ("2[0]", 3, "no entries"),
])
def test_what_is_wrong_is_told_with_its_column(humanoid, text, column, words):
    with pytest.raises(ExpressionError) as caught:
        compile_quantity(humanoid[0], text)
    assert words in caught.value.reason and caught.value.column == column


def test_reading_a_snapshot_gives_the_same_bits(humanoid):
    m, d = humanoid
    for text in ('norm(qfrc_bias)*2 + sin(qpos[2])', 'contact("floor").force', "min(contact_dist)", "sum(efc_force)", 'body("chest").xpos[2]', "qM[0]" if "qM" in LAYOUTS["d"].rows else "M[0]"):
        quantity = compile_quantity(m, text)
        snapshot = Snapshot(m, d, 0)
        snapshot.copy_from(d, quantity.fields)
        assert np.array_equal(quantity.of_snapshot(snapshot), quantity.now(m, d)), text


EXPRESSIONS = ("sin(qpos[7])", "norm(cvel[3])", "exp(qvel[8]) - cos(qpos[9])**3", "atan2(xpos[2,1], xpos[2,0])", "sum(qvel*qfrc_bias)", "dot(qvel, qacc)", "mean(xpos[1])", "max(qvel)", "log(abs(qvel[7]))",
               "cross(xpos[1], xpos[2])", "abs(qvel)**0.7", "clip(qvel, -1, 1)", "where(qvel > 0, sqrt(abs(qvel)), tan(qvel))", "asin(0.1*sin(qpos[8]))", "sign(qvel) % 0.3", "max(qvel[0], qvel[1], 0)")


def test_many_moments_have_the_bits_of_each_alone(humanoid):
    m, _ = humanoid
    d = physics.Data(m)
    for text in EXPRESSIONS:
        quantity = compile_quantity(m, text)
        alone, rows = [], {leaf: [] for leaf in quantity.leaves}
        physics.reset(m, d)
        for _ in range(37):
            physics.step(m, d)
            alone.append(quantity.now(m, d))
            for leaf in quantity.leaves:
                rows[leaf].append(OneMoment(m, d)(leaf)[0])
        together = quantity.values(lambda leaf: np.array(rows[leaf]))
        assert np.array_equal(together, np.array(alone), equal_nan=True), text


def test_every_function_is_in_the_help(humanoid):
    for name, function in FUNCTIONS.items():
        assert function.form.startswith(f"{name}(") and function.doc
