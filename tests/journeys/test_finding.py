"""Find things and act on them: the palette by keys alone; the outliner, the selection and the text hand in hand."""
import numpy as np
import pytest
from PyQt6.QtGui import QGuiApplication

from app.panels.elements.model import NAME
from render.scene.shapes import OBJ_GEOM
from tests.app.workbench import CTRL, SHIFT, Key
from tests.journeys.hands import choose_in_menu, click_view, geom_at, put_cursor, strike, type_keys

MODEL = """<mujoco model="things">
  <visual><global azimuth="90" elevation="-20"/></visual>
  <statistic center="0 0 .5" extent="2.6"/>
  <worldbody>
    <light pos="0 -2 4" dir="0 .3 -1"/>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="left_foot" pos="-1 0 .3"><freejoint/>
      <geom name="red" type="box" size=".25 .25 .25" rgba="1 0 0 1"/>
    </body>
    <body name="middle" pos="0 0 .9">
      <joint name="turn" axis="0 0 1"/>
      <geom name="ball" size=".2" rgba="1 1 0 1"/>
    </body>
    <body name="right_foot" pos="1 0 .3"><freejoint/>
      <geom name="green" type="box" size=".25 .25 .25" rgba="0 1 0 1"/>
    </body>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "things.xml"
    path.write_text(MODEL)
    made = workbench(path, size=(1300, 850))
    yield made
    made.settings.reset("view/theme")


def found(bench, text: str) -> list[str]:
    """Titles in the palette, opened by its keys, for a text typed into it."""
    strike(Key.Key_P, CTRL | SHIFT)
    palette = bench.application.program_control.palette
    bench.wait(lambda: palette.isVisible() and palette.field.hasFocus())
    type_keys(text)
    bench.wait(lambda: palette._search.done)
    return [entry.title for entry in palette.rows.entries]


def test_everything_is_reached_from_the_palette_by_keys(bench):
    bench.wait(bench.host.hasFocus)
    assert found(bench, "ten steps")[0] == "Ten steps"       # an action
    palette = bench.application.program_control.palette
    strike(Key.Key_Return)
    bench.wait(lambda: bench.snapshot.time == pytest.approx(10 * bench.context.model.opt.timestep))

    titles = found(bench, "foot")                           # an element, the second of two
    row = titles.index("right_foot")
    assert "left_foot" in titles
    for _ in range(row):
        strike(Key.Key_Down)
    strike(Key.Key_Return)
    assert str(bench.context.selection.active) == "body right_foot" and not palette.isVisible()

    found(bench, "panel log")                               # a panel
    strike(Key.Key_Return)
    bench.wait(lambda: "log" in bench.docks.panels and not bench.docks.panels["log"].visibleRegion().isEmpty())

    bench.host.setFocus()
    found(bench, "setting colours")                         # a setting
    strike(Key.Key_Return)
    dialog = bench.application.program_control.settings_dialog
    field = dialog.rows["view/theme"].field.widget
    bench.wait(lambda: dialog.isVisible() and field.hasFocus())
    strike(Key.Key_Down)
    assert bench.settings.get("view/theme") == "light"
    bench.wait(lambda: bench.window.palette().window().color().lightness() > 128)
    strike(Key.Key_Escape)
    bench.wait(lambda: not dialog.isVisible())

    bench.window.activateWindow()
    bench.host.setFocus()
    bench.wait(bench.host.hasFocus)
    found(bench, "dark colours")                            # an action again, and what was done last is first
    strike(Key.Key_Return)
    assert bench.settings.get("view/theme") == "dark" and bench.host.hasFocus()
    assert found(bench, "")[0] == "Dark colours"
    strike(Key.Key_Escape)
    assert not palette.isVisible() and bench.host.hasFocus()


# ------------------------------------------------------------------ outliner, selection, text

def names(bench) -> list[str]:
    return [what.name for what in bench.context.selection.elements]


def drawn(bench) -> set[str]:
    """Names of the geoms that the picture shows."""
    bench.pictures()
    g, model = bench.viewport.picture.scene.geoms, bench.context.model
    seen = (g.view("rgba")[:, 3] > 0) & (g.view("objtype") == OBJ_GEOM)
    return {model.names["geom"][i] for i in g.view("objid")[seen]}


def test_things_are_found_hidden_shown_alone_framed_and_followed_into_the_text(bench):
    outliner = bench.panel("outliner")
    bench.press_key(Key.Key_M, widget=outliner.search)
    type_keys("iddle")
    strike(Key.Key_Return)
    bench.wait(lambda: names(bench) == ["middle"])
    strike(Key.Key_Escape)      # of the search
    assert not outliner.search.text()
    in_tree = {index.data() for index in outliner.tree.selectionModel().selectedRows(NAME)}
    assert in_tree == {"middle"}

    bench.host.setFocus()
    bench.pictures()
    click_view(bench, geom_at(bench, "red"))
    bench.wait(lambda: names(bench) == ["red"])
    click_view(bench, geom_at(bench, "green"), SHIFT)
    bench.wait(lambda: names(bench) == ["red", "green"])
    assert {index.data() for index in outliner.tree.selectionModel().selectedRows(NAME)} == {"red", "green"}
    inspector = bench.panel("inspector")
    bench.wait(lambda: "2 elements" in inspector.title.text())

    everything = {"floor", "red", "ball", "green"}
    assert drawn(bench) == everything
    bench.press_key(Key.Key_H, SHIFT)
    assert drawn(bench) == {"floor", "ball"}
    bench.press_key(Key.Key_H, SHIFT)
    bench.press_key(Key.Key_I, SHIFT)
    assert drawn(bench) == {"red", "green"}
    strike(Key.Key_H, CTRL | SHIFT)
    assert drawn(bench) == everything

    view, far = bench.application.view_control, bench.application.view_control.camera.distance
    click_view(bench, geom_at(bench, "ball"))
    bench.wait(lambda: names(bench) == ["ball"])
    strike(Key.Key_Period)
    bench.wait(lambda: not view.flying and view.camera.distance < far / 2)
    assert np.allclose(view.camera.lookat, bench.snapshot.geom_xpos[bench.context.model.id("geom", "ball")])
    choose_in_menu(bench, "&Selection", "Copy name")
    assert QGuiApplication.clipboard().text() == "ball"

    bench.press_key(Key.Key_F12)
    editor = bench.source.editor()
    bench.wait(lambda: editor.hasFocus() and 'name="ball"' in editor.text(editor.getCursorPosition()[0]))
    line = next(row for row in range(editor.lines()) if 'name="green"' in editor.text(row))
    put_cursor(bench, editor, line, editor.text(line).index("geom"))
    bench.wait(lambda: names(bench) == ["green"])
    assert editor.marked_lines() == [line + 1] and {index.data() for index in outliner.tree.selectionModel().selectedRows(NAME)} == {"green"}
    assert not bench.session.modified
