"""Sizes, ends and ranges by their handles; snapping; new shapes: each compiled and compared."""
import numpy as np
import pytest

import physics
from editor.document import Document
from editor.tools import rigid
from editor.tools.create import SHAPES, Creation, creation_edit, parent_of
from editor.tools.drag import GRID, Drag, Snap, grid_step
from editor.tools.edits import edit_of
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import LOCAL, MOVE, PARENT, ROTATE, SCALE, WORLD, Gizmo
from editor.tools.handles import pixels
from editor.tools.rays import Pointer
from editor.tools.shape_sizes import ends_of, parameters_of, sizes_of
from editor.tools.subject import Moment
from render.scene.camera import CameraState, Lens, free_view, project
from tests.editor.tools.scenes import Scene, written

SIZE, NO_SNAP = (900, 700), Snap()
VIEW = free_view(CameraState(lookat=(0.2, 0.2, 0.5), distance=3.0, azimuth=125, elevation=-30), Lens())


@pytest.fixture
def scene(tmp_path):
    return Scene(written(tmp_path))


def pointer_at(point) -> Pointer:
    (x, y), = project(VIEW, point, SIZE)[0]
    return Pointer(VIEW, SIZE, x, y)


def drag(scene: Scene, subjects, mode: str, what: tuple, by=None, to=None, orientation=WORLD, snap=NO_SNAP, typed="", keys=()):
    """The motion of a handle dragged by pixels, or until it is at a point; and the scene after it."""
    gizmo = Gizmo(mode, subjects, orientation)
    handles = gizmo.handles(scene.moment, VIEW, SIZE)
    handle = next(one for one in handles if one.what == what)
    start = pixels(handle, VIEW, SIZE)[-1]
    moving = Drag(gizmo, handle, Pointer(VIEW, SIZE, *start), scene.moment)
    for axis, plane in keys:
        moving.constrain(axis, plane)
    for letter in typed:
        moving.typed.next() if letter == "\t" else moving.typed.letter(letter)
    end = pointer_at(to) if to is not None else Pointer(VIEW, SIZE, *(start + by))
    motion = moving.motion(end, scene.moment, snap)
    return motion, scene.after(edit_of("drag", subjects, motion, scene.moment))


@pytest.mark.parametrize("orientation", [LOCAL, PARENT, WORLD])
def test_arrows_move_along_their_axis_only(scene, orientation):
    subject = scene.subject("geom", "block")
    axes = Gizmo(MOVE, [subject], orientation).axes(scene.moment, orientation)
    assert (np.allclose(axes, np.eye(3))) == (orientation == WORLD)
    before = scene.pose("geom", "block")
    motion, after = drag(scene, [subject], MOVE, ("move", (1,)), by=(40, -25), orientation=orientation)
    way = axes.T @ (after.pose("geom", "block")[:3, 3] - before[:3, 3])
    assert abs(way[1]) > 0.01 and abs(way[0]) < 2e-4 and abs(way[2]) < 2e-4, "digits behind the pixel are left away"
    assert way[1] == pytest.approx((axes.T @ motion.delta[:3, 3])[1], abs=3e-4)


def test_in_the_plane_of_the_picture_the_pivot_stays_under_the_pointer(scene):
    subject = scene.subject("site", "tool")
    target = scene.pose("site", "tool")[:3, 3] + 0.2 * VIEW.right() + 0.1 * np.asarray(VIEW.up)
    _motion, after = drag(scene, [subject], MOVE, ("view",), to=target)
    assert project(VIEW, after.pose("site", "tool")[:3, 3], SIZE)[0] == pytest.approx(project(VIEW, target, SIZE)[0], abs=0.5)


def test_typed_numbers_count_and_tab_goes_on(scene):
    subject, before = scene.subject("body", "part"), scene.pose("body", "part")
    motion, after = drag(scene, [subject], MOVE, ("move", (0,)), by=(3, 3), typed=".25\t-1\t")
    assert after.pose("body", "part")[:3, 3] - before[:3, 3] == pytest.approx((0.25, -1.0, 0.0), abs=1e-9) and motion.exact
    motion, turned = drag(after, [after.subject("body", "part")], ROTATE, ("turn", 2), by=(30, 0), typed="90")
    assert motion.texts[0].startswith("90") and turned.pose("body", "part")[:3, :3] == pytest.approx(rigid.turn((0, 0, 1), np.pi / 2), abs=1e-6)


