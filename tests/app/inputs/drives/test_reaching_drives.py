"""Drives that lead a site: by joints, and by torques."""
import numpy as np
import pytest

import physics
from app.inputs.mapping.dead_man import HOLD, LOSE, Lamp
from app.inputs.mapping.drive_mapping import DriveMapping, Limits
from app.inputs.mapping.proposals import first, propose
from app.inputs.mapping.rotation import angle_between
from assets.locate import bundled_model
from tests.app.inputs.devices import Desk
from tests.physics.inverse_kinematics.test_operational_space import ARM as MOTORS
from tests.physics.inverse_kinematics.test_operational_space import READY

SLOW = Limits(speed=0.2, turn=1.0, lead=(0.1, 0.5))


@pytest.fixture(scope="module")
def arm():
    return physics.load(bundled_model("arm.xml"))


def _ready(desk, m, key="ready"):
    desk.data.qpos[:] = m.key_qpos[m.id("key", key)]
    desk.data.ctrl[:] = m.key_ctrl[m.id("key", key)]
    desk.turn(500)


def _site(desk, name):
    return desk.runner.snapshot.site_xpos[desk.runner.sim.model.id("site", name)].copy()


def test_taking_over_changes_no_control_and_axes_lead_the_hand(arm):
    desk = Desk(arm, DriveMapping("hand", "script:a", "ik", site="grip", frame="world", limits=SLOW))
    _ready(desk, arm)
    before, controls = _site(desk, "grip"), desk.data.ctrl.copy()
    desk.sample("script:a", axes={"x": 1e-9})
    desk.turn()
    assert desk.data.ctrl == pytest.approx(controls, abs=1e-6)
    desk.hold("script:a", 0.5, axes={"y": 1.0})
    desk.hold("script:a", 0.6)
    assert _site(desk, "grip") - before == pytest.approx([0, 0.1, 0], abs=0.01)
    assert angle_between(desk.hub.states[0].target.quat, desk.hub._channels[0].drive.actual(desk.runner.snapshot).quat) < 0.06
    assert desk.data.ctrl[6] == controls[6]     # the gripper is none of it


def test_no_limit_is_broken_whatever_is_asked(arm):
    desk = Desk(arm, DriveMapping("hand", "script:a", "ik", site="grip", frame="world", limits=Limits(speed=2.0, turn=6.0, lead=(0.5, 2.0))))
    _ready(desk, arm)
    random = np.random.default_rng(0)
    low, high = arm.jnt_range[:6].T
    for _ in range(12):
        axes = dict(zip(("x", "y", "z", "rx", "ry", "rz"), random.uniform(-1, 1, 6).tolist()))
        for _ in range(20):
            desk.sample("script:a", axes=axes)
            desk.turn(h=0.004)
            assert (desk.data.ctrl[:6] >= low).all() and (desk.data.ctrl[:6] <= high).all()


def test_a_blocked_arm_is_not_wound_up(arm):
    desk = Desk(arm, DriveMapping("hand", "script:a", "ik", site="grip", frame="world", limits=Limits(speed=0.3, lead=(0.05, 0.35))))
    _ready(desk, arm, "above")
    desk.hold("script:a", 2.0, axes={"z": -1.0})        # onto the table
    assert np.linalg.norm(np.array(desk.hub.states[0].target.pos) - _site(desk, "grip")) <= 0.051


def test_speeds_go_to_velocity_actuators_and_stop_with_the_device():
    m = physics.load_string("""<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody><body><joint name="a" axis="0 0 1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
        <body pos=".3 0 0"><joint name="b" axis="0 0 1" ref="0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".02" contype="0" conaffinity="0"/><site name="tip" pos=".3 0 0"/></body></body></worldbody>
        <actuator><velocity joint="a" kv="5"/><velocity joint="b" kv="5"/></actuator></mujoco>""")
    desk = Desk(m, DriveMapping("t", "script:a", "ik", site="tip", frame="world", limits=SLOW, options={"turn": 0.0}))
    desk.data.qpos[:] = (0.3, 1.0)
    desk.turn(2)
    before = _site(desk, "tip")
    desk.hold("script:a", 0.5, axes={"x": -1.0})
    assert np.abs(desk.data.ctrl).max() > 0.1
    assert (_site(desk, "tip") - before)[:2] == pytest.approx([-0.1, 0], abs=0.03)
    desk.turn(round((HOLD + 0.05) / 0.002))
    assert desk.data.ctrl.tolist() == [0.0, 0.0] and desk.hub.states[0].lamp is Lamp.HOLDING


def test_torques_lead_a_site_and_hold_it_when_the_device_is_gone():
    m = physics.load_string(MOTORS)
    desk = Desk(m, DriveMapping("t", "script:a", "osc", site="tip", frame="world", limits=SLOW))
    desk.data.qpos[:7] = READY
    desk.runner.publish()
    desk.turn()
    before = _site(desk, "tip")
    desk.hold("script:a", 0.5, axes={"y": 1.0})
    desk.hold("script:a", 1.0)
    reached = _site(desk, "tip")
    assert reached - before == pytest.approx([0, 0.1, 0], abs=0.02)
    desk.sample("script:a", tracked=False)
    desk.turn(round((HOLD + LOSE + 0.5) / 0.002))
    assert desk.hub.states[0].lamp is Lamp.LOST and _site(desk, "tip") == pytest.approx(reached, abs=0.01)
    desk.hub.disarm()
    desk.turn(2)
    assert not desk.data.ctrl.any()


def test_a_newcomers_arm_is_led_by_its_joints(arm):
    mapping = first(arm, "keyboard")
    assert mapping.drives[0].kind == "ik" and mapping.drives[0].site == "grip"
    desk = Desk(arm, *mapping.drives)
    assert desk.hub.states[0].problems == ()
    kinds = [one.kind for one in propose(arm, "pad:0").drives]
    assert kinds.index("ik") < kinds.index("pull")


@pytest.mark.parametrize("mapping, field, value", [
    (DriveMapping("d", "script:a", "ik", site="none"), "site", "none"), (DriveMapping("d", "script:a", "ik", site="grip", joints=("finger_left",)), "joints", "finger_left"),
    (DriveMapping("d", "script:a", "ik", site="grip", joints=("elbw",)), "joints", "elbw"), (DriveMapping("d", "script:a", "osc", site="grip"), "site", "grip"),
    (DriveMapping("d", "script:a", "osc", site="grip", joints=("elbow",)), "joints", "elbow")])
def test_what_cannot_lead_is_told(arm, mapping, field, value):
    problem = Desk(arm, mapping).hub.states[0].problems[0]
    assert (problem.field, problem.value) == (field, value)
