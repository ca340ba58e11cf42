"""A motion of the world, written into the text, saved and compiled anew, moves what was dragged by just that motion: whatever stands around it, in every notation, in any state."""
import numpy as np
import pytest

import physics
from editor.document import Document
from editor.edits.patch import Edit, Patch
from editor.tools import rigid
from editor.tools.drag import Motion
from editor.tools.edits import edit_of, outermost
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import ORIENTATIONS, ROTATE, Gizmo
from editor.tools.subject import Moment, read_again, subject_after, subject_of, subject_of_frame
from tests.editor.tools.scenes import MAIN, MOVABLE, PART, Scene, written

CLOSE = 3e-6
# but for what floats, whose state is its own, and the geom in whose middle the frame of such a body is put
IN_STATE = tuple(one for one in MOVABLE if one not in (("body", "free"), ("body", "mover"), ("geom", "cube")))


@pytest.fixture
def scene(tmp_path):
    return Scene(written(tmp_path))


def motion(point, kind: str) -> np.ndarray:
    shift = rigid.shift((0.1, -0.2, 0.05)) if kind != "turn" else np.eye(4)
    return shift @ (rigid.about(point, rigid.turn((0.3, -1.0, 0.5), 0.7)) if kind != "shift" else np.eye(4))


def move(scene: Scene, subject, delta: np.ndarray) -> Scene:
    edit = edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), scene.moment)
    assert edit.patches
    return scene.after(edit)


@pytest.mark.parametrize("how", ["shift", "turn", "both"])
def test_handles_that_are_carried_along_are_where_the_written_text_has_them(scene, how):
    subjects = [scene.subject("geom", name) for name in ("rod", "stick", "wedge", "block")]
    delta = motion(scene.pose("geom", "block")[:3, 3] + (0.1, 0, 0), how)
    before, moment = [one.local for one in subjects], scene.moment
    scene.document.apply(edit_of("move", subjects, Motion("rigid", delta, exact=True, step=1e-3), moment))
    read = [read_again(one, ElementTrees(scene.document), quick=True) for one in subjects]
    assert all(np.abs(one.local - old).max() > 0.01 for one, old in zip(read, before, strict=True))
    for orientation in ORIENTATIONS:
        carried = Gizmo(ROTATE, subjects, orientation, moved=delta).frame(moment)
        assert carried == pytest.approx(Gizmo(ROTATE, read, orientation).frame(moment), abs=CLOSE), orientation


@pytest.mark.parametrize("how", ["shift", "turn", "both"])
def test_what_is_moved_goes_where_it_should(scene, how):
    for kind, name in MOVABLE:
        before = scene.pose(kind, name)
        twist = ("geom", "limb"), ("geom", "large")     # two ends say nothing of a turn about the axis
        subject = scene.subject(kind, name)
        assert scene.moment.base(subject) == pytest.approx(before, abs=1e-9), "the subject is where the engine has it"
        delta = motion(before[:3, 3] + (0.1, 0, 0), how)
        scene = move(scene, subject, delta)
        after, wanted = scene.pose(kind, name), delta @ before
        if (kind, name) in twist:
            after, wanted = after[:, 2:], wanted[:, 2:]
        assert after == pytest.approx(wanted, abs=CLOSE), (kind, name)


def test_in_any_state_of_the_joints(scene):
    random = np.random.default_rng(2)
    for kind, name in IN_STATE:
        qpos = scene.d.qpos.copy()
        for joint in ("swing", "slip", "rail", "k_hinge"):
            qpos[scene.m.jnt_qposadr[scene.m.id("joint", joint)]] += random.uniform(-0.5, 0.5)
        adr = scene.m.jnt_qposadr[scene.m.id("joint", "elbow")]
        quat = random.normal(size=4)
        qpos[adr:adr + 4] = quat / np.linalg.norm(quat)
        scene.d.qpos[:] = qpos
        physics.forward(scene.m, scene.d)
        before, subject = scene.pose(kind, name), scene.subject(kind, name)
        assert scene.moment.base(subject) == pytest.approx(before, abs=1e-9)
        delta = motion(before[:3, 3], "both")
        scene = move(scene, subject, delta)
        scene.d.qpos[:] = qpos
        physics.forward(scene.m, scene.d)
        after, wanted = scene.pose(kind, name), delta @ before
        if name in ("limb", "large"):
            after, wanted = after[:, 2:], wanted[:, 2:]
        assert after == pytest.approx(wanted, abs=CLOSE), (kind, name)


