"""Elements that say the same are made once: what is wrong with each is still said of each, and what stands around them still counts."""
import mujoco
import pytest

from physics import ModelError, load_string
from tests.oracle.compiled import compare_compiled

CLASS = ' childclass="c"'


def checked(text, files=None):
    ours = load_string(text, files=files)
    official = mujoco.MjModel.from_xml_string(text, {name: body.encode() for name, body in (files or {}).items()})
    assert compare_compiled(ours, official)[1] == {}
    return ours


def test_each_of_several_equal_mistakes_is_reported():
    joint, geom = '<joint axis="0 0 0"/>', '<geom size="-1"/>'
    with pytest.raises(ModelError) as caught:
        load_string(f"<mujoco><worldbody>\n<body>{joint}{geom}</body>\n<body>{joint}{geom}</body></worldbody></mujoco>")
    places = sorted((i.place.line, i.place.column) for i in caught.value.issues if i.place.column > 1)   # of the bodies: no mass
    assert places == [(2, 20), (2, 40), (3, 20), (3, 40)]


def test_an_equal_geom_weighs_only_where_the_body_asks_its_geoms():
    geom = '<geom type="box" size=".1 .2 .3" density="500"/>'
    m = checked(f"<mujoco><worldbody>{geom}<body><freejoint/>{geom}</body>"
                f'<body pos="2 0 0"><freejoint/><inertial pos="0 0 0" mass="7" diaginertia="1 1 1"/>{geom}</body></worldbody></mujoco>')
    assert m.body_mass[1] == pytest.approx(24) and m.body_mass[2] == 7


def test_equal_joints_mean_what_their_own_model_says():
    joint = '<joint axis="0 1 0" range="-1 1" limited="true" springref="1"/><geom size=".1"/>'
    part = f'<mujoco model="part"><compiler angle="radian"/><worldbody><body name="b">{joint}</body></worldbody></mujoco>'
    m = checked(f'<mujoco><asset><model name="part" file="part.xml"/></asset><worldbody><body name="a">{joint}</body>'
                '<attach model="part" body="b" prefix="x"/></worldbody></mujoco>', {"part.xml": part})
    assert m.jnt_range[0, 1] == pytest.approx(0.0174532925) and m.jnt_range[1, 1] == 1


def test_a_class_changes_equal_elements():
    checked('<mujoco><default><default class="c"><joint damping="2" stiffness="3"/><geom rgba="1 0 0 1" friction=".5"/></default></default><worldbody>'
            '<body><joint axis="1 0 0"/><geom size=".1"/></body><body childclass="c"><joint axis="1 0 0"/><geom size=".1"/></body></worldbody></mujoco>')


def test_weights_of_equal_and_of_unequal_trees():
    arm = '<body pos="0 0 .2"><joint axis="0 1 0"/><joint axis="1 0 0" pos="0 .1 0"/><geom size=".1"/>{}</body>'
    tree = arm.format(arm.format(arm.format("")) + arm.format(""))
    checked(f'<mujoco><worldbody><frame pos="1 0 0">{tree}</frame><frame pos="2 0 0" euler="0 30 0">{tree}</frame>'
            f'<body pos="0 3 0"><joint type="ball"/><geom size=".2"/>{tree}</body></worldbody></mujoco>')


def test_weights_of_a_tree_with_very_many_short_branches():
    finger = '<body pos="{} 0 .1"><joint axis="0 1 0"/><geom size=".02"/><body pos="0 0 .1"><joint axis="1 0 0"/><geom size=".03"/></body></body>'
    fingers = "".join(finger.format(0.1 * k) for k in range(60))
    checked(f'<mujoco><worldbody><body><freejoint/><geom size=".2"/>{fingers}</body></worldbody></mujoco>')


def test_copies_of_one_element_are_made_once_and_each_mistake_is_reported():
    inside = '<body><joint type="slide" axis="0 1 0"/><geom size=".1"/></body>'
    copies = '<replicate count="3" offset="1 0 0"><replicate count="2" offset="0 1 0" euler="0 0 20"{}>{}</replicate></replicate>'
    classes = '<default><default class="c"><joint damping="2"/><geom density="7"/></default></default>'
    m = checked(f'<mujoco>{classes}<worldbody>{copies.format("", inside)}{copies.format(CLASS, inside)}</worldbody></mujoco>')
    assert m.dof_damping.tolist() == [0.0] * 6 + [2.0] * 6 and m.places["joint"][5] == m.places["joint"][0]
    with pytest.raises(ModelError) as caught:
        load_string(f'<mujoco><worldbody>{copies.format("", inside.replace(".1", "-1"))}</worldbody></mujoco>')
    assert sum("size" in issue.what for issue in caught.value.issues) == 6
    with pytest.raises(ModelError) as caught:
        load_string(f'<mujoco><worldbody>{copies.format(CLASS, inside)}</worldbody></mujoco>')
    assert "default class 'c'" in caught.value.issues[0].what
