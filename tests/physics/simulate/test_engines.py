"""A second engine plugs in at one place, and everything that moves a model goes through it."""
import numpy as np
import pytest

import physics
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.step_order import StepStage
from physics.errors import Issue
from physics.kernels.rows import callback
from physics.runtime.profile import Profile
from physics.simulate import engines
from tests.physics.runtime.models import simulation

SLIDE = """<mujoco><worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>
<actuator><motor name="push" joint="x"/></actuator><sensor><jointpos joint="x"/></sensor></mujoco>"""


class Drift(engines.Engine):
    """Positions move by velocities, velocities by controls: no forces, no inertia. Asks for storage once, as engines may."""

    name = "drift"

    def __init__(self):
        self.prepared = []

    def refuses(self, m):
        return [] if m.opt_timestep > 0 else [Issue("view", None, "mujoco/option", "time does not pass", "Set a time step above 0.")]

    def workspace(self, m, d):
        self.prepared.append(d)

    def forward(self, m, d, skip):
        if d.maxefc < 500:
            d.need_nefc = 500
            return 0
        kinematics(m, d)
        d.qacc[:] = d.ctrl
        return 1

    def step(self, m, d, n):
        if self.refuses(m):
            return -1
        for k in range(n):
            if not self.forward(m, d, 0):
                return k
            if d.cb_stage:
                d.cb_id = 0
                callback(d.cb_stage, m, d)
            d.qvel[:] += m.opt_timestep * d.qacc
            d.qpos[:] += m.opt_timestep * d.qvel
            d.sensordata[:] = d.qpos
            d.time += m.opt_timestep
        return n

    def stages(self):
        return (StepStage("drifting", "position", "always", (kinematics,), "poses"),)


@pytest.fixture
def drift(monkeypatch):
    physics.ensure_kernels()
    engine = Drift()
    monkeypatch.setattr(engines, "ENGINES", (*engines.ENGINES, engine))
    return engine


def model():
    m = physics.load_string(SLIDE)
    m.opt.engine = len(engines.ENGINES) - 1
    m.opt.timestep = 0.01
    return m


def moved(n: int) -> float:
    """Where n steps under control 1 end."""
    return 0.01 ** 2 * n * (n + 1) / 2


def test_step_and_forward(drift):
    m = model()
    d = physics.Data(m)
    d.ctrl[:] = 1
    physics.forward(m, d)
    assert d.qacc[0] == 1 and d.time == 0 and d.maxefc > 500
    assert physics.step(m, d, 10) == 10
    assert d.qpos[0] == pytest.approx(moved(10)) and d.time == pytest.approx(0.1)


def test_it_refuses_in_its_own_words(drift):
    m = model()
    d = physics.Data(m)
    m.opt.timestep = 0
    with pytest.raises(physics.ViewOnlyError, match="time does not pass"):
        physics.step(m, d)
    with pytest.raises(ValueError, match="step1 belongs to the soft engine; opt.engine picks 'drift'"):
        physics.step1(m, d)


def test_profile(drift):
    m = model()
    d, profile = physics.Data(m), Profile()
    for _ in range(3):
        while not profile.step(m, d):
            assert d.make_room()
    found = profile.per_step()
    assert profile.steps == 3 and found["drifting"] > 0 and "solve" not in found, "the stages are the engine's own"


def test_rollout(drift):
    m = model()
    found = physics.rollout(m, np.zeros((2, 3)), np.ones((20, 1)))
    assert found.steps.tolist() == [20, 20]
    assert found.states[1, -1, 1] == pytest.approx(moved(20)) == found.sensordata[0, -1, 0]
    assert drift.prepared


def test_transition_by_differences(drift):
    m = model()
    d = physics.Data(m)
    found = physics.transition_fd(m, d, centered=True)
    assert np.allclose(found.A, [[1, 0.01], [0, 1]]) and np.allclose(found.B[:, 0], [1e-4, 0.01])


@pytest.mark.parametrize("profiled", [False, True])
def test_the_simulation_thread(drift, profiled):
    sim = simulation()
    sim.install(model())
    sim.profiling = profiled
    sim.data.ctrl[:] = 1
    assert sim.take(15) == 15
    assert sim.data.qpos[0] == pytest.approx(moved(15)) and len(sim.history) == 16
    assert not profiled or sim.profile.steps == 15
    assert any(sim.data is d for d in drift.prepared)


def test_a_number_without_an_engine_is_named():
    m = model()
    m.opt.engine = 2
    d = physics.Data(m)
    with pytest.raises(ValueError, match=r"opt.engine is 2; there are 0 \(soft\), 1 \(hard\)"):
        physics.step(m, d)
