"""Sensors: each kind alone and all together as the official compiler makes them, and refused where it refuses them."""
import itertools
import random

import mujoco
import numpy as np
import pytest

import physics
from physics import Data, ModelError, forward, load_string
from tests.physics.compiler.agreement import disagreement
from tests.physics.compiler.compared import accepted, difference, differences

FIELDS = ("nsensor", "nsensordata", "nhistory", "nuser_sensor") + tuple("sensor_" + name for name in (
    "type", "datatype", "needstage", "objtype", "objid", "reftype", "refid", "intprm", "dim", "adr", "cutoff", "noise", "history", "historyadr",
    "delay", "interval", "user"))
MODEL = """<mujoco><asset><mesh name="plate" builtin="plate" params="5 4" scale=".1 .1 .1"/>
<mesh name="points" vertex="0 0 0 1 0 0 0 1 0 0 0 1 1 1 1 .2 .2 .2"/></asset><worldbody>
<camera name="c" pos="0 -1 1" resolution="64 48"/><camera name="c0"/><site name="w"/><geom name="floor" type="plane" size="1 1 1"/>
<body name="a"><joint name="h" range="-40 60"/><geom name="g" size=".1"/><site name="s"/>
 <body name="b" pos="1 0 0"><joint name="ball" type="ball" range="0 40"/><geom name="g2" type="box" size=".2 .1 .1"/><site name="s2" pos=".1 0 0"/>
  <body name="bare"><joint name="slide" type="slide"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body></body></body>
<body name="mute"><geom name="mute" size=".1" contype="0" conaffinity="0"/></body>
<body name="fb"><freejoint name="fj"/><geom size=".1"/></body></worldbody>
<tendon><fixed name="t" range="0 1"><joint joint="h" coef="2"/></fixed><fixed name="tu"><joint joint="h" coef="2"/></fixed></tendon>
<actuator><motor name="m" joint="h"/></actuator>
<custom><numeric name="n" data="1"/><tuple name="tp"><element objtype="body" objname="a"/></tuple></custom>
<sensor>%s</sensor></mujoco>"""
COMMON = ("", 'cutoff="1"', 'cutoff="-1"', 'noise="-1"', 'noise="2"', 'user="1 2 3"', 'nsample="3"', 'nsample="3" delay=".02"', 'delay=".1"',
          'delay="-1" nsample="2"', 'nsample="-1"', 'interval=".1"', 'interval=".1 .2"', 'interval=".1 -.05"', 'interval=".1 -.2"',
          'interval="-1"', 'nsample="2" interp="linear"', 'nsample="2" interp="cubic" interval=".01"', 'interp="bad"')
OBJECTS = (("body", "a"), ("xbody", "a"), ("geom", "g"), ("site", "s"), ("camera", "c"), ("body", "world"), ("joint", "h"), ("light", "c"),
           ("body", "q"), ("bad", "a"), ("tendon", "t"))


def check(bodies, least):
    texts = [MODEL % body for body in bodies]
    assert sum(map(accepted, texts)) >= least
    assert differences(FIELDS, texts) == {}


def attached():
    cases = [f'<{k} site="s" {e}/>' for k, e in itertools.product(("touch", "accelerometer", "gyro"), COMMON)]
    cases += [f'<{k} site="{s}"/>' for k in ("velocimeter", "force", "torque", "magnetometer") for s in ("s", "w", "none")]
    joints = ("jointpos", "jointvel", "jointactuatorfrc", "ballquat", "ballangvel", "jointlimitpos", "jointlimitvel", "jointlimitfrc")
    cases += [f'<{k} joint="{j}" {e}/>' for k in joints for j in ("h", "ball", "fj", "slide", "q") for e in ("", 'cutoff="1"')]
    tendons = ("tendonpos", "tendonvel", "tendonactuatorfrc", "tendonlimitpos", "tendonlimitvel", "tendonlimitfrc")
    cases += [f'<{k} tendon="{t}"/>' for k in tendons for t in ("t", "tu", "q")]
    cases += [f'<{k} actuator="{a}"/>' for k in ("actuatorpos", "actuatorvel", "actuatorfrc") for a in ("m", "q")]
    cases += [f'<{k} body="{b}"/>' for k in ("subtreecom", "subtreelinvel", "subtreeangmom") for b in ("a", "world", "q", "bare")]
    return cases + [f"<{k} {e}/>" for k, e in itertools.product(("e_potential", "e_kinetic", "clock"), COMMON)]


