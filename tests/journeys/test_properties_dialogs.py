"""Journeys with dialogs that stay open beside the panel "Properties": a colour is looked for while other things are selected, undone or changed."""
import pytest
from PyQt6.QtGui import QColor

from physics.model.elements import element
from tests.journeys.hands import click
from tests.journeys.test_properties import open_panel, row, select

MODEL = """<mujoco>
  <worldbody>
    <geom name="a" size=".1" rgba="1 0 0 1"/>
    <geom name="b" size=".2" rgba="0 1 0 1" pos="1 0 0"/>
    <light name="lamp" pos="0 0 3" diffuse="1.5 .5 .5"/>
  </worldbody>
</mujoco>
"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1200, 800))


def text_of(bench):
    return bench.session.document.main.text


def open_dialog(bench, panel, name):
    tile = row(bench, panel, name).editor.tile
    click(tile)
    bench.wait(lambda: tile.dialog is not None and tile.dialog.isVisible())
    return tile.dialog


def test_what_is_selected_while_a_colour_is_looked_for_is_what_is_edited_then(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    dialog = open_dialog(bench, panel, "rgba")
    dialog.setCurrentColor(QColor.fromRgbF(0, 0, 1, 1))
    bench.wait(lambda: 'name="a" size=".1" rgba="0 0 1 1"' in text_of(bench))
    m = bench.context.model
    bench.context.select_elements([element(m, "geom", m.id("geom", "b"))])
    bench.wait(lambda: panel.filled and "<b>b</b>" in panel.title.text())
    assert not panel.changes.busy and bench.session.document.open_gesture is None
    field = row(bench, panel, "size").editor.fields()[0]
    assert field.text().startswith(".2") or field.text().startswith("0.2")
    bench.wait(lambda: row(bench, panel, "rgba").editor.tile.dialog is None)      # that of the other one is closed
    bench.session.undo()
    assert text_of(bench) == MODEL


def test_colours_after_a_pause_are_an_entry_of_their_own_and_cancel_takes_both_back(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    dialog = open_dialog(bench, panel, "rgba")
    dialog.setCurrentColor(QColor.fromRgbF(0, 0, 1, 1))
    bench.wait(lambda: 'rgba="0 0 1 1"' in text_of(bench))
    bench.wait(lambda: bench.session.document.open_gesture is None)      # nothing waits for a dialog that is left open
    bench.wait(lambda: panel.filled)
    dialog.setCurrentColor(QColor.fromRgbF(1, 1, 0, 1))
    bench.wait(lambda: 'rgba="1 1 0 1"' in text_of(bench))
    dialog.reject()
    bench.wait(lambda: text_of(bench) == MODEL and bench.session.document.open_gesture is None)


def test_another_edit_ends_the_gesture_of_a_dialog_whose_next_colours_still_count(bench):
    panel = open_panel(bench)
    select(bench, panel, "a")
    dialog = open_dialog(bench, panel, "rgba")
    dialog.setCurrentColor(QColor.fromRgbF(0, 0, 1, 1))
    bench.wait(lambda: 'rgba="0 0 1 1"' in text_of(bench))
    bench.session.write_text(bench.session.document.main_key, text_of(bench).replace('size=".2"', 'size=".3"'), "another")
    dialog.setCurrentColor(QColor.fromRgbF(1, 0, 1, 1))
    bench.wait(lambda: 'rgba="1 0 1 1"' in text_of(bench))
    dialog.accept()
    bench.wait(lambda: bench.session.document.open_gesture is None)
    assert 'size=".3"' in text_of(bench)


def test_a_channel_above_one_stays_where_another_one_is_changed(bench):
    panel = open_panel(bench)
    select(bench, panel, "lamp", kind="light")
    dialog = open_dialog(bench, panel, "diffuse")
    dialog.setCurrentColor(QColor.fromRgbF(1, .5, .2, 1))
    bench.wait(lambda: "0.2" in text_of(bench) or " .2" in text_of(bench).split("diffuse")[1])
    assert 'diffuse="1.5 .5' in text_of(bench)
    dialog.accept()
