"""Menus in groups, icons that are crisp, the help page, what is said while a model is loaded, keyframes to start at."""
import threading

import pytest
from PyQt6.QtCore import QSize
from PyQt6.QtGui import QColor
from PyQt6.QtWidgets import QLabel, QScrollArea

from app import session
from app.actions import ACTIONS, MENUS
from app.bridge.options import FRAMES, LABELS
from app.panels.lint import finding_tree
from app.windows import icons
from app.windows.icons import icon
from app.windows.menus import LAYOUT
from app.windows.timeline_menus import fill_key_menu
from assets.locate import bundled_model
from editor.widgets import element_icons
from editor.widgets.drawn_icon import RATIOS, drawn_picture
from tests.app.workbench import Key


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("humanoid.xml"), size=(1280, 800))


def submenu(menu, title):
    return next(action.menu() for action in menu.actions() if action.menu() is not None and action.menu().title() == title)


def every_action(menu):
    for action in menu.actions():
        yield from every_action(action.menu()) if action.menu() is not None else [action]


def test_menus_have_groups_and_every_action_of_theirs(bench):
    bar = {action.text(): action.menu() for action in bench.window.menuBar().actions()}
    assert list(bar) == list(MENUS)
    for title, menu in bar.items():
        there = [action.property("id") for action in every_action(menu)]
        assert {row.id for row in ACTIONS if row.menu == title} <= set(there), title
        longest = 0
        for action in menu.actions():
            longest = 0 if action.isSeparator() else longest + 1
            assert longest <= 16 or title == "F&orces", (title, action.text())
    assert set(LAYOUT) <= set(MENUS)
    view = bar["&View"]
    for title in ("Camera", "Show", "Groups", "Labels", "Frames", "Panels", "Workspace"):
        assert len(submenu(view, title).actions()) >= 3, title
    assert len(submenu(bar["&Simulation"], "Speed").actions()) > 6


def test_menus_show_what_is_the_case(bench):
    bench.press_key(Key.Key_F7)
    body = bench.actions[f"label_{LABELS.index('Body')}"]
    assert body.isChecked() and not bench.actions["label_0"].isChecked()
    bench.actions[f"frame_{FRAMES.index('World')}"].trigger()
    assert bench.context.options.frame == "World"
    bench.press_key(Key.Key_3)
    assert bench.actions["geom_group_3"].isChecked()
    bench.actions["speed_0.25"].trigger()
    bench.wait(lambda: bench.snapshot.speed == 0.25)
    assert bench.actions["speed_0.25"].isChecked() and not bench.actions["speed_1"].isChecked() and bench.window.chooser_text("speed") == "25 %"
    keys = submenu({action.text(): action.menu() for action in bench.window.menuBar().actions()}["&Simulation"], "Go to keyframe")
    keys.aboutToShow.emit()
    assert [action.text() for action in keys.actions()] == list(bench.context.model.names["key"])


@pytest.mark.parametrize("ratio", [1.0, 2.0, 3.0])
def test_icons_are_drawn_in_device_pixels(qapp, ratio):
    for name in icons._DRAWINGS:
        picture = icon(name, QColor("#ffffff")).pixmap(QSize(icons.SIZE, icons.SIZE), ratio)
        assert picture.width() == round(icons.SIZE * ratio) and picture.devicePixelRatio() == ratio, name
        image = picture.toImage()
        inked = sum(image.pixelColor(x, y).alpha() > 128 for x in range(image.width()) for y in range(image.height()))
        assert 0.04 < inked / image.width() ** 2 < 0.5, (name, inked)
    assert icon("nothing", QColor("#ffffff")).isNull()


