"""What messages become as Samples."""
import numpy as np
import pytest

from app.inputs.protocol.decode import decode
from app.inputs.protocol.encode import encode
from app.inputs.protocol.samples import fist, pinch, sample_of


def sample(kind: str, **more):
    return sample_of(decode(encode(kind, 4, 0.0, **more)), "xr", 1.0, 1.5)


def straight_hand() -> np.ndarray:
    """Fingers along x, a thumb to the side."""
    joints = np.zeros((25, 7))
    joints[:, 3] = 1
    joints[1:5, 1], joints[1:5, 0] = 0.08, np.linspace(0.02, 0.08, 4)
    for finger in range(4):
        joints[5 + 5 * finger:10 + 5 * finger, 0], joints[5 + 5 * finger:10 + 5 * finger, 1] = np.linspace(0.03, 0.18, 5), -0.02 * finger
    return joints


def test_a_pose_keeps_its_parts():
    found = sample("pose", source="right", p=[1, 2, 3], q=[1, 0, 0, 0], axes={"trigger": 0.2}, buttons={"squeeze": True}, tracked=False)
    assert (found.source, found.kind, found.seq, found.t_source, found.t_received) == ("xr:right", "pose", 4, 1.0, 1.5)
    assert found.pos == (1, 2, 3) and found.quat == (1, 0, 0, 0) and found.axes == {"trigger": 0.2} and found.buttons == {"squeeze"} and not found.tracked
    assert sample("pose", source="stick", axes={"x": 1}).kind == "axes"


def test_joints_controls_and_events():
    assert sample("joints", joints={"a": 1}).joints == {"a": 1} and sample("controls", controls={"g": 2}).kind == "controls"
    assert sample("event", event="undo").buttons == {"undo"} and sample("ping") is None and sample("hello", token="x") is None


def test_a_pinch_is_a_trigger_and_a_fist_a_squeeze():
    joints = straight_hand()
    open_hand = sample("hand", side="right", joints=joints.tolist())
    assert open_hand.source == "xr:right" and open_hand.buttons == frozenset() and open_hand.pos == (0, 0, 0) and open_hand.hand.shape == (25, 7)
    joints[4, :3] = joints[9, :3] + (0, 0.012, 0)
    pinched = sample("hand", side="right", joints=joints.tolist())
    assert pinch(joints) == 1 and pinched.axes["trigger"] == 1 and pinched.buttons == {"pinch"} and pinched.axes["squeeze"] == 0
    for finger in (10, 15, 20):
        joints[finger + 3:finger + 5, 0] = joints[finger, 0] + np.array((0.05, 0.01))
    assert fist(joints) == pytest.approx(1) and sample("hand", side="right", joints=joints.tolist()).buttons == {"pinch", "squeeze"}
