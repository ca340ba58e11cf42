"""What the tuner takes from a running model: A, s and a0 are those of the official engine's rows, and the rest depth follows from them."""
import numpy as np
import pytest

import physics
from physics.model.elements import contact_element, element
from physics.tuning.law import Row
from physics.tuning.target import Form, Target, attributes_of, read, targets_of
from tests.oracle.corpus import entry, require_corpus
from tests.physics.tuning.official_rows import forward_at, normal_rows, together

SHAPES = {"sphere": 'type="sphere" size=".1"', "box": 'type="box" size=".1 .1 .1"', "capsule": 'type="capsule" size=".1 .2" euler="0 90 0"'}
LYING = """<mujoco><option cone="{cone}" impratio="{impratio}" timestep="0.002"/><worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body pos="0 0 {height}"><freejoint/><geom name="thing" {shape} friction="{mu} .02 .003" condim="{condim}" solref="-2000 -60" solimp=".8 .8"/></body>
</worldbody><default><geom friction=".1 .01 .001" condim="1"/></default></mujoco>"""
ARM = """<mujoco><option timestep="0.001"/><default><geom contype="0" conaffinity="0" density="800"/></default><worldbody>
  <geom name="floor" type="plane" size="5 5 1" contype="1" conaffinity="1"/>
  <body pos="0 0 {height}"><joint name="shoulder" axis="0 1 0" damping="2"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
    <body pos=".4 0 0"><joint name="elbow" axis="0 1 0" stiffness="60" springref="20" damping="2"/><geom type="capsule" fromto="0 0 0 .3 0 -.1" size=".03"/>
      <geom name="tip" type="sphere" pos=".33 0 -.11" size=".04" contype="1" conaffinity="1" condim="{condim}" friction="{mu} .01 .001"
        solref="-4000 -120" solimp="{d} {d}"/></body></body>
</worldbody></mujoco>"""
FOUR = """<mujoco><default><default class="foot"><geom size=".05" condim="{condim}" solref="-3000 -80" solimp=".7 .7"/></default></default><worldbody>
  <geom name="floor" type="plane" size="5 5 1"/><body pos="0 0 .199"><freejoint/><geom type="box" size=".3 .2 .05" mass="8" contype="0" conaffinity="0"/>
  <geom name="a" class="foot" pos=".25 .15 -.15"/><geom name="b" class="foot" pos="-.25 .15 -.15"/>
  <geom name="c" class="foot" pos=".25 -.15 -.15"/><geom name="e" class="foot" pos="-.25 -.15 -.15"/>
</body></worldbody></mujoco>"""
CONSTRAINTS = """<mujoco><option timestep="0.002"/><worldbody>
  <body name="one"><joint name="hinge" axis="0 1 0" range="-10 10" limited="true" solreflimit="-500 -20" solimplimit=".8 .95 .01" margin=".02" frictionloss=".3"/>
    <geom type="capsule" fromto="0 0 0 .5 0 -.1" size=".05"/><site name="s1" pos=".5 0 0"/>
    <body name="two" pos=".5 0 -.1"><joint name="second" axis="0 1 0" solreffriction="-30 -40" frictionloss=".2"/>
      <geom type="capsule" fromto="0 0 0 .3 0 .1" size=".04"/><site name="s2" pos=".3 0 .1"/></body></body>
  <body name="three" pos="0 1 0"><joint name="ball" type="ball" frictionloss=".1" range="0 20" limited="true"/><geom type="box" size=".1 .2 .3" pos=".2 .1 0"/></body>
  <body name="four" pos="2 1 0"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  <site name="s0" pos="0 0 .5"/>
</worldbody>
<tendon><spatial name="rope" range="0 .4" limited="true" frictionloss=".4" solimplimit=".5 .9 .02"><site site="s0"/><site site="s2"/></spatial></tendon>
<equality><connect name="pin" body1="three" body2="four" anchor=".5 .3 .1" solref=".1 1"/><weld name="glue" body1="four" solref="-400 -30"/>
  <joint name="gear" joint1="second" joint2="hinge" polycoef=".1 .5"/></equality>
</mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def made(text, steps=0):
    m = physics.load_string(text)
    d = physics.Data(m)
    if steps:
        physics.step(m, d, steps)
    physics.forward(m, d)
    return m, d


def contact_target(m, d, *names) -> Target:
    geoms = {m.id("geom", name) for name in names}
    k = next(k for k in range(d.ncon) if set(d.contact_geom[k].tolist()) == geoms)
    return targets_of(m, contact_element(m, d, k))[0]


def rest_depth(row: Row, solref, d: float) -> float:
    """Where a1 = 0 in the direct format with a constant impedance: d_e k d r = (1 - d_e) |a0|, k = S / d^2."""
    d_e = row.factor * d / (row.factor * d + 1.0 - d)
    return (1.0 - d_e) * abs(row.a0) / (d_e * -solref[0] / d)


@pytest.mark.parametrize("shape,n", [("sphere", 1), ("box", 4), ("capsule", 2)])
@pytest.mark.parametrize("cone,condim,mu,impratio", [("pyramidal", 1, .5, 1), ("pyramidal", 3, .3, 1), ("pyramidal", 4, 1.5, 10), ("pyramidal", 6, .7, 1),
                                                     ("elliptic", 3, .3, 10), ("elliptic", 6, 1.2, 1)])
def test_rows_of_what_lies_on_the_floor(shape, n, cone, condim, mu, impratio):
    mujoco = pytest.importorskip("mujoco")
    text = LYING.format(cone=cone, impratio=impratio, mu=mu, condim=condim, shape=SHAPES[shape], height=0.0995)
    m, d = made(text, 5)
    found = read(m, d, contact_target(m, d, "floor", "thing"))
    mm = mujoco.MjModel.from_xml_string(text)
    md = forward_at(mujoco, mm, d)
    rows = normal_rows(mujoco, mm, md, (m.id("geom", "floor"), m.id("geom", "thing")))
    assert len(found.contacts) == n and len(rows) == len(found.rows)
    A, s, a0 = together(mujoco, mm, md, rows)
    assert np.allclose((found.row.inverse_mass, found.row.factor, found.row.a0), (A, s, a0), rtol=1e-7)
    mu2 = mu * mu
    closed = n * ((condim - 1) * impratio / (mu2 * (1 + mu2)) if cone == "pyramidal" and condim > 1 else 1.0)
    assert found.row.factor == pytest.approx(closed, rel=1e-3 if shape == "sphere" else 0.02), "the closed form of like contacts; body_invweight0 is a mean over directions"
    assert found.row.a0 == pytest.approx(-9.81, rel=1e-6) and found.row.inverse_mass == pytest.approx(1 / m.body_mass[1], rel=1e-6)
    assert found.force == pytest.approx(sum(md.efc_force[rows]), rel=1e-5) and found.velocity == pytest.approx(np.mean(md.efc_vel[rows]), abs=1e-9)
    assert found.position == pytest.approx(np.mean(md.efc_pos[rows]), abs=1e-10) and found.parameters.solimp[:2] == pytest.approx((.85, .875))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("cone,condim,mu", [("pyramidal", 3, .3), ("pyramidal", 3, 1.5), ("elliptic", 4, .8), ("pyramidal", 1, 1)])
def test_the_rest_depth_is_the_one_that_the_row_says(shape, cone, condim, mu):
    text = LYING.format(cone=cone, impratio=1, mu=mu, condim=condim, shape=SHAPES[shape], height=0.0995).replace('"floor"', '"floor" priority="-1"')
    m, d = made(text, 1500)
    found = read(m, d, contact_target(m, d, "floor", "thing"))
    assert abs(found.velocity) < 1e-8
    assert -found.position == pytest.approx(rest_depth(found.row, found.parameters.solref, .8), rel=1e-5)


@pytest.mark.parametrize("condim,mu,d0", [(1, 1, .8), (3, .2, .8), (3, 1, .5), (3, 1, .95)])
@pytest.mark.parametrize("height", [.15, .3])
def test_the_rest_depth_of_an_arms_tip_is_within_three_percent(condim, mu, d0, height):
    m, d = made(ARM.format(condim=condim, mu=mu, d=d0, height=height).replace('"floor"', '"floor" priority="-1"'), 6000)
    target = contact_target(m, d, "floor", "tip")
    found, held = read(m, d, target), read(m, d, target, held=True)
    assert abs(found.velocity) < 1e-6, "at rest"
    real = -found.position
    assert found.row.factor > 2.0 * (1 if condim == 1 else (condim - 1) / (mu * mu * (1 + mu * mu))) or condim != 1, "the tip is lighter here than body_invweight0 has it"
    assert rest_depth(held.row, held.parameters.solref, d0) == pytest.approx(real, rel=0.002)
    assert rest_depth(found.row, found.parameters.solref, d0) == pytest.approx(real, rel=0.03)


@pytest.mark.parametrize("condim", [1, 3])
def test_one_foot_of_four_is_told_by_what_the_others_hold(condim):
    m, d = made(FOUR.format(condim=condim).replace('"floor"', '"floor" priority="-1"'), 3000)
    target = contact_target(m, d, "floor", "a")
    alone, held = read(m, d, target), read(m, d, target, held=True)
    real = -held.position
    assert rest_depth(held.row, held.parameters.solref, .7) == pytest.approx(real, rel=1e-4)
    assert rest_depth(alone.row, alone.parameters.solref, .7) > 1.05 * real, "by itself it would carry more"


def official_state(mujoco, text, d):
    mm = mujoco.MjModel.from_xml_string(text)
    return mm, forward_at(mujoco, mm, d)


@pytest.mark.parametrize("kind,name,form,rotation", [
    ("joint", "hinge", Form.LIMIT, False), ("joint", "hinge", Form.FRICTION_LOSS, False), ("joint", "second", Form.FRICTION_LOSS, False), ("joint", "ball", Form.LIMIT, False),
    ("joint", "ball", Form.FRICTION_LOSS, False), ("tendon", "rope", Form.LIMIT, False), ("tendon", "rope", Form.FRICTION_LOSS, False), ("equality", "pin", Form.EQUALITY, False),
    ("equality", "glue", Form.EQUALITY, False), ("equality", "glue", Form.EQUALITY, True), ("equality", "gear", Form.EQUALITY, False)])
def test_rows_of_limits_equalities_and_dry_friction(kind, name, form, rotation):
    mujoco = pytest.importorskip("mujoco")
    m = physics.load_string(CONSTRAINTS)
    d = physics.Data(m)
    d.qpos[:2] = .3, .4
    d.qpos[2:6] = np.array([.9, .3, .2, .1]) / np.linalg.norm([.9, .3, .2, .1])
    d.qvel[:] = np.linspace(-.5, .5, m.nv)
    physics.forward(m, d)
    number = m.id(kind, name)
    target = Target(form, element(m, kind, number), rotation)
    assert target in targets_of(m, element(m, kind, number)) or rotation
    found = read(m, d, target)
    mm, md = official_state(mujoco, CONSTRAINTS, d)
    wanted = {Form.EQUALITY: (0,), Form.FRICTION_LOSS: (1, 2), Form.LIMIT: (3, 4)}[form]
    ids = [number] if kind != "joint" or form != Form.FRICTION_LOSS else [i for i in range(mm.nv) if mm.dof_jntid[i] == number]
    rows = [i for i in range(md.nefc) if md.efc_type[i] in wanted and md.efc_id[i] in ids and (md.efc_type[i] in (2, 4)) == (kind == "tendon" and form != Form.EQUALITY)]
    rows = rows[3:] if rotation else rows[:3]
    force = md.efc_force[rows]
    direction = None if form == Form.LIMIT else force / np.linalg.norm(force)
    A, s, a0 = together(mujoco, mm, md, rows, direction)
    assert found.row.inverse_mass == pytest.approx(A, rel=1e-5) and found.row.factor == pytest.approx(s, rel=1e-5) and found.row.a0 == pytest.approx(a0, rel=1e-4, abs=1e-6)
    assert found.force == pytest.approx(np.linalg.norm(force) if direction is not None else force.sum(), rel=1e-4)
    assert set(attributes_of(target)) >= {"solref", "solimp"} and found.row.timestep == 0.002 and found.row.refsafe


def test_dry_friction_and_limits_are_named_as_in_mjcf():
    m = physics.load_string(CONSTRAINTS)
    limit, loss = targets_of(m, element(m, "joint", m.id("joint", "hinge")))
    assert attributes_of(limit)["solref"] == "solreflimit" and attributes_of(loss)["solimp"] == "solimpfriction"
    assert [target.form for target in targets_of(m, element(m, "joint", 3))] == [Form.FRICTION_LOSS], "a free joint has no limit"
    assert targets_of(m, element(m, "body", 1)) == ()


def test_what_does_not_push_has_no_rows():
    m, d = made(LYING.format(cone="pyramidal", impratio=1, mu=1, condim=3, shape=SHAPES["box"], height=2))
    what = Target(Form.CONTACT, element(m, "geom", m.id("geom", "thing")))
    assert read(m, d, what) is None
    with pytest.raises(ValueError, match="Data belongs to another|another Model"):
        read(physics.load_string("<mujoco/>"), d, what)


def test_what_pulls_where_nothing_can_move_is_no_row():
    """A hinge about z is pulled upwards: the point that is held has an error along z alone, where it has no mobility."""
    m, d = made("""<mujoco><worldbody><body name="place" mocap="true"><geom size=".01" contype="0" conaffinity="0"/></body>
      <body name="arm"><joint axis="0 0 1"/><geom size=".1" pos=".2 0 0" contype="0" conaffinity="0"/></body></worldbody>
      <equality><connect name="grip" body1="arm" body2="place" anchor=".1 0 0"/></equality></mujoco>""")
    d.mocap_pos[0, 2] += 0.1
    physics.forward(m, d)
    assert d.nefc == 3 and read(m, d, Target(Form.EQUALITY, element(m, "equality", 0))) is None


def test_a_geom_is_read_where_it_presses_hardest():
    text = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 1"/><geom name="post" type="box" size=".1 1 1" pos="-.1995 0 0"/>
      <body pos="0 0 .099"><freejoint/><geom name="thing" size=".1"/></body></worldbody></mujoco>"""
    m, d = made(text)
    found = read(m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "thing"))))
    assert {m.names["geom"][g] for g in found.geoms} == {"floor", "thing"}


