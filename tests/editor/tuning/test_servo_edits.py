"""Values of servos written at each place: the model that the texts compile to has them, nothing else in the text differs, taking it back gives the same characters, and who else changes
is told."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from editor.edits.patch import apply, inverse
from editor.inspect.subject import Reading
from editor.tuning.place import Kind
from editor.tuning.servo_edits import servo_edit, servo_places, servo_write
from physics.compiler.compile import compile_root
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import axis_of
from physics.tuning.servos.law import dampratio_mass
from physics.tuning.servos.values import values_of
from tests.editor.structure.versions import of

MAIN = """<mujoco model="servos">
  <compiler angle="radian"/>
  <include file="defs.xml"/>
  <worldbody>
    <body name="one"><joint name="a" axis="0 1 0" class="stiff"/><geom type="capsule" size=".03" fromto="0 0 0 .3 0 0" mass="1"/>
      <body name="two" pos=".3 0 0"><joint name="b" axis="0 1 0"   armature='0.010' damping=".1 .02"/><geom size=".05" mass=".5"/></body></body>
    <replicate count="2" offset="0 .5 0"><body name="r" pos="1 0 0"><joint name="r" axis="0 1 0"/><geom size=".1" mass="1"/></body></replicate>
  </worldbody>
  <actuator>
    <position name="a" joint="a" class="servo"/>
    <position name="b" joint="b"
              class="inner"   kv="1.50" gear="2 0 0"/>
    <position name="c" joint="b" class="ratio"/>
    <velocity name="v" joint="a" kv="3" forcerange="-5 5"/>
    <general name="g" joint="a" gainprm="40 0" biastype="affine" biasprm=".5 -20 -1.0" dyntype="filter" dynprm=".05"/>
    <motor name="m" joint="a"/>
  </actuator>
</mujoco>
"""
DEFS = """<mujocoinclude>
  <default>
    <position timeconst=".02"/>
    <default class="stiff"><joint armature=".02" damping=".3"/></default>
    <default class="servo"><position kp="50" kv="2"/>
      <default class="inner"><position kp="60"/></default>
    </default>
    <default class="ratio"><position kp="9" dampratio="1"/></default>
  </default>
</mujocoinclude>
"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def loaded(request):
    text = MAIN
    if getattr(request, "param", False):
        text = text.replace(' angle="radian"', ' angle="radian" autolimits="false"').replace('forcerange="-5 5"', '')
    version = of(text, defs=DEFS)
    return Reading(version), compile_root(version.read)


def servo(m, name):
    """(axis, values, mass0)."""
    d = physics.Data(m)
    i = m.id("actuator", name)
    axis = axis_of(m, at_rest(m, d), i)
    return axis, values_of(m, d, axis), dampratio_mass(m, d, i)


def written(reading, m, name, **change):
    axis, before, mass0 = servo(m, name)
    return servo_write(reading, m, axis, before, replace(before, **change), mass0)


def edited(reading, m, writes, place=None):
    """(lines that differ as (before, after), Model after); taken back to the same characters."""
    texts = dict(reading.version.texts)
    edit = servo_edit(reading, m, writes, place)
    after = texts | apply(texts, edit)
    assert after | apply(after, inverse(edit, texts)) == texts
    lines = [(x.strip(), y.strip()) for file in texts for x, y in zip(texts[file].splitlines(), after[file].splitlines(), strict=True) if x != y]
    return lines, compile_root(reading.version.after(edit).read)


CHANGES = [
    ("a", {"kp": 70.0, "kv": 2.5}, [('<position name="a" joint="a" class="servo"/>', '<position name="a" joint="a" class="servo" kp="70" kv="2.5"/>')]),
    ("b", {"kv": 1.75}, [('class="inner"   kv="1.50" gear="2 0 0"/>', 'class="inner"   kv="1.75" gear="2 0 0"/>')]),
    ("b", {"gear": 3.0}, [('class="inner"   kv="1.50" gear="2 0 0"/>', 'class="inner"   kv="1.50" gear="3 0 0"/>')]),
    ("b", {"armature": .0125, "damping": .2}, None),
    ("v", {"kv": 4.0, "forcerange": (-6.0, 5.0)}, [('<velocity name="v" joint="a" kv="3" forcerange="-5 5"/>', '<velocity name="v" joint="a" kv="4" forcerange="-6 5"/>')]),
    ("g", {"kp": 30.0, "kv": 1.5}, [('<general name="g" joint="a" gainprm="40 0" biastype="affine" biasprm=".5 -20 -1.0" dyntype="filter" dynprm=".05"/>',
                                     '<general name="g" joint="a" gainprm="60 0" biastype="affine" biasprm=".5 -30 -1.5" dyntype="filter" dynprm=".05"/>')]),
    ("g", {"timeconst": .1}, None),
    ("a", {"timeconst": .04}, [('<position name="a" joint="a" class="servo"/>', '<position name="a" joint="a" class="servo" timeconst=".04"/>')]),
    ("a", {"delay": .0101}, None),
    ("m", {"gear": 5.0, "forcerange": (-1.0, 2.0)}, None),
    ("a", {"ctrlrange": (-1.0, 1.0)}, None),
    ("v", {"forcerange": None}, [('<velocity name="v" joint="a" kv="3" forcerange="-5 5"/>', '<velocity name="v" joint="a" kv="3"/>')]),
]


