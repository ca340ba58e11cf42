"""All of mjVisual and mjStatistic in the Visualization panel: each has an editor, and the next picture follows."""
import dataclasses
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtGui import QColor, QImage
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QDialogButtonBox, QLabel, QPushButton

from app.panels.values.visual_table import SECTIONS, SWITCH
from editor.widgets.changed_mark import ChangedMark
from physics.model.visual import Visual

MODEL = """<mujoco>
  <statistic extent="2" center="0 0 .5"/>
  <visual><rgba haze=".1 .2 .3 1"/><global elevation="-8"/><scale jointlength="5" jointwidth=".3"/></visual>
  <asset><texture type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="32" height="64"/></asset>
  <worldbody>
    <geom type="plane" size="0 0 .1"/><camera name="side" pos=".6 -.6 1" xyaxes="1 0 0 0 0 1"/>
    <body pos="0 0 .5"><joint name="elbow"/><geom size=".2" rgba=".8 .5 .5 1"/></body>
  </worldbody>
</mujoco>"""
ROWS = {row.path: row for _title, rows in SECTIONS for row in rows}


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(MODEL)
    return workbench(tmp_path / "m.xml", size=(1000, 760))


def settings(bench):
    """The panel's editors, all sections open."""
    found = bench.panel("visual").settings
    for section in found.sections:
        section.fold(True)
    return found


def enter(edit, text: str) -> None:
    """Type over a field, and Enter."""
    edit.setFocus()
    edit.selectAll()
    QTest.keyClicks(edit, text)
    QTest.keyClick(edit, Qt.Key.Key_Return)


def picture(bench) -> np.ndarray:
    """What the view shows, drawn anew."""
    bench.pictures(3)
    image = bench.host.grab().toImage().convertToFormat(QImage.Format.Format_RGB888)
    return np.frombuffer(image.constBits().asstring(image.sizeInBytes()), np.uint8).reshape(image.height(), image.bytesPerLine())[:, :3 * image.width()].astype(int)


def test_every_setting_and_statistic_has_an_editor(bench):
    fields = {f"{group.name}.{field.name}" for group in dataclasses.fields(Visual) for field in dataclasses.fields(group.default_factory)}
    statistics = {name for name in bench.context.model.fields() if name.startswith("stat_")}
    assert set(ROWS) == fields | statistics == set(settings(bench).editors)


def test_numbers_are_typed(bench):
    for path, text, value in (("map.stiffness", "250", 250.0), ("scale.forcewidth", ".2", 0.2), ("quality.shadowsize", "1024", 1024), ("stat_extent", "3", 3.0),
                              ("global_.fovy", "60", 60.0), ("stat_meansize", "2*.1", 0.2)):
        enter(settings(bench).editors[path][0], text)
        group, _, name = path.partition(".")
        holder = bench.context.model if path.startswith("stat_") else getattr(bench.context.model.vis, group)
        wanted = value if path.startswith("stat_") else type(value)(np.float32(value))      # the settings of pictures are in single precision
        bench.wait(lambda holder=holder, name=name or path, wanted=wanted: getattr(holder, name) == wanted)


def test_the_next_picture_follows(bench, tmp_path):
    for path, text in (("global_.fovy", "20"), ("headlight.ambient", "1 0 0"), ("map.znear", "2"), ("map.haze", ".9"), ("rgba.haze", "1 0 0 1"), ("scale.jointlength", "8"),
                       ("rgba.joint", "0 1 0 1"), ("stat_meansize", "1"), ("scale.camera", "3")):
        for flag in ("joint", "camera", "haze"):
            bench.context.options[flag] = True
        bench.context.options_changed.emit()
        before = picture(bench)
        enter(settings(bench).editors[path][-1], text)
        bench.wait(lambda before=before: np.abs(picture(bench) - before).max() > 20)
        model = bench.context.model
        bench.session.open(tmp_path / "m.xml")      # what was set is gone with it
        bench.wait(lambda model=model: bench.context.model is not model and bench.snapshot.model is bench.context.model)