@pytest.mark.parametrize("name", ["humanoid", "agility_cassie", "robot_soccer_kit", "cards", "gymnasium_ant"])
def test_contacts_of_real_models_are_those_of_the_official_rows(name):
    """All pairs of geoms in touch after 300 steps, and all limits: A, s and a0 within 1e-5 of those from the official efc_J, efc_R, M and qacc_smooth."""
    mujoco = pytest.importorskip("mujoco")
    require_corpus()
    file = entry(name, exact=True).path
    m = physics.load(str(file))
    d = physics.Data(m)
    physics.step(m, d, 300)
    physics.forward(m, d)
    mm = mujoco.MjModel.from_xml_path(str(file))
    md = forward_at(mujoco, mm, d)
    checked, worst = 0, 0.0
    pairs = {tuple(d.contact_geom[k].tolist()): k for k in range(d.ncon) if d.contact_efc_address[k] >= 0}
    for geoms, k in list(pairs.items())[:30]:
        rows = normal_rows(mujoco, mm, md, geoms)
        found = read(m, d, Target(Form.CONTACT, contact_element(m, d, k)))
        if len(rows) != len(found.rows):
            continue
        official = together(mujoco, mm, md, rows)
        ours = found.row.inverse_mass, found.row.factor, found.row.a0
        worst = max(worst, *(abs(x - y) / max(abs(y), 1e-3) for x, y in zip(ours, official, strict=True)))
        checked += 1
    print(f"{name}: {checked} pairs of geoms, worst {worst:.2g}")
    assert checked and worst < 1e-5
