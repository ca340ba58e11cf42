"""Workspaces: tabs and keys, each with its own panels and its own drawing, in memory, over launches and in files."""
import tomllib

import pytest
from PyQt6.QtCore import Qt
from PyQt6.QtTest import QTest

from app.panels.table import PANELS
from app.windows.toml_text import dumps
from app.workspaces import WORKSPACES, by_id
from assets.locate import bundled_model
from render.scene.snapshot import COLOUR
from tests.app.workbench import CTRL, Key

EXISTING = {panel.id for panel in PANELS}


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("humanoid.xml"), size=(1280, 800))


def opened(bench):
    return {panel_id for panel_id, dock in bench.docks.docks.items() if not dock.isHidden()}


def wanted(workspace_id):
    return set(by_id(workspace_id).panels) & EXISTING


def click_tab(bench, number):
    tabs = bench.window.top_bar.tabs
    QTest.mouseClick(tabs, Qt.MouseButton.LeftButton, pos=tabs.tabRect(number).center())


def test_each_workspace_has_its_panels(bench):
    """A journey through all of them by tab and by key; the view stays the largest part."""
    for number, workspace in enumerate(WORKSPACES):
        if number % 2:
            click_tab(bench, number)
        else:
            bench.press_key(Key(Key.Key_1 + number), CTRL)
        bench.wait(lambda workspace=workspace: opened(bench) == wanted(workspace.id) and bench.docks.filled)
        assert bench.window.top_bar.tabs.currentIndex() == number and bench.actions[f"workspace_{workspace.id}"].isChecked()
        bench.wait(lambda workspace=workspace: all(
            not bench.docks.docks[panel_id].visibleRegion().isEmpty() for panel_id in workspace.front[:1] if panel_id in EXISTING))
        others = [bench.docks.docks[panel_id] for panel_id in opened(bench) if not bench.docks.docks[panel_id].visibleRegion().isEmpty()]
        bench.wait(lambda others=others: all(bench.host.width() * bench.host.height() >= dock.width() * dock.height() for dock in others))
        assert len([row for row in WORKSPACES if bench.actions[f"workspace_{row.id}"].isChecked()]) == 1
    bench.panel("source")
    bench.wait(lambda: bench.docks.docks["source"].width() > 400)   # the text is wide beside the view


def test_a_low_window_has_nothing_below_the_view_at_first(workbench):
    bench = workbench(bundled_model("humanoid.xml"), size=(1024, 640))
    bench.window.workspaces.choose("inspect")
    below = {panel.id for panel in PANELS if panel.area == "bottom"}
    bench.wait(lambda: opened(bench) == wanted("inspect") - below)
    assert bench.host.height() > 0.7 * 640


def test_each_workspace_remembers_its_panels_and_its_drawing(bench):
    options = bench.context.options
    bench.wait(lambda: opened(bench) == wanted("simulate"))
    bench.docks.docks["joints"].hide()
    bench.press_key(Key.Key_T)
    assert options["transparent"] and not options["contact_point"]
    bench.press_key(Key.Key_2, CTRL)
    bench.wait(lambda: opened(bench) == wanted("inspect"))
    assert not options["transparent"] and options["contact_point"] and bench.actions["flag_contact_point"].isChecked()
    bench.docks.show("joints")
    bench.press_key(Key.Key_F7)
    bench.press_key(Key.Key_4)
    assert options.label == "Body" and options.geomgroup[4]
    bench.press_key(Key.Key_1, CTRL)
    bench.wait(lambda: opened(bench) == wanted("simulate") - {"joints"})
    assert options["transparent"] and options.label == "None" and not options.geomgroup[4]
    bench.press_key(Key.Key_2, CTRL)
    bench.wait(lambda: opened(bench) == wanted("inspect") | {"joints"})
    assert options.label == "Body" and options.geomgroup[4] and options["contact_point"]
    bench.actions["cycle_shown"].trigger()
    assert options.show != COLOUR
    bench.actions["default_view"].trigger()
    assert options.show == COLOUR and options.label == "None" and options["contact_point"] and not options.geomgroup[4]
    bench.actions["default_layout"].trigger()
    bench.wait(lambda: opened(bench) == wanted("inspect"))


def test_any_panel_can_be_opened_in_any_workspace(bench):
    for workspace in WORKSPACES:
        bench.window.workspaces.choose(workspace.id)
        for panel in PANELS:
            bench.docks.show(panel.id)
            bench.wait(lambda panel=panel: not bench.docks.docks[panel.id].visibleRegion().isEmpty() and panel.id in bench.docks.panels)


