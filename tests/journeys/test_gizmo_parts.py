"""Journeys with gizmos of what has no pose of its own: the inertia of a leg, the scale of a mesh, the anchor of a loop, copies drawn apart."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest

from editor.tools.handles import pixels
from editor.tools.subject import Moment
from physics.runtime import commands
from tests.app.workbench import NONE, SHIFT, Button, Key
from tests.journeys.hands import click, click_view, geom_at

ALT = Qt.KeyboardModifier.AltModifier
LOOP = """<mujoco model="loop"><option gravity="0 0 0"/><statistic center=".2 0 .4" extent="1.4"/><visual><global azimuth="110" elevation="-20"/></visual>
  <asset><mesh name="wedge" scale=".1 .1 .1" vertex="0 0 0  3 0 0  0 2 0  0 0 1  3 2 0"/></asset>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="left" type="mesh" mesh="wedge" pos="-.5 0 .3"/>
    <geom name="right" type="mesh" mesh="wedge" pos=".7 0 .3"/>
    <body name="arm" pos="0 0 .4"><inertial pos=".2 0 0" mass="1" diaginertia=".01 .012 .013"/><joint name="turn" axis="0 1 0"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".03"/>
    </body>
    <replicate count="4" offset="0 .3 0" sep="_"><geom name="post" type="box" size=".05 .03 .1" pos="0 .4 .1"/></replicate>
  </worldbody>
  <equality><connect name="pin" body1="arm" anchor=".5 0 0"/></equality>
