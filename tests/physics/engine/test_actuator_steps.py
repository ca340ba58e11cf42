"""Steps of motors and of servos on circles, as officially: what their states become, and what the implicit methods make of their slopes."""
import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.oracle_model import rel
from tests.physics.engine.random_actuators import STATE

MOTORS = (
    "", 'inductance=".003"', 'thermal="2 0 1 .7"', 'thermal="2 0 1 .7" inductance=".003"', 'inductance=".003" saturation="0 0 5"',
    'input="pos" controller="1 0 .5"', 'input="pos" controller="10 0 .5 0 0 .01"', 'input="pos vel" inductance=".003" thermal="2 0 1 .7" controller="1 2 .5 3 .2 100"',
    'lugre="3 .5 1 2 .1"', 'lugre="20 .5 .5 .8 1" inductance=".003"', 'lugre="3 .5 1 2 .1" saturation=".2 0 0" cogging=".3 2 .4"',
)
LIMITS = ({}, {"joint": 'actuatorfrcrange="-.1 .1"'}, {"tendon": 'actuatorfrcrange="-.1 .1"'})
HINGE = """<mujoco><option integrator="{integrator}"/><worldbody><body><joint name="b" {joint}/><geom size=".1" pos=".1 0 0"/></body></worldbody>
<tendon><fixed name="t" {tendon}><joint joint="b" coef="1"/></fixed></tendon>
<actuator><dcmotor {on} motorconst="1.5 1.5" resistance="2" {motor}/></actuator></mujoco>"""


def differences(text, seeds=3, scale=1.0):
    """Largest difference of state and forces over a few steps from random states."""
    mj, m = mujoco.MjModel.from_xml_string(text), physics.load_string(text)
    worst = 0.0
    for seed in range(seeds):
        mjd, d = mujoco.MjData(mj), physics.Data(m)
        rng = np.random.default_rng(seed)
        mjd.qpos[:] = mj.qpos0 + rng.normal(size=mj.nq)
        mjd.qvel[:] = 2 * rng.normal(size=mj.nv)
        mjd.act[:] = scale * rng.normal(size=mj.na)
        for _ in range(3):
            mjd.ctrl[:] = scale * 3 * rng.normal(size=mj.nu)
            for name in STATE:
                getattr(d, name)[...] = getattr(mjd, name)
            d.time = mjd.time
            mujoco.mj_step(mj, mjd)
            assert physics.step(m, d) == 1
            worst = max(worst, *(rel(getattr(d, n), getattr(mjd, n)) for n in ("qvel", "act", "actuator_force", "act_dot")))
    return worst


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit", "RK4"])
@pytest.mark.parametrize("motor", MOTORS)
def test_motors_step_as_officially(motor, integrator):
    for limits in LIMITS:
        on = 'tendon="t"' if "tendon" in limits else 'joint="b"'
        text = HINGE.format(integrator=integrator, motor=motor, on=on, joint=limits.get("joint", ""), tendon=limits.get("tendon", ""))
        assert differences(text) < 1e-10, limits


BALL = """<mujoco><option gravity="0 0 0"/><worldbody><site name="r" euler="10 20 30"/><body><joint name="b" type="ball"/><geom type="box" size=".1 .2 .3"/><site name="s"/></body>
</worldbody><actuator>{}</actuator></mujoco>"""
SERVOS = tuple(f'<general {{}} {dyn} gainprm="5" biastype="affine" biasprm="0 -5 -.1"/>' for dyn in
               ("", 'dyntype="integrator"', 'dyntype="filter" dynprm=".3"', 'dyntype="filterexact" dynprm=".3" actearly="true"', 'dyntype="user"'))


@pytest.mark.parametrize("on", ['joint="b" gear="1 -2 .5"', 'jointinparent="b" gear="0 1 0"', 'site="s" refsite="r" gear="0 0 0 1 .5 0"',
                                'site="s" refsite="r" gear="1 0 0 1 .5 0"'])
@pytest.mark.parametrize("servo", [*SERVOS, '<pid {} kp="5" kv=".1" ki="2" slewmax="9"/>', '<motor {}/>'])
def test_servos_turn_the_short_way_round_as_officially(servo, on):
    assert differences(BALL.format(servo.format(on)), seeds=6, scale=4.0) < 1e-10


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit", "RK4"])
@pytest.mark.parametrize("servo", ['<orientation {} kp="5" kv=".1"/>', '<orientation {} kp="5" kv=".1" input="quat"/>'])
def test_orientation_servos_step_as_officially(servo, integrator):
    for on in ('joint="b"', 'site="s" refsite="r"'):
        text = BALL.format(servo.format(on)).replace("<option", f'<option integrator="{integrator}"')
        assert differences(text, seeds=6, scale=2.0) < 1e-10
