"""Differential inverse kinematics: it reaches, never breaks a limit, stays calm at singular poses, keeps to its rest posture and away from what it may not touch."""
import numpy as np
import pytest

import physics
from assets.locate import bundled_model
from benchmarks.inverse_kinematics import hand
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.inverse_kinematics.distances import Distances, pairs_of
from physics.inverse_kinematics.frames import FrameTask

H = 0.002
READY = (0.0, 0.1, 1.5, 0.0, 1.0, 0.0)


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def arm():
    return physics.load(bundled_model("arm.xml"))


def _at(ik, m, q=READY):
    qpos = m.qpos0.copy()
    qpos[ik.adr] = q
    ik.start(qpos)
    return qpos


def _lead(ik, targets, steps):
    for _ in range(steps):
        ik.step(targets, H)
    return ik.pose(0)


def test_a_six_axis_arm_reaches_a_pose(arm):
    ik = DifferentialIK(arm, [FrameTask("grip")])
    assert [arm.name("joint", j) for j in ik.joints] == ["waist", "shoulder", "elbow", "roll", "pitch", "twist"]
    _at(ik, arm)
    pos, quat = ik.pose(0)
    turn = np.array([np.cos(0.15), 0, 0, np.sin(0.15)])
    wanted = pos + [-0.05, 0.1, 0.06], np.array(physics.mul_quat(turn, quat))
    found = _lead(ik, [wanted], 600)
    assert found[0] == pytest.approx(wanted[0], abs=1e-4) and abs(found[1] @ wanted[1]) == pytest.approx(1, abs=1e-7)


def test_limits_and_speeds_are_never_broken(arm):
    ik = DifferentialIK(arm, [FrameTask("grip")], options=StepOptions(speed=1.5))
    _at(ik, arm)
    random = np.random.default_rng(0)
    for _ in range(60):
        target = random.uniform(-1.5, 1.5, 3), random.normal(size=4)
        for _ in range(15):
            before = ik.q.copy()
            q = ik.step([target], H)
            assert (q >= ik.lo).all() and (q <= ik.hi).all() and np.abs(q - before).max() <= 1.5 * H + 1e-12


def test_out_of_reach_it_stretches_towards_the_target_and_stands_still(arm):
    ik = DifferentialIK(arm, [FrameTask("grip", turn_weight=0.0)], options=StepOptions(posture=0.0))
    _at(ik, arm)
    far = np.array([3.0, 0.0, 0.35])
    _lead(ik, [(far, None)], 3000)
    before = ik.q.copy()
    pos, _quat = _lead(ik, [(far, None)], 200)
    shoulder = np.array([0.0, 0.0, 0.35])
    straight = (pos - shoulder) / np.linalg.norm(pos - shoulder)
    assert straight @ (far - shoulder) / np.linalg.norm(far - shoulder) > 0.99
    assert np.abs(ik.q - before).max() < 0.02 and np.linalg.norm(pos - shoulder) > 0.7


def test_at_a_singular_pose_the_joints_stay_calm_and_it_gets_out_again(arm):
    ik = DifferentialIK(arm, [FrameTask("grip")], options=StepOptions(speed=100.0, posture=0.0))
    _at(ik, arm, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))        # straight up: shoulder, elbow and pitch in line
    pos, quat = ik.pose(0)
    ik.step([(pos, quat)], H)
    assert ik.smallest < 0.01
    for k in range(200):        # led sideways through it at 0.25 m/s
        before = ik.q.copy()
        ik.step([(pos + [0.0, 0.0005 * k, -0.0003 * k], quat)], H)
        assert np.abs(ik.q - before).max() / H < 8.0
    _lead(ik, [(pos + [0.2, 0.1, -0.3], None)], 1500)
    assert ik.pose(0)[0] == pytest.approx(pos + [0.2, 0.1, -0.3], abs=2e-3)


