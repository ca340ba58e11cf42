"""Each kind of drive moves what it is for, through the hub and the commands of the simulation."""
import numpy as np
import pytest

import physics
from app.inputs.drives.mocap import welded
from app.inputs.drives.table import DriveMissing, make
from app.inputs.drives.weld_edit import weld_edit
from app.inputs.mapping.dead_man import HOLD, LOSE, Lamp
from app.inputs.mapping.drive_mapping import DriveMapping, Gripper, Limits
from app.inputs.mapping.rotation import yaw
from editor.edits.patch import apply
from editor.edits.version import Version
from editor.structure.draft import Refusal
from physics.runtime.commands import PerturbMove, PerturbStart, PerturbStop, Reset, Visit
from physics.runtime.perform import perform
from tests.app.inputs.devices import Desk

MODEL = """
<mujoco>
  <compiler angle="radian"/>
  <option timestep="0.002" gravity="0 0 0"/>
  <worldbody>
    <body name="target" mocap="true" pos="0.3 0 0.5"><geom type="box" size=".02 .02 .02" contype="0" conaffinity="0"/></body>
    <body name="arm" pos="0 0 .5"><joint name="j1" axis="0 0 1" range="-2 2" damping="1"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
      <body name="hand" pos=".3 0 0"><joint name="j2" type="slide" axis="1 0 0" range="-.2 .2" damping="5"/><geom size=".04"/>
        <site name="grip" pos=".05 0 0"/></body></body>
    <body name="ball" pos="1 1 1"><freejoint/><geom size=".05"/></body>
    <body name="cart" pos="0 2 .1"><joint name="x" type="slide" axis="1 0 0"/><joint name="y" type="slide" axis="0 1 0"/><joint name="heading" axis="0 0 1"/><geom type="box" size=".1 .1 .05"/></body>
  </worldbody>
  <actuator>
    <position name="p1" joint="j1" kp="50" kv="5" ctrlrange="-1.5 1.5"/>
    <position name="p2" joint="j2" kp="200" kv="20" gear="2"/>
    <motor name="force" joint="x" ctrlrange="-3 3" ctrllimited="true"/>
    <velocity name="vx" joint="x" kv="50"/><velocity name="vy" joint="y" kv="50"/><velocity name="turn" joint="heading" kv="20"/>
  </actuator>
</mujoco>
"""
KEYS = Limits(speed=0.5, turn=2.0)


@pytest.fixture(scope="module")
def model():
    return physics.load_string(MODEL)


def _mocap(**more) -> DriveMapping:
    return DriveMapping("t", "script:a", "mocap", mocap="target", frame="world", limits=KEYS, **more)


# ---------------------------------------------------------------- mocap

def test_axes_move_a_mocap_body_at_the_speed_of_the_mapping(model):
    desk = Desk(model, _mocap())
    desk.hold("script:a", 0.2, axes={"x": 0.5, "z": -0.25, "rz": 1.0})
    pos, quat = desk.data.mocap_pos[0].copy(), desk.data.mocap_quat[0]
    assert pos == pytest.approx([0.3 + 0.25 * 0.2, 0, 0.5 - 0.125 * 0.2], abs=0.003)
    assert quat == pytest.approx(yaw(2.0 * 0.2), abs=0.01)
    desk.hold("script:a", 0.1, axes={})
    assert desk.data.mocap_pos[0] == pytest.approx(pos, abs=0.001) and desk.turn(5) == []
    before = desk.data.mocap_pos[0].copy()
    desk.hold("script:a", 0.2, axes={"x": 1.0, "y": 1.0})       # no faster along a diagonal
    assert desk.data.mocap_pos[0] - before == pytest.approx([0.1 / 2 ** 0.5, 0.1 / 2 ** 0.5, 0], abs=0.003)


