"""All scripts of a window, without one: loading, saving, switching, stopping; the physics thread is the test's own."""
import queue
import time

import pytest

from app.scripts.script import FAILED, LOADING, OFF, ON
from app.scripts.script_set import ScriptSet
from physics.runtime import commands
from physics.runtime.perform import perform
from tests.app.scripts.board import Board
from tests.physics.runtime.models import simulation

PATIENCE = 20.0


class Desk:
    """A ScriptSet with a simulation that is driven by hand. `turn` does what has been posted and sent."""

    def __init__(self):
        self.sim, self.posted, self.said = simulation(), queue.SimpleQueue(), []
        self.set = ScriptSet(self.send, lambda key, command: self.send(command), self.posted.put, lambda level, text: self.said.append((level, text)))

    def send(self, command):
        perform(self.sim, command)

    def turn(self):
        while not self.posted.empty():
            self.posted.get()()

    def wait(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end, "waited in vain"
            self.turn()
            time.sleep(0.002)

    def loaded(self, *paths):
        for path in paths:
            assert self.set.add(path)
        self.wait(lambda: all(script.state != LOADING for script in self.set.scripts))
        return self.set.scripts

    def told(self, part):
        return [text for _level, text in self.said if part in text]


@pytest.fixture
def desk():
    made = Desk()
    yield made
    made.set.close()


def write(path, text):
    path.write_text(text)
    return path


COUNTS = "gain = ui.slider('gain', 0, 10, 2)\ndef control(m, d):\n    d.ctrl[0] = 0.1 * gain.value\n"


def test_a_script_is_loaded_and_called(desk, tmp_path):
    script, = desk.loaded(write(tmp_path / "a.py", COUNTS))
    desk.sim.take(3)
    assert script.state == ON and desk.sim.data.ctrl[0] == pytest.approx(0.2) and script.hook("control").calls == 3
    desk.set.set_value(script.controls[0], 5.0)
    desk.sim.take(1)
    assert desk.sim.data.ctrl[0] == pytest.approx(0.5)


def test_saving_it_loads_it_again_and_keeps_the_sliders(desk, tmp_path):
    path = write(tmp_path / "a.py", COUNTS)
    script, = desk.loaded(path)
    desk.set.set_value(script.controls[0], 5.0)
    path.write_text(COUNTS.replace("0.1", "0.2"))
    desk.wait(lambda: script.version == 2 and script.state == ON)
    desk.sim.take(1)
    assert desk.sim.data.ctrl[0] == pytest.approx(1.0) and script.controls[0].value == 5.0


def test_what_does_not_load_leaves_the_version_before_running(desk, tmp_path):
    path = write(tmp_path / "a.py", COUNTS)
    script, = desk.loaded(path)
    path.write_text("def control(m, d)\n    pass\n")
    desk.wait(lambda: script.state == FAILED)
    assert "a.py, line 1: SyntaxError" in desk.said[-1][1] and "the version before runs on" in desk.said[-1][1]
    desk.sim.take(1)
    assert desk.sim.data.ctrl[0] == pytest.approx(0.2)
    path.write_text(COUNTS)
    desk.wait(lambda: script.state == ON)


def test_a_function_that_fails_is_on_again_after_the_next_save(desk, tmp_path):
    path = write(tmp_path / "a.py", "def control(m, d):\n    oops\ndef after_step(m, d):\n    d.userdata\n")
    script, = desk.loaded(path)
    desk.sim.take(4)
    assert script.state == FAILED and script.problem.line == 2 and "NameError" in script.problem.text and script.hook("after_step").calls == 4
    path.write_text("def control(m, d):\n    d.ctrl[0] = 1\n")
    desk.wait(lambda: script.state == ON)
    desk.sim.take(1)
    assert desk.sim.data.ctrl[0] == 1


def test_a_module_beside_them_loads_all_who_share_it(desk, tmp_path):
    gains = write(tmp_path / "_gains.py", "kp = 1\n")
    folder = tmp_path
    for name in ("a.py", "b.py"):
        write(tmp_path / name, "import _gains\ndef control(m, d): d.ctrl[0] = _gains.kp\n")
    a, b = desk.loaded(folder)
    assert [script.name for script in (a, b)] == ["a.py", "b.py"] and a.loaded.module._gains is b.loaded.module._gains
    gains.write_text("kp = 2\n")
    desk.wait(lambda: a.version > 2 and b.version > 2 and a.state == b.state == ON)
    desk.sim.take(1)
    assert desk.sim.data.ctrl[0] == 2 and a.loaded.module._gains is b.loaded.module._gains


def test_a_folder_takes_in_new_files_and_drops_those_that_are_gone(desk, tmp_path):
    write(tmp_path / "a.py", COUNTS)
    desk.loaded(tmp_path)
    write(tmp_path / "b.py", COUNTS)
    desk.set.rescan()
    desk.wait(lambda: [script.state for script in desk.set.scripts] == [ON, ON])
    (tmp_path / "a.py").unlink()
    desk.set.rescan()
    assert [script.name for script in desk.set.scripts] == ["b.py"]


def test_switching_off_and_removing_ends_the_calls(desk, tmp_path):
    a, b = desk.loaded(write(tmp_path / "a.py", COUNTS), write(tmp_path / "b.py", "def after_step(m, d): pass\n"))
    desk.set.set_on(a, False)
    assert a.state == OFF and desk.sim.hooks.stepping and not desk.sim.hooks.before
    desk.set.remove(b.entry)
    assert not desk.sim.hooks.stepping and desk.set.scripts == [a]
    desk.set.set_on(a, True)
    desk.wait(lambda: a.state == ON)
    desk.sim.take(1)
    assert desk.sim.data.ctrl[0] == pytest.approx(0.2)


def test_on_load_is_called_for_the_script_that_is_new_only(desk, tmp_path):
    a, = desk.loaded(write(tmp_path / "a.py", "def on_load(m, d): ui.log('a is there')\n"))
    desk.loaded(write(tmp_path / "b.py", "def on_load(m, d): ui.log('b is there')\n"))
    desk.turn()
    assert len(desk.told("a.py: a is there")) == 1 and len(desk.told("b is there")) == 1
    desk.set.reload()
    desk.wait(lambda: len(desk.told("a is there")) == 2)


def test_keys_buttons_and_selections_reach_the_functions(desk, tmp_path):
    script, = desk.loaded(write(tmp_path / "a.py", """
def on_key(key, m, d): ui.log(f"key {key} at {d.time:g}")
def on_select(elements): ui.log(f"{len(elements)} selected")
@ui.key("K")
def kick(m, d): d.qvel[0] = 3
@ui.button("Stop")
def stop(): ui.log("stopped")
"""))
    assert desk.set.keys == {"K"} and desk.set.key_pressed("K") and not desk.set.key_pressed("Up")
    desk.set.selected(("x", "y"))
    desk.set.press(script.loaded.buttons[1])
    desk.turn()
    assert desk.sim.data.qvel[0] == 3 and [text for _, text in desk.said] == ["a.py: key K at 0", "a.py: key Up at 0", "a.py: 2 selected", "a.py: stopped"]


def test_what_it_draws_with_fails_by_itself(desk, tmp_path):
    script, = desk.loaded(write(tmp_path / "a.py", "def draw(markers, m, snapshot):\n    markers.append(snapshot)\n    if snapshot:\n        1 / 0\ndef control(m, d): pass\n"))
    board = Board()
    for k in range(3):
        desk.set.drawing.draw(board, desk.sim.model, k)
    assert script.state == FAILED and script.hook("control") is not None and desk.told("a.py, line 4: ZeroDivisionError")
    assert board.seen == [(f"script {tmp_path / 'a.py'}", [0])] and board.cleared == [f"script {tmp_path / 'a.py'}"]     # nothing of the call that failed


def test_it_draws_at_any_time_and_takes_it_along_when_it_goes(desk, tmp_path):
    desk.set.markers = board = Board()
    script, = desk.loaded(write(tmp_path / "a.py", "def control(m, d): ui.markers.append(d.time)\n"))
    desk.sim.take(2)
    assert board.own == [0.0, 0.002] and board.cleared == []
    desk.set.set_on(script, False)
    assert board.cleared == [f"script {tmp_path / 'a.py'}"]


def test_a_draw_that_does_not_end_is_stopped_by_itself(desk, tmp_path, monkeypatch):
    monkeypatch.setattr("app.scripts.drawing.LIMIT", 0.05)
    script, = desk.loaded(write(tmp_path / "a.py", "def draw(markers):\n    while True:\n        pass\n"))
    desk.set.drawing.draw(Board(), desk.sim.model, None)
    assert script.state == FAILED and desk.told("stopped")


def test_a_text_that_does_not_end_hangs_nobody_and_is_stopped(desk, tmp_path):
    assert desk.set.add(write(tmp_path / "a.py", "while True:\n    pass\n"))
    script, = desk.set.scripts
    desk.wait(lambda: (found := desk.set.hanging()) is not None and found[1] > 0.05)
    assert desk.set.hanging()[0] == "the text of a.py" and script.state == LOADING
    desk.set.stop()
    desk.wait(lambda: script.state == FAILED)
    assert "stopped" in script.problem.text


def test_stopped_scripts_are_called_no_more_until_they_are_reloaded(desk, tmp_path):
    script, = desk.loaded(write(tmp_path / "a.py", COUNTS))
    desk.set.stop()
    assert desk.set.stopped and not desk.sim.hooks.stepping and not desk.set.key_pressed("K")
    desk.set.reload()
    desk.wait(lambda: script.state == ON)
    assert desk.sim.hooks.stepping and not desk.set.stopped


def test_what_is_open_comes_back_with_its_values(desk, tmp_path):
    (tmp_path / "more").mkdir()
    write(tmp_path / "more" / "b.py", COUNTS)
    write(tmp_path / "more" / "c.py", COUNTS)
    scripts = desk.loaded(write(tmp_path / "a.py", COUNTS), tmp_path / "more")
    desk.set.set_value(scripts[0].controls[0], 5.0)
    desk.set.set_on(scripts[2], False)
    record = desk.set.record()
    assert record == [{"path": str(tmp_path / "a.py"), "off": [], "values": {"a.py": {"gain": 5.0}}}, {"path": str(tmp_path / "more"), "off": ["c.py"], "values": {}}]
    desk.set.take(None)
    assert desk.set.scripts == [] and desk.set.record() is None and not desk.sim.hooks.stepping
    desk.set.take([*record, {"path": str(tmp_path / "gone.py")}, 7, {"path": 3}])
    desk.wait(lambda: all(script.state != LOADING for script in desk.set.scripts))
    assert [(script.name, script.state) for script in desk.set.scripts] == [("a.py", ON), ("b.py", ON), ("c.py", OFF)]
    assert desk.set.scripts[0].controls[0].value == 5.0 and desk.told("There is no script")


def test_what_is_no_script_is_refused(desk, tmp_path):
    (tmp_path / "empty").mkdir()
    assert not desk.set.add(tmp_path / "none.py") and not desk.set.add(tmp_path / "empty") and not desk.set.add(write(tmp_path / "m.xml", "<mujoco/>"))
    assert [text for _, text in desk.said][1:] == [f"{tmp_path / 'empty'} has no Python files", "m.xml is no Python file (.py)"]


def test_a_command_of_an_older_version_calls_nobody(desk, tmp_path):
    path = write(tmp_path / "a.py", "@ui.button('Kick')\ndef kick(m, d): d.qvel[0] = 3\n")
    script, = desk.loaded(path)
    old = script.loaded.buttons[0]
    desk.set.reload()
    desk.wait(lambda: script.state == ON and script.loaded.buttons[0] is not old)
    desk.send(commands.RunHook(old))
    assert desk.sim.data.qvel[0] == 0
