"""Elements moved to other parents: where they are in the world, what their classes say, keyframes, and nothing else of the text."""
import numpy as np
import pytest

from editor.edits.patch import apply
from editor.edits.version import Version
from editor.structure.copying import duplicate
from editor.structure.create import body
from editor.structure.draft import Refusal
from editor.structure.mirror import mirror
from editor.structure.placement import UNIT_POSE, Placement
from editor.structure.reparent import reparent
from editor.structure.wrap import unwrap, wrap
from physics.spec.defaults import Resolver
from tests.editor.structure.versions import after, agrees_officially, compiled, of, one, opened, same_world
from tests.oracle.corpus import corpus_file

ARM = """<mujoco>
  <compiler angle="degree"/>
  <default>
    <geom rgba="1 0 0 1"/>
    <default class="arm">
      <geom rgba="0 1 0 1" size="0.07"/>
      <site pos="0 0 .5"/>
      <default class="tip"><geom density="77"/></default>
    </default>
  </default>
  <worldbody>
    <body name="base" pos="0 0 1" euler="10 20 30">
      <geom name="b" size="0.1"/>
      <!-- the upper arm -->
      <body name="upper" pos="0.1 0.2 0.3" euler="0 90 0" childclass="arm">
        <joint name="shoulder" axis="0 1 0" range="-90 90"/>
        <geom name="u" type="capsule" fromto="0 0 0 0 0 .4" size=".03"/>
        <geom size=".01"/>
        <!-- inner -->
        <body name="lower" pos="0 0 .4" axisangle="1 0 0 45">
          <joint name="elbow" axis="0 1 0" pos="0 0 0.01" ref="5"/>
          <geom name="l" type="box" size=".1 .2 .3" pos="1 2 3" xyaxes="0 1 0 -1 0 0"/>
          <geom size=".01"/>
          <site name="s"/>
          <light name="lamp" pos="0 0 1" dir="0 1 0"/>
          <camera name="eye" pos="0 1 0" zaxis="0 1 1"/>
        </body>
        <frame name="f" pos="0 1 0" quat="0.5 0.5 0.5 0.5"><geom name="framed" size=".2" pos=".1 0 0"/></frame>
      </body>
    </body>
    <body name="other" pos="-1 0 0" quat="0.1 0.2 0.3 0.4">
      <frame name="g" pos="1 1 1" euler="0 0 45">
        <geom name="o" size="0.1"/>
      </frame>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="elbow"/><motor name="n" joint="shoulder"/></actuator>
  <keyframe>
    <key name="home" qpos=".5   .7" ctrl="1 2"/>
  </keyframe>
</mujoco>
"""


@pytest.mark.parametrize("what, into", [(("body", "lower"), ("frame", "g")), (("body", "lower"), ("worldbody", None)), (("body", "upper"), ("body", "other")),
                                        (("geom", "u"), ("frame", "f")), (("geom", "l"), ("body", "other")), (("camera", "eye"), ("frame", "g")),
                                        (("light", "lamp"), ("body", "base")),
                                        (("frame", "f"), ("frame", "g")), (("site", "s"), ("worldbody", None)), (("joint", "elbow"), ("body", "upper"))])
@pytest.mark.parametrize("classes", ["name", "write"])
@pytest.mark.parametrize("crlf", [False, True])
def test_it_stays_where_it_is(what, into, classes, crlf):
    version = of(ARM.replace("\n", "\r\n") if crlf else ARM)
    number = one(version, *what)
    new = after(version, reparent(version, [number], one(version, *into), classes=classes))
    if what[0] == "joint":
        return
    before, now = compiled(version), compiled(new)
    same_world(before, now)
    for field in ("geom_rgba", "geom_size"):
        for name in filter(None, before.names["geom"]):
            assert np.array_equal(getattr(before, field)[before.id("geom", name)], getattr(now, field)[now.id("geom", name)])
    assert ("\r\n" in new.texts["/m/main.xml"]) == crlf
    assert not crlf or "\n" not in new.texts["/m/main.xml"].replace("\r\n", "")
    key = dict(zip(now.names["joint"], now.key_qpos[0], strict=True))
    assert key == {"shoulder": 0.5, "elbow": 0.7}
    holder = next(e for e in new.root.walk() if any(c.tag == what[0] and c.name == what[1] for c in e.children))
    assert (holder.tag, holder.name) == (into[0], into[1] or "")