def test_axis_keys_constrain_and_change_axes(scene):
    subject = scene.subject("geom", "block")
    gizmo = Gizmo(MOVE, [subject], WORLD)
    handle = next(one for one in gizmo.handles(scene.moment, VIEW, SIZE) if one.what == ("view",))
    moving = Drag(gizmo, handle, Pointer(VIEW, SIZE, 400, 300), scene.moment)
    def way(orientation):
        return gizmo.axes(scene.moment, orientation).T @ moving.motion(Pointer(VIEW, SIZE, 460, 270), scene.moment, Snap()).delta[:3, 3]
    moving.constrain(0)
    assert np.abs(way(WORLD)[1:]).max() < 1e-12 < abs(way(WORLD)[0])
    moving.constrain(0)
    assert np.abs(way(LOCAL)[1:]).max() < 1e-12 < abs(way(LOCAL)[0])
    moving.constrain(0)
    assert np.abs(way(WORLD)).min() > 1e-6, "free again"
    moving.constrain(2, plane=True)
    assert abs(way(WORLD)[2]) < 1e-12 and np.abs(way(WORLD)[:2]).min() > 1e-6


def test_the_grid_puts_written_numbers_on_it(scene, tmp_path):
    subject = scene.subject("geom", "ball")
    motion, _after = drag(scene, [subject], MOVE, ("move", (0,)), by=(53, 20), orientation=PARENT, snap=Snap(True, GRID))
    step = grid_step(motion.step)
    value = float((tmp_path / "part.xml").read_text().split('pos="')[1].split()[0])
    assert value / step == pytest.approx(round(value / step), abs=1e-6) and value != 0
    assert [grid_step(x) for x in (0.001, 0.0011, 0.0021, 0.0051)] == pytest.approx([0.01, 0.02, 0.05, 0.1])


def test_angles_snap_by_fifteen_degrees_and_finer_with_shift(scene):
    subject = scene.subject("geom", "block")
    for fine, step in ((False, 15), (True, 5)):
        gizmo = Gizmo(ROTATE, [subject], WORLD)
        handle = next(one for one in gizmo.handles(scene.moment, VIEW, SIZE) if one.what == ("turn", 2))
        where = pixels(handle, VIEW, SIZE)
        moving = Drag(gizmo, handle, Pointer(VIEW, SIZE, *where[20]), scene.moment)
        angle = float(moving.motion(Pointer(VIEW, SIZE, *where[44]), scene.moment, Snap(True, fine=fine)).texts[0].rstrip("\N{DEGREE SIGN}"))
        assert angle == pytest.approx(round(angle / step) * step) and abs(angle) > 30


def test_a_ring_turns_beyond_half_a_turn(scene):
    subject = scene.subject("geom", "block")
    gizmo = Gizmo(ROTATE, [subject], WORLD)
    handle = next(one for one in gizmo.handles(scene.moment, VIEW, SIZE) if one.what == ("turn view",))
    where = pixels(handle, VIEW, SIZE)
    moving = Drag(gizmo, handle, Pointer(VIEW, SIZE, *where[0]), scene.moment)
    angles = [float(moving.motion(Pointer(VIEW, SIZE, *where[k]), scene.moment, Snap()).texts[0].rstrip("\N{DEGREE SIGN}")) for k in (*range(4, 64, 4), 64, 4, 8)]
    assert abs(angles[-1]) > 380 and all(abs(b - a) < 60 for a, b in zip(angles, angles[1:], strict=False))


@pytest.mark.parametrize(("kind", "name", "count"), [("geom", "block", 3), ("geom", "stick", 2), ("geom", "mark", 1), ("geom", "rod", 2), ("geom", "limb", 1),
                                                     ("geom", "k_nose", 3), ("geom", "large", 1), ("geom", "floor", 2), ("site", "tip", 1)])