def test_all_tables_of_icons_are_drawn_by_one_function(qapp, monkeypatch):
    drawn = []

    def counted(draw, size, *rest):
        drawn.append(size)
        return drawn_picture(draw, size, *rest)

    for module in (element_icons, finding_tree, icons):
        monkeypatch.setattr(module, "drawn_picture", counted)
    element_icons.named_icon.cache_clear()
    element_icons.kind_icon("geom", "#ff0000")
    assert drawn == [element_icons.SIZE] * 2 * len(RATIOS), "as it is, and selected"
    drawn.clear()
    icons._icon.cache_clear()
    for _ in range(2):      # for another window it is there
        icons.icon("run", QColor("#ffffff"))
    assert drawn == [icons.SIZE] * len(RATIOS)
    drawn.clear()
    finding_tree.severity_icon("warning", qapp.palette())
    assert drawn == [finding_tree.GRID] * len(finding_tree.RATIOS)


def test_every_action_in_the_bars_has_its_icon_and_says_its_key(bench):
    for row in ACTIONS:
        if row.icon:
            assert not bench.actions[row.id].icon().isNull(), row.id
    assert bench.actions["run"].toolTip().endswith("(Space)")


def test_the_help_page_can_be_read(bench):
    """By topic, in columns, in type of at least 9 points, scrolling where it does not fit."""
    bench.press_key(Key.Key_F1)
    help_page = bench.application.window_control._help
    bench.wait(help_page.isVisible)
    labels = help_page.findChildren(QLabel)
    assert len(labels) > 60 and all(label.font().pointSizeF() >= 9 for label in labels)
    texts = {label.text() for label in labels}
    assert {"Mouse", "File", "Simulation", "View", "Orbit", "Space"} <= texts
    columns = {label.mapTo(help_page, label.rect().topLeft()).x() for label in labels if label.text() in ("Mouse", "File", "Simulation", "View")}
    assert len(columns) >= 2
    area = help_page.findChild(QScrollArea)
    assert area.horizontalScrollBar().maximum() == 0
    help_page.resize(380, 300)
    bench.wait(lambda: area.verticalScrollBar().maximum() > 0)
    help_page.close()
    bench.wait(lambda: not bench.actions["help"].isChecked())
    bench.press_key(Key.Key_F1)
    bench.wait(help_page.isVisible)
    bench.actions["help"].trigger()
    assert not help_page.isVisible()


def test_a_model_that_is_being_loaded_is_announced_over_the_old_one(bench, monkeypatch, tmp_path):
    """In the bar and over the view, while the old model goes on."""
    bench.actions["run"].trigger()
    (tmp_path / "slow.xml").write_text("<mujoco><worldbody><body name='new'><joint/><geom size='.1'/></body></worldbody></mujoco>")
    examined, go_on = session.examined, threading.Event()

    def slowly(result, *more):
        assert go_on.wait(20)
        return examined(result, *more)

    monkeypatch.setattr(session, "examined", slowly)
    bench.session.open(tmp_path / "slow.xml")
    overlay, progress = bench.application.overlay, bench.window.status.progress
    assert overlay.loading == "Loading slow.xml..."
    bench.wait(lambda: progress.isVisible() and progress.label.text() in ("Loading slow.xml...", "Compiling the model"))
    bench.pass_time(0.05)
    assert bench.context.model.nbody > 3, "the old model goes on"
    go_on.set()
    bench.wait(lambda: bench.context.model.nbody == 2)
    bench.wait(lambda: not overlay.loading and not progress.isVisible())


def test_the_model_starts_at_the_keyframe_chosen_in_the_bar(bench):
    menu = bench.window.timeline.key_menu

    def entries():
        fill_key_menu(menu, bench.window.timeline._services, bench.actions)
        return {action.text(): action for action in submenu(menu, "Start and reset at").actions()}

    assert entries()["the start state"].isChecked()
    entries()["squat"].trigger()
    assert entries()["squat"].isChecked() and bench.session.start_key == "squat"
    bench.actions["reset"].trigger()
    key = bench.context.model.id("key", "squat")
    bench.wait(lambda: (bench.snapshot.qpos == bench.context.model.key_qpos[key]).all())
