"""Forces of equalities, limits and dry friction by what they belong to: at every step the official engine's efc_force, with units, and refused where there is no such thing."""
import numpy as np
import pytest

import physics
from physics.quantities.quantity import compile_quantity
from physics.quantities.syntax import ExpressionError
from physics.runtime.snapshot import Snapshot

MODEL = """<mujoco><compiler angle="radian"/><option tolerance="1e-12"/><worldbody><geom name="floor" type="plane" size="3 3 .1"/><site name="hook" pos="0 0 1.6"/>
<body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" range="-.3 .3" frictionloss=".3"/><geom type="capsule" size=".04" fromto="0 0 0 .4 0 0"/>
  <body name="lower" pos=".4 0 0"><joint name="elbow" axis="0 1 0" range="0 .01" limited="true" margin=".02"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><site name="tip" pos=".3 0 0"/></body></body>
<body name="box" pos="1 0 .5"><freejoint name="root"/><geom name="cube" type="box" size=".1 .1 .1"/></body>
<body name="cart" pos="2 0 1"><joint name="rail" type="slide" axis="1 0 1" range="-.05 .05" frictionloss="2"/><geom size=".1"/>
  <body pos="0 0 -.2"><joint name="ball" type="ball" frictionloss=".05" range="0 .2" limited="true"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body></body>
</worldbody>
<tendon><spatial name="rope" range="0 .75" limited="true" frictionloss="0.4"><site site="hook"/><site site="tip"/></spatial>
  <fixed name="sum" frictionloss=".1"><joint joint="elbow" coef="1"/><joint joint="shoulder" coef="-2"/></fixed></tendon>
<equality><joint name="gear" joint1="elbow" joint2="shoulder" polycoef="0 .5 0 0 0"/><weld name="glue" body1="box" relpose="1.2 0 .5 1 0 0 0" solref=".1 1"/>
  <connect name="pin" body1="cart" body2="box" anchor="-.9 0 0" solref=".2 1"/><weld name="off" body1="cart" active="false"/></equality></mujoco>"""
WORDS = {       # text: (efc_type, name of what efc_id is, kind of that)
    'equality("gear").force': (0, "equality", "gear"), 'equality("glue").force': (0, "equality", "glue"), 'equality("pin").force': (0, "equality", "pin"),
    'equality("off").force': (0, "equality", "off"), 'limit("shoulder").force': (3, "joint", "shoulder"), 'limit("elbow").force': (3, "joint", "elbow"),
    'limit("rail").force': (3, "joint", "rail"), 'limit(joint("ball")).force': (3, "joint", "ball"), 'limit("rope").force': (4, "tendon", "rope"),
    'frictionloss("shoulder").force': (1, "joint", "shoulder"), 'frictionloss("rail").force': (1, "joint", "rail"), 'frictionloss("ball").force': (1, "joint", "ball"),
    'frictionloss(tendon("rope")).force': (2, "tendon", "rope"), 'frictionloss("sum").force': (2, "tendon", "sum"),
}
STEPS = 600


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def traced(m, d, texts, nstep):
    """Values of these texts, a row for each step."""
    return physics.trace(m, d, texts, nstep)[1]


def official_forces(mujoco, m, d, kind, of, name):
    """efc_force of the rows of an element, in their order."""
    types = dict(equality=mujoco.mjtObj.mjOBJ_EQUALITY, joint=mujoco.mjtObj.mjOBJ_JOINT, tendon=mujoco.mjtObj.mjOBJ_TENDON)
    number = mujoco.mj_name2id(m, types[of], name)
    idents = np.flatnonzero(m.dof_jntid == number) if kind == 1 else [number]
    return d.efc_force[(d.efc_type == kind) & np.isin(d.efc_id, idents)]


def test_at_every_step_they_are_those_of_the_official_engine():
    mujoco = pytest.importorskip("mujoco")
    m, official = physics.load_string(MODEL), mujoco.MjModel.from_xml_string(MODEL)
    d, beside = physics.Data(m), mujoco.MjData(official)
    acted, most = dict.fromkeys(WORDS, 0), 0.0
    for _ in range(STEPS):
        state = np.concatenate([d.qpos, d.qvel])
        found = traced(m, d, tuple(WORDS), 1)        # takes a step
        beside.qpos[:], beside.qvel[:] = state[:m.nq], state[m.nq:]
        mujoco.mj_forward(official, beside)
        for text, (kind, of, name) in WORDS.items():
            rows, values = official_forces(mujoco, official, beside, kind, of, name), np.ravel(found[text])
            if kind in (3, 4):
                rows = np.array([rows.sum()])
            wanted = rows if len(rows) else np.zeros(len(values))
            scale = max(1.0, np.abs(beside.efc_force).max(initial=0.0))
            most = max(most, float(np.abs(values - wanted).max()) / scale)
            assert values == pytest.approx(wanted, abs=1e-9 * scale), (text, beside.time)
            acted[text] += bool(np.abs(wanted).any())
    assert most < 1e-10
    assert [text for text, count in acted.items() if not count] == ['equality("off").force'], acted      # all others had something to do


