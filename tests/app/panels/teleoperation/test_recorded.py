"""Recorded episodes in the panel Demonstrations by real clicks and keys: a ghost over attempts, checking, editing, opening."""
from dataclasses import replace

import numpy as np
import pytest
from PyQt6.QtCore import QPoint
from PyQt6.QtTest import QTest
from PyQt6.QtWidgets import QApplication, QDialogButtonBox, QScrollArea

from app.demonstrations.sources import opened
from app.demonstrations.states import states_of
from app.panels.teleoperation.cut_dialog import CutDialog
from physics.recording import file
from physics.recording.track import Track, TrackPiece
from physics.runtime.commands import Step
from tests.app.demonstrations.killed import killed
from tests.app.demonstrations.made import TEXT, Made
from tests.app.workbench import CTRL, NONE, Button, Key
from tests.journeys.hands import bring, click, enter

STEP = 0.005    # s


@pytest.fixture(scope="module")
def recordings(tmp_path_factory):
    """Files of two recordings: two successes and a failure; one success."""
    folder = tmp_path_factory.mktemp("recordings")
    one, two = Made(folder), Made(folder, 1)
    one.episode(100)
    one.episode(60, "failure")
    one.episode(80)
    two.episode(50, task="stack")
    return one.save(folder / "a.h5").read_bytes(), two.save(folder / "b.h5").read_bytes()


@pytest.fixture
def made(workbench, tmp_path, recordings):
    """(the window, its panel), with both recordings in the folder of demonstrations, listed."""
    kept = tmp_path / "kept"
    kept.mkdir()
    for name, content in zip("ab", recordings):
        (kept / f"{name}.h5").write_bytes(content)
    path = tmp_path / "pusher.xml"
    path.write_text(TEXT)
    bench = workbench(path, size=(1400, 1000))
    bench.context.settings.set("demonstrations/folder", str(kept))
    bench.application.actions["workspace_teleoperate"].trigger()
    panel = bench.panel("demonstrations")
    bench.wait(lambda: panel.isVisible() and panel.filled)
    panel.recorded.folder.fold(True)
    bench.wait(lambda: len(panel.recorded.recorded.files) == 2 and panel.recorded.files.topLevelItemCount() == 2)
    return bench, panel, panel.recorded


def top(box, name):
    """The row of a recording."""
    return next(item for k in range(box.files.topLevelItemCount()) if (item := box.files.topLevelItem(k)).text(0) == name)


def click_item(bench, tree, item, keys=NONE):
    """A click on a row, once it is laid out where it is seen."""
    def there():
        rect = tree.visualItemRect(item)
        area = panel_area(tree)
        if area is not None:
            at = tree.viewport().mapTo(area.widget(), rect.center())
            area.ensureVisible(at.x(), at.y(), 20, 40)
        return rect.height() > 0 and tree.viewport().visibleRegion().contains(rect.center())

    bench.wait(there)
    QTest.mouseClick(tree.viewport(), Button.LeftButton, keys, tree.visualItemRect(item).center())


def panel_area(widget):
    while widget is not None and not isinstance(widget, QScrollArea):
        widget = widget.parentWidget()
    return widget


def choose(bench, box, name, number, keys=NONE):
    """Choose an episode of a recording."""
    item = top(box, name)
    item.setExpanded(True)
    click_item(bench, box.files, item.child(number - 1), keys)


def choose_run(bench, panel, number, keys=NONE):
    """Choose an episode of this run."""
    click_item(bench, panel.list, panel.list.topLevelItem(number - 1), keys)


def ask(box, text):
    """An entry of the menu."""
    action = next(one for one in box.menu().actions() if one.text() == text)
    assert action.isEnabled(), text
    action.trigger()


def ok(box):
    click(box.dialog.buttons.button(QDialogButtonBox.StandardButton.Ok))


def pause(bench):
    if bench.snapshot.running:
        bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)


def record(bench, panel, steps=40):
    """An episode of this run, from its start."""
    pause(bench)
    count = len(panel.control.all)
    press(bench, panel.start)
    bench.wait(lambda: len(panel.control.all) == count + 1)
    bench.context.runner.send(Step(steps))
    bench.wait(lambda: panel.control.current is not None and panel.control.current.steps == steps)
    press(bench, panel.success)
    bench.wait(lambda: panel.control.current is None)


def press(bench, button):
    bring(button)
    bench.wait(lambda: button.visibleRegion().contains(button.rect().center()))
    click(button)


def shown_step(panel):
    """(the ghost's snapshot, which of its steps it shows)."""
    ghost = panel.control.ghost
    row = ghost._row
    if row is None or row.snapshot is None or ghost.begun is None:
        return None, -1
    return row.snapshot, round((row.snapshot.time - ghost.begun) / STEP)


