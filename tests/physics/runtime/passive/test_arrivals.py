"""States that arrive, numbered, with marks where their pace changes."""
import random

from app.history_scale import HistoryScale
from physics.runtime.passive.arrivals import EVEN, Arrivals

DT = 0.002


def scale_of(arrivals):
    return HistoryScale(arrivals.count, (arrivals.start, arrivals.time), DT, arrivals.marks)


def test_even_states_need_no_marks():
    arrivals = Arrivals()
    assert all(arrivals.add(k * 4 * DT, DT) for k in range(1000))
    assert arrivals.count == 1000 and [mark.kind for mark in arrivals.marks] == ["start"]
    assert abs(scale_of(arrivals).time_at(617) - 617 * 4 * DT) < 1e-9


def test_the_same_time_again_is_no_new_state():
    arrivals = Arrivals()
    assert arrivals.add(0.0, DT) and not arrivals.add(0.0, DT) and arrivals.add(DT, DT)
    assert arrivals.count == 2


def test_times_are_known_within_a_few_steps_at_any_pace():
    random.seed(3)
    arrivals, times, time = Arrivals(), [], 0.0
    for k in range(3000):
        time += DT * random.choice((1, 1, 2) if k % 1000 < 500 else (5, 9))
        times.append(time)
        arrivals.add(time, DT)
    scale = scale_of(arrivals)
    assert max(abs(scale.time_at(k) - time) for k, time in enumerate(times)) < 2 * EVEN * DT
    assert 2 < len(arrivals.marks) < 300


def test_a_jump_back_is_a_mark():
    arrivals = Arrivals()
    for time in (0.0, DT, 2 * DT, 0.0, DT):
        arrivals.add(time, DT)
    assert [(mark.kind, mark.index, mark.before) for mark in arrivals.marks][-1] == ("reset", 3, 2 * DT)
    arrivals.add(DT, DT, jumped=True)
    assert arrivals.marks[-1].index == 5 and arrivals.count == 6


def test_the_pace_is_that_of_late():
    arrivals = Arrivals()
    assert arrivals.pace == 0
    for k in range(50):
        arrivals.add(k * DT, DT)
    for k in range(1, 50):
        arrivals.add(49 * DT + k * 8 * DT, DT)
    assert abs(arrivals.pace - 8 * DT) < 0.2 * DT
