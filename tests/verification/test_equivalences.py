"""Two ways to say the same thing move alike: what must hold between models, whatever another engine says."""
import numpy as np
import pytest

import physics
from physics.enums import ENBL_INVDISCRETE, INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST, INT_RK4
from tests.physics.engine import models

UNTOUCHED = models.MIXED.replace("<worldbody>", '<option><flag contact="disable"/></option><worldbody>', 1)
TENDONS = models.STRUNG.replace("<worldbody>", '<option><flag constraint="disable"/></option><worldbody>', 1)


def start(text: str, **options):
    m = physics.load_string(text)
    for name, value in options.items():
        setattr(m, "opt_" + name, value)
    return m, physics.Data(m)


# ---------------------------------------------------------------- armature


ARMS = """<mujoco><option timestep=".001" tolerance="0"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body><joint name="geared" axis="0 1 0"/><geom size=".05" pos=".4 0 0" mass=".8"/></body>
<body pos="0 1 0"><joint name="rotor" axis="0 1 0"/><inertial pos="0 0 0" mass="1" diaginertia=".1 .05 .1"/></body>
<body pos="0 2 0"><joint name="plain" axis="0 1 0" armature="{armature}"/><geom size=".05" pos=".4 0 0" mass=".8"/></body></worldbody>
<equality><joint joint1="rotor" joint2="geared" polycoef="0 4 0 0 0" solref=".004 1" solimp=".9999 .9999 .001"/></equality>
<actuator><motor joint="rotor"/><motor joint="plain" gear="4"/></actuator></mujoco>"""


def drift(armature: float, driven: bool):
    """Root mean square of how far the geared arm and the one with the armature come apart in two seconds, and where both arms end."""
    m, d = start(ARMS.format(armature=armature))
    off = []
    for _ in range(200):
        d.ctrl[:] = 1.2 * driven * np.sin(2 * d.time)
        assert physics.step(m, d, 10) == 10
        off.append(d.qpos[0] - d.qpos[2])
    return np.sqrt(np.mean(np.square(off))), d.qpos


@pytest.mark.parametrize("driven", [True, False])
def test_armature_is_a_rotor_behind_a_gear(driven):
    apart, ends = drift(0.05 * 4**2, driven)
    assert apart < 1e-3 and abs(ends[2]) > 0.1 and ends[1] == pytest.approx(4 * ends[0], abs=1e-2)
    assert drift(0.7, driven)[0] > 1e-2   # and no other armature is


# ---------------------------------------------------------------- quaternions of any length


QUATS = """<mujoco><option density="2"><flag energy="enable" warmstart="disable"/></option><worldbody><geom type="plane" size="3 3 .1"/>
<body name="loose" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .2 .15" pos=".02 .01 .03"/><site name="s"/></body>
<body pos="2 0 1"><joint name="ball" type="ball" stiffness="3 1" damping=".2" range="0 20"/><geom type="capsule" size=".05 .2" pos=".1 .2 0"/></body>
<body name="hand" mocap="true" pos="0 0 2"><geom size=".1"/><site name="h" pos=".3 0 0"/></body></worldbody>
<tendon><spatial stiffness="4"><site site="s"/><site site="h"/></spatial></tendon>
<actuator><orientation joint="ball" kp="2" kv=".1"/><motor joint="ball" gear="1 2 0"/></actuator>
<sensor><ballquat joint="ball"/><framequat objtype="body" objname="loose"/><framequat objtype="body" objname="hand"/><e_potential/></sensor></mujoco>"""


