"""Fingers by a hand that is made up: the model's own hand stands for the person's, in its own size and others."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from physics.inverse_kinematics.hand_frame import FINGERS, JOINTS, LONG, WRIST, hand_angles, hand_frame, palm_frame
from physics.inverse_kinematics.retarget import FingerRetargeting

TIPS = {name: ("site", f"{name}_tip") for name in FINGERS}
PHALANGES = {"thumb": ("thumb_base", "thumb_proximal", "thumb_distal"), **{name: (f"{name}_proximal", f"{name}_middle", f"{name}_distal") for name in LONG}}


@pytest.fixture(scope="module")
def model():
    physics.compile_kernels()
    return physics.load(bundled_model("hand.xml"))


@pytest.fixture
def fingers(model):
    return FingerRetargeting(model, ("site", "palm"), TIPS)


def person(m, q: dict, size: float = 1.0, mirrored: bool = False, turn=np.eye(3), at=(0.0, 0.0, 0.0)) -> np.ndarray:
    """The 25 joints of a hand with these joint angles [rad], as a headset would see it anywhere."""
    d = physics.Data(m)
    for name, value in q.items():
        d.joint(name).qpos[:] = value
    physics.kinematics(m, d)
    positions = np.zeros((JOINTS, 3))
    positions[WRIST] = d.site("palm").xpos
    for finger, joints in FINGERS.items():
        points = [*(d.body(name).xpos for name in PHALANGES[finger]), d.site(f"{finger}_tip").xpos]
        positions[list(joints)] = points
    local = (positions - positions[WRIST]) * size
    if mirrored:
        local[:, 1] *= -1.0
    hand = np.zeros((JOINTS, 7))
    hand[:, :3] = local @ turn.T + at
    hand[:, 3] = 1.0
    return hand


def rotation(seed: int) -> np.ndarray:
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def settled(fingers, hand, turns: int = 40) -> dict:
    """Joint positions by name after a hand was held for a while."""
    for _ in range(turns):
        q = fingers.solve(hand)
    return {fingers.model.name("joint", j): float(value) for j, value in zip(fingers.joints, q)}


def bent(knuckle: float, middle: float) -> dict:
    return {f"{name}_{joint}": value for name in LONG for joint, value in (("knuckle", knuckle), ("middle", middle), ("end", 0.7 * middle))}


@pytest.mark.parametrize("seed", range(3))
def test_the_palms_frame_turns_with_the_hand(model, seed):
    turn = rotation(seed)
    assert np.abs(hand_frame(person(model, {}, turn=turn, at=(1, 2, 3))[:, :3], "right") - turn).max() < 0.12, "knuckles are not quite straight ahead of the wrist"
    mirrored = hand_frame(person(model, {}, mirrored=True)[:, :3], "left")
    assert np.abs(mirrored - np.eye(3)).max() < 0.12, "z is out of the back of either hand"


def test_points_on_a_line_are_no_palm():
    with pytest.raises(ValueError, match="one line"):
        palm_frame(np.zeros(3), np.array([[1.0, 0, 0], [2.0, 0, 0]]), "right")


@pytest.mark.parametrize("size", [0.8, 1.0, 1.3])
@pytest.mark.parametrize("pose", [{}, bent(0.5, 0.6), bent(1.2, 1.3), {"index_knuckle": 1.0}, {"thumb_base": 0.5, "thumb_knuckle": 0.6, "thumb_end": 0.4}], ids=["flat", "half", "fist", "point", "thumb"])
def test_fingers_follow_a_hand_of_any_size(fingers, model, pose, size):
    wanted = fingers.tips(np.array([pose.get(model.name("joint", j), 0.0) for j in fingers.joints]))
    settled(fingers, person(model, pose, size, turn=rotation(5), at=(0.3, -2.0, 1.2)))
    off = np.linalg.norm(fingers.tips(fingers.qpos) - wanted, axis=1)
    assert off.max() < 0.012, f"tips are off by {1e3 * off.max():.1f} mm"


def test_a_straight_hand_is_straight_and_a_fist_a_fist(fingers, model):
    flat = settled(fingers, person(model, {}, 1.2))
    assert all(abs(flat[f"{name}_knuckle"]) < 0.1 and flat[f"{name}_middle"] < 0.2 for name in LONG)
    fist = settled(fingers, person(model, bent(1.3, 1.5), 1.2))
    assert all(fist[f"{name}_knuckle"] > 1.0 and fist[f"{name}_middle"] > 1.1 for name in LONG)


def test_ranges_and_coupled_joints_hold_whatever_the_hand(fingers, model):
    random = np.random.default_rng(0)
    lo, hi = model.jnt_range[fingers.joints].T
    place = {model.name("joint", j): k for k, j in enumerate(fingers.joints)}
    for _ in range(60):
        hand = person(model, {}) + np.concatenate([random.normal(size=(JOINTS, 3)) * 0.03, np.zeros((JOINTS, 4))], axis=1)
        q = fingers.solve(hand)
        assert (q >= lo - 1e-12).all() and (q <= hi + 1e-12).all()
    q = settled(fingers, person(model, bent(0.8, 1.0)))
    assert all(q[f"{name}_end"] == pytest.approx(0.7 * q[f"{name}_middle"], abs=0.05) for name in LONG) and "index_end" in place


def test_a_pinch_is_a_pinch_in_another_size(fingers, model):
    """A person whose tips touch, with a thumb that the model's proportions do not have."""
    hand = person(model, {"index_knuckle": 0.9, "index_middle": 0.8, "index_end": 0.5, "thumb_base": 0.6, "thumb_knuckle": 0.4}, 1.25)
    thumb, index = FINGERS["thumb"][-1], FINGERS["index"][-1]
    apart = np.linalg.norm(hand[thumb, :3] - hand[index, :3])
    hand[thumb, :3] = hand[index, :3] + (hand[thumb, :3] - hand[index, :3]) / apart * 0.01
    settled(fingers, hand)
    tips = dict(zip(fingers.fingers, fingers.tips(fingers.qpos)))
    assert np.linalg.norm(tips["thumb"] - tips["index"]) < 0.01
    others = [np.linalg.norm(tips["thumb"] - tips[name]) for name in ("middle", "ring", "little")]
    assert min(others) > 0.015


