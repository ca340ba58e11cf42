"""The measure tool in the view, by real events: distance, nearest points, angle, what moves along, Esc."""
import numpy as np
import pytest
from PyQt6.QtCore import QPointF, Qt
from PyQt6.QtTest import QTest

from app.posing.measurements import BODIES
from physics.quantities.quantity import compile_quantity
from physics.runtime import commands
from tests.app.workbench import SHIFT, Key
from tests.journeys.hands import click_view, geom_at

MODEL = """<mujoco><visual><global azimuth="90" elevation="-20"/></visual><statistic center="0 0 .8" extent="3"/><worldbody>
  <light pos="0 -2 4" dir="0 .3 -1"/><geom name="floor" type="plane" size="5 5 .1"/>
  <body name="left" pos="-1 0 1"><joint name="turn" axis="0 0 1"/><geom name="ball" size=".2"/><geom name="rod" type="capsule" fromto="0 0 0 0 0 .6" size=".05"/></body>
  <body name="right" pos="1 0 1"><geom name="box" type="box" size=".2 .2 .2"/></body>
  <body name="top" pos="0 0 1.8"><freejoint/><geom name="disc" type="sphere" size=".15"/></body></worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    bench = workbench(tmp_path / "m.xml", size=(1200, 800))
    bench.pictures()
    return bench


@pytest.fixture
def measuring(bench):
    return bench.application.measuring


def begin(bench):
    bench.press_key(Key.Key_M, SHIFT)
    assert bench.viewport.tools.active is not None and bench.host.cursor().shape() == Qt.CursorShape.CrossCursor


def pick(bench, name, count):
    """A click on the middle of a geom; waits for the measurement to have that many points."""
    click_view(bench, geom_at(bench, name))
    bench.wait(lambda: bench.application.measuring.current is not None and len(bench.application.measuring.current.points) == count)
    return bench.application.measuring.current


def figures(bench, item):
    return {figure.name: figure.value for figure in item.figures(bench.snapshot)}


def test_two_clicks_are_a_distance_with_nearest_points_and_a_third_an_angle(bench, measuring):
    begin(bench)
    selected = bench.context.selection
    pick(bench, "ball", 1)
    item = pick(bench, "box", 2)
    bench.wait(lambda: item.nearest is not None)
    shown = figures(bench, item)
    assert shown["nearest"] == pytest.approx(2 - 0.2 - 0.2, abs=1e-4)
    way = np.diff(item.places(bench.snapshot), axis=0)[0]
    assert [shown["dx"], shown["dy"], shown["dz"]] == pytest.approx(way) and shown["distance"] == pytest.approx(np.linalg.norm(way)) and 1.5 < shown["distance"] < 2.1
    assert item.title == "geom ball to geom box" and bench.context.selection == selected, "nothing is selected by it"
    for figure in item.figures(bench.snapshot)[:4]:     # what Plot draws is the same number
        value = compile_quantity(bench.context.model, figure.text).of_snapshot(bench.snapshot)
        assert float(np.ravel(value)[0]) == pytest.approx(figure.value, abs=1e-6)
    pick(bench, "disc", 3)
    a, b, c = item.places(bench.snapshot)
    wanted = np.degrees(np.arccos((a - b) @ (c - b) / np.linalg.norm(a - b) / np.linalg.norm(c - b)))
    assert figures(bench, item)["angle"] == pytest.approx(wanted)
    plotted = compile_quantity(bench.context.model, item.figures(bench.snapshot)[-1].text)
    assert float(plotted.of_snapshot(bench.snapshot)) == pytest.approx(wanted) and plotted.unit == "deg"
    other = pick(bench, "ball", 1)
    assert other is not item and len(measuring.items) == 2, "the fourth click begins another"


def test_points_stay_on_their_bodies_while_it_runs(bench, measuring):
    begin(bench)
    pick(bench, "disc", 1)
    item = pick(bench, "box", 2)
    bench.wait(lambda: item.nearest is not None)
    before, local = figures(bench, item), item.points[0].local
    bench.runner.send(commands.Run())
    bench.pass_time(0.3)
    bench.wait(lambda: item.nearest.ends(bench.snapshot)[0, 2] < 1.7)
    now = figures(bench, item)
    assert now["dz"] == pytest.approx(before["dz"] + 1.8 - bench.snapshot.xpos[3, 2], abs=1e-6) and item.points[0].local == local
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)
    gap = np.maximum(np.abs(bench.snapshot.xpos[3] - bench.snapshot.xpos[2]) - 0.2, 0)
    bench.wait(lambda: abs(item.nearest.dist - (np.linalg.norm(gap) - 0.15)) < 1e-4)


def test_return_completes_esc_takes_away_and_then_ends(bench, measuring):
    begin(bench)
    pick(bench, "ball", 1)
    first = pick(bench, "box", 2)
    QTest.keyClick(bench.host, Key.Key_Return)
    assert measuring.current is None and measuring.items == [first]
    pick(bench, "disc", 1)
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert measuring.items == [first] and bench.viewport.tools.active is not None
    QTest.keyClick(bench.host, Key.Key_Escape)
    assert bench.viewport.tools.active is None and measuring.items == [first]
    click_view(bench, geom_at(bench, "box"))     # a click selects again
    bench.wait(lambda: bench.context.selection.active is not None and bench.context.selection.active.name == "box")


def test_dragging_turns_the_camera_and_the_background_is_no_point(bench, measuring):
    begin(bench)
    camera = bench.application.view_control.camera
    bench.drag(QPointF(300, 300), QPointF(340, 310), QPointF(380, 320))
    assert bench.application.view_control.camera != camera and not measuring.items
    questions = bench.viewport.hover.questions
    click_view(bench, QPointF(600, 8))      # the sky
    bench.wait(lambda: bench.viewport.hover.questions > questions)
    bench.pictures()
    assert not measuring.items


def test_between_bodies_and_after_an_edit(bench, measuring):
    begin(bench)
    pick(bench, "ball", 1)
    item = pick(bench, "disc", 2)
    bench.wait(lambda: item.nearest is not None)
    of_geoms = item.nearest.dist
    measuring.choose_between(BODIES)
    bench.wait(lambda: item.nearest is not None)
    assert item.nearest.dist < of_geoms - 0.01, "the rod is nearer"
    bench.source.editor().replace_text(MODEL.replace('pos="0 0 1.8"', 'pos="0 0 2.8"').replace('<body name="right" pos="1 0 1"><geom name="box" type="box" size=".2 .2 .2"/></body>', ""))
    bench.session.apply()
    bench.wait(lambda: bench.context.model.id("body", "right") < 0)
    assert measuring.items == [item] and item.points[1].body.id == bench.context.model.id("body", "top")
    bench.session.new()
    bench.wait(lambda: bench.context.newly_opened and bench.context.model.id("body", "ball") > 0)
    assert not measuring.items


def test_it_is_drawn_over_the_picture(bench, measuring):
    begin(bench)
    bare = bench.host.grab().toImage()
    pick(bench, "ball", 1)
    item = pick(bench, "box", 2)
    bench.wait(lambda: item.nearest is not None)
    bench.pictures()
    drawn = bench.host.grab().toImage()
    ends = [geom_at(bench, "ball"), geom_at(bench, "box")]
    middle = QPointF(0.5 * (ends[0].x() + ends[1].x()), 0.5 * (ends[0].y() + ends[1].y()))
    differ = sum(bare.pixel(x, y) != drawn.pixel(x, y) for x in range(int(middle.x()) - 40, int(middle.x()) + 160) for y in range(int(middle.y()) - 40, int(middle.y()) + 60))
    assert differ > 500
