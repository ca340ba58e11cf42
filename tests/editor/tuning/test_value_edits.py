"""Values of the Model by name, written into the text: only they differ, the compiled model has them, and what the text says otherwise is refused in words."""
import pytest

from editor.edits.patch import apply, inverse
from editor.inspect.subject import Reading
from editor.tuning.value_edits import value_edit
from physics.compiler.compile import compile_root
from physics.enums import ENBL_OVERRIDE
from physics.tuning.model_values import find_value
from tests.editor.structure.versions import of

TEXT = """<mujoco>
  <default><default class="soft"><geom friction="0.5"/></default></default>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1"   friction="0.80 .01"/>
    <body name="arm" pos="0 0 1"><joint name="j" damping="0.50" frictionloss=".1" axis="0 1 0"/><geom name="rod" class="soft" size=".1" solref=".02 1"/></body>
    <replicate count="2" offset="1 0 0"><body pos="2 0 1"><freejoint/><geom name="bead" size=".05"/></body></replicate>
  </worldbody>
  <actuator><position name="servo" joint="j" kp="10"/><general name="plain" joint="j" gainprm="5" biastype="affine" biasprm="0 -5 -1"/></actuator>
</mujoco>
"""


def edited(*pairs, text=TEXT):
    """(text after, its Model); the edit is taken back byte for byte."""
    version = of(text)
    m = compile_root(version.read)
    edit = value_edit(Reading(version), m, [(find_value(m, name), number) for name, number in pairs])
    after = dict(version.texts) | apply(version.texts, edit)
    assert after | apply(after, inverse(edit, version.texts)) == dict(version.texts)
    return after[version.main], compile_root(version.after(edit).read)


@pytest.mark.parametrize("name, number, before, now", [
    ("geom.floor.friction[0]", 1.25, '"0.80 .01"', '"1.25 .01"'), ("geom.floor.friction[2]", 0.5, '"0.80 .01"', '"0.80 .01 0.5"'),
    ("geom.rod.friction[0]", 2.0, 'class="soft" size=".1" solref=".02 1"', 'class="soft" size=".1" solref=".02 1" friction="2"'),
    ("geom.rod.solref[0]", 0.05, 'solref=".02 1"', 'solref=".05 1"'), ("joint.j.damping", 0.7, 'damping="0.50"', 'damping="0.7"'),
    ("joint.j.frictionloss", 0.3, 'frictionloss=".1"', 'frictionloss=".3"'), ("actuator.servo.kp", 40, 'kp="10"', 'kp="40"'),
    ("actuator.plain.gainprm[0]", 7, 'gainprm="5"', 'gainprm="7"'),
])
def test_one_number_is_written_where_it_is_said(name, number, before, now):
    text, m = edited((name, number))
    assert text.split() == TEXT.replace(before, now).split()
    assert find_value(m, name).now(m)[0] == pytest.approx(number)


def test_a_servo_without_words_of_its_own_has_all_its_numbers():
    text, m = edited(("actuator.plain.kp", 9.0))
    assert 'gainprm="9"' in text and 'biasprm="0 -9 -1"' in text and find_value(m, "actuator.plain.kp").now(m)[0] == 9.0


def test_options_are_made_where_there_are_none_and_the_override_is_turned_on():
    text, m = edited(("opt.timestep", 0.001), ("opt.cone", 1), ("opt.o_solref[0]", 0.04))
    assert 'timestep="0.001"' in text and 'cone="elliptic"' in text and m.opt_enableflags & ENBL_OVERRIDE
    assert m.opt_timestep == 0.001 and m.opt_cone == 1 and m.opt_o_solref[0] == 0.04 and m.opt_o_solref[1] == 1.0


def test_two_values_are_one_edit():
    text, m = edited(("geom.floor.friction[0]", 0.3), ("geom.floor.friction[1]", 0.02))
    assert text == TEXT.replace('"0.80 .01"', '"0.3 .02"') and m.geom_friction[0].tolist() == [0.3, 0.02, 0.0001]


def test_copies_that_the_text_says_once_are_written_all_or_not_at_all():
    with pytest.raises(ValueError, match="one of 2 copies"):
        edited(("geom.bead0.friction[0]", 0.3))
    text, m = edited(("geom.*.friction[0]", 0.3))
    assert text.count("0.3") == 3 and (m.geom_friction[:, 0] == 0.3).all()


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="takes numbers"):
        edited(("geom.floor.friction[0]", -1.0))
