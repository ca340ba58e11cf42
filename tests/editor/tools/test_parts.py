"""What has no pose of its own to be dragged: inertias, meshes and height fields, anchors of equality constraints, the spacing of copies; each compiled and compared."""
import numpy as np
import pytest

import physics
from editor.document import Document
from editor.tools import rigid
from editor.tools.chosen import INERTIA_AIM, ITSELF, SPACING_AIM, aims_of, dragged_in, subjects_in_model, subjects_in_text
from editor.tools.drag import Drag, Motion, Snap
from editor.tools.edits import edit_of, states_of
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import MOVE, PARENT, ROTATE, SCALE, WORLD, Gizmo
from editor.tools.handles import pixels
from editor.tools.inertia import half_sizes, moments_of_box
from editor.tools.rays import Pointer
from editor.tools.subject import subject_after
from render.scene.camera import CameraState, Lens, free_view, project
from tests.editor.tools.scenes import Scene

CLOSE = 3e-6
SIZE, NO_SNAP = (900, 700), Snap()
VIEW = free_view(CameraState(lookat=(0.2, 0.2, 0.5), distance=3.0, azimuth=125, elevation=-30), Lens())
# line ends, tabs, quotes and letters that an edit must leave
MAIN = """<mujoco model="Teile äöü">\r
\t<compiler angle="degree" eulerseq="zYx"/>\r
\t<default><mesh scale=".1 .1 .1"/><default class="loose"><equality solref=".05 1"/></default></default>\r
\t<asset>\r
\t\t<mesh name='wedge' vertex="0 0 0  3 0 0  0 2 0  0 0 1  3 2 0" refpos=".5 0 0" refquat="1 .2 0 .1"/>\r
\t\t<mesh name="mirrored" scale="-.2 .1  .1" vertex="1 1 1  3 1 1  1 2 1  1 1 2"/>\r
\t\t<mesh name="unused" vertex="0 0 0  3 0 0  0 2 0  0 0 1"/>\r
\t\t<hfield name="ground" nrow="3" ncol="3" size="1.0 .8 .2 .05" elevation="0 1 0 1 2 1 0 1 0"/>\r
\t</asset>\r
\t<worldbody>\r
\t\t<geom name="land" type="hfield" hfield="ground" pos="0 0 -1" euler="30 0 0"/>\r
\t\t<frame pos=".1 .2 .3" euler="10 20 30"><frame pos=".1 0 0">\r
\t\t<body name="base" pos="0 0 .5" euler="15 0 40">\r
\t\t\t<inertial pos="0.10  0 .05" euler="20 0 10" mass="2" diaginertia=".02 .03 .04"/><!-- Trägheit -->\r
\t\t\t<joint name="swing" axis="0 1 1"/>\r
\t\t\t<geom name="one" type="mesh" mesh="wedge" pos=".1 .1 .1" euler="5 10 15"/>\r
\t\t\t<site name="here" pos=".1 0 0"/>\r
\t\t\t<body name="arm" pos=".3 0 0"><inertial pos="0 .1 0" mass="1" fullinertia=".02 .03 .04 .003 -.002 .001"/><joint name="elbow" type="ball"/>\r
\t\t\t\t<geom name="two" type="mesh" mesh="wedge" pos=".2 0 0"/><geom name="three" type="mesh" mesh="mirrored"/></body>\r
\t\t</body></frame></frame>\r
\t\t<body name="plate" pos="1 0 1"><freejoint/><inertial pos="0 0 0" mass="1" fullinertia=".01 .02 .03 0 0 0"/><geom name="sheet" type="box" size=".1 .1 .01"/></body>\r
\t\t<body name="round" pos="1 1 1"><freejoint align="true"/><inertial pos=".1 0 0" mass="1" fullinertia=".02 .03 .04 .003 0 0"/><geom size=".1"/></body>\r
\t\t<body name="bare"><geom name="ball" size=".1"/><site name="there" pos="0 0 .2"/></body>\r
\t\t<frame pos="-1 0 .5" euler="0 0 25">\r
\t\t\t<replicate count="6" offset="0 .3 0" euler="12 0 0" sep="-"><frame euler="0 15 0"><body name="post" pos=".2 0 .1">\r
\t\t\t\t<geom name="pole" type="cylinder" size=".03 .1" pos="0 0 .1"/></body></frame></replicate>\r
\t\t</frame>\r
\t\t<replicate count="4" offset="0 0 .4"><body name="loose" pos="2 0 0"><freejoint/><geom name="bit" size=".05"/></body></replicate>\r
\t\t<replicate count="3" offset="0 2 0" sep="r"><replicate count="5" offset=".2 0 0" sep="c"><geom name="dot" size=".02" pos="3 3 0"/></replicate></replicate>\r
\t</worldbody>\r
\t<equality>\r
\t\t<connect name="pin" class="loose" body1="base" body2="bare" anchor=".1  .2 .30"/>\r
\t\t<connect name="link" site1="here" site2="there"/>\r
\t\t<weld name="glue" body1="base" body2="arm"/>\r
\t\t<weld name="clamp" body1="arm" body2="bare" anchor="0 .1 0" relpose="0.10 .2 .3   2 0 .5 0"/>\r
\t\t<joint name="still" joint1="swing"/>\r
\t</equality>\r
</mujoco>\r
"""


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "main.xml"
    path.write_bytes(MAIN.encode())
    return Scene(path)