@pytest.mark.parametrize("integrator", [INT_EULER, INT_RK4, INT_IMPLICIT, INT_IMPLICITFAST])
def test_quaternions_are_used_as_if_they_were_of_length_one_and_kept_as_they_are(integrator):
    m, plain = start(QUATS, integrator=integrator)
    plain.qpos[3:7], plain.qpos[7:11], plain.mocap_quat[0] = (0.5, 0.5, -0.5, 0.5), (0.8, 0.0, 0.6, 0.0), (0.0, 0.6, 0.0, 0.8)
    plain.qpos[2] = 0.05
    plain.qvel[:] = 0.3 * np.arange(m.nv)
    plain.ctrl[:] = 0.4
    scaled = plain.copy()
    scaled.qpos[3:7] *= 6.0
    scaled.qpos[7:11] *= 0.02
    scaled.mocap_quat[0] *= 3.0
    kept = scaled.qpos.copy(), scaled.mocap_quat.copy()
    for d in (plain, scaled):
        physics.forward(m, d)
    assert (scaled.qpos == kept[0]).all() and (scaled.mocap_quat == kept[1]).all() and plain.nl == 1 and plain.ncon > 0
    for name in ("xquat", "qfrc_passive", "qfrc_actuator", "qfrc_constraint", "qacc", "energy", "sensordata", "actuator_length"):
        assert np.allclose(getattr(scaled, name), getattr(plain, name), rtol=1e-12, atol=1e-12), name
    for d in (plain, scaled):
        assert physics.step(m, d, 5) == 5
    assert np.allclose(physics.normalize_quat(m, scaled.qpos), plain.qpos, atol=1e-12) and np.allclose(scaled.qvel, plain.qvel, atol=1e-11)


# ---------------------------------------------------------------- equalities between bodies and between sites


TIED = """<mujoco><option timestep=".002" tolerance="0"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body name="a" pos="0 0 1" euler="20 0 10"><freejoint/><geom type="box" size=".1 .2 .05"/><site name="a1" pos=".1 .2 0"/><site name="a2" pos="-.1 0 .05" euler="0 30 0"/></body>
<body name="b" pos=".4 .1 .9" euler="0 50 0"><freejoint/><geom type="capsule" size=".05 .2"/><site name="b1"/><site name="b2"/></body>
<body name="c" pos="-.3 0 1.2"><joint type="ball"/><geom size=".1" pos=".1 0 0"/><site name="c2"/></body></worldbody>
<equality><connect body1="a" body2="b" anchor=".1 .2 0"/><weld body1="a" body2="c" anchor="{anchor}" torquescale=".6"/>
<connect site1="a1" site2="b1" active="false"/><weld site1="a2" site2="c2" torquescale=".6" active="false"/></equality></mujoco>"""


def test_equalities_between_sites_are_those_between_bodies():
    """The sites lie where the bodies' anchors are at the start, and turn with them."""
    m, d = start(TIED.format(anchor="0 0 0"))
    physics.forward(m, d)
    for site, other in (("a1", "b1"), ("a2", "c2")):   # the second site of each pair goes to the first one's pose
        i, j = m.id("site", site), m.id("site", other)
        body = int(m.site_bodyid[j])
        turn = d.xmat[body].reshape(3, 3)
        m.site_pos[j] = turn.T @ (d.site_xpos[i] - d.xpos[body])
        m.site_quat[j] = quaternion(turn.T @ d.site_xmat[i].reshape(3, 3))
        m.site_sameframe[j] = 0
    text = TIED.format(anchor=" ".join(map(repr, m.site_pos[m.id("site", "c2")].tolist())))
    bodies = start(text)
    m.eq_active0[:] = 0, 0, 1, 1
    sites = m, physics.Data(m)
    for m, d in (bodies, sites):
        d.qvel[:] = 0.2 * np.cos(np.arange(m.nv))
        assert physics.step(m, d, 100) == 100
    assert bodies[1].ne == sites[1].ne == 9 and np.abs(bodies[1].qpos - bodies[0].qpos0).max() > 0.05
    assert np.allclose(bodies[1].qpos, sites[1].qpos, atol=1e-9) and np.allclose(bodies[1].qvel, sites[1].qvel, atol=1e-8)


def quaternion(matrix) -> np.ndarray:
    """Of a rotation by less than half a turn."""
    w = np.sqrt(1 + np.trace(matrix)) / 2
    return np.array([w, *(np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]) / (4 * w))])


