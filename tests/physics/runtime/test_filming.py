"""Moments for films: at their times, complete, and without a trace in the motion."""
import numpy as np
import pytest

import physics
from physics.runtime import commands as c
from physics.runtime.filming import SLOTS, Filming, steps_to
from tests.physics.runtime.models import do, model, simulation


def drive(sim, filming, count, keep):
    """Advance by hand, taking each moment at once, until there are `count`."""
    taken = 0
    for _ in range(100_000):
        if sim.advance() >= 0:   # each look takes some time
            sim.pacing.clock.now += 0.0017
        while (snapshot := filming.take()) is not None:
            keep(snapshot)
            taken += 1
            filming.give_back(snapshot)
        if taken >= count:
            return
    raise AssertionError(f"only {taken} moments")


@pytest.mark.parametrize("speed", [1.0, None])
@pytest.mark.parametrize("interval", [1 / 60, 0.0005, 0.01])
def test_frame_states_are_the_nearest_steps(interval, speed):
    sim, filming, times = simulation(), Filming(interval), []
    do(sim, c.SetFilming(filming), c.SetSpeed(speed), c.Run())
    drive(sim, filming, 40, lambda s: times.append(s.time))
    wanted = np.arange(40) * interval
    assert np.abs(np.array(times[:40]) - wanted).max() <= sim.model.opt_timestep / 2 + 1e-9


def test_a_frame_state_is_complete_and_the_motion_is_as_without_a_film():
    filmed, plain = simulation(), simulation()
    filming, seen = Filming(0.01), []
    for sim in (filmed, plain):
        do(sim, c.SetCtrl(0, 0.7), c.SetNoise(0.2, 0.05, seed=3))
    do(filmed, c.SetFilming(filming), c.Run())
    drive(filmed, filming, 30, lambda s: seen.append((s.time, s.qpos.copy(), s.xpos.copy(), s.xanchor.copy())))
    plain.take(round(filmed.data.time / plain.model.opt_timestep))
    for name in ("qpos", "qvel", "act", "qacc_warmstart"):
        assert (getattr(filmed.data, name) == getattr(plain.data, name)).all(), name
    d = physics.Data(filmed.model)
    for _time, qpos, xpos, xanchor in seen[1:]:
        d.qpos[:] = qpos
        physics.forward(filmed.model, d)
        assert np.allclose(d.xpos, xpos, atol=1e-14) and np.allclose(d.xanchor, xanchor, atol=1e-14)


def test_time_stands_still_while_no_snapshot_is_free():
    sim, filming = simulation(), Filming(0.004)
    do(sim, c.SetFilming(filming), c.SetSpeed(None), c.Run())
    for _ in range(500):
        sim.advance()
    assert filming.waiting == SLOTS and filming.waits > 100
    stopped = sim.data.time
    assert stopped == pytest.approx(SLOTS * 0.004, abs=1e-9)
    taken = filming.take()
    assert taken.time == 0
    for _ in range(50):
        sim.advance()
    assert sim.data.time == stopped          # taken is not yet given back
    filming.give_back(taken)
    for _ in range(50):
        sim.advance()
    assert sim.data.time == pytest.approx(stopped + 0.004)
    do(sim, c.SetFilming(None))
    sim.advance()
    sim.advance()
    assert sim.data.time > stopped + 0.006


def test_jumps_of_time_and_other_models():
    sim, filming, times = simulation(), Filming(0.01), []
    do(sim, c.SetFilming(filming), c.SetSpeed(None), c.Run())
    drive(sim, filming, 5, lambda s: times.append(s.time))
    do(sim, c.Reset())
    drive(sim, filming, 5, lambda s: times.append(s.time))
    assert 0.0 in times[1:] and times[-1] < 0.06
    do(sim, c.SwapModel(model("<mujoco><option timestep='0.001'/><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"), run=True))
    got = []
    drive(sim, filming, 3, lambda s: got.append((s.generation, s.model.nbody, s.time)))
    assert got[-1][:2] == (sim.generation, 2) and got[-1][2] == pytest.approx(0.02, abs=6e-4)
    do(sim, c.Step(50))
    do(sim, c.Run())
    before = sim.data.time
    drive(sim, filming, 2, lambda s: got.append(s.time))
    assert got[-2] == before and got[-1] == pytest.approx(before + 0.01, abs=6e-4)      # goes on from there


def test_steps_to():
    assert steps_to(0.0, 0.005, 0.002) == 2 and steps_to(0.0, 0.0051, 0.002) == 3 and steps_to(0.01, 0.0, 0.002) == -5
