"""The frame between hands and scene: its algebra against 4x4 matrices."""
import numpy as np
import pytest

from app.inputs.mapping.clutch import LARGEST, SMALLEST, Clutch
from app.inputs.mapping.rotation import mul4, yaw
from app.inputs.mapping.scene_frame import NEAR, SceneFrame
from app.inputs.sample import Pose
from tests.app.inputs.mapping.test_clutch import _matrix, _pose


def _frame(random) -> SceneFrame:
    return SceneFrame(float(random.uniform(0.5, 2)), float(random.uniform(-3, 3)), tuple(random.normal(size=3).tolist()))


def _similarity(scale: float, angle: float, pos) -> np.ndarray:
    out = np.eye(4)
    out[:2, :2] = [[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]
    out[:3, :3] *= scale
    out[:3, 3] = pos
    return out


def _at(matrix, p) -> np.ndarray:
    return (matrix @ [*p, 1.0])[:3]


def test_a_thousand_random_grips_are_as_matrices_have_it():
    random = np.random.default_rng(0)
    for _ in range(1000):
        before, held = _frame(random), tuple(tuple(random.normal(size=3).tolist()) for _ in range(2))
        # the hands go by an upright similarity S: what they hold goes with them exactly if the frame becomes G0 S^-1
        s = _similarity(float(random.uniform(0.6, 1.6)), float(random.uniform(-3, 3)), random.normal(size=3))
        hands = tuple(tuple(_at(s, p).tolist()) for p in held)
        found = before.dragged(held, hands)
        wanted = _similarity(*before) @ np.linalg.inv(s)
        assert _similarity(*found) == pytest.approx(wanted, abs=1e-9)
        for p, q in zip(held, hands):
            assert found.of(q) == pytest.approx(before.of(p), abs=1e-9)
        assert before.of(held[0]) == pytest.approx(_at(_similarity(*before), held[0]), abs=1e-12)


def test_hands_that_tilt_what_they_hold_keep_its_middle_size_and_bearing():
    random = np.random.default_rng(1)
    for _ in range(200):
        before = _frame(random)
        held, hands = (tuple(tuple(random.normal(size=3).tolist()) for _ in range(2)) for _ in range(2))
        found = before.dragged(held, hands)
        if SMALLEST < found.scale < LARGEST:
            there, here = (np.array([frame.of(p) for p in pair]) for frame, pair in ((before, held), (found, hands)))
            assert here.mean(axis=0) == pytest.approx(there.mean(axis=0))
            spans = np.diff(there, axis=0)[0], np.diff(here, axis=0)[0]
            assert np.linalg.norm(spans[0]) == pytest.approx(np.linalg.norm(spans[1]))
            assert spans[0][0] * spans[1][1] == pytest.approx(spans[0][1] * spans[1][0], abs=1e-9) and spans[0][:2] @ spans[1][:2] > 0


def test_the_scale_has_ends_and_the_middle_stays_in_hand():
    held = (-0.2, 0.0, 1.0), (0.2, 0.0, 1.0)
    for far, wanted in ((4.0, SMALLEST), (0.03, LARGEST)):
        hands = (-far / 2, 0.3, 1.0), (far / 2, 0.3, 1.0)
        found = SceneFrame().dragged(held, hands)
        assert found.scale == wanted and found.of((0.0, 0.3, 1.0)) == pytest.approx((0.0, 0.0, 1.0))


def test_hands_at_one_place_say_nothing_about_size_and_bearing():
    found = SceneFrame(2.0, 0.5, (1.0, 0, 0)).dragged(((0, 0, 0), (0.5 * NEAR, 0, 0)), ((0.1, 0, 0), (0.1, 0, 0)))
    assert found[:2] == (2.0, 0.5) and found.of((0.1, 0, 0)) == pytest.approx(SceneFrame(2.0, 0.5, (1.0, 0, 0)).of((0.25 * NEAR, 0, 0)))
    over = SceneFrame().dragged(((0, 0, 0), (0, 0, 0.3)), ((0, 0, 0), (0, 0, 0.6)))       # one above the other: a size, no bearing
    assert over.scale == pytest.approx(0.5) and over.yaw == 0.0


def test_a_thousand_clutches_through_a_frame_are_as_matrices_have_it():
    random = np.random.default_rng(2)
    for _ in range(1000):
        frame, s0, s, t0, r = _frame(random), _pose(random), _pose(random), _pose(random), _pose(random).quat
        clutch = Clutch((1.5, 1.0))
        clutch.gain = frame.scale
        clutch.close(s0, t0, mul4(r, yaw(frame.yaw)))
        found = clutch.target(s)
        g = _matrix(r) @ _similarity(*frame)[:3, :3]
        assert found.pos == pytest.approx(np.array(t0.pos) + 1.5 * g @ (np.array(s.pos) - s0.pos), abs=1e-9)
        turn = g / frame.scale @ _matrix(s.quat) @ _matrix(s0.quat).T @ g.T / frame.scale
        assert _matrix(found.quat) == pytest.approx(turn @ _matrix(t0.quat), abs=1e-9)
        assert clutch.target(s0).pos == pytest.approx(t0.pos, abs=1e-12)


def test_a_clutch_through_a_frame_begins_where_the_target_is():
    clutch = Clutch()
    clutch.gain = 0.5
    clutch.close(Pose((1, 2, 3)), Pose((4, 5, 6)), yaw(1.0))
    assert clutch.target(Pose((1, 2, 3))).pos == (4, 5, 6)