def test_a_demonstration_is_a_ghost_over_each_attempt(made, tmp_path):
    bench, panel, box = made
    ghost = panel.control.ghost
    pause(bench)
    assert not box.ghost.isEnabled() and box.ghost_box.isHidden()
    choose(bench, box, "a", 1)
    press(bench, box.ghost)
    bench.wait(lambda: box.ghost_box.state.text() == "Ghost: episode 1 of a, push the cube, 0.5 s")
    bench.wait(lambda: shown_step(panel)[0] is not None and bench.context.ghosts)
    with opened(tmp_path / "kept/a.h5") as of:
        states = states_of(of, of.episode(1))

    def at(step):
        """Whether the ghost shows the state of that step after its beginning."""
        snapshot, k = shown_step(panel)
        if snapshot is None or k != step:
            return False
        piece, row = states.at(states.episode.first + step)     # of an attempt that has just begun, its newest snapshot may be of the one before
        return np.array_equal(snapshot.qpos, piece.columns("qpos")[row])

    bench.press_key(Key.Key_Backspace)
    bench.wait(lambda: bench.snapshot.time == 0.0 and ghost.begun == 0.0 and at(0))
    bench.context.runner.send(Step(30))
    bench.wait(lambda: at(30))
    press(bench, panel.start)       # an attempt that begins later
    bench.wait(lambda: abs(ghost.begun - 30 * STEP) < 1e-9 and at(0))
    bench.context.runner.send(Step(12))
    bench.wait(lambda: at(12))
    bench.press_key(Key.Key_Backspace)
    bench.wait(lambda: ghost.begun == 0.0 and at(0))
    press(bench, box.ghost_box.take_away)
    bench.wait(lambda: not bench.application.companions.rows and box.ghost_box.isHidden() and not bench.context.ghosts)


def test_an_episode_of_this_run_is_a_ghost_that_can_be_stopped_elsewhere(made):
    bench, panel, box = made
    record(bench, panel)
    choose_run(bench, panel, 1)
    press(bench, box.ghost)
    bench.wait(lambda: box.ghost_box.state.text() == "Ghost: episode 1 of this run, 0.2 s" and shown_step(panel)[0] is not None)
    bench.application.companions.stop_all()
    bench.wait(lambda: box.ghost_box.isHidden() and not panel.control.ghost.on)
    panel.control.ghost.show(None, 1)
    panel.control.ghost.take_away()     # while it is being read
    assert box.ghost_box.isHidden() and not panel.control.ghost.on


def test_episodes_are_checked_and_the_first_difference_is_told(made, tmp_path):
    bench, panel, box = made
    record(bench, panel)
    record(bench, panel, 20)
    press(bench, box.check)
    assert box.work.isVisible() and box.doing.text() == "Replaying" and not box.check.isEnabled()
    bench.wait(lambda: box.note.text() == "2 episodes to the bit the same" and box.work.isHidden())
    with opened(tmp_path / "kept/a.h5") as of:
        line = of.recording.line
        episode, pieces = of.episode(2), []
        for piece in line.track.pieces:
            rows = np.array(piece.rows)
            if piece.number <= episode.first + 10 < piece.number + len(rows):
                rows[episode.first + 10 - piece.number, 2 + piece.layout.parts["qpos"]] += 1e-12    # qvel[0]
            pieces.append(TrackPiece(piece.layout, rows, piece.number, piece.model))
        other = replace(of.recording, branches=tuple(replace(one, track=Track(tuple(pieces))) if one.id == line.id else one for one in of.recording.branches))
        file.save(other, tmp_path / "kept/c.h5")
    box.recorded.look()
    bench.wait(lambda: box.files.topLevelItemCount() == 3)
    choose(bench, box, "c", 1)
    choose(bench, box, "c", 2, CTRL)
    press(bench, box.check)
    bench.wait(lambda: "1 of 2 to the bit the same" in box.note.text())
    assert box.note.text().startswith("Episode 2 of c.h5 is not the same: ") and "step 10" in box.note.text() and "qvel[0]" in box.note.text()


def test_an_episode_is_trimmed_cut_and_left_out_in_new_recordings(made, tmp_path):
    bench, panel, box = made
    original = (tmp_path / "kept/a.h5").read_bytes()
    choose(bench, box, "a", 1)
    ask(box, "Trim...")
    dialog = box.dialog
    bench.wait(dialog.isVisible)
    assert isinstance(dialog, CutDialog) and dialog.times == (0.0, 0.5)
    enter(bench, dialog.fields[0], "0.4")
    enter(bench, dialog.fields[1], "0.3")
    ok(box)
    assert dialog.isVisible() and "Nothing would be left" in dialog.note.text()
    enter(bench, dialog.fields[0], "0.1")
    ok(box)
    bench.wait(lambda: top_names(box) >= {"a", "b", "a-trimmed"})
    choose(bench, box, "a", 2)
    ask(box, "Cut in two...")
    bench.wait(box.dialog.isVisible)
    ok(box)
    bench.wait(lambda: "a-cut" in top_names(box))
    choose(bench, box, "a", 2)
    ask(box, "A recording without it")
    bench.wait(lambda: box.files.topLevelItemCount() == 5)
    lengths = sorted([one.steps for one in found.episodes] for found in box.recorded.files)
    assert lengths == sorted([[50], [100, 60, 80], [40, 60, 80], [100, 30, 30, 80], [100, 80]])
    assert (tmp_path / "kept/a.h5").read_bytes() == original and "stays as it is" in box.note.text()


