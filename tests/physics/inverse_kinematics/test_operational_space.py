"""Operational space control: torques of the text book, and an arm that comes to where it is wanted under them."""
import numpy as np
import pytest

import physics
from physics.inverse_kinematics.frames import FrameTask
from physics.inverse_kinematics.operational_space import OperationalSpace, SpaceGains

ARM = """<mujoco><option timestep="0.001" integrator="implicitfast"><flag contact="disable"/></option><compiler angle="radian"/><worldbody>
  <body pos="0 0 .3"><joint name="j0" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0 0 .1" size=".04"/>
   <body pos="0 0 .1"><joint name="j1" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".04"/>
    <body pos="0 0 .3"><joint name="j2" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .25" size=".03"/>
     <body pos="0 0 .25"><joint name="j3" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 0 0 .05" size=".03"/>
      <body pos="0 0 .05"><joint name="j4" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .08" size=".03"/>
       <body pos="0 0 .08"><joint name="j5" axis="0 0 1"/><joint name="j6" axis="1 0 0"/><geom type="box" size=".03 .05 .02"/><site name="tip" pos="0 0 .05"/></body></body></body></body></body></body>
  <body pos="2 0 1"><freejoint/><geom size=".1"/></body></worldbody>
  <actuator>""" + "".join(f'<motor name="m{k}" joint="j{k}"/>' for k in range(7)) + "</actuator></mujoco>"
READY = np.array([0.2, 0.5, 1.0, 0.3, 0.6, 0.1, 0.2])


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def arm():
    return physics.load_string(ARM)


def _run(m, d, osc, pos, quat, seconds):
    for _ in range(round(seconds / m.opt_timestep)):
        d.ctrl[:] = osc.torques(d.qpos, d.qvel, pos, quat)
        physics.step(m, d)


def _ready(m):
    d = physics.Data(m)
    d.qpos[:7] = READY
    physics.forward(m, d)
    return d


def test_the_torques_accelerate_the_site_as_the_spring_and_damper_say(arm):
    d = _ready(arm)
    d.qvel[:7] = (0.1, -0.2, 0.3, 0.1, 0.2, -0.1, 0.3)
    osc = OperationalSpace(arm, FrameTask("tip", turn_weight=0.0), gains=SpaceGains(rest_stiffness=0.0, rest_damping=0.0))
    physics.forward(arm, d)
    site = arm.id("site", "tip")
    lin, _ang = physics.jac_site(arm, d, "tip")
    d.ctrl[:] = osc.torques(d.qpos, d.qvel, d.site_xpos[site] + [0.01, 0.02, -0.01], None)
    physics.forward(arm, d)
    # J qdd is what was asked for (the controller leaves dJ/dt qd to its damper)
    asked = 400.0 * np.array([0.01, 0.02, -0.01]) - 40.0 * lin @ d.qvel
    assert lin @ d.qacc == pytest.approx(asked, rel=0.02, abs=0.05)


def test_the_posture_is_not_felt_by_the_site(arm):
    d = _ready(arm)
    task = FrameTask("tip", turn_weight=0.0)
    with_posture, without = OperationalSpace(arm, task), OperationalSpace(arm, task, gains=SpaceGains(rest_stiffness=0.0, rest_damping=0.0))
    pos = d.site_xpos[arm.id("site", "tip")].copy()
    difference = with_posture.torques(d.qpos, d.qvel, pos) - without.torques(d.qpos, d.qvel, pos)
    lin, _ang = physics.jac_site(arm, d, "tip")
    acceleration = physics.solve_m(arm, d, np.concatenate([difference, np.zeros(arm.nv - 7)]))
    assert np.abs(difference).max() > 0.1 and np.abs(lin @ acceleration).max() < 0.02 * np.abs(acceleration).max()


def test_the_arm_comes_to_a_pose_and_stays_against_gravity(arm):
    d = _ready(arm)
    osc = OperationalSpace(arm, FrameTask("tip"))
    osc.rest[:] = READY
    site = arm.id("site", "tip")
    wanted = d.site_xpos[site] + [-0.06, 0.05, -0.05]
    quat = np.array(physics.mul_quat(np.array([np.cos(0.2), 0, 0, np.sin(0.2)]), np.array(physics.mat2_quat(d.site_xmat[site]))))
    _run(arm, d, osc, wanted, quat, 2.5)
    assert d.site_xpos[site] == pytest.approx(wanted, abs=2e-3)
    assert abs(np.array(physics.mat2_quat(d.site_xmat[site])) @ quat) == pytest.approx(1, abs=1e-4)
    assert np.abs(d.qvel[:7]).max() < 0.05


def test_a_stretched_arm_is_no_reason_for_great_torques(arm):
    d = physics.Data(arm)      # all joints at 0: straight up
    osc = OperationalSpace(arm, FrameTask("tip"))
    physics.forward(arm, d)
    far = d.site_xpos[arm.id("site", "tip")] + [0, 0, 1.0]
    largest = 0.0
    for _ in range(800):
        d.ctrl[:] = osc.torques(d.qpos, d.qvel, far, None)
        largest = max(largest, np.abs(d.ctrl).max())
        physics.step(arm, d)
    assert np.isfinite(d.qpos).all() and largest < 2000 and np.abs(d.qvel[:7]).max() < 5