def test_notations_are_kept_and_the_comment_comes_along():
    version = of(ARM)
    new = after(version, reparent(version, [one(version, "body", "lower")], one(version, "frame", "g")))
    text = new.texts["/m/main.xml"]
    assert 'axisangle="' in text and "<!-- inner -->\n        <body name=\"lower\"" in text
    assert text.replace(text[text.index("<frame name=\"g\""):text.index("</frame>", text.index("<frame name=\"g\""))], "").count("lower") == 0
    assert 'range="-90 90"' in text and '<geom name="l" type="box" size=".1 .2 .3" pos="1 2 3" xyaxes="0 1 0 -1 0 0"/>' in text


def test_local_pose_leaves_the_numbers_alone():
    version = of(ARM)
    new = after(version, reparent(version, [one(version, "body", "lower")], one(version, "worldbody"), pose="local", classes="take"))
    assert '<body name="lower" pos="0 0 .4" axisangle="1 0 0 45">' in new.texts["/m/main.xml"]


def test_reordering_changes_lines_alone_and_keyframes_follow():
    version = of(ARM)
    new = after(version, reparent(version, [one(version, "motor", "n")], one(version, "actuator"), before=one(version, "motor", "m")))
    assert '<actuator><motor name="n" joint="shoulder"/><motor name="m" joint="elbow"/></actuator>' in new.texts["/m/main.xml"]
    assert 'ctrl="2 1"' in new.texts["/m/main.xml"]
    again = after(new, reparent(new, [one(new, "motor", "n")], one(new, "actuator")))
    assert again.texts == version.texts


def test_what_may_not_stand_there_is_refused():
    version = of(ARM)
    for what, into in ((("joint", "elbow"), ("worldbody", None)), (("body", "base"), ("body", "lower")), (("geom", "b"), ("actuator", None)), (("motor", "m"), ("body", "base"))):
        with pytest.raises(Refusal):
            reparent(version, [one(version, *what)], one(version, *into))


def test_a_free_joint_goes_only_when_asked():
    text = ARM.replace('<geom name="o"', '<geom name="p" size=".1"/></frame></body><body name="ball" pos="0 0 3"><freejoint/><geom size=".1"/></body>'
                       '<body name="q"><frame><geom name="o"') \
              .replace('qpos=".5   .7"', 'qpos=".5   .7 0 0 3 1 0 0 0"')
    version = of(text)
    with pytest.raises(Refusal, match="free joint"):
        reparent(version, [one(version, "body", "ball")], one(version, "body", "lower"))
    new = after(version, reparent(version, [one(version, "body", "ball")], one(version, "body", "lower"), free="remove"))
    same_world(compiled(version), compiled(new))
    assert 'qpos=".5   .7"' in new.texts["/m/main.xml"]


@pytest.mark.parametrize("attribute, lost", (('gravcomp="1"', True), ('gravcomp="0"', False), ('user="3"', True), ('sleep="never"', True), ('childclass="c"', False), ("", False)))
def test_a_body_is_not_taken_away_with_what_only_it_can_say(attribute, lost):
    version = of(f"<mujoco><size nuser_body='1'/><default><default class='c'/></default>"
                 f"<worldbody><body name='b' {attribute} pos='0 0 1'><geom name='g' size='1'/></body></worldbody></mujoco>")
    if lost:
        with pytest.raises(Refusal, match=attribute.partition("=")[0]):
            unwrap(version, one(version, "body"))
    else:
        same_world(compiled(version), compiled(after(version, unwrap(version, one(version, "body")))))


def test_replicates_and_attaches_are_put_into_a_frame():
    text = ARM.replace('<geom name="o" size="0.1"/>', '<replicate count="3" offset=".5 0 0"><geom name="o" size="0.1"/></replicate>')
    version = of(text)
    new = after(version, reparent(version, [one(version, "replicate")], one(version, "body", "base")))
    same_world(compiled(version), compiled(new))