def test_every_size_by_its_knob(scene, kind, name, count):
    assert len(parameters_of(scene.subject(kind, name))) == count
    for k in range(count):
        subject = scene.subject(kind, name)
        parameter, sizes = parameters_of(subject)[k], sizes_of(subject)
        number = scene.m.id(kind, name)
        assert getattr(scene.m, f"{kind}_size")[number][parameter.index] == pytest.approx(sizes[parameter.index], rel=1e-6)
        motion, scene = drag(scene, [subject], SCALE, ("size", k, parameter.axis, 1), by=(0, 0), typed="0.37")
        scale = subject.scale
        assert getattr(scene.m, f"{kind}_size")[number][parameter.index] == pytest.approx(0.37 * scale, rel=1e-6)
        for other in range(3):
            if other != parameter.index and getattr(scene.m, f"{kind}_size")[number][other] > 0 and name != "mark" and (kind, name) != ("site", "tip"):
                assert getattr(scene.m, f"{kind}_size")[number][other] == pytest.approx(sizes[other], rel=1e-6)


def test_a_knob_stays_under_the_pointer(scene):
    subject = scene.subject("geom", "block")
    pose, size = scene.pose("geom", "block"), scene.m.geom_size[scene.m.id("geom", "block")].copy()
    target = pose[:3, 3] + 0.35 * pose[:3, 2]
    gizmo = Gizmo(SCALE, [subject], WORLD)
    knob = next(one for one in gizmo.handles(scene.moment, VIEW, SIZE) if one.what == ("size", 2, 2, 1))
    assert knob.points[-1] == pytest.approx(pose[:3, 3] + size[2] * pose[:3, 2])
    _motion, after = drag(scene, [subject], SCALE, ("size", 2, 2, 1), to=target)
    assert after.m.geom_size[after.m.id("geom", "block")] == pytest.approx((size[0], size[1], 0.35), abs=1e-3)


def test_all_sizes_by_a_factor(scene):
    subjects = [scene.subject("geom", name) for name in ("block", "stick", "limb")]
    before = [scene.m.geom_size[one.number].copy() for one in subjects]
    _motion, after = drag(scene, subjects, SCALE, ("all sizes",), by=(0, 0), typed="2")
    sizes = [after.m.geom_size[one.number] for one in subjects]
    assert sizes[0] == pytest.approx(2 * before[0]) and sizes[1][:2] == pytest.approx(2 * before[1][:2]) and sizes[2][:2] == pytest.approx((2 * before[2][0], before[2][1]))


@pytest.mark.parametrize(("name", "words"), [("wedge", "asset"), ("hull", "fitscale")])
def test_sizes_that_are_computed_are_refused(scene, name, words):
    gizmo = Gizmo(SCALE, [scene.subject("geom", name)], WORLD)
    assert gizmo.handles(scene.moment, VIEW, SIZE) == [] and words in gizmo.refusal
    for kind, other, why in (("body", "base", "select its geoms"), ("joint", "swing", "no size"), ("camera", "eye", "no size"), ("light", "sun", "no size")):
        gizmo = Gizmo(SCALE, [scene.subject(kind, other)], WORLD)
        assert gizmo.handles(scene.moment, VIEW, SIZE) == [] and why in gizmo.refusal
    with pytest.raises(Refused):
        parameters_of(scene.subject("body", "base"))


@pytest.mark.parametrize("name", ["limb", "rod", "stick", "large"])
@pytest.mark.parametrize("end", [0, 1])
def test_the_ends_of_capsules_and_cylinders(scene, tmp_path, name, end):
    subject = scene.subject("geom", name)
    pose = scene.pose("geom", name)
    ends = [(pose @ np.append(one, 1))[:3] for one in ends_of(subject)]
    target = ends[end] + 0.1 * VIEW.right() - 0.05 * np.asarray(VIEW.up)
    _motion, after = drag(scene, [subject], MOVE, ("end", end), to=target)
    pose = after.pose("geom", name)
    now = [(pose @ np.append(one, 1))[:3] for one in ends_of(after.subject("geom", name))]
    assert now[end] == pytest.approx(target, abs=2e-3) and now[1 - end] == pytest.approx(ends[1 - end], abs=5e-4)
    line = next(line for line in (tmp_path / "main.xml").read_text().splitlines() if f'name="{name}"' in line)
    assert ("fromto" in line) == (name in ("limb", "large"))
    if name == "limb":
        kept = ("0 0 0", ".1 .2 .3")[1 - end]
        assert kept in line, "the other end keeps its characters"


