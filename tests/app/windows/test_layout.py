"""The window's shape: how much of it is the view, sides that step aside and come back, screens that are too small, what is remembered."""
import json

import pytest
from PyQt6.QtCore import QByteArray, QRect, Qt
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QLineEdit, QScrollArea, QTabBar, QWidget

from app.panels.table import PANELS
from app.settings import Settings
from app.windows.dock_layout import LEFT, NARROW
from app.windows.main_window import MainWindow
from app.workspaces import by_id
from assets.locate import bundled_model
from editor.fields.number_field import DragLabel
from tests.app.view_program import run_window
from tests.app.workbench import SHIFT, Key

SIMULATE = [panel.id for panel in PANELS if panel.id in by_id("simulate").panels]


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("mocap_paddle.xml"), size=(1280, 800))


def opened(bench):
    return [panel_id for panel_id, dock in bench.docks.docks.items() if not dock.isHidden()]


def on_top(bench, panel_id):
    dock = bench.docks.docks[panel_id]
    return dock.isVisible() and not dock.visibleRegion().isEmpty()


def live_bars(bench):
    """Titles of the tab bars of docks that are seen."""
    bars, area = bench.window.findChildren(QTabBar), bench.window.rect()
    return sorted(tuple(bar.tabText(i) for i in range(bar.count())) for bar in bars if bar.parent() is bench.window and bar.isVisible() and area.contains(bar.geometry()))


def scroll_area(panel):
    """What a panel scrolls in."""
    return next(parent for parent in (panel.parent(), panel.parent().parent()) if isinstance(parent, QScrollArea))


def test_most_of_the_window_is_the_view(workbench):
    bench = workbench(bundled_model("humanoid.xml"), size=(1400, 900))
    bench.wait(lambda: opened(bench) == SIMULATE)
    host, window = bench.host, bench.window
    bench.settled()
    bench.wait(lambda: host.width() > 800)
    width = host.width() if bench.docks.open_docks("left") else host.width() - LEFT[0] * window.width() - 6   # as wide as it is beside an outliner
    assert width * host.height() >= 0.6 * window.width() * window.height(), (width, host.height())
    assert host.height() > 800 and not bench.docks.open_docks("bottom")
    timeline = window.timeline
    assert timeline.width() == window.width() and timeline.mapTo(window, timeline.rect().topLeft()).y() <= host.mapTo(window, host.rect().bottomLeft()).y() + 8


@pytest.mark.parametrize("workspace", ["simulate", "inspect", "edit"])
def test_findings_open_with_room_below_the_view_which_keeps_half_the_height(workbench, workspace):
    bench = workbench(bundled_model("humanoid.xml"), size=(1200, 800))
    bench.window.workspaces.choose(workspace)
    bench.wait(lambda: bench.docks.filled)
    bench.settled()
    bench.docks.show("lint")
    dock = bench.docks.docks["lint"]
    bench.wait(lambda: on_top(bench, "lint") and dock.height() >= 0.2 * 800)
    bench.settled()
    assert bench.host.height() >= 0.5 * 800, (bench.host.height(), dock.height())
    if workspace == "inspect":
        return      # what else lies below the view there needs more than the 300 pixels of the rest
    bench.window.resizeDocks([dock], [300], Qt.Orientation.Vertical)
    bench.wait(lambda: abs(dock.height() - 300) <= 3)
    dock.hide()
    bench.docks.show("lint")
    bench.wait(lambda: on_top(bench, "lint"))
    bench.settled()
    assert abs(dock.height() - 300) <= 3, "as the user had it"