def test_switches_and_choices(bench):
    editors, model = settings(bench).editors, bench.context.model
    before = picture(bench)
    editors["global_.orthographic"][0].click()
    bench.wait(lambda: model.vis.global_.orthographic == 1 and np.abs(picture(bench) - before).max() > 20)
    box = editors["headlight.active"][0]
    box.setCurrentIndex(0)
    box.activated.emit(0)
    bench.wait(lambda: model.vis.headlight.active == 0)
    camera = editors["global_.cameraid"][0]
    assert [camera.itemText(i) for i in range(camera.count())] == ["free camera", "side"]
    camera.setCurrentIndex(1)
    camera.activated.emit(1)
    bench.wait(lambda: model.vis.global_.cameraid == 0)
    assert sum(row.kind == SWITCH for row in ROWS.values()) == 2


def test_a_colour_is_picked_while_the_picture_follows(bench):
    bench.context.options["joint"] = True
    bench.context.options_changed.emit()
    before = picture(bench)
    button, edit = settings(bench).editors["rgba.joint"]
    bench.wait(lambda: 10 < button.height() < 40)     # laid out
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    button.dialog.setCurrentColor(QColor("#ff00ff"))
    bench.wait(lambda: bench.context.model.vis.rgba.joint == (1.0, 0.0, 1.0, 1.0) and np.abs(picture(bench) - before).max() > 40)
    bench.wait(lambda: edit.text() == "1 0 1 1")
    box = button.dialog.findChild(QDialogButtonBox)
    QTest.mouseClick(box.button(QDialogButtonBox.StandardButton.Cancel), Qt.MouseButton.LeftButton)
    bench.wait(lambda: bench.context.model.vis.rgba.joint == pytest.approx((0.2, 0.6, 0.8, 1.0)))


def test_the_camera_goes_where_the_settings_say_and_they_are_taken_from_it(bench):
    found = settings(bench)
    enter(found.editors["global_.azimuth"][0], "10")
    bench.wait(lambda: bench.context.model.vis.global_.azimuth == 10)
    buttons = {button.text(): button for button in found.sections[1].findChildren(QPushButton)}
    control = bench.application.view_control
    next(button for text, button in buttons.items() if text.startswith("Align")).click()
    assert control.camera.azimuth == 10
    control.camera = replace(control.camera, azimuth=77.0, lookat=(1.0, 2.0, 3.0))
    next(button for text, button in buttons.items() if text.startswith("Take")).click()
    bench.wait(lambda: bench.context.model.vis.global_.azimuth == 77 and bench.context.model.stat_center.tolist() == [1, 2, 3])


def test_one_filter_finds_settings_in_folded_sections(bench):
    panel = bench.panel("visual")
    panel.filter.setText("haze")
    shown = [section.title for section in panel.settings.sections if section.isVisible()]
    assert shown == ["Map", "Colours"] and all(section.opened for section in panel.settings.sections if section.title in shown)
    assert panel.flags["haze"].isVisible() and not panel.flags["fog"].isVisible()
    panel.filter.clear()
    assert not any(section.opened for section in panel.settings.sections) and panel.flags["fog"].isVisible()


def test_what_differs_from_the_file_is_marked(bench):
    found, panel = settings(bench), bench.panel("visual")
    enter(found.editors["rgba.haze"][1], "0 0 0 1")
    enter(found.editors["stat_extent"][0], "5")
    bench.wait(lambda: {mark.text for mark in panel.findChildren(ChangedMark) if mark.changed} == {"0.1 0.2 0.3 1", "2"})


def test_it_is_said_why_flex_and_sdf_have_no_switches(bench):
    panel = bench.panel("visual")
    panel.filter.setText("flex")
    notes = [label.text() for label in panel.findChildren(QLabel) if label.isVisible() and "flexible" in label.text()]
    assert notes and "SDF" in notes[0]


def test_numbers_with_decimals_are_typed_into_a_spin_box(bench):
    """Each key had the panel show the new number again, over what was being typed."""
    panel, options = bench.panel("visual"), bench.context.options
    panel.filter.setText("size of")
    box = panel.factor
    bench.wait(box.isVisible)
    box.setFocus()
    box.lineEdit().selectAll()
    QTest.keyClicks(box, "2.75")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert options.factors[panel.kind.currentText()] == 2.75 and box.value() == 2.75
    panel.filter.setText("tree depth")
    bench.wait(panel.tree_depth.isVisible)
    panel.tree_depth.setFocus()
    panel.tree_depth.lineEdit().selectAll()
    QTest.keyClicks(panel.tree_depth, "12")
    QTest.keyClick(panel.tree_depth, Qt.Key.Key_Return)
    assert options.bvh_depth == 12