@pytest.mark.parametrize(("name", "end", "typed", "wanted"), [("swing", 0, "-30", -30.0), ("swing", 1, "90", 90.0), ("slip", 1, ".5", 0.5), ("k_hinge", 0, "-.5", -0.5)])
def test_ranges_in_the_unit_of_the_file(scene, name, end, typed, wanted):
    subject, number = scene.subject("joint", name), scene.m.id("joint", name)
    before = scene.m.jnt_range[number].copy()
    _motion, after = drag(scene, [subject], MOVE, ("range", end), by=(0, 0), typed=typed)
    unit = np.pi / 180 if name == "swing" else 1.0
    assert after.m.jnt_range[number][end] == pytest.approx(wanted * unit) and after.m.jnt_range[number][1 - end] == before[1 - end]


@pytest.mark.parametrize(("name", "end", "typed"), [("swing", 0, "60"), ("swing", 1, "-100"), ("slip", 0, "3"), ("slip", 1, "-.1")])
def test_one_end_of_a_range_stops_before_the_other(scene, name, end, typed):
    """A range without a length is an error, or no limit at all."""
    subject, number = scene.subject("joint", name), scene.m.id("joint", name)
    before = scene.m.jnt_range[number].copy()
    _motion, after = drag(scene, [subject], MOVE, ("range", end), by=(0, 0), typed=typed)
    low, high = after.m.jnt_range[number]
    assert low < high and after.m.jnt_limited[number] and (low, high)[1 - end] == before[1 - end] and high - low < 0.1


def test_the_arc_of_a_range_is_where_the_joint_gets(scene):
    """Its ends, drawn at any state, are where the middle of the body points to at the limits: ref is taken into account."""
    import physics

    subject, number = scene.subject("joint", "swing"), scene.m.id("joint", "swing")
    adr, body = scene.m.jnt_qposadr[number], scene.m.jnt_bodyid[number]
    scene.d.qpos[adr] += 0.4
    physics.forward(scene.m, scene.d)
    handles = Gizmo(MOVE, [subject], WORLD).handles(scene.moment, VIEW, SIZE)
    for end in (0, 1):
        tip = next(one for one in handles if one.what == ("range", end)).points[-1]
        scene.d.qpos[adr] = scene.m.jnt_range[number][end]
        physics.forward(scene.m, scene.d)
        anchor, axis = scene.d.xanchor[number], scene.d.xaxis[number]
        way = scene.d.xipos[body] - anchor
        way -= (way @ axis) * axis
        drawn = tip - anchor
        assert drawn / np.linalg.norm(drawn) == pytest.approx(way / np.linalg.norm(way), abs=2e-2)


def test_cameras_and_lights_are_aimed(scene):
    target = np.array([0.4, 0.3, 0.2])
    eye = scene.pose("camera", "eye")
    _motion, after = drag(scene, [scene.subject("camera", "eye")], MOVE, ("aim",), to=eye[:3, 3] - 0.3 * eye[:3, 2] + 0.1 * VIEW.right())
    pose = after.pose("camera", "eye")
    assert pose[:3, 3] == pytest.approx(scene.pose("camera", "eye")[:3, 3], abs=1e-6) and not np.allclose(pose[:3, 2], scene.pose("camera", "eye")[:3, 2], atol=1e-2)
    number = after.m.id("light", "sun")
    before = after.d.light_xdir[number].copy()
    _motion, lit = drag(after, [after.subject("light", "sun")], MOVE, ("aim",), to=target)
    assert lit.d.light_xpos[number] == pytest.approx(after.d.light_xpos[number], abs=1e-6) and not np.allclose(lit.d.light_xdir[number], before, atol=1e-2)


