"""The clutch's algebra against 4x4 matrices, and what taking over means."""
import numpy as np
import pytest

from app.inputs.mapping.clutch import LARGEST, SMALLEST, Clutch
from app.inputs.mapping.rotation import angle_between, exp, yaw
from app.inputs.sample import Pose


def _matrix(q) -> np.ndarray:
    """The rotation of a quaternion, from its definition q v q^-1 written out."""
    w, v = q[0], np.array(q[1:])
    cross = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * w * cross + 2 * cross @ cross


def _frame(pose) -> np.ndarray:
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = _matrix(pose.quat), pose.pos
    return out


def _pose(random) -> Pose:
    q = random.normal(size=4)
    return Pose(tuple(random.normal(size=3).tolist()), tuple((q / np.linalg.norm(q)).tolist()))


def test_a_thousand_random_frames_are_carried_over_as_matrices_have_it():
    random = np.random.default_rng(0)
    for _ in range(1000):
        s0, t0, s, scale = _pose(random), _pose(random), _pose(random), float(random.uniform(0.25, 4))
        r = _pose(random).quat
        clutch = Clutch((scale, 1.0))
        clutch.close(s0, t0, r)
        found = clutch.target(s)
        # the source's motion in world axes: D = R (S S0^-1) R^-1 turns the target about its own place, and the way is scaled
        big_r = _matrix(r)
        motion = _frame(s) @ np.linalg.inv(_frame(s0))
        turn = big_r @ motion[:3, :3] @ big_r.T
        assert _matrix(found.quat) == pytest.approx(turn @ _matrix(t0.quat), abs=1e-9)
        assert found.pos == pytest.approx(np.array(t0.pos) + scale * big_r @ (np.array(s.pos) - s0.pos), abs=1e-9)
        assert np.linalg.norm(found.quat) == pytest.approx(1, abs=1e-12)


def test_turns_are_scaled_by_their_logarithm():
    clutch = Clutch((1.0, 0.5))
    clutch.close(Pose(), Pose())
    assert clutch.target(Pose((0, 0, 0), exp((0.0, 0.8, 0.0)))).quat == pytest.approx(exp((0.0, 0.4, 0.0)))


def test_closing_again_moves_nothing_and_leaves_what_happened_meanwhile_out_of_account():
    clutch = Clutch((2.0, 1.0))
    clutch.close(Pose(), Pose((1.0, 0, 0)))
    reached = clutch.target(Pose((0.1, 0, 0)))
    assert reached.pos == pytest.approx((1.2, 0, 0))
    clutch.open()
    with pytest.raises(ValueError):
        clutch.target(Pose())
    clutch.close(Pose((5.0, 5.0, 5.0), yaw(1.0)), reached)
    back = clutch.target(Pose((5.0, 5.0, 5.0), yaw(1.0)))
    assert back.pos == pytest.approx(reached.pos) and angle_between(back.quat, reached.quat) < 1e-7
    assert clutch.target(Pose((5.0, 5.1, 5.0), yaw(1.0))).pos == pytest.approx((1.2, 0.2, 0))


def test_a_view_turns_what_forward_means():
    clutch = Clutch()
    clutch.close(Pose(), Pose(), yaw(np.pi / 2))
    assert clutch.target(Pose((1.0, 0, 0))).pos == pytest.approx((0, 1, 0), abs=1e-12)


def test_another_scale_leaves_the_target_and_stays_within_reason():
    clutch = Clutch()
    clutch.close(Pose(), Pose())
    source = Pose((0.2, 0, 0))
    before = clutch.target(source)
    clutch.rescale(3.0, source, before)
    assert clutch.target(source).pos == pytest.approx(before.pos) and clutch.target(source).quat == pytest.approx(before.quat)
    assert clutch.target(Pose((0.3, 0, 0))).pos == pytest.approx((0.5, 0, 0))
    clutch.rescale(1000.0, source, before)
    assert clutch.scale[0] == LARGEST
    clutch.rescale(1e-9, source, before)
    assert clutch.scale[0] == SMALLEST
    clutch.rescale(float("nan"), source, before)
    assert clutch.scale[0] == SMALLEST
