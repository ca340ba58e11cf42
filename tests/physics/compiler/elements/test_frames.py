"""Frames against the official compiler: poses, order, classes, and what it refuses."""
import pytest

from tests.physics.compiler.whole import both_refuse, off, ours

CLASSES = '<default><default class="a"><geom size=".3"/></default><default class="b"><geom size=".4"/></default></default>'
IN_BODY = {
    "everything": '''<frame pos="1 2 3" euler="30 40 50"><body name="a" pos="1 0 0" euler="0 20 0"><frame axisangle="1 1 0 33" pos=".1 .2 .3">
        <joint name="j" axis="1 2 3" pos=".1 0 0"/><frame quat="2 1 0 0"><joint type="slide" axis="0 1 0" name="s"/>
        <geom type="capsule" size=".1" fromto="0 0 0 1 1 1"/><geom type="box" size=".1 .2 .3" pos="1 1 1"/><site type="box" fromto="0 0 0 1 0 1" size=".1"/>
        <camera pos="1 1 1" xyaxes="1 0 0 0 0 1"/><light dir="1 1 1" pos="0 0 2"/><body name="c"><geom size=".1"/></body></frame></frame></body>
        <geom size=".2" pos="1 1 1"/></frame>''',
    "inertial": '<body><frame pos="1 2 3" euler="30 40 50"><inertial mass="1" pos="1 0 0" diaginertia="1 1 1"/><joint/></frame></body>',
    "inertial full": '<body><frame pos="1 2 3" euler="30 40 50"><inertial mass="1" pos="1 0 0" fullinertia="1 2 3 .1 .2 .3"/><joint/></frame></body>',
    "ball joint": '<body><frame pos="1 2 3" euler="30 40 50"><joint type="ball" pos="1 0 0"/><geom size="1"/></frame></body>',
    "free joint": '<frame pos="1 2 3" euler="30 40 50"><body pos="1 1 1"><frame pos="1 2 3" euler="30 40 50"><freejoint/><geom size="1"/></frame></body></frame>',
    "aligned": '''<frame pos="1 2 3" euler="30 40 50"><body pos="1 1 1"><frame pos="1 2 3" euler="30 40 50"><freejoint align="true"/>
        <geom type="box" size=".1 .2 .3"/><site pos="1 0 1"/><camera pos="1 2 0"/><light pos="0 1 2"/></frame></body></frame>''',
    "classes": '''<frame childclass="a"><geom/><body><geom/><frame childclass="b"><geom/><geom class="a"/></frame><geom class="b"/></body>
        <body childclass="b"><geom/></body></frame>''',
    "order": '''<body name="1"><geom size="1" name="g1"/></body><frame><geom name="w1" size="1"/><body name="2"><frame name="f"><geom name="g3" size="1"/>
        <body name="3"><geom size="1" name="g4"/></body></frame><geom size="1" name="g5"/></body></frame><body name="4"/><geom name="w2" size="1"/>''',
    "empty": '<frame name="f"/><frame/>',
    "mocap": '<frame pos="1 0 0"><body mocap="true" pos="0 2 0"/></frame>',
    "simple": '<frame pos="1 0 0"><body><frame euler="0 90 0"><joint axis="1 0 0"/><geom size="1"/></frame></body></frame>',
    "two inertials": '''<body><frame pos="1 0 0"><inertial mass="1" pos="1 0 0" diaginertia="1 1 1"/></frame>
        <inertial mass="2" pos="1 0 0" diaginertia="1 1 1"/></body>''',
}
REFUSED = {
    "joint in the world": ("<frame><joint/></frame>", "the world cannot have joints"),
    "inertia in the world": ('<frame><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/></frame>', "the world cannot have an inertia"),
    "two orientations": ('<frame quat="1 0 0 0" euler="1 0 0"/>', "'quat' and 'euler' cannot both be given"),
    "no direction": ('<frame quat="0 0 0 0"/>', "'quat' has no direction"),
    "unknown class": ('<frame childclass="no"/>', "unknown default class 'no'"),
    "name twice": ('<frame name="f"/><frame name="f"/>', "the frame name 'f' is already used"),
}


def model(inner: str, before: str = CLASSES) -> str:
    return f"<mujoco>{before}<worldbody>{inner}</worldbody></mujoco>"


@pytest.mark.parametrize("name", IN_BODY)
def test_agrees_with_the_official_compiler(name):
    assert off(model(IN_BODY[name])) == ""


def test_angles_of_a_frame_follow_the_compiler_settings():
    assert off(model('<frame euler="1 .3 .2"><geom size="1" type="box" euler=".1 1 0"/></frame>', '<compiler angle="radian" eulerseq="ZYX"/>' + CLASSES)) == ""


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_the_official_compiler_refuses(name):
    inner, said = REFUSED[name]
    assert both_refuse(model(inner))
    assert said in ours(model(inner))
