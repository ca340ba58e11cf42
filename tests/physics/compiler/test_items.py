"""Every attribute of an element under construction can be looked up in its class."""
from functools import cache

import pytest

from physics.compiler import compile as compiler
from physics.compiler.build import Build
from physics.compiler.items import ITEM_CLASSES, Item, PathStep
from physics.mjcf.reader import read_text
from physics.model.model import KINDS
from tests.physics.everything import everything

MORE = """<mujoco><compiler coordinate="global" {}/><asset><texture name="t" type="2d" builtin="checker" width="8" height="8"/><material name="m" texture="t"/>
<mesh name="a" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
<worldbody><geom type="hfield" hfield="h"/><light/><camera/><body name="b"><freejoint align="true"/><geom name="g" type="mesh" mesh="a" material="m"/>
<site name="s"/><body name="c"><geom name="k" type="box" mesh="a" pos="2 0 0"/><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 .1 .1 .1"/></body></body></worldbody>
<deformable><skin name="q" vertex="0 0 0 1 0 0 0 1 0" face="0 1 2" material="m">
<bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>
<contact><pair geom1="g" geom2="k"/><exclude body1="b" body2="world"/></contact><equality><weld body1="b"/></equality>
<custom><numeric name="n" data="1"/><text name="x" data="y"/><tuple name="u"><element objtype="geom" objname="g"/></tuple></custom>
<sensor><framepos objtype="body" objname="b"/></sensor><keyframe><key/></keyframe></mujoco>"""


@cache
def builds() -> tuple[Build, ...]:
    found = []
    for text in (everything(), MORE.format(""), MORE.format('fusestatic="true" discardvisual="true"'), MORE.replace('coordinate="global" {}', "")):
        build = Build(read_text(text))
        compiler.gather(build)
        compiler.assemble(build)
        assert [issue for issue in build.problems.issues if issue.severity == "error"] == []
        found.append(build)
    return tuple(found)


@pytest.mark.parametrize("kind", KINDS)
def test_items_have_the_attributes_of_their_class_and_no_others(kind):
    items = [item for build in builds() for item in build.items[kind]]
    known = {*Item.__annotations__, *ITEM_CLASSES[kind].__annotations__}
    assert items and {type(item) for item in items} == {ITEM_CLASSES[kind]}
    assert {name for item in items for name in vars(item)} - known == set()


def test_so_have_steps_of_tendons():
    steps = [step for build in builds() for tendon in build.items["tendon"] for step in tendon.path]
    assert steps and {name for step in steps for name in vars(step)} <= {*Item.__annotations__, *PathStep.__annotations__}
