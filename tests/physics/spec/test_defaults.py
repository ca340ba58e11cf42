"""Default classes resolve as the official compiler resolves them."""

import mujoco
import numpy as np
import pytest

from physics.mjcf.reader import read_text
from physics.spec.defaults import Resolver


def geoms(text):
    """{name: (our attributes, their geom)} of a model given by its default sections and world."""
    result = read_text(text)
    assert not result.errors, [str(issue) for issue in result.errors]
    resolver = Resolver(result.root)
    model = mujoco.MjModel.from_xml_string(text)
    found = {}
    for element in result.root.walk():
        if element.tag == "geom" and element.name:
            found[element.name] = (resolver.attrs(element), model.geom(element.name))
    assert len(found) == sum(bool(model.geom(i).name) for i in range(model.ngeom))
    return found


CHAIN = """<mujoco>
  <default>
    <geom size="0.1 0.2 0.3" friction="2" solref="0.05" rgba="1 0 0 1" type="box"/>
    <default class="a">
      <geom friction="3 0.1" group="2" solimp="0.8"/>
      <default class="b"><geom friction="4" contype="2" size="0.7"/></default>
    </default>
    <default class="c"><joint damping="1"/></default>
  </default>
  <worldbody>
    <geom name="main"/>
    <geom name="main_by_name" class="main" size="0.4"/>
    <geom name="own" class="a" friction="9" group="1"/>
    <body childclass="a">
      <geom name="child"/>
      <geom name="child_c" class="c"/>
      <body>
        <geom name="grandchild" size="0.9 0.8"/>
        <body childclass="b"><geom name="deep"/><geom name="deep_a" class="a" friction="7 7 7"/></body>
      </body>
    </body>
  </worldbody>
  <default><geom margin="0.01"/></default>
</mujoco>"""

FIELDS = ("size", "friction", "solref", "solimp", "rgba", "group", "contype", "conaffinity", "margin", "condim", "priority", "solmix", "gap")


def test_class_chains_give_the_official_values():
    for name, (ours, theirs) in geoms(CHAIN).items():
        for field in FIELDS:
            np.testing.assert_allclose(ours[field], np.squeeze(getattr(theirs, field)), rtol=1e-7, err_msg=f"{name} {field}")


def test_a_later_default_section_does_not_reach_classes_made_before():
    found = geoms(CHAIN)
    assert found["main"][0]["margin"] == 0.01 and found["main"][1].margin[0] == 0.01
    assert found["own"][0]["margin"] == 0 and found["own"][1].margin[0] == 0


def test_a_class_takes_its_parents_settings_wherever_they_are_written():
    text = """<mujoco><default><default class="c"><geom group="3"/></default><geom size="2"/></default>
      <worldbody><geom name="g" class="c"/></worldbody></mujoco>"""
    ours, theirs = geoms(text)["g"]
    assert ours["size"][0] == theirs.size[0] == 2


def test_origin_of_each_value():
    result = read_text(CHAIN, "m.xml")
    resolver = Resolver(result.root)
    deep = next(e for e in result.root.walk() if e.name == "deep")
    attrs = resolver.attrs(deep)
    assert resolver.class_of(deep) == "b"
    assert attrs.place("friction").line == 6 and attrs.place("group").line == 5 and attrs.place("rgba").line == 3
    assert attrs.place("gap") == deep.place == attrs.place()
    assert attrs.given("rgba") and not attrs.own("rgba") and not attrs.given("gap")
    assert attrs.own("name") and attrs.count("friction") == 1 and attrs.count("gap") == 0
    assert attrs.source("gap") is None
    assert attrs.get("mass") is None and attrs.get("mass", 5.0) == 5.0
    with pytest.raises(KeyError):
        attrs["kp"]
    assert resolver.path(deep) == "mujoco/worldbody/body/body/body/geom[deep]"