def test_no_panel_of_inspect_makes_a_small_window_larger_or_takes_the_names_their_room(workbench):
    bench = workbench(bundled_model("humanoid.xml"), size=(1024, 640))
    bench.window.workspaces.choose("inspect")
    bench.wait(lambda: bench.docks.filled)
    bench.settled()
    outliner = bench.docks.docks["outliner"]
    for panel_id in by_id("inspect").panels:
        bench.docks.show(panel_id)
        bench.wait(lambda panel_id=panel_id: not bench.docks.docks[panel_id].visibleRegion().isEmpty() and panel_id in bench.docks.panels)
        bench.settled()
        size = bench.steady(lambda: (bench.window.width(), bench.window.height()))
        assert size == (1024, 640), panel_id
        assert outliner.width() > 12 * outliner.fontMetrics().averageCharWidth(), panel_id


def test_the_workspace_is_remembered_over_launches(workbench):
    first = workbench(bundled_model("pendulum.xml"), size=(1100, 740))
    first.window.workspaces.choose("edit")
    first.docks.show("watch")
    first.press_key(Key.Key_C)
    first.close()
    second = workbench(bundled_model("pendulum.xml"), size=(1100, 700), restore=True)
    second.wait(lambda: opened(second) == wanted("edit") | {"watch"})
    assert second.window.top_bar.tabs.currentIndex() == 2 and second.context.options["contact_point"]
    second.window.workspaces.choose("simulate")
    second.wait(lambda: opened(second) == wanted("simulate"))
    assert not second.context.options["contact_point"]


def test_a_workspace_goes_into_a_file_and_comes_out_of_it(bench, workbench, tmp_path):
    path = tmp_path / "mine.toml"
    bench.window.workspaces.choose("inspect")
    bench.docks.show("joints")
    bench.press_key(Key.Key_T)
    bench.application.simulation.set_speed(0.25)
    bench.application.view_control.set_camera(bench.context.model.id("camera", "side"))
    assert bench.window.workspaces.save(path)
    content = tomllib.loads(path.read_text())
    assert content["workspace"] == "inspect" and "joints" in content["panels"] and content["speed"] == 0.25
    assert "transparent" in content["view"]["on"] and content["camera"]["camera"] == "side"
    bench.close()
    other = workbench(bundled_model("humanoid.xml"), size=(1280, 800))
    assert other.window.workspaces.load(path)
    other.wait(lambda: opened(other) == wanted("inspect") | {"joints"} and other.snapshot.speed == 0.25)
    assert other.context.options["transparent"] and other.application.view_control.camera_index() == other.context.model.id("camera", "side")
    assert other.window.chooser_text("camera") == "side" and other.window.chooser_text("speed") == "25 %"


def test_a_file_of_other_panels_opens_what_there_is(bench, tmp_path):
    path = tmp_path / "old.toml"
    path.write_text('workspace = "edit"\npanels = ["watch", "gone"]\nspeed = "max"\n[camera]\nkind = "free"\nlookat = [0, 0, 1]\ndistance = 4\nazimuth = 30\nelevation = -10\n')
    assert bench.window.workspaces.load(path)
    bench.wait(lambda: opened(bench) == wanted("edit") | {"watch"} and bench.snapshot.speed is None)
    camera = bench.application.view_control.camera
    assert (camera.distance, camera.azimuth, camera.elevation) == (4, 30, -10)


WRONG_VALUES = ('speed = "fast"', "speed = [1]", "speed = 0", "[camera]\nlookat = 5", "camera = 3")


def test_a_file_that_is_none_is_told_and_changes_nothing(bench, tmp_path):
    before, speed = opened(bench), bench.application.simulation.speed
    for k, text in enumerate(("workspace = ", 'workspace = "gone"', "speed = 1", "\x00", *(f'workspace = "inspect"\n{line}\n' for line in WRONG_VALUES))):
        bad = tmp_path / f"bad{k}.toml"
        bad.write_text(text)
        assert not bench.window.workspaces.load(bad) and bench.logged(bad.name), text
        assert opened(bench) == before and bench.window.workspaces.current.id == "simulate" and bench.application.simulation.speed == speed
    assert not bench.window.workspaces.load(tmp_path / "missing.toml")
    assert opened(bench) == before and bench.window.workspaces.current.id == "simulate"


def test_damaged_settings_are_left_aside(workbench):
    first = workbench(bundled_model("pendulum.xml"), size=(1100, 800))
    first.close()
    for text in ("{", '{"current": "gone", "records": {}}', "[]", '{"current": "edit", "records": {"edit": {"version": 1}}}'):
        first.settings.set("window/workspaces", text)
        second = workbench(bundled_model("pendulum.xml"), size=(1100, 800), restore=True)
        second.wait(lambda second=second: opened(second) in (wanted("simulate"), wanted("edit")))
        second.close()


def test_plain_values_are_written_as_toml():
    content = {"a": 1, "b": 2.5, "c": True, "d": "x \"y\"\n\u00e4", "e": [1, "two"], "f": {"g": {"h": []}, "i": -1e-7}}
    assert tomllib.loads(dumps(content, "a comment")) == content
    with pytest.raises(TypeError):
        dumps({"a": None})
