"""Replicated elements and what refers to them, against the official compiler: every field, every name, the order, and refusals."""
import time

import pytest

from physics import ModelError, load_string
from physics.expand.expand import expand
from physics.mjcf.reader import read_text
from tests.physics.compiler.whole import both_refuse, off, ours

BODY = '<body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>'
OUTER = '<body name="o" pos="0 3 0"><joint name="oj"/><geom name="og" size="1"/><site name="os"/></body>'


def twice(inside: str, count: int = 2, more: str = "") -> str:
    return f'<replicate count="{count}" offset="1 0 0" {more}>{inside}</replicate>'


def model(world: str, before: str = "", after: str = "") -> str:
    return f"<mujoco>{before}<worldbody>{world}</worldbody>{after}</mujoco>"


CLASS = '<default><default class="a"><geom rgba="1 0 0 1"/></default></default>'
AGREE = {
    "numbers": model(twice('<geom name="g" size="1"/>', 11)),
    "one": model(twice('<geom name="g" size="1"/>', 1)),
    "ten": model(twice('<geom name="g" size="1"/>', 10)),
    "none": model(OUTER + twice(BODY, 0), after='<sensor><jointpos joint="j"/></sensor>'),
    "turned": model('<replicate count="5" offset="1 .2 0" euler="10 20 30" sep="-"><geom name="g" type="box" pos=".1 .2 .3" size="1 2 3"/></replicate>',
                    '<compiler eulerseq="zYx"/>'),
    "radians": model('<replicate count="5" offset="1 .2 0" euler=".1 .2 .3"><geom name="g" type="box" size="1 2 3"/></replicate>',
                     '<compiler angle="radian"/>'),
    "nested": model(twice(twice(BODY, 2), 3), after='<sensor><jointpos joint="j"/></sensor><tendon><fixed name="t"><joint joint="j" coef="1"/></fixed>'
                    '</tendon><actuator><motor tendon="t"/></actuator>'),
    "in body and frame": model(f'<body name="x" pos="0 0 1"><joint/><geom size="1"/><frame euler="0 0 30" pos="1 0 0">{twice(BODY, 3)}</frame></body>'),
    "sensors": model(OUTER + twice(BODY), after='''<sensor><clock name="c"/><clock/><e_potential name="e"/><jointpos joint="j" name="jp"/><jointpos joint="oj"/>
        <framepos objtype="body" objname="b" reftype="body" refname="o"/><framepos objtype="body" objname="o" reftype="body" refname="b"/>
        <framepos objtype="body" objname="o" reftype="body" refname="o"/><framepos name="w" objtype="body" objname="world"/></sensor>'''),
    "contact": model(OUTER + twice(BODY), after='''<contact><exclude body1="b" body2="world"/><exclude name="E" body1="o" body2="b"/></contact>'''),
    "tuple": model(OUTER + twice(BODY), after='''<custom><tuple name="t"><element objtype="body" objname="b"/></tuple><numeric name="n" data="1"/>
        <tuple name="u"><element objtype="body" objname="o"/></tuple><tuple name="w"><element objtype="body" objname="world"/></tuple>
        <tuple name="v"><element objtype="body" objname="o"/><element objtype="body" objname="b"/></tuple></custom>'''),
    "tendons and actuators": model(OUTER + twice(BODY), after='''<tendon><fixed name="T"><joint joint="j" coef="1"/><joint joint="oj" coef="2"/></fixed></tendon>
        <actuator><motor name="A" tendon="T"/><motor joint="j"/><motor joint="oj"/></actuator>
        <sensor><tendonpos tendon="T"/><actuatorpos actuator="A"/></sensor>'''),
    "camera": model(OUTER + twice('<body name="b"><camera name="cam" mode="targetbody" target="b"/></body>')),
    "materials": model(twice('<geom name="g" size="1" material="m"/>'), '<asset><material name="m"/></asset>'),
    "childclass": model(twice('<geom size="1"/>', more='childclass="a"'), CLASS),
    "class": model(twice('<geom size="1"/>', more='class="a"'), CLASS),
    "class of a frame": model('<frame class="a"><geom size="1"/></frame>', CLASS),
    "class around": model(f'<body childclass="a">{twice("""<geom size="1"/><body><geom size="2"/></body>""")}</body>', CLASS),
    "inertial": model(f'<body><joint/>{twice("""<inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/><geom size="1"/>""")}</body>'),
    "name again, afterwards": model(twice('<geom name="g" size="1"/>') + '<geom name="g" size="1"/>'),
    "strange attributes inside": model(twice('<body size="1" mode="x"><geom size="1" oops="2"/></body>')),
    "frame names": model(twice('<frame name="f"><geom size="1"/></frame>')),
    "keyframes": model(twice('<body name="b"><joint/><geom size="1"/></body>', 3), after='<keyframe><key qpos="1"/><key qpos="1 2 3"/></keyframe>'),
}
REFUSED = {
    "target outside": (model(OUTER + twice('<camera mode="targetbody" target="o"/>')), "unknown body 'o0'"),
    "target inside, from outside": (model(OUTER + '<camera mode="targetbody" target="b"/>' + twice(BODY)), "unknown body 'b'"),
    "named later": (model(twice(BODY) + OUTER, after='<contact><exclude body1="o" body2="b"/></contact>'), "unknown body 'b'"),
    "joint": (model(f'<body>{twice("""<joint/><geom size="1"/>""")}</body>'), "a joint cannot stand directly in a replicate"),
    "joint in frame": (model(f'<body>{twice("""<frame><frame><joint/></frame></frame>""")}</body>'), "a joint cannot stand directly in a replicate"),
    "joint in open frame": (model(f'<body>{twice("<frame><joint/>" + twice("<site/>") + "</frame>")}</body>'), "a joint cannot stand directly"),
    "no count": (model("<replicate><site/></replicate>"), "'count' is missing"),
    "count in parts": (model('<replicate count="2.5"><site/></replicate>'), "'count'"),
    "offset too short": (model('<replicate count="2" offset="1 2"><site/></replicate>'), "'offset'"),
    "name taken": (model('<geom name="g0" size="1"/>' + twice('<geom name="g" size="1"/>')), "the geom name 'g0' is already used"),
    "name twice": (model('<geom name="g" size="1"/>' + twice('<geom name="g" size="1"/>')), "the geom name 'g' is already used"),
    "unknown joint": (model(twice(BODY), after='<sensor><jointpos joint="x"/></sensor>'), "unknown joint 'x'"),
}


