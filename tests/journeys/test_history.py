"""What happened and what else could have: go back and on otherwise, mark moments, see both ways at once, with curves; all by real events."""
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest

from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import choose_in_menu, click, focused, from_palette, show_tab, strike, type_keys

MODEL = """<mujoco model="swing">
  <statistic center="0 0 .7" extent="2"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="arm" pos="0 0 1.2"><joint name="hinge" axis="0 1 0" damping=".05"/>
      <geom name="rod" type="capsule" fromto="0 0 0 .5 0 0" size=".04"/>
    </body>
  </worldbody>
  <actuator><motor name="turn" joint="hinge" ctrlrange="-3 3"/></actuator>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "swing.xml"
    path.write_text(MODEL)
    return workbench(path, size=(1300, 850))


def run_until(bench, entries: int) -> None:
    """Space, until the history is so long, and Space again."""
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.history_length > entries)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)


def scrub(bench, index: int) -> None:
    """A click on the time axis."""
    axis = bench.window.timeline.axis
    QTest.mouseClick(axis, Button.LeftButton, NONE, QPoint(round(axis.x_of(index)), axis.height() - 8))
    bench.wait(lambda: abs(bench.snapshot.history_index - index) < 12 and not bench.snapshot.running)


def test_another_way_from_an_earlier_moment_is_kept_beside_the_first(bench):
    bench.wait(bench.host.hasFocus)
    run_until(bench, 300)
    first = bench.snapshot.qpos[0]
    scrub(bench, 150)
    bench.host.setFocus()
    bench.press_key(Key.Key_B, CTRL)
    assert len(bench.context.bookmarks) == 1
    slider = show_tab(bench, "Controls").rows[0]
    slider.enter(2.5)
    bench.wait(lambda: bench.snapshot.ctrl[0] == 2.5)
    bench.host.setFocus()
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: len(bench.snapshot.history_branches) == 2 and bench.snapshot.history_length > 250)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)

    from_palette(bench, "Branches")
    bench.wait(lambda: "branches" in bench.docks.panels)
    graph = bench.docks.panels["branches"].graph
    bench.wait(lambda: len(graph.rows) == 2 and not graph.visibleRegion().isEmpty())
    assert graph.rows[1].name == "start" and graph.rows[0].name.startswith("changed at")
    QTest.mouseDClick(graph, Button.LeftButton, NONE, QPoint(graph.width() // 2, round(graph.y_of(1))))
    bench.wait(lambda: bench.snapshot.history_branch == 1 and bench.snapshot.qpos[0] == first)
    assert bench.snapshot.ctrl[0] == 0

    bench.host.setFocus()
    bench.press_key(Key.Key_Left, CTRL)         # the bookmark is of both ways
    bench.wait(lambda: bench.snapshot.history_index == bench.context.bookmarks.all[0].number and bench.snapshot.history_branch == 1)


def test_a_companion_with_a_value_of_its_own_is_seen_and_drawn_beside_the_run(bench):
    bench.wait(bench.host.hasFocus)
    from_palette(bench, "Plots")
    bench.wait(lambda: "plots" in bench.docks.panels and bench.docks.panels["plots"].isVisible())
    plots = bench.docks.panels["plots"]
    click(plots.edit)
    bench.wait(plots.edit.hasFocus)
    type_keys('qpos["hinge"]')
    strike(Key.Key_Escape)
    strike(Key.Key_Return)
    assert plots.texts == ('qpos["hinge"]',)
    bench.host.setFocus()
    from_palette(bench, "Start a companion run")
    bench.wait(lambda: "companions" in bench.docks.panels and len(bench.application.companions.rows) == 1)
    panel = bench.docks.panels["companions"]
    bench.wait(lambda: not panel.visibleRegion().isEmpty())
    row = bench.application.companions.rows[0]
    assert bench.application.companions.change(row, "gravity = 0 0 -2") == ""
    bench.host.setFocus()
    run_until(bench, 200)
    bench.wait(lambda: row.snapshot is not None and abs(row.snapshot.time - bench.snapshot.time) < 1e-9)
    assert row.snapshot.qpos[0] < bench.snapshot.qpos[0] - 0.01 and [ghost.label for ghost in bench.context.ghosts] == ["gravity 0 0 -2"]
    bench.wait(lambda: plots._beside.of('qpos["hinge"]', 0, *plots._scale) != [])
    bench.host.setFocus()
    from_palette(bench, "Stop all companion runs")
    bench.wait(lambda: bench.context.ghosts == () and not bench.application.companions.rows)


def test_a_recording_is_saved_and_opened_by_its_menu(bench, tmp_path, monkeypatch):
    bench.wait(bench.host.hasFocus)
    run_until(bench, 120)
    wanted, length = bench.snapshot.qpos.copy(), bench.snapshot.history_length
    path = tmp_path / "swing.h5"
    monkeypatch.setattr("app.controllers.recordings.ask_for_new_file", lambda *_args, **_options: path)
    choose_in_menu(bench, "&File", "Save recording...")
    bench.wait(path.exists)
    bench.host.setFocus()
    bench.press_key(Key.Key_Backspace)
    bench.wait(lambda: bench.snapshot.time == 0)
    bench.session.open(path)
    bench.wait(lambda: bench.snapshot.history_length == length and bench.context.model is bench.snapshot.model)
    assert (bench.snapshot.qpos == wanted).all() and focused() is not None
