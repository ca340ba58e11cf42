"""The axes of the cost landscape have the figures themselves, whatever the theme was changed to meanwhile."""
import pytest
from PyQt6.QtWidgets import QApplication

from physics.runtime import commands

BALL = """<mujoco><worldbody><light pos="0 0 3"/><geom type="plane" size="2 2 .1"/><body pos="0 0 .0999"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>"""


@pytest.fixture
def bench(workbench, tmp_path):
    (tmp_path / "m.xml").write_text(BALL)
    bench = workbench(tmp_path / "m.xml", size=(1100, 800))
    bench.runner.send(commands.Step(3))
    bench.wait(lambda: bench.snapshot.history_index == 3)
    yield bench
    bench.settings.reset("view/theme")


def test_they_are_not_scaled_by_a_thousand_that_is_not_told(bench):
    panel = bench.panel("solver")
    bench.wait(lambda: panel.traced is not None)
    panel.tabs.setCurrentWidget(panel.landscape)
    bench.wait(lambda: panel.landscape.landscape is not None)
    for theme in ("light", "dark"):
        bench.settings.set("view/theme", theme)
        QApplication.processEvents()
        bench.wait(lambda: not panel.landscape.visibleRegion().isEmpty())
        assert [panel.landscape.plot.getAxis(side).autoSIPrefixScale for side in ("left", "bottom")] == [1.0, 1.0]
