"""The thread: commands in, snapshots and events out, real time kept, errors survived."""
import time

import numpy as np
import pytest

import physics
import physics.runtime.commands as c
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.physics.runtime.models import ARM, model


@pytest.fixture
def runner():
    runner = Runner(Simulation(history_bytes=1 << 22))
    runner.start()
    yield runner
    runner.stop()
    assert not runner.alive


def wait_for(runner, condition, seconds=10.0):
    """The first snapshot for which the condition holds."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        snapshot = runner.acquire()
        if snapshot is not None and condition(snapshot):
            return snapshot
        time.sleep(0.002)
    raise AssertionError("the condition did not come true")


def test_it_runs_pauses_and_keeps_time(runner):
    assert runner.acquire() is None
    runner.send(c.SwapModel(model()))
    first = wait_for(runner, lambda s: True)
    assert first.time == 0 and not first.running and first.status == "paused" and first.xpos[2, 2] == pytest.approx(0.6)
    runner.send(c.Run())
    running = wait_for(runner, lambda s: s.time > 0.1)
    t0, w0 = running.time, time.monotonic()
    later = wait_for(runner, lambda s: s.time > t0 + 0.4)
    assert later.time - t0 <= time.monotonic() - w0 + 0.15  # never ahead of the clock; how far behind is the machine's affair
    runner.send(c.Pause())
    still = wait_for(runner, lambda s: not s.running)
    t, number = still.time, still.number
    time.sleep(0.1)
    assert runner.acquire().time == t and runner.acquire().number == number  # nothing to publish
    assert [e.kind for e in runner.events()] == ["swapped", "running", "running"]


def test_as_fast_as_possible_is_faster_and_sliders_are_live(runner):
    runner.send(c.SwapModel(model(), run=True))
    runner.send(c.SetSpeed(None))
    fast = wait_for(runner, lambda s: s.real_speed > 5)
    assert fast.speed is None and fast.step_us > 0
    for k in range(200):
        runner.latest("slider", c.SetCtrl(0, k / 200))
    wait_for(runner, lambda s: s.ctrl[0] == 199 / 200)
    runner.send(c.Pause())
    runner.latest("slider", c.SetQpos(1, 0.25))
    assert wait_for(runner, lambda s: not s.running and s.qpos[1] == 0.25).time > 0


def test_a_model_swapped_while_running_goes_on(runner):
    runner.send(c.SwapModel(model(), run=True))
    wait_for(runner, lambda s: s.time > 0.05)
    runner.send(c.SwapModel(model(ARM.replace('size=".1"', 'size=".12"')), carry=lambda old, state, new: (state, {"kept": True})))
    swapped = wait_for(runner, lambda s: s.generation == 2)
    assert swapped.time > 0.05 and swapped.running
    wait_for(runner, lambda s: s.generation == 2 and s.time > swapped.time)
    event = [e for e in runner.events() if e.kind == "swapped"][-1]
    assert event.details["report"] == {"kept": True}


def test_snapshots_are_never_mixed_up(runner):
    """Published positions belong to the published coordinates, however fast the physics runs."""
    one_joint = '<mujoco><worldbody><body name="a"><joint name="slide" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody></mujoco>'
    runner.send(c.SwapModel(model(one_joint), run=True))
    runner.send(c.SetSpeed(None))
    runner.send(c.SetForce(1, (1, 0, 0, 0, 0, 0)))
    for _ in range(100):
        s = runner.acquire()
        if s is not None and s.time > 0:
            # positions are those at the start of the last step
            assert s.xpos[1, 0] == pytest.approx(s.qpos[0] - 0.002 * s.qvel[0], rel=1e-9)
            before = s.qpos.copy(), s.time
            time.sleep(0.003)
            assert (s.qpos == before[0]).all() and s.time == before[1]
        time.sleep(0.001)


def test_a_failing_command_is_reported_and_the_thread_lives(runner):
    runner.send("nonsense")
    runner.send(c.SwapModel("no model"))
    runner.send(c.SwapModel(model()))
    wait_for(runner, lambda s: True)
    events = runner.events()
    assert [e.kind for e in events] == ["refused", "error", "swapped"]
    assert "SwapModel" in events[1].text and runner.alive


def test_it_starts_by_itself_when_the_kernels_are_ready():
    runner = Runner(Simulation(ready=False, history_bytes=1 << 20))
    runner.start()
    try:
        runner.send(c.SwapModel(model(), run=True))
        waiting = wait_for(runner, lambda s: s.running)
        assert waiting.status == "preparing" and waiting.time == 0 and waiting.xpos[2, 2] == pytest.approx(0.6)
        runner.kernels_ready()
        assert wait_for(runner, lambda s: s.time > 0.02).status == "running"
        assert {e.kind for e in runner.events()} == {"swapped", "running", "ready"}
    finally:
        runner.stop()


@pytest.mark.skipif(not hasattr(time, "pthread_getcpuclockid"), reason="no clock of one thread here")
def test_it_sleeps_without_a_model_though_the_kernels_are_ready():
    """Else it takes turns with whoever reads the first model, who waits 5 ms for each of them."""
    runner = Runner(Simulation(ready=False))
    runner.start()
    try:
        runner.kernels_ready()
        clock = time.pthread_getcpuclockid(runner._thread.ident)
        time.sleep(0.1)
        before = time.clock_gettime(clock)
        time.sleep(0.5)
        assert time.clock_gettime(clock) - before < 0.1
        runner.send(c.SwapModel(model()))
        wait_for(runner, lambda s: s.status == "paused")
    finally:
        runner.stop()


def test_divergence_reaches_the_window(runner):
    runner.send(c.SwapModel(model(), run=True))
    wait_for(runner, lambda s: s.time > 0.02)
    runner.send(c.SetForce(1, (1e30, 0, 0, 0, 0, 0)))
    stopped = wait_for(runner, lambda s: s.status == "diverged")
    assert "diverged" in stopped.message and np.isfinite(stopped.qpos).all() and np.isfinite(stopped.xpos).all()
    assert any(e.kind == "diverged" for e in runner.events())


def test_snapshots_come_at_most_120_times_a_second(runner):
    runner.send(c.SwapModel(model(), run=True))
    runner.send(c.SetSpeed(None))
    start = wait_for(runner, lambda s: s.time > 0)
    first, begin = start.number, time.monotonic()
    time.sleep(0.5)
    last = runner.acquire().number
    assert 5 < last - first <= 120 * (time.monotonic() - begin) + 2


def test_whole_numbers_written_while_it_runs(runner):
    """By another thread, thousands of times, in the midst of chunks: wrong ones stop it with a message, mended ones let it go on."""
    m = physics.load_string(ARM)
    runner.send(c.SwapModel(m, run=True))
    runner.send(c.SetSpeed(None))
    wait_for(runner, lambda s: s.time > 0.05)
    for _ in range(3000):
        m.jnt_limited[0] = True
        m.jnt_limited[0] = False
    runner.events()
    m.geom_bodyid[1], before = 1_000_000, m.geom_bodyid[1]
    stopped = wait_for(runner, lambda s: not s.running)
    assert any(e.kind == "refused" and "geom_bodyid" in e.text for e in runner.events()) and runner.alive
    m.geom_bodyid[1] = before
    runner.send(c.Run())
    wait_for(runner, lambda s: s.time > stopped.time + 0.05)