@pytest.mark.parametrize("name,change,lines", CHANGES, ids=lambda x: str(x)[:30])
def test_the_compiled_model_has_what_was_written(loaded, name, change, lines):
    reading, m = loaded
    write = written(reading, m, name, **change)
    place = servo_places(reading, m, write)[0]
    assert place.kind == Kind.ELEMENT and not place.refusal
    found, new = edited(reading, m, [write], place)
    _axis, before, _mass = servo(m, name)
    _axis, after, _mass = servo(new, name)
    assert after == replace(before, **change)
    assert lines is None or found == lines
    assert len(found) == 1


def test_a_dampratio_stays_one(loaded):
    reading, m = loaded
    found, new = edited(reading, m, [written(reading, m, "c", kp=20.0, kv=1.25)])
    assert len(found) == 1 and 'kp="20" dampratio=' in found[0][1] and "kv" not in found[0][1]
    assert servo(new, "c")[1].kv == pytest.approx(1.25, rel=1e-8)
    found, new = edited(reading, m, [written(reading, m, "c", kp=20.0, kv=1.25, armature=.4)])      # of which dampratio is about
    assert servo(new, "c")[1].kv == pytest.approx(1.25, rel=1e-8) and servo(new, "c")[1].armature == .4


def test_the_damping_keeps_its_further_coefficients(loaded):
    reading, m = loaded
    found, new = edited(reading, m, [written(reading, m, "b", damping=.25)])
    assert 'damping=".25 .02"' in found[0][1] and np.array_equal(new.dof_dampingpoly, m.dof_dampingpoly)


def test_classes_and_who_else_changes(loaded):
    reading, m = loaded
    write = written(reading, m, "b", kv=1.75)
    found = servo_places(reading, m, write)
    assert [(place.kind, place.class_name, bool(place.refusal)) for place in found] == [
        (Kind.ELEMENT, "", False), (Kind.CLASS, "inner", False), (Kind.CLASS, "servo", False), (Kind.CLASS, "main", True)]
    assert found[1].others == () and found[2].others == ("actuator a",) and "within main gives kv" in found[3].refusal
    lines, new = edited(reading, m, [write], found[2])
    assert ('<default class="servo"><position kp="50" kv="2"/>', '<default class="servo"><position kp="50" kv="1.75"/>') in lines and len(lines) == 2
    assert servo(new, "b")[1].kv == servo(new, "a")[1].kv == 1.75 and servo(new, "a")[1].kp == 50.0
    both = servo_places(reading, m, written(reading, m, "a", timeconst=.05, armature=.03))
    main = next(place for place in both if place.class_name == "main")
    assert set(main.others) == {"actuator b", "actuator c"} and main.notes == ("armature is written to the joint",)
    lines, new = edited(reading, m, [written(reading, m, "a", timeconst=.05, armature=.03)], main)
    assert servo(new, "c")[1].timeconst == .05 and servo(new, "a")[1].armature == .03 and new.dof_armature[1] == .01


def test_several_servos_by_one_edit(loaded):
    reading, m = loaded
    writes = [written(reading, m, name, **change) for name, change in (("a", {"kp": 70.0}), ("b", {"kp": 71.0}), ("g", {"kp": 22.0}))]
    _lines, new = edited(reading, m, writes)
    assert [servo(new, name)[1].kp for name in ("a", "b", "g")] == [70.0, 71.0, 22.0]
    assert servo_edit(reading, m, writes).label == "kp, gainprm, biasprm of 3 servos"
    with pytest.raises(ValueError, match="cannot have different ones"):
        servo_edit(reading, m, [written(reading, m, "a", armature=.5), written(reading, m, "g", armature=.6)])


def test_a_range_that_a_class_gives_is_taken_away(loaded):
    _reading, m = loaded
    for said, written_for in (('forcerange="-9 9"', 'forcerange="0 0"'), ('forcerange="-9 9" forcelimited="true"', 'forcelimited="false"')):
        version = of(MAIN, defs=DEFS.replace('kp="50" kv="2"', f'kp="50" kv="2" {said}'))
        reading, m = Reading(version), compile_root(version.read)
        assert servo(m, "a")[1].forcerange == (-9.0, 9.0)
        lines, new = edited(reading, m, [written(reading, m, "a", forcerange=None)])
        assert servo(new, "a")[1].forcerange is None and servo(new, "b")[1].forcerange == (-9.0, 9.0) and written_for in lines[0][1]
        place = next(place for place in servo_places(reading, m, written(reading, m, "a", forcerange=None)) if place.class_name == "servo")
        _lines, new = edited(reading, m, [written(reading, m, "a", forcerange=None)], place)
        assert servo(new, "a")[1].forcerange is None and servo(new, "b")[1].forcerange is None


def test_a_range_that_follows_from_the_joint_is_not_written(loaded):
    version = of(MAIN.replace('name="a" joint="a" class="servo"', 'name="a" joint="a" class="servo" inheritrange="1"').replace('<joint name="a"', '<joint name="a" range="-1 1"'), defs=DEFS)
    reading, m = Reading(version), compile_root(version.read)
    assert servo(m, "a")[1].ctrlrange == (-1.0, 1.0)
    with pytest.raises(ValueError, match="inheritrange says so"):
        servo_edit(reading, m, [written(reading, m, "a", ctrlrange=(-.5, .5))])


@pytest.mark.parametrize("loaded", [True], indirect=True)
def test_a_range_counts_where_nothing_limits_by_itself(loaded):
    reading, m = loaded
    lines, new = edited(reading, m, [written(reading, m, "a", forcerange=(-3.0, 4.0))])
    assert 'forcelimited="true"' in lines[0][1] and servo(new, "a")[1].forcerange == (-3.0, 4.0)
