"""The full window, opened by a script in any thread."""
import threading
import time

import numpy as np
import pytest

import linkwork
from app.settings import Settings
from linkwork import full_window
from linkwork.window_process import WindowProcess

MODEL = """<mujoco model="fall"><worldbody><body pos="0 0 1"><freejoint/><geom size=".1"/></body></worldbody><keyframe><key name="up" qpos="0 0 9 1 0 0 0"/></keyframe></mujoco>"""


@pytest.fixture
def launched(monkeypatch):
    """launched(*arguments, seconds): the process of linkwork.launch(*arguments), closed after so long."""
    made = []

    class Noted(WindowProcess):
        def __init__(self):
            super().__init__()
            made.append(self)

        def begin(self, word, what):
            super().begin(word, what)
            self.begun = True

    def launch(*arguments, seconds=0.0):
        thread = threading.Thread(target=linkwork.launch, args=arguments, daemon=True)
        thread.start()
        end = time.monotonic() + 60
        while not made or not hasattr(made[-1], "begun"):
            assert time.monotonic() < end and thread.is_alive()
            time.sleep(0.02)
        while made[-1].ask("snapshot")["time"] <= seconds and seconds:
            assert time.monotonic() < end
            time.sleep(0.02)
        made[-1].ask("snapshot")
        assert thread.is_alive()
        made[-1].say("close")
        thread.join(30)
        assert not thread.is_alive()
        return made[-1]

    monkeypatch.setattr(full_window, "WindowProcess", Noted)
    yield launch
    for process in made:
        process.close()     # of a test that has failed: it would be waited for


def test_a_model_goes_on_from_the_data_which_is_then_where_it_was(launched, tmp_path):
    m = linkwork.load_string(MODEL)
    d = linkwork.Data(m)
    d.qpos[2], d.qvel[0] = 50, 1
    launched(m, d, seconds=0.1)
    assert d.time > 0 and d.qpos[2] < 50 and d.qpos[0] == pytest.approx(d.time, rel=1e-6)
    np.testing.assert_array_equal(d.xpos[1], d.qpos[:3])     # computed for that state
    assert Settings(str(tmp_path / "settings.ini")).get("files/recent") == []


def test_a_path_is_opened(launched, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL)
    process = launched(str(path))
    assert process.last is not None and len(process.last.qpos) == 7
    assert Settings(str(tmp_path / "settings.ini")).get("files/recent") == [str(path)]


def test_a_text_is_opened_and_is_no_unsaved_one(launched, tmp_path):
    process = launched(MODEL)
    assert process.last is not None and len(process.last.qpos) == 7
    assert not list((tmp_path / "state").rglob("*.json"))
