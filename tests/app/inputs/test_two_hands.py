"""Both hands take hold of the scene: the frame goes with them, the targets stay, and nothing jumps at the beginning or the end."""
from math import cos, pi, sin

import numpy as np
import pytest

import physics
from app.inputs.mapping.clutch import LARGEST
from app.inputs.mapping.drive_mapping import DriveMapping, Gripper, Limits
from app.inputs.two_hands import other_hand
from tests.app.inputs.devices import Desk

MODEL = """<mujoco><worldbody><body name="left" mocap="true" pos="0 .2 1"><geom size=".02" contype="0" conaffinity="0"/></body><body name="right" mocap="true" pos="0 -.2 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  <body><joint name="j"/><geom size=".1" contype="0" conaffinity="0"/></body></worldbody><actuator><position name="grip" joint="j" ctrlrange="0 1"/></actuator></mujoco>"""
H = 0.01
CLOSED, BOTH, GRIP = frozenset(["squeeze"]), frozenset(["squeeze", "b"]), frozenset(["squeeze", "b", "a"])


@pytest.fixture
def desk():
    limits = Limits(speed=100.0, turn=100.0)
    hands = [DriveMapping(side, f"xr:{side}", "mocap", mocap=side, frame="world", clutch="squeeze", grab="b", limits=limits, gripper=Gripper("a", {"grip": (0.0, 1.0)}) if side == "right" else None) for side in ("left", "right")]
    return Desk(physics.load_string(MODEL), *hands)


def _go(desk, left, right, buttons=CLOSED, right_buttons=None):
    for side, pos, held in (("left", left, buttons), ("right", right, right_buttons or buttons)):
        desk.sample(f"xr:{side}", kind="pose", pos=tuple(map(float, pos)), quat=(1.0, 0, 0, 0), buttons=held)
    desk.turn(1, H)
    return desk.data.mocap_pos.copy()


def _settled(desk, left, right, buttons=CLOSED):
    """After the filter."""
    for _ in range(60):
        found = _go(desk, left, right, buttons)
    return found


def _turned(angle, apart, middle=(0.0, 0.0, 0.0)):
    way = 0.5 * apart * np.array([-sin(angle), cos(angle), 0.0])
    return np.array(middle) + way, np.array(middle) - way


def test_the_scene_is_turned_scaled_and_moved_and_the_targets_stay(desk):
    left, right = _turned(0.0, 0.4)
    before = _settled(desk, left, right)
    for k in range(101):        # a quarter turn to the left, hands from 40 to 80 cm apart, half a metre forward
        share = k / 100
        hands = _turned(share * pi / 2, 0.4 * 2 ** share, (0.5 * share, 0, 0))
        found = _go(desk, *hands, BOTH)
        assert found == pytest.approx(before, abs=1e-4 if k < 3 else 1e-3)
    frame = desk.hub.scene_frame("xr:left")
    assert frame == desk.hub.scene_frame("xr:right")
    assert frame.scale == pytest.approx(0.5, rel=1e-3) and frame.yaw == pytest.approx(-pi / 2, abs=1e-3)
    assert frame.of((0.5, 0, 0)) == pytest.approx((0, 0, 0), abs=1e-3)
    before = _settled(desk, *hands, BOTH)
    assert _go(desk, *hands) == pytest.approx(before, abs=1e-6)       # let go: no jump
    held = _settled(desk, *hands)
    assert held == pytest.approx(before, abs=1e-6)
    moved = [hand + [0.0, 0.05, 0.0] for hand in hands]     # 5 cm to the left of the hands are 2.5 cm ahead in the scene
    assert _settled(desk, *moved) - held == pytest.approx(np.array([[0.025, 0, 0]] * 2), abs=1e-3)


def test_one_hand_alone_follows_and_grips_as_ever(desk):
    left, right = _turned(0.0, 0.4)
    before = _settled(desk, left, right)
    for _ in range(60):
        found = _go(desk, left, right + [0.03, 0, 0], CLOSED, GRIP)
    assert found[1] - before[1] == pytest.approx([0.03, 0, 0], abs=1e-3) and desk.hub.scene_frame("xr:left").scale == 1.0
    assert desk.data.ctrl[0] == 1.0


def test_who_lets_go_first_follows_and_the_other_not_before_it_lets_go_too(desk):
    left, right = _turned(0.0, 0.4)
    before = _settled(desk, left, right)
    _settled(desk, left, right, BOTH)
    _settled(desk, left, right, GRIP)
    assert desk.data.ctrl[0] == 0.0        # a hand at the scene closes no gripper
    for k in range(100):
        found = _go(desk, left + [0.0005 * k, 0, 0], right + [0.0005 * k, 0, 0], CLOSED, BOTH)
    assert found[0][0] - before[0][0] == pytest.approx(0.05, abs=0.02) and found[1] == pytest.approx(before[1], abs=1e-4)
    for k in range(60):
        found = _go(desk, left + [0.05, 0, 0], right + [0.05 + 0.0005 * k, 0, 0])
    assert found[1][0] - before[1][0] == pytest.approx(0.03, abs=0.02)


def test_a_lost_track_and_a_clutch_that_opens_end_it(desk):
    left, right = _turned(0.0, 0.4)
    _settled(desk, left, right, BOTH)
    _go(desk, left + [2.0, 0, 0], right + [2.0, 0, 0], BOTH)
    _go(desk, left + [2.0, 0.02, 0], right + [2.0, 0.02, 0], BOTH)
    assert np.array(desk.hub.scene_frame("xr:left").pos) == pytest.approx([0, -0.02, 0], abs=1e-9)     # the leap is no motion
    before = desk.data.mocap_pos.copy()
    _go(desk, left, right, frozenset(["b"]))
    assert desk.data.mocap_pos == pytest.approx(before) and desk.hub._hands[0]._begun is None
    desk.hub.level()
    desk.turn()
    assert desk.hub.scene_frame("xr:left") == (1.0, 0.0, (0.0, 0.0, 0.0))


def test_the_scale_of_one_hand_by_buttons_has_ends():
    desk = Desk(physics.load_string(MODEL), DriveMapping("left", "xr:left", "mocap", mocap="left", frame="world", clutch="squeeze", zoom=("dpup", "-dpdown"), limits=Limits(speed=100.0)))
    for _ in range(300):
        desk.sample("xr:left", kind="pose", pos=(0.1, 0, 0), quat=(1.0, 0, 0, 0), buttons=CLOSED | {"dpup"})
        desk.turn(1, H)
    assert desk.state("left").scale == LARGEST and desk.data.mocap_pos[0] == pytest.approx([0, 0.2, 1])
    for _ in range(50):
        desk.sample("xr:left", kind="pose", pos=(0.1, 0, 0), quat=(1.0, 0, 0, 0), buttons=CLOSED | {"dpdown"})
        desk.turn(1, H)
    assert 1.0 < desk.state("left").scale < 0.8 * LARGEST


def test_hands_find_each_other():
    assert (other_hand("xr:left"), other_hand("net:my right"), other_hand("pad:0")) == ("xr:right", "net:my left", "")