def test_a_pose_is_followed_from_where_the_target_was_without_a_jump(model):
    desk = Desk(model, _mocap(clutch="squeeze"))
    desk.hold("script:a", 0.05, pos=(7.0, 8.0, 9.0), quat=yaw(1.0))
    assert desk.data.mocap_pos[0] == pytest.approx([0.3, 0, 0.5])      # the clutch is open
    for k in range(100):
        desk.sample("script:a", pos=(7.0, 8.0 + 0.001 * k, 9.0), quat=yaw(1.0), buttons=frozenset(["squeeze"]))
        desk.turn(h=0.01)
    assert desk.data.mocap_pos[0] == pytest.approx([0.3, 0.099, 0.5], abs=1e-6)
    desk.hold("script:a", 0.05, pos=(0, 0, 0), quat=yaw(0.0))          # let go, and elsewhere
    desk.hold("script:a", 0.05, pos=(0, 0, 0), quat=yaw(0.0), buttons=frozenset(["squeeze"]))
    assert desk.data.mocap_pos[0] == pytest.approx([0.3, 0.099, 0.5], abs=1e-6)


def test_a_lost_track_is_a_new_reference_and_no_motion(model):
    desk = Desk(model, _mocap(clutch="always"))
    desk.hold("script:a", 0.02, pos=(0, 0, 0), quat=yaw(0))
    desk.hold("script:a", 0.3, pos=(0.5, 0, 0), quat=yaw(2.0))
    assert desk.data.mocap_pos[0] == pytest.approx([0.3, 0, 0.5]) and desk.data.mocap_quat[0] == pytest.approx([1, 0, 0, 0])


def test_a_device_that_goes_away_holds_and_is_taken_again_by_the_clutch(model):
    desk = Desk(model, _mocap(clutch="squeeze"))
    held = frozenset(["squeeze"])
    desk.hold("script:a", 0.05, pos=(0, 0, 0), quat=yaw(0), buttons=held)
    assert desk.state("t").lamp is Lamp.ARMED and desk.state("t").following
    desk.turn(round((HOLD + 0.02) / 0.002))
    assert desk.state("t").lamp is Lamp.HOLDING and not desk.state("t").following
    desk.turn(round((LOSE + 0.02) / 0.002))
    assert desk.state("t").lamp is Lamp.LOST
    before = desk.data.mocap_pos[0].copy()
    desk.hold("script:a", 0.05, pos=(1, 0, 0), quat=yaw(1), buttons=held)     # still pressed: no
    assert desk.state("t").lamp is Lamp.LOST
    desk.hold("script:a", 0.02, pos=(1, 0, 0), quat=yaw(1))
    desk.hold("script:a", 0.05, pos=(1, 0, 0), quat=yaw(1), buttons=held)
    assert desk.state("t").lamp is Lamp.ARMED and desk.data.mocap_pos[0] == pytest.approx(before)
    desk.sample("script:a", pos=(1, 0, 0), quat=yaw(1), buttons=held, tracked=False)
    desk.turn()
    assert desk.state("t").lamp is Lamp.HOLDING


def test_escape_disarms_and_only_the_arm_button_arms(model):
    desk = Desk(model, _mocap())
    desk.hold("script:a", 0.05, axes={"x": 1.0})
    desk.hub.disarm()
    before = desk.data.mocap_pos[0].copy()
    desk.hold("script:a", 0.05, axes={"x": 1.0})
    assert desk.state("t").lamp is Lamp.DISARMED and desk.data.mocap_pos[0] == pytest.approx(before, abs=0.0011)
    desk.hub.arm("t")
    desk.hold("script:a", 0.1, axes={"x": 1.0})
    assert desk.data.mocap_pos[0][0] > before[0] + 0.03


def test_a_reset_begins_where_the_model_is_then(model):
    desk = Desk(model, _mocap())
    desk.hold("script:a", 0.2, axes={"x": 1.0})
    perform(desk.runner.sim, Reset())
    desk.runner.publish()
    desk.hold("script:a", 0.01, axes={"x": 1.0})
    assert desk.data.mocap_pos[0] == pytest.approx([0.3 + 0.005, 0, 0.5], abs=0.004)