def element_of(scene: Scene, tag: str, place: int = 0):
    return [one for one in scene.document.version().root.walk() if one.tag == tag][place]


def parts(scene: Scene, kind: str, name: str, mode: str = MOVE, aim: str = ITSELF):
    found = subjects_in_model(ElementTrees(scene.document), scene.m, kind, scene.m.id(kind, name), mode, aim)
    return dragged_in(mode, found, len(found) > 1)


def part(scene: Scene, kind: str, name: str, mode: str = MOVE, aim: str = ITSELF):
    return parts(scene, kind, name, mode, aim)[-1]


def motion(point, turned: bool = True) -> np.ndarray:
    turn = rigid.about(point, rigid.turn((0.3, -1.0, 0.5), 0.7)) if turned else np.eye(4)
    return rigid.shift((0.1, -0.2, 0.05)) @ turn


def moved(scene: Scene, subject, delta: np.ndarray) -> Scene:
    edit = edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), scene.moment)
    assert edit.patches
    return scene.after(edit)


def sway(scene: Scene) -> np.ndarray:
    """Another state than the one at the start."""
    scene.d.qpos[scene.m.jnt_qposadr[scene.m.id("joint", "swing")]] = 0.4
    adr = scene.m.jnt_qposadr[scene.m.id("joint", "elbow")]
    scene.d.qpos[adr:adr + 4] = np.array((1.0, 0.2, -0.3, 0.1)) / np.linalg.norm((1.0, 0.2, -0.3, 0.1))
    physics.forward(scene.m, scene.d)
    return scene.d.qpos.copy()


def put(scene: Scene, qpos: np.ndarray) -> Scene:
    scene.d.qpos[:] = qpos
    physics.forward(scene.m, scene.d)
    return scene


def lines_changed(scene: Scene) -> list[str]:
    """Lines of the file that are not those of the beginning; there are as many."""
    before, after = MAIN.split("\n"), scene.path.read_bytes().decode().split("\n")
    assert len(before) == len(after)
    return [new for old, new in zip(before, after, strict=True) if old != new]


# ------------------------------------------------------------------ inertias

def tensor(scene: Scene, body: str) -> np.ndarray:
    """(3, 3) of a body in the world."""
    number = scene.m.id("body", body)
    mat = scene.d.ximat[number].reshape(3, 3)
    return mat @ np.diag(scene.m.body_inertia[number]) @ mat.T


@pytest.mark.parametrize("swayed", [False, True])
@pytest.mark.parametrize("body", ["base", "arm", "plate"])
def test_an_inertia_is_where_the_engine_has_it_and_goes_where_it_is_moved(scene, body, swayed):
    qpos = sway(scene) if swayed else scene.d.qpos.copy()
    number = scene.m.id("body", body)
    subject = part(scene, "body", body, MOVE, INERTIA_AIM)
    assert subject.label == f"inertia of {body}"
    base = scene.moment.base(subject)
    assert base == pytest.approx(rigid.pose_of_matrix(scene.d.xipos[number], scene.d.ximat[number]), abs=1e-9)
    before, delta = tensor(scene, body), motion(base[:3, 3] + (0.1, 0, 0))
    after = put(moved(scene, subject, delta), qpos)
    assert after.d.xipos[number] == pytest.approx((delta @ base)[:3, 3], abs=CLOSE)
    assert tensor(after, body) == pytest.approx(delta[:3, :3] @ before @ delta[:3, :3].T, abs=1e-7)
    line, = lines_changed(after)
    assert ('fullinertia="' in line) == (body != "base") and ('quat' in line) is False, "the notation that was there"
    if body == "base":
        assert 'euler="' in line and 'diaginertia=".02 .03 .04"' in line and "<!-- Trägheit -->" in line and "\r" in line


def test_the_inertia_of_a_body_that_the_compiler_aligns(scene):
    number, subject = scene.m.id("body", "round"), part(scene, "body", "round", MOVE, INERTIA_AIM)
    base = scene.moment.base(subject)
    assert base[:3, 3] == pytest.approx(scene.d.xipos[number])
    before, delta = tensor(scene, "round"), motion(base[:3, 3])
    after = moved(scene, subject, delta)
    assert after.d.xipos[number] == pytest.approx((delta @ base)[:3, 3], abs=CLOSE)
    assert tensor(after, "round") == pytest.approx(delta[:3, :3] @ before @ delta[:3, :3].T, abs=1e-7)


def test_a_shift_of_an_inertia_leaves_its_moments(scene):
    subject = part(scene, "body", "arm", MOVE, INERTIA_AIM)
    line, = lines_changed(moved(scene, subject, rigid.shift((0.1, 0, 0))))
    assert 'fullinertia=".02 .03 .04 .003 -.002 .001"' in line


