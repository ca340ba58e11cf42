"""A step of a script's simulation taken apart in the window of the script, and its solve traced: from the Data as the script's last call has left it."""
import numpy as np
import pytest

import physics
from physics.pipeline.stage_fields import SCRATCH
from physics.runtime import commands
from tests.app.passive.script_bench import ScriptBench

MODEL = """<mujoco model="ball"><worldbody><light pos="0 0 4"/><geom type="plane" size="2 2 .1"/>
  <body name="ball" pos="0 0 .11"><freejoint/><geom size=".1"/></body><body pos="1 0 1"><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>"""


@pytest.fixture
def bench(qtbot, tmp_path, monkeypatch, kept_context):
    kept_context.patch(monkeypatch)
    monkeypatch.setenv("LINKWORK_STATE", str(tmp_path / "state"))
    monkeypatch.setattr("sys.argv", ["loop.py"])
    bench = ScriptBench(qtbot, tmp_path, MODEL)
    yield bench
    bench.close()


def test_a_step_is_walked_from_what_the_script_has_left(bench):
    physics.step(bench.m, bench.d, 120)
    assert bench.d.ncon
    bench.context.runner.send(commands.Pause())
    bench.until(lambda: not bench.snapshot.running and bench.snapshot.time == bench.d.time)
    panel = bench.application.window.layout_of_docks.show("pipeline")
    bench.wait(lambda: panel.walk is not None and panel.walk.time == bench.d.time)
    wanted = physics.walk(bench.m, bench.d)
    for mine, theirs in zip(panel.walk, wanted, strict=True):
        assert mine.ran == theirs.ran
        for name, value in theirs.writes.items():
            assert mine.writes[name].tobytes() == value.tobytes(), (mine.name, name)
            if name not in SCRATCH and mine.before[name].shape == value.shape:
                assert np.array_equal(mine.changed(name), theirs.changed(name)), (mine.name, name)
    assert not panel.walk["kinematics"].changed("xpos")[0].any() and panel.walk["kinematics"].changed("xpos")[1].any()
    solver = bench.application.window.layout_of_docks.show("solver")
    bench.wait(lambda: solver.traced is not None)
    assert solver.traced.time == bench.d.time and solver.traced.trace.problem.nefc == wanted.after(6).nefc