def test_a_left_hand_by_a_mirrored_person(model):
    """The model's hand read as a left one that lies on its back is the mirrored one: only that sides are told apart."""
    right = FingerRetargeting(model, ("site", "palm"), TIPS, "right")
    assert right.side == "right"
    q = settled(right, person(model, bent(0.9, 0.9)))
    wrong = settled(FingerRetargeting(model, ("site", "palm"), TIPS, "right"), person(model, bent(0.9, 0.9), mirrored=True))
    assert q["middle_knuckle"] > 0.7 and wrong["middle_knuckle"] < 0.2, "the palm of a left hand that is read as a right one is its back"


@pytest.mark.parametrize("palm, tips, error, told", [
    (("site", "palm"), {}, ValueError, "no finger has a tip"), (("site", "palm"), {"toe": ("site", "index_tip")}, ValueError, "'toe' is no finger"),
    (("site", "palm"), {"index": ("site", "nowhere")}, KeyError, "nowhere"), (("body", "ball"), {"index": ("site", "index_tip")}, ValueError, "does not hang at the palm"),
    (("body", "index_distal"), {"index": ("site", "index_tip")}, ValueError, "no joint moves the index finger"), (("joint", "index_end"), TIPS, KeyError, "no place of a hand"),
])
def test_what_is_no_hand_is_told(model, palm, tips, error, told):
    with pytest.raises(error, match=told):
        FingerRetargeting(model, palm, tips)


@pytest.mark.parametrize("hand", [np.zeros((25, 7)), np.full((25, 7), np.nan), np.zeros((24, 7))])
def test_what_no_headset_should_send_is_refused(fingers, hand):
    before = fingers.qpos.copy()
    with pytest.raises(ValueError):
        fingers.solve(hand)
    assert (fingers.qpos == before).all()


def test_locked_joints_stay(model):
    fingers = FingerRetargeting(model, ("site", "palm"), TIPS, locked=(model.id("joint", "index_middle"),))
    assert model.id("joint", "index_middle") not in fingers.joints and len(fingers.joints) == 19


def test_a_hand_with_two_fingers(model):
    fingers = FingerRetargeting(model, ("body", "wrist"), {"thumb": TIPS["thumb"], "index": TIPS["index"]})
    assert fingers.fingers == ("thumb", "index") and len(fingers.joints) == 8
    assert settled(fingers, person(model, bent(1.0, 1.0)))["index_knuckle"] > 0.7


def test_angles_of_a_hand_by_name(model):
    angles = hand_angles(person(model, {"index_knuckle": 0.6, "index_middle": 0.4, "index_end": 0.28, "ring_spread": -0.2, "thumb_knuckle": 0.5, "thumb_end": 0.3}, 1.1, turn=rotation(2))[:, :3], "right")
    straight = hand_angles(person(model, {}, 1.1, turn=rotation(2))[:, :3], "right")
    assert angles["index_knuckle"] - straight["index_knuckle"] == pytest.approx(0.6, abs=0.03)
    assert angles["index_middle"] == pytest.approx(0.4, abs=1e-6) and angles["index_end"] == pytest.approx(0.28, abs=1e-6)
    assert angles["ring_spread"] - straight["ring_spread"] == pytest.approx(-0.2, abs=0.02)
    assert angles["thumb_knuckle"] == pytest.approx(0.5, abs=1e-6) and angles["thumb_end"] == pytest.approx(0.3, abs=1e-6)
    assert angles["middle_middle"] == pytest.approx(0.0, abs=1e-6)
    left = hand_angles(person(model, bent(0.7, 0.2), mirrored=True)[:, :3], "left")
    assert left["middle_knuckle"] - straight["middle_knuckle"] == pytest.approx(0.7, abs=0.03)
