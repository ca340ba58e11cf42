"""Copies around an axis: as a whole and by their spacing they stay around it, in our compiler and in the official one."""
import numpy as np
import pytest

from editor.tools import rigid
from editor.tools.chosen import ITSELF, SPACING_AIM, aims_in_text, are_parts, subjects_in_model, subjects_in_text
from editor.tools.drag import Motion
from editor.tools.edits import edit_of
from editor.tools.element_trees import ElementTrees, Refused
from editor.tools.gizmo import MOVE
from editor.tools.ring import angle_about, ring_of
from editor.tools.subject import subject_after
from tests.editor.tools.scenes import Scene

RING = """<mujoco model="ring">
  <compiler angle="{unit}" eulerseq="zyx"/>
  <worldbody>
    <body name="hub" pos="0 0 1" euler="0 0 {tilt}">
      <geom name="core" type="sphere" size=".05"/>
      <replicate count="8" {numbers} sep="_">
        <frame pos=".5 0 0"><geom name="tooth" type="box" size=".05 .03 .02"/></frame>
        <geom name="peg" type="sphere" size=".02" pos=".3 0 .1"/>
      </replicate>
    </body>
    <frame name="holder" pos="2 0 0"><replicate count="4" euler="{quarter} 0 0" sep="-"><body name="post" pos=".2 0 0"><geom name="pole" type="sphere" size=".04"/></body></replicate></frame>
    <replicate count="3" euler="{quarter} 0 0"><body name="spoke"><geom name="rod" type="capsule" fromto="0 0 2 .3 0 2" size=".01"/></body></replicate>
    <replicate count="5" offset="0 0 .1" euler="{step} 0 0" sep="s"><geom name="stair" type="box" size=".1 .05 .01" pos="0 2 0"/></replicate>
  </worldbody>
</mujoco>
"""


def scene_of(tmp_path, unit: str = "degree") -> Scene:
    factor = 1.0 if unit == "degree" else np.pi / 180
    path = tmp_path / "main.xml"
    path.write_text(RING.format(unit=unit, tilt=30 * factor, quarter=90 * factor, step=20 * factor, numbers=f'euler="{40 * factor} 0 0"'))
    return Scene(path)


def replicate_of(scene: Scene, place: int = 0):
    return [one for one in scene.document.version().root.walk() if one.tag == "replicate"][place]


def moved(scene: Scene, subjects, delta: np.ndarray) -> Scene:
    edit = edit_of("move", subjects, Motion("rigid", delta, exact=True, step=1e-3), scene.moment)
    assert edit.patches
    return scene.after(edit)