@pytest.mark.parametrize("name", ["swing", "slip", "elbow", "rail", "k_hinge"])
def test_anchors_and_axes_of_joints(scene, name):
    number = scene.m.id("joint", name)
    for joint in ("swing", "slip", "rail"):
        scene.d.qpos[scene.m.jnt_qposadr[scene.m.id("joint", joint)]] += 0.3
    qpos = scene.d.qpos.copy()
    physics.forward(scene.m, scene.d)
    anchor, axis = scene.d.xanchor[number].copy(), scene.d.xaxis[number].copy()
    delta = motion(anchor, "both")
    after = move(scene, scene.subject("joint", name), delta)
    after.d.qpos[:] = qpos
    physics.forward(after.m, after.d)
    assert after.d.xanchor[number] == pytest.approx((delta @ np.append(anchor, 1))[:3], abs=CLOSE)
    if name != "elbow":
        assert after.d.xaxis[number] == pytest.approx(delta[:3, :3] @ axis, abs=CLOSE)


@pytest.mark.parametrize("name", ["sun", "lamp"])
def test_lights(scene, name):
    number = scene.m.id("light", name)
    pos, way = scene.d.light_xpos[number].copy(), scene.d.light_xdir[number].copy()
    delta = motion(pos, "both")
    after = move(scene, scene.subject("light", name), delta)
    assert after.d.light_xpos[number] == pytest.approx((delta @ np.append(pos, 1))[:3], abs=CLOSE)
    assert after.d.light_xdir[number] == pytest.approx(delta[:3, :3] @ way, abs=CLOSE)


@pytest.mark.parametrize("name", ["outer", "inner"])
def test_a_frame_takes_all_that_stands_in_it_along(scene, name):
    root = scene.document.version().root
    element = next(one for one in root.walk() if one.tag == "frame" and one.name == name)
    subject = subject_of_frame(ElementTrees(scene.document), scene.m, element)
    before = {one: scene.pose("geom", one) for one in ("limb", "wedge", "stick")}
    delta = motion(before["limb"][:3, 3], "both")
    after = move(scene, subject, delta)
    for one, pose in before.items():
        wanted = delta @ pose if one != "stick" or name == "outer" else pose
        assert after.pose("geom", one) == pytest.approx(wanted, abs=CLOSE), one


def test_copies_follow_the_one_that_is_dragged(scene):
    poses = {k: scene.pose("body", f"post-{k:02d}") for k in (0, 3, 7)}
    subject = scene.subject("body", "post-07")
    assert subject.copies == 10
    delta = motion(poses[7][:3, 3], "both")
    after = move(scene, subject, delta)
    own = rigid.inverse(poses[7]) @ after.pose("body", "post-07")
    assert after.pose("body", "post-07") == pytest.approx(delta @ poses[7], abs=CLOSE)
    for k in (0, 3):
        assert rigid.inverse(poses[k]) @ after.pose("body", f"post-{k:02d}") == pytest.approx(own, abs=CLOSE)


