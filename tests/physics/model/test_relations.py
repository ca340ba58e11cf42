"""What refers to what, both ways."""
import numpy as np

import physics
from physics.model.elements import element
from physics.model.relations import children, referred_by, refers_to, subtree_ends

MODEL = """<mujoco><asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="paint" texture="t"/></asset>
<worldbody><geom name="floor" type="plane" size="1 1 1"/><camera name="eye" mode="targetbody" target="arm"/>
<body name="arm"><joint name="hinge"/><geom name="rod" size=".1" material="paint"/><site name="tip"/>
<body name="hand" pos="1 0 0"><joint name="wrist"/><geom name="palm" size=".1"/></body></body><body name="other"><geom size=".1"/></body></worldbody>
<tendon><fixed name="coupling"><joint joint="hinge" coef="1"/></fixed></tendon>
<contact><pair name="pinch" geom1="rod" geom2="palm"/><exclude name="apart" body1="arm" body2="other"/></contact>
<equality><joint name="gear" joint1="hinge" joint2="wrist"/></equality>
<actuator><motor name="drive" joint="hinge"/></actuator><sensor><jointpos name="angle" joint="hinge"/><framepos name="where" objtype="site" objname="tip" reftype="body" refname="hand"/></sensor></mujoco>"""


def said(pairs):
    return {f"{word}: {what}" for word, what in pairs}


def test_what_elements_refer_to():
    m = physics.load_string(MODEL)
    of = lambda kind, name: said(refers_to(m, element(m, kind, m.id(kind, name))))  # noqa: E731
    assert of("body", "hand") == {"parent: body arm"} and of("body", "world") == set()
    assert of("geom", "rod") == {"body: body arm", "material: material paint"}
    assert of("material", "paint") == {"texture: texture t"} and of("camera", "eye") == {"body: body world", "target: body arm"}
    assert of("tendon", "coupling") == {"passes: joint hinge"} and of("actuator", "drive") == {"acts on: joint hinge"}
    assert of("equality", "gear") == {"joins: joint hinge", "joins: joint wrist"}
    assert of("pair", "pinch") == {"geom: geom rod", "geom: geom palm"} and of("exclude", "apart") == {"body: body arm", "body: body other"}
    assert of("sensor", "where") == {"object: site tip", "reference: body hand"}


def test_what_refers_to_them():
    m = physics.load_string(MODEL)
    hinge = said(referred_by(m, element(m, "joint", m.id("joint", "hinge"))))
    assert hinge == {"tendon: tendon coupling", "sensor: sensor angle", "equality: equality gear", "actuator: actuator drive"}
    arm = said(referred_by(m, element(m, "body", m.id("body", "arm"))))
    assert {"child: body hand", "joint: joint hinge", "geom: geom rod", "site: site tip", "camera: camera eye", "exclude: exclude apart"} == arm
    assert [str(what) for what in children(m, element(m, "body", m.id("body", "arm")))] == ["joint hinge", "geom rod", "site tip", "body hand"]
    assert np.array_equal(subtree_ends(m), [4, 3, 3, 4])
