"""The full window that a script opens."""
import pytest

import physics
from app.passive.launched import LaunchedWindow
from app.passive.link import ScriptLink
from app.passive.window_opening import Launch
from app.program import Program
from app.settings import Settings
from tests.app.test_windows import settle
from tests.app.workbench import SLOW
from tests.linkwork.ends import Ends

MODEL = "<mujoco model='one'><worldbody><body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"


@pytest.mark.parametrize("left, right", [(False, True), (True, True)])
def test_panels_are_where_the_script_wants_them(qtbot, tmp_path, monkeypatch, kept_context, left, right):
    kept_context.patch(monkeypatch)
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    physics.ensure_kernels()
    program, ends = Program(Settings(str(tmp_path / "settings.ini"))), Ends()
    launched = LaunchedWindow(program, ScriptLink(ends.incoming, ends.outgoing, lambda _message: None), Launch(text=MODEL, left=left, right=right))
    application, window = launched.application, launched.application.window
    launched.show()
    qtbot.waitUntil(lambda: window.layout_of_docks.filled and application.context.model is not None, timeout=SLOW)
    try:
        assert bool(window.layout_of_docks.open_docks("left")) == left and bool(window.layout_of_docks.open_docks("right")) == right
        assert window.remembers == (left and right)
    finally:
        application.files.may_leave = lambda: True
        window.close()
        qtbot.waitUntil(lambda: application not in program.windows, timeout=SLOW)
        settle()
