"""Closed forms of servos: effective inertia, dampratio, steady error, what holds."""
import mujoco
import numpy as np
import pytest

import physics
from physics.tuning.servos.axis import inertia_curve, inertia_extremes, servo_axis
from physics.tuning.servos.law import dampratio_mass, dampratio_of, kv_of, servo_law, with_gains
from physics.tuning.servos.reference import Constant
from physics.tuning.servos.response import respond
from tests.physics.tuning.servos.models import HINGE, SLIDE, arm7, simple

TWO = """<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody>
<body><joint name="one" axis="0 0 1" armature=".05"/><geom type="sphere" size=".01" pos="1 0 0" mass="1e-9"/>
<body pos="1 0 0"><joint name="two" axis="0 0 1" range="-3 3" limited="true"/><geom type="sphere" size=".001" pos=".5 0 0" mass="2"/></body></body></worldbody>
<tendon><fixed name="t"><joint joint="one" coef="1"/><joint joint="two" coef="-2"/></fixed></tendon>
<actuator><position name="a" joint="one" kp="40" gear="3"/><position name="b" joint="two" kp="40"/><position name="c" tendon="t" kp="30" gear="2"/></actuator></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


def two(angle):
    m = physics.load_string(TWO)
    d = physics.Data(m)
    d.qpos[1] = angle
    c, mass, tiny = np.cos(angle), 2.0, .4 * 2.0 * .001 ** 2
    # two-link arm with point masses: l1 = 1, r2 = 0.5
    M = np.array([[mass * (1 + .25 + c) + tiny + .05, mass * (.25 + .5 * c) + tiny], [mass * (.25 + .5 * c) + tiny, mass * .25 + tiny]])
    return m, d, M


@pytest.mark.parametrize("angle", [0., .7, 2.5])
def test_effective_inertia_of_a_two_link_arm(angle):
    m, d, M = two(angle)
    inverse = np.linalg.inv(M)
    for name, J in (("a", (1, 0)), ("b", (0, 1)), ("c", (1, -2))):
        axis = servo_axis(m, d, name)
        J = np.array(J, float)
        assert axis.inertia["free"] == pytest.approx(1 / (J @ inverse @ J), rel=1e-5)
        s = np.flatnonzero(J)
        assert axis.inertia["locked"] == pytest.approx(1 / (J[s] @ np.linalg.inv(M[np.ix_(s, s)]) @ J[s]), rel=1e-5)
    assert servo_axis(m, d, "a").armature == .05 and servo_axis(m, d, "a").gear == 3


def test_inertia_along_a_motion():
    m, d, _M = two(.3)
    curve = inertia_curve(m, d, "a", "two", 7)
    assert (curve.position[0], curve.position[-1]) == (-3, 3)
    for angle, locked, free in zip(curve.position, curve.locked, curve.free, strict=True):
        M = two(angle)[2]
        assert locked == pytest.approx(M[0, 0], rel=1e-5) and free == pytest.approx(1 / np.linalg.inv(M)[0, 0], rel=1e-5)
    own = inertia_curve(m, d, "a", count=5).locked
    np.testing.assert_allclose(own, own[0], rtol=1e-12)
    low, high = inertia_extremes(m, d, [0, 1])[0]["locked"]
    assert curve.locked.min() <= low < high <= curve.locked.max() * (1 + 1e-12) and high > .98 * curve.locked.max() and low < 1.1 * curve.locked.min()
    assert d.qpos.tolist() == [0, .3]


def test_dampratio_is_the_official_ones():
    text = TWO.replace('gear="3"', 'gear="3" dampratio=".7"').replace('name="c"', 'name="c" dampratio="1.3"')
    official, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    d = physics.Data(m)
    d.qpos[:] = 1, 2     # it is of qpos0, wherever the model is
    for name, ratio in (("a", .7), ("c", 1.3)):
        i, kp = m.id("actuator", name), float(m.actuator_gainprm[m.id("actuator", name), 0])
        mass = dampratio_mass(m, d, name)
        assert kv_of(ratio, kp, mass) == pytest.approx(-official.actuator_biasprm[i, 2], rel=1e-9)
        assert servo_law(m, d, name).dampratio == pytest.approx(ratio, rel=1e-9) == dampratio_of(kv_of(ratio, kp, mass), kp, mass)


@pytest.mark.parametrize("text", [HINGE, SLIDE])
def test_it_comes_to_rest_where_the_law_says(text):
    m = simple('<position name="a" joint="j" kp="80" kv="20" gear="-2"/>', 'damping=".5" stiffness="3" springref=".2"', text=text)
    d = physics.Data(m)
    trace = respond(m, d, "a", Constant(.3), 4000)
    d.qpos[0] = trace.length[-1] / -2
    law = servo_law(m, d, "a")
    assert abs(trace.velocity[-1]) < 1e-9 and abs(law.steady_error) > .01
    assert law.hold_ctrl == pytest.approx(.3, abs=1e-7) and .3 - trace.length[-1] == pytest.approx(law.steady_error, abs=1e-7)
    assert law.hold == pytest.approx(trace.force[-1], abs=1e-6) and law.limit == np.inf and not law.saturates


def test_it_holds_on_an_arm():
    m, d = arm7()
    for i in range(m.nactuator):
        d.ctrl[i] = servo_law(m, d, i).hold_ctrl
    physics.forward(m, d)
    assert np.abs(d.qacc).max() < 1e-9 < np.abs(d.actuator_force).max()


@pytest.mark.parametrize("motor", ["true", "false"])
def test_gravity_compensation_takes_the_error_away(motor):
    m = simple('<position name="a" joint="j" kp="80"/>', f'actuatorgravcomp="{motor}"', text=HINGE.replace("<body>", '<body gravcomp="1">'))
    assert abs(servo_law(m, physics.Data(m), "a").steady_error) < 1e-12


def test_a_range_that_is_too_small_is_seen():
    m = simple('<position name="a" joint="j" kp="80" forcerange="-1 .5"/>')
    law = servo_law(m, physics.Data(m), "a")
    assert law.saturates and law.limit in (1, .5)


def test_kinds_of_servos():
    def kind(actuator):
        m = simple(actuator)
        return servo_law(m, physics.Data(m), "a")

    assert kind('<position name="a" joint="j" kp="5"/>').kind == "position"
    assert kind('<intvelocity name="a" joint="j" kp="5"/>').notes
    speed = kind('<velocity name="a" joint="j" kv="5"/>')
    assert (speed.kind, speed.kp, speed.kv) == ("velocity", 0, 5) and speed.bandwidth == pytest.approx(5 / speed.loop.inertia / (2 * np.pi))
    motor = kind('<motor name="a" joint="j"/>')
    assert motor.kind == "open loop" and motor.bandwidth == 0 and motor.margins.gain == np.inf
    with pytest.raises(ValueError, match="'a'.*no linear servo"):
        kind('<muscle name="a" joint="j" lengthrange="-1 1"/>')


def test_other_gains_are_as_if_compiled():
    m = simple('<position name="a" joint="j" kp="80" kv="3"/>')
    other = simple('<position name="a" joint="j" kp="200" kv="7"/>')
    d, e = physics.Data(m), physics.Data(other)
    changed, fresh = with_gains(m, servo_law(m, d, "a"), 200., 7., dampratio_mass(m, d, "a")), servo_law(other, e, "a")
    for name in ("kind", "kp", "kv", "dampratio", "hold", "steady_error", "hold_ctrl", "frequency", "damping_ratio", "margins"):
        assert getattr(changed, name) == getattr(fresh, name)


def test_an_actuator_that_is_switched_off_has_no_law():
    m = simple('<position name="a" joint="j" kp="80" group="2"/>')
    m.opt_disableactuator = 4
    with pytest.raises(ValueError, match="switched off"):
        servo_law(m, physics.Data(m), "a")
