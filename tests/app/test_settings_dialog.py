"""The settings dialog: made from the table, searched, acts at once in every window, puts values back."""
import pytest
from PyQt6.QtCore import QPoint, QPointF, Qt
from PyQt6.QtGui import QColor, QWheelEvent
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QCheckBox, QColorDialog, QComboBox, QDialog, QFileDialog, QLineEdit, QPushButton, QSpinBox, QToolButton

from app.settings import SETTINGS
from app.viewport.hosts import surface_format
from tests.app.workbench import CTRL, NONE, Button, Key

MODEL = "<mujoco><worldbody><light pos='0 0 3'/><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.fixture
def bench(workbench, tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(MODEL)
    made = workbench(path, quality="auto")
    yield made
    for name in ("view/theme", "view/accent", "view/font_scale", "view/density"):
        made.settings.reset(name)


@pytest.fixture
def dialog(bench):
    """The dialog, opened by its key."""
    bench.press_key(Key.Key_Comma, CTRL)
    made = bench.application.program_control.settings_dialog
    bench.wait(made.isVisible)
    return made


def shown(dialog) -> set[str]:
    """Names of the rows to be seen."""
    return {name for name, row in dialog.rows.items() if row.isVisibleTo(dialog)}


def test_every_setting_with_a_title_is_there(dialog):
    assert set(dialog.rows) == {name for name, row in SETTINGS.items() if row.title} == shown(dialog)
    assert {type(row.field.widget) for row in dialog.rows.values()} >= {QCheckBox, QComboBox, QSpinBox, QPushButton}


def test_a_search_leaves_what_is_meant(dialog):
    QTest.keyClicks(dialog.search, "colour")
    assert {"view/theme", "view/accent"} <= shown(dialog) and "run/start_running" not in shown(dialog)
    dialog.search.setText("light dark")         # words of the choices
    assert "view/theme" in shown(dialog)
    dialog.search.setText("qqq")
    assert not shown(dialog) and dialog._nothing.isVisibleTo(dialog)
    dialog.search.clear()
    assert len(shown(dialog)) == len(dialog.rows)


def test_a_choice_acts_at_once_and_can_be_put_back(bench, dialog):
    row = dialog.rows["view/theme"]
    assert not row.back.isVisibleTo(dialog)
    row.field.widget.setCurrentIndex(1)
    row.field.widget.activated.emit(1)
    assert bench.settings.get("view/theme") == "light" and QApplication.palette().window().color().lightness() > 128
    assert row.back.isVisibleTo(dialog) and "Dark" in row.back.toolTip()
    QTest.mouseClick(row.back, Button.LeftButton)
    assert bench.settings.get("view/theme") == "dark" and row.field.widget.currentIndex() == 0 and not row.back.isVisibleTo(dialog)


def test_a_number_acts_when_it_is_entered(bench, dialog):
    box = dialog.rows["view/font_scale"].field.widget
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "140")
    assert bench.settings.get("view/font_scale") == 100       # not at each digit
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert bench.settings.get("view/font_scale") == 140 and bench.application.overlay.scale == 1.4 and dialog.isVisible()
    bench.wait(lambda: bench.source.editor().lexer().font(0).pointSizeF() == 14)


def test_switches_act_at_once(bench, dialog):
    QTest.mouseClick(dialog.rows["view/hover"].field.widget, Button.LeftButton, NONE, QPoint(8, 8))
    assert not bench.settings.get("view/hover") and not bench.viewport.hover.enabled and not bench.actions["hover"].isChecked()
    look = dialog.rows["view/look"].field.widget
    look.activated.emit(1)
    assert bench.context.options.look == "physical" and bench.actions["physical_look"].isChecked()
    bench.actions["physical_look"].trigger()        # the other way round
    assert dialog.rows["view/look"].field.widget.currentIndex() == 0