</mujoco>
"""


def opened(workbench, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(LOOP)
    bench = workbench(path, size=(1100, 760))
    bench.pictures(3)
    return bench


def gizmo_of(bench):
    tool, picture = bench.viewport.tools.active, bench.viewport.picture
    gizmo = tool._gizmo(tool._subjects(picture.snapshot))
    return gizmo, gizmo.handles(Moment(picture.snapshot.model, picture.snapshot), picture.view, tool._size()) if gizmo is not None else []


def place_of(bench, what) -> QPointF:
    tool, picture = bench.viewport.tools.active, bench.viewport.picture
    handle = next(one for one in gizmo_of(bench)[1] if one.what == what)
    return QPointF(*pixels(handle, picture.view, tool._size())[-1])


def drag(bench, what, by, keys=NONE):
    """Drag a handle by real events; the tool while it is dragged."""
    place = place_of(bench, what)
    QTest.mousePress(bench.host, Button.LeftButton, keys, place.toPoint())
    for k in range(1, 6):
        bench.move(place + QPointF(*by) * k / 5, modifiers=keys)
        bench.pictures(1)
    running = bench.viewport.tools.active.running
    QTest.mouseRelease(bench.host, Button.LeftButton, keys, (place + QPointF(*by)).toPoint())
    return running


def line_of(bench, part: str) -> str:
    return next(line for line in bench.session.document.main.text.splitlines() if part in line)


def undo(bench) -> None:
    bench.session.undo()
    assert bench.session.document.main.text == LOOP, "one entry of the history"


def test_the_inertia_of_what_is_clicked(workbench, tmp_path):
    bench = opened(workbench, tmp_path)
    click_view(bench, geom_at(bench, "rod"))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "rod")
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    strip = bench.viewport.tools.active.strip
    bench.wait(lambda: strip.aims["inertia"].isVisible())
    assert not strip.aims["spacing"].isVisible()
    click(strip.aims["inertia"])
    bench.pictures(2)
    assert strip.aims["inertia"].isChecked() and gizmo_of(bench)[0].active.label == "inertia of arm"
    before = bench.snapshot.xipos[1].copy()
    drag(bench, ("move", (2,)), (0, -40))
    bench.wait(lambda: bench.snapshot.xipos[1][2] > before[2] + 0.02)
    assert bench.snapshot.xipos[1][:2].tolist() == before[:2].tolist()
    assert 'pos=".2 0 0.' in line_of(bench, "<inertial") and bench.session.document.history.entries[-1].edit.label == "Move inertia of arm"
    undo(bench)
    bench.wait(lambda: np.allclose(bench.snapshot.xipos[1], before))
    click(strip.aims["inertia"])
    bench.pictures(2)
    assert gizmo_of(bench)[0].active.label == "geom rod"


def test_a_mesh_is_scaled_at_one_of_its_geoms(workbench, tmp_path):
    bench = opened(workbench, tmp_path)
    m = bench.context.model
    click_view(bench, geom_at(bench, "left"))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "left")
    QTest.keyClick(bench.host, Key.Key_S, SHIFT)
    bench.pictures(2)
    bench.wait(lambda: "All 2 geoms of mesh wedge follow" in bench.viewport.tools.active.strip.note.text())
    size = m.geom_aabb[m.id("geom", "right")][3:].max()
    place = place_of(bench, ("all sizes",))
    QTest.mousePress(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.move(place + QPointF(10, 0))
    QTest.keyClicks(bench.host, "2")
    QTest.keyClick(bench.host, Key.Key_Return)
    QTest.mouseRelease(bench.host, Button.LeftButton, NONE, place.toPoint())
    bench.wait(lambda: 'scale=".2 .2 .2"' in bench.session.document.main.text)
    bench.wait(lambda: np.isclose(bench.context.model.geom_aabb[m.id("geom", "right")][3:].max(), 2 * size, rtol=1e-3))
    assert bench.session.document.history.entries[-1].edit.label == "Resize mesh wedge"
    undo(bench)


def test_the_anchor_of_a_loop_while_the_arm_moves(workbench, tmp_path):
    bench = opened(workbench, tmp_path)
    pin = next(one for one in bench.session.document.version().root.walk() if one.tag == "connect")
    bench.application.document_selection.select([pin.id])
    bench.host.setFocus()
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.runner.send(commands.Run())
    bench.wait(lambda: bench.snapshot.running)
    bench.pictures(2)
    gizmo, handles = gizmo_of(bench)
    assert gizmo.active.label == "anchor of connect pin" and any(not one.what for one in handles), "lines to what it holds"
    running = drag(bench, ("move", (0,)), (40, 0))
    assert not running.paused
    bench.wait(lambda: 'anchor=".5 0 0"' not in bench.session.document.main.text and not bench.session._compiler.busy)
    bench.wait(lambda: abs(bench.context.model.eq_data[0][0] - 0.5) > 0.02)
    assert bench.session.document.history.entries[-1].edit.label == "Move anchor of connect pin"
    undo(bench)


def test_copies_are_drawn_apart_with_alt_and_by_the_replicate_itself_which_else_moves_all(workbench, tmp_path):
    bench = opened(workbench, tmp_path)
    m = bench.context.model
    numbers = [m.id("geom", f"post_{k}") for k in range(4)]
    before = bench.snapshot.geom_xpos[numbers].copy()
    click_view(bench, geom_at(bench, "post_2"))
    bench.wait(lambda: bench.context.selection.elements and bench.context.selection.elements[0].name == "post_2")
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    bench.wait(lambda: bench.viewport.tools.active.strip.aims["spacing"].isVisible())
    drag(bench, ("move", (2,)), (0, -50), keys=ALT)
    bench.wait(lambda: bench.snapshot.geom_xpos[numbers[2]][2] > before[2][2] + 0.02 and not bench.session._compiler.busy)
    bench.steady(lambda: bench.snapshot.geom_xpos[numbers].tobytes())
    lift = bench.snapshot.geom_xpos[numbers][:, 2] - before[:, 2]
    assert np.allclose(lift, np.arange(4) * lift[1], atol=1e-6) and lift[1] > 0.01, "the first stays, each of the others goes one step more"
    assert 'offset="0 .3 0.' in line_of(bench, "<replicate") and bench.session.document.history.entries[-1].edit.label == "Move spacing of replicate"
    undo(bench)
    bench.wait(lambda: np.allclose(bench.snapshot.geom_xpos[numbers], before))
    element = next(one for one in bench.session.document.version().root.walk() if one.tag == "replicate")
    bench.application.document_selection.select([element.id])
    bench.pictures(2)
    bench.move(QPointF(5, 5), button=Button.NoButton)     # without Alt
    strip = bench.viewport.tools.active.strip
    bench.wait(lambda: strip.note.text() == "1 of 4 copies made by replicate; edits change all" and strip.aims["spacing"].isVisible())
    drag(bench, ("move", (2,)), (0, -40))
    bench.wait(lambda: bench.snapshot.geom_xpos[numbers[0]][2] > before[0][2] + 0.02 and not bench.session._compiler.busy)
    bench.steady(lambda: bench.snapshot.geom_xpos[numbers].tobytes())
    assert np.ptp(bench.snapshot.geom_xpos[numbers] - before, axis=0).max() < 1e-6, "all of it alike"
    assert '<replicate count="4" offset="0 .3 0" sep="_">' in bench.session.document.main.text
    undo(bench)
    bench.wait(lambda: np.allclose(bench.snapshot.geom_xpos[numbers], before))
    click(strip.aims["spacing"])
    bench.pictures(2)
    bench.wait(lambda: strip.note.text() == "Copy 2 of 4: all but the first follow, by offset and euler of the replicate")
    drag(bench, ("point", 0), (0, -40))
    bench.wait(lambda: bench.snapshot.geom_xpos[numbers[3]][2] > before[3][2] + 0.02 and not bench.session._compiler.busy)
    assert np.allclose(bench.snapshot.geom_xpos[numbers[0]], before[0])


COPIES = """<mujoco model="copies"><option gravity="0 0 0"/><statistic center="0 .4 .3" extent="1.2"/><visual><global azimuth="180" elevation="-20"/></visual>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <replicate count="4" offset="0 .3 0" sep="_">
      {}
    </replicate>
  </worldbody>