def test_the_trace_has_the_bits_of_each_state_and_so_has_a_snapshot():
    m = physics.load_string(MODEL)
    d, other = physics.Data(m), physics.Data(m)
    texts = tuple(text.replace(".force", value) for text in WORDS for value in (".force", ".pos")) + ('norm(equality("glue").force)', 'equality("glue").force[4]', 'limit("elbow").pos*2')
    quantities = {text: compile_quantity(m, text) for text in texts}
    found = traced(m, d, texts, 200)
    both = 0
    for k in range(200):
        physics.forward(m, other)
        both += np.count_nonzero((other.efc_type[:other.nefc] == 3) & (other.efc_id[:other.nefc] == m.id("joint", "elbow"))) == 2
        for text, quantity in quantities.items():
            assert np.array_equal(found[text][k], quantity.now(m, other), equal_nan=True), (text, k)
        physics.step(m, other)
    assert both > 3         # both bounds within the margin: the limit is one number all the same
    physics.forward(m, other)
    snapshot = Snapshot(m, other, 1)
    snapshot.copy_from(other)
    for text, quantity in quantities.items():
        assert np.array_equal(quantity.of_snapshot(snapshot), quantity.now(m, other), equal_nan=True), text


@pytest.mark.nojit
def test_steps_are_traced_under_the_interpreter():
    m = physics.load_string(MODEL)
    d, texts = physics.Data(m), ('equality("glue").force', 'limit("elbow").force', 'limit("elbow").pos', 'limit("shoulder").pos', 'frictionloss("ball").force')
    quantities = {text: compile_quantity(m, text) for text in texts}
    physics.forward(m, d)
    wanted = {text: quantity.now(m, d) for text, quantity in quantities.items()}
    found = traced(m, d, texts, 1)
    for text in texts:
        assert np.array_equal(found[text][0], wanted[text], equal_nan=True), text
    assert np.isnan(wanted['limit("shoulder").pos']) and wanted['limit("elbow").pos'] <= 0.02


def test_they_have_units_and_entries():
    m = physics.load_string(MODEL)
    units = {'equality("gear").force': "N m", 'equality("pin").force': "N", 'equality("glue").force': "", 'equality("glue").force[2]': "N", 'equality("glue").force[3]': "N m",
             'equality("glue").pos[5]': "rad", 'limit("rail").force': "N", 'limit("shoulder").pos': "rad", 'limit("rope").force': "N", 'frictionloss("sum").force': "",
             'frictionloss("ball").force': "N m", 'frictionloss("root").force[1]': "N", 'frictionloss("root").force[5]': "N m", 'limit("rail").force*qvel["rail"]': "W"}
    for text, unit in units.items():
        assert compile_quantity(m, text).unit == unit, text
    shapes = {'equality("glue").force': (6,), 'equality(2).force': (3,), 'frictionloss("ball").force': (3,), 'limit("ball").force': (), 'equality("glue").force[4]': ()}
    for text, shape in shapes.items():
        assert compile_quantity(m, text).shape == shape, text
    assert compile_quantity(m, 'equality("glue").force[4]').leaves[0].places == ((0, 1, 4),)      # nothing but this row is taken


@pytest.mark.parametrize(("text", "column", "said"), [
    ('limit("shoulders").force', 7, "joint or tendon"), ('limit("shoulder")', 1, "say which value"), ('limit("shoulder").acc', 19, "force, pos"), ('limit("a", "b").force', 1, "write limit"),
    ('equality("glue").force[6]', 24, "6 entries"), ('frictionloss(body("box")).force', 1, "write frictionloss"), ('equality("gears").force', 10, "gear"), ("limit", 1, "is a function"),
])
def test_what_is_wrong_is_said_with_its_column(text, column, said):
    with pytest.raises(ExpressionError, match=said) as why:
        compile_quantity(physics.load_string(MODEL), text)
    assert why.value.column == column