def test_the_box_of_an_inertia_has_its_moments(scene):
    for body in ("base", "arm", "plate"):
        number, subject = scene.m.id("body", body), part(scene, "body", body, SCALE, INERTIA_AIM)
        sizes = subject.part.sizes(subject)
        assert sizes == pytest.approx(half_sizes(scene.m.body_mass[number], scene.m.body_inertia[number]), rel=1e-6)
        assert moments_of_box(scene.m.body_mass[number], sizes) == pytest.approx(scene.m.body_inertia[number], rel=1e-6)
        drawn = [points for points, colour in subject.part.lines(subject, scene.moment) if colour == "point"]
        local = (np.concatenate(drawn) - scene.d.xipos[number]) @ scene.d.ximat[number].reshape(3, 3)
        assert np.abs(local).max(axis=0) == pytest.approx(sizes)


@pytest.mark.parametrize("body", ["base", "arm", "plate"])
def test_the_box_of_an_inertia_is_resized(scene, body):
    number, subject = scene.m.id("body", body), part(scene, "body", body, SCALE, INERTIA_AIM)
    sizes = subject.part.sizes(subject)
    _motion, after = dragged(scene, [subject], SCALE, ("size", 1, 1, 1), typed="0.25")
    again = part(after, "body", body, SCALE, INERTIA_AIM)
    wanted = np.sort(np.where(np.arange(3) == 1, 0.25, sizes))
    assert np.sort(again.part.sizes(again)) == pytest.approx(wanted, abs=2e-5) and after.m.body_mass[number] == scene.m.body_mass[number]
    assert len(lines_changed(after)) == 1


def test_a_thin_plate_stays_a_body_however_it_is_turned(scene):
    """Of which the sum of two moments is the third: rounding must not take from it."""
    for turn in range(12):
        subject = part(scene, "body", "plate", ROTATE, INERTIA_AIM)
        delta = rigid.about(scene.moment.base(subject)[:3, 3], rigid.turn((1, 0.3 * turn, -0.5), 0.3 + turn))
        scene = moved(scene, subject, delta)
    a, b, c = scene.m.body_inertia[scene.m.id("body", "plate")]
    assert (a, b, c) == pytest.approx((0.03, 0.02, 0.01), rel=1e-4)


def test_what_no_body_can_have_is_turned_as_it_stands(scene):
    """balanceinertia makes a body of it afterwards: nothing is mended here."""
    scene.path.write_text(MAIN.replace("<compiler ", '<compiler balanceinertia="true" ').replace('fullinertia=".01 .02 .03 0 0 0"', 'fullinertia=".01 .02 .09 0 0 0"'))
    scene = Scene(scene.path)
    subject = part(scene, "body", "plate", ROTATE, INERTIA_AIM)
    after = moved(scene, subject, rigid.about(scene.moment.base(subject)[:3, 3], rigid.turn((0, 0, 1), np.radians(90))))
    numbers = next(one for one in after.document.version().root.walk() if one.attrs.get("mass") == "1" and ".09" in one.attrs.get("fullinertia", ""))
    assert [float(x) for x in numbers.attrs["fullinertia"].split()] == pytest.approx((0.02, 0.01, 0.09, 0, 0, 0), abs=1e-8)


def test_several_inertias_at_once_are_one_edit(scene):
    subjects = [part(scene, "body", name, MOVE, INERTIA_AIM) for name in ("base", "arm")]
    delta, qpos = motion((0.1, 0.2, 0.3)), sway(scene)
    before = [scene.moment.base(one)[:3, 3] for one in subjects]
    after = put(scene.after(edit_of("move", subjects, Motion("rigid", delta, exact=True, step=1e-3), scene.moment)), qpos)
    for one, point in zip(subjects, before, strict=True):
        assert after.d.xipos[one.number] == pytest.approx((delta @ np.append(point, 1))[:3], abs=CLOSE)
    assert len(scene.document.history.entries) == 1