@pytest.mark.parametrize("as_body", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_new_shapes_stand_on_what_they_were_drawn_on(scene, shape, as_body):
    point, normal = np.array([0.3, 0.2, 0.4]), np.array([0.3, -0.2, 1.0]) / np.linalg.norm([0.3, -0.2, 1.0])
    creation = Creation.at(shape, point, normal, pointer_at(point))
    u = rigid.smallest_turn((0, 0, 1), normal)
    creation.base(pointer_at(point + u @ (0.2, 0.15, 0.0)))
    if not creation.is_flat:
        middle = creation.middle
        creation.rise(pointer_at(middle))
        creation.rise(pointer_at(middle + 0.6 * normal))
    if shape == "plane" and as_body:
        return
    into = scene.m.id("body", "arm") if not as_body and shape != "plane" else 0
    parent = parent_of(ElementTrees(scene.document), scene.moment, into)
    edit, (kind, name) = creation_edit(creation, parent, as_body)
    after = scene.after(edit)
    assert kind == ("body" if as_body else "geom") and name == shape
    number = after.m.id("geom", shape)
    size = after.m.geom_size[number]
    pose = after.pose("geom", shape)
    bottom = {"plane": 0.0, "sphere": size[0], "capsule": size[0] + size[1], "cylinder": size[1]}.get(shape, size[2])
    assert abs((pose[:3, 3] - bottom * normal - point) @ normal) < 2e-3, "it stands on the surface"
    assert pose[:3, 2] == pytest.approx(normal, abs=1e-4)
    wanted = {"sphere": (0.25,), "capsule": (0.25, 0.05), "cylinder": (0.25, 0.3), "plane": (0.1, 0.075)}.get(shape, (0.1, 0.075, 0.3))
    assert size[:len(wanted)] == pytest.approx(wanted, abs=3e-3)
    assert after.m.nbody == scene.m.nbody + as_body and after.m.geom_bodyid[number] == (after.m.nbody - 1 if as_body else into)
    again, (_kind, other) = creation_edit(creation, parent_of(ElementTrees(after.document), after.moment), False)
    assert other == f"{shape}_1"


def test_a_grid_for_what_is_new():
    creation = Creation.at("box", (0.123, 0.456, 0.0), np.array([0.0, 0.0, 1.0]), pointer_at((0.123, 0.456, 0.0)), snap=True)
    step = grid_step(creation.pixel)
    creation.base(pointer_at((0.51, 0.83, 0.0)), snap=True)
    corners = np.concatenate((creation.frame[:2, 3], creation.corner)) / step
    assert corners == pytest.approx(np.round(corners), abs=1e-6)


def test_moments_keep_what_they_computed(scene):
    subject = scene.subject("body", "base")
    moment = Moment(scene.m, scene.d)
    before = moment.base(subject).copy()
    scene.d.xpos[:] += 1.0
    assert np.array_equal(moment.base(subject), before) and not np.array_equal(Moment(scene.m, scene.d).base(subject), before)


def test_a_shape_stands_beside_a_world_whose_file_is_not_open(tmp_path):
    """Written into the main text then, which is open, and never into a text that is not."""
    (tmp_path / "main.xml").write_text('<mujoco><include file="world.xml"/></mujoco>')
    (tmp_path / "world.xml").write_text('<mujoco><worldbody><geom name="floor" type="plane" size="1 1 1"/></worldbody></mujoco>')
    document = Document.open(tmp_path / "main.xml")
    trees = ElementTrees(document)
    assert list(document.texts()) == [str(tmp_path / "main.xml")]
    m = physics.load(tmp_path / "main.xml")
    d = physics.Data(m)
    creation = Creation.at("sphere", (0.0, 0.0, 0.0), np.array([0.0, 0.0, 1.0]), pointer_at((0.0, 0.0, 0.0)))
    creation.base(pointer_at((0.2, 0.0, 0.0)))
    edit, _made = creation_edit(creation, parent_of(trees, Moment(m, d)))
    document.apply(edit)
    document.save()
    assert physics.load(tmp_path / "main.xml").names["geom"] == ("floor", "sphere")
