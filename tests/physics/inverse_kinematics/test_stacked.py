"""Several targets of one mechanism in one problem: both hands on one waist, hands that hold one thing, joints that stay, and the kernel against NumPy."""
import tracemalloc

import numpy as np
import pytest

import physics
from benchmarks.inverse_kinematics import hand
from physics.engine.kinematics import differential_ik as kernels
from physics.inverse_kinematics.differential import DifferentialIK, StepOptions
from physics.inverse_kinematics.frames import FrameTask
from tests.physics.inverse_kinematics.two_armed import APART, WAIST, names

H = 0.002
SIDES = ("left", "right")


@pytest.fixture(scope="module", autouse=True)
def compiled():
    physics.ensure_kernels()


@pytest.fixture(scope="module")
def waist():
    return physics.load_string(WAIST)


@pytest.fixture(scope="module")
def apart():
    return physics.load_string(APART)


def _both(m, **more):
    return DifferentialIK(m, [FrameTask(f"{side}_hand", turn_weight=0.0) for side in SIDES], **more)


def _pose(m, random):
    """A random pose, all joints in the middle half of their ranges."""
    qpos = m.qpos0.copy()
    low, high = m.jnt_range.T
    qpos[:] = low + (high - low) * random.uniform(0.25, 0.75, m.nq)
    return qpos


def _targets(ik, m, qpos, turns=False):
    ik.start(qpos)
    return [(pos, quat if turns else None) for pos, quat in (ik.pose(k) for k in range(len(ik.tasks)))]


def test_two_hands_reach_at_once_what_two_problems_fight_over(waist):
    random = np.random.default_rng(1)
    together, alone = [], []
    for _ in range(6):
        stacked = _both(waist)
        wanted = _targets(stacked, waist, _pose(waist, random))
        start = np.clip(waist.qpos0, *waist.jnt_range.T)
        stacked.start(start)
        # each by itself, with the waist as it would have it; the one that is sent last has it
        single = [DifferentialIK(waist, [FrameTask(f"{side}_hand", turn_weight=0.0)], names(side)) for side in SIDES]
        for ik in single:
            ik.start(start)
        for _ in range(1000):
            stacked.step(wanted, H)
            for ik, target in zip(single, wanted):
                ik.step([target], H)
        together.append(max(np.linalg.norm(stacked.pose(k)[0] - wanted[k][0]) for k in range(2)))
        mixed = start.copy()
        for ik in single:
            mixed[ik.adr] = ik.q
        there = _targets(stacked, waist, mixed)
        alone.append(max(np.linalg.norm(there[k][0] - wanted[k][0]) for k in range(2)))
    assert max(together) < 1e-3 and np.median(alone) > 0.02, (together, alone)


def test_no_limit_and_no_speed_is_broken_by_two_targets(waist):
    ik = _both(waist, options=StepOptions(speed=1.5))
    ik.start(np.clip(waist.qpos0, *waist.jnt_range.T))
    ik.speed[:2] = 0.5      # a slow waist
    random = np.random.default_rng(0)
    for _ in range(60):
        targets = [(random.uniform(-1, 1, 3) + [0, 0, 1], random.normal(size=4)) for _ in SIDES]
        for _ in range(15):
            before = ik.q.copy()
            q = ik.step(targets, H)
            assert (q >= ik.lo).all() and (q <= ik.hi).all() and (np.abs(q - before) <= ik.speed * H + 1e-12).all()


def test_hands_that_hold_one_thing_keep_to_each_other(waist):
    gaps = {}
    for held in (False, True):
        ik = DifferentialIK(waist, [FrameTask(f"{side}_hand", turn_weight=0.2) for side in SIDES], pairs=[(0, 1)])
        ik.start(np.clip(waist.qpos0, *waist.jnt_range.T))
        poses = [ik.pose(k) for k in range(2)]
        between = np.linalg.norm(poses[0][0] - poses[1][0])
        if held:
            ik.hold(0)
        worst = 0.0
        for k in range(1500):       # the left hand alone is led away, 10 cm forward and 6 cm up
            share = min(k / 750, 1.0)
            ik.step([(poses[0][0] + share * np.array([0.1, 0.0, 0.06]), poses[0][1]), poses[1]], H)
            worst = max(worst, abs(np.linalg.norm(ik.pose(0)[0] - ik.pose(1)[0]) - between), *ik.pair_errors)
        gaps[held] = worst
        if held:
            assert ik.holds(0) and ik.pair_errors[0] < 1.5e-3 and ik.pair_errors[1] < 0.02
            assert np.linalg.norm(ik.pose(0)[0] - poses[0][0]) > 0.03       # both go half of the way
            ik.release(0)
            for _ in range(600):
                ik.step([(poses[0][0] + [0.1, 0.0, 0.06], None), (poses[1][0], None)], H)
            assert np.linalg.norm(ik.pose(0)[0] - poses[0][0] - [0.1, 0.0, 0.06]) < 2e-3
    assert gaps[True] < 0.01 < gaps[False], gaps