def test_free_joints_and_inertials_take_no_defaults():
    text = """<mujoco><default><joint damping="3" group="4" stiffness="5"/></default>
      <worldbody><body><freejoint name="f"/><geom size="1"/></body></worldbody></mujoco>"""
    result = read_text(text)
    model = mujoco.MjModel.from_xml_string(text)
    attrs = Resolver(result.root).attrs(next(e for e in result.root.walk() if e.tag == "freejoint"))
    assert attrs["group"] == 0
    assert model.dof_damping[0] == 0


def test_empty_lists_leave_the_default_in_force():
    text = '<mujoco><default><geom size="2"/></default><worldbody><geom name="g" size="" pos=""/></worldbody></mujoco>'
    ours, theirs = geoms(text)["g"]
    assert ours["size"][0] == theirs.size[0] == 2
    assert not ours.own("size")


def test_joints_and_tendons_against_the_official_compiler():
    text = """<mujoco>
      <default>
        <joint damping="1 2" solreflimit="0.03" range="-1 1" limited="true" stiffness="5" frictionloss="0.1"/>
        <tendon stiffness="7" damping="2 3" range="0 1" limited="true"/>
        <default class="t"><tendon springlength="0.3" solimplimit="0.7 0.8"/><joint range="-0.5 0.5" armature="2"/></default>
      </default>
      <compiler angle="radian"/>
      <worldbody><body><joint name="j0"/><joint name="j1" class="t" damping="4"/><geom size="1"/></body></worldbody>
      <tendon><fixed name="t0"><joint joint="j0" coef="1"/></fixed><fixed name="t1" class="t" damping="9"><joint joint="j1" coef="1"/></fixed></tendon>
    </mujoco>"""
    result = read_text(text)
    assert not result.issues
    resolver, model = Resolver(result.root), mujoco.MjModel.from_xml_string(text)
    by_name = {e.name: resolver.attrs(e) for e in result.root.walk() if e.name}
    for name in ("j0", "j1"):
        ours, i = by_name[name], model.joint(name).id
        np.testing.assert_array_equal(ours["range"], model.jnt_range[i])
        np.testing.assert_array_equal(ours["solreflimit"], model.jnt_solref[i])
        assert ours["armature"] == model.dof_armature[i] and ours["damping"][0] == model.dof_damping[i]
        assert ours["stiffness"][0] == model.jnt_stiffness[i] and ours["frictionloss"] == model.dof_frictionloss[i]
    for name in ("t0", "t1"):
        ours, i = by_name[name], model.tendon(name).id
        np.testing.assert_array_equal(ours["solimplimit"], model.tendon_solimp_lim[i])
        assert ours["stiffness"][0] == model.tendon_stiffness[i] and ours["damping"][0] == model.tendon_damping[i]
    np.testing.assert_array_equal(by_name["t1"]["springlength"], model.tendon_lengthspring[1])


SERVO = [
    # defaults, actuator; expected own parameters
    ('<position kp="5"/>', "", "position", "kp"),
    ('<general gear="3"/><position kp="5" gear="2"/>', "", "position", "kp"),
    ('<position kp="5"/>', '<motor gear="2"/>', "position", "kp"),
    ('<velocity kv="4"/>', "", "position", "kp"),
    ('<position kp="5"/><velocity kv="4"/>', "", "position", "kp"),
    ('<position kp="5"/>', "<position kv='2'/>", "position", "kp"),
    ('<velocity kv="4" ctrlrange="0 3"/>', "<position gear='7'/>", "velocity", "kv"),
    ('<velocity kv="4" ctrlrange="0 3"/>', "", "velocity", "kv"),
    ('<motor ctrlrange="0 3" gear="2"/>', '<general gear="3"/>', "motor", None),
    ('<position kp="5"/>', '<velocity kv="2" gear="2"/>', "position", "kp"),
    ('<position kp="5"/>', '<motor/><general gear="3"/>', "position", "kp"),
    ('<velocity kv="4"/>', '<position gear="4"/>', "position", "kp"),
    ('<position kp="5"/><motor gear="2"/><velocity/>', "", "position", "kp"),
    ('<velocity kv="4"/><motor gear="2"/>', "", "velocity", "kv"),
]


