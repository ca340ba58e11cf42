"""Includes and default classes: small tricky inputs, each accepted with the same model or refused as by the official compiler."""
import os

import pytest

from physics import compile_root
from physics.mjcf.reader import read
from tests.physics.compiler.whole import off, official, ours

GEOM = '<mujoco><worldbody><geom size="1"/></worldbody></mujoco>'
BODY = '<worldbody><body><joint name="j" range="-20 30"/><geom size=".1"/></body></worldbody>'
PART = '<x><geom size="1" name="g"/></x>'


def model(inside: str) -> str:
    return f"<mujoco>{inside}</mujoco>"


INCLUDES = {
    "of a whole model": (model('<include file="a.xml"/>'), {"a": GEOM}),
    "any root": (model('<include file="a.xml"/>'), {"a": GEOM.replace("mujoco", "foo")}),
    "attributes of its root": (model('<include file="a.xml"/>'), {"a": GEOM.replace("<mujoco>", '<mujoco model="x" foo="3">')}),
    "in a body": (model('<worldbody><body><include file="a.xml"/></body></worldbody>'), {"a": '<m><geom size="1"/><joint/></m>'}),
    "two roots": (model('<include file="a.xml"/>'), {"a": '<geom size="1"/><joint/>'}),
    "empty root": (model('<include file="a.xml"/>'), {"a": "<mujoco/>"}),
    "empty file": (model('<include file="a.xml"/>'), {"a": ""}),
    "only a comment": (model('<include file="a.xml"/>'), {"a": "<mujoco><!-- x --></mujoco>"}),
    "twice": (model('<worldbody><include file="a.xml"/><include file="a.xml"/></worldbody>'), {"a": PART}),
    "twice by two paths": (model('<worldbody><include file="a.xml"/><include file="sub/../a.xml"/></worldbody>'), {"a": PART}),
    "twice through another": (model('<include file="b.xml"/><include file="a.xml"/>'), {"a": GEOM, "b": model('<include file="a.xml"/>')}),
    "itself": (model('<include file="main.xml"/>'), {}),
    "a circle": (model('<include file="a.xml"/>'), {"a": model('<include file="b.xml"/>'), "b": model('<include file="a.xml"/>')}),
    "beside the main file": (model('<include file="sub/a.xml"/>'), {"sub/a": model('<include file="sub/b.xml"/>'), "sub/b": GEOM}),
    "beside the including file": (model('<include file="sub/a.xml"/>'), {"sub/a": model('<include file="b.xml"/>'), "sub/b": GEOM}),
    "main file's folder first": (model('<include file="sub/a.xml"/>'),
                                 {"sub/a": model('<include file="b.xml"/>'), "sub/b": GEOM, "b": GEOM.replace('"1"', '"2"')}),
    "two levels down": (model('<include file="sub/a.xml"/>'),
                        {"sub/a": model('<include file="deep/b.xml"/>'), "sub/deep/b": model('<include file="c.xml"/>'), "sub/deep/c": GEOM}),
    "not two levels up": (model('<include file="sub/a.xml"/>'),
                          {"sub/a": model('<include file="deep/b.xml"/>'), "sub/deep/b": model('<include file="c.xml"/>'), "sub/c": GEOM}),
    "missing": (model('<include file="a.xml"/>'), {}),
    "no file": (model("<include/>"), {}),
    "empty name": (model('<include file=""/>'), {}),
    "another attribute": (model('<include file="a.xml" x="1"/>'), {"a": GEOM}),
    "elements inside": (model('<include file="a.xml"><geom/></include>'), {"a": GEOM}),
    "text inside": (model('<include file="a.xml">hello</include>'), {"a": GEOM}),
    "backslash": (model('<include file="sub\\a.xml"/>'), {"sub/a": GEOM}),
    "spaces": (model('<include file=" a.xml "/>'), {"a": GEOM}),
    "a folder": (model('<include file="sub"/>'), {}),
    "as root": ('<include file="a.xml"/>', {"a": GEOM}),
    "in defaults": (model('<default><include file="a.xml"/></default><worldbody><geom class="k"/></worldbody>'),
                    {"a": '<x><default class="k"><geom size="3"/></default></x>'}),
    "of defaults before others": (model('<include file="a.xml"/><default><geom size="2"/></default><worldbody><geom class="k"/><geom/></worldbody>'),
                                  {"a": model('<default><geom rgba="1 0 0 1"/><default class="k"><geom size="3"/></default></default>')}),
    "of includes only": (model('<include file="a.xml"/>'), {"a": model('<include file="b.xml"/>'), "b": model("<worldbody/>")}),
    "of nothing in the end": (model('<include file="a.xml"/>'), {"a": model('<include file="b.xml"/>'), "b": model("")}),
    "in a replicate": (model('<worldbody><replicate count="2"><include file="a.xml"/></replicate></worldbody>'), {"a": PART}),
    "in a frame": (model('<worldbody><frame pos="1 0 0"><include file="a.xml"/></frame></worldbody>'), {"a": PART}),
    "in an option": (model('<option timestep=".1"><include file="a.xml"/></option>' + BODY), {"a": '<x><flag contact="disable" energy="enable"/></x>'}),
    "of an option": (model('<include file="a.xml"/>' + BODY), {"a": model('<option><flag contact="disable"/></option>')}),
    "in an included option": (model('<include file="a.xml"/>' + BODY),
                              {"a": model('<option><include file="b.xml"/></option>'), "b": model('<flag contact="disable"/>')}),
    "in an option with flags": (model('<option><include file="a.xml"/><flag gravity="disable"/></option>'), {"a": model('<flag contact="disable"/>')}),
    "in one of two options": (model('<option><include file="a.xml"/></option><option><flag gravity="disable"/></option>'), {"a": model('<flag contact="disable"/>')}),
    "in a compiler": (model('<compiler><include file="a.xml"/></compiler>' + BODY + '<actuator><muscle joint="j"/></actuator>'),
                      {"a": '<x><lengthrange accel="3" inttotal="3"/></x>'}),
    "in the visuals": (model('<visual><include file="a.xml"/></visual>'), {"a": '<x><map znear=".3"/><quality shadowsize="64"/></x>'}),
    "in a tendon": (model(BODY + '<tendon><fixed><include file="a.xml"/></fixed></tendon>'), {"a": '<x><joint joint="j" coef="2"/></x>'}),
    "compiler later": (model('<compiler angle="radian"/><include file="a.xml"/><worldbody><geom size="1" euler="1 0 0"/></worldbody>'),
                       {"a": model('<compiler angle="degree"/>')}),
}


