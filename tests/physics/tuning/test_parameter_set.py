"""Parameter sets: from one State each goes its own way, as a Model beside, in the background and as companions of a run."""
import numpy as np
import pytest

import physics
from physics.model.state_fields import State
from physics.quantities.syntax import ExpressionError
from physics.runtime import commands as c
from physics.runtime.perform import perform
from physics.runtime.simulation import Simulation
from physics.tuning.parameter_set import MOST, ParameterSet, compare, contact_texts, difference, parameter_set, start_companions, window_commands
from tests.physics.runtime.companions.running import Run, same_poses, until

BALL = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="1 1 .1" solref="{floor}"/>
  <body pos="0 0 .11"><freejoint/><geom name="ball" size=".1" mass="1" solref="{ball}" condim="{condim}"/></body></worldbody></mujoco>"""
HARD, SOFT = ".02 1", "-400 -20"


def ball(floor=HARD, ball=HARD, condim=1):
    return physics.load_string(BALL.format(floor=floor, ball=ball, condim=condim))


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture
def run():
    made = []

    def make(model):
        made.append(Run(model))
        return made[0]

    yield make
    for one in made:
        one.close()


def sets_of(m):
    both = {"geom.floor.solref": (-400, -20), "geom.ball.solref": (-400, -20)}
    small, rolling = parameter_set(m, "small steps", {"opt.timestep": 0.001}, 2), parameter_set(m, "rolling", {"geom.ball.condim": 6}, 3)
    return ParameterSet("as it is", 0), parameter_set(m, "soft", both, 1), small, rolling


def test_depth_force_and_energy_of_all_on_common_axes():
    m = ball()
    sets, texts = sets_of(m), contact_texts((m.id("geom", "floor"), m.id("geom", "ball")))
    found = compare(m, State.of(physics.Data(m)), sets, tuple(texts.values()), 1.5)
    depth, force, energy = (found.curves(text) for text in texts.values())
    assert list(depth) == ["as it is", "soft", "small steps", "rolling"]
    for label, (time, values) in force.items():
        h = 0.001 if label == "small steps" else 0.002
        assert len(time) == round(1.5 / h) + 1 and time[0] == 0.0 and time[-1] == pytest.approx(1.5)
        assert values[-1] == pytest.approx(9.81, rel=2e-3) and energy[label][1][0] == pytest.approx(9.81 * .11)
    rest = {label: values[-1] for label, (_time, values) in depth.items()}
    assert np.isnan(depth["soft"][1][0]) and rest["soft"] > 3 * rest["as it is"] > 0
    assert rest["small steps"] == pytest.approx(rest["as it is"], rel=1e-3)
    assert rest["rolling"] != pytest.approx(rest["as it is"], rel=.05)       # friction is stiffness in pyramids
    # the model that was asked about is as it was, and each run is that of a text with the values
    assert m.geom_solref[0].tolist() == [0.02, 1.0] and not m.opt_enableflags
    twin = ball(SOFT, SOFT)
    d = physics.Data(twin)
    physics.step(twin, d, 300)
    again = compare(m, State.of(physics.Data(m)), sets[1:2], ("qpos[2]",), 0.6).runs[0]
    assert again.values["qpos[2]"][-1] == d.qpos[2] and not again.diverged


def test_before_and_after_of_an_edit():
    before, after = ball(), ball(SOFT, SOFT)
    past = difference(after, before, "before")
    assert past.fields == ("geom_solref",) and np.array_equal(past.beside(after).geom_solref, before.geom_solref)
    assert difference(after, ball(SOFT, SOFT), "same").changes == ()
    other = physics.load_string(BALL.format(floor=HARD, ball=HARD, condim=1).replace("<freejoint/>", '<joint type="slide" axis="0 0 1"/>'))
    with pytest.raises(ValueError, match="not the same elements"):
        difference(after, other, "x")
    with pytest.raises(ValueError, match="structure: .*geom_type"):
        difference(after, physics.load_string(BALL.format(floor=SOFT, ball=SOFT, condim=1).replace('name="ball" size=".1"', 'name="ball" type="box" size=".1 .1 .1"')), "x")


def test_what_is_wrong_is_told():
    m = ball()
    state = State.of(physics.Data(m))
    with pytest.raises(ValueError, match="same label"):
        compare(m, state, (ParameterSet("a", 0), ParameterSet("a", 1)), ("time",), 0.1)
    with pytest.raises(ExpressionError, match="qpoz"):
        compare(m, state, (ParameterSet("a", 0),), ("qpoz",), 0.1)
    with pytest.raises(ValueError, match="rows changes"):
        compare(m, state, (ParameterSet("a", 0),), ("contact_dist",), 0.1)
    with pytest.raises(ValueError, match="condim 2"):
        compare(m, state, (parameter_set(m, "a", {"geom.ball.condim": 2}),), ("time",), 0.1)
    assert compare(m, state, (), ("time",), 0.1).runs == ()


def test_four_as_companions_from_one_moment(run):
    m = ball()
    run = run(m)
    run.run_for(0.1)
    run.send(c.Run())
    sets = sets_of(m)
    companions = start_companions(run.companions, sets)
    assert len(companions) == MOST
    until(lambda: all(one.anchors and len(one.changes) == len(of.commands()) for one, of in zip(companions, sets, strict=True)))
    start = run.runner.published.time
    until(lambda: run.runner.published.time > start + 0.5)
    run.send(c.Pause())
    until(lambda: not run.runner.published.running)
    run.settle()
    until(lambda: all(one.acquire() is not None and abs(one.acquire().time - run.runner.published.time) < 1e-6 for one in companions)
          and same_poses(companions[0].acquire(), run.runner.acquire()))
    theirs = run.runner.acquire()
    height = [one.acquire().qpos[2] for one in companions]
    assert len({one.anchors[0].number for one in companions}) == 1
    assert height[0] == theirs.qpos[2] and height[1] < height[0] - 5e-4 and abs(height[2] - height[0]) < 1e-4 and companions[3].acquire().model.geom_condim[1] == 6
    assert run.simulation.model.geom_condim[1] == 1 and not any(one.refused for one in companions)


def test_a_set_becomes_commands_of_the_window():
    m = ball()
    one = parameter_set(m, "x", {"geom.ball.solref": (-400, -20), "opt.impratio": 3, "opt.o_solref": (0.3, 1), "geom.ball.condim": 6})
    wanted, left = window_commands(one.changes)
    assert left == ("geom_condim",)
    sim = Simulation()
    perform(sim, c.SwapModel(ball()))
    for command in wanted:
        perform(sim, command)
    assert not [event.text for event in sim.events if event.kind == "refused"]
    beside = one.beside(m)
    for name in one.fields:
        assert name in left or np.array_equal(getattr(sim.model, name), getattr(beside, name)), name
    assert len(sim.values) == 4      # solref, impratio, o_solref, the flag