def test_inertias_that_do_not_count_say_so(scene):
    with pytest.raises(Refused, match="geoms"):
        parts(scene, "body", "bare", MOVE, INERTIA_AIM)
    assert aims_of(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", "one")) == (ITSELF, INERTIA_AIM)
    assert aims_of(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", "ball")) == (ITSELF,)
    scene.path.write_text(MAIN.replace("<compiler ", '<compiler inertiafromgeom="true" '))
    other = Scene(scene.path)
    with pytest.raises(Refused, match="inertiafromgeom"):
        subjects_in_text(ElementTrees(other.document), other.m, element_of(other, "inertial"))


# ------------------------------------------------------------------ meshes and height fields

def dragged(scene: Scene, subjects, mode: str, what: tuple, by=(0, 0), to=None, orientation=WORLD, typed="", snap=NO_SNAP, points=False):
    """The motion of a handle dragged by pixels, or until it is at a point, and the scene after it."""
    gizmo = Gizmo(mode, subjects, orientation, points)
    handle = next(one for one in gizmo.handles(scene.moment, VIEW, SIZE) if one.what == what)
    start = pixels(handle, VIEW, SIZE)[-1]
    drag = Drag(gizmo, handle, Pointer(VIEW, SIZE, *start), scene.moment)
    for letter in typed:
        drag.typed.next() if letter == "\t" else drag.typed.letter(letter)
    end = project(VIEW, np.asarray(to, float), SIZE)[0][0] if to is not None else start + by
    made = drag.motion(Pointer(VIEW, SIZE, *end), scene.moment, snap)
    return made, scene.after(edit_of("drag", subjects, made, scene.moment))


def written_vertices(scene: Scene, geom: str) -> tuple[np.ndarray, np.ndarray]:
    """(frame (4, 4) that a mesh geom is written with, the mesh's vertices in it (n, 3))."""
    number = scene.m.id("geom", geom)
    mesh = scene.m.geom_dataid[number]
    own = rigid.pose(scene.m.mesh_pos[mesh], scene.m.mesh_quat[mesh])
    start = scene.m.mesh_vertadr[mesh]
    points = scene.m.mesh_vert[start:start + scene.m.mesh_vertnum[mesh]] @ own[:3, :3].T + own[:3, 3]
    return rigid.pose_of_matrix(scene.d.geom_xpos[number], scene.d.geom_xmat[number]) @ rigid.inverse(own), points


@pytest.mark.parametrize("geom", ["one", "two", "three"])
def test_the_scale_of_a_mesh_by_its_knobs(scene, geom):
    frame, points = written_vertices(scene, geom)
    for axis in range(3):
        subject = part(scene, "geom", geom, SCALE)
        assert subject.element.tag == "mesh" and scene.moment.base(subject) == pytest.approx(frame, abs=1e-6)
        side = 1 if points[:, axis].max() > -points[:, axis].min() else -1
        reach = (side * points[:, axis]).max()
        knob = next(one for one in Gizmo(SCALE, [subject]).handles(scene.moment, VIEW, SIZE) if one.what == ("size", axis, axis, side))
        shown = side * (knob.points[-1] - frame[:3, 3]) @ frame[:3, axis]
        assert shown >= reach - 1e-6, "it is where the mesh ends, or farther where that is near"
        target = knob.points[0] + 1.5 * (knob.points[-1] - knob.points[0])
        before = points.copy()
        _motion, scene = dragged(scene, [subject], SCALE, ("size", axis, axis, side), to=target)
        now, points = written_vertices(scene, geom)
        assert now == pytest.approx(frame, abs=1e-5), "the geom stays where it is written, wherever its mesh's centre goes"
        wanted = before * np.where(np.arange(3) == axis, 1.5, 1.0)
        assert points == pytest.approx(wanted, rel=2e-3, abs=1e-6)


def test_all_geoms_of_a_mesh_follow_and_that_is_said(scene):
    subject = part(scene, "geom", "one", SCALE)
    assert subject.part.note(subject) == "All 2 geoms of mesh wedge follow" and subject.label == "mesh wedge"
    _frame, before = written_vertices(scene, "two")
    _motion, after = dragged(scene, [subject], SCALE, ("all sizes",), typed="2.5")
    assert written_vertices(after, "two")[1] == pytest.approx(2.5 * before, rel=1e-6)
    line, = lines_changed(after)
    assert 'scale="0.25 0.25 0.25"' in line, "over the class's"
    _motion, mirrored = dragged(after, [part(after, "geom", "three", SCALE)], SCALE, ("size", 0, 0, -1), typed=".4")
    assert 'scale="-.4 .1  .1"' in mirrored.path.read_bytes().decode(), "mirrored as before"


def test_a_mesh_selected_by_itself_and_several_at_once(scene):
    trees = ElementTrees(scene.document)
    mesh, = subjects_in_model(trees, scene.m, "mesh", scene.m.id("mesh", "mirrored"), SCALE)
    assert scene.moment.base(mesh) == pytest.approx(written_vertices(scene, "three")[0], abs=1e-6)
    with pytest.raises(Refused, match="No geom"):
        subjects_in_model(trees, scene.m, "mesh", scene.m.id("mesh", "unused"), SCALE)
    gizmo = Gizmo(MOVE, [mesh])
    assert gizmo.handles(scene.moment, VIEW, SIZE) == [] and "Scale" in gizmo.refusal
    several = [part(scene, "geom", "one", SCALE), mesh, part(scene, "geom", "pole-3", SCALE)]
    before = [written_vertices(scene, name)[1] for name in ("one", "three")]
    _motion, after = dragged(scene, several, SCALE, ("all sizes",), typed="2")
    for name, points in zip(("one", "three"), before, strict=True):
        assert written_vertices(after, name)[1] == pytest.approx(2 * points, rel=1e-6)
    assert after.m.geom_size[after.m.id("geom", "pole-3")][:2] == pytest.approx((0.06, 0.2))


def test_the_size_of_a_height_field(scene):
    frame = scene.pose("geom", "land")
    for k, (axis, side, value) in enumerate(((0, 1, 1.2), (1, -1, 0.9), (2, 1, 0.35), (2, -1, 0.4))):
        subject = part(scene, "geom", "land", SCALE)
        handle = next(one for one in Gizmo(SCALE, [subject]).handles(scene.moment, VIEW, SIZE) if one.what == ("size", k, axis, side))
        assert side * (handle.points[-1] - frame[:3, 3]) @ frame[:3, axis] >= scene.m.hfield_size[0][k] - 1e-9
        before = scene.m.hfield_size[0].copy()
        target = handle.points[-1] + (value - before[k]) * side * frame[:3, axis]
        _motion, scene = dragged(scene, [subject], SCALE, ("size", k, axis, side), to=target)
        assert scene.m.hfield_size[0] == pytest.approx(np.where(np.arange(4) == k, value, before), abs=5e-3)
        assert scene.m.hfield_size[0][[n for n in range(4) if n != k]].tolist() == [before[n] for n in range(4) if n != k]
    sides = {one.what[2:] for one in Gizmo(SCALE, [part(scene, "geom", "land", SCALE)]).handles(scene.moment, VIEW, SIZE) if one.what[:1] == ("size",)}
    assert sides == {(0, 1), (0, -1), (1, 1), (1, -1), (2, 1), (2, -1)}, "elevation above, base below"
    assert len(lines_changed(scene)) == 1


# ------------------------------------------------------------------ equality constraints

def anchors(scene: Scene, name: str) -> tuple[np.ndarray, np.ndarray]:
    """The two points of the world that a connect or weld of bodies holds together."""
    number = scene.m.id("equality", name)
    data, bodies = scene.m.eq_data[number], (scene.m.eq_obj1id[number], scene.m.eq_obj2id[number])
    points = (data[:3], data[3:6]) if name == "pin" else (data[3:6], data[:3])
    return tuple((rigid.pose_of_matrix(scene.d.xpos[body], scene.d.xmat[body]) @ np.append(point, 1))[:3] for body, point in zip(bodies, points, strict=True))


@pytest.mark.parametrize("swayed", [False, True])
def test_the_anchor_of_a_connect(scene, swayed):
    qpos = sway(scene) if swayed else scene.d.qpos.copy()
    subject = part(scene, "equality", "pin")
    assert scene.moment.base(subject)[:3, 3] == pytest.approx(anchors(scene, "pin")[0], abs=1e-9)
    ends = [points[-1] for points, _colour in subject.part.lines(subject, scene.moment)]
    assert any(np.allclose(end, anchors(scene, "pin")[1], atol=1e-9) for end in ends) or not swayed, "the other body's is drawn where it is by now"
    delta = motion((0, 0, 0), turned=False)
    after = put(moved(scene, subject, delta), qpos)
    assert anchors(after, "pin")[0] == pytest.approx((delta @ scene.moment.base(subject))[:3, 3], abs=CLOSE)
    line, = lines_changed(after)
    assert 'class="loose" body1="base" body2="bare" anchor="' in line
    gizmo = Gizmo(ROTATE, [subject])
    assert not any(one.what for one in gizmo.handles(scene.moment, VIEW, SIZE)) and "point" in gizmo.refusal


def test_of_an_anchor_the_numbers_that_stay_keep_their_characters(scene):
    subject = part(scene, "equality", "pin")
    axes = scene.moment.carrier(subject)[:3, :3]
    line, = lines_changed(moved(scene, subject, rigid.shift(0.1 * axes[:, 0])))
    assert 'anchor=".2  .2 .30"' in line


def test_the_anchor_of_a_weld_leaves_the_pose_in_which_it_holds(scene):
    for name in ("glue", "clamp"):
        number = scene.m.id("equality", name)
        kept = rigid.pose(scene.m.eq_data[number][3:6], scene.m.eq_data[number][6:10]) @ rigid.inverse(rigid.pose(scene.m.eq_data[number][:3]))
        before = anchors(scene, name)[1]
        scene = moved(scene, part(scene, "equality", name), rigid.shift((0.1, -0.2, 0.05)))
        data = scene.m.eq_data[number]
        assert anchors(scene, name)[1] == pytest.approx(before + (0.1, -0.2, 0.05), abs=CLOSE)
        assert rigid.pose(data[3:6], data[6:10]) @ rigid.inverse(rigid.pose(data[:3])) == pytest.approx(kept, abs=CLOSE)
    lines = lines_changed(scene)
    assert len(lines) == 2 and "relpose" not in lines[0] and '   2 0 .5 0"' in lines[1], "what was inferred stays so; the turn keeps its characters"


@pytest.mark.parametrize("name", ["glue", "clamp"])
def test_the_pose_that_a_weld_holds(scene, name):
    number, qpos = scene.m.id("equality", name), sway(scene)
    subject = part(scene, "equality", name, ROTATE)
    assert subject.part.name == "relpose"
    body = scene.m.eq_obj1id[number]
    before = rigid.pose_of_matrix(scene.d.xpos[body], scene.d.xmat[body]) @ rigid.pose(scene.m.eq_data[number][3:6], scene.m.eq_data[number][6:10])
    assert scene.moment.base(subject) == pytest.approx(before, abs=1e-9)
    delta = motion(before[:3, 3])
    after = put(moved(scene, subject, delta), qpos)
    now = rigid.pose_of_matrix(after.d.xpos[body], after.d.xmat[body]) @ rigid.pose(after.m.eq_data[number][3:6], after.m.eq_data[number][6:10])
    assert now == pytest.approx(delta @ before, abs=CLOSE)


def test_a_weld_shows_its_pose_beside_the_anchor_where_it_is_written(scene):
    assert [one.part.name for one in parts(scene, "equality", "clamp")] == ["relpose", "anchor"]
    assert [one.part.name for one in parts(scene, "equality", "glue")] == ["anchor"], "at the anchor, where nothing is written"
    subjects = parts(scene, "equality", "clamp")
    before = [scene.moment.base(one)[:3, 3] for one in subjects]
    _motion, after = dragged(scene, subjects, MOVE, ("point", 0), by=(40, 10), points=True)
    now = [after.moment.base(one)[:3, 3] for one in parts(after, "equality", "clamp")]
    assert np.linalg.norm(now[0] - before[0]) > 0.02 and now[1] == pytest.approx(before[1], abs=1e-9), "one by one"


def test_constraints_of_sites_move_the_sites(scene):
    subjects = parts(scene, "equality", "link")
    assert [one.element.name for one in subjects] == ["there", "here"]
    before = scene.pose("site", "there")[:3, 3]
    _motion, after = dragged(scene, subjects, MOVE, ("point", 0), by=(30, 0), points=True)
    assert np.linalg.norm(after.pose("site", "there")[:3, 3] - before) > 0.02 and after.pose("site", "here") == pytest.approx(scene.pose("site", "here"))
    with pytest.raises(Refused, match="no anchor"):
        parts(scene, "equality", "still")


# ------------------------------------------------------------------ copies

@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("k", [1, 4])
def test_the_copy_that_is_dragged_goes_where_it_should_and_all_follow(scene, k, turned):
    name = f"post-{k}"
    before, first = scene.pose("body", name), scene.pose("body", "post-0")
    subject = part(scene, "geom", f"pole-{k}", MOVE, SPACING_AIM)
    assert subject.element.tag == "replicate" and scene.moment.base(subject) == pytest.approx(before, abs=1e-9)
    delta = motion(before[:3, 3], turned)
    after = moved(scene, subject, delta)
    assert after.pose("body", name) == pytest.approx(delta @ before, abs=2e-5)
    assert after.pose("body", "post-0") == pytest.approx(first, abs=1e-9)
    line, = lines_changed(after)
    assert ('euler="12 0 0"' in line) == (not turned) and 'count="6"' in line


def test_a_ring_is_turned_about_its_middle(scene):
    subject = part(scene, "geom", "pole-1", ROTATE, SPACING_AIM)
    gizmo = Gizmo(ROTATE, [subject], PARENT)
    pivot = gizmo.frame(scene.moment)
    assert pivot[:3, 3] == pytest.approx((subject.frame @ subject.local)[:3, 3]), "the place from which copies are counted"
    turn = rigid.about(pivot[:3, 3], rigid.turn(pivot[:3, 2], np.radians(10)))
    line, = lines_changed(moved(scene, subject, turn))
    assert 'offset="0 .3 0" euler="22 0 0"' in line


def test_the_replicate_itself_by_its_second_and_last_copy(scene):
    trees = ElementTrees(scene.document)
    subjects = subjects_in_text(trees, scene.m, element_of(scene, "replicate"), SPACING_AIM)
    assert [one.part.copy for one in subjects] == [5, 1] and [one.part.copy for one in dragged_in(ROTATE, subjects, True)] == [1]
    nested = subjects_in_text(trees, scene.m, element_of(scene, "replicate", 2), SPACING_AIM)
    assert [one.part.copy for one in nested] == [2, 1]
    inner = part(scene, "geom", "dotc3r1", MOVE, SPACING_AIM)
    assert inner.element.id == element_of(scene, "replicate", 3).id, "the innermost"
    with pytest.raises(Refused, match="first copy"):
        part(scene, "geom", "pole-0", MOVE, SPACING_AIM)
    with pytest.raises(Refused, match="no copy"):
        part(scene, "geom", "ball", MOVE, SPACING_AIM)
    before = [scene.pose("body", f"post-{k}")[:3, 3] for k in range(6)]
    made, after = dragged(scene, subjects, MOVE, ("point", 0), by=(50, 0), points=True)
    assert after.pose("body", "post-5")[:3, 3] == pytest.approx(before[5] + made.delta[:3, 3], abs=5e-3)
    assert np.linalg.norm(after.pose("body", "post-1")[:3, 3] - before[1]) < 0.5 * np.linalg.norm(made.delta[:3, 3])
    nested = subjects_in_text(ElementTrees(after.document), after.m, element_of(after, "replicate", 2), SPACING_AIM)
    outer = moved(after, nested[1], rigid.shift((0, 0.5, 0)))
    assert outer.pose("geom", "dotc4r2")[:3, 3] - after.pose("geom", "dotc4r2")[:3, 3] == pytest.approx((0, 1.0, 0), abs=1e-6)


def test_copies_that_float_go_along_while_they_are_seen(scene):
    subject = part(scene, "geom", "bit2", MOVE, SPACING_AIM)
    delta = rigid.shift((0.1, 0, 0.2))
    edit = edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), scene.moment)
    scene.document.apply(edit)
    shown = subject_after(subject, ElementTrees(scene.document), quick=True)
    states = dict(states_of([subject], [shown], Motion("rigid", delta), scene.moment))
    before = {scene.m.id("body", f"loose{k}"): scene.pose("body", f"loose{k}")[:3, 3] for k in range(4)}
    assert {body: pytest.approx(point + 0.5 * k * np.array((0.1, 0, 0.2))) for k, (body, point) in enumerate(before.items())} == {body: state[:3] for body, state in states.items()}