@pytest.mark.parametrize(("outer", "inner", "kind", "gain"), SERVO)
def test_actuators_share_mechanics_but_not_gains(outer, inner, kind, gain):
    text = f"""<mujoco><default>{outer}<default class="c">{inner}</default></default>
      <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><{kind} name="m" joint="j"/><{kind} name="n" joint="j" class="c"/></actuator></mujoco>"""
    result = read_text(text)
    assert not result.errors
    resolver, model = Resolver(result.root), mujoco.MjModel.from_xml_string(text)
    for element in result.root.section("actuator"):
        ours, i = resolver.attrs(element), model.actuator(element.name).id
        np.testing.assert_array_equal(ours["gear"], model.actuator_gear[i])
        np.testing.assert_array_equal(ours["ctrlrange"], model.actuator_ctrlrange[i])
        if gain:
            assert ours[gain] == model.actuator_gainprm[i, 0]


@pytest.mark.parametrize(("outer", "inner"), [
    ('<general gainprm="7"/>', '<motor gear="2"/>'), ('<motor gear="2"/><general gainprm="7"/>', ""), ('<general gainprm="7" gaintype="affine"/>', ""),
    ('<general gainprm="7"/>', '<general gaintype="affine"/>'), ('<general gainprm="7"/><motor gear="2"/>', '<position gear="4"/>'),
])
def test_a_servo_reads_general_defaults_of_its_gain_type(outer, inner):
    text = f"""<mujoco><default>{outer}<default class="c">{inner}</default></default>
      <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><position joint="j" class="c"/></actuator></mujoco>"""
    result = read_text(text)
    ours = Resolver(result.root).attrs(result.root.section("actuator")[0])
    kp = ours["kp"] if ours.given("kp") else ours["gainprm"][0]
    assert kp == mujoco.MjModel.from_xml_string(text).actuator_gainprm[0, 0]


def test_shortcuts_answer_for_what_general_sets():
    text = """<mujoco><default><general gainprm="7"/></default>
      <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><position joint="j"/></actuator></mujoco>"""
    result = read_text(text)
    attrs = Resolver(result.root).attrs(result.root.section("actuator")[0])
    assert attrs["gainprm"][0] == 7 == mujoco.MjModel.from_xml_string(text).actuator_gainprm[0, 0]
    assert not attrs.given("kp") and attrs.given("gainprm")
    assert [layer.tag for layer in attrs.layers] == ["general", "position"]


def test_classes_inside_a_class_without_a_name_are_read_all_the_same():
    """The missing name is the reader's to report; what is nested there must not bring the resolver down."""
    text = "<mujoco><default><default><default class='inner'><geom size='2'/></default></default></default><worldbody><geom class='inner'/></worldbody></mujoco>"
    result = read_text(text)
    assert any("'class' is missing" in issue.what for issue in result.errors)
    geom = result.root.first("worldbody").children[0]
    assert Resolver(result.root).attrs(geom)["size"][0] == 2


def test_what_cannot_be_read_is_told():
    text = '''<mujoco><default><default class="a"><geom pos="x 0 0" size="1 2 3 4"/></default></default><worldbody>
      <geom name="g" class="a" pos="1 2"/><geom name="h" class="a" pos="1 2 3" size=".1"/><geom name="i" class="a"/></worldbody></mujoco>'''
    root = read_text(text).root
    g, h, i = (Resolver(root).attrs(element) for element in root.walk() if element.name)
    assert g.unreadable({"pos"}) == 'pos="1 2": 3 values are expected, found 2 values' and g["pos"].tolist() == [0, 0, 0]
    assert "size" in g.unreadable({"size"}) and not g.unreadable({"quat", "rgba"})
    assert not h.unreadable({"pos", "size"})        # the class's is not in force
    assert i.unreadable({"pos"}) == "pos=\"x 0 0\": 'x' is not a number"
