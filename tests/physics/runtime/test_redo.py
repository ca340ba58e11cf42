"""A run done again from its inputs gives the same bits; where it does not, the step is told."""
from dataclasses import replace

import numpy as np
import pytest

from physics import load_string
from physics.recording.journal import COMMAND, STEPS, JournalReader
from physics.recording.models import ModelStore
from physics.runtime import commands as c
from physics.runtime.carry_over import carry_over
from physics.runtime.perform import perform
from physics.runtime.redo import Redo, first_difference, tracks
from tests.physics.runtime.models import ARM, simulation

CHANGED = ARM.replace('size=".05 .2"', 'size=".06 .2"')
OTHER = ARM.replace('<body name="upper"', '<body name="new" pos="9 9 9"><joint name="new"/><geom size=".1"/></body><body name="upper"').replace('qpos="', 'qpos="0 ')


def random_run(sim, random, turns: int) -> None:
    """Commands as a user sends them, with steps in chunks of any size between."""
    for _ in range(turns):
        kind = random.integers(16)
        m, n = sim.model, len(sim.history)
        if kind < 3:
            perform(sim, c.SetCtrl(int(random.integers(m.nu)), float(random.normal())))
        elif kind == 3:
            perform(sim, c.PerturbStart(int(random.integers(1, m.nbody)), tuple(0.1 * random.normal(size=3)), int(random.integers(1, 4))))
        elif kind == 4:
            perform(sim, c.PerturbMove(tuple(random.normal(size=3)), None))
        elif kind == 5:
            perform(sim, c.PerturbStop())
        elif kind == 6:
            perform(sim, c.Scrub(int(random.integers(n))))
        elif kind == 7:
            perform(sim, c.StepBack(int(random.integers(1, 9))))
        elif kind == 8:
            perform(sim, c.SetForce(1, tuple(random.normal(size=6))))
        elif kind == 9:
            perform(sim, (c.Reset(), c.LoadKey(0), c.Pause(), c.Run())[random.integers(4)])
        elif kind == 10:
            perform(sim, c.SetOption("timestep", float(random.choice([0.001, 0.002, 0.004]))))
        elif kind == 11 and random.integers(3) == 0:
            perform(sim, c.SwapModel(load_string((ARM, CHANGED, OTHER)[random.integers(3)]), carry=carry_over, label="edit"))
        elif kind == 12:
            perform(sim, c.MoveMocap(0, tuple(random.normal(size=3))))
        elif kind == 13 and not sim.running:
            perform(sim, c.SetJointCoordinate(0, 0, float(random.normal())))
            perform(sim, c.SetPose(tuple((sim.data.qpos + 0.1 * random.normal(size=sim.model.nq)).tolist())))
        elif kind == 14:
            branches = [info.id for info in sim.history.told_branches()]
            perform(sim, c.SwitchBranch(int(random.choice(branches))))
        else:
            perform(sim, c.SetNoise(float(random.random()), 0.1))
        if random.integers(2):
            sim.idle() if not sim.running else None
        for _ in range(random.integers(4)):
            sim.take(int(random.integers(1, 12)))
    sim.events.clear()


@pytest.fixture
def recorded(tmp_path):
    sim = simulation(load_string(ARM), models=ModelStore(tmp_path), history_bytes=1 << 26)
    random_run(sim, np.random.default_rng(5), 300)
    return sim


def again(sim, ops) -> Redo:
    redo = Redo(sim.models.load)
    redo.do(ops)
    return redo


def test_a_run_with_everything_is_done_again_bit_for_bit(recorded):
    redo = again(recorded, recorded.journal.ops)
    mine, theirs = tracks(recorded), tracks(redo.simulation)
    assert len(mine) > 5 and mine.keys() == theirs.keys() and sum(map(len, mine.values())) > 500
    assert {branch: len(track) for branch, track in mine.items()} == {branch: len(track) for branch, track in theirs.items()}
    assert first_difference(mine, theirs) is None
    assert redo.simulation.history.marks() == recorded.history.marks()


def test_it_is_told_where_a_run_is_not_the_same(recorded):
    ops = list(recorded.journal.ops)
    place = next(k for k, op in enumerate(ops) if op.kind == COMMAND and isinstance(op.value, c.SetCtrl) and any(other.kind == STEPS for other in ops[k:k + 2]))
    ops[place] = ops[place]._replace(value=replace(ops[place].value, value=ops[place].value.value + 1e-9))
    found = first_difference(tracks(recorded), tracks(again(recorded, ops).simulation))
    assert found is not None and found.field == "ctrl" and found.index == ops[place].value.index
    assert abs(found.again - found.recorded) == pytest.approx(1e-9, rel=1e-3) and "ctrl[" in str(found)


def test_a_reader_gets_every_step_once(tmp_path):
    sim = simulation(load_string(ARM), models=ModelStore(tmp_path))
    perform(sim, c.Step(10))
    reader, late = JournalReader(sim.journal, 0), JournalReader(sim.journal)
    seen, since = [], []
    for k in range(30):
        sim.take(3)
        if k % 4 == 0:
            perform(sim, c.SetCtrl(0, float(k)))
        if k % 3 == 0:
            seen += reader.read(int(1 + k % 5))
        since += late.read()
    while ops := reader.read():
        seen += ops
    steps = lambda ops: sum(op.value for op in ops if op.kind == STEPS)  # noqa: E731
    controls = lambda ops: [op.value.value for op in ops if op.kind == COMMAND]  # noqa: E731
    assert steps(seen) == 100 and steps(since) == 90 and controls(seen) == controls(since) == [float(k) for k in range(0, 30, 4)]
    sim.journal.drop(len(sim.journal))
    assert late.read() == []
    sim.take(2)
    assert steps(late.read()) == 2
    with pytest.raises(LookupError):
        JournalReader(sim.journal, 0).read()


def test_a_fresh_model_is_as_it_was_when_it_came(tmp_path):
    sim = simulation(load_string(ARM), models=ModelStore(tmp_path))
    before = sim.model.opt_gravity.tolist()
    perform(sim, c.SetOption("gravity", (0.0, 0.0, -1.0)))
    assert sim.models.load(0).opt_gravity.tolist() == before
    perform(sim, c.SwapModel(load_string(CHANGED), carry=carry_over, label="edit"))
    sim.take(5)
    assert sim.models.load(1).opt_gravity.tolist() == [0, 0, -1] and sim.models.living(1) is sim.model
    redo = again(sim, sim.journal.ops)
    assert redo.simulation.model.opt_gravity.tolist() == [0, 0, -1] and len(redo.simulation.values) == 1
    assert first_difference(tracks(sim), tracks(redo.simulation)) is None