FLOATING = """<mujoco><worldbody>
  <replicate count="3" offset="0 1 0" euler="0 0 90" sep="_"><frame name="holder" pos=".5 0 1" euler="0 0 30">
    <body name="loose" pos=".1 0 0"><freejoint/><geom name="bit" size=".05"/></body><body name="mover" mocap="true" pos="0 .2 0"><geom size=".02"/></body>
    <replicate count="2" offset="0 0 .3" sep="i"><body name="inner" pos="0 -.2 0"><freejoint/><geom size=".05"/></body></replicate></frame></replicate>
</worldbody></mujoco>
"""


def test_what_floats_in_a_frame_goes_along_with_it(tmp_path):
    """In each copy of the frame as that copy of it goes; to where the compiler then has it."""
    (tmp_path / "main.xml").write_text(FLOATING)
    scene = Scene(tmp_path / "main.xml")
    subject, = subjects_in_text(ElementTrees(scene.document), scene.m, element_of(scene, "frame"))
    delta = rigid.shift((0.1, 0.2, 0.3)) @ rigid.about((0.5, 0, 1), rigid.turn((0, 0, 1), 0.4))
    wanted = Motion("rigid", delta, exact=True, step=1e-3)
    edit = edit_of("move", [subject], wanted, scene.moment)
    scene.document.apply(edit)
    shown = subject_after(subject, ElementTrees(scene.document), quick=True)
    states = dict(states_of([subject], [shown], wanted, scene.moment))
    scene.document.undo()
    after = scene.after(edit)
    names = [f"loose_{k}" for k in range(3)] + [f"mover_{k}" for k in range(3)] + [name for name in scene.m.names["body"] if name.startswith("inner")]
    assert len(names) == 12 and states.keys() == {scene.m.id("body", name) for name in names}
    for name in names:
        pose = after.pose("body", name)
        assert states[scene.m.id("body", name)] == pytest.approx(np.append(pose[:3, 3], rigid.quat_of(pose)), abs=2e-5), name


