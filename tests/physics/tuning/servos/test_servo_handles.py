"""Handles change a frozen servo as compiling the changed text does."""
from dataclasses import astuple

import pytest

import physics
from physics.tuning.servos import handles
from physics.tuning.servos.frozen import frozen_servo
from physics.tuning.servos.reference import SineReference
from physics.tuning.servos.scalar import simulate
from tests.physics.tuning.servos.models import SLIDE, off, simple

PLAIN = {"kp": "40", "kv": "1.5", "gear": "2", "forcerange": "-30 30", "ctrlrange": "-.9 .9"}
JOINT = {"damping": ".3 .1", "armature": ".01"}
TENDON = SLIDE.replace("<actuator>", '<tendon><fixed name="t"><joint joint="j" coef="-1.7"/></fixed></tendon><actuator>')
TWO = TENDON.replace("<body>", '<body pos="0 1 0"><joint name="k" type="slide" damping="2"/><geom size=".1" mass="1"/></body><body>', 1).replace(
    '<fixed name="t">', '<fixed name="t"><joint joint="k" coef=".5"/>')


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def servo(actuator=PLAIN, joint=JOINT, target='joint="j"', text=None, lent='armature=".004" damping=".02"', word="position"):
    def written(attributes):
        return " ".join(f'{k}="{v}"' for k, v in attributes.items())
    m = simple(f'<{word} name="a" {target} {lent} {written(actuator)}/>', written(joint), **({"text": text} if text else {}))
    d = physics.Data(m)
    d.qpos[0] = .1
    return frozen_servo(m, d, "a")


def same(one, two):
    reference = SineReference(.2, 1.0, 2.0)
    difference = off(simulate(one, reference, 300), simulate(two, reference, 300))
    assert astuple(one.parts) == pytest.approx(astuple(two.parts))
    return difference < 1e-11


@pytest.mark.parametrize(("change", "attribute", "text"), [
    (lambda s: handles.with_gains(s, kp=70.0), "kp", "70"), (lambda s: handles.with_gains(s, kv=4.0), "kv", "4"), (lambda s: handles.with_gear(s, -3.0), "gear", "-3"),
    (lambda s: handles.with_forcerange(s, (-1.0, 2.0)), "forcerange", "-1 2"), (lambda s: handles.with_ctrlrange(s, (-.1, .2)), "ctrlrange", "-.1 .2"), (lambda s: handles.with_damping(s, 1.1), "damping", "1.1 .1"),
    (lambda s: handles.with_armature(s, .3), "armature", ".3"),
])
def test_one_attribute(change, attribute, text):
    before = servo()
    fresh = servo({**PLAIN, attribute: text}) if attribute in PLAIN else servo(joint={**JOINT, attribute: text})
    assert not same_motion(before, fresh) and same(change(before), fresh)


def same_motion(one, two):
    reference = SineReference(.2, 1.0, 2.0)
    return off(simulate(one, reference, 300), simulate(two, reference, 300)) < 1e-6


def test_a_tendon():
    before = servo(target='tendon="t"', text=TENDON, lent='armature=".04"')
    assert same(handles.with_gear(before, .7), servo({**PLAIN, "gear": ".7"}, target='tendon="t"', text=TENDON, lent='armature=".04"'))
    assert same(handles.with_armature(before, 1.5), servo(joint={**JOINT, "armature": "1.5"}, target='tendon="t"', text=TENDON, lent='armature=".04"'))


def test_a_tendon_over_two_joints():
    two = servo(target='tendon="t"', text=TWO, lent="")
    assert same(handles.with_gear(two, .7), servo({**PLAIN, "gear": ".7"}, target='tendon="t"', text=TWO, lent=""))
    for change, words in ((handles.with_damping, "a damping each"), (handles.with_armature, "an armature each")):
        with pytest.raises(ValueError, match=words):
            change(two, 1.0)


def test_delay():
    late = servo({**PLAIN, "delay": ".0131", "nsample": "12", "interp": "linear"})
    mine = handles.with_delay(late, .0131)
    assert mine.law.samples == 8 and same(mine, late)
    prompt = servo()
    assert same(handles.with_delay(late, 0.0), prompt)
    assert same(handles.with_delay(prompt, .0131), servo({**PLAIN, "delay": ".0131", "nsample": "12"})) and not same_motion(prompt, late)
    with pytest.raises(ValueError, match="delay"):
        handles.with_delay(prompt, -.1)


def test_velocity_servos_and_others():
    speed = servo({"kv": "5", "gear": "2"}, word="velocity")
    assert same(handles.with_gains(speed, kv=9.0), servo({"kv": "9", "gear": "2"}, word="velocity"))
    with pytest.raises(ValueError, match="no kp"):
        handles.with_gains(speed, kp=1.0)
    with pytest.raises(ValueError, match="only position"):
        handles.with_gains(servo({}, word="motor"), kp=1.0)


def test_a_control_in_a_unit_of_its_own_keeps_it():
    scaled = servo({"gainprm": ".4", "biastype": "affine", "biasprm": "0 -40 -2"}, word="general")
    assert handles.with_gains(scaled, kp=80.0).law.gainprm[0] == pytest.approx(.8)
