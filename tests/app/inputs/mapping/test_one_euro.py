"""The one-euro filter: quiet at rest, quick in motion, alike for turns; looking ahead."""
import numpy as np
import pytest

from app.inputs.mapping.one_euro import MOST_LEAD, OneEuro
from app.inputs.mapping.rotation import angle_between, exp, yaw
from app.inputs.sample import Pose

DT = 1 / 90


def _run(filter, poses, dt=DT):
    return [filter(pose, k * dt) for k, pose in enumerate(poses, 1)]


def test_trembling_at_rest_is_taken_away():
    random = np.random.default_rng(1)
    noise = random.normal(scale=1e-3, size=(400, 3))
    out = _run(OneEuro(1.0, 0.02), [Pose(tuple(n.tolist())) for n in noise])
    assert np.std([p.pos for p in out[100:]]) < 0.3 * np.std(noise)


def test_a_quick_motion_lags_less_with_beta():
    poses = [Pose((2.0 * k * DT, 0, 0)) for k in range(90)]
    slow, quick = (_run(OneEuro(1.0, beta), poses)[-1].pos[0] for beta in (0.0, 5.0))
    assert poses[-1].pos[0] - quick < 0.2 * (poses[-1].pos[0] - slow)


def test_a_constant_speed_is_followed_at_the_lag_of_a_first_order_low_pass():
    fc, v = 2.0, 0.5
    out = _run(OneEuro(fc, 0.0), [Pose((v * k * DT, 0, 0)) for k in range(1, 400)])
    alpha = 1 - np.exp(-2 * np.pi * fc * DT)
    assert v * 399 * DT - out[-1].pos[0] == pytest.approx(v * DT * (1 - alpha) / alpha, rel=1e-6)


def test_turns_are_filtered_as_ways_are():
    along = _run(OneEuro(1.5, 0.3), [Pose((0.7 * k * DT, 0, 0)) for k in range(100)])
    about = _run(OneEuro(1.5, 0.3), [Pose((0, 0, 0), yaw(0.7 * k * DT)) for k in range(100)])
    for way, turn in zip(along, about):
        assert 2 * np.arctan2(turn.quat[3], turn.quat[0]) == pytest.approx(way.pos[0], abs=1e-9)


def test_a_quaternion_with_the_other_sign_is_the_same_turn():
    f = OneEuro(5.0, 0.02)
    f(Pose((0, 0, 0), exp((0.1, 0, 0))), 0.0)
    out = f(Pose((0, 0, 0), tuple(-x for x in exp((0.11, 0, 0)))), DT)
    assert angle_between(out.quat, exp((0.105, 0, 0))) < 0.01


def test_leads_by_its_filtered_speed_and_no_further_than_it_may():
    f = OneEuro(0.0, 0.0, 0.02)
    out = [f(Pose((0.5 * k * DT, 0, 0)), k * DT) for k in range(300)]
    assert out[-1].pos[0] == pytest.approx(0.5 * 299 * DT + 0.5 * 0.02, rel=1e-3)
    assert OneEuro(1.0, 0.0, 5.0).lead == MOST_LEAD


def test_off_means_as_it_is_and_a_pause_begins_anew():
    f = OneEuro()
    assert f(Pose((1, 2, 3)), 1.0) == Pose((1, 2, 3)) and f(Pose((4, 5, 6)), 1.01) == Pose((4, 5, 6))
    f = OneEuro(0.1)
    f(Pose(), 1.0)
    assert f(Pose((9, 0, 0)), 1.0) == Pose()     # no time has passed
    assert f(Pose((9, 0, 0)), 5.0).pos == (9, 0, 0)


@pytest.mark.parametrize("dt", [1 / 200, 1 / 72, 1 / 12])
def test_a_step_is_followed_as_soon_however_rare_samples_are(dt):
    f = OneEuro(5.0, 0.0)
    f(Pose((0.0, 0, 0)), 0.0)
    n = max(1, round(0.08 / dt))
    for k in range(1, n + 1):
        out = f(Pose((1.0, 0, 0)), k * dt)
    assert 1 - out.pos[0] == pytest.approx(np.exp(-2 * np.pi * 5.0 * n * dt), rel=1e-9)
