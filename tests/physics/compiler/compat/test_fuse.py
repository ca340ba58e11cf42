"""Static bodies are fused with their parents as the official compiler does it, or stay for the same reasons."""
import pytest

from physics import load_string
from tests.physics.compiler.agreement import disagreement, refused_by_both
from tests.physics.compiler.random_trees import random_tree

BALL = '<geom size=".2"/>'
SITE = BALL + '<site name="s"/>'


def model(inside=BALL, attrs="", root="", root_attrs="", option="", compiler="", world="", rest=""):
    """A free body r with a static body a in it."""
    return (f'<mujoco><compiler fusestatic="true" {compiler}/><option {option}/><worldbody>{world}<body name="r" {root_attrs}><freejoint/>'
            f'<geom name="g" size=".1"/>{root}<body name="a" pos="1 0 0" euler="10 20 30" {attrs}>{inside}</body></body></worldbody>{rest}</mujoco>')


def sensor(text):
    return f"<sensor>{text}</sensor>"


KEPT = {
    "asked for": model(attrs='fuse="false"'),
    "camera": model(world='<camera mode="targetbody" target="a"/>'),
    "light": model(world='<light target="a"/>'),
    "exclude": model(rest='<contact><exclude body1="a" body2="r"/></contact>'),
    "weld": model(rest='<equality><weld body1="a"/></equality>'),
    "connect": model(rest='<equality><connect body1="r" body2="a" anchor="0 0 0"/></equality>'),
    "sensor": model(rest=sensor('<framepos objtype="xbody" objname="a"/>')),
    "reference": model(rest=sensor('<framepos objtype="body" objname="r" reftype="body" refname="a"/>')),
    "subtree": model(rest=sensor('<subtreecom body="a"/>')),
    "distance": model(rest=sensor('<distance body1="r" body2="a"/>')),
    "tuple": model(rest='<custom><tuple name="t"><element objtype="body" objname="a"/></tuple></custom>'),
    "force": model(SITE, rest=sensor('<force site="s"/>')),
    "torque": model(SITE, rest=sensor('<torque site="s"/>')),
    "gravity": model(attrs='gravcomp="1"'),
    "other gravity": model(root_attrs='gravcomp="1"'),
    "fluid": model(option='density="1"'),
    "thick fluid": model(option='viscosity="1"'),
    "ellipsoid": model('<geom size=".1" mass="0" fluidshape="ellipsoid"/>', option='density="1"'),
    "adjusted": model("", compiler='inertiafromgeom="true" boundmass=".001"'),
}
FUSED = {
    "plain": model(),
    "accelerometer": model(SITE, rest=sensor('<accelerometer site="s"/>')),
    "gravity of both": model(attrs='gravcomp="1"', root_attrs='gravcomp="1"'),
    "massless with gravity": model('<geom size=".1" mass="0"/>', attrs='gravcomp="1"'),
    "massless in a fluid": model("", option='density="1"'),
    "user data": model(attrs='user="1 2 3"'),
    "by geoms": model(compiler='inertiafromgeom="true"'),
    "mass of its own": model('<inertial pos="1 2 3" mass="2" diaginertia="1 1 1"/>' + BALL),
    "bounds": model("", compiler='boundmass="1" boundinertia=".1"'),
    "wind": model(option='wind="1 0 0"'),
}
OTHERS = {
    "chain with one that stays": model(BALL + '<body name="b" fuse="false" pos="0 1 0"><geom size=".1"/><body name="c">' + BALL + "</body></body>"),
    "force sensor in a moving child": model(BALL + '<body name="b"><joint/><geom size=".1"/><site name="s"/></body>', rest=sensor('<force site="s"/>')),
    "free joint below a static body":
        '<mujoco><compiler fusestatic="true"/><worldbody><body><geom size="1"/><body name="b"><freejoint/><geom size="1"/></body></body></worldbody></mujoco>',
    "mocap": '<mujoco><compiler fusestatic="true"/><worldbody><body mocap="true" pos="1 0 0"><geom size="1"/><body><geom size="2"/></body></body></worldbody></mujoco>',
    "parent without mass": '<mujoco><compiler fusestatic="true"/><worldbody><body><freejoint/><body pos="1 0 0"><geom size="1"/></body></body></worldbody></mujoco>',
}


@pytest.mark.parametrize("name", [*KEPT, *FUSED, *OTHERS])
def test_as_the_official_compiler(name):
    assert disagreement({**KEPT, **FUSED, **OTHERS}[name]) == {}


@pytest.mark.parametrize("name", KEPT)
def test_what_stays(name):
    assert "a" in load_string(KEPT[name]).names["body"]


@pytest.mark.parametrize("name", FUSED)
def test_what_is_fused(name):
    assert "a" not in load_string(FUSED[name]).names["body"]


@pytest.mark.parametrize("seed", range(25))
def test_random_trees(seed):
    assert disagreement(random_tree(seed, 'fusestatic="true"')) == {}


def test_a_mocap_body_below_a_static_one_is_refused():
    assert refused_by_both('<mujoco><compiler fusestatic="true"/><worldbody><body><geom size="1"/><body mocap="true"><geom size="1"/></body></body></worldbody></mujoco>')
