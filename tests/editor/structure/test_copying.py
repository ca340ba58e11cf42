"""Duplicates and pasted text: names of their own inside, what names them inside follows, nothing else changes."""
import pytest

from editor.structure.copying import copied_text, duplicate, paste
from editor.structure.draft import Refusal
from editor.structure.mirror import other_side
from editor.structure.wrap import unwrap, wrap
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one, opened, same_world
from tests.oracle.corpus import corpus_file

TEXT = """<mujoco>
  <default><default class="c"><geom rgba="1 0 0 1"/></default></default>
  <worldbody>
    <body name="arm" pos="0 0 1" euler="0 30 0" childclass="c">
      <joint name="shoulder" axis="0 1 0"/>
      <geom name="g" size=".1"/>
      <!-- sees the arm -->
      <camera name="eye" mode="targetbody" target="arm" pos="1 0 0"/>
      <frame name="f" pos=".1 .2 .3" euler="0 0 90"><geom name="inner" size=".05" pos=".2 0 0"/><site name="tip" pos="0 0 .1"/></frame>
      <body name="tool" pos=".5 0 0" quat=".5 .5 .5 .5"><geom name="t" size=".02"/><site name="end"/></body>
    </body>
  </worldbody>
  <actuator><motor name="shoulder" joint="shoulder"/></actuator>
  <tendon><spatial name="cord"><site site="tip"/><site site="end"/></spatial></tendon>
  <keyframe><key name="k" qpos=".7" ctrl="1"/></keyframe>
</mujoco>
"""


@pytest.mark.parametrize("crlf", [False, True])
def test_a_duplicate_has_names_of_its_own(crlf, tmp_path):
    version = of(TEXT.replace("\n", "\r\n") if crlf else TEXT)
    new = after(version, duplicate(version, [one(version, "body", "arm")]))
    text = new.texts["/m/main.xml"]
    assert 'name="arm_1"' in text and 'target="arm_1"' in text and text.count("<!-- sees the arm -->") == 2 and 'childclass="c"' in text
    assert not crlf or "\n" not in text.replace("\r\n", "")
    m = compiled(new)
    assert (m.njnt, m.nu, m.nkey) == (2, 1, 1) and m.key_qpos[0].tolist() == [0.7, 0]
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)
    again = after(new, duplicate(new, [one(new, "body", "arm"), one(new, "motor", "shoulder")]))
    assert "arm_2" in again.texts["/m/main.xml"] and compiled(again).nu == 2


def test_what_there_may_be_one_of_is_refused():
    version = of("<mujoco><worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    for what in (("freejoint", None), ("worldbody", None)):
        with pytest.raises(Refusal):
            duplicate(version, [one(version, *what)])


def test_copied_text_pastes_into_another_document(tmp_path):
    version = of(TEXT)
    text = copied_text(version, [one(version, "body", "arm")])
    assert text.startswith('<body name="arm"') and "\n  <joint" in text
    other = of("<mujoco><worldbody><body name='arm'><geom size='.1'/></body></worldbody></mujoco>")
    change = paste(other, text, one(other, "worldbody"))
    new = after(other, change)
    assert "no default 'c'" in change.notes[0]
    m = compiled(new)
    assert set(m.names["body"]) == {"world", "arm", "arm_1", "tool"} and 'target="arm_1"' in new.texts["/m/main.xml"]
    agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)


def test_pasted_actuators_find_their_section_and_what_is_no_element_is_refused():
    version = of(TEXT)
    text = copied_text(version, [one(version, "motor", "shoulder")])
    new = after(version, paste(version, text, one(version, "body", "arm")))
    assert compiled(new).nu == 2 and compiled(new).key_ctrl[0].tolist() == [1, 0]
    for wrong in ("", "hello", "<body", "<nothing/>"):
        with pytest.raises(Refusal):
            paste(version, wrong, one(version, "body", "arm"))


