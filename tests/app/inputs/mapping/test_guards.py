"""Guards: numbers, jumps, workspace, speeds, lead; and the dead man."""
import math

import pytest

from app.inputs.mapping.dead_man import HOLD, LOSE, DeadMan, Lamp
from app.inputs.mapping.drive_mapping import Limits
from app.inputs.mapping.guards import Guards
from app.inputs.mapping.rotation import angle_between, yaw
from app.inputs.sample import Pose

FAR = 1e9
LOOSE = dict(speed=FAR, turn=FAR, lead=(FAR, FAR))


@pytest.mark.parametrize("pose", [Pose((math.nan, 0, 0)), Pose((0, math.inf, 0)), Pose((0, 0, 0), (math.nan, 0, 0, 0)), Pose((0, 0, 0), (0, 0, 0, 0))])
def test_what_is_no_pose_is_refused_and_counted(pose):
    guards = Guards(Limits())
    assert guards.checked(pose) is None and guards.counts.refused == 1


def test_a_quaternion_is_normalised_and_counted_where_it_is_off():
    guards = Guards(Limits())
    assert guards.checked(Pose((0, 0, 0), (2.0, 0, 0, 0))).quat == (1.0, 0, 0, 0) and guards.counts.normalised == 1
    guards.checked(Pose((0, 0, 0), (1.0 + 1e-5, 0, 0, 0)))
    assert guards.counts.normalised == 1


@pytest.mark.parametrize("pose, jumps", [(Pose((0.059, 0, 0)), False), (Pose((0.061, 0, 0)), True), (Pose((0, 0, 0), yaw(math.radians(24))), False), (Pose((0, 0, 0), yaw(math.radians(26))), True)])
def test_jumps_are_six_centimetres_or_twenty_five_degrees(pose, jumps):
    guards = Guards(Limits())
    assert guards.jumps(Pose(), pose) == jumps == bool(guards.counts.jumps)


def test_the_workspace_is_a_box():
    guards = Guards(Limits(min=(0.0, -1.0, 0.1), max=(1.0, 1.0, 0.5), **LOOSE))
    assert guards.bounded(Pose((2.0, -3.0, 0.0)), Pose(), 0.002).pos == (1.0, -1.0, 0.1) and guards.counts.outside == 1
    inside = Pose((0.5, 0.0, 0.3))
    assert guards.bounded(inside, inside, 0.002) == inside and guards.counts.outside == 1


def test_speed_and_turn_are_limited_along_the_way():
    guards = Guards(Limits(speed=0.5, turn=1.0, lead=(FAR, FAR)))
    found = guards.bounded(Pose((3.0, 4.0, 0.0), yaw(2.0)), Pose(), 0.01)
    assert found.pos == pytest.approx((0.003, 0.004, 0.0)) and found.quat == pytest.approx(yaw(0.01))
    assert guards.counts.fast == 1


def test_a_blocked_body_is_not_left_behind_by_more_than_the_lead():
    guards = Guards(Limits(speed=FAR, turn=FAR, lead=(0.05, 0.3)))
    found = guards.bounded(Pose((1.0, 0, 0), yaw(2.0)), Pose(), 0.01, actual=Pose((0.2, 0, 0), yaw(0.5)))
    assert found.pos == pytest.approx((0.25, 0, 0)) and angle_between(found.quat, yaw(0.8)) < 1e-6
    assert guards.counts.ahead == 1


def test_silence_holds_then_loses_and_only_the_clutch_takes_again():
    man = DeadMan()
    assert man.update(0.0, 0.0, True, True) is Lamp.DISARMED
    man.arm(1.0)
    assert man.update(1.0, 1.0, True, False) is Lamp.ARMED
    assert man.update(1.0 + HOLD, 1.0, True, False) is Lamp.ARMED
    assert man.update(1.01 + HOLD, 1.0, True, False) is Lamp.HOLDING
    assert man.update(1.5, 1.5, True, False) is Lamp.ARMED              # it was there again in time
    held = 1.6 + HOLD
    assert man.update(held, 1.5, True, False) is Lamp.HOLDING
    assert man.update(held + LOSE + 0.01, 1.5, True, False) is Lamp.LOST
    assert man.update(held + LOSE + 0.02, held + LOSE + 0.02, True, False) is Lamp.LOST       # there, but not clutched
    assert man.update(held + LOSE + 0.03, held + LOSE + 0.03, True, True) is Lamp.ARMED
    man.disarm()
    assert man.update(9.0, 9.0, True, True) is Lamp.DISARMED        # Esc: only the arm button


def test_what_is_not_tracked_holds_at_once():
    man = DeadMan()
    man.arm(0.0)
    assert man.update(0.01, 0.01, False, False) is Lamp.HOLDING