</mujoco>
"""
PATTERNS = {"floating": '<body name="post" pos="0 0 .1"><freejoint/><geom name="post" type="box" size=".05 .05 .1"/></body>',
            "fixed": '<geom name="post" type="box" size=".05 .05 .1" pos="0 0 .1"/>',
            "replicate": '<replicate count="2" offset=".3 0 0"><geom type="box" size=".05 .05 .1" pos="0 0 .1"/></replicate>'}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_first_of_copies_that_were_written_out_is_dragged_as_it_is_selected_then(workbench, tmp_path, pattern):
    path = tmp_path / "model.xml"
    path.write_text(COPIES.format(PATTERNS[pattern]))
    bench = workbench(path, size=(1100, 760))
    bench.pictures(3)
    bench.application.document_selection.select([next(one.id for one in bench.session.document.version().root.walk() if one.tag == "replicate")])
    bench.application.structure.unroll()
    bench.taken_up()
    frames = [one for one in bench.session.document.version().root.walk() if one.tag == "frame"]
    assert len(frames) == (12 if pattern == "replicate" else 4), "a pattern within is written out, too"
    assert bench.application.document_selection.ids == (frames[0].id,)
    before = bench.snapshot.geom_xpos.copy()
    bench.host.setFocus()
    QTest.keyClick(bench.host, Key.Key_G, SHIFT)
    bench.pictures(2)
    for _again in range(2):
        start = bench.snapshot.geom_xpos.copy()
        drag(bench, ("move", (2,)), (0, -40))
        bench.taken_up()
        bench.wait(lambda start=start: bench.snapshot.geom_xpos[0][2] > start[0][2] + 0.02)
    count = len(before) // 4        # of geoms in a copy
    assert np.allclose(bench.snapshot.geom_xpos[count:], before[count:]) and "<frame pos=" in bench.session.document.main.text
    bench.session.undo()
    bench.session.undo()
    bench.wait(lambda: np.allclose(bench.snapshot.geom_xpos, before, atol=1e-6))