def test_a_text_with_its_first_line_can_be_pasted():
    version = of("<mujoco><asset/><worldbody/></mujoco>")
    new = after(version, paste(version, '\ufeff<?xml version="1.0"?>\n<geom name="g" size="1"/>\n', one(version, "worldbody")))
    assert [e.name for e in new.root.walk() if e.tag == "geom"] == ["g"] and "<?xml" not in new.texts["/m/main.xml"]


def test_a_model_to_be_attached_gets_a_name_of_its_own():
    version = of('<mujoco><asset><model name="c" file="child.xml"/></asset><worldbody><attach model="c" prefix="a_"/></worldbody></mujoco>',
                 child="<mujoco><worldbody><body name='b'><geom size='1'/></body></worldbody></mujoco>")
    new = after(version, duplicate(version, [one(version, "model")]))
    assert [e.name for e in new.root.walk() if e.tag == "model"] == ["c", "c_1"]


def test_an_include_inside_is_written_out_in_the_copy():
    version = of('<mujoco><worldbody><body name="b"><include file="part.xml"/></body></worldbody></mujoco>',
                 part='<mujocoinclude>\n\t<geom name="g" size=".1"/>\n\t<site name="s"/>\n</mujocoinclude>\n')
    new = after(version, duplicate(version, [one(version, "body", "b")]))
    text = new.texts["/m/main.xml"]
    assert text.count("<include") == 1 and 'name="g_1"' in text and 'name="s_1"' in text
    assert compiled(new).ngeom == 2


def test_wrapping_and_taking_away_leave_the_world_as_it_is(tmp_path):
    version = of(TEXT)
    wrapped = after(version, wrap(version, [one(version, "geom", "g"), one(version, "camera", "eye")], "frame", {"name": "w"}))
    same_world(compiled(version), compiled(wrapped))
    back = after(wrapped, unwrap(wrapped, one(wrapped, "frame", "w")))
    assert back.texts == version.texts
    for what in (("frame", "f"), ("body", "tool")):
        new = after(version, unwrap(version, one(version, *what)))
        same_world(compiled(version), compiled(new))
        agrees_officially(new, pytest.importorskip("mujoco"), tmp_path)
    with pytest.raises(Refusal, match="joints"):
        unwrap(version, one(version, "body", "arm"))
    apart = after(version, wrap(version, [one(version, "geom", "g"), one(version, "frame", "f")], "body"))
    same_world(compiled(version), compiled(apart))


def test_a_class_of_a_frame_stays_with_what_it_held():
    version = of(TEXT.replace('<frame name="f"', '<frame name="f" childclass="c"').replace('<body name="arm" pos="0 0 1" euler="0 30 0" childclass="c">', '<body name="arm">'))
    new = after(version, unwrap(version, one(version, "frame", "f")))
    assert '<geom name="inner" size=".05" pos=".1 0.4 0.3"' in new.texts["/m/main.xml"] and compiled(new).geom_rgba[compiled(new).id("geom", "inner")].tolist() == [1, 0, 0, 1]


@pytest.mark.parametrize("file, crlf", [     # all models, both ways: tests/long/structure.py
    ("menagerie_agility_cassie/cassie.xml", True), ("menagerie_shadow_hand/scene_right.xml", False), ("mj_humanoid/humanoid.xml", True)])
def test_models_that_people_have(file, crlf):
    version = opened(corpus_file(file), crlf)
    before = compiled(version)
    bodies = [e for e in version.root.walk() if e.tag == "body" and not any(c.tag == "freejoint" or c.attrs.get("type") == "free" for c in e.children)]
    body = bodies[len(bodies) // 3]
    new = after(version, duplicate(version, [body.id]))
    now = compiled(new)
    same_world(before, now, without={("light", name) for name in before.names["light"]})
    assert now.nbody > before.nbody and all(len(q) == now.nq for q in now.key_qpos)


def test_sides_of_names():
    assert [other_side(name) for name in ("left_arm", "hip_l", "LegRight", "FL_calf", "L", "motor", "kneeLeft", "all")] == \
        ["right_arm", "hip_r", "LegLeft", "FR_calf", "R", "motor", "kneeRight", "all"]
