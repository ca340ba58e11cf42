"""What people see of contacts, ours beside the official engine in the same run; longer ones: `./test.sh --long contact_physics`."""
import numpy as np
import pytest

import physics
from tests.verification import contact_scenes as scenes

CONES = ("pyramidal", "elliptic")


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.mark.parametrize("cone, seconds", [("pyramidal", 60.0), ("elliptic", 15.0)])
def test_ten_stacked_boxes_stand_for_a_minute(cone, seconds):
    """Crooked by a millimetre and a degree, they creep as soft contacts do, 2 cm in a minute at most, and both engines alike."""
    found = []
    for side in scenes.sides(scenes.tower(10, cone)):
        side.run(seconds)
        end = scenes.tower_state(side)
        assert side.warned == 0
        assert end["out"] < 0.03 and end["tilt"] < 5e-3 and 0.003 < end["sunk"] < 0.006 and end["speed"] < 1e-3, (side.name, end)
        found.append(end)
    assert found[0]["out"] == pytest.approx(found[1]["out"], rel=0.2) and found[0]["sunk"] == pytest.approx(found[1]["sunk"], rel=0.05)


@pytest.mark.parametrize("condim", [3, 4, 6])
@pytest.mark.parametrize("cone", CONES)
def test_a_box_on_a_slope_sticks_below_the_friction_angle_and_slides_above(cone, condim):
    """Friction of 30 degrees. It creeps a little below, as contacts are soft; above it is as fast as (sin - mu cos) g, and both engines are one."""
    mu = np.tan(np.radians(30))
    for degrees in (20, 29, 31, 40):
        ours, official = (scenes.slid(side, 1.0) for side in scenes.sides(scenes.slope(degrees, mu, cone, condim)))
        a = np.radians(degrees)
        speed = scenes.GRAVITY * (np.sin(a) - mu * np.cos(a))
        if degrees < 30:
            assert 0 < ours[0] < 2e-3 and ours[1] < 1e-3
        else:
            assert ours[1] == pytest.approx(speed, rel=0.1) and ours[0] == pytest.approx(speed / 2, rel=0.1)
        assert ours == pytest.approx(official, rel=1e-6)


@pytest.mark.parametrize("cone, low, high", [("pyramidal", 0.55, 0.65), ("elliptic", -0.003, 0.003)])
def test_a_thrown_box_drifts_in_a_pyramid_and_hardly_in_a_cone(cone, low, high):
    ours, official = (scenes.lateral_drift(side) for side in scenes.sides(scenes.thrown(cone)))
    assert low < ours["drift"] < high and 3.4 < ours["way"] < 3.7 and ours["speed"] < 1e-9
    assert ours["drift"] == pytest.approx(official["drift"], abs=1e-9) and ours["way"] == pytest.approx(official["way"], abs=1e-9)


@pytest.mark.parametrize("damping", [0.0, 20.0, 40.0, 100.0, 190.0])
def test_a_ball_bounces_as_stiffness_and_damping_say(damping):
    ours, official = (scenes.restitution(side) for side in scenes.sides(scenes.bounce(1e4, damping)))
    assert ours == pytest.approx(scenes.restitution_expected(1e4, damping), rel=0.01)
    assert ours == pytest.approx(official, rel=1e-9)


def test_restitution_of_a_linear_contact_is_the_known_one():
    """Without damping 1; critically damped, x = t exp(-w t) is let go at w t = 2 with a speed of exp(-2)."""
    assert scenes.restitution_expected(1e4, 0.0) == pytest.approx(1.0, abs=1e-6)
    assert scenes.restitution_expected(1e4, 200.0) == pytest.approx(np.exp(-2.0), abs=1e-6)


@pytest.mark.parametrize("cone", CONES)
def test_rolling_friction_stops_a_ball(cone):
    """The normal force acts ahead by the coefficient c: a = 5/7 c g / R; a pyramid is less exact at the end, where the ball creeps."""
    speed, slowing = 1.0, 5 / 7 * 0.005 * scenes.GRAVITY / 0.1
    for seconds in (1.0, 8.0):
        ours, official = (scenes.roll(side, speed, seconds) for side in scenes.sides(scenes.rolling(cone, 0.005)))
        assert all(ours[name] == pytest.approx(official[name], rel=1e-6, abs=1e-9) for name in ours)
        if seconds < speed / slowing:
            assert ours["speed"] == pytest.approx(speed - slowing * seconds, rel=0.05) and ours["spin"] == pytest.approx(ours["speed"] / 0.1, rel=1e-2)
    assert 0 < ours["speed"] < 0.01   # soft friction: the last of the speed fades away
    assert ours["way"] == pytest.approx(speed**2 / (2 * slowing), rel=0.05 if cone == "elliptic" else 0.5)


def test_a_ball_without_rolling_friction_rolls_on():
    for side in scenes.sides(scenes.rolling("elliptic", 0.0)):
        end = scenes.roll(side, 1.0, 2.0)
        assert end["speed"] == pytest.approx(1.0, rel=1e-3) and end["way"] == pytest.approx(2.0, rel=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_mixed_meshes_come_to_rest_in_a_bowl(seed):
    """Nothing leaves, nothing sinks in or trembles. In both engines a thing of seed 1 slips once more at 6 s, so it is looked at three times."""
    for side in scenes.sides(scenes.bowl(seed)):
        side.run(6.0)
        moving = []
        for _ in range(3):
            end = scenes.heap_state(side)
            moving.append(end["moving"])
            assert side.warned == 0 and end["out"] < 0.55 and -0.01 < end["low"] and end["high"] < 0.3, (side.name, end)
            side.run(0.5)
        if side.name == "ours":   # in the official engine some tremble
            assert min(moving) < 1e-3 and end["deep"] < 3e-3, (moving, end)


@pytest.mark.parametrize("shape", ["cylinder", "capsule", "box"])
def test_a_grasped_thing_creeps_and_with_a_no_slip_pass_stays(shape):
    """Two fingers press with 10 N; the thing weighs 3 N. Elliptic cones, impratio 10: 0.3 mm/s without the pass."""
    size = {"box": 'size=".035 .035 .05"'}.get(shape, 'size=".035 .05"')
    for noslip, most in ((0, 3e-3), (3, 1e-5)):
        text = scenes.grasp(noslip, shape).replace('size=".035 .05"', size)
        ours, official = (scenes.slip(side, 5.0) for side in scenes.sides(text))
        assert abs(ours["sunk"]) < most and ours["turned"] < 1e-3, (ours, official)
        assert ours["sunk"] == pytest.approx(official["sunk"], abs=3e-4) and (noslip or 1e-3 < ours["sunk"])


def test_a_weak_grasp_lets_go():
    ours, official = (scenes.slip(side, 1.0, force=1.0) for side in scenes.sides(scenes.grasp(3)))
    assert ours["sunk"] > 0.5 and ours["sunk"] == pytest.approx(official["sunk"], rel=0.05)
