"""Classes and files made of elements, and what stands for others written out: the model stays the same, bit for bit where it can."""
import numpy as np
import pytest

from editor.structure.draft import Refusal
from editor.structure.extract import common_attributes, extract_class, extract_include
from editor.structure.includes import groups, include_tag
from editor.structure.inlining.replicates import inline_include, remove_include, unroll
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one, opened, same_world
from tests.oracle.corpus import corpus_file

TEXT = """<mujoco>
  <default>
    <geom rgba="1 0 0 1"/>
    <default class="a"><geom friction="2"/></default>
  </default>
  <worldbody>
    <body name="b" childclass="a">
      <geom name="p" type="capsule" size=".1 .2" condim="4" density="3"/>
      <geom name="q" type="capsule" size=".1 .2" condim="4" density="4"/>
    </body>
    <geom name="r" size=".1 .2" type="capsule" condim="4" pos="0 0 3"/>
  </worldbody>
</mujoco>
"""
FIELDS = ("qpos0", "body_pos", "body_quat", "body_mass", "geom_size", "geom_rgba", "geom_friction", "geom_condim", "jnt_axis", "jnt_range", "dof_damping", "actuator_gainprm",
          "key_qpos", "key_ctrl",           "site_pos", "tendon_length0", "wrap_objid", "sensor_objid", "actuator_trnid")


def equal_models(a, b):
    assert {kind: list(names) for kind, names in a.names.items()} == {kind: list(names) for kind, names in b.names.items()}
    for name in FIELDS:
        assert np.array_equal(getattr(a, name), getattr(b, name)), name


@pytest.mark.parametrize("crlf", [False, True])
def test_a_class_of_what_they_have_in_common(crlf, tmp_path):
    version = of(TEXT.replace("\n", "\r\n") if crlf else TEXT)
    numbers = [one(version, "geom", "p"), one(version, "geom", "q")]
    assert common_attributes(version, numbers) == {"type": "capsule", "size": ".1 .2", "condim": "4"}
    new = after(version, extract_class(version, numbers, "capsules"))
    text = new.texts["/m/main.xml"]
    assert '<default class="capsules">' in text and '<geom name="p" density="3" class="capsules"/>' in text
    equal_models(compiled(version), compiled(new))
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)
    with pytest.raises(Refusal, match="several classes"):
        extract_class(version, [*numbers, one(version, "geom", "r")])
    with pytest.raises(Refusal, match="one kind"):
        extract_class(version, [numbers[0], one(version, "body", "b")])


def test_a_class_in_a_model_without_any():
    version = of("<mujoco><worldbody><geom name='p' size='.1' rgba='1 0 0 1'/><geom name='q' size='.1'/></worldbody></mujoco>")
    new = after(version, extract_class(version, [one(version, "geom", "p"), one(version, "geom", "q")]))
    assert '<geom size=".1"/>' in new.texts["/m/main.xml"]
    equal_models(compiled(version), compiled(new))


@pytest.mark.parametrize("crlf", [False, True])
def test_into_a_file_and_back(crlf, tmp_path):
    version = of(TEXT.replace("\n", "\r\n") if crlf else TEXT)
    new = after(version, extract_include(version, [one(version, "geom", "p"), one(version, "geom", "q")], "/m/parts.xml"))
    assert '      <include file="parts.xml"/>' in new.texts["/m/main.xml"]
    assert ("\r\n" in new.texts["/m/parts.xml"]) == crlf and (not crlf or "\n" not in new.texts["/m/parts.xml"].replace("\r\n", ""))
    equal_models(compiled(version), compiled(new))
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)
    body = new.element(one(new, "body", "b"))
    (place, inside), = [group for group in groups(body) if group[0] is not None]
    back = after(new, inline_include(new, include_tag(new, place, inside[0])))
    assert back.texts["/m/main.xml"] == version.texts["/m/main.xml"]
    gone = after(new, remove_include(new, include_tag(new, place, inside[0])))
    assert compiled(gone).ngeom == 1


def test_includes_inside_are_found_from_the_new_place():
    """hand.xml stands beside parts/arm.xml: from the main file it has another name."""
    version = of("<mujoco>\n  <worldbody>\n    <include file='parts/arm.xml'/>\n  </worldbody>\n</mujoco>\n",
                 **{"parts/arm": "<mujocoinclude>\n  <body name='arm'>\n    <geom size='1'/>\n    <!-- <include file='hand.xml'/> -->\n    <include file='hand.xml'/>\n  </body>\n"
                    "</mujocoinclude>", "parts/hand": "<mujocoinclude><site name='tip'/><site name='palm'/></mujocoinclude>"})
    world = version.root.first("worldbody")
    (place, inside), = groups(world)
    new = after(version, inline_include(version, include_tag(version, place, inside[0])))
    assert "<include file='parts/hand.xml'/>" in new.texts["/m/main.xml"] and "<!-- <include file='hand.xml'/> -->" in new.texts["/m/main.xml"]
    assert not new.read.errors and len([*new.root.walk()]) == len([*version.root.walk()])
    away = after(version, extract_include(version, [one(version, "body", "arm")], "/m/other/arm & leg.xml"))
    assert 'file="other/arm &amp; leg.xml"' in away.texts["/m/parts/arm.xml"] and "<include file='parts/hand.xml'/>" in away.texts["/m/other/arm & leg.xml"]
    assert not away.read.errors and len([*away.root.walk()]) == len([*version.root.walk()])


