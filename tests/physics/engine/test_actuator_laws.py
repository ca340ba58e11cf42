"""What actuators must do whatever the engine: closed forms, equivalences, limits."""
import mujoco
import numpy as np
import pytest

import physics
from tests.physics.engine.oracle_model import rel
from tests.physics.engine.random_actuators import moments

HINGE = """<mujoco><option timestep="{h}" gravity="0 0 0" integrator="{integrator}"/><worldbody><body><joint name="j" damping="{damping}" armature="{armature}" {joint}/>
<geom type="box" size=".1 .1 .1" mass=".1"/></body></worldbody>
<tendon><fixed name="t" {tendon}><joint joint="j" coef="1"/></fixed></tendon>
<actuator>{actuators}</actuator></mujoco>"""


def hinge(actuators, h=0.002, integrator="Euler", damping=0, armature=0, joint="", tendon=""):
    m = physics.load_string(HINGE.format(actuators=actuators, h=h, integrator=integrator, damping=damping, armature=armature, joint=joint, tendon=tendon))
    return m, physics.Data(m)


def test_an_integrator_stops_at_its_range_and_comes_back():
    m, d = hinge('<intvelocity joint="j" actrange="-1 1"/>', h=0.01)
    d.ctrl[0] = 1
    physics.step(m, d, 99)
    assert d.act[0] == pytest.approx(0.99, abs=1e-12)
    physics.step(m, d, 50)
    assert d.act[0] == 1
    d.ctrl[0] = -1
    physics.step(m, d, 10)
    assert d.act[0] == pytest.approx(0.9, abs=1e-12)


def test_controls_are_clamped_in_use_but_not_in_ctrl():
    m, d = hinge('<motor joint="j" ctrlrange="-1 2"/><motor joint="j"/>')
    d.ctrl[:] = [-7, 7]
    physics.forward(m, d)
    assert list(d.actuator_force) == [-1, 7] and list(d.ctrl) == [-7, 7]
    m.opt_disableflags |= physics.enums.DSBL_CLAMPCTRL
    physics.forward(m, d)
    assert list(d.actuator_force) == [-7, 7]


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast", "implicit", "RK4"])
def test_a_damper_only_takes_speed(integrator):
    m, d = hinge('<damper joint="j" kv="3" ctrlrange="0 2"/>', integrator=integrator, armature=1)
    d.qvel[0], d.ctrl[0] = 2, 1.5
    speeds = [2.0]
    for _ in range(20):
        physics.step(m, d, 10)
        speeds.append(d.qvel[0])
    assert all(0 < b < a for a, b in zip(speeds, speeds[1:]))
    inertia = float(d.M[0])
    assert speeds[-1] == pytest.approx(2 * np.exp(-4.5 / inertia * 0.4), rel=0.01)


def test_forces_on_a_joint_and_on_a_tendon_are_limited_in_total():
    m, d = hinge('<motor joint="j" gear="2"/><motor joint="j"/>', joint='actuatorfrcrange="-.4 .3"')
    d.ctrl[:] = [1, 2]
    physics.forward(m, d)
    assert list(d.actuator_force) == [1, 2] and d.qfrc_actuator[0] == 0.3
    m, d = hinge('<motor tendon="t"/><motor tendon="t" forcerange="-1 1"/><motor joint="j"/>', tendon='actuatorfrcrange="-1 3"')
    d.ctrl[:] = [2, 4, 5]
    physics.forward(m, d)
    assert np.allclose(d.actuator_force, [1, 1, 5], atol=1e-15)   # 2 and 4 share 3 as 1 to 2, then the second has its own range
    d.ctrl[:] = [-2, -4, 0]
    physics.forward(m, d)
    assert np.allclose(d.actuator_force, [-1 / 3, -2 / 3, 0], atol=1e-15)


def test_an_exact_filter_does_not_depend_on_the_time_step():
    found = []
    for h in (0.05, 0.01, 0.002):
        m, d = hinge('<general joint="j" dyntype="filterexact" dynprm=".3"/>', h=h)
        d.ctrl[0] = 2
        physics.step(m, d, round(0.5 / h))
        found.append(d.act[0])
    assert np.allclose(found, 2 * (1 - np.exp(-0.5 / 0.3)), rtol=1e-13)
    m, d = hinge('<general joint="j" dyntype="filterexact" dynprm="0"/>')
    d.ctrl[0] = 3
    physics.step(m, d)
    assert d.act[0] == pytest.approx(3, abs=1e-15)