def test_a_toggled_clutch_and_a_gripper(model):
    desk = Desk(model, _mocap(clutch="toggle:a", gripper=Gripper("trigger", {"p2": (0.0, 0.3)})))
    desk.hold("script:a", 0.05, axes={"x": 1.0, "trigger": 0.5})
    assert desk.data.mocap_pos[0][0] == 0.3 and desk.data.ctrl[1] == 0
    desk.sample("script:a", axes={"trigger": 0.5}, buttons=frozenset(["a"]))
    desk.turn()
    desk.hold("script:a", 0.02, axes={"x": 1.0, "trigger": 0.5})
    assert desk.data.ctrl[1] == 0 and desk.state("t").waiting == ("trigger is at 50 %: bring it to 0 % to take over",)     # it was open, and is not closed by a leap
    desk.hold("script:a", 0.01, axes={"x": 1.0, "trigger": 0.0})
    desk.hold("script:a", 0.05, axes={"x": 1.0, "trigger": 0.5})
    assert desk.state("t").waiting == ()
    assert desk.data.mocap_pos[0][0] > 0.31 and desk.data.ctrl[1] == pytest.approx(0.15)
    desk.hold("script:a", 0.01, axes={"x": 1.0, "trigger": 7.0})
    assert desk.data.ctrl[1] == pytest.approx(0.3)


def test_a_button_of_a_gripper_changes_what_is_there(model):
    desk = Desk(model, _mocap(gripper=Gripper("a", {"p2": (0.0, 0.3)}, toggle=True)))
    desk.data.ctrl[1] = 0.3
    desk.runner.publish()
    desk.hold("script:a", 0.05, axes={"x": 1.0})
    assert desk.data.ctrl[1] == 0.3     # nobody has pressed it
    for wanted in (0.0, 0.3, 0.0):
        desk.hold("script:a", 0.01, axes={"x": 1.0}, buttons=frozenset(["a"]))
        desk.hold("script:a", 0.01, axes={"x": 1.0})
        assert desk.data.ctrl[1] == wanted


def test_while_paused_it_holds(model):
    desk = Desk(model, _mocap(), running=False)
    desk.hold("script:a", 0.1, axes={"x": 1.0})
    assert desk.data.mocap_pos[0][0] == 0.3 and desk.state("t").lamp is Lamp.HOLDING


# ---------------------------------------------------------------- a weld

def test_the_weld_is_offered_as_an_edit_and_leads_the_hand(model):
    text = MODEL.replace('<body name="target" mocap="true" pos="0.3 0 0.5"><geom type="box" size=".02 .02 .02" contype="0" conaffinity="0"/></body>', "")
    version = Version.of({"/m/a.xml": text}, "/m/a.xml", "/m")
    hand = next(e.id for e in version.root.walk() if e.attrs.get("name") == "hand")
    change = weld_edit(version, hand)
    new = apply(version.texts, change.edit)["/m/a.xml"]
    m = physics.load_string(new)
    assert m.nmocap == 1 and m.neq == 1 and m.id("body", "hand_target") > 0
    desk = Desk(m, DriveMapping("t", "script:a", "mocap", mocap="hand_target", frame="world", limits=Limits(speed=0.1, lead=(0.05, 0.3))))
    site = m.id("site", "grip")
    before = desk.runner.snapshot.site_xpos[site].copy()
    desk.hold("script:a", 1.0, axes={"x": 1.0})
    desk.hold("script:a", 0.5, axes={})
    assert desk.runner.snapshot.site_xpos[site] - before == pytest.approx([0.1, 0, 0], abs=0.02)
    # blocked at the end of its range the target stays within the lead
    desk.hold("script:a", 4.0, axes={"x": 1.0})
    assert np.linalg.norm(desk.data.mocap_pos[0] - desk.data.xpos[m.id("body", "hand")]) < 0.06


def test_a_weld_to_a_mocap_body_that_there_is(model):
    version = Version.of({"/m/a.xml": MODEL}, "/m/a.xml", "/m")
    by = {e.attrs.get("name"): e.id for e in version.root.walk() if e.tag == "body"}
    m = physics.load_string(apply(version.texts, weld_edit(version, by["hand"], "target").edit)["/m/a.xml"])
    found = welded(m, m.id("body", "target"))
    assert found[1] == m.id("body", "hand") and found[2].pos == pytest.approx((0, 0, 0)) and found[2].quat == pytest.approx((1, 0, 0, 0))
    for body, mocap in ((by["target"], ""), (by["hand"], "nothing")):
        with pytest.raises(Refusal):
            weld_edit(version, body, mocap)