def test_attributes_leave_the_view_more_of_the_window_and_fit(workbench):
    bench = workbench(bundled_model("humanoid.xml"), size=(1400, 900))
    bench.window.workspaces.choose("edit")
    bench.wait(lambda: bench.docks.filled)
    bench.settled()
    panel, dock = bench.panel("properties"), bench.docks.docks["properties"]
    elements = {one.tag: one for one in bench.session.document.version().root.walk()}
    bench.wait(lambda: bench.host.width() > 1.3 * dock.width())
    for tag in ("joint", "geom", "camera"):
        bench.application.document_selection.select([elements[tag].id])
        bench.wait(lambda: panel.seen and panel.filled)
        fields = [field for field in panel.findChildren(QLineEdit) if not field.visibleRegion().isEmpty()]
        assert len(fields) >= 3
        for field in fields:
            assert field.fontMetrics().horizontalAdvance(field.text()) < field.width(), (tag, field.text())
        for label in panel.findChildren(DragLabel):
            if not label.visibleRegion().isEmpty():
                assert label.width() >= label.sizeHint().width(), (tag, label.text())


def test_the_default_arrangement_comes_back(bench):
    usual = [tuple(panel.title for panel in PANELS if panel.area == "right" and panel.id in SIMULATE)]
    bench.wait(lambda: live_bars(bench) == usual and on_top(bench, "controls"))
    bench.docks.show("source")
    bench.docks.docks["source"].setFloating(True)
    bench.docks.show("profiler")
    bench.docks.show("watch")
    bench.docks.docks["joints"].hide()
    bench.actions["default_layout"].trigger()
    bench.wait(lambda: live_bars(bench) == usual and on_top(bench, "controls"))
    assert opened(bench) == SIMULATE and not bench.docks.docks["source"].isFloating()


def test_the_text_gets_room_while_it_is_on_top_and_gives_it_back(bench):
    bench.wait(lambda: on_top(bench, "controls"))
    column = bench.docks.docks["controls"].width()
    bench.docks.show("source")
    bench.wait(lambda: bench.docks.docks["source"].width() > 480)
    bench.wait(lambda: bench.source.editor().width() > 440 and bench.host.width() > 480)
    bench.docks.show("joints")
    bench.wait(lambda: abs(bench.docks.docks["joints"].width() - column) <= 2)


def test_a_side_comes_back_as_the_user_had_it(bench):
    """Panels opened by hand too, with the one on top; hidden and shown twice."""
    bench.docks.show("watch")
    bench.docks.docks["joints"].hide()
    bench.wait(lambda: on_top(bench, "watch"))
    before = opened(bench)
    for _ in range(2):
        wide = bench.host.width()
        bench.press_key(Key.Key_Tab, SHIFT)
        bench.wait(lambda wide=wide: bench.host.width() > wide and not bench.docks.open_docks("right"))
        bench.press_key(Key.Key_Tab, SHIFT)
        bench.wait(lambda wide=wide: abs(bench.host.width() - wide) <= 2 and opened(bench) == before and on_top(bench, "watch"))


def test_panels_have_keys(bench):
    for _ in range(2):
        bench.press_key(Key.Key_F4)
        bench.wait(lambda: on_top(bench, "sensors"))
        bench.press_key(Key.Key_F4)
        bench.wait(lambda: "sensors" not in opened(bench))


def test_the_arrangement_is_remembered(workbench):
    first = workbench(bundled_model("pendulum.xml"), size=(1100, 700))
    first.docks.docks["controls"].hide()
    first.docks.show("watch")
    size = first.window.size()
    first.close()
    second = workbench(bundled_model("pendulum.xml"), size=(700, 500), restore=True)
    second.wait(lambda: on_top(second, "watch"))
    assert "controls" not in opened(second) and second.window.size() == size


def written(bench, file) -> dict:
    """What the settings' file has of the present workspace's panels, which is written in a thread."""
    record = json.loads(Settings(str(file)).get("window/workspaces") or "{}").get("records", {}).get(bench.window.workspaces.current.id, {})
    return {name: value for name, value in record.items() if name != "view"}


def test_the_arrangement_is_written_soon_after_a_change(workbench, tmp_path):
    """What ends without being closed in order has its panels again."""
    first = workbench(bundled_model("pendulum.xml"), size=(1100, 700))
    first.wait(lambda: opened(first) == SIMULATE)
    first.docks.show("equality")
    first.wait(lambda: on_top(first, "equality"))       # in a turn of its own, after which it is written
    first.wait(lambda: written(first, tmp_path / "settings.ini") == json.loads(json.dumps(first.window.workspaces._layout.record())))
    second = workbench(bundled_model("pendulum.xml"), size=(700, 500), restore=True)
    second.wait(lambda: on_top(second, "equality"))


