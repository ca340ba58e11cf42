"""What else holds a contact's body bears a part of its load: springs, servos and other feet, by the engine; a row with a spring moves as the engine moves it."""
from dataclasses import replace

import numpy as np
import pytest

import physics
from physics.model.elements import element
from physics.tuning.closed_forms import closed_forms, rest_depth
from physics.tuning.law import Parameters
from physics.tuning.scalar import trajectory
from physics.tuning.servos.springs import servo_springs
from physics.tuning.target import Form, Target, read

SOFT = Parameters((-400.0, -30.0), (0.5, 0.5, 0.001, 0.5, 2.0))
HELD = """<mujoco><option timestep="0.001"/><default><geom condim="1" solref="-9000 -100" solimp=".8 .8 .001 .5 2"/></default><worldbody><geom name="floor" type="plane" size="0 0 1"/>
  <body pos="0 0 .099"><joint name="up" type="slide" axis="0 0 1" {joint}/><geom name="foot" size=".1" mass="2"/>{more}</body></worldbody>{actuator}</mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def at_rest(joint="", more="", actuator="", ctrl=0.0):
    m = physics.load_string(HELD.format(joint=joint, more=more, actuator=actuator))
    d = physics.Data(m)
    d.ctrl[:] = ctrl
    physics.step(m, d, 3000)
    physics.forward(m, d)
    return m, d, Target(Form.CONTACT, element(m, "geom", m.id("geom", "foot")))


def seen_depth(m, d):
    """Where the foot rests when it alone is soft."""
    foot = m.id("geom", "foot")
    m.geom_priority[foot], m.geom_solref[foot], m.geom_solimp[foot] = 1, SOFT.solref, SOFT.solimp
    physics.step(m, d, 5000)
    return float(m.geom_size[foot, 0] - d.geom_xpos[foot, 2])


@pytest.mark.parametrize("case,held", [
    ({"joint": 'stiffness="500" springref="-.05"'}, 500 / 2),
    ({"actuator": '<actuator><position joint="up" kp="800" kv="40"/></actuator>', "ctrl": -.03}, 800 / 2),
    ({"actuator": '<actuator><position joint="up" kp="800" forcerange="-2 2"/></actuator>', "ctrl": -.03}, 0),
    ({"more": '<geom name="other" size=".1" pos=".5 0 0" mass="2"/>'}, None),
    ({}, 0)])
def test_the_rest_depth_under_other_values_counts_what_else_bears_the_load(case, held):
    m, d, target = at_rest(**case)
    row = read(m, d, target, held=True).row
    if held is not None:
        assert row.hold == pytest.approx(held, abs=0.3)       # 0.25: what is pulled back more slowly than at 0.5 rad/s counts as free
    else:
        assert row.hold > 500       # the other foot
    predicted, alone, seen = rest_depth(row, SOFT), rest_depth(replace(row, hold=0.0), SOFT), seen_depth(m, d)
    print(f"hold {row.hold:.4g}: {1e3 * predicted:.5g} mm, alone {1e3 * alone:.5g} mm, seen {1e3 * seen:.5g} mm")
    assert predicted == pytest.approx(seen, rel=2e-3) and (not row.hold > 1 or abs(alone / seen - 1) > 0.05)


def test_a_row_with_a_spring_moves_as_the_engine_moves_it():
    m, d, target = at_rest('stiffness="500" springref="-.05" damping="3"')
    state = read(m, d, target, held=True)
    row = replace(state.row, hold=250.0)
    assert row.damping == pytest.approx(1.5) and row.drag == pytest.approx(0, abs=1e-9) and row.at == state.position
    parameters = state.parameters
    expected = trajectory(row, parameters, 0.02, 0.0, 0.5).distance[:, 0]
    d.qpos[0], d.qvel[0] = 0.02 + 0.001, 0.0
    seen = [d.qpos[0] - 0.001]
    for _ in range(500):
        physics.step(m, d)
        seen.append(d.qpos[0] - 0.001)
    assert np.abs(np.array(seen) - expected).max() < 1e-9 and np.min(expected) < -1e-4 and np.max(expected[200:]) < 0.01
    depth = rest_depth(row, parameters)
    forms = closed_forms(row, parameters)
    assert forms.frequency ** 2 * depth == pytest.approx(-(1 - forms.effective) * row.load())


def test_a_servo_holds_by_its_gains_unless_it_is_off():
    m, d, _target = at_rest(actuator='<actuator><position joint="up" kp="800" kv="40" group="2"/></actuator>')
    stiffness, damping = servo_springs(m, d)
    assert stiffness.tolist() == [[800.0]] and damping.tolist() == [[40.0]]
    m.opt_disableactuator = 1 << 2
    assert not servo_springs(m, d)[0].any()
