"""Choosing the engine while a model runs: nothing jumps, what cannot be is refused by name, and what the hard engine ends its steps as is told."""
import numpy as np
import pytest

import physics
from physics.enums import Engine
from physics.recording.models import ModelStore
from physics.runtime import commands as c
from physics.runtime import events
from physics.runtime.redo import Redo, first_difference, tracks
from physics.runtime.snapshot import Snapshot
from tests.physics.runtime.models import do, simulation
from tests.physics.simulate.stand_in import put_in_place

BALL = """<mujoco><worldbody><geom name="floor" type="plane" size="5 5 .1"/>
<body name="ball" pos="0 0 .3"><freejoint/><geom name="ball" size=".1"%s/></body></worldbody>
%s</mujoco>"""


@pytest.fixture
def engine(monkeypatch):
    physics.ensure_kernels()
    return put_in_place(monkeypatch)


def running(text=BALL % ("", "")):
    return simulation(physics.load_string(text))


def test_there_and_back_without_a_jump(engine):
    sim = running()
    do(sim, c.Step(40))
    for chosen in (Engine.HARD, Engine.SOFT, Engine.HARD):
        before = sim.data.time, sim.data.qpos.copy(), sim.data.qvel.copy(), len(sim.history)
        do(sim, c.SetOption("engine", int(chosen)))
        assert sim.model.opt.engine == chosen and (sim.data.time, len(sim.history)) == (before[0], before[3])
        assert np.array_equal(sim.data.qpos, before[1]) and np.array_equal(sim.data.qvel, before[2])
        do(sim, c.Step(10))
        assert len(sim.history) == before[3] + 10
    assert engine.taken == 20
    (value,) = sim.values.shown(sim.model)
    assert (value.target, value.label, value.file_value, value.value) == ("opt.engine", "engine", 0, 1)
    do(sim, c.RevertValue("opt.engine"))
    assert sim.model.opt.engine == Engine.SOFT and not sim.values.shown(sim.model)


def test_what_the_engine_cannot_do_is_refused_with_its_place(engine):
    sim = running(BALL % (' adhesion="1"', ""))
    do(sim, c.Run())
    (event,) = [event for event in do(sim, c.SetOption("engine", 1)) if event.kind == events.REFUSED]
    assert "the hard engine has no adhesion: geom 'ball'" in event.text and ":2:" in event.text and "soft engine" in event.text
    assert sim.model.opt.engine == Engine.SOFT and sim.running
    (event,) = do(sim, c.SetOption("engine", 7))
    assert event.kind == events.REFUSED and "no engine 7; there are 0 (soft), 1 (hard)" in event.text


def test_a_text_that_asks_for_what_cannot_be_is_shown_and_not_moved(engine):
    sim = running(BALL % (' adhesion="1"', '<custom><text name="linkwork_engine" data="hard"/></custom>'))
    assert sim.model.opt.engine == Engine.HARD and sim.data.xpos[1, 2] == pytest.approx(0.3)
    assert any("no adhesion" in event.text for event in do(sim, c.Run())) and not sim.running
    assert any("cannot be stepped" in event.text for event in do(sim, c.Step(1))) and engine.taken == 0
    do(sim, c.SetOption("engine", 0), c.Step(1))
    assert sim.data.time > 0


def test_what_is_left_out_of_account_is_told_once(engine):
    sim = running(BALL % (' solref="0.01 1"', '<option integrator="RK4"/>'))
    told = [(event.kind, event.text) for event in do(sim, c.SetOption("engine", 1))]
    assert [kind for kind, _ in told] == [events.WARNING, events.WARNING, events.NOTE]
    assert "solref of geom 'ball'" in told[0][1] and "integrator 'RK4'" in told[1][1] and "cones are exact" in told[2][1]
    assert do(sim, c.SetOption("hard_looks", 2)) == []


@pytest.mark.parametrize(("name", "value", "said"), [("hard_rtol", 0.0, "from 1e-14 to 1"), ("hard_kappa", 1e-13, "0 or at least"), ("hard_iterations", 0, "from 1 to 1000")])
def test_options_of_the_hard_engine_have_bounds(engine, name, value, said):
    sim = running()
    before = getattr(sim.model.opt, name)
    (event,) = do(sim, c.SetOption(name, value))
    assert said in event.text and getattr(sim.model.opt, name) == before


def test_halved_and_coarse_steps_are_told_and_counted(engine):
    engine.ends = ["", "halved", "", "coarse", "coarse"]
    sim = running()
    do(sim, c.SetOption("engine", 1))
    told = [event.text for event in do(sim, c.Step(2))]
    assert len(told) == 1 and "1 hard step was taken in halves" in told[0] and "smaller time step" in told[0]
    assert do(sim, c.Step(3)) == []     # within a second: not again for each
    sim._hard._at -= 2.0
    (event,) = do(sim, c.Step(1))
    assert "2 hard steps are coarse" in event.text
    snapshot = Snapshot(sim.model, sim.data, 1)
    sim.show(snapshot)
    assert (snapshot.hard_nhalved, snapshot.hard_ncoarse, snapshot.hard_nfailed) == (1, 2, 0)
    do(sim, c.Reset())
    assert sim.data.hard_nhalved == 0 and do(sim, c.Step(3)) == []


def test_deepest_contact_is_named(engine):
    engine.ends = [""] * 200 + ["halved"]
    sim = running()
    do(sim, c.SetOption("engine", 1))
    (event,) = [event for event in do(sim, c.Step(210)) if event.kind == events.WARNING]
    assert "deepest contact: 'floor' and 'ball'" in event.text


def test_a_run_with_both_engines_is_done_again_bit_for_bit(tmp_path):
    physics.ensure_kernels()
    physics.ensure_hard()
    sim = simulation(physics.load_string(BALL % ("", '<option timestep="0.005"/>')), models=ModelStore(tmp_path))
    do(sim, c.Step(20), c.SetOption("engine", 1), c.Step(80), c.SetOption("hard_kappa", 1e-4), c.Step(20), c.SetOption("engine", 0), c.Step(20), c.SetOption("engine", 1),
       c.StepBack(30), c.Step(50))
    assert sim.data.ncon and len(sim.history) > 140
    redo = Redo(sim.models.load)
    redo.do(sim.journal.ops)
    assert redo.simulation.model.opt.engine == Engine.HARD and first_difference(tracks(sim), tracks(redo.simulation)) is None


def test_a_state_without_a_solution_is_told_while_paused():
    physics.ensure_kernels()
    physics.ensure_hard()
    sim = simulation(physics.load_string(BALL.replace("0 0 .3", "0 0 .1") % ("", "")))
    sim.data.qvel[:3] = 1, 0, -1
    told = [event.text for event in do(sim, c.SetOption("hard_iterations", 1), c.SetOption("engine", 1)) if event.kind == events.WARNING]
    assert len(told) == 1 and "accelerations of this state are not known. The hard engine could not solve the step at time 0 s" in told[0]
    assert sim.data.warning_number[physics.enums.WarningType.BADQACC] == 1
    assert not [event for event in do(sim, c.SetOption("hard_iterations", 50)) if event.kind == events.WARNING]
