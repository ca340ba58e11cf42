"""Names, duplicates and references; the official compiler is asked what it takes for a duplicate or unknown name."""

import time

import mujoco
import pytest

from physics.mjcf.reader import read_text
from physics.spec.names import Names

MODEL = """<mujoco>
  <default><default class="soft"><geom material="wood"/></default></default>
  <asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><texture file="dir/grain.png" type="2d"/>
    <material name="wood" texture="t"/><material name="ply" texture="grain"/></asset>
  <worldbody><body name="arm" childclass="soft"><joint name="j"/><freejoint name="f"/><geom name="g" material="ply"/>
    <site name="tip"/></body></worldbody>
  <tendon><fixed name="pull"><joint joint="j" coef="1"/></fixed></tendon>
  <actuator><motor name="m" joint="j"/><motor name="n" tendon="pull"/></actuator>
  <sensor><framepos name="s" objtype="site" objname="tip" reftype="xbody" refname="arm"/></sensor>
</mujoco>"""


def test_names_are_found_by_namespace():
    names = Names(read_text(MODEL).root)
    assert names.find("joint", "j").tag == "joint" and names.find("joint", "f").tag == "freejoint"
    assert names.find("texture", "grain").attrs["file"] == "dir/grain.png"
    assert names.find("body", "world").tag == "worldbody"
    assert names.find("tendon", "pull").tag == "fixed"
    assert names.find("default", "soft").tag == "default"
    assert names.find("geom", "arm") is None
    assert names.path(names.find("geom", "g")) == "mujoco/worldbody/body[arm]/geom[g]"


def test_who_refers_to_whom():
    names = Names(read_text(MODEL).root)
    assert [(e.tag, a) for e, a in names.users_of("joint", "j")] == [("joint", "joint"), ("motor", "joint")]
    assert [(e.tag, a) for e, a in names.users_of("site", "tip")] == [("framepos", "objname")]
    assert [(e.tag, a) for e, a in names.users_of("body", "arm")] == [("framepos", "refname")]
    assert [(e.tag, a) for e, a in names.users_of("default", "soft")] == [("body", "childclass")]
    assert [(e.tag, a) for e, a in names.users_of("material", "wood")] == [("geom", "material")]


def test_unique_names_are_made_by_counting_on():
    names = Names(read_text('<mujoco><worldbody><geom name="g"/><geom name="g_1"/></worldbody></mujoco>').root)
    assert names.unique("geom", "g") == "g_2"
    assert names.unique("geom", "h") == "h"
    assert names.unique("site", "g") == "g"


BROKEN = {
    "geom material": '<worldbody><geom size="1" material="x"/></worldbody>',
    "geom class": '<worldbody><geom size="1" class="x"/></worldbody>',
    "body childclass": '<worldbody><body childclass="x"><geom size="1"/></body></worldbody>',
    "camera target": '<worldbody><camera target="x" mode="targetbody"/></worldbody>',
    "light target": '<worldbody><light target="x" mode="targetbody"/></worldbody>',
    "material texture": '<asset><material name="m" texture="x"/></asset>',
    "motor joint": '<actuator><motor joint="x"/></actuator>',
    "motor tendon": '<actuator><motor tendon="x"/></actuator>',
    "exclude": '<contact><exclude body1="world" body2="x"/></contact>',
    "fixed tendon": '<tendon><fixed><joint joint="x" coef="1"/></fixed></tendon>',
    "sensor site": '<sensor><gyro site="x"/></sensor>',
    "sensor object": '<sensor><framepos objtype="geom" objname="x"/></sensor>',
    "sensor reference": '<sensor><framepos objtype="body" objname="world" reftype="site" refname="x"/></sensor>',
    "tuple element": '<custom><tuple name="t"><element objtype="geom" objname="x"/></tuple></custom>',
    "duplicate body": '<worldbody><body name="b"><geom size="1"/></body><body name="b"><geom size="1"/></body></worldbody>',
    "duplicate joint": '<worldbody><body><joint name="j"/><joint name="j"/><geom size="1"/></body></worldbody>',
    "duplicate sensor": '<sensor><clock name="c"/><clock name="c"/></sensor>',
    "duplicate key": '<keyframe><key name="k"/><key name="k"/></keyframe>',
    "duplicate material": '<asset><material name="m"/><material name="m"/></asset>',
    "main below": '<default><default class="main"/></default>',
}


@pytest.mark.parametrize("kind", BROKEN)
def test_broken_names_are_reported_with_a_place_like_the_official_compiler(kind):
    text = f"<mujoco>{BROKEN[kind]}</mujoco>"
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(text)
    issue, = read_text(text).issues
    assert issue.severity == "error" and issue.place.column > 10
    assert issue.path.startswith("mujoco/")


FINE = (
    '<worldbody><geom name="a" size="1"/><site name="a"/></worldbody>',
    '<contact><exclude body1="world" body2="world"/></contact>',
    '<default class="main"/><default class="main"/>',
    '<worldbody><geom name="" size="1"/><geom name="" size="1"/></worldbody>',
    '<worldbody><geom size="1" class="main"/></worldbody>',
)


@pytest.mark.parametrize("text", FINE)
def test_names_that_are_fine_pass(text):
    mujoco.MjModel.from_xml_string(f"<mujoco>{text}</mujoco>")
    assert not read_text(f"<mujoco>{text}</mujoco>").issues


def test_references_into_what_is_made_later_are_left_alone():
    text = """<mujoco><worldbody><replicate count="2"><body name="b"><geom size="1"/></body></replicate></worldbody>
      <contact><exclude body1="b0" body2="b1"/></contact></mujoco>"""
    assert read_text(text).issues == []


def test_a_thousand_unknown_names_are_named_in_reasonable_time():
    geoms = "".join(f'<geom name="left_arm_segment_{i}" size="1" material="left_leg_material_{i}"/>' for i in range(1000))
    materials = "".join(f'<material name="right_leg_material_{i}"/>' for i in range(1000))
    text = f"<mujoco><asset>{materials}</asset><worldbody>{geoms}</worldbody></mujoco>"
    start = time.process_time()
    issues = read_text(text).issues
    assert time.process_time() - start < 5  # about 30 s if each were compared with each
    assert len(issues) == 1000 and "Did you mean" in issues[0].hint