def test_acting_early_takes_the_delay_of_a_step_away():
    m, late = hinge('<general joint="j" dyntype="integrator" actearly="false"/>')
    other, early = hinge('<general joint="j" dyntype="integrator" actearly="true"/>')
    for k in range(20):
        late.ctrl[0] = early.ctrl[0] = np.sin(k)
        physics.step(m, late)
        physics.step(other, early)
        before = late.act[0] - 0.002 * late.ctrl[0]
        assert early.actuator_force[0] == pytest.approx(before + 0.002 * late.ctrl[0], abs=1e-16)
        assert late.actuator_force[0] == pytest.approx(before, abs=1e-16)


def test_disabled_groups_give_no_force_and_keep_their_activation():
    m, d = hinge('<motor joint="j" group="0"/><muscle joint="j" group="1" lengthrange="-1 1"/><intvelocity joint="j" group="2"/><dcmotor joint="j" motorconst="1" '
                 'resistance="1" group="3" lugre="2 1 1 2 1" cogging="1 1 1"/>')
    d.ctrl[:], d.act[:] = 0.5, 0.3
    physics.forward(m, d)
    free = d.actuator_force.copy()
    assert free.all()
    for group in range(4):
        m.opt_disableactuator = 1 << group
        physics.forward(m, d)
        assert list(d.actuator_force == 0) == [k == group for k in range(4)]
    m.opt_disableactuator = 0b1111
    physics.step(m, d)
    assert list(d.act[:2]) == [0.3, 0.3] and d.qvel[0] == 0


# ---------------------------------------------------------------- motors


def test_a_motor_without_load_turns_as_its_data_sheet_says():
    torque, resistance, friction, volts = 0.4, 1.7, 0.02, 12
    m, d = hinge(f'<dcmotor joint="j" motorconst="{torque}" resistance="{resistance}" damping="{friction}"/>', h=0.001, integrator="implicitfast")
    d.ctrl[0] = volts
    physics.step(m, d, 20000)
    assert d.qvel[0] == pytest.approx(torque * volts / (resistance * friction + torque**2), rel=1e-9)


def test_the_current_of_a_held_motor_rises_exactly():
    m, d = hinge('<dcmotor joint="j" motorconst=".4" resistance="2" inductance=".01"/>', h=0.002, armature=1e12)
    d.ctrl[0] = 6
    for n in range(1, 8):
        physics.step(m, d)
        rise = 1 - np.exp(-n * 0.002 / 0.005)
        assert d.act[0] == pytest.approx(3 * rise, rel=1e-12)
        assert d.actuator_force[0] == pytest.approx(0.4 * d.act[0], rel=1e-12)   # the force follows the coming current


def test_a_held_motor_warms_up_to_where_it_loses_what_it_gains():
    m, d = hinge('<dcmotor joint="j" motorconst=".4" resistance="2" thermal="3 .5 0 0 25 25"/>', h=0.01, armature=1e12)
    d.ctrl[0] = 6
    physics.step(m, d, 3000)
    assert d.act[0] == pytest.approx(3 * 2 * 3**2, rel=1e-6)


def test_bristles_hold_a_motor_until_the_static_friction_is_overcome():
    for volts, moves in ((1.6, False), (2.6, True)):   # torque K V / R against a static friction of 1
        m, d = hinge('<dcmotor joint="j" motorconst="1" resistance="2" lugre="500 5 .8 1 .1"/>', h=0.001, integrator="implicitfast", armature=0.1)
        d.ctrl[0] = volts
        physics.step(m, d, 3000)
        assert (abs(d.qvel[0]) > 0.05) == moves
        assert moves or abs(d.actuator_force[0]) < 1e-3