# ---------------------------------------------------------------- pull

def test_a_spring_pulls_a_site_while_an_axis_is_pushed_and_lets_go_after(model):
    desk = Desk(model, DriveMapping("p", "script:a", "pull", site="grip", frame="world", limits=KEYS))
    assert desk.turn(3) == []
    desk.hold("script:a", 0.5, axes={"y": 1.0})
    seen = desk.runner.seen
    assert isinstance(seen[0], PerturbStart) and seen[0].bodyid == model.id("body", "hand") and any(isinstance(one, PerturbMove) for one in seen)
    assert desk.data.qpos[model.jnt_qposadr[model.id("joint", "j1")]] > 0.03
    desk.sample("script:a")
    assert [type(one) for one in desk.turn() if not isinstance(one, Visit)] == [PerturbStop] and desk.data.perturb_active == 0


def test_a_body_is_pulled_and_turned(model):
    desk = Desk(model, DriveMapping("p", "script:a", "pull", body="ball", frame="world", limits=KEYS, options={"rotate": 1.0}))
    desk.hold("script:a", 1.0, axes={"z": 1.0, "rz": 1.0})
    free = model.jnt_qposadr[[j for j in range(model.njnt) if model.jnt_type[j] == 0][0]]
    assert desk.data.qpos[free + 2] > 1.2
    assert 2 * np.arctan2(desk.data.qpos[free + 6], desk.data.qpos[free + 3]) > 0.5


# ---------------------------------------------------------------- controls, joints, base

def test_sticks_and_scripts_set_controls_within_their_ranges(model):
    desk = Desk(model, DriveMapping("c", "script:a", "controls", controls={"leftx": ("p1", 0.0, 1.0), "y": ("force", 0.0, 9.0)}))
    desk.hold("script:a", 0.01, axes={"leftx": -0.5, "y": 1.0})
    assert desk.data.ctrl[[0, 2]] == pytest.approx([-0.5, 3.0])
    desk.hold("script:a", 0.01)
    assert desk.data.ctrl[[0, 2]] == pytest.approx([0.0, 0.0])      # sticks at rest mean 0
    desk.hold("script:a", 0.01, kind="controls", joints={"p2": 0.1, "nothing": 3.0})
    assert desk.data.ctrl[1] == 0.1


def test_a_fader_takes_over_when_it_comes_past_the_control(model):
    desk = Desk(model, DriveMapping("c", "midi:x", "controls", controls={"cc1": ("p1", -1.0, 1.0)}))
    desk.data.ctrl[0] = 0.5
    desk.runner.publish()
    for position, control in ((0.1, 0.5), (0.5, 0.5), (0.8, 0.6), (0.2, -0.6)):
        desk.sample("midi:x", axes={"cc1": position})
        desk.turn(2)
        assert desk.data.ctrl[0] == pytest.approx(control)
    desk.turn(1000)     # silence is nothing for a fader
    assert desk.state("c").lamp is Lamp.ARMED and desk.data.ctrl[0] == pytest.approx(-0.6)


def test_a_leader_arm_is_followed_with_offset_sign_and_gear_and_without_a_leap(model):
    desk = Desk(model, DriveMapping("l", "script:a", "joints", leader={"a": ("j1", 0.1, -1.0), "b": ("j2", 0.0, 1.0)}, limits=Limits(speed=0.1, turn=1.0)))
    desk.hold("script:a", 0.1, kind="joints", joints={"a": -1.0, "b": 0.05, "c": 9.0})
    assert desk.data.ctrl[0] == pytest.approx(0.1, abs=0.005)       # at 1 rad/s
    desk.hold("script:a", 1.5, kind="joints", joints={"a": -1.0, "b": 0.05})
    assert desk.data.ctrl[0] == pytest.approx(1.1) and desk.data.ctrl[1] == pytest.approx(2 * 0.05)
    desk.hold("script:a", 1.5, kind="joints", joints={"a": -9.0})
    assert desk.data.ctrl[0] == 1.5        # ctrlrange
    drive = desk.hub._channels[0].drive
    calibrated = drive.calibrated(desk.hub.inbox.take()[0]["script:a"][0], desk.runner.snapshot)
    assert calibrated["a"][0] == "j1" and calibrated["a"][1] == pytest.approx(desk.data.qpos[7 if model.jnt_type[0] == 0 else 0] - 9.0, abs=1e-6)