def test_a_section_into_a_file_of_its_own_and_what_cannot_be():
    version = of(TEXT)
    new = after(version, extract_include(version, [one(version, "default")], "/m/classes.xml"))
    equal_models(compiled(version), compiled(new))
    with pytest.raises(Refusal):
        extract_include(version, [one(version, "geom", "p"), one(version, "geom", "r")], "/m/x.xml")


REPLICATED = """<mujoco>
  <compiler angle="radian"/>
  <worldbody>
    <body name="other" pos="0 0 2"><joint name="o"/><geom size=".1"/><site name="t"/></body>
    <replicate count="3" offset=".5 0 0" euler="0 0 .3" sep="-">
      <body name="b" pos="0 1 0">
        <joint name="j" axis="0 1 0"/>
        <!-- inside -->
        <geom name="g" size=".1"/>
        <site name="s"/>
      </body>
    </replicate>
  </worldbody>
  <tendon><spatial name="cord"><site site="s"/><site site="t"/></spatial></tendon>
  <actuator><motor name="m" joint="j"/><motor name="n" joint="o"/></actuator>
  <sensor><jointpos name="q" joint="j"/></sensor>
  <contact><exclude body1="b" body2="other"/></contact>
  <keyframe><key name="k" qpos="1 2 3 4" ctrl=".1 .2 .3 .4"/></keyframe>
</mujoco>
"""


@pytest.mark.parametrize("crlf", [False, True])
def test_copies_written_out_are_the_same_model(crlf, tmp_path):
    version = of(REPLICATED.replace("\n", "\r\n") if crlf else REPLICATED)
    new = after(version, unroll(version, one(version, "replicate")))
    text = new.texts["/m/main.xml"]
    assert "replicate" not in text and 'name="b-2"' in text and text.count("<!-- inside -->") == 3
    a, b = compiled(version), compiled(new)
    same_world(a, b)
    assert {kind: list(names) for kind, names in a.names.items()} == {kind: list(names) for kind, names in b.names.items()}
    assert np.array_equal(a.key_qpos, b.key_qpos) and np.array_equal(a.key_ctrl, b.key_ctrl) and a.nexclude == b.nexclude
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)


NESTED = """<mujoco>
  <worldbody>
    <replicate count="2" offset="0 2 0" euler="0 0 20" sep="-">
      <body name="row" pos="0 0 1"><joint name="r"/><geom size=".1"/></body>
      <frame pos="0 0 2">
        <replicate count="3" offset=".5 0 0" sep="_">
          <body name="b" pos="0 1 0"><joint name="j" axis="0 1 0"/><joint/><geom name="g" size=".1"/><site name="s"/></body>
          <replicate count="2" offset="0 0 .5"><site name="deep"/></replicate>
        </replicate>
      </frame>
    </replicate>
  </worldbody>
  <actuator><motor name="m" joint="j"/></actuator>
  <sensor><framepos name="p" objtype="site" objname="deep"/><jointpos joint="r"/></sensor>
  <keyframe><key name="k" qpos="1 2 3 4 5 6 7 8 9 10 11 12 13 14" ctrl=".1 .2 .3 .4 .5 .6"/></keyframe>
</mujoco>
"""


@pytest.mark.parametrize("crlf", [False, True])
def test_a_replicate_that_holds_others_is_written_out_with_these(crlf, tmp_path):
    version = of(NESTED.replace("\n", "\r\n") if crlf else NESTED)
    change = unroll(version, one(version, "replicate"))
    new = after(version, change)
    a, b = compiled(version), compiled(new)
    assert "replicate" not in new.texts["/m/main.xml"] and "written out, too" in change.notes[0]
    assert {kind: list(names) for kind, names in a.names.items()} == {kind: list(names) for kind, names in b.names.items()}
    same_world(a, b)
    assert np.array_equal(a.key_qpos, b.key_qpos) and np.array_equal(a.key_ctrl, b.key_ctrl)
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)
    inner = after(version, unroll(version, one(version, "replicate", k=1)))
    assert {kind: list(names) for kind, names in a.names.items()} == {kind: list(names) for kind, names in compiled(inner).names.items()}


@pytest.mark.parametrize("file", ["mj_replicate/newton_cradle.xml", "mj_replicate/stonehenge.xml", "mj_replicate/tendon.xml"])
def test_replicates_that_people_have(file):
    version = opened(corpus_file(file))
    new = version
    while (found := [e for e in new.root.walk() if e.tag == "replicate" and not any(c.tag == "replicate" for c in e.walk() if c is not e)]):
        new = after(new, unroll(new, found[0].id))
    a, b = compiled(version), compiled(new)
    assert [list(names) for names in a.names.values()] == [list(names) for names in b.names.values()] and a.ngeom == b.ngeom
    same_world(a, b)