def test_a_motor_whose_parameters_ask_for_other_states_is_named():
    m, d = hinge('<motor joint="j"/><dcmotor name="spin" joint="j" motorconst=".4" resistance="2"/>')
    m.actuator_dynprm[1, 0] = 0.01
    for call in (physics.step, physics.forward):
        with pytest.raises(physics.ViewOnlyError, match="'spin' ask for 1 states, it has 0"):
            call(m, d)
    m.actuator_dynprm[1, 0] = 0
    assert physics.step(m, d) == 1


# ---------------------------------------------------------------- servos


def test_an_integral_takes_the_error_away():
    for ki, left in ((0, 0.05), (40, 0)):
        m, d = hinge(f'<pid joint="j" kp="20" kv="2" ki="{ki}" input="pos"/><motor joint="j"/>', armature=0.1)
        d.ctrl[:] = [0.5, -1]
        physics.step(m, d, 5000)
        assert 0.5 - d.qpos[0] == pytest.approx(left, abs=1e-6)


def test_an_integral_does_not_grow_beyond_its_limit_and_a_set_point_not_faster_than_its_speed():
    m, d = hinge('<pid joint="j" kp="1" ki="1" imax=".05" slewmax="2" input="pos"/>', h=0.01, armature=1e9)
    d.ctrl[0] = 1
    set_points = []
    for _ in range(60):
        physics.step(m, d)
        set_points.append(d.act[0])
    assert np.allclose(np.diff(set_points[:49]), 0.02, atol=1e-12) and set_points[-1] == pytest.approx(1)
    assert 0.05 <= d.act[1] < 0.05 + 0.01


BALL = """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="b" type="ball"/><geom type="box" size=".1 .2 .3" mass="1"/></body></worldbody>
<actuator>{}</actuator></mujoco>"""


@pytest.mark.parametrize("element", ['<orientation joint="b" kp="2" kv=".4"/>', '<orientation joint="b" kp="2" kv=".4" input="quat"/>'])
def test_an_orientation_servo_reaches_its_target(element):
    m = physics.load_string(BALL.format(element))
    d = physics.Data(m)
    turn = np.array([0.9, -1.4, 1.2])
    angle = np.linalg.norm(turn)
    quat = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * turn / angle)])
    d.ctrl[:] = quat if m.nu == 4 else turn
    physics.step(m, d, 5000)
    assert abs(d.qpos @ quat) / np.linalg.norm(d.qpos) == pytest.approx(1, abs=1e-9)


def test_an_orientation_servo_has_no_whole_turns():
    m = physics.load_string(BALL.format('<orientation joint="b" kp="2"/>'))
    d = physics.Data(m)
    axis = np.array([2, -1, 2]) / 3
    forces = []
    for angle in (0.7, 0.7 + 2 * np.pi, 0.7 - 2 * np.pi):
        d.ctrl[:] = angle * axis
        physics.forward(m, d)
        forces.append(d.actuator_force.copy())
    assert np.allclose(forces, 2 * 0.7 * axis, atol=1e-12)


def test_forces_of_damping_by_an_actuator_and_by_a_joint_are_one():
    found = []
    for integrator in ("implicit", "implicitfast"):
        for actuators, damping in (('<velocity joint="j" kv=".3"/>', 0), ("", 0.3)):
            m, d = hinge(actuators, damping=damping, integrator=integrator)
            d.qvel[0] = 3
            physics.step(m, d, 100)
            found.append(d.qvel[0])
    assert np.allclose(found, found[0], rtol=1e-13)


# ---------------------------------------------------------------- muscles


def curve(x, v, low=0.5, high=1.6, fvmax=1.2, fpmax=1.3):
    """Active force per activation and passive force of a muscle of peak 1."""
    def bump(t):
        return t**2 / 2 if t <= 1 else 1 - (2 - t)**2 / 2
    active = 0 if not low <= x <= high else bump(2 * (x - low) / (1 - low)) if x <= 1 else bump(2 * (high - x) / (high - 1))
    speed = 0 if v < -1 else (1 + v)**2 if v <= 0 else min(fvmax, fvmax - (fvmax - 1 - min(v, fvmax - 1))**2 / (fvmax - 1))
    t = max(0, 2 * (x - 1) / (high - 1))
    return active * speed, fpmax * (t**2 / 2 if t <= 1 else t - 0.5)