@pytest.mark.parametrize("name", INCLUDES)
def test_includes_are_read_as_by_the_official_compiler(tmp_path, name):
    main, files = INCLUDES[name]
    (tmp_path / "sub" / "deep").mkdir(parents=True)
    for file, text in files.items():
        (tmp_path / f"{file}.xml").write_text(text)
    (tmp_path / "main.xml").write_text(main)
    assert off(path=tmp_path / "main.xml") == ""


def test_what_an_include_does_not_bring_in_is_reported(tmp_path):
    (tmp_path / "a.xml").write_text('<x>\n<flag contact="disable"/></x>')
    (tmp_path / "main.xml").write_text(model('<option><include file="a.xml"/></option>' + BODY))
    told = read(tmp_path / "main.xml")
    compile_root(told)
    assert [(issue.severity, os.path.basename(issue.place.file), issue.place.line) for issue in told.issues] == [("warning", "a.xml", 2)]
    assert "brings in no <flag>" in told.issues[0].what


def defaults(default: str, world: str = '<geom size="1"/>') -> str:
    return model(f"<default>{default}</default><worldbody>{world}</worldbody>")


ACTUATED = '<worldbody><body><joint name="j"/><geom size="1"/></body></worldbody><actuator>'
CLASSES = {
    "outermost named": model('<default class="x"><geom size="1"/></default>'),
    "outermost named main": model('<default class="main"><geom size="1"/></default><worldbody><geom/></worldbody>'),
    "main inside": defaults('<default class="main"/>'),
    "no name": defaults("<default/>"),
    "empty name": defaults('<default class=""/>'),
    "repeated": defaults('<default class="a"/><default class="a"/>'),
    "repeated inside": defaults('<default class="a"><default class="a"/></default>'),
    "repeated in another section": model('<default><default class="a"/></default><default><default class="a"/></default>'),
    "parent's settings after the class": defaults('<default class="a"><geom rgba="1 0 0 1"/></default><geom size="3"/>', '<geom class="a"/>'),
    "second section": model('<default><default class="a"><geom size="1"/></default></default><default><geom size="3" rgba="1 0 0 1"/></default>'
                            '<worldbody><geom class="a"/><geom/></worldbody>'),
    "section after use": model('<worldbody><geom class="a"/></worldbody><default><default class="a"><geom size="2"/></default></default>'),
    "empty class of a geom": defaults("", '<geom class="" size="1"/>'),
    "empty childclass": defaults("", '<body childclass=""><geom size="1"/></body>'),
    "main within a childclass": defaults('<geom size="2"/><default class="a"><geom size="3"/></default>', '<body childclass="a"><geom class="main"/><geom/></body>'),
    "childclasses nested": defaults('<default class="a"><geom size="2"/><default class="b"><geom size="3"/></default></default>',
                                    '<body childclass="a"><geom/><body childclass="b"><geom/><frame childclass="a"><geom/></frame></body><body><geom/></body></body>'),
    "attributes of the world": model('<default><default class="a"/></default><worldbody childclass="a"/>'),
    "one tag twice": defaults('<geom size="2"/><geom rgba="1 0 0 1"/>'),
    "free joints": defaults('<joint armature="2" damping="3"/>', '<body><freejoint/><geom size="1"/></body><body><joint type="free"/><geom size="1"/></body>'),
    "orientations": defaults('<geom euler="10 20 30"/>', '<geom size="1"/><geom size="1" quat="1 0 0 0"/><geom size="1" axisangle="1 0 0 30"/>'),
    "fromto": defaults('<geom type="capsule" fromto="0 0 0 1 1 1" size=".1"/>', '<geom/><geom fromto="0 0 0 1 0 0"/>'),
    "fromto and pos": defaults('<geom type="capsule" fromto="0 0 0 1 1 1" size=".1"/>', '<geom pos="1 0 0"/>'),
    "short lists": defaults('<geom size="1 2 3" type="box" friction="2 3 4" solimp=".8 .9 .01 .4 1" user="1 2 3"/>', '<geom size="4 5" friction="1" solimp=".7" user="4"/>'),
    "limits": defaults('<joint range="0 1"/>', '<body><joint/><geom size="1"/></body><body><joint limited="false"/><geom size="1"/></body>'),
    "a name": defaults('<geom name="x"/>'),
    "class on a body": defaults('<default class="a"/>', '<body class="a"/>'),
    "class on a free joint": defaults('<default class="a"/>', '<body><freejoint class="a"/><geom size="1"/></body>'),
    "other actuators": model(f'<default><position kp="20"/><velocity kv="9"/></default>{ACTUATED}<position joint="j"/><velocity joint="j"/></actuator>'),
    "general for shortcuts": model(f'<default><general gainprm="5" biastype="affine" biasprm="0 1 2"/></default>{ACTUATED}<motor joint="j"/><position joint="j"/></actuator>'),
}


@pytest.mark.parametrize("name", CLASSES)
def test_default_classes_are_those_of_the_official_compiler(name):
    assert off(CLASSES[name]) == ""


def test_strange_attributes_of_frames_only_warn():
    text = model('<worldbody><frame foo="1"><replicate count="2" prefix="x"><geom size="1"/></replicate></frame></worldbody>')
    assert off(text) == ""
    assert not isinstance(official(text), str) and not isinstance(ours(text), str)