def frames():
    kinds = ("framepos", "framequat", "framexaxis", "frameyaxis", "framezaxis", "framelinvel", "frameangvel", "framelinacc", "frameangacc")
    cases = [f'<{k} objtype="{t}" objname="{n}"/>' for k in kinds for t, n in OBJECTS]
    cases += [f'<{k} objtype="body" objname="b" reftype="{t}" refname="{n}"/>' for k in ("framepos", "framequat", "framelinacc") for t, n in OBJECTS]
    cases += [f'<{k} objtype="body" objname="b" {e}/>' for k in kinds for e in ('cutoff="2"', 'reftype="body"', 'refname="a"')]
    return cases + ['<framepos objtype="body"/>', '<framepos objname="a"/>']


def inside():
    things = (*OBJECTS, ("geom", "floor"), ("body", "bare"), ("xbody", "bare"))
    cases = [f'<insidesite objtype="{t}" objname="{n}" {e}/>' for t, n in things for e in ("", 'site="s2"', 'site="s2" enclosed="true"', 'site="q"')]
    return cases + ['<insidesite objtype="body" objname="a" site="s" cutoff="2"/>']


def distances():
    one = ("", 'geom1="g"', 'body1="a"', 'geom1="q"', 'body1="bare"', 'body1="world"', 'geom1="floor"')
    two = ("", 'geom2="g2"', 'body2="b"', 'geom2="g"', 'body2="a"', 'body2="bare"', 'body2="world"')
    cases = [f'<distance {a} {b} cutoff="1"/>' for a, b in itertools.product(one, two)]
    return cases + [f'<{k} geom1="g" geom2="g2" {e}/>' for k, e in itertools.product(("distance", "normal", "fromto"), COMMON)]


def contacts():
    one = ("", 'geom1="g"', 'body1="a"', 'subtree1="a"', 'site="s"', 'geom1="g" body1="a"', 'subtree1="world"')
    two = ("", 'geom2="g2"', 'body2="b"', 'subtree2="b"', 'geom2="g" subtree2="b"', 'geom2="g"', 'subtree2="bare"')
    cases = [f"<contact {a} {b}/>" for a, b in itertools.product(one, two)]
    words = ("found", "force", "torque", "dist", "pos", "normal", "tangent", "linvel", "angvel", "found linvel", "force angvel", "dist force", "")
    cases += [f'<contact data="{w}" reduce="{r}" num="2"/>' for w, r in itertools.product(words, ("none", "mindist", "maxforce", "netforce", "bad"))]
    return cases + [f"<contact {e}/>" for e in ('num="0"', 'num="-1"', 'num="1.5"', 'cutoff="1"', 'data="dist" cutoff="2"', 'data="found found"')]


def rays():
    settings = ("", 'site="s"', 'camera="c"', 'camera="c0"', 'site="s" camera="c"', 'site="s" data="dist dir origin point normal depth"',
                'site="s" data="dir dist"', 'camera="c" data="depth"', 'site="s" cutoff="1"', 'site="s" data="normal" cutoff="1"', 'site="q"')
    cases = [f"<rangefinder {e}/>" for e in settings]
    return cases + [f"<camprojection {e}/>" for e in ('site="s" camera="c"', 'site="s" camera="c0"', 'site="s"', 'camera="c"')]


def tactile():
    cases = [f'<tactile geom="{g}" mesh="{m}"/>' for g, m in itertools.product(("g", "floor", "mute", "q"), ("plate", "points", "q"))]
    cases += [f'<tactile geom="g" mesh="plate" {e}/>' for e in COMMON]
    return cases + ['<tactile geom="g"/>', '<tactile mesh="plate"/>']


def users():
    names = (("body", "a"), ("xbody", "a"), ("joint", "h"), ("numeric", "n"), ("tuple", "tp"), ("actuator", "m"), ("tendon", "t"), ("sensor", "later"),
             ("body", "q"), ("light", "q"), ("sensor", "q"))
    cases = [f'<user dim="1" objtype="{t}" objname="{n}"/><clock name="later"/>' for t, n in names]
    kinds = itertools.product((0, 1, 3, 4), ("real", "positive", "axis", "quaternion"), ("", 'cutoff="2"'))
    cases += [f'<user dim="{dim}" datatype="{kind}" {e}/>' for dim, kind, e in kinds]
    settings = ("", 'dim="-1"', 'dim="2" objtype="body"', 'dim="2" objname="a"', 'dim="1" needstage="pos"', 'dim="1" needstage="vel"',
                'dim="1" nsample="2"', 'dim="1" user="1"', 'dim="1" noise="1"')
    return cases + [f"<user {e}/>" for e in settings]


