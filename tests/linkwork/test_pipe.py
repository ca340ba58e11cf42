"""The script's end of the pipe, with a test in the window's place."""
import contextlib
import queue
import threading
import time

import numpy as np
import pytest

import linkwork
import physics
from app.film.pipe import receive, send
from linkwork.passive import Handle
from linkwork.window_process import ROOM, WindowProcess
from physics.runtime import commands as c
from physics.runtime.passive.shared_states import SharedStates
from render.scene.camera import CameraState
from tests.linkwork.ends import Ends

MODEL = "<mujoco><worldbody><body pos='0 0 1'><joint name='j' type='slide' axis='0 0 1'/><geom size='.1'/></body></worldbody><actuator><motor joint='j'/></actuator></mujoco>"


class Window:
    """Plays the window: `tell` sends, `next(word)` receives."""

    def __init__(self, on_key=None, shares=False):
        self.ends = Ends()
        self._messages = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        self.m = physics.load_string(MODEL)
        self.d = physics.Data(self.m)
        process = WindowProcess(on_key, self.ends)
        opened = []
        thread = threading.Thread(target=lambda: opened.append(Handle(process, self.m, self.d, on_key is not None, True, True)))
        thread.start()
        self.opening = self.next("show")[1]
        self.states = SharedStates.opened(self.opening.states) if shares else None
        self.tell("opened", {"camera": CameraState(lookat=(0.0, 0.0, 1.0), distance=1.0), "states": shares})
        thread.join(30)
        self.viewer = opened[0]
        assert self.next("kernels") == ("kernels",)

    def tell(self, *message):
        send(self.ends.outgoing, message)

    def _read(self):
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._messages.put(receive(self.ends.incoming))

    def silent(self):
        """Whether nothing more comes."""
        time.sleep(0.1)
        return self._messages.empty()

    def next(self, word):
        message = self._messages.get(timeout=20)
        assert message[0] == word, message
        return message

    def until(self, condition):
        end = time.monotonic() + 30
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.002)


@pytest.fixture
def window():
    made = Window()
    yield made
    made.ends.outgoing.close()


def test_the_window_begins_with_model_and_state(window):
    assert window.opening.name == "model" and window.opening.model.nq == 1 and window.opening.news.image is not None and not window.opening.keys


def test_the_newest_state_is_sent_and_sync_waits_for_nobody(window):
    def sent():
        other = physics.Data(window.m)
        window.next("news")[1].image.put(other)
        return other.qpos[0]

    def sync(k):
        window.d.qpos[0] = k
        window.viewer.sync()

    first = []
    for k in range(ROOM):       # each is sent before the next is there: how many of a quick row are is the scheduler's matter
        sync(k)
        first.append(sent())
    for k in range(ROOM, 200):     # nobody says that any was taken
        sync(k)
    assert window.silent() and first == list(range(ROOM))
    window.tell("taken")
    assert sent() == 199 and window.silent() and len(window.viewer._process._spare) <= 2


def test_changes_add_up_until_they_are_sent(window):
    window.viewer.sync()
    first = window.next("news")
    window.viewer.sync()
    window.next("news")     # now there is no room for more
    window.m.opt.timestep = 0.5
    window.viewer.user_scn.sphere((0, 0, 0))
    window.viewer.opt.flags["joint"] = True
    window.viewer.sync()
    window.m.geom_rgba[0] = (1, 0, 0, 1)
    window.viewer.user_scn.sphere((0, 0, 1))
    window.viewer.opt.flags["camera"] = True
    window.viewer.cam.distance = 7
    window.viewer.set_texts((0, 0, "a", "b"))
    window.viewer.sync(state_only=True)
    window.viewer.sync()
    assert window.silent()
    window.tell("taken")
    _word, news, beside = window.next("news")
    assert set(news.fields) == {"opt_timestep", "geom_rgba"} and len(beside["calls"]) == 2 and beside["view"]["camera"].distance == 7
    assert beside["view"]["options"] == {("flags", "joint"): True, ("flags", "camera"): True} and beside["texts"] == (("top left", "a", "b"),)
    assert first[1].told is not None and news.told is None and news.image is not None


def test_of_a_state_only_the_state_is_sent(window):
    window.d.qpos[0] = 4
    window.viewer.sync(state_only=True)
    news = window.next("news")[1]
    assert news.image is None and news.state.qpos[0] == 4


def test_commands_are_carried_out_by_sync_the_newest_of_a_key(window):
    for value in (0.1, 0.2, 0.3):
        window.tell("do", "ctrl 0", c.SetCtrl(0, value))
    window.tell("do", None, c.SetOption("timestep", 0.25))
    window.tell("view", {"select": 1})
    window.until(lambda: window.viewer._process._view)
    assert window.d.ctrl[0] == 0
    window.viewer.sync()
    assert window.d.ctrl[0] == 0.3 and window.m.opt.timestep == 0.25 and window.viewer.perturb.select == 1
    news = window.next("news")[1]
    assert news.fields["opt_timestep"] == 0.25 and news.told.changed_values


def test_what_is_refused_is_told_in_the_window(window):
    window.tell("do", None, c.SetCtrl(7, 1.0))
    window.tell("view", {"select": 1})
    window.until(lambda: window.viewer._process._view)
    window.viewer.sync()
    ((kind, text),) = window.next("news")[1].events
    assert kind == "refused" and "there is no control 7" in text


def test_pause_and_step_hold_without_a_sync(window):
    viewer = window.viewer
    window.tell("do", None, c.Pause())
    window.until(lambda: not viewer.run)
    window.tell("do", None, c.Step(2))
    window.until(lambda: viewer.run)
    turns = 0
    while viewer.run:
        turns += 1
        viewer.sync()
    assert turns == 2
    viewer.run = True
    assert viewer.run


