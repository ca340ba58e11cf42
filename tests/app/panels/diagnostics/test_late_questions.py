"""LiveQuery: what is asked while the last answer is fresh is asked a little later, not forgotten."""
from app.panels.diagnostics.live_query import LiveQuery
from physics.runtime import commands


def test_the_last_change_before_a_pause_is_answered(workbench, qtbot):
    bench = workbench()
    bench.steady(lambda: bench.snapshot.number)
    query = LiveQuery(bench.context, lambda m, d: float(d.qpos[2]), pause=1.0)
    answers = []
    query.answered.connect(answers.append)
    bench.context.snapshot_ready.connect(lambda _snapshot: query.ask())
    for height in (1.5, 1.6, 1.7):
        bench.runner.send(commands.SetQpos(2, height))
        qtbot.wait(60)
    bench.wait(lambda: answers and answers[-1] == 1.7)
    assert len(answers) <= 3