# ---------------------------------------------------------------- servos


HAND = """<mujoco><option integrator="implicit" viscosity="5"/><default><position kp="60" dampratio="1"/><geom contype="0" conaffinity="0"/></default><worldbody>
<site name="home" pos=".1 .1 .2" euler="10 20 30"/><body gravcomp="1" pos=".2 0 .3"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/>
<geom size=".05"/><body gravcomp="1" pos="0 0 .1"><joint type="slide" axis="0 0 1"/><joint axis="1 0 0"/><geom size=".04"/>
<body gravcomp="1"><joint axis="0 1 0"/><joint axis="0 0 1"/><geom type="box" size=".05 .08 .03" pos=".02 0 0"/><site name="palm" pos=".1 0 .05"/></body></body></body></worldbody>
<actuator>{}</actuator></mujoco>""".format("".join(
    f'<position site="palm" refsite="home" gear="{" ".join("1" if i == k else "0" for i in range(6))}" {"" if k < 3 else "kp=" + chr(34) + "2" + chr(34)}/>' for k in range(6)))


def test_servos_between_sites_bring_the_site_to_the_pose():
    m, d = start(HAND)
    place, turn = np.array([0.05, -0.1, 0.2]), np.array([0.3, -0.2, 0.4])
    d.ctrl[:] = *place, *turn
    assert physics.step(m, d, 10000) == 10000
    physics.forward(m, d)
    home, palm = (d.site_xmat[m.id("site", s)].reshape(3, 3) for s in ("home", "palm"))
    assert home.T @ (d.site("palm").xpos - d.site("home").xpos) == pytest.approx(place, abs=1e-7)
    q = quaternion(home.T @ palm)
    assert 2 * np.arccos(q[0]) * q[1:] / np.linalg.norm(q[1:]) == pytest.approx(turn, abs=1e-7)


ROBOT = """<mujoco><option integrator="RK4" timestep=".0005" gravity="0 0 0"/><default><geom contype="0" conaffinity="0"/></default><worldbody><body name="base" pos="0 0 1">
<freejoint/><geom type="box" size=".2 .1 .05"/><site name="chest" pos=".2 0 0" euler="0 0 30"/><body pos=".2 .1 0"><joint axis="0 1 0" damping=".05"/><joint axis="1 0 0"/>
<geom type="capsule" size=".03" fromto="0 0 0 .3 0 0"/><body pos=".3 0 0"><joint axis="0 1 0" damping=".05"/><geom type="capsule" size=".02" fromto="0 0 0 .3 0 -.1"/>
<site name="finger" pos=".3 0 -.1"/></body></body></body></worldbody>
<actuator><position site="finger" refsite="chest" gear="1 0 0 0 0 0" kp="40" kv="1"/><position site="finger" refsite="chest" gear="0 .5 1 .1 0 0" kp="30" kv="1"/></actuator>
<sensor><subtreelinvel body="base"/><subtreeangmom body="base"/></sensor></mujoco>"""


def test_servos_between_sites_of_one_robot_push_nothing_but_itself():
    m, d = start(ROBOT)
    d.ctrl[:] = 0.3, -0.2
    for _ in range(10):
        assert physics.step(m, d, 100) == 100
        assert np.abs(d.sensordata).max() < 1e-9
    assert np.abs(d.qvel).max() > 0.05


FINGERS = """<mujoco><option integrator="implicitfast" gravity="0 0 0"/><default><joint axis="0 1 0" armature=".01"/>
<geom type="capsule" size=".02" contype="0" conaffinity="0"/></default><worldbody>{}</worldbody><tendon><fixed name="t0"><joint joint="a0" coef="1"/>
<joint joint="b0" coef=".6"/></fixed><fixed name="t1"><joint joint="a1" coef="3"/><joint joint="b1" coef="1.8"/></fixed></tendon>
<actuator><position tendon="t0" kp="90" dampratio="{ratio}"/><position tendon="t1" kp="10" dampratio="{ratio}"/></actuator></mujoco>"""
FINGER = '<body pos="0 {0} 0"><joint name="a{0}"/><geom fromto="0 0 0 .2 0 0"/><body pos=".2 0 0">' \
         '<joint name="b{0}" stiffness=".3" damping=".05"/><geom fromto="0 0 0 .15 0 0"/></body></body>'


