"""Stage timers of the running simulation."""
import threading

import physics.runtime.commands as c
from tests.physics.runtime.models import do, simulation

STEPS = 300


def test_a_busy_window_does_not_count_as_physics():
    """Between two stages the thread may have to wait for the interpreter, 5 ms or more at a time; that is no cost of a stage."""
    sim = simulation()
    do(sim, c.SetProfile(True))
    sim.take(STEPS)
    alone = sim.profile.per_step()["total"]
    sim.profile.clear()
    stop = threading.Event()

    def spin():
        while not stop.is_set():
            sum(range(1000))

    threads = [threading.Thread(target=spin) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        sim.take(3)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert 0 < sim.profile.per_step()["total"] < 100 * alone   # waits counted, it would be thousands of times as much