def test_a_muscle_held_at_a_length_wakes_to_its_isometric_force():
    """Length range 0..1 spans 0.75..1.05 optimal lengths, so the optimal length is 1 / 0.3."""
    m, d = hinge('<muscle joint="j" lengthrange="0 1" force="30"/>', armature=1e9)
    for place in (-0.5, 0.2, 0.8, 1.5, 2.5):
        d.reset()
        d.qpos[0], d.ctrl[0] = place, 0.6
        physics.step(m, d, 2000)
        active, passive = curve(0.75 + 0.3 * place, 0)
        assert d.act[0] == pytest.approx(0.6, abs=1e-6)
        assert d.actuator_force[0] == pytest.approx(-30 * (0.6 * active + passive), rel=1e-5)


def test_a_load_hangs_where_the_muscle_balances_it():
    m = physics.load_string("""<mujoco><worldbody><body><joint name="j" type="slide" axis="0 0 -1" damping="20"/><geom size=".1" mass="2"/></body></worldbody>
<actuator><muscle joint="j" lengthrange="0 1" force="60"/></actuator></mujoco>""")
    d = physics.Data(m)
    d.ctrl[0], d.qpos[0] = 0.4, 0.5
    physics.step(m, d, 20000)
    assert abs(d.qvel[0]) < 1e-9
    active, passive = curve(0.75 + 0.3 * d.qpos[0], 0)
    assert 60 * (0.4 * active + passive) == pytest.approx(2 * 9.81, rel=1e-6)


def test_muscle_curves():
    m, d = hinge('<muscle joint="j" lengthrange="0 1" force="1"/>')
    d.act[0] = 1
    for place in np.linspace(-1.5, 4, 23):
        for speed in (-8, -3, -0.5, 0, 0.3, 2, 6):
            d.qpos[0], d.qvel[0] = place, speed
            physics.forward(m, d)
            active, passive = curve(0.75 + 0.3 * place, speed * 0.3 / 1.5)
            assert d.actuator_force[0] == pytest.approx(-active - passive, abs=1e-12)


# ---------------------------------------------------------------- slider-cranks


CRANK = """<mujoco><worldbody><site name="slider" pos="0 0 1" euler="20 0 0"/><body pos="0 0 .3"><joint axis="0 1 0"/><joint type="slide" axis="1 0 0"/><geom size=".1"/>
<site name="crank" pos=".2 .1 .1"/></body></worldbody><actuator><motor cranksite="crank" slidersite="slider" cranklength="{}" gear="2"/></actuator></mujoco>"""


@pytest.mark.parametrize("length, reaches", [(1.6, True), (0.05, False)])
def test_a_crank_that_does_not_reach_follows_the_axis(length, reaches):
    mj, m = mujoco.MjModel.from_xml_string(CRANK.format(length)), physics.load_string(CRANK.format(length))
    mjd, d = mujoco.MjData(mj), physics.Data(m)
    for seed in range(8):
        rng = np.random.default_rng(seed)
        d.qpos[:] = mjd.qpos[:] = 0.4 * rng.normal(size=2)
        d.qvel[:] = mjd.qvel[:] = rng.normal(size=2)
        mujoco.mj_forward(mj, mjd)
        physics.forward(m, d)
        axis, arm = d.site_xmat[0].reshape(3, 3)[:, 2], d.site_xpos[1] - d.site_xpos[0]
        inside = (axis @ arm)**2 + length**2 - arm @ arm
        assert (inside > 0) == reaches
        assert d.actuator_length[0] == pytest.approx(2 * (axis @ arm - (np.sqrt(inside) if reaches else 0)), rel=1e-12)
        assert rel(d.actuator_length, mjd.actuator_length) < 1e-12
        assert rel(moments(m, d), moments(mj, mjd)) < 1e-12
        h, slope = 1e-6, []
        for k in range(2):
            ends = []
            for sign in (1, -1):
                other = d.copy()
                other.qpos[k] += sign * h
                physics.forward(m, other)
                ends.append(other.actuator_length[0])
            slope.append((ends[0] - ends[1]) / (2 * h))
        assert np.allclose(moments(m, d)[0], slope, atol=1e-7)