@pytest.mark.parametrize("name", AGREE)
def test_agrees_with_the_official_compiler(name):
    assert off(AGREE[name]) == ""


@pytest.mark.parametrize("name", REFUSED)
def test_refuses_what_the_official_compiler_refuses(name):
    text, said = REFUSED[name]
    assert both_refuse(text)
    assert said in ours(text)


@pytest.mark.parametrize("text", [
    model('<replicate count="1000000000"><geom size="1"/></replicate>'),
    model('<replicate count="1000"><replicate count="1000"><replicate count="1000"><geom size="1"/></replicate></replicate></replicate>'),
    model(twice("<site/>", 60), after="<sensor><clock/></sensor>"),
], ids=["flat", "nested", "doubling sensors"])
def test_absurd_counts_are_refused_at_once(text):
    start = time.process_time()
    with pytest.raises(ModelError) as caught:
        load_string(text)
    assert time.process_time() - start < 2
    issue, = caught.value.issues
    assert "more than" in issue.what and issue.place.column > 20 and "replicate" in issue.path


def test_copies_of_nothing_take_no_time():
    start = time.process_time()
    text = model('<replicate count="100000"><replicate count="100000"/></replicate>')
    assert load_string(text).nbody == load_string(model("")).nbody
    assert time.process_time() - start < 2


def test_copies_point_at_the_text_that_made_them():
    text = "<mujoco>\n<worldbody>\n<replicate count='3' offset='1 0 0'>\n<body name='b'><geom name='g' size='1'/></body></replicate></worldbody></mujoco>"
    m = load_string(text)
    assert m.names["geom"] == ("g0", "g1", "g2")
    assert [(place.line, place.column) for place in m.places["geom"]] == [(4, 16)] * 3


def test_the_tree_of_the_editor_stays_as_written():
    read = read_text(model(twice(BODY)))
    expanded = expand(read)
    assert read.root.first("worldbody").children[0].tag == "replicate"
    ids = [element.id for element in expanded.root.walk()]
    assert len(set(ids)) == len(ids)


def test_a_model_without_macros_is_not_copied():
    read = read_text(model(OUTER))
    assert expand(read).root is read.root