def test_a_body_that_floats_is_moved_by_as_much_in_the_model(scene):
    number = scene.m.id("body", "free")
    rest = scene.pose("body", "free")
    adr = scene.m.jnt_qposadr[scene.m.body_jntadr[number]]
    scene.d.qpos[adr:adr + 7] = (0.5, 0.6, 0.7, *rigid.quat_of(rigid.pose((0, 0, 0), (1, 0.3, 0.2, 0.1))))
    physics.forward(scene.m, scene.d)
    present = scene.pose("body", "free")
    delta = motion((0.0, 0.0, 0.0), "both")
    subject = scene.subject("body", "free")
    from editor.tools.edits import state_of
    state = state_of(subject, delta, scene.moment)
    assert rigid.pose(state[:3], state[3:]) == pytest.approx(delta @ present, abs=1e-9)
    after = move(scene, subject, delta)
    assert after.pose("body", "free")[:3, 3] == pytest.approx(rest[:3, 3] + (delta @ present)[:3, 3] - present[:3, 3], abs=CLOSE)
    assert after.pose("body", "free")[:3, :3] == pytest.approx(delta[:3, :3] @ rest[:3, :3], abs=CLOSE)


def test_only_what_changed_is_written(scene, tmp_path):
    subject = scene.subject("geom", "ball")
    delta = rigid.shift((0.0, 0.0, 0.25))
    scene.after(edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), scene.moment))
    assert (tmp_path / "part.xml").read_bytes().decode() == PART.replace('"0.000 .10 0"', '"0.000 .10 0.25"'), "line ends, quotes, spaces and the numbers that stayed"
    assert (tmp_path / "main.xml").read_bytes().decode() == MAIN


def test_a_shift_writes_no_orientation_and_free_drags_few_digits(scene, tmp_path):
    subject = scene.subject("geom", "block")
    parent = scene.moment.carrier(subject) @ subject.frame
    delta = parent @ rigid.shift((0.123456789, 0.0, 0.0)) @ rigid.inverse(parent)
    edit = edit_of("move", [subject], Motion("rigid", delta, step=2e-3), scene.moment)
    assert [patch.text for patch in edit.patches] == [".2235"]
    scene.after(edit)
    assert (tmp_path / "main.xml").read_text() == MAIN.replace('pos=".1   0 0.05"', 'pos=".2235   0 0.05"')


def test_what_the_class_says_is_overridden_in_its_notation(scene, tmp_path):
    subject = scene.subject("geom", "rod")
    pose = scene.pose("geom", "rod")
    move(scene, subject, rigid.about(pose[:3, 3], rigid.turn(pose[:3, 0], np.radians(30))))
    line = next(line for line in (tmp_path / "main.xml").read_text().splitlines() if 'name="rod"' in line)
    assert 'euler="' in line and 'pos="0 .3 0"' in line and "quat" not in line


def test_a_direction_along_z_becomes_a_quaternion_where_it_must(scene, tmp_path):
    pose = scene.pose("site", "tool")
    move(scene, scene.subject("site", "tool"), rigid.about(pose[:3, 3], rigid.turn(pose[:3, 2], 0.4)))
    line = next(line for line in (tmp_path / "main.xml").read_text().splitlines() if 'name="tool"' in line)
    assert "zaxis" not in line and "quat=" in line


def test_several_at_once_are_one_edit(scene):
    names = ("block", "ball", "k_nose", "pole-02", "pole-07")
    subjects = outermost([scene.subject("geom", name) for name in names])
    assert [one.number for one in subjects] == [scene.m.id("geom", name) for name in ("block", "ball", "k_nose", "pole-07")], "one copy is enough"
    before = {name: scene.pose("geom", name) for name in names}
    delta = motion(before["block"][:3, 3], "both")
    after = scene.after(edit_of("move", subjects, Motion("rigid", delta, exact=True, step=1e-3), scene.moment))
    for name in ("block", "ball", "k_nose", "pole-07"):
        assert after.pose("geom", name) == pytest.approx(delta @ before[name], abs=CLOSE), name
    assert len(after.document.history.entries) == 0 and len(scene.document.history.entries) == 1


def test_what_stands_in_something_selected_is_moved_once(scene):
    subjects = [scene.subject("geom", "stick"), scene.subject("body", "base"), scene.subject("geom", "ball")]
    assert outermost(subjects) == [subjects[1], subjects[2]]