def test_a_copy_is_grabbed_where_it_is_by_now(scene):
    number = scene.m.id("body", "loose2")
    adr = scene.m.jnt_qposadr[scene.m.body_jntadr[number]]
    scene.d.qpos[adr:adr + 7] = (0.5, 0.6, 0.7, *rigid.quat_of(rigid.pose((0, 0, 0), (1, 0.3, 0.2, 0.1))))
    physics.forward(scene.m, scene.d)
    subject = part(scene, "geom", "bit2", MOVE, SPACING_AIM)
    assert scene.moment.base(subject) == pytest.approx(scene.pose("body", "loose2"), abs=1e-9)


def test_during_a_drag_the_parts_follow_the_text(scene):
    """As the handles do, whose Model is still that of the beginning."""
    cases = [("body", "arm", INERTIA_AIM), ("body", "base", INERTIA_AIM), ("equality", "clamp", ITSELF), ("geom", "pole-3", SPACING_AIM)]
    for kind, name, aim in cases:
        subject = part(scene, kind, name, MOVE, aim)
        delta = motion(scene.moment.base(subject)[:3, 3], turned=kind != "equality")
        wanted = delta @ scene.moment.base(subject)
        scene.document.apply(edit_of("move", [subject], Motion("rigid", delta, exact=True, step=1e-3), scene.moment))
        now = scene.moment.base(subject_after(subject, ElementTrees(scene.document), quick=True))
        assert now[:3, 3] == pytest.approx(wanted[:3, 3], abs=2e-5), name
        if name != "arm":       # whose principal axes may be named otherwise
            assert now == pytest.approx(wanted, abs=2e-5)
        scene.document.undo()