def test_the_rest_posture_is_kept_without_disturbing_the_target():
    m = physics.load_string("<mujoco><worldbody>" + "".join(f'<body pos="{0.3 if k else 0} 0 0"><joint name="j{k}" axis="0 0 1" range="-170 170"/><geom size=".02"/>' for k in range(4))
                            + '<site name="tip" pos=".3 0 0"/>' + "</body>" * 4 + "</worldbody></mujoco>")
    ik = DifferentialIK(m, [FrameTask("tip", turn_weight=0.0)])
    _at(ik, m, (0.5, 0.5, 0.5, 0.5))
    pos, _quat = ik.pose(0)
    ik.rest[:] = (1.2, -0.3, 0.3, 0.2)
    far = np.linalg.norm(ik.q - ik.rest)
    for _ in range(500):
        ik.step([(pos, None)], H)
        assert np.linalg.norm(ik.pose(0)[0] - pos) < 1e-3
    assert np.linalg.norm(ik.q - ik.rest) < 0.75 * far


def test_the_arm_stays_off_the_table(arm):
    pairs = [("palm", "table"), ("finger_left", "table"), ("finger_right", "table")]
    free, careful = (DifferentialIK(arm, [FrameTask("grip")], avoid=avoid, options=StepOptions(margin=0.02)) for avoid in ((), pairs))
    depths = []
    for ik in (free, careful):
        _at(ik, arm)
        pos, quat = ik.pose(0)
        lowest = np.inf
        for k in range(1500):
            ik.step([(pos - [0, 0, min(0.0003 * k, 0.35)], quat)], H)
        ik.pose(0)
        found = Distances(arm, ik.data, pairs, ik.dofs, 0.3).rows()
        lowest = found.dist.min() if len(found.dist) else np.inf
        depths.append(lowest)
    assert depths[0] < -0.05 and depths[1] > 0.015
    pos, quat = careful.pose(0)
    _lead(careful, [(pos + [0, 0, 0.2], quat)], 800)        # and comes up again
    assert careful.pose(0)[0] == pytest.approx(pos + [0, 0, 0.2], abs=5e-3)


def test_a_distance_changes_as_its_row_says(arm):
    ik = DifferentialIK(arm, [FrameTask("grip")])
    qpos = _at(ik, arm, (0.2, 0.3, 1.2, 0.3, 0.7, 0.1))
    random = np.random.default_rng(1)
    ik.pose(0)
    distances = Distances(arm, ik.data, [("palm", "table"), ("finger_left", "floor")], ik.dofs, 2.0)
    rows = distances.rows()
    assert len(rows.dist) == 2
    step = 1e-5 * random.normal(size=6)
    ik.start(qpos)
    ik.q += step
    ik.pose(0)
    assert distances.rows().dist - rows.dist == pytest.approx(rows.jacobian @ step, abs=1e-8)


def test_pairs_that_could_meet_are_found(arm):
    ik = DifferentialIK(arm, [FrameTask("grip")])
    names = {frozenset((arm.name("geom", a), arm.name("geom", b))) for a, b in pairs_of(arm, ik.joints)}
    assert frozenset(("finger_left", "table")) in names and frozenset(("floor", "table")) not in names


def test_five_fingers_of_a_thirty_dof_hand_follow_at_once():
    m = physics.load_string(hand())
    ik = DifferentialIK(m, [FrameTask(f"tip{k}", turn_weight=0.0) for k in range(5)])
    assert len(ik.joints) == 30
    _at(ik, m, np.clip(0.4, ik.lo, ik.hi))
    start = [ik.pose(k)[0] for k in range(5)]
    wanted = [(pos + [-0.01, 0.002 * k, 0.008], None) for k, pos in enumerate(start)]
    _lead(ik, wanted, 300)
    assert max(np.linalg.norm(ik.pose(k)[0] - wanted[k][0]) for k in range(5)) < 1e-3


def test_what_there_is_not_is_told(arm):
    for joints, task, error in ((["elbw"], FrameTask("grip"), KeyError), (None, FrameTask("grp"), KeyError), (None, FrameTask("grip", "camera"), KeyError), (None, FrameTask("floor", "geom"), ValueError)):
        with pytest.raises(error):
            DifferentialIK(arm, [task], joints)