def test_a_planar_base_goes_where_it_looks_and_stands_when_the_device_is_gone(model):
    desk = Desk(model, DriveMapping("b", "script:a", "base", actuators=("vx", "vy", "turn"), body="cart", limits=Limits(speed=0.5, turn=1.0)))
    desk.data.qpos[-1] = np.pi / 2
    desk.hold("script:a", 0.3, axes={"x": 1.0})
    assert desk.data.ctrl[3:6] == pytest.approx([0, 0.5, 0], abs=0.02)
    desk.turn(round((HOLD + 0.01) / 0.002))
    assert desk.data.ctrl[3:6] == pytest.approx([0, 0, 0])


def test_two_wheels_turn_against_each_other(model):
    desk = Desk(model, DriveMapping("b", "script:a", "base", actuators=("vx", "vy"), options={"track": 0.4, "radius": 0.1}, limits=Limits(speed=0.5, turn=1.0)))
    desk.hold("script:a", 0.01, axes={"rz": 1.0})
    assert desk.data.ctrl[3:5] == pytest.approx([-2.0, 2.0])
    desk.hold("script:a", 0.01, axes={"x": 1.0})
    assert desk.data.ctrl[3:5] == pytest.approx([5.0, 5.0])


def test_several_drives_at_once(model):
    desk = Desk(model, _mocap(), DriveMapping("c", "script:b", "controls", controls={"x": ("p1", 0.0, 1.0)}), DriveMapping("p", "script:c", "pull", body="ball", frame="world"))
    for _ in range(50):
        desk.sample("script:a", axes={"x": 1.0})
        desk.sample("script:b", axes={"x": 1.0})
        desk.sample("script:c", axes={"z": 1.0})
        desk.turn()
    assert desk.data.mocap_pos[0][0] > 0.34 and desk.data.ctrl[0] == 1.0 and desk.data.perturb_bodyid == model.id("body", "ball")


# ---------------------------------------------------------------- what does not fit

@pytest.mark.parametrize("mapping, field, value", [
    (DriveMapping("d", "script:a", "mocap", mocap="targt"), "mocap", "targt"), (DriveMapping("d", "script:a", "mocap", mocap="hand"), "mocap", "hand"),
    (DriveMapping("d", "script:a", "pull", site="nothing"), "site", "nothing"), (DriveMapping("d", "script:a", "pull", body="world"), "body", "world"),
    (DriveMapping("d", "script:a", "controls", controls={"x": ("none", 0, 1)}), "controls.x", "none"),
    (DriveMapping("d", "script:a", "joints", leader={"a": ("x", 0.0, 1.0)}), "leader.a", "x"),
    (DriveMapping("d", "script:a", "base", actuators=("vx",)), "actuators", ("vx",)),
    (DriveMapping("d", "script:a", "mocap", mocap="target", frame="base:nobody"), "frame", "base:nobody"),
    (DriveMapping("d", "script:a", "mocap", mocap="target", gripper=Gripper("a", {"no": (0.0, 1.0)})), "gripper.actuators", "no"),
])
def test_what_does_not_fit_is_told_with_field_and_value(model, mapping, field, value):
    desk = Desk(model, mapping)
    desk.hold("script:a", 0.01, axes={"x": 1.0})
    problem = desk.state("d").problems[0]
    assert (problem.field, problem.value) == (field, value) and desk.state("d").lamp is Lamp.DISARMED and desk.runner.seen == []


def test_kinds_that_are_not_there_say_so():
    with pytest.raises(DriveMissing, match="no drive of kind 'x'; kinds are mocap"):
        make(DriveMapping("d", "keyboard", "x"))
