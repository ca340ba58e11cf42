"""Simulated time follows the clock times the speed; debts above 0.1 s are dropped; the real speed is measured."""
import pytest

from physics.runtime.pacing import SPEEDS, Pacing
from tests.physics.runtime.models import Clock

H = 0.002


def run(pacing, clock, seconds, tick=0.004, cost=0.0, sim=0.0):
    """A loop like the runner's for so many wall seconds; the simulated time reached."""
    end = clock.now + seconds
    while clock.now < end:
        while pacing.due(sim, H) > 0 and clock.now < end:
            sim += H
            clock.now += cost
            pacing.mark(sim)
        clock.now += tick
    return sim


@pytest.mark.parametrize("speed", [0.001, 0.1, 1.0, 3.2, 16.0])
def test_time_follows_the_clock(speed):
    clock = Clock()
    pacing = Pacing(clock)
    pacing.set_speed(speed)
    seconds = 10.0
    sim = run(pacing, clock, seconds)
    assert sim == pytest.approx(speed * seconds, abs=2 * H + 0.004 * speed)
    assert pacing.resyncs == 0
    if speed >= 0.1:
        assert pacing.measured() == pytest.approx(speed, rel=0.05)


def test_a_model_that_cannot_keep_up_shows_its_real_speed():
    clock = Clock()
    pacing = Pacing(clock)
    sim = run(pacing, clock, 5.0, tick=0.0005, cost=4 * H)  # a step costs four times what it simulates
    assert sim == pytest.approx(5.0 / 4, rel=0.1)
    assert pacing.measured() == pytest.approx(0.25, rel=0.05)
    assert pacing.resyncs > 5


def test_a_debt_above_a_tenth_of_a_second_is_dropped_not_caught_up():
    clock = Clock()
    pacing = Pacing(clock)
    sim = run(pacing, clock, 1.0)
    clock.now += 0.09  # tolerated: caught up
    assert pacing.due(sim, H) == pytest.approx(0.09, abs=0.01)
    clock.now += 0.05  # now 0.14 behind
    assert pacing.due(sim, H) == H
    assert pacing.resyncs == 1
    assert pacing.due(sim + H, H) <= 0


def test_time_that_ran_backward_starts_the_clocks_anew():
    clock = Clock()
    pacing = Pacing(clock)
    sim = run(pacing, clock, 1.0)
    assert pacing.due(0.0, H) == H and pacing.resyncs == 1
    clock.now -= 50
    assert pacing.due(sim, H) == H


def test_a_changed_speed_does_not_make_a_debt():
    clock = Clock()
    pacing = Pacing(clock)
    sim = run(pacing, clock, 2.0)
    pacing.set_speed(16.0)
    assert pacing.due(sim, H) == H
    clock.now += 0.01
    assert pacing.due(sim, H) == pytest.approx(0.16)


def test_waiting_time_and_no_limit():
    clock = Clock()
    pacing = Pacing(clock)
    pacing.set_speed(0.1)
    pacing.due(5.0, H)
    assert pacing.wait(5.0 + H) == pytest.approx(10 * H)
    pacing.set_speed(None)
    assert pacing.due(5.0, H) == float("inf") and pacing.wait(9.0) == 0.0


def test_speeds_out_of_range_are_refused():
    for bad in (0.0, -1.0, 17.0, float("nan")):
        with pytest.raises(ValueError, match="0.001"):
            Pacing().set_speed(bad)
    assert max(SPEEDS) == 1600 and min(SPEEDS) == 0.1 and 100 in SPEEDS and list(SPEEDS) == sorted(SPEEDS, reverse=True)
