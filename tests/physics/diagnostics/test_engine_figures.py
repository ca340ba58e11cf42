"""What two engines are compared by, and that only their steps are timed."""
import pytest

import physics
from physics.diagnostics.engine_figures import Beside, Judge, least_pushes
from physics.engine.constraint.contact_force import contact_forces
from physics.enums import Engine
from physics.model.state_fields import State
from physics.simulate import step, warm_up

BOX = '<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>'
BELT = """<mujoco><option timestep=".002"/><worldbody><geom type="plane" size="5 5 .1" surfacevel="1 0 0 0 0 0"/>
    <body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1" mass="2"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.compile_kernels()
    physics.ensure_hard()


@pytest.mark.parametrize("engine", Engine)
def test_what_a_belt_carries_along_does_not_slip(engine):
    m = physics.load_string(BELT)
    m.opt.engine = engine
    d = physics.Data(m)
    d.qvel[0] = 1       # as fast as the belt
    physics.step(m, d, 50)
    assert abs(d.qvel[0] - 1) < .01 and d.ncon == 4
    assert Judge(m).look(d).slip < .01


def test_the_hard_engine_is_loaded_before_a_step_is_timed(monkeypatch):
    physics.ensure_kernels()
    called = []
    ensure, take = warm_up.ensure_hard, step.step
    monkeypatch.setattr(warm_up, "ensure_hard", lambda *rest: (called.append("loaded"), ensure(*rest)))
    monkeypatch.setattr(step, "step", lambda *rest, **more: (called.append("step"), take(*rest, **more))[1])
    m = physics.load_string(BOX)
    pairs = list(Beside(m, State.of(physics.Data(m))).run(0.02, 5))
    assert called[0] == "loaded" and called.count("step") == 2 + 4 and pairs[-1].cost[1] > 0


def test_what_has_come_apart_does_not_stick():
    m = physics.load_string(BOX.replace('type="box"', 'type="box" margin=".02"'))
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    d.qpos[2], d.qvel[0] = .105, .5     # over the floor, within the margin: a solve leaves forces of its tolerance
    physics.step(m, d)
    n = d.ncon
    contact_forces.at_once(m, d)
    force = d.contact_force[:n]
    assert n == 4 and (0 < force[:, 0]).all() and (force[:, 0] < least_pushes(m, d)).all()
    assert least_pushes(m, d) == pytest.approx(1e-3 * 9.81 * m.body_mass[1])
    assert Judge(m).look(d).slip == 0