def test_a_damping_ratio_does_not_depend_on_how_the_tendon_is_scaled():
    text = FINGERS.replace("{}", FINGER.format(0) + FINGER.format(1))
    m, d = start(text.format(ratio=1))
    d.ctrl[:] = 0.5, 1.5
    assert physics.step(m, d, 300) == 300
    assert d.qpos[:2] == pytest.approx(d.qpos[2:], abs=1e-12) and d.qvel[:2] == pytest.approx(d.qvel[2:], abs=1e-12) and abs(d.qpos[0]) > 0.1
    other, e = start(text.format(ratio=0.3))
    e.ctrl[:] = 0.5, 1.5
    physics.step(other, e, 300)
    assert e.qpos[:2] == pytest.approx(e.qpos[2:], abs=1e-12) and np.abs(d.qpos - e.qpos).max() > 1e-3


# ---------------------------------------------------------------- motors


TWO = """<mujoco><option timestep=".001" integrator="implicitfast" gravity="0 0 0"/><default><geom contype="0" conaffinity="0"/></default><worldbody>
<body><joint name="a" type="slide"/><geom size=".1" mass="2"/></body><body><joint name="b" type="slide"/><geom size=".1" mass="2"/></body></worldbody>
<actuator>{}</actuator></mujoco>"""


def test_a_motor_with_a_set_point_is_a_pid_servo():
    """Without limits its controller makes up for resistance and back-EMF."""
    m, d = start(TWO.format('<pid joint="a" kp="12" kv="3" ki="2"/><dcmotor joint="b" motorconst=".07" resistance="3" input="pos vel" controller="12 2 3"/>'))
    for _ in range(1000):
        d.ctrl[:2] = d.ctrl[2:4] = np.sin(4 * d.time), 0.3 * np.cos(3 * d.time)
        assert physics.step(m, d) == 1
    assert d.qpos[0] == pytest.approx(d.qpos[1], abs=1e-12) and d.qvel[0] == pytest.approx(d.qvel[1], abs=1e-12) and abs(d.qpos[0]) > 0.1


def test_a_motor_without_inputs_is_one_with_shorted_ends():
    motor = 'motorconst=".2" resistance="2" damping=".02" lugre="100 1 .5 .7 10"'
    m, d = start(TWO.format(f'<dcmotor joint="a" {motor} input="none"/><dcmotor joint="b" {motor}/>'))
    assert m.nu == 1
    d.qvel[:] = 2.0
    physics.forward(m, d)
    electrical = -0.2**2 / 2 * 2
    bristles = 100 * d.act[0] + d.act_dot[0]
    assert d.actuator_force[0] == pytest.approx(electrical - bristles, rel=1e-12) and d.actuator_force[0] == d.actuator_force[1]
    assert physics.step(m, d, 200) == 200
    assert d.qpos[0] == d.qpos[1] and 0 < d.qvel[0] < 2 and d.act[0] > 0


def test_a_turning_motors_bristles_settle_on_stribecks_curve():
    m, d = start(TWO.format('<dcmotor joint="a" motorconst=".05" resistance="2" lugre="100 1 .5 .7 10"/>').replace('mass="2"', 'mass="1e9"'))
    for v in (0.5, 8.0, 30.0):
        d.reset()
        d.qvel[0] = v
        assert physics.step(m, d, 4000) == 4000
        curve = 0.5 + 0.2 * np.exp(-(v / 10)**2)
        assert d.act[0] == pytest.approx(curve / 100, rel=1e-6)
        assert d.actuator_force[0] == pytest.approx(-0.05**2 / 2 * v - curve, rel=1e-6)


