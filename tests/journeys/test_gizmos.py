"""Journeys with gizmos: one copy of a replicate is dragged and all follow; the end of a capsule is dragged on a robot that moves."""
import numpy as np
from PyQt6.QtCore import QPointF
from PyQt6.QtTest import QTest

from editor.tools.handles import pixels
from editor.tools.subject import Moment
from physics.runtime import commands
from tests.app.workbench import CTRL, NONE, SHIFT, Button, Key
from tests.journeys.hands import click_view, geom_at

RING = """<mujoco model="ring"><compiler angle="degree"/><statistic center="0 0 .2" extent="1.6"/><visual><global azimuth="90" elevation="-50"/></visual>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="2 2 .1"/>
    <replicate count="10" euler="0 0 36" sep="_">
      <geom name="post" type="box" size=".05 .03 .2" pos=".6 0 .2"/>
    </replicate>
  </worldbody>
</mujoco>
"""
ROBOT = """<mujoco model="robot"><option gravity="0 0 0"/><statistic center=".3 0 .4" extent="1.2"/><visual><global azimuth="90" elevation="-10"/></visual>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <body name="arm" pos="0 0 .4"><joint name="turn" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".03"/>
    </body>
  </worldbody>
  <keyframe><key name="turning" qvel=".4"/></keyframe>
</mujoco>
"""


def opened(workbench, tmp_path, text):
    path = tmp_path / "model.xml"
    path.write_text(text)
    bench = workbench(path, size=(1100, 760))
    bench.pictures(3)
    return bench


def place_of(bench, what) -> QPointF:
    tool, picture = bench.viewport.tools.active, bench.viewport.picture
    gizmo = tool._gizmo(tool.selected.now())
    handle = next(one for one in gizmo.handles(Moment(picture.snapshot.model, picture.snapshot), picture.view, tool._size()) if one.what == what)
    return QPointF(*pixels(handle, picture.view, tool._size())[-1])


def test_the_seventh_copy_is_dragged_and_all_follow(workbench, tmp_path):
    bench = opened(workbench, tmp_path, RING)
    m = bench.context.model
    numbers = [m.id("geom", f"post_{k:02d}") for k in range(10)]
    before = bench.snapshot.geom_xpos[numbers].copy()
    click_view(bench, geom_at(bench, "post_07"))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "post_07")
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    tool = bench.viewport.tools.active
    bench.wait(lambda: "of 10" in tool.strip.note.text())
    place = place_of(bench, ("move", (0,)))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    for k in range(1, 9):
        bench.move(place + QPointF(6 * k, 0))
        bench.pictures(1)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, (place + QPointF(48, 0)).toPoint())
    bench.wait(lambda: not bench.session._compiler.busy and abs(bench.snapshot.geom_xpos[numbers[7]] - before[7]).max() > 0.02)
    bench.steady(lambda: bench.snapshot.geom_xpos[numbers].tobytes())
    after = bench.snapshot.geom_xpos[numbers]
    moved = after[7] - before[7]
    assert abs(moved[0]) > 0.02 and np.abs(moved[1:]).max() < 2e-3, "along the world's x, whatever the copy's own axes are"
    for k in range(10):     # each is turned by 36 degrees against the next
        angle = np.radians(36 * (k - 7))
        c, s = np.cos(angle), np.sin(angle)
        assert np.allclose(after[k] - before[k], (c * moved[0] - s * moved[1], s * moved[0] + c * moved[1], moved[2]), atol=1e-6), k
    text = bench.session.document.main.text
    line = next(line for line in text.splitlines() if "post" in line)
    assert [one for one in text.splitlines() if one != line] == [one for one in RING.splitlines() if "post" not in one] and len(bench.session.document.history.entries) == 1
    QTest.keyClick(bench.host, Key.Key_Escape)
    QTest.keyClick(bench.host, Key.Key_Z, CTRL)
    if bench.session.document.main.text != RING:      # where that key is not bound in the view
        bench.session.undo()
    bench.wait(lambda: np.allclose(bench.snapshot.geom_xpos[numbers], before, atol=1e-9))
    assert bench.session.document.main.text == RING


def test_the_end_of_a_capsule_is_dragged_while_the_robot_moves(workbench, tmp_path):
    bench = opened(workbench, tmp_path, ROBOT)
    click_view(bench, geom_at(bench, "rod"))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "rod")
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.runner.send(commands.LoadKey(0))
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.snapshot.running and bench.snapshot.qpos[0] > 0.05)
    bench.pictures(2)
    place = place_of(bench, ("end", 1))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    tool = bench.viewport.tools.active
    assert tool.running is not None and not tool.running.paused
    target = place + QPointF(40, 30)
    bench.move(target)
    off = []
    for _ in range(12):
        bench.pictures(1)
        where = place_of_end(bench, tool)
        off.append(np.hypot(where.x() - target.x(), where.y() - target.y()))
    assert np.median(off) < 3.0, f"the end stays under the pointer: {off}"
    turned = bench.snapshot.qpos[0]
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, target.toPoint())
    bench.wait(lambda: not bench.session._compiler.busy)
    bench.wait(lambda: bench.snapshot.qpos[0] > turned + 0.02)     # it went on all the time
    line = next(line for line in bench.session.document.main.text.splitlines() if "rod" in line)
    assert 'fromto="0 0 0 ' in line and line.count('"') == 8, "the other end keeps its characters"
    assert len(bench.session.document.history.entries) == 1 and bench.session.document.history.entries[0].edit.label == "Move end of geom rod"
    m = bench.context.model
    written = np.array(line.split('fromto="')[1].split('"')[0].split(), float)
    bench.wait(lambda: np.allclose(bench.context.model.geom_size[0][1], np.linalg.norm(written[3:] - written[:3]) / 2, atol=1e-6))
    assert m.nbody == 2


def place_of_end(bench, tool) -> QPointF:
    """Where the dragged end is drawn in the picture that is seen."""
    from render.scene.camera import project

    picture = bench.viewport.picture
    moment = Moment(picture.snapshot.model, picture.snapshot)
    subject = tool.running.shown[0]
    from editor.tools.shape_sizes import ends_of
    end = (moment.base(subject) @ np.append(ends_of(subject)[1], 1.0))[:3]
    return QPointF(*project(picture.view, end, tool._size())[0][0])
