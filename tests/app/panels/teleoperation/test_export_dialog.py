"""Demonstrations exported from the window: each format once, progress, giving up, what is missing."""
import json

import h5py
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication

from app.panels.teleoperation import export_dialog
from tests.app.demonstrations.export.data_sets import check_robomimic
from tests.app.demonstrations.made import TEXT, Made
from tests.app.workbench import NONE, Button
from tests.journeys.hands import click, enter, from_palette


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """A file: two successes and a failure."""
    folder = tmp_path_factory.mktemp("recordings")
    made = Made(folder)
    made.episode(40)
    made.episode(30, "failure")
    made.episode(50)
    return made.save(folder / "a.h5").read_bytes()


@pytest.fixture
def made(workbench, tmp_path, recording):
    """(the window, the dialog), the recording listed in it and ticked."""
    kept, sets = tmp_path / "kept", tmp_path / "sets"
    for folder in (kept, sets):
        folder.mkdir()
    (kept / "a.h5").write_bytes(recording)
    path = tmp_path / "pusher.xml"
    path.write_text(TEXT)
    bench = workbench(path, size=(1400, 1000))
    bench.context.settings.set("demonstrations/folder", str(kept))
    bench.context.settings.set("demonstrations/data_sets", str(sets))
    bench.host.setFocus()
    from_palette(bench, "Export demonstrations...")
    panel = bench.panel("demonstrations")
    bench.wait(lambda: panel.recorded.dialog is not None and panel.recorded.dialog.isVisible())
    dialog = panel.recorded.dialog
    bench.wait(lambda: [dialog.sources.item(k).text() for k in range(dialog.sources.count())] == ["a.h5: 3 episodes"])
    assert dialog.wanted() == [(kept / "a.h5", None)]
    return bench, dialog, sets


def tick(box):
    """Click the box itself: all of a wide one is not its own."""
    QTest.mouseClick(box, Button.LeftButton, NONE, QPoint(8, box.height() // 2))
    assert box.isChecked()


def choose(dialog, box, value):
    box.setCurrentIndex(box.findData(value))


def test_robomimic_with_pictures_of_a_camera(made):
    bench, dialog, sets = made
    assert bench.actions["export_demonstrations"] in next(one for one in bench.window.menuBar().actions() if one.text() == "&File").menu().actions()
    assert dialog.output.text() == str(sets / "pusher.hdf5") and [name for name, _box in dialog.cameras] == ["front", "wrist", "free"]
    tick(dialog.cameras[0][1])
    enter(bench, dialog.rate, "20")
    enter(bench, dialog.wide, "32")
    enter(bench, dialog.high, "24")
    click(dialog.start)
    assert not dialog.start.isEnabled() and dialog.progress.isVisible() and dialog.cancel.isEnabled()
    bench.wait(lambda: dialog.written is not None)
    assert "2 episodes, 9 frames written" in dialog.note.text() and dialog.start.isEnabled() and dialog.progress.isHidden()
    assert check_robomimic(sets / "pusher.hdf5") == {"demo_0": 4, "demo_1": 5}
    with h5py.File(sets / "pusher.hdf5") as file:
        images = file["data/demo_0/obs/front_image"]
        assert images.shape == (4, 24, 32, 3) and images[:].std() > 5
    click(dialog.copy)
    assert QApplication.clipboard().text() == str(sets / "pusher.hdf5") and [one.name for one in sets.iterdir()] == ["pusher.hdf5"]
    click(dialog.start)
    assert "is there already" in dialog.note.text()


@pytest.mark.parametrize("form, version", [("lerobot", "v3.0"), ("lerobot2", "v2.1")])
def test_lerobot_with_other_episodes_and_actions(made, form, version):
    bench, dialog, sets = made
    choose(dialog, dialog.form, form)
    choose(dialog, dialog.which, "marked")
    choose(dialog, dialog.kind, "ee-abs")
    assert dialog.output.text() == str(sets / f"pusher-{form}") and dialog.sites.isVisible()
    dialog.sites.setText("grip")
    enter(bench, dialog.rate, "10")
    click(dialog.start)
    bench.wait(lambda: dialog.written is not None)
    info = json.loads((sets / f"pusher-{form}/meta/info.json").read_text())
    assert info["codebase_version"] == version and info["total_episodes"] == 3 and info["total_frames"] == 2 + 1 + 2 and info["features"]["action"]["shape"] == [6]
    assert [one.name for one in sets.iterdir()] == [f"pusher-{form}"]


def test_what_is_given_up_leaves_nothing_and_what_is_wrong_is_told(made):
    bench, dialog, sets = made
    choose(dialog, dialog.form, "lerobot")
    for _name, box in dialog.cameras:
        tick(box)
    click(dialog.start)
    click(dialog.cancel)
    bench.wait(lambda: dialog.note.text() == "Given up: nothing was written." and dialog.start.isEnabled())
    assert list(sets.iterdir()) == [] and dialog.written is None
    for _name, box in dialog.cameras:
        box.setChecked(False)
    choose(dialog, dialog.kind, "ee-abs")
    dialog.sites.setText("grap")
    click(dialog.start)
    bench.wait(lambda: "there is no site 'grap'" in dialog.note.text() and "grip" in dialog.note.text())
    assert list(sets.iterdir()) == []
    enter(bench, dialog.wide, "31")
    tick(dialog.cameras[0][1])
    click(dialog.start)
    assert "sides are even" in dialog.note.text()


def test_parts_that_nobody_of_a_kind_drove_are_told(made):
    bench, dialog, sets = made
    choose(dialog, dialog.driver, "policy")
    click(dialog.start)
    bench.wait(lambda: "part that a policy drove" in dialog.note.text() and dialog.start.isEnabled())
    assert list(sets.iterdir()) == []


def test_a_package_that_is_missing_is_named(made, monkeypatch):
    bench, dialog, _sets = made
    monkeypatch.setattr(export_dialog, "find_spec", lambda name: None if name == "pyarrow" else True)
    choose(dialog, dialog.form, "lerobot")
    assert dialog.note.text() == 'This format needs the package pyarrow: pip install "linkwork[demo]"'
    choose(dialog, dialog.form, "robomimic")
    assert dialog.note.text() == ""
