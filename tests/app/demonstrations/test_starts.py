"""Start states around a keyframe."""
import numpy as np
import pytest

import physics
from app.demonstrations.starts import Range, Start, StartError, range_of, start_state
from tests.app.demonstrations.made import TEXT


@pytest.fixture(scope="module")
def model():
    return physics.load_string(TEXT)


def test_draws_lie_in_their_ranges_and_come_again(model):
    start = Start("home", (Range("shoulder", -0.3, 0.5), Range("cube.y", 0.0, 0.1), Range("cube.rz", -1.0, 1.0), Range("mocap target.z", 0.2, 0.3)), seed=9)
    states = [start_state(model, start, k) for k in range(60)]
    qpos, key = np.array([state.qpos for state in states]), model.key_qpos[0]
    assert -0.3 <= (qpos[:, 0] - key[0]).min() < -0.2 and 0.4 < (qpos[:, 0] - key[0]).max() <= 0.5
    assert (qpos[:, 1] == key[1]).all() and (qpos[:, 2] == key[2]).all() and np.ptp(qpos[:, 3]) > 0.08
    assert np.allclose(np.linalg.norm(qpos[:, 5:], axis=1), 1) and 0.9 < 2 * np.arcsin(np.abs(qpos[:, 8]).max()) <= 1.0
    assert all(0.3 - 1e-12 <= state.mocap_pos[0, 2] <= 0.4 + 1e-12 for state in states)
    assert np.array_equal(start_state(model, start, 17).qpos, qpos[17]) and not np.array_equal(start_state(model, Start(start.key, start.ranges, 8), 17).qpos, qpos[17])
    assert np.array_equal(start_state(model, Start(), 0).qpos, model.qpos0)


def test_what_is_wrong_is_said(model):
    for ranges, said in (((Range("elbw", 0, 1),), "no joint 'elbw'.*elbow"), ((Range("elbow.x", 0, 1),), "its coordinates are itself"), ((Range("cube", 0, 1),), "x, y, z, rx, ry, rz"),
                         ((Range("mocap cube.x", 0, 1),), "no mocap body 'cube'"), ((Range("elbow", 1, 0),), "no range"), ((Range("elbow", float("nan"), 0),), "no range")):
        with pytest.raises(StartError, match=said):
            start_state(model, Start("home", ranges), 0)
    with pytest.raises(StartError, match="no keyframe 'hme'.*home"):
        start_state(model, Start("hme"), 0)
    assert range_of("cube.x=-0.1:0.1") == Range("cube.x", -0.1, 0.1)
    with pytest.raises(StartError, match="joint.x"):
        range_of("cube.x=1")