# ------------------------------------------------------------------ other files

HOLDER = """<mujoco><compiler angle="degree"/><asset><model name="kid" file="child.xml"/></asset><worldbody>
  <body name="mast" pos="0 0 1" euler="0 20 0"><geom size=".1"/>
    <frame pos=".1 0 0" euler="0 0 30"><replicate count="3" offset="0 .5 0" euler="0 0 5" sep="_"><attach model="kid" prefix="k_"/></replicate></frame></body>
  <include file="part.xml"/>
</worldbody></mujoco>
"""
KID = """<mujoco model="kid"><compiler angle="radian" eulerseq="XYZ"/>\r
\t<asset><mesh name="wedge" vertex="0 0 0  .3 0 0  0 .2 0  0 0 .1  .3 .2 0"/></asset>\r
\t<worldbody><body name="kid" pos="0 0 .4" euler=".1 .2 .3"><inertial pos='0 0 .1' mass="1" diaginertia=".01 .01 .01"/><joint name="hinge"/>\r
\t\t<geom name="nose" type="mesh" mesh="wedge"/><body name="tip" pos="0 0 .2"><geom size=".05"/></body></body></worldbody>\r
\t<equality><connect name="pin" body1="kid" body2="tip" anchor="0 0 .2"/></equality>\r
</mujoco>\r
"""
PIECE = """<mujoco>\r\n\t<body name="piece" pos="1 0 0"><!-- \u00e4 -->\r\n\t\t<inertial pos="0 0 0.10" mass="1" diaginertia=".01 .02 .02"/><joint/>\r\n\t</body>\r\n</mujoco>\r\n"""