def test_quality_and_pace_act_at_once(bench, dialog):
    bench.pictures()
    bench.host.ask()        # a picture is under way
    before = bench.viewport._quality.name
    quality = dialog.rows["view/quality"]
    wanted = next(i for i, (name, _words) in enumerate(quality.row.choices) if name == "lowest")
    quality.field.widget.activated.emit(wanted)
    assert before != "lowest" == bench.viewport._quality.name == bench.viewport.renderer.quality.name
    bench.pictures()
    bench.settings.set("view/frame_cap", 10)
    assert bench.viewport.interval == 100 == bench.application._frames.interval()
    bench.settings.reset("view/frame_cap")
    bench.settings.reset("view/quality")
    assert bench.viewport._quality.name == before
    bench.pictures()


def test_vertical_sync_is_a_matter_of_the_window_s_surface():
    assert surface_format(True).swapInterval() == 1 and surface_format(False).swapInterval() == 0


def test_the_wheel_does_not_change_what_it_scrolls_over(bench, dialog):
    for name in ("view/theme", "view/font_scale"):
        widget, before = dialog.rows[name].field.widget, bench.settings.get(name)
        dialog.search.setFocus()
        at = QPointF(widget.rect().center())
        event = QWheelEvent(at, QPointF(widget.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False)
        QApplication.sendEvent(widget, event)
        assert bench.settings.get(name) == before


def test_a_colour_and_a_file_are_chosen_in_their_dialogs(bench, dialog, monkeypatch, tmp_path):
    monkeypatch.setattr(QColorDialog, "getColor", lambda *_: QColor("#2266cc"))
    QTest.mouseClick(dialog.rows["view/accent"].field.widget, Button.LeftButton)
    assert bench.settings.get("view/accent") == "#2266cc" and QApplication.palette().highlight().color().name() == "#2266cc"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(tmp_path / "log.txt"), ""))
    field = dialog.rows["log/file"].field.widget
    QTest.mouseClick(field.findChild(QToolButton), Button.LeftButton)
    assert bench.settings.get("log/file") == str(tmp_path / "log.txt") == field.findChild(QLineEdit).text()


def test_everything_goes_back_at_once(bench, dialog):
    bench.settings.set("view/font_scale", 120)
    bench.settings.set("run/start_running", False)
    next(b for b in dialog.findChildren(QPushButton) if b.text() == "Everything as at first").click()
    assert all(bench.settings.is_default(name) for name in dialog.rows)


def test_it_opens_on_a_setting_and_leads_to_the_keys(bench, dialog):
    bench.application.program_control.show_settings("editor/font_size")
    bench.wait(lambda: dialog.rows["editor/font_size"].field.widget.hasFocus())
    assert not dialog.rows["editor/font_size"].visibleRegion().isEmpty()
    next(b for b in dialog.findChildren(QPushButton) if b.text() == "Keys...").click()
    bench.wait(lambda: any(d.windowTitle() == "Keys" and d.isVisible() for d in bench.window.findChildren(QDialog)))


def test_what_does_nothing_here_says_so(dialog):
    texts = [label.text() for label in dialog.rows["view/vsync"].findChildren(type(dialog._nothing))]
    assert any("Does nothing here" in text for text in texts) and any("from the next start" in text for text in texts)


def test_another_window_hears_of_settings_and_keys(bench, workbench, tmp_path):
    """Keys bound by one window's dialog act in the other; both share the settings of the program."""
    from app.program import Program

    program = Program(bench.settings)
    other = program.open_window(tmp_path / "m.xml")
    bench.wait(lambda: other.context.model is not None)
    bench.settings.set_keys("step", ("Ctrl+J",))
    bench.settings.set("view/hover", False)
    for application in (bench.application, other):
        assert [key.toString() for key in application.actions["step"].shortcuts()] == ["Ctrl+J"]
        assert not application.viewport.hover.enabled
    other.window.close()
    bench.wait(lambda: not program.windows)


def test_a_setting_that_is_asked_for_has_the_keys_in_its_field(bench, dialog):
    """A file's field is a line with a button: the keys went to what holds both."""
    dialog.show_setting("log/file")
    line = dialog.rows["log/file"].field.widget.findChild(QLineEdit)
    bench.wait(line.hasFocus)
