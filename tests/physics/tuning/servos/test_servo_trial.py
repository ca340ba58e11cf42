"""A servo put to the test: held and in the mechanism it does the same where nothing else moves, values that are tried are those of a model that has them, and figures are right."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.query.rest_state import at_rest
from physics.tuning.servos.axis import axis_of
from physics.tuning.servos.frozen import frozen_servo
from physics.tuning.servos.measures import step_bandwidth
from physics.tuning.servos.trial import RAMP, SINE, STEP, Trial, held, holding, in_mechanism, round_up, start_of, usual_trial
from physics.tuning.servos.values import differing, put_values, values_of, with_values
from tests.physics.tuning.servos.models import HINGE, model, simple


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def at(m, q=.4):
    d = physics.Data(m)
    d.qpos[0], d.qvel[0] = q, 1.7
    return holding(m, d)


def values(m, d, i=0):
    return values_of(m, d, axis_of(m, at_rest(m, d), i))


@pytest.mark.parametrize("kind", [STEP, RAMP, SINE])
@pytest.mark.parametrize("case", ["position", "spring", "filter", "velocity", "integrator", "delay", "slide", "tendon"])
def test_held_and_in_the_mechanism_are_the_same_for_one_joint(case, kind):
    m, d = at(model(case), .1)
    trial = Trial(kind, .05, .6, 4.0)
    one, real = held(frozen_servo(m, d, 0), trial), in_mechanism(m, d, 0, trial)
    assert one.trace.steps == real.trace.steps == 300 and np.abs(one.made - real.made).max() < 1e-9
    assert one.made[1] == pytest.approx(one.made[0], abs=1e-9)        # it begins at rest
    if kind == STEP and case != "integrator":
        assert one.step.final == pytest.approx(real.step.final) and one.bandwidth == pytest.approx(real.bandwidth, nan_ok=True)


ATTRIBUTES = ('damping=".2" armature=".02"', '<position name="a" joint="j" kp="40" kv="1.5" gear="1.5" forcerange="-30 30" timeconst=".03" delay=".01" nsample="9"/>')
OTHER = ('damping=".5" armature=".07"', '<position name="a" joint="j" kp="70" kv="2.5" gear="2" forcerange="-9 8" timeconst=".05" delay=".016" nsample="9"/>')
CHANGES = [{"kp": 70.0, "kv": 2.5}, {"armature": .07}, {"damping": .5}, {"gear": 2.0}, {"forcerange": (-9.0, 8.0)}, {"delay": .016}, {"timeconst": .05},
           {"kp": 70.0, "kv": 2.5, "armature": .07, "damping": .5, "gear": 2.0, "forcerange": (-9.0, 8.0), "delay": .016, "timeconst": .05}]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: "+".join(change))
def test_values_that_are_tried_act_as_in_a_model_that_has_them(change):
    """Held and by the engine; the model with all of them is compiled from its text."""
    m, d = at(simple(ATTRIBUTES[1], ATTRIBUTES[0]))
    before = values(m, d)
    after = replace(before, **change)
    assert set(differing(before, after)) == set(change)
    trial = Trial(STEP, .3, .8)
    one, real = held(with_values(frozen_servo(m, d, 0), before, after), trial), in_mechanism(m, d, 0, trial, before, after)
    assert np.abs(one.made - real.made).max() < 1e-9
    if len(change) > 2:
        new, e = at(simple(OTHER[1], OTHER[0]))
        assert values(new, e) == after
        assert np.abs(in_mechanism(new, e, 0, trial).made - real.made).max() < 1e-9


def test_of_several_joints_only_the_one_is_changed():
    text = HINGE.replace("</body>", '<body pos=".3 0 -.1"><joint name="k" axis="0 1 0" armature=".01"/><geom size=".05"/></body></body>')
    m = simple('<position name="a" joint="j" kp="40" kv="2"/><position name="b" joint="k" kp="9" kv=".3"/>', text=text)
    m, d = holding(m, physics.Data(m))
    before = values(m, d, 1)
    put_values(m, axis_of(m, at_rest(m, d), 1), before, replace(before, armature=.05, kp=11.0))
    assert m.dof_armature.tolist() == [0.0, .05] and m.actuator_gainprm[:, 0].tolist() == [40.0, 11.0] and m.actuator_biasprm[1, 1] == -11.0


def test_a_trial_begins_where_all_servos_hold():
    m, d = at(model("position"))
    outcome = in_mechanism(m, d, 0, Trial(STEP, 0.0, .4))
    assert np.abs(outcome.made - .4).max() < 1e-9 and d.qvel[0] == 0.0
    start = start_of(m, d, 0)
    assert start.ctrl == start.law.hold_ctrl != pytest.approx(.4, abs=1e-3) and outcome.asked[0] == pytest.approx(start.ctrl)


def test_the_bandwidth_of_a_step_is_that_of_the_closed_form():
    m, d = at(model("position"))
    start = start_of(m, d, 0)
    outcome = held(frozen_servo(m, d, 0), Trial(STEP, .01, 2.0))
    assert outcome.bandwidth == pytest.approx(start.law.bandwidth, rel=.03)
    with pytest.raises(ValueError):
        step_bandwidth([0.0], [0.0], [0.0])
    t = np.arange(1000) * .002
    assert np.isnan(step_bandwidth(t, t * 0, np.sin(t)))
    assert step_bandwidth(t, np.where(t >= .1, 1.0, 0.0), np.where(t >= .1, 1.0 - np.exp(-(t - .1) * 20), 0.0)) == pytest.approx(20 / (2 * np.pi), rel=.03)


def test_usual_steps_stay_within_what_the_servo_can():
    m, d = at(simple('<position name="a" joint="j" kp="40" kv="2" forcerange="-5 5"/>'))
    trial = usual_trial(m, start_of(m, d, 0))
    outcome = held(frozen_servo(m, d, 0), trial)
    assert outcome.saturation == 0.0 and outcome.step.settling > 0.0 and abs(trial.size) < .1
    m, d = at(simple('<position name="a" joint="j" kp="40" kv="2" ctrlrange="-1 .45"/>'))
    assert usual_trial(m, start_of(m, d, 0)).size == -.1       # up would leave the range
    assert [round_up(x) for x in (.011, .02, .21, 3.0)] == [.02, .02, .5, 5.0]
