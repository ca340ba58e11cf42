"""A trot, and the bundled quadruped walking by it."""
from math import cos, sin

import numpy as np
import pytest

import physics
from app.inputs.drives.trot import Gait, Trot
from app.inputs.mapping.drive_mapping import DriveMapping, Limits
from assets.locate import bundled_model
from tests.app.inputs.devices import Desk

PLACES = ((0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15))
FEET = ("front_left_foot", "front_right_foot", "rear_left_foot", "rear_right_foot")
H = 0.004


def _walk(trot, wanted, seconds, trunk=None):
    """Feet (n, 4, 3) of each moment."""
    found = []
    for _ in range(round(seconds / H)):
        found.append(trot.advance(wanted, wanted if trunk is None else trunk, H))
    return np.array(found)


@pytest.mark.parametrize("twist", [(0.3, 0.0, 0.0), (-0.1, 0.2, 0.0), (0.0, 0.0, 0.8), (0.2, 0.0, -0.5)])
def test_feet_that_stand_stand_on_the_ground_and_diagonals_go_together(twist):
    trot = Trot(Gait(ki=0.0), PLACES)
    _walk(trot, twist, 1.0)
    pose, world, down = np.zeros(3), [], []
    for _ in range(200):
        # the trunk goes by the very twist; where are its feet in the world?
        feet = np.array(trot.advance(twist, twist, H))
        vx, vy, w = twist
        pose += H * np.array([vx * cos(pose[2]) - vy * sin(pose[2]), vx * sin(pose[2]) + vy * cos(pose[2]), w])
        at = feet[:, :2] + PLACES
        c, s = cos(pose[2]), sin(pose[2])
        world.append(np.stack([pose[0] + c * at[:, 0] - s * at[:, 1], pose[1] + s * at[:, 0] + c * at[:, 1]], axis=1))
        down.append(feet[:, 2] == 0.0)
    world, down = np.array(world), np.array(down)
    stays = down[1:] & down[:-1]
    slip = np.linalg.norm(np.diff(world, axis=0), axis=2) / H
    assert slip[stays].max() < 0.01 and slip[~stays].max() > 0.1
    assert (down[:, 0] == down[:, 3]).all() and (down[:, 1] == down[:, 2]).all()
    assert down.any(axis=1).all() and down.mean() == pytest.approx(0.55, abs=0.05)      # somebody always stands


def test_a_foot_goes_farther_where_the_trunk_is_too_fast():
    calm, pushed = (_walk(Trot(Gait(ki=0.0), PLACES), (0.2, 0.0, 0.0), 2.0, trunk)[-90:] for trunk in ((0.2, 0.0, 0.0), (0.2, 0.4, 0.0)))
    assert np.abs(calm[:, :, 1]).max() < 1e-9 and pushed[:, :, 1].max() == pytest.approx(0.06 * 0.4, rel=0.05)


def test_what_the_trunk_lacks_is_made_up_for_within_bounds():
    trot = Trot(Gait(reach=1.0), PLACES)
    early = _walk(trot, (0.2, 0.0, 0.0), 1.0, (0.1, 0.0, 0.0))      # it goes half as fast as it is told
    late = _walk(trot, (0.2, 0.0, 0.0), 1.0, (0.1, 0.0, 0.0))
    blocked = _walk(trot, (0.2, 0.0, 0.0), 60.0, (0.0, 0.0, 0.0))[-90:]
    strides = [np.ptp(feet[-90:, 0, 0]) for feet in (early, late, blocked)]
    assert strides[0] < strides[1] < strides[2] < 0.55 * 0.36 * (0.2 + 0.3) + 0.02


def test_it_comes_to_a_stand_with_all_feet_at_their_places():
    trot = Trot(Gait(), PLACES)
    assert not _walk(trot, (0.0, 0.0, 0.0), 0.2).any() and not trot.walking
    assert np.abs(_walk(trot, (0.4, 0.0, 1.0), 1.0)).max() > 0.03
    found = _walk(trot, (0.0, 0.0, 0.0), 2.5)
    assert not trot.walking and np.linalg.norm(found[-1], axis=1).max() < 0.012


def test_no_foot_goes_beyond_its_reach_and_none_leaps():
    trot = Trot(Gait(reach=0.1), PLACES)
    random = np.random.default_rng(0)
    before = np.zeros((4, 3))
    for _ in range(60):
        twist, trunk = random.uniform(-3, 3, 3), random.uniform(-3, 3, 3)
        for feet in _walk(trot, tuple(twist), 0.1, tuple(trunk)):
            assert np.linalg.norm(feet[:, :2], axis=1).max() <= 0.1 + 1e-12 and np.linalg.norm(feet - before, axis=1).max() < 0.06
            before = feet


def test_what_is_no_walker_is_told():
    with pytest.raises(ValueError):
        Trot(Gait(), (*PLACES[:3], (0.1, 0.1)))
    m = physics.load(bundled_model("quadruped.xml"))
    for mapping, field, value in ((DriveMapping("d", "pad:0", "legs", body="trunk", feet=FEET[:3]), "feet", FEET[:3]), (DriveMapping("d", "pad:0", "legs", body="front_left_hip", feet=FEET), "body", "front_left_hip"),
                                  (DriveMapping("d", "pad:0", "legs", body="trunk", feet=("paw",)), "feet", "paw"),
                                  (DriveMapping("d", "pad:0", "legs", body="trunk", feet=FEET, options={"duty": 1.5}), "options.duty", 1.5)):
        problem = Desk(m, mapping).hub.states[0].problems[0]
        assert (problem.field, problem.value) == (field, value)


def test_taking_over_moves_no_joint_and_letting_go_puts_all_feet_down():
    m = physics.load(bundled_model("quadruped.xml"))
    desk = Desk(m, DriveMapping("legs", "pad:0", "legs", body="trunk", feet=FEET, clutch="toggle:start", limits=Limits(speed=0.3, turn=0.6)))
    desk.sample("pad:0", buttons=frozenset(["start"]))
    desk.turn()
    desk.hold("pad:0", 0.3)
    assert desk.data.ctrl == pytest.approx(np.zeros(12), abs=1e-3)
    desk.hold("pad:0", 0.5, axes={"lefty": -1.0})
    assert np.abs(desk.data.ctrl).max() > 0.15
    desk.hub.disarm()
    desk.turn(2)
    assert desk.data.ctrl == pytest.approx(np.zeros(12), abs=1e-9)


def test_a_pad_that_falls_silent_has_it_walk_to_a_stand():
    m = physics.load(bundled_model("quadruped.xml"))
    desk = Desk(m, DriveMapping("legs", "pad:0", "legs", body="trunk", feet=FEET, clutch="toggle:start", limits=Limits(speed=0.3, turn=0.6)))
    desk.sample("pad:0", buttons=frozenset(["start"]))
    desk.turn()
    desk.hold("pad:0", 0.8, axes={"lefty": -1.0})
    drive = desk.hub._channels[0].drive
    assert drive._trot.walking
    desk.turn(1000)
    assert not drive._trot.walking and desk.data.ctrl == pytest.approx(np.zeros(12), abs=0.08) and desk.data.body("trunk").xmat[8] > 0.97


