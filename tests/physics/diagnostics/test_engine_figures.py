"""Two engines beside each other: what is timed is steps alone."""
import physics
from physics.diagnostics.engine_figures import Beside
from physics.model.state_fields import State
from physics.simulate import step, warm_up

BOX = '<mujoco><worldbody><geom type="plane" size="5 5 .1"/><body pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body></worldbody></mujoco>'


def test_the_hard_engine_is_loaded_before_a_step_is_timed(monkeypatch):
    physics.ensure_kernels()
    called = []
    ensure, take = warm_up.ensure_hard, step.step
    monkeypatch.setattr(warm_up, "ensure_hard", lambda *rest: (called.append("loaded"), ensure(*rest)))
    monkeypatch.setattr(step, "step", lambda *rest, **more: (called.append("step"), take(*rest, **more))[1])
    m = physics.load_string(BOX)
    pairs = list(Beside(m, State.of(physics.Data(m))).run(0.02, 5))
    assert called[0] == "loaded" and called.count("step") == 4 and pairs[-1].cost[1] > 0