def test_keys_call_back_without_a_sync_and_a_callback_may_fail(capsys):
    codes = []

    def callback(code):
        codes.append(code)
        if code == 65:
            raise ZeroDivisionError("in a callback")

    window = Window(callback)
    assert window.opening.keys
    window.tell("key", 65)
    window.tell("key", 32)
    window.until(lambda: codes == [65, 32])
    assert "in a callback" in capsys.readouterr().err and window.viewer.is_running()
    window.ends.outgoing.close()


def test_the_end_of_the_window_is_no_error_of_the_script(window):
    window.tell("closed", None)
    window.ends.outgoing.close()
    window.until(lambda: not window.viewer.is_running())
    window.viewer.sync()
    window.viewer.close()
    with pytest.raises(linkwork.WindowError, match="closed"):
        window.viewer.picture()


def test_a_window_that_cannot_open_says_why():
    ends = Ends()
    process = WindowProcess(None, ends)
    send(ends.outgoing, ("failed", "there is no screen"))
    with pytest.raises(linkwork.WindowError, match="there is no screen"):
        process.begin("show", None)
    ends.outgoing.close()


def test_a_lock_keeps_sync_out(window):
    order = []
    with window.viewer.lock():
        window.viewer.sync()        # the same thread may
        thread = threading.Thread(target=lambda: (window.viewer.sync(), order.append("synced")))
        thread.start()
        time.sleep(0.05)
        order.append("free")
    thread.join(10)
    assert order == ["free", "synced"]


def test_texts_of_a_place_that_there_is_not(window):
    with pytest.raises(ValueError, match="no place 9"):
        window.viewer.set_texts((0, 9, "a", "b"))
    with pytest.raises(IndexError, match="no mesh 0"):
        window.viewer.update_mesh(0)


def test_a_picture_of_the_state_by_the_script_itself(window):
    picture = window.viewer.show(width=80, height=60)
    assert picture.array.shape == (60, 80, 3) and np.ptp(picture.array) > 0


def test_a_model_that_is_locked_is_looked_at_later(window):
    window.viewer._quick = False     # as a large one is
    with window.viewer.lock():
        window.m.opt.timestep = 0.5
        window.d.qpos[0] = 3
        window.viewer.sync()
        first = window.next("news")[1]
        assert first.image is not None and not first.fields
        window.viewer._process.say("ask", 1, "picture")     # others are not kept waiting
        kinds = [window._messages.get(timeout=20)[0] for _ in range(2)]
        assert "ask" in kinds
    window.tell("taken")
    window.tell("taken")
    found = {}
    end = time.monotonic() + 20
    while "opt_timestep" not in found and time.monotonic() < end:
        found.update(window.next("news")[1].fields)
        window.tell("taken")
    assert found["opt_timestep"] == 0.5


@pytest.fixture
def sharing():
    made = Window(shares=True)
    made.viewer.sync()
    made.next("news")       # what is told at first
    yield made
    made.ends.outgoing.close()


def shared(window, received):
    """Position of the state that is in shared memory, None where there is no newer one."""
    other, found = physics.Data(window.m), []

    def show(news):
        (news.image.put if news.image is not None else news.state.write)(other)
        found.append(other.qpos[0])

    window.states.take(other, received, show)
    return found[0] if found else None


def test_what_is_nothing_but_a_state_goes_through_shared_memory_alone(sharing):
    for k in range(1, 6):
        sharing.d.qpos[0] = k
        sharing.viewer.sync(state_only=k % 2 == 0)
        assert shared(sharing, 2) == k and shared(sharing, 2) is None
    assert sharing.silent()


def test_what_is_more_goes_through_the_pipe_with_its_state_and_orders_those_of_shared_memory(sharing):
    sharing.d.qpos[0] = 1
    sharing.viewer.sync()
    sharing.d.qpos[0] = 2
    sharing.viewer.user_scn.sphere((0, 0, 0))
    sharing.viewer.sync()
    _word, news, told = sharing.next("news")
    assert news.image is not None and told["calls"]
    assert shared(sharing, 3) is None       # older than that
    sharing.d.qpos[0] = 3
    sharing.viewer.sync()
    assert shared(sharing, 2) is None and shared(sharing, 3) == 3


def test_where_each_state_is_wanted_they_go_through_the_pipe(sharing):
    sharing.states.want_each(True)
    sharing.viewer.sync()
    assert sharing.next("news")[1].image is not None


def test_a_change_of_the_model_is_told_when_the_window_has_heard_nothing_for_a_while(sharing, monkeypatch):
    monkeypatch.setattr("linkwork.passive.LOOKS", 1e9)      # no time to look again
    sharing.viewer.sync()
    sharing.m.geom_rgba[0] = (1, 0, 0, 1)
    sharing.viewer.sync()
    assert sharing.silent()
    sharing.tell("quiet")
    news = sharing.next("news")[1]
    np.testing.assert_array_equal(news.fields["geom_rgba"][0], (1, 0, 0, 1))
    assert news.image is None and news.state is None
    sharing.tell("quiet")
    assert sharing.silent()     # it is not owed any more
    sharing.tell("taken")       # there is room for more
    monkeypatch.setattr("linkwork.passive.LOOKS", 0.0)
    sharing.m.geom_rgba[0] = (0, 1, 0, 1)
    sharing.viewer.sync()
    assert "geom_rgba" in sharing.next("news")[1].fields
