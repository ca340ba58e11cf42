"""The same tools with the hard engine, whose steps have implicit derivatives: found by the engine that moves the model."""
import numpy as np
import pytest

import physics
from physics.enums import Engine
from physics.optimise import ControlCost, ILQROptions, Motion, Parameter, State, StateCost, StateGoal, fit_parameters, identify, linearise, solve_ilqr
from physics.optimise.engine_derivatives import gradients_of, parameter_gradients_of
from physics.optimise.identify import IdentifyOptions, _Fit
from physics.optimise.model_parameters import ParameterSet

BOX = """<mujoco><option timestep=".05"/><worldbody><geom name="floor" type="plane" size="0 0 1" friction="{mu} .005 .0001" priority="1"/>
<body name="box" pos="0 0 .1"><freejoint name="box"/><geom name="box" type="box" size=".1 .1 .1" mass="2"/></body></worldbody>
<actuator><motor joint="box" gear="1 0 0 0 0 0"/><motor joint="box" gear="0 1 0 0 0 0"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()
    physics.ensure_hard()


def box(mu=0.5, engine=Engine.HARD):
    m = physics.load_string(BOX.format(mu=mu))
    m.opt_engine = engine
    return m, physics.Data(m)


def test_derivatives_are_those_of_the_engine_that_moves_the_model():
    m, d = box()
    d.qvel[0] = 1.0
    given = physics.hard.gradients(m, d, kappa=1e-3)
    linear = linearise(m, d.copy(), kappa=1e-3)
    assert np.array_equal(linear.A, given.A) and np.array_equal(linear.B, given.B)
    soft, e = box(engine=Engine.SOFT)
    assert gradients_of(m) is physics.hard.gradients and gradients_of(soft) is None
    assert np.array_equal(linearise(soft, e.copy()).A, physics.transition_fd(soft, e).A)
    assert parameter_gradients_of(m, ("geom_friction",)) is physics.hard.gradients and parameter_gradients_of(m, ("dof_damping",)) is None


def test_a_box_is_pushed_to_a_goal_against_friction():
    m, d = box()
    goal = State(m.qpos0 + [0.5, 0.2, 0, 0, 0, 0, 0], np.zeros(6), np.zeros(0))
    costs = [StateCost([1] * 6, 0.1, target=goal), ControlCost(1e-3)]
    found = solve_ilqr(m, d, np.tile([4.0, 1.0], (20, 1)), costs, [StateGoal(goal, qpos=[0, 1], qvel=[0, 1])], ILQROptions(kappa=1e-3, constraint_tolerance=1e-3, cost_tolerance=1e-4, iterations=60))
    assert found.violation < 1e-3 and found.iterations < 60
    end = found.states[-1]
    assert end.qpos[:2] == pytest.approx([0.5, 0.2], abs=2e-3) and min(x.qpos[2] for x in found.states) > 0.1 - 1e-6


def slides(m, count=3):
    d, found = physics.Data(m), []
    for k in range(count):
        d.reset()
        d.qvel[:2] = 1.5 - 0.3 * k, 0.4 * k
        qpos, qvel = [d.qpos.copy()], [d.qvel.copy()]
        for _ in range(4):
            physics.step(m, d)
            qpos.append(d.qpos.copy())
            qvel.append(d.qvel.copy())
        found.append(Motion(np.array(qpos), np.array(qvel), np.zeros((4, 2))))
    return found


def test_jacobians_by_parameters_are_those_of_the_rollouts():
    """At one kappa for steps and derivatives."""
    m, _d = box()
    m.opt_hard_kappa = 1e-4
    parameters = [Parameter("geom_friction", "floor", 0), Parameter("body_mass", "box")]
    fit = _Fit(ParameterSet(m, parameters), [x.checked(m) for x in slides(m)], IdentifyOptions(kappa=1e-4))
    p = np.array([0.45, 2.2])
    implicit = fit.jacobian(p)
    for k in range(2):
        step = np.zeros(2)
        step[k] = 1e-5
        by_differences = (fit.residual(p + step) - fit.residual(p - step)) / 2e-5
        assert implicit[:, k] == pytest.approx(by_differences, abs=1e-5 * max(1.0, np.abs(by_differences).max()))


def unknown_from(monkeypatch, time):
    """Derivatives by friction are unknown in steps that begin at this time; by the numbers of a geom that is not looked for they always are."""
    def gradients(m, d, **more):
        found = physics.hard.gradients(m, d, **more)
        by = found.P["geom_friction"]
        by[:, :, 1:] = np.nan
        if abs(d.time - time) < 1e-9:
            by[:] = np.nan
        return found

    monkeypatch.setattr(identify, "parameter_gradients_of", lambda m, fields: gradients)


def test_differences_with_unknown_derivatives_are_left_out_and_told(monkeypatch):
    true, start = box(0.37)[0], box(0.45)[0]
    parameters, motions, told = [Parameter("geom_friction", "floor", 0, low=0.01, high=2.0)], slides(true), []
    whole = _Fit(ParameterSet(start, parameters), [x.checked(start) for x in motions], IdentifyOptions(kappa=1e-4)).jacobian(np.array([0.45]))
    unknown_from(monkeypatch, 0.1)      # the third of four steps
    fit = _Fit(ParameterSet(start, parameters), [x.checked(start) for x in motions], IdentifyOptions(kappa=1e-4))
    part = fit.jacobian(np.array([0.45])).reshape(3, 4, -1)
    assert np.array_equal(part[:, :2], whole.reshape(3, 4, -1)[:, :2]) and not part[:, 2:].any() and fit.unknown == 0.5
    found = fit_parameters(start, parameters, motions, IdentifyOptions(kappa=1e-4), report=lambda p: told.append(p.text) or True)
    assert found.values[0] == pytest.approx(0.37, rel=1e-3) and found.unknown == 0.5 and "50 % of the differences left out" in told[0]
    unknown_from(monkeypatch, 0.0)
    with pytest.raises(ValueError, match="no derivative by the parameters is known"):
        fit_parameters(start, parameters, motions, IdentifyOptions(kappa=1e-4))


def test_friction_is_found_from_far_away():
    true, start = box(0.37)[0], box(0.8)[0]
    found = fit_parameters(start, [Parameter("geom_friction", "floor", 0, low=0.01, high=2.0)], slides(true), IdentifyOptions(kappa=1e-5))
    assert found.values[0] == pytest.approx(0.37, rel=1e-5)
