"""Elements deleted with all that needs them, and keyframes that lose their numbers."""
import pytest

from editor.structure.delete import InUse, delete
from editor.structure.draft import Refusal
from editor.structure.users import uses_of
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one, opened
from tests.oracle.corpus import corpus_file

TEXT = """<mujoco>
  <asset><material name="red" rgba="1 0 0 1"/><texture name="t" type="2d" builtin="flat" width="8" height="8"/></asset>
  <default><default class="c"><geom rgba="0 1 0 1"/></default></default>
  <worldbody>
    <site name="anchor"/>
    <!-- goes, too -->
    <body name="arm">
      <freejoint name="free"/>
      <geom name="g" size=".1" material="red" class="c"/>
      <body name="hand" pos="0 0 .5">
        <joint name="wrist" type="ball"/>
        <geom name="h" size=".1"/>
        <site name="tip"/>
        <camera name="eye" mode="targetbody" target="leg"/>
      </body>
    </body>
    <body name="leg" pos="1 0 0">
      <joint name="knee" ref="3"/>
      <geom name="l" size=".1"/>
      <site name="toe"/>
    </body>
    <body name="ghost" mocap="true"><geom size=".01" contype="0" conaffinity="0"/></body>
  </worldbody>
  <contact><exclude body1="arm" body2="leg"/><pair geom1="h" geom2="l"/></contact>
  <tendon>
    <spatial name="cord"><site site="tip"/><site site="toe"/></spatial>
    <spatial name="long"><site site="anchor"/><site site="tip"/><site site="toe"/></spatial>
  </tendon>
  <equality><connect body1="hand" body2="leg" anchor="0 0 0" name="c"/></equality>
  <actuator><motor name="knee" joint="knee"/><motor name="pull" tendon="cord"/><general name="act" joint="knee" dyntype="filter"/></actuator>
  <sensor><actuatorfrc name="force" actuator="pull"/><jointpos name="angle" joint="knee"/><framepos objtype="site" objname="tip"/></sensor>
  <custom><tuple name="all"><element objtype="sensor" objname="force"/><element objtype="body" objname="leg"/></tuple></custom>
  <keyframe>
    <key name="k" qpos="0 0 1  1 0 0 0
      .5 .5 .5 .5   3" qvel="1 2 3 4 5 6 7 8 9 10" ctrl=".1 .2 .3" act=".9" mpos="7 8 9" mquat="1 0 0 0"/>
    <key name="short" qpos="1 2"/>
  </keyframe>
</mujoco>
""".replace('    <key name="short" qpos="1 2"/>\n', "")


def test_users_are_found_through_one_another():
    version = of(TEXT)
    found = uses_of(version, [one(version, "body", "hand")])
    tags = [(use.element.tag, use.element.name, use.loose) for use in found.found]
    assert tags == [("pair", "", False), ("spatial", "cord", False), ("site", "", False), ("connect", "c", False), ("motor", "pull", False), ("actuatorfrc", "force", False),
                    ("framepos", "", False), ("element", "", False)]
    with pytest.raises(InUse) as used:
        delete(version, [one(version, "body", "hand")])
    assert "spatial 'cord'" in str(used.value)


@pytest.mark.parametrize("crlf", [False, True])
def test_all_of_it_goes_in_one_edit(crlf, tmp_path):
    version = of(TEXT.replace("\n", "\r\n") if crlf else TEXT)
    new = after(version, delete(version, [one(version, "body", "hand")], "delete"))
    m = compiled(new)
    assert (m.nq, m.nu, m.nsensor, m.neq, m.ntendon, m.nexclude, m.npair) == (8, 2, 1, 0, 1, 1, 0)
    text = new.texts["/m/main.xml"]
    assert 'qpos="0 0 1  1 0 0 0   3"' in text and 'qvel="1 2 3 4 5 6 10"' in text and 'ctrl=".1 .3"' in text and 'act=".9"' in text
    mujoco = pytest.importorskip("mujoco")
    agrees_officially(new, mujoco, tmp_path)