def test_the_order_of_actuators_does_not_matter():
    """An orientation servo has three outputs, so those behind it lie elsewhere."""
    dc = '<dcmotor name="dc" joint="h" motorconst=".05" resistance="2" lugre="100 .5 .5 .8 .5"/>'
    servo = '<orientation name="so3" joint="b" kp="1"/>'
    world = '<mujoco><worldbody><body><joint name="h"/><geom size=".5"/></body><body pos="3 0 0"><joint name="b" type="ball"/><geom size=".5"/></body></worldbody>'
    ends = []
    for both in (dc + servo, servo + dc):
        m, d = start(f"{world}<actuator>{both}</actuator></mujoco>")
        d.qvel[:] = 1.0, 0.2, -0.3, 0.4
        physics.step(m, d, 20)
        ends.append((float(d.act[0]), *d.qpos, *d.qvel))
    assert ends[0] == ends[1] and ends[0][0] != 0


# ---------------------------------------------------------------- what a flag must not do, and what the world is


@pytest.mark.parametrize("integrator", [INT_EULER, INT_IMPLICIT, INT_IMPLICITFAST])
def test_asking_for_the_discrete_inverse_does_not_change_the_motion(integrator):
    ends = []
    for flag in (0, ENBL_INVDISCRETE):
        m, d = start(models.DRIVEN, integrator=integrator, enableflags=flag)
        d.qvel[:] = np.cos(np.arange(m.nv))
        d.ctrl[:] = 0.3
        physics.step(m, d, 50)
        ends.append((d.qpos.tobytes(), d.qvel.tobytes()))
    assert ends[0] == ends[1]


def test_the_world_stays_where_it_is():
    m, d = start(UNTOUCHED)
    d.qvel[:] = 1.0
    physics.forward(m, d)
    whole = {"subtree_com", "subtree_linvel", "subtree_angmom", "cfrc_int"}   # of all that moves
    for name in set(d.fields()) - whole - {"cacc", "body_acc"}:   # those begin with the acceleration that stands for gravity
        value = np.asarray(getattr(d, name))
        if value.ndim == 2 and len(value) == m.nbody and value.dtype == float:
            still = {4: (1, 0, 0, 0), 9: (1, 0, 0, 0, 1, 0, 0, 0, 1)}.get(value.shape[1], (0,) * value.shape[1])
            assert tuple(value[0]) == still, name


@pytest.mark.parametrize("which", [0, 3], ids=["plain", "with pulleys"])
def test_what_a_heavy_tendon_adds_to_the_bias_is_the_rate_of_its_jacobian(which):
    """J' a dJ/dt v, dJ/dt v being the second derivative of the length along the present motion."""
    m, d = start(TENDONS)
    m.tendon_armature[:] = 0
    d.qpos[:] = physics.integrate_pos(m, d.qpos, 0.3 * np.sin(np.arange(m.nv)))
    d.qvel[:] = np.cos(np.arange(m.nv))
    physics.forward(m, d)
    light, jac, length = d.qfrc_bias.copy(), np.zeros(m.nv), []
    at = slice(int(m.ten_J_rowadr[which]), int(m.ten_J_rowadr[which] + m.ten_J_rownnz[which]))
    jac[m.ten_J_colind[at]] = d.ten_J[at]
    m.tendon_armature[which] = 2.0
    physics.forward(m, d)
    heavy = d.qfrc_bias - light
    e, h = d.copy(), 1e-4
    for s in (-h, 0, h):
        e.qpos[:] = physics.integrate_pos(m, d.qpos, d.qvel, s)
        physics.forward(m, e)
        length.append(e.ten_length[which])
    expected = 2.0 * jac * (length[0] - 2 * length[1] + length[2]) / h**2
    assert np.allclose(heavy, expected, atol=1e-5 * np.abs(expected).max()) and np.abs(expected).max() > 0.1