def test_arms_that_share_nothing_do_what_each_does_alone(apart):
    both = DifferentialIK(apart, [FrameTask(f"{side}_hand") for side in SIDES])
    single = [DifferentialIK(apart, [FrameTask(f"{side}_hand")], names(side, waist=False)) for side in SIDES]
    start = np.clip(apart.qpos0, *apart.jnt_range.T)
    for ik in (both, *single):
        ik.start(start)
        ik.rest[:] = 0.9 * ik.q
    random = np.random.default_rng(2)
    begun = [both.pose(k) for k in range(2)]
    way = random.normal(size=(2, 3))
    for k in range(600):
        targets = [(pos + 0.2 * np.sin(0.01 * k) * way[i], quat) for i, (pos, quat) in enumerate(begun)]    # out of reach, too
        both.step(targets, H)
        for ik, target in zip(single, targets):
            ik.step([target], H)
        assert both.q == pytest.approx(np.concatenate([ik.q for ik in single]), abs=1e-9)


def test_joints_that_stay_are_not_there(waist):
    ik, arm = _both(waist), DifferentialIK(waist, [FrameTask("right_hand", turn_weight=0.0)], names("right", waist=False))
    start = np.clip(waist.qpos0, *waist.jnt_range.T)
    ik.start(start)
    arm.start(start)
    ik.moves[:] = np.isin(ik.joints, arm.joints)
    target = ik.pose(1)[0] + [-0.03, 0.05, -0.05]
    for _ in range(300):
        ik.step([(None, None), (target, None)], H)
        arm.step([(target, None)], H)
    stays = ik.moves == 0
    assert (ik.q[stays] == start[ik.adr][stays]).all() and ik.q[~stays] == pytest.approx(arm.q, abs=1e-10)
    assert np.linalg.norm(ik.pose(1)[0] - target) < 1e-3


def test_a_heavier_target_comes_first(waist):
    left = {}
    for weight in (1.0, 5.0):
        ik = DifferentialIK(waist, [FrameTask("left_hand", weight=weight, turn_weight=0.0), FrameTask("right_hand", turn_weight=0.0)])
        ik.start(np.clip(waist.qpos0, *waist.jnt_range.T))
        for _ in range(2000):       # the one far to the left, the other far to the right
            ik.step([((0.3, 0.9, 1.3), None), ((0.3, -0.9, 1.3), None)], H)
        left[weight] = ik.errors[0], ik.errors[2]
    assert left[5.0][0] < left[1.0][0] and left[5.0][1] > left[1.0][1]


# ---------------------------------------------------------------- the kernel

def _formula(ik, targets, h, gain, k, together):
    """(Hessian, gradient) by NumPy, from the Jacobians of scripts and the singular value decomposition."""
    m, d = ik.model, physics.Data(ik.model)
    d.qpos[:] = ik.data.qpos
    d.qpos[ik.adr] = ik.q
    physics.kinematics(m, d)
    physics.com_pos(m, d)
    rows, ways, at = [], [], []
    for task, (pos, quat) in zip(ik.tasks, targets):
        site = m.id("site", task.element)
        lin, ang = (part[:, ik.dofs] for part in physics.jac_site(m, d, site))
        here = physics.mat2_quat(d.site_xmat[site])
        at.append((d.site_xpos[site].copy(), here, lin, ang, d.site_xmat[site].reshape(3, 3).copy()))
        rows += [task.weight * lin, task.turn_weight * kernels.TURN_LENGTH * ang]
        ways += [task.weight * gain * (pos - at[-1][0]), task.turn_weight * kernels.TURN_LENGTH * gain * at[-1][4] @ physics.sub_quat(quat, here)]
    if together is not None:
        (p0, q0, lin0, ang0, r0), (p1, q1, lin1, ang1, r1) = at
        weight, rel, rel_quat = together
        place = p0 + r0 @ rel
        arm = place - p0
        cross = np.array([[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]])
        rows += [weight * (lin1 - (lin0 - cross @ ang0)), weight * kernels.TURN_LENGTH * (ang1 - ang0)]
        ways += [weight * gain * (place - p1), weight * kernels.TURN_LENGTH * gain * r1 @ physics.sub_quat(physics.mul_quat(q0, rel_quat), q1)]
    jacobian, e = np.concatenate(rows), np.concatenate(ways)
    _u, s, vt = np.linalg.svd(jacobian, full_matrices=False)
    seen = s > 1e-9
    s, vt = s[seen], vt[seen]
    extra = (kernels.MOST_DAMPING * np.maximum(0, 1 - s / kernels.SINGULAR)) ** 2
    n = len(ik.q)
    null = np.eye(n) - (vt.T * (s ** 2 / (s ** 2 + extra + kernels.DAMPING ** 2))) @ vt
    d_matrix = kernels.POSTURE * np.diag(ik.posture)
    rest = null @ d_matrix @ null
    hessian = jacobian.T @ jacobian + kernels.DAMPING ** 2 * np.eye(n) + (vt.T * extra) @ vt + rest
    return hessian, jacobian.T @ e + k * rest @ (ik.rest - ik.q), s


