"""A first start: a model runs while the rest of the kernels is compiled, another that is opened meanwhile is served next, and the change to all kernels is not felt."""
import time
from pathlib import Path

import numpy as np
import pytest

import physics
from physics.kernels import decorators, load
from physics.kernels.gather import Gathering
from physics.runtime import commands, events
from physics.runtime.perform import perform
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from physics.runtime.undo import Undo
from physics.simulate import reach
from physics.simulate.warm_up import ENGINE
from tests.physics.simulate import partial_engine

HUMANOID = Path(__file__).parents[3] / "models/humanoid.xml"
BOXES = """<mujoco><worldbody><geom type="plane" size="2 2 .1"/><body pos="0 0 .2"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos=".05 0 .5"><freejoint/><geom type="sphere" size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module")
def files():
    return partial_engine.objects()

TOUCHING = """<mujoco><worldbody><geom type="box" size=".5 .5 .1"/><body pos="0 0 .19"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""


@pytest.fixture
def no_sphere_box(files, monkeypatch):
    """The kernel for a sphere on a box is one of those that are not waited for, and not there."""
    kernel = next(k for k in reach.GATES if k.__name__ == "sphere_box")
    monkeypatch.setattr(reach, "LATER", {**reach.LATER, kernel: lambda m: False})
    m = physics.load_string(TOUCHING)
    with partial_engine.only(files, reach.reachable(m) - {kernel.symbol}):
        yield m


def running(m) -> Simulation:
    sim = Simulation(ready=True)
    perform(sim, commands.SwapModel(m))
    perform(sim, commands.SetNoise(0.2, 0.1, 3))
    sim.set_running(True)
    return sim


def numbers(sim) -> list[np.ndarray]:
    d = sim.data
    return [np.array(v) for v in (d.time, d.qpos, d.qvel, d.qacc, d.qacc_warmstart, d.efc_force[:d.nefc], d.ctrl_noise, d.record_end)]


def same(one, other) -> bool:
    return all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_the_change_to_all_kernels_is_neither_a_stop_nor_a_jump(files):
    m = physics.load(HUMANOID)
    whole, sim = running(m), running(m)
    for _ in range(60):
        whole.take(5)
    runner = Runner(sim)
    sim.events.clear()
    with partial_engine.only(files, reach.needed_to_move(m)):
        assert load.is_partial()
        assert sum(sim.take(5) for _ in range(30)) == 150
    assert not load.is_partial()
    before, began = numbers(sim), sim.pacing.__dict__.copy()
    runner._ready()   # what the runner does when it is told that all are there
    assert sim.ready and sim.running and same(before, numbers(sim)) and sim.pacing.__dict__ == began and not sim.events
    assert sum(sim.take(5) for _ in range(30)) == 150
    assert same(numbers(sim), numbers(whole))


def test_a_model_opened_while_kernels_are_compiled_gets_its_own_first(files):
    humanoid, boxes = physics.load(HUMANOID), physics.load_string(BOXES)
    there, wanted = reach.needed_to_move(humanoid), reach.needed_to_move(boxes)
    lacking = wanted - there
    assert len(lacking) > 3
    sim = running(humanoid)
    with partial_engine.only(files, there):
        keys = decorators.keys([s for s, k in decorators.KERNELS.items() if k.module in ENGINE])
        gathering = Gathering(None, keys, 1, load._load)
        loaded = []
        gathering._ready = lambda: loaded.append(load.missing())
        gathering.have |= {s: files[s] for s in files if s in there}
        load._gatherings.append(gathering)
        try:
            perform(sim, commands.SwapModel(boxes))
            assert not sim.ready and sim.status == "preparing"
            gathering._build._news.get_nowait()()   # what the thread that compiles does next
            work, handed = gathering._build._work, []
            while len(handed) < len(wanted):
                handed.append(work.take(set())[0])
            assert set(handed) == wanted, "these and no others come first"
            for symbol in [s for s in handed if s in lacking]:   # the others have landed before
                assert not loaded
                gathering._landed(symbol, files[symbol])
            assert len(loaded) == 1 and loaded[0] and wanted.isdisjoint(loaded[0])
            assert sim.look_for_kernels() and sim.take(20) == 20
        finally:
            load._gatherings.remove(gathering)
            load._engines[-1].pending = []


def test_steps_are_taken_back_to_the_last_bit():
    physics.ensure_engine()
    m = physics.load(HUMANOID)
    sim = running(m)
    sim.take(20)
    undo, before = Undo(), numbers(sim)
    for _ in range(2):   # the second time into the room that is there
        undo.keep(sim.data)
        sim.take(7)
        assert not same(before, numbers(sim))
        undo.take_back(sim.data)
        after = numbers(sim)
        assert all(np.array_equal(before[k], after[k]) for k in (0, 1, 2, 4, 6, 7))


def test_what_was_kept_of_another_model_is_not_put_back():
    m = physics.load_string(BOXES)
    one, other, undo = physics.Data(m), physics.Data(m), Undo()
    undo.keep(one)
    other.qpos[:] = 2.0
    undo.take_back(other)
    assert (other.qpos == 2.0).all()


def test_a_model_whose_start_needs_a_kernel_that_is_not_there_waits_for_it(no_sphere_box):
    sim = Simulation(ready=True)
    perform(sim, commands.SwapModel(no_sphere_box, run=True))
    assert [e.kind for e in sim.events] == [events.WARNING, events.SWAPPED, events.RUNNING] and "sphere_box" in sim.events[0].text
    assert sim.status == "preparing" and len(sim.history) == 1 and sim.data.xpos[1, 2] == 0.19


def test_the_physics_thread_outlives_a_first_model_that_has_to_wait(no_sphere_box):
    runner = Runner(Simulation(ready=True))
    runner.start()
    try:
        runner.send(commands.SwapModel(no_sphere_box))
        end = time.monotonic() + 10
        while runner.alive and runner.acquire() is None and time.monotonic() < end:
            time.sleep(0.002)
        assert runner.alive and runner.acquire().status == "preparing"
    finally:
        runner.stop()


def test_a_state_that_cannot_be_shown_is_told_and_the_thread_lives(monkeypatch):
    show, failing = Simulation.show, [True]

    def shown(sim, snapshot):
        if failing[0]:
            raise RuntimeError("nothing to see")
        show(sim, snapshot)

    monkeypatch.setattr(Simulation, "show", shown)
    runner = Runner(Simulation())
    runner.start()
    try:
        runner.send(commands.SwapModel(physics.load_string(BOXES)))
        end, told = time.monotonic() + 10, []
        while not any(e.kind == events.ERROR for e in told) and time.monotonic() < end:
            told += runner.events()
            time.sleep(0.002)
        assert runner.alive and [e.kind for e in told] == [events.SWAPPED, events.ERROR] and "nothing to see" in told[1].text
        failing[0] = False
        runner.send(commands.Step(1))
        while runner.acquire() is None and time.monotonic() < end:
            time.sleep(0.002)
        assert runner.acquire().time > 0
    finally:
        runner.stop()


def test_kernels_that_arrive_while_one_has_gone_back_take_nothing_of_the_history():
    physics.ensure_engine()
    sim = running(physics.load(HUMANOID))
    sim.take(20)
    perform(sim, commands.Scrub(5))
    sim.ready = False   # as where a kernel was called that is not there
    Runner(sim)._ready()
    assert sim.ready and sim.history.index == 5 and len(sim.history) == 21
