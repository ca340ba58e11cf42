"""How many numbers of act and ctrl an actuator takes in a keyframe: as many as the compiler gives it, and the official one."""
import pytest

import physics
from physics.expand.expand import expand
from physics.expand.key_layout import layout_of
from physics.mjcf.reader import read_text
from physics.spec.defaults import Resolver

MOTOR = 'motorconst=".05" resistance="2"'
# actuator -> (numbers in act, numbers in ctrl)
ACTUATORS = {
    '<motor joint="h"/>': (0, 1), '<position joint="h"/>': (0, 1), '<position joint="h" timeconst=".1"/>': (1, 1), '<position joint="h" timeconst="0"/>': (0, 1),
    '<intvelocity joint="h" actrange="-1 1"/>': (1, 1), '<velocity joint="h"/>': (0, 1), '<damper joint="h" ctrlrange="0 1"/>': (0, 1),
    '<cylinder joint="h"/>': (1, 1), '<muscle joint="h" lengthrange="0 1"/>': (1, 1), '<adhesion body="b" ctrlrange="0 1"/>': (0, 1),
    '<general joint="h" dyntype="filter"/>': (1, 1), '<general joint="h" dyntype="user" actdim="3"/>': (3, 1), '<general joint="h" dyntype="none"/>': (0, 1),
    '<general joint="h" class="lazy"/>': (1, 1), '<position joint="h" class="slow"/>': (1, 1), '<motor joint="h" class="lazy"/>': (0, 1),
    '<pid joint="h" kp="10"/>': (0, 2), '<pid joint="h" kp="10" ki="1"/>': (1, 2),
    '<pid joint="h" slewmax="2"/>': (1, 2), '<pid joint="h" ki="1" slewmax="2" input="pos vel ff"/>': (2, 3),
    '<pid joint="h" class="held"/>': (1, 2), '<pid joint="h" kp="1" input="vel"/>': (0, 1),
    f'<dcmotor joint="h" {MOTOR}/>': (0, 1), f'<dcmotor joint="h" {MOTOR} inductance=".01"/>': (1, 1), f'<dcmotor joint="h" {MOTOR} thermal="3 .5 0 0 25 25"/>': (1, 1),
    f'<dcmotor joint="h" {MOTOR} lugre="500 5 .8 1 .1" inductance=".01"/>': (2, 1), f'<dcmotor joint="h" {MOTOR} input="none"/>': (0, 0),
    f'<dcmotor joint="h" {MOTOR} input="pos vel" controller="12 2 3"/>': (1, 2), f'<dcmotor joint="h" {MOTOR} input="pos" controller="12 2 3 4" inductance=".01"/>': (3, 1),
    '<orientation joint="ball" kp="1"/>': (0, 3), '<orientation joint="ball" kp="1" input="quat"/>': (0, 4),
    '<general joint="ball" gaintype="so3" biastype="so3" dyntype="integrator" gainprm="1" biasprm="0 -1"/>': (3, 3),
}
TEXT = """<mujoco><default><default class="lazy"><general dyntype="filterexact"/></default><default class="slow"><position timeconst=".2"/></default>
<default class="held"><pid ki="3"/></default></default>
<worldbody><body name="b"><joint name="h" range="-1 1" limited="true"/><geom size=".1"/>
<body pos="0 0 1"><joint name="ball" type="ball"/><geom size=".1"/></body></body></worldbody>
<actuator>{}</actuator></mujoco>"""


@pytest.mark.parametrize("actuator", ACTUATORS)
def test_an_actuator_alone(actuator):
    read = read_text(TEXT.format(actuator), "m.xml")
    root = expand(read).root
    (row,) = layout_of(root, Resolver(root)).actuators
    m = physics.compile_root(read)
    assert row[1:] == ACTUATORS[actuator] == (m.na, m.nu)


@pytest.mark.parametrize("actuator", ACTUATORS)
def test_as_the_official_compiler_counts(actuator):
    m = pytest.importorskip("mujoco").MjModel.from_xml_string(TEXT.format(actuator))
    assert (m.na, m.nu) == ACTUATORS[actuator]


@pytest.mark.parametrize("pid, act, ctrl, both", (('ki="1" input="pos"', "1 7", "3 8", True), ('ki="1" slewmax="2"', "1 2 7", "3 4 8", False)))
def test_numbers_of_what_is_not_attached_are_passed_over(tmp_path, pid, act, ctrl, both):
    """A keyframe of an attached model: of its two actuators only the second one comes along. The official compiler counts one number for each of them then, and refuses others."""
    child = f"""<mujoco><worldbody><body name="a"><joint name="ja"/><geom size=".1"/></body><body name="c"><joint name="jc"/><geom size=".1"/></body></worldbody>
<actuator><pid name="p" joint="ja" {pid}/><intvelocity name="i" joint="jc" actrange="-9 9"/></actuator>
<keyframe><key name="k" act="{act}" ctrl="{ctrl}"/></keyframe></mujoco>"""
    (tmp_path / "c.xml").write_text(child)
    (tmp_path / "m.xml").write_text('<mujoco><asset><model name="c" file="c.xml"/></asset><worldbody><attach model="c" body="c" prefix="p_"/></worldbody></mujoco>')
    m = physics.load(str(tmp_path / "m.xml"))
    assert m.names["actuator"] == ("p_i",) and m.key_act.tolist() == [[7.0]] and m.key_ctrl.tolist() == [[8.0]]
    if both:
        official = pytest.importorskip("mujoco").MjModel.from_xml_path(str(tmp_path / "m.xml"))
        assert official.key_act.tolist() == [[7.0]] and official.key_ctrl.tolist() == [[8.0]]