def test_between_files():
    version = of('<mujoco><include file="part.xml"/><worldbody><body name="a" pos="1 0 0"><geom name="ga" size=".1"/></body></worldbody></mujoco>',
                 part='<mujocoinclude>\r\n\t<worldbody>\r\n\t\t<body name="b" pos="0 2 0" euler="0 0 90">'
                      '\r\n\t\t\t<geom name="gb" size=".1"/>\r\n\t\t</body>\r\n\t</worldbody>\r\n</mujocoinclude>\r\n')
    new = after(version, reparent(version, [one(version, "body", "a")], one(version, "body", "b")))
    same_world(compiled(version), compiled(new))
    assert "\n" not in new.texts["/m/part.xml"].replace("\r\n", "") and 'name="a"' in new.texts["/m/part.xml"]
    back = after(new, reparent(new, [one(new, "geom", "gb")], one(new, "worldbody", k=1)))
    same_world(compiled(version), compiled(back))
    assert "\r" not in back.texts["/m/main.xml"]


def test_the_official_compiler_agrees(tmp_path):
    mujoco = pytest.importorskip("mujoco")
    version = of(ARM)
    for what, into in ((("body", "lower"), ("frame", "g")), (("body", "upper"), ("body", "other"))):
        agrees_officially(after(version, reparent(version, [one(version, *what)], one(version, *into))), mujoco, tmp_path)


@pytest.mark.parametrize("file, what, into, crlf", [     # all models, both ways: tests/long/structure.py
    ("mj_humanoid/humanoid.xml", "lower_arm_left", "head", True), ("menagerie_shadow_hand/scene_right.xml", "rh_ffproximal", "rh_wrist", False),
    ("menagerie_agility_cassie/scene.xml", "left-shin", "left-hip-yaw", True), ("menagerie_google_barkour_vb/scene.xml", "leg_front_left", "torso", False)])
def test_models_that_people_have(file, what, into, crlf):
    version = opened(corpus_file(file), crlf)
    bodies = [e for e in version.root.walk() if e.tag == "body"]
    moved = next((b for b in bodies if b.name == what), bodies[-1])
    goal = next((b for b in bodies if b.name == into), bodies[0])
    new = after(version, reparent(version, [moved.id], goal.id))
    before, now = compiled(version), compiled(new)
    same_world(before, now)
    assert sorted(before.body_mass) == pytest.approx(sorted(now.body_mass), rel=1e-12)
    if before.nkey:
        def by_name(m):
            return {name: m.key_qpos[0][m.jnt_qposadr[j]] for j, name in enumerate(m.names["joint"]) if name}
        assert by_name(before) == by_name(now)


def test_nothing_moves_in_a_frame_that_is_none():
    assert Placement(pos=(1, 2, 3)).under(*UNIT_POSE).pos == (1, 2, 3)


def test_resolved_values_are_the_same_in_another_class():
    version = of(ARM)
    new = after(version, reparent(version, [one(version, "geom", "u")], one(version, "body", "other"), classes="write"))
    a, b = Resolver(version.root), Resolver(new.root)
    u, v = version.element(one(version, "geom", "u")), new.element(one(new, "geom", "u"))
    for name in a.attrs(u).spec.attributes:
        if name not in ("fromto", "class"):
            assert np.array_equal(a.attrs(u)[name], b.attrs(v)[name]), name
    assert 'rgba="0 1 0 1"' in new.texts["/m/main.xml"][new.texts["/m/main.xml"].index('"other"'):]


def test_a_value_of_several_lines_stays_when_what_holds_it_is_wrapped_unwrapped_moved_and_copied():
    version = of('''<mujoco>
  <asset><material name="of       several         words"/></asset>
  <worldbody>
    <frame name="f">
      <body name="a">
        <geom size=".1" material="of
      several
        words"/>
      </body>
    </frame>
    <body name="b"/>
  </worldbody>
</mujoco>
''')

    def said(now):
        return {one.attrs["material"] for one in now.root.walk() if "material" in one.attrs}

    words = said(version)
    for change in (wrap(version, [one(version, "frame")]), unwrap(version, one(version, "frame")), reparent(version, [one(version, "body", "a")], one(version, "body", "b")),
                   duplicate(version, [one(version, "body", "a")])):
        assert change.edit.patches and said(after(version, change)) == words