def test_a_body_of_the_world_with_its_comment_and_a_mocap_body():
    version = of(TEXT)
    new = after(version, delete(version, [one(version, "body", "arm"), one(version, "body", "ghost")], "delete"))
    text = new.texts["/m/main.xml"]
    assert "goes, too" not in text and "mpos" not in text and "mquat" not in text and 'qpos="3"' in text and 'qvel="10"' in text
    compiled(new)


def test_what_is_of_use_without_only_loses_the_attribute():
    version = of(TEXT)
    new = after(version, delete(version, [one(version, "material"), one(version, "default", "c")], "delete"))
    assert '<geom name="g" size=".1"/>' in new.texts["/m/main.xml"]
    new = after(version, delete(version, [one(version, "body", "leg")], "delete"))
    assert '<camera name="eye"/>' in new.texts["/m/main.xml"]
    compiled(new)


def test_the_last_thing_of_a_section_and_the_world():
    version = of(TEXT)
    with pytest.raises(Refusal):
        delete(version, [one(version, "worldbody")])
    with pytest.raises(Refusal):
        delete(version, [version.root.id])
    new = after(version, delete(version, [one(version, "keyframe")]))
    assert compiled(new).nkey == 0


def test_names_of_copies_count():
    version = of('<mujoco><worldbody><replicate count="3" offset="1 0 0"><body name="b"><joint name="j"/><geom name="g" size=".1"/></body></replicate></worldbody>'
                 '<actuator><motor name="m" joint="j1"/></actuator></mujoco>')
    assert [use.element.tag for use in uses_of(version, [one(version, "body", "b")]).found] == ["motor"]
    compiled(after(version, delete(version, [one(version, "replicate")], "delete")))


@pytest.mark.parametrize("file, crlf", [     # all models, both ways: tests/long/structure.py
    ("menagerie_shadow_hand/scene_right.xml", True), ("menagerie_agility_cassie/scene.xml", False), ("menagerie_google_barkour_vb/scene.xml", True),
    ("menagerie_booster_t1/scene.xml", False), ("mj_humanoid/humanoid.xml", True), ("dm_control_suite/stacker.xml", False)])
def test_models_that_people_have(file, crlf):
    version = opened(corpus_file(file), crlf)
    before = compiled(version)
    bodies = [e for e in version.root.walk() if e.tag == "body" and any(c.tag == "body" for c in e.children)]
    body = bodies[len(bodies) // 2]
    now = compiled(after(version, delete(version, [body.id], "delete")))
    assert now.nbody < before.nbody and now.nkey == before.nkey
    for k in range(before.nkey):
        old = {name: before.key_qpos[k][before.jnt_qposadr[j]] for j, name in enumerate(before.names["joint"]) if name}
        new = {name: now.key_qpos[k][now.jnt_qposadr[j]] for j, name in enumerate(now.names["joint"]) if name}
        assert new.items() <= old.items()


@pytest.mark.parametrize("first", ('<pid name="p" joint="a" kp="10" ki="1" slewmax="2" input="pos vel ff"/>',
                                   '<dcmotor name="p" joint="a" motorconst=".05" resistance="2" input="pos vel" controller="12 2 3" inductance=".01"/>'))
def test_keyframes_with_servos_of_several_states_and_controls(first):
    """What stays has its own numbers still, whatever an actuator before it had."""
    version = of(f"""<mujoco><worldbody><body name="x"><joint name="a"/><geom size=".1"/></body></worldbody>
<actuator>{first}<intvelocity name="i" joint="a" actrange="-9 9"/><motor name="m" joint="a"/></actuator>
<keyframe><key name="k" act="1 2 7" ctrl="{'1 2 3' if "pid" in first else '1 2'} 8 9"/></keyframe></mujoco>""")
    m = compiled(after(version, delete(version, [one(version, first.split()[0][1:])])))
    assert m.key_act.tolist() == [[7.0]] and m.key_ctrl.tolist() == [[8.0, 9.0]]
    m = compiled(after(version, delete(version, [one(version, "motor")])))
    assert m.key_act.tolist() == [[1.0, 2.0, 7.0]] and m.key_ctrl[0].tolist()[-1] == 8.0