@pytest.fixture
def holder(tmp_path):
    for name, text in (("main.xml", HOLDER), ("part.xml", PIECE), ("child.xml", KID)):
        (tmp_path / name).write_bytes(text.encode())
    return Scene(tmp_path / "main.xml")


def test_in_an_included_file(holder, tmp_path):
    subject = part(holder, "body", "piece", MOVE, INERTIA_AIM)
    moved(holder, subject, rigid.shift((0, 0, 0.25)))
    assert (tmp_path / "part.xml").read_bytes().decode() == PIECE.replace("0 0 0.10", "0 0 0.35") and (tmp_path / "main.xml").read_text() == HOLDER


def test_in_an_attached_model_that_is_copied(holder, tmp_path):
    """Each is dragged at a copy, in the frames and units around that."""
    number = holder.m.id("body", "k_kid_2")
    subject = part(holder, "geom", "k_nose_2", MOVE, INERTIA_AIM)
    assert subject.number == number and "all 3 copies" in subject.part.note(subject)
    before, delta = holder.d.xipos[number].copy(), motion((0, 0, 0), turned=False)
    after = moved(holder, subject, delta)
    assert after.d.xipos[number] == pytest.approx(before + delta[:3, 3], abs=CLOSE)
    pin = after.m.id("equality", "k_pin_1")
    anchor = part(after, "equality", "k_pin_1")
    body = after.m.eq_obj1id[pin]
    place = after.moment.base(anchor)[:3, 3]
    assert place == pytest.approx(after.d.xpos[body] + after.d.xmat[body].reshape(3, 3) @ after.m.eq_data[pin][:3])
    again = moved(after, anchor, delta)
    assert again.moment.base(part(again, "equality", "k_pin_1"))[:3, 3] == pytest.approx(place + delta[:3, 3], abs=CLOSE)
    mesh = part(again, "geom", "k_nose_1", SCALE)
    assert "3 geoms" in mesh.part.note(mesh)
    _motion, scaled = dragged(again, [mesh], SCALE, ("size", 2, 2, 1), typed="2")
    text = (tmp_path / "child.xml").read_bytes().decode()
    assert 'scale="1 1 2"' in text and text.count("\r\n") == KID.count("\r\n") and (tmp_path / "main.xml").read_text() == HOLDER
    assert len(scaled.m.names["mesh"]) >= 1


@pytest.mark.parametrize("turned", [False, True])
def test_copies_of_an_attached_model_are_drawn_apart(holder, tmp_path, turned):
    subject = part(holder, "geom", "k_nose_2", MOVE, SPACING_AIM)
    before, kept = holder.pose("body", "k_kid_2"), holder.pose("body", "k_kid_0")
    assert subject.element.tag == "replicate" and holder.moment.base(subject) == pytest.approx(before, abs=1e-9)
    delta = motion(before[:3, 3], turned)
    after = moved(holder, subject, delta)
    assert after.pose("body", "k_kid_2") == pytest.approx(delta @ before, abs=2e-5) and after.pose("body", "k_kid_0") == pytest.approx(kept, abs=1e-9)
    assert (tmp_path / "child.xml").read_bytes().decode() == KID


@pytest.mark.parametrize(("tag", "parent", "why"), [("geom", "default", "of its class"), ("site", "spatial", "the tendon acts on"), ("joint", "fixed", "the tendon acts on"),
                                                     ("geom", "worldbody", "not in the model")])
def test_why_what_only_the_text_has_cannot_be_dragged(tmp_path, tag, parent, why):
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><default><geom rgba="1 0 0 1"/></default><worldbody><geom size=".1"/><site name="a"/><site name="b" pos="0 0 1"/>'
                    '<body><joint name="j"/><geom size=".1"/></body></worldbody>'
                    '<tendon><spatial><site site="a"/><site site="b"/></spatial><fixed><joint joint="j" coef="1"/></fixed></tendon></mujoco>')
    document = Document.open(path)
    holder = next(one for one in document.version().root.walk() if one.tag == parent)
    element = next(one for one in holder.children if one.tag == tag)
    with pytest.raises(Refused, match=why):
        subjects_in_text(ElementTrees(document), None, element)