def test_an_include_that_has_nothing_left_goes():
    """A file without elements cannot be included."""
    text = ('<mujoco>\n  <worldbody>\n    <body name="a" pos="1 0 0"><geom size=".1"/></body>\n    <include file="part.xml"/>\n    <body name="c"/>\n  </worldbody>\n</mujoco>\n')
    part = '<mujocoinclude>\n  <!-- two -->\n  <body name="p" pos="0 1 0"><geom name="gp" size=".1"/></body>\n  <body name="q"><geom size=".1"/></body>\n</mujocoinclude>\n'
    version = of(text, part=part)
    p, q = (one(version, "body", name) for name in "pq")
    into = [lambda numbers: reparent(version, numbers, one(version, "body", "a")), lambda numbers: reparent(version, numbers, one(version, "worldbody"), one(version, "body", "c")),
            lambda numbers: wrap(version, [one(version, "body", "a"), *numbers])]
    for make in into:
        new = after(version, make([p, q]))
        assert not new.read.errors and "<include" not in new.texts["/m/main.xml"] and new.texts["/m/part.xml"] == part, new.read.errors
        assert [e.name for e in new.root.walk() if e.tag == "body" and e.name in "pq"] == ["p", "q"] and "<!-- two -->" in new.texts["/m/main.xml"]
        same_world(compiled(version), compiled(new))
        new = after(version, make([p]))
        assert "<include" in new.texts["/m/main.xml"] and 'name="p"' not in new.texts["/m/part.xml"]


def test_bodies_with_a_free_joint_in_the_copies_within_a_body_are_refused():
    version = of("<mujoco><worldbody><body name='a'><geom size='.1'/><replicate count='2' offset='1 0 0'><geom size='.1'/></replicate></body>"
                 "<replicate count='2' offset='0 1 0'><geom size='.1'/></replicate><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>")
    inner, outer = (one(version, "replicate", k=k) for k in (0, 1))
    for make in (lambda into: reparent(version, [one(version, "body", "ball")], into), lambda into: body(version, into, "free", "box")):
        with pytest.raises(Refusal, match="free joint"):
            make(inner)
        assert compiled(after(version, make(outer))).njnt >= 2


@pytest.mark.parametrize("bad", ['fromto="0 0 1"', 'quat="0 0 0 0"', 'axisangle="0 0 1"'])
def test_what_cannot_be_read_stays_as_it_is(bad):
    """While somebody is writing it: no place can be worked out, and what was written is not lost."""
    text = ('<mujoco><worldbody><body name="a" pos="1 0 0" quat="1 1 0 0"/><body name="b" quat="1 1 0 0"><geom name="g" type="capsule" size=".1" BAD/></body></worldbody></mujoco>')
    version = Version.of({"main.xml": text.replace("BAD", bad)}, "main.xml")
    for make in (lambda: reparent(version, [one(version, "geom")], one(version, "body", "a")), lambda: mirror(version, [one(version, "geom")], copy=False),
                 lambda: unwrap(version, one(version, "body", "b"))):
        assert bad in {**version.texts, **apply(version.texts, make().edit)}["main.xml"]
    moved = apply(version.texts, reparent(version, [one(version, "geom")], one(version, "worldbody")).edit)["main.xml"]
    assert bad in moved


def test_a_place_that_cannot_be_read_is_no_place():
    """Half-typed numbers count as not given: elements would be kept where they never were."""
    for old, new, words in (('pos="0.1 0.2 0.3"', 'pos="0.1 0.2"', "upper.*3 values are expected, found 2.*mend it first"), ("10 20 30", "10 20 3o", "base.*'3o' is not a number")):
        version = Version.of({"m.xml": ARM.replace(old, new)}, "m.xml")
        with pytest.raises(Refusal, match=words):
            reparent(version, [one(version, "body", "lower")], one(version, "worldbody"))
    wrapped = Version.of({"m.xml": '<mujoco><worldbody><frame name="f" pos="1 2"><geom name="g" size="1"/></frame></worldbody></mujoco>'}, "m.xml")
    with pytest.raises(Refusal, match='pos="1 2"'):
        unwrap(wrapped, one(wrapped, "frame"))
