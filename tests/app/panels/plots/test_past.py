"""A curve that is added later has its past: what was simulated before, with the bits of the trace."""
import numpy as np
import pytest

from assets.locate import bundled_model
from physics.runtime import commands


@pytest.fixture
def bench(workbench):
    return workbench(bundled_model("double_pendula.xml"), size=(1100, 760))


def test_what_was_simulated_before_a_curve_was_added_is_drawn(bench):
    bench.runner.send(commands.Step(300))
    bench.wait(lambda: bench.snapshot.history_length == 301)
    panel = bench.panel("plots")
    assert panel.add("qpos[0]") and panel.add("qacc[0]")
    bench.wait(lambda: all(panel.series[text].count(0, 300) >= 300 for text in ("qpos[0]", "qacc[0]")))
    series = panel.series["qpos[0]"]
    bench.runner.send(commands.Scrub(123))
    bench.wait(lambda: bench.snapshot.history_index == 123)
    assert series.values[series.entries == 123, 0] == bench.snapshot.qpos[0]
    bench.runner.send(commands.Scrub(-1))
    bench.runner.send(commands.Step(100))
    bench.wait(lambda: bench.snapshot.history_length == 401 and all(series.count(0, 399) == 400 for series in panel.series.values()))
    assert not np.isnan(series.values).any() and (np.diff(series.entries) == 1).all(), "no seam"


def test_a_branch_that_is_shown_again_has_its_own_past(bench):
    panel = bench.panel("plots")
    panel.add("qpos[0]")
    bench.runner.send(commands.Step(100))
    bench.wait(lambda: bench.snapshot.history_length == 101 and panel.series["qpos[0]"].count(0, 99) == 100)
    wanted = panel.series["qpos[0]"].values[:100, 0].copy()
    bench.runner.send(commands.Scrub(30))
    bench.runner.send(commands.SetForce(1, (3.0, 0.0, 0.0, 0.0, 0.0, 0.0)))
    bench.runner.send(commands.Step(40))
    bench.wait(lambda: bench.snapshot.history_length == 71 and len(bench.snapshot.history_branches) == 2)
    bench.runner.send(commands.SwitchBranch(1))
    bench.wait(lambda: bench.snapshot.history_length == 101 and panel.series["qpos[0]"].count(0, 99) == 100)
    assert np.allclose(panel.series["qpos[0]"].values[:100, 0], wanted, rtol=0, atol=0)


def test_a_curve_that_is_taken_away_and_added_again_has_its_past_again(bench):
    bench.runner.send(commands.Step(100))
    bench.wait(lambda: bench.snapshot.history_length == 101)
    panel = bench.panel("plots")
    for _ in range(2):
        assert panel.add("qpos") and panel.add("qvel[0]")       # one with several numbers too
        bench.wait(lambda: all(panel.series[text].count(0, 100) >= 100 for text in ("qpos", "qvel[0]")))
        assert panel.series["qpos"].values.shape[1] == bench.context.model.nq
        panel.remove_chart(panel.charts[0])
        assert panel.texts == ()