def test_no_window_is_larger_than_its_screen(workbench, qtbot):
    bench = workbench(bundled_model("pendulum.xml"), size=(5000, 3000))
    room = bench.window.screen().availableGeometry()
    bench.wait(lambda: room.contains(bench.window.frameGeometry()))
    bench.window.setGeometry(QRect(300, 200, 4000, 2500))
    stored = bench.window.saveGeometry()
    bench.close()
    again = MainWindow(bench.settings)
    qtbot.addWidget(again)
    again.restoreGeometry(QByteArray(stored))
    again.fit()
    assert room.contains(again.geometry()) or (again.geometry().size() - room.size()).width() <= 0


def test_the_text_gets_room_too_where_it_is_asked_for_while_docks_settle(bench):
    bench.wait(lambda: on_top(bench, "controls") and not bench.docks._settling)
    bench.docks._begin()
    bench.docks.show("source")
    bench.wait(lambda: bench.docks.docks["source"].width() > 480)


def test_full_screen_is_left_by_the_first_press_however_it_was_entered(workbench):
    bench = workbench(bundled_model("pendulum.xml"), size=(900, 600))
    action, full = bench.actions["fullscreen"], Qt.WindowState.WindowFullScreen
    bench.window.setWindowState(bench.window.windowState() | full)     # as the command line, the settings or the desktop do
    bench.wait(lambda: bench.window.isFullScreen() and action.isChecked())
    action.trigger()
    bench.wait(lambda: not bench.window.isFullScreen() and not action.isChecked())
    action.trigger()
    bench.wait(lambda: bench.window.isFullScreen() and action.isChecked())
    bench.close()
    again = workbench(bundled_model("pendulum.xml"), size=(900, 600), restore=True)
    again.wait(lambda: again.window.isFullScreen() and again.actions["fullscreen"].isChecked())


def test_a_maximized_window_is_maximized_again_after_full_screen(workbench):
    bench = workbench(bundled_model("pendulum.xml"), size=(900, 600))
    bench.window.showMaximized()
    bench.wait(bench.window.isMaximized)
    bench.actions["fullscreen"].trigger()
    bench.wait(bench.window.isFullScreen)
    bench.actions["fullscreen"].trigger()
    bench.wait(lambda: not bench.window.isFullScreen())
    assert bench.window.isMaximized()


def test_at_twice_the_scale_the_window_fits_and_shows_the_model(tmp_path):
    run_window("""
bench = opened("models/humanoid.xml", size=(1500, 920))
room = bench.window.screen().availableGeometry()
assert bench.host.devicePixelRatioF() == 2 and room.width() <= 800
bench.wait(lambda: room.contains(bench.window.frameGeometry()))
bench.wait(lambda: not bench.docks.open_docks("left") and bench.docks.open_docks("right"))
assert bench.host.width() > 0.45 * room.width() and bench.host.height() > 0.7 * room.height(), (bench.host.size(), room)
""", tmp_path, QT_SCALE_FACTOR="2")


@pytest.mark.parametrize("size", [(1024, 640), (800, 475)])
def test_small_windows_are_usable(workbench, size):
    """Nothing is cut off, what has no room scrolls, and below a width the left side goes and comes back."""
    bench = workbench(bundled_model("humanoid.xml"), size=size)
    bench.wait(lambda: on_top(bench, "controls"))
    bench.settled()
    assert (bench.window.width(), bench.window.height()) == size, "the window can be as small as that"
    assert bench.host.width() >= 0.45 * size[0] and bench.host.height() >= 0.7 * size[1]
    for bar in (bench.window.top_bar, bench.window.timeline, bench.window.status):
        assert bar.width() <= size[0]
        for part in bar.findChildren(QWidget):
            if part.isVisible() and part.objectName() not in ("qt_toolbar_ext_button",):
                right = part.mapTo(bench.window, part.rect().bottomRight()).x()
                assert right <= size[0], (bar, part, part.objectName())
    for panel_id in ("physics", "visual", "joints"):
        panel = bench.panel(panel_id)
        area = scroll_area(panel)
        bench.wait(lambda panel=panel, area=area: panel.width() <= area.viewport().width() or area.horizontalScrollBar().isVisible())