@pytest.mark.nojit
@pytest.mark.parametrize("seed", range(4))
def test_the_problem_is_that_of_its_formula(seed):
    m = physics.load_string(WAIST)
    random = np.random.default_rng(seed)
    ik = DifferentialIK(m, [FrameTask("left_hand", weight=1.5), FrameTask("right_hand", turn_weight=0.3)], pairs=[(0, 1)])
    ik.start(_pose(m, random))
    ik.posture[:] = random.uniform(0, 2, len(ik.q))
    ik.rest[:] = random.uniform(-0.5, 0.5, len(ik.q))
    together = None
    if seed % 2:
        ik.hold(0)
        together = 10.0, ik._pair_pos[0].copy(), ik._pair_quat[0].copy()
        ik.q += random.normal(0, 0.05, len(ik.q))
    if seed == 2:
        ik.q[[k for k, j in enumerate(ik.joints) if "elbow" in m.name("joint", j)]] = -0.1     # stretched, nearly
    targets = [(random.normal(size=3), physics.mul_quat((1, 0, 0, 0), random.normal(size=4))) for _ in SIDES]
    targets = [(pos, quat / np.linalg.norm(quat)) for pos, quat in targets]
    hessian, gradient, values = _formula(ik, targets, H, 1.0, 0.02, together)
    before = ik.q.copy()
    ik.step(targets, H)
    assert ik._solver.hessian == pytest.approx(hessian, abs=1e-9) and ik._solver.gradient == pytest.approx(gradient, abs=1e-9)
    assert ik._solver.hi == pytest.approx(np.maximum(np.minimum(ik.hi - before, 3.0 * H), 0)) and (ik._solver.lo <= 0).all()
    if together is None:
        assert ik.smallest == pytest.approx(values[min(len(values), len(ik.q)) - 1], abs=1e-9)


@pytest.mark.nojit
def test_a_step_under_the_interpreter():
    m = physics.load_string(WAIST)
    joints = []
    for plain in (False, True):
        ik = DifferentialIK(m, [FrameTask(f"{side}_hand") for side in SIDES], pairs=[(0, 1)])
        ik.start(np.clip(m.qpos0, *m.jnt_range.T))
        targets = [(pos + [0.1, 0.05, 0.1], quat) for pos, quat in (ik.pose(k) for k in range(2))]
        ik.hold(0)
        for k, (pos, quat) in enumerate(targets):
            ik._aim(k, pos, quat)
        step = kernels.differential_step.plain if plain else kernels.differential_step.at_once
        assert step(m, ik.data, ik._solver.buffers, len(ik.joints), 2, 1, H, 1.0, 0.02) >= 0
        joints.append(ik.q.copy())
    assert np.abs(joints[0] - ik.rest).max() > 1e-4 and joints[0] == pytest.approx(joints[1], abs=1e-9)


def test_a_step_makes_no_arrays():
    m = physics.load_string(hand())
    ik = DifferentialIK(m, [FrameTask(f"tip{k}", turn_weight=0.0) for k in range(5)])
    ik.start(np.clip(0.4, m.jnt_range[:, 0], m.jnt_range[:, 1]))
    targets = [(ik.pose(k)[0] + [-0.01, 0, 0.01], None) for k in range(5)]
    first = ik.step(targets, H)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(50):
            assert ik.step(targets, H) is first is ik.q
        now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most - before < 8 * len(ik.q) ** 2 and now - before < 1000      # not even one matrix


def test_a_target_that_is_no_number_is_told(waist):
    ik = _both(waist)
    ik.start(np.clip(waist.qpos0, *waist.jnt_range.T))
    with pytest.raises(ValueError):
        ik.step([((np.nan, 0.0, 0.0), None), (None, None)], H)