def test_a_subject_follows_the_text_before_the_model_does(scene):
    subject, moment = scene.subject("geom", "wedge"), scene.moment
    before = scene.pose("geom", "wedge")
    for step in range(3):      # each drag begins where the last one ended, with the model of the beginning
        delta = motion(before[:3, 3], "both")
        scene.document.apply(edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), moment))
        subject = subject_after(subject, ElementTrees(scene.document))
        before = delta @ before
        assert Moment(scene.m, scene.d).base(subject) == pytest.approx(before, abs=CLOSE), step
    scene.document.save()
    assert Scene(scene.path).pose("geom", "wedge") == pytest.approx(before, abs=1e-5)


REFUSED = """<mujoco><asset><hfield name="h" nrow="4" ncol="4" size="1 1 .1 .1"/></asset><worldbody>
  <body name="b" pos="0 0 1"><freejoint name="f"/><geom size=".1"/></body>
  <composite prefix="c" type="cable" curve="s" count="5 1 1" size="1" initial="none"><geom type="capsule" size=".01" rgba="1 0 0 1"/></composite>
  <camera name="aimed" mode="targetbody" target="b" pos="1 1 1"/>
</worldbody></mujoco>"""


def test_what_cannot_be_moved_says_why(tmp_path):
    path = tmp_path / "refused.xml"
    path.write_text(REFUSED)
    scene = Scene(path)
    trees = ElementTrees(scene.document)
    for kind, number, words in (("joint", scene.m.id("joint", "f"), "free joint"), ("body", 0, "world"), ("body", 2, "<composite>"), ("actuator", 0, "no pose")):
        with pytest.raises(Refused, match=words):
            subject_of(trees, scene.m, kind, number)
    broken = Document.new(REFUSED.replace("</worldbody>", "</worldbod>"))      # which was never XML
    with pytest.raises(Refused):
        subject_of(ElementTrees(broken), scene.m, "geom", 0)


def test_what_is_half_typed_is_not_written_over(scene):
    """While a number cannot be read it counts as not given: a drag would begin at nothing, and write over what stands there."""
    for kind, name, old, new, words in (("geom", "block", 'pos=".1   0 0.05"', 'pos=".1   0"', "pos=.* 3 values are expected, found 2"), ("geom", "block", 'size=".1 .15 .2"', 'size=".1 .15 ."', "'.' is not a number"),
                                        ("joint", "swing", 'axis="0 1 1"', 'axis="0 1"', "axis="), ("geom", "wedge", 'quat="1 .2 .3 .4"', 'quat="1 .2 .3"', "quat="),
                                        ("light", "lamp", 'frame pos=".1 .2 .3"', 'frame pos=".1 .2 "', "<frame>, line "), ("geom", "pole-07", 'type="cylinder" size=".03 .1"', 'type="cyl" size=".03 .1"', "'cyl' is not one of")):
        subject, text = scene.subject(kind, name), scene.document.main.text
        assert text.count(old) == 1 or name == "wedge"
        at = text.index(old)
        scene.document.apply(Edit("typed", (Patch(scene.document.main_key, at, at + len(old), new),)))
        with pytest.raises(Refused, match=words):
            scene.subject(kind, name)
        if "<frame>" not in words:
            assert subject_after(subject, ElementTrees(scene.document)) is None
            with pytest.raises(Refused, match=words):
                read_again(subject, ElementTrees(scene.document))
        scene.document.undo()
        assert scene.document.main.text == text
    at = scene.document.main.text.index('rgba=')
    scene.document.apply(Edit("typed", (Patch(scene.document.main_key, at, at + 14, 'rgba=".5 "'),)))       # nothing that a drag reads
    assert scene.subject("geom", "block").element.name == "block"


def test_urdf_is_not_written_as_mjcf(tmp_path):
    path = tmp_path / "arm.urdf"
    path.write_text("""<robot name="arm"><link name="base"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <link name="tip"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
      <joint name="turn" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>""")
    scene = Scene(path)
    with pytest.raises(Refused, match="MJCF"):
        scene.subject("joint", "turn")