@pytest.mark.parametrize("family, least", [(attached, 80), (frames, 70), (inside, 14), (distances, 20), (contacts, 50), (rays, 8), (users, 20), (tactile, 12)])
def test_each_alone(family, least):
    check(family(), least)


def test_all_together():
    """Addresses, history and user values of some three hundred sensors in one model."""
    families = (attached, frames, inside, distances, contacts, rays)
    bodies = [body for family in families for body in family() if accepted(MODEL % body)]
    assert len(bodies) > 250
    assert difference(FIELDS, MODEL % "".join(bodies)) == ""


def test_problems_have_places():
    body = '\n<jointpos name="x" joint="ball"/>\n<touch site="s" interval=".1 .2"/>\n<user dim="1" objtype="nonsense" objname="a"/>\n<touch site="s" cutoff="nan"/>'
    with pytest.raises(ModelError) as caught:
        load_string(MODEL % body)
    errors = {issue.place.line: issue for issue in caught.value.issues}
    first = MODEL.count("\n") + 2
    assert sorted(errors) == [first, first + 1, first + 2, first + 3]
    assert errors[first].path == "mujoco/sensor/jointpos[x]" and "hinge" in errors[first].what
    assert "nonsense" in errors[first + 2].what and errors[first + 2].place.column == 24


ACTUATORS = """<mujoco><worldbody><site name="r"/><body><joint name="b" type="ball"/><geom size=".1" pos=".1 .2 .3"/><site name="s" pos=".1 0 0"/>
<body><joint name="h"/><geom size=".1" pos=".2 0 0"/></body></body></worldbody><tendon><fixed name="t"><joint joint="h" coef="2"/></fixed></tendon>
<actuator><position name="one" joint="h"/><orientation name="site" site="s" refsite="r" kp="1"/><motor name="pull" tendon="t"/>
<orientation name="ball" joint="b" kp="2" input="quat"/><dcmotor name="dc" joint="h" motorconst="1" resistance="2"/></actuator><sensor>{}</sensor></mujoco>"""


@pytest.mark.parametrize("seed", range(12))
def test_sensors_of_actuators_have_a_number_for_each_output(seed):
    """Those of an orientation actuator had one number in place of three, and all later sensors stood elsewhere."""
    physics.ensure_kernels()
    rng = random.Random(seed)
    kinds = [f'<{kind} actuator="{name}" {more}/>' for kind in ("actuatorpos", "actuatorvel", "actuatorfrc") for name in ("one", "site", "pull", "ball", "dc")
             for more in ("", 'cutoff=".05"', 'nsample="3" delay=".004" interp="linear"', 'user="1 2"')]
    kinds += ['<jointpos joint="h"/>', '<tendonactuatorfrc tendon="t"/>', '<ballquat joint="b"/>', '<framepos objtype="site" objname="s"/>']
    text = ACTUATORS.format("".join(rng.sample(kinds, 9)))
    assert disagreement(text) == {}
    ours, official = load_string(text), mujoco.MjModel.from_xml_string(text)
    d, other = Data(ours), mujoco.MjData(official)
    d.qvel[:] = other.qvel[:] = [0.1, -0.2, 0.3, 0.4]
    d.ctrl[:] = other.ctrl[:] = np.linspace(0.1, 0.7, ours.nu)
    for _ in range(3):
        physics.step(ours, d)
        mujoco.mj_step(official, other)
    forward(ours, d)
    mujoco.mj_forward(official, other)
    assert np.allclose(d.sensordata, other.sensordata, rtol=0, atol=1e-9)


def test_they_are_kept_in_a_compiled_file(tmp_path):
    model = load_string(ACTUATORS.format('<actuatorfrc actuator="site"/><clock/>'))
    physics.save(model, tmp_path / "m.lwb")
    assert physics.load(tmp_path / "m.lwb").sensor_dim.tolist() == [3, 1]
