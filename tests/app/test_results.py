"""What the compiler's thread hands to the window."""
import threading

import pytest

from app.bridge.options import VisOptions
from app.context import AppContext
from app.session import Session, Swap
from app.settings import Settings
from app.simulation_client import SimulationClient
from editor.live_compile import Request, Result
from physics.runtime.runner import Runner


class Interrupted(Session):
    """A newer result comes just when the window has looked whether there is one."""

    held = newer = thread = None

    @property
    def _untaken(self):
        found = self.held
        if self.newer is not None and threading.current_thread() is threading.main_thread():
            newer, self.newer = self.newer, None
            self.thread = threading.Thread(target=self._compiled_in_thread, args=(newer,))
            self.thread.start()
            self.thread.join(0.3)       # it may have to wait until this one is taken
        return found

    @_untaken.setter
    def _untaken(self, result):
        self.held = result


@pytest.fixture
def session(tmp_path, monkeypatch, qapp):
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path))
    made = Interrupted(AppContext(SimulationClient(Runner()), Settings(str(tmp_path / "s.ini")), VisOptions()))
    yield made
    made.close()


def test_a_result_that_comes_while_the_one_before_is_taken_is_not_lost(session, qtbot):
    older, newer = (Result(Request("<mujoco/>", "m.xml", None, note=Swap(session._opening, True, label)), None, (), {}) for label in ("older", "newer"))
    busy = []
    session.busy_changed.connect(busy.append)
    session._untaken = older
    session.newer = newer
    session._take_result(older)
    session.thread.join()
    qtbot.waitUntil(lambda: session.held is None and busy == [False, False])