def places(scene: Scene, pattern: str, count: int) -> np.ndarray:
    """(count, 3) places of copies of a geom, after the official engine has been asked for the same."""
    mujoco = pytest.importorskip("mujoco")
    names = [pattern.format(k) for k in range(count)]
    ours = np.array([scene.pose("geom", name)[:3, 3] for name in names])
    model = mujoco.MjModel.from_xml_path(str(scene.path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    theirs = np.array([data.geom_xpos[mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_GEOM, name)] for name in names])
    assert ours == pytest.approx(theirs, abs=1e-9)
    return ours


def around(scene: Scene, points: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(angle from each to the next [degrees], distance from the axis, height) of points in the frame of the hub."""
    hub = scene.pose("body", "hub")
    own = (points - hub[:3, 3]) @ hub[:3, :3]
    turned = np.degrees(np.angle(np.exp(1j * np.diff(np.arctan2(own[:, 1], own[:, 0])))))
    return turned, np.linalg.norm(own[:, :2], axis=1), own[:, 2]


@pytest.mark.parametrize("unit", ["degree", "radian"])
@pytest.mark.parametrize("k", [1, 2, 6])
def test_a_copy_of_a_ring_gives_its_angle_whatever_way_it_is_moved(tmp_path, unit, k):
    scene = scene_of(tmp_path, unit)
    subject, = subjects_in_model(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", f"tooth_{k}"), MOVE, SPACING_AIM)
    before = places(scene, "tooth_{}", 8)
    hub = scene.pose("body", "hub")
    way = np.cross(hub[:3, 2], before[k] - hub[:3, 3])      # along the ring, off it and out of its plane
    delta = rigid.shift(0.4 * way + 0.3 * (before[k] - hub[:3, 3]) + 0.2 * hub[:3, 2])
    after = moved(scene, [subject], delta)
    turned, radius, height = around(after, places(after, "tooth_{}", 8))
    assert np.ptp(radius) < 1e-6 and radius[0] == pytest.approx(0.5) and np.abs(height).max() < 1e-6, "a ring in its plane"
    wanted = np.degrees(np.arctan2(0.4, 1.3))
    assert turned == pytest.approx(40 + wanted / k, abs=1e-4)
    assert after.pose("geom", "tooth_0") == pytest.approx(scene.pose("geom", "tooth_0"), abs=1e-9)
    line = next(line for line in after.document.main.text.splitlines() if '"8"' in line)
    assert "offset" not in line and "by the angle (euler)" in subject.part.note(subject)
    circle, = (points for points, _colour in subject.part.lines(subject, scene.moment))
    assert circle == pytest.approx(before[:k + 1], abs=1e-9), "the line goes through the copies"


def test_during_a_drag_the_handle_stays_on_the_ring(tmp_path):
    scene = scene_of(tmp_path)
    subject, = subjects_in_model(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", "tooth_2"), MOVE, SPACING_AIM)
    start = scene.moment.base(subject)[:3, 3]
    scene.document.apply(edit_of("move", [subject], Motion("rigid", rigid.shift((0.05, 0.1, 0.2)), exact=True, step=1e-3), scene.moment))
    now = scene.moment.base(subject_after(subject, ElementTrees(scene.document), quick=True))[:3, 3]
    hub = scene.pose("body", "hub")
    center = hub[:3, 3]
    assert np.linalg.norm(now - start) > 0.01 and np.linalg.norm(now - center) == pytest.approx(0.5, abs=1e-9) and (now - center) @ hub[:3, 2] == pytest.approx(0, abs=1e-9)


def test_a_winding_stair_gives_its_angle_and_its_rise(tmp_path):
    scene = scene_of(tmp_path)
    subject, = subjects_in_model(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", "stairs2"), MOVE, SPACING_AIM)
    before = places(scene, "stairs{}", 5)
    after = moved(scene, [subject], rigid.shift((0, 0, 0.08)))
    assert places(after, "stairs{}", 5) == pytest.approx(before + np.outer(np.arange(5), (0, 0, 0.04)), abs=1e-6)
    assert 'offset="0 0 .14" euler="20.0 0 0"' in after.document.main.text
    scene = scene_of(tmp_path)
    subject, = subjects_in_model(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", "stairs2"), MOVE, SPACING_AIM)
    turned = moved(scene, [subject], rigid.shift(0.5 * np.cross((0, 0, 1), before[2])))
    own = places(turned, "stairs{}", 5)
    assert own[:, 2] == pytest.approx(before[:, 2], abs=1e-9) and np.linalg.norm(own[:, :2], axis=1) == pytest.approx(2)


def test_what_stands_on_the_axis_says_so_and_is_turned(tmp_path):
    scene = scene_of(tmp_path)
    subject, = subjects_in_model(ElementTrees(scene.document), scene.m, "geom", scene.m.id("geom", "rod1"), MOVE, SPACING_AIM)
    with pytest.raises(Refused, match="choose Rotate"):
        edit_of("move", [subject], Motion("rigid", rigid.shift((0.1, 0, 0)), exact=True, step=1e-3), scene.moment)
    after = moved(scene, [subject], rigid.about((0, 0, 0), rigid.turn((0, 0, 1), np.radians(10))))
    numbers = replicate_of(after, 2).attrs
    assert [float(word) for word in numbers["euler"].split()] == pytest.approx([100, 0, 0], abs=1e-4) and not np.any([float(word) for word in numbers.get("offset", "0").split()])


@pytest.mark.parametrize("way", [(0.0, 0.0, 0.2), (0.1, 0.05, 0.0)])
def test_the_whole_ring_is_moved_by_what_it_repeats(tmp_path, way):
    """Along its axis all of it goes alike; in its plane the ring grows and turns, and its axis stays."""
    scene = scene_of(tmp_path)
    element = replicate_of(scene)
    subjects = subjects_in_text(ElementTrees(scene.document), scene.m, element)
    assert [one.label for one in subjects] == ["frame", "geom peg"] and not are_parts(element) and are_parts(element, SPACING_AIM) and aims_in_text(element) == (ITSELF, SPACING_AIM)
    hub = scene.pose("body", "hub")
    before = {name: places(scene, name, 8) for name in ("tooth_{}", "peg_{}")}
    after = moved(scene, subjects, rigid.shift(hub[:3, :3] @ way))
    for name, points in before.items():
        now = places(after, name, 8)
        turned, radius, height = around(after, now)
        assert turned == pytest.approx(40, abs=1e-4) and np.ptp(radius) < 1e-6 and np.ptp(height) < 1e-6, "a ring as it was"
        assert now[0] == pytest.approx(points[0] + hub[:3, :3] @ way, abs=1e-6), "the first follows the pointer"
        if way[2]:
            assert now == pytest.approx(points + hub[:3, 2] * way[2], abs=1e-6)
    assert '<replicate count="8" euler="40.0 0 0" sep="_">' in after.document.main.text


def test_a_ring_alone_in_a_frame_is_moved_and_turned_with_the_frame(tmp_path):
    scene = scene_of(tmp_path)
    subject, = subjects_in_text(ElementTrees(scene.document), scene.m, replicate_of(scene, 1))
    assert subject.label == "frame holder"
    before, delta = places(scene, "pole-{}", 4), rigid.shift((0.1, 0.2, 0.3)) @ rigid.about((2, 0, 0), rigid.turn((1, 1, 0), 0.5))
    after = moved(scene, [subject], delta)
    assert places(after, "pole-{}", 4) == pytest.approx(before @ delta[:3, :3].T + delta[:3, 3], abs=1e-5), "all of it, as one thing"
    assert '<replicate count="4" euler="90.0 0 0" sep="-">' in after.document.main.text


def test_the_ring_of_numbers():
    assert ring_of(np.zeros(3), np.array((0, 30.0, 0)), "zXy").axis.tolist() == [1, 0, 0]
    assert ring_of(np.array((0, 0, 0.1)), np.array((30.0, 0, 0)), "zyx").rise == 0.1
    assert ring_of(np.array((0.2, 0, 0)), np.array((0, 0, 30.0)), "xyz") is None, "a step across the axis: an arc"
    assert ring_of(np.zeros(3), np.array((10.0, 0, 30)), "xyz") is None and ring_of(np.ones(3), np.zeros(3), "xyz") is None
    angle, radius = angle_about(np.array((0, 0, 1.0)), np.array((2.0, 0, 5)), np.array((0, -1.0, 0)))
    assert (angle, radius) == pytest.approx((-np.pi / 2, 2)) and angle_about(np.array((0, 0, 1.0)), np.array((0, 0, 5.0)), np.ones(3)) is None