@pytest.mark.parametrize("panel_id", ["physics", "visual"])
def test_a_column_that_is_made_too_narrow_scrolls(bench, panel_id):
    panel = bench.panel(panel_id)
    area = scroll_area(panel)
    bench.wait(lambda: not bench.docks._settling)
    bench.window.resizeDocks([bench.docks.docks[panel_id]], [80], Qt.Orientation.Horizontal)
    bench.wait(lambda: panel.width() > area.viewport().width() and area.horizontalScrollBar().isVisible())


def test_the_left_side_steps_aside_without_room_and_comes_back(bench):
    watch = bench.docks.docks["watch"]
    bench.window.addDockWidget(bench.docks.window_area("left"), watch)
    watch.show()
    bench.wait(lambda: on_top(bench, "watch"))
    bench.window.resize(NARROW - 60, 640)
    bench.wait(lambda: watch.isHidden())
    watch.show()   # the user wants it nevertheless
    bench.window.resize(NARROW - 80, 640)
    bench.qtbot.wait(150)
    assert not watch.isHidden()
    watch.hide()
    bench.window.resize(1280, 800)
    bench.wait(lambda: not watch.isHidden())


def test_a_panel_opened_while_paused_shows_the_present_state(bench):
    """No snapshot comes while nothing moves: the last one is handed out again."""
    bench.qtbot.wait(400)
    assert not bench.snapshot.running
    shown = []
    bench.context.snapshot_ready.connect(shown.append)
    bench.docks.show("equality")
    bench.wait(lambda: shown)


def test_a_panel_asked_for_while_docks_settle_stays_on_top(bench):
    bench.wait(lambda: on_top(bench, "controls"))
    bench.actions["default_layout"].trigger()
    bench.docks.show("joints")
    bench.wait(lambda: not bench.docks._settled.isActive() and not bench.docks._settling)
    bench.wait(lambda: on_top(bench, "joints"))
    QTest.qWait(100)
    assert on_top(bench, "joints") and not on_top(bench, "controls")


def test_of_panels_shown_in_one_turn_the_last_stays_on_top(bench, qtbot):
    bench.settled()
    for panel_id in ("lint", "log"):        # there are tabs by then
        bench.docks.show(panel_id)
        bench.wait(lambda panel_id=panel_id: on_top(bench, panel_id))
    behind = []
    bench.docks.docks["log"].visibilityChanged.connect(lambda seen: behind.append("log") if not seen else None)
    bench.docks.show("lint")
    bench.docks.show("log")
    behind.clear()
    qtbot.wait(50)
    assert on_top(bench, "log") and not behind


def test_a_side_steps_aside_in_a_turn_after_that_of_the_resize(bench):
    """What it does then takes as long as the resize itself."""
    bench.window.resize(NARROW + 60, 640)
    bench.wait(lambda: bench.docks.open_docks("left"))
    bench.window.resize(NARROW - 60, 640)
    assert bench.docks.open_docks("left")
    bench.wait(lambda: not bench.docks.open_docks("left"))


def test_a_window_that_is_made_narrower_leaves_the_view_its_share(workbench):
    bench = workbench(bundled_model("arm.xml"), size=(1500, 800))
    bench.actions["workspace_edit"].trigger()
    bench.wait(lambda: on_top(bench, "properties") and not bench.docks._settling)
    bench.window.resize(1024, 640)
    bench.wait(lambda: bench.host.width() >= 0.3 * 1024 and bench.docks.docks["properties"].width() > 300)
