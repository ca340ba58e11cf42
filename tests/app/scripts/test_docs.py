"""The script in docs/scripts.md does what is said there."""
import re
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from app.scripts.script import ON
from assets.locate import bundled_model
from physics.runtime import commands
from tests.app.scripts.board import Board
from tests.app.workbench import Key

ROOT = Path(__file__).parents[3]


class Recorder(Board):
    """Stands for the markers: notes what is drawn."""

    def __init__(self):
        super().__init__()
        self.arrows = []

    @contextmanager
    def frame(self, owner):
        yield self

    def arrow(self, start, end):
        self.arrows.append((np.array(start), np.array(end)))


def test_the_example_balances_the_pole(workbench, tmp_path):
    text, = re.findall(r"```python\n(import numpy.*?)```", (ROOT / "docs" / "scripts.md").read_text(), re.DOTALL)
    (tmp_path / "balance.py").write_text(text)
    bench = workbench(bundled_model("cartpole.xml"))
    scripts, markers = bench.application.scripts, Recorder()
    scripts.set.markers = markers
    assert scripts.open(tmp_path / "balance.py")
    bench.wait(lambda: [script.state for script in scripts.set.scripts] == [ON])
    bench.runner.send(commands.SetSpeed(None))
    bench.runner.send(commands.LoadKey(0))
    bench.wait(lambda: bench.logged("again from 0 s"))
    bench.runner.send(commands.Run())
    bench.pass_time(6)
    assert abs(bench.snapshot.qpos[1]) < 0.02 and abs(bench.snapshot.qpos[0]) < 1 and scripts.set.scripts[0].state == ON
    bench.runner.send(commands.Pause())
    bench.wait(lambda: not bench.snapshot.running)
    before = bench.snapshot.qvel[1]
    bench.press_key(Key.Key_K)
    bench.wait(lambda: abs(bench.snapshot.qvel[1] - before + 0.5) < 1e-9)
    assert markers.arrows and len(markers.arrows[-1][0]) == 3