@pytest.mark.parametrize("crlf", [False, True])
def test_includes_that_people_have(crlf):
    version = opened(corpus_file("menagerie_kuka_iiwa_14/scene.xml"), crlf)
    (place, inside), = [group for group in groups(version.root) if group[0] is not None]
    new = after(version, inline_include(version, include_tag(version, place, inside[0])))
    equal_models(compiled(version), compiled(new))


GRIP = """<mujoco model="grip">
  <compiler angle="radian" eulerseq="zyx"/>
  <default><geom rgba="0 0 1 1" density="500"/><default class="finger"><joint range="-.5 .5" damping="2"/></default></default>
  <asset><material name="blue" rgba="0 0 1 1"/></asset>
  <worldbody>
    <body name="palm" euler=".1 .2 .3">
      <geom name="palm" size=".1" material="blue"/>
      <body name="finger" pos="0 0 .2" axisangle="1 0 0 .5"><joint name="bend" class="finger" ref=".1" axis="0 1 0"/>
        <joint name="push" type="slide" range="-.1 .1"/><geom name="finger" size=".05"/></body>
    </body>
  </worldbody>
  <actuator><position name="bend" joint="bend" kp="3"/></actuator>
  <sensor><jointpos name="bend" joint="bend"/></sensor>
</mujoco>
"""


def test_an_attached_part_written_out_is_the_same_model(tmp_path):
    from editor.structure.inlining.attached_models import inline_attach
    (tmp_path / "grip.xml").write_text(GRIP)
    (tmp_path / "main.xml").write_text("""<mujoco>
  <default><geom rgba="1 1 0 1" friction="2"/></default>
  <asset><model name="grip" file="grip.xml"/></asset>
  <worldbody>
    <body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0"/><geom name="arm" size=".1"/>
      <frame pos="0 0 .3" euler="0 90 0"><attach model="grip" body="palm" prefix="r_"/></frame></body>
  </worldbody>
  <actuator><motor name="a" joint="a"/></actuator>
  <keyframe><key name="k" qpos=".1 .2 .03" ctrl="1 2"/></keyframe>
</mujoco>
""")
    version = opened(tmp_path / "main.xml")
    new = after(version, inline_attach(version, one(version, "attach")))
    assert "attach" not in new.texts[version.main] and 'range="-28.6' in new.texts[version.main]
    a, b = compiled(version), compiled(new)
    same_world(a, b)
    assert {kind: list(names) for kind, names in a.names.items()} == {kind: list(names) for kind, names in b.names.items()}
    for name in FIELDS:
        assert np.allclose(getattr(a, name), getattr(b, name), rtol=1e-12, atol=1e-14), name
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)


def test_classes_of_an_attached_part_serve_joints_that_turn_and_joints_that_slide():
    """A range of a class is an angle for the one and a length for the other; in the other unit it cannot be both."""
    from editor.structure.inlining.attached_models import inline_attach
    child = """<mujoco model="child"><compiler angle="radian"/><default><default class="x"><joint range="-1 1" ref=".5"/><default class="z"><joint type="slide"/></default></default>
<default class="y"><joint type="slide" range="-2 2"/></default></default><worldbody><body name="base"><geom size=".1"/><joint name="a" type="slide" class="x"/><joint name="b" class="x"/>
<joint name="c" type="hinge" class="y"/><joint name="d" class="y"/><joint name="e" class="z"/><joint name="f" class="x" type="slide" range="-3 3"/></body></worldbody></mujoco>"""
    version = of('<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody><attach model="c" prefix="r_"/></worldbody></mujoco>', child=child)
    a, b = compiled(version), compiled(after(version, inline_attach(version, one(version, "attach"))))
    assert np.allclose(a.jnt_range, b.jnt_range, rtol=1e-14) and np.allclose(a.qpos0, b.qpos0, rtol=1e-14) and a.names["joint"] == b.names["joint"]


def test_a_gripper_that_people_have(tmp_path):
    import shutil

    from editor.structure.create import attach_model
    from editor.structure.inlining.attached_models import inline_attach
    arm = tmp_path / "arm"
    shutil.copytree(corpus_file("menagerie_kuka_iiwa_14/scene.xml").parent, arm)
    shutil.copytree(corpus_file("menagerie_robotiq_2f85/2f85.xml").parent, tmp_path / "grip")
    version = opened(arm / "scene.xml")
    attached = after(version, attach_model(version, one(version, "site", "attachment_site"), str(tmp_path / "grip" / "2f85.xml"), prefix="g_"))
    a = compiled(attached)
    assert a.nq > compiled(version).nq and all(len(q) == a.nq for q in a.key_qpos)
    written = after(attached, inline_attach(attached, one(attached, "attach")))
    b = compiled(written)
    same_world(a, b)
    assert list(a.names["actuator"]) == list(b.names["actuator"]) and np.allclose(a.body_mass, b.body_mass)