def top_names(box):
    return {box.files.topLevelItem(k).text(0) for k in range(box.files.topLevelItemCount())}


def test_the_part_that_is_marked_in_the_timeline_is_offered(made):
    bench, panel, box = made
    record(bench, panel)
    first = panel.control.all[0].first
    bench.context.region.mark(bench.snapshot, first + 10, first + 30)
    choose_run(bench, panel, 1)
    ask(box, "Trim...")
    bench.wait(box.dialog.isVisible)
    assert np.allclose(box.dialog.times, (10 * STEP, 30 * STEP))
    ok(box)
    bench.wait(lambda: "pusher-trimmed" in top_names(box))
    assert next(found for found in box.recorded.files if found.path.stem == "pusher-trimmed").episodes[0].steps == 20


def test_chosen_episodes_of_several_recordings_are_merged(made):
    bench, panel, box = made
    record(bench, panel)
    choose_run(bench, panel, 1)
    choose(bench, box, "a", 3, CTRL)
    choose(bench, box, "b", 1, CTRL)
    assert [(part.title, part.numbers) for part in box.chosen] == [("this run", (1,)), ("a.h5", (3,)), ("b.h5", (1,))]
    ask(box, "Merge into a new recording")
    bench.wait(lambda: "pusher-merged" in top_names(box))
    merged = next(found for found in box.recorded.files if found.path.stem == "pusher-merged")
    assert [one.steps for one in merged.episodes] == [40, 80, 50] and merged.episodes[2].task == "stack"
    choose(bench, box, "a", 1)      # without Ctrl it is the only one
    assert [(part.title, part.numbers) for part in box.chosen] == [("a.h5", (1,))]


def test_what_cannot_be_done_is_told(made, tmp_path):
    bench, panel, box = made
    choose(bench, box, "b", 1)
    (tmp_path / "kept/b.h5").write_bytes(b"nothing")
    ask(box, "Check: do it again")
    bench.wait(lambda: box.note.text().startswith("Replaying came to nothing: ") and "b.h5" in box.note.text())
    press(bench, box.ghost)
    bench.wait(lambda: box.ghost_box.state.text().startswith("No ghost: "))


def test_an_episode_of_a_past_recording_is_opened_and_scrubbed(made):
    bench, panel, box = made
    before = bench.context.document
    choose(bench, box, "a", 2)
    item = top(box, "a").child(1)
    QTest.mouseDClick(box.files.viewport(), Button.LeftButton, NONE, box.files.visualItemRect(item).center())
    bench.wait(lambda: bench.context.document != before and bench.session.document.recorded is not None)
    bench.wait(lambda: len(panel.control.all) == 3 and panel.list.topLevelItemCount() == 3)
    episode = panel.control.all[1]
    bench.wait(lambda: bench.snapshot.history_gone + bench.snapshot.history_index == episode.first)
    bench.wait(lambda: bench.context.region.region is not None)
    assert bench.context.region.region[:2] == (episode.first, episode.last) and not bench.snapshot.running
    choose_run(bench, panel, 3)
    ask(box, "Go to its beginning")
    bench.wait(lambda: bench.snapshot.history_gone + bench.snapshot.history_index == panel.control.all[2].first)
    press(bench, box.check)     # of the recording that is shown, as it is this run
    bench.wait(lambda: box.note.text() == "1 episode to the bit the same")


def test_what_a_killed_program_has_left_is_listed(made, tmp_path):
    bench, panel, box = made
    other = tmp_path / "other"
    other.mkdir()
    killed(other, "ended")
    bench.context.settings.set("demonstrations/folder", str(other))
    box.folder.fold(False)
    box.folder.fold(True)
    bench.wait(lambda: [[one.outcome for one in found.episodes] for found in box.recorded.files] == [["success", "failure"]])
    assert box.files.topLevelItem(0).text(1) == "1 success, 1 failure"


def test_the_menu_opens_by_a_right_click_on_a_row(made):
    bench, panel, box = made
    choose(bench, box, "a", 1)
    box.files.customContextMenuRequested.emit(QPoint(5, 5))
    bench.wait(lambda: QApplication.activePopupWidget() is not None)
    texts = [action.text() for action in QApplication.activePopupWidget().actions()]
    QTest.keyClick(QApplication.activePopupWidget(), Key.Key_Escape)
    assert {"Open in the window", "Show as ghost", "Trim...", "Export..."} <= set(texts)
