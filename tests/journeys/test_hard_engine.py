"""The engine with hard contact in the window, by keys and clicks: a running quadruped changes to it and back, a slope under both beside each other, a tower at 20 steps a second."""
import threading

import numpy as np
import pytest
from PyQt6.QtTest import QTest

import physics
from assets.locate import bundled_model
from physics.enums import Engine
from physics.recording.track import Track
from physics.runtime import commands
from tests.app.workbench import Key

SIZE = (1400, 1000)


@pytest.fixture
def opened(workbench):
    """opened(name): a window with a bundled model, paused; both engines are compiled."""
    physics.ensure_kernels()
    physics.ensure_hard()
    return lambda name: workbench(bundled_model(f"{name}.xml"), size=SIZE)


def choose_engine(bench, wanted: Engine):
    """By the arrow keys on the Physics panel's first field."""
    box = bench.panel("physics").choices["engine"]
    bench.wait(box.isVisible)
    box.setFocus()
    QTest.keyClick(box, Key.Key_Down if wanted == Engine.HARD else Key.Key_Up)
    bench.wait(lambda: bench.context.model.opt.engine == wanted)


def run_for(bench, seconds):
    """Space, so much simulated time, Space."""
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.running)
    bench.pass_time(seconds)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)


def recorded(bench):
    """time (n), qpos (n, nq), qvel (n, nv) of every step in the history."""
    found, done = [], threading.Event()

    def look(sim):
        pieces = Track(sim.history.line().pieces).pieces
        found.append([np.concatenate([np.atleast_1d(part(piece)) for piece in pieces]) for part in (lambda p: p.time, lambda p: p.columns("qpos"), lambda p: p.columns("qvel"))])
        done.set()

    bench.runner.send(commands.VisitRun(look))
    bench.wait(done.is_set)
    return found[0]


def overlap(m, qpos) -> float:
    """Deepest penetration of two geoms in a position [m]."""
    d = physics.Data(m)
    d.qpos[:] = qpos
    physics.fwd_position(m, d)
    return -float(d.contact_dist[:d.ncon].min(initial=0.0))


def test_a_running_quadruped_changes_the_engine_and_back(opened):
    bench = opened("quadruped")
    status = bench.window.status.engine
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: bench.snapshot.running)
    bench.pass_time(0.3)
    changes = []
    for wanted, word in ((Engine.HARD, "hard"), (Engine.SOFT, "")):
        start, length = bench.snapshot.time, bench.snapshot.history_length      # a snapshot's place is filled anew
        choose_engine(bench, wanted)
        bench.wait(lambda word=word, start=start: status.text() == word and bench.snapshot.time > start)
        after = bench.snapshot
        assert after.running and after.history_length > length      # it runs on, and nothing of the history is gone
        changes.append((start, after.time))
        bench.pass_time(0.3)
    bench.press_key(Key.Key_Space)
    bench.wait(lambda: not bench.snapshot.running)
    time, qpos, qvel = recorded(bench)
    h = bench.context.model.opt.timestep
    assert len(time) == bench.snapshot.history_length and np.allclose(np.diff(time), h, atol=1e-9)
    under = {engine: (time > first) & (time < last) for engine, first, last in (("soft", 0.1, changes[0][0]), ("hard", changes[0][1], changes[1][0]), ("again", changes[1][1], np.inf))}
    assert all(some.sum() > 50 for some in under.values())
    # a joint's velocity is the difference quotient of its angle under both; what overlapped under the soft one comes out within a few steps, as a motion of at most what it was deep
    moved = np.diff(qpos, axis=0)
    assert np.abs(moved[:, 7:] - h * qvel[1:, 6:]).max() < 2e-2 and np.abs(moved[:, :3]).max() < 5e-3
    assert np.abs(np.diff(qvel, axis=0))[time[1:] > 0.2].max() < 1.0
    # it stands throughout, its feet in the floor under the one engine and on it under the other
    assert all(0.25 < qpos[some, 2][-1] < 0.4 for some in under.values())
    soft, hard, again = (overlap(bench.context.model, qpos[some][-1]) for some in under.values())
    assert hard < 1e-6 < 1e-4 < min(soft, again), (soft, hard, again)
    # the history of both is one: back to a step of the hard engine's
    bench.press_key(Key.Key_Left)
    bench.wait(lambda: bench.snapshot.history_index == len(time) - 2)
    assert bench.snapshot.qpos == pytest.approx(qpos[-2], abs=0)


def test_the_slope_under_both_engines(opened):
    bench = opened("hard_slope")
    companions = bench.application.companions
    assert bench.context.model.opt.engine == Engine.HARD
    bench.press_key(Key.Key_F10)
    bench.wait(lambda: companions.other_engine is not None and companions.other_engine.snapshot is not None and companions.other_engine.snapshot.model.opt_engine == Engine.SOFT)
    row, panel = companions.other_engine, bench.panel("engines")
    run_for(bench, 1.0)
    bench.wait(lambda: row.snapshot.time == pytest.approx(bench.snapshot.time, abs=1e-9))
    bench.wait(lambda: all(course is not None and course.time[-1] >= bench.snapshot.time - 0.006 for course in panel._courses()))
    hard, soft = panel._courses()
    late = {name: course.slip[course.time > 0.5] for name, course in (("hard", hard), ("soft", soft))}
    assert late["hard"].max() < 1e-4 < 5e-4 < np.median(late["soft"])       # one creeps, the other does not
    assert hard.overlap.max() < 1e-7 < 1e-4 < soft.overlap.max()
    lines = [panel.list.topLevelItem(k) for k in (0, 1)]
    assert [line.text(0).split(":")[0] for line in lines] == ["Hard", "Soft"]
    assert lines[0].text(2).split()[1] in ("um/s", "mm/s") and lines[1].text(2).endswith("mm/s") and float(lines[1].text(2).split()[0]) > 0.5
    # where the rubber box is now: crept under the one, at its place under the other
    m = bench.context.model
    there = m.body("rubber").id
    assert np.linalg.norm(bench.snapshot.xpos[there] - m.body_pos[there]) < 1e-6
    crept = row.snapshot.qpos.reshape(-1, 7)[there - 1, :3] - m.body_pos[there]
    assert 3e-4 < np.linalg.norm(crept) < 1e-2


def test_a_stack_of_ten_stands_at_20_hertz(opened):
    bench = opened("hard_stack")
    m = bench.context.model
    assert m.opt.timestep == 0.05 and bench.window.status.engine.text() == "hard"
    run_for(bench, 3.0)
    assert bench.snapshot.time >= 3.0 and bench.snapshot.history_length == round(bench.snapshot.time / 0.05) + 1
    assert np.abs(bench.snapshot.qpos.reshape(-1, 7)[:, :3] - m.body_pos[1:]).max() < 1e-6
    assert bench.window.status.engine.text() == "hard"      # no step halved, coarse or failed
    # the same under the other engine at this step: the tower sinks into itself
    bench.press_key(Key.Key_Backspace)
    bench.wait(lambda: bench.snapshot.time == 0.0)
    choose_engine(bench, Engine.SOFT)
    run_for(bench, 2.0)
    assert m.body_pos[-1, 2] - bench.snapshot.qpos[-5] > 0.05
