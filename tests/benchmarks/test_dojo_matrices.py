"""The Newton matrix in the paper's unknowns and units, and the method without dual variables beside which figures 9 and 10 put the engine's."""
import numpy as np
import pytest

import physics
from benchmarks.dojo import fig10, planning_models
from benchmarks.dojo.drops import drops
from benchmarks.dojo.hard_run import hard_model
from benchmarks.dojo.paper_matrix import held_directions, paper_matrix, primal_matrix
from benchmarks.dojo.primal import solve_primal
from physics.hard.gradients import Scratch, solved
from tests.naive.hard.frames import conj
from tests.naive.hard.newton import solve
from tests.naive.hard.repository import Point, Repository
from tests.naive.hard.system import System
from tests.naive.smooth import product

BOX = """<mujoco><option timestep=".01"/><worldbody><geom type="plane" size="0 0 1" friction=".4"/>
<body pos="0 0 .2502"><freejoint/><geom type="box" size=".25 .25 .25" mass="2" friction=".4"/></body></worldbody></mujoco>"""


@pytest.fixture(scope="module", autouse=True)
def kernels():
    physics.ensure_kernels()
    physics.ensure_hard()


def sliding_box(gap_unit):
    m = hard_model(BOX)
    m.opt_hard_looks = 0
    d = physics.Data(m)
    d.qvel[:] = 1.0, 0.3, -0.1, 0.02, 0.01, 0.1
    return System(m, solved(m, d, Scratch()), gap_unit=gap_unit)


def test_the_box_has_the_matrix_of_the_repository():
    twin = sliding_box(0.01)
    assert solve(twin, 1e-8, 1e-3, floor=5)[0]
    corners = [Point(1, twin.rows[k].point - twin.x2[1], 0.4) for k in range(len(twin.rows))]
    assert len(corners) == 4
    own = Repository(twin.m, twin.qpos2, twin.qvel, corners)
    z = np.zeros(own.n)
    turn = product(conj(twin.q2[1]), twin.q3[1])
    z[:3], z[3:6] = (twin.x3[1] - twin.x2[1]) / twin.h, 2 * turn[1:] / twin.h
    for at, (s, gamma, eta, xi) in zip(own.point_at, twin.cone, strict=True):
        z[at:at + 8] = np.concatenate([[s * twin.h], eta / 0.4, [gamma, 0.4 * gamma], 0.4 * xi])
    r, k = own.violations(z)
    assert r < 1e-3 and k < 1e-3       # the point is one of theirs, but that their impulses act where things are at the end
    matrix, bodies = paper_matrix(twin)
    assert bodies == 6 and matrix.shape == (own.n, own.n)
    ours, theirs = (np.linalg.svd(a, compute_uv=False) for a in (matrix, own.matrix(z)))
    assert ours == pytest.approx(theirs, rel=0.03)


def test_joints_are_eliminated_exactly():
    m = hard_model(planning_models.quadruped(0.01, body=True))
    m.opt_hard_looks = 0
    d = physics.Data(m)
    d.qpos[2] = 0.26
    d.qvel[2] = -0.5
    twin = System(m, solved(m, d, Scratch()), gap_unit=0.01)
    matrix, bodies = paper_matrix(twin)
    contacts, limits = len(twin.rows), len(twin.limits)
    assert bodies == 6 * 13 + 5 * 12 and len(matrix) == bodies + 8 * contacts + 2 * limits and contacts >= 4
    # the determinant is what elimination leaves of it: same solution for the bodies' velocities by both matrices
    whole = twin.matrix()
    right = np.zeros(len(whole))
    right[:6] = 1.0, -2.0, 0.5, 0.1, 0.2, -0.3
    small = np.zeros(len(matrix))
    small[:6] = right[:6]
    assert np.linalg.solve(matrix, small)[:78] == pytest.approx(np.linalg.solve(whole, right)[:78], rel=1e-6, abs=1e-9)


def test_a_hinge_is_held_by_three_forces_and_two_torques():
    axis, anchor = np.array([0.0, 0.6, 0.8]), np.array([0.1, -0.2, 0.3])     # from the centre of mass
    axes = np.concatenate([np.cross(anchor, axis), axis])[:, None]
    held, torques = held_directions(axes)
    assert held.shape == (6, 5) and torques.sum() == 2 and np.abs(axes.T @ held).max() < 1e-12
    assert np.linalg.matrix_rank(held) == 5


def test_both_methods_come_to_the_same_step():
    two = [sliding_box(1.0) for _ in range(2)]
    assert solve(two[0], 1e-8, 1e-8)[0]
    done, iterations = solve_primal(two[1], 1e-8, 1e-8)
    assert done and iterations > 10
    assert two[1].rates == pytest.approx(two[0].rates, abs=1e-4)
    assert np.linalg.cond(primal_matrix(two[1])) > 1


def test_without_dual_variables_sharp_tolerances_take_many_more_iterations():
    box = drops(None)["box"]._replace(seconds=0.6)
    for state in fig10.plain_states(box, 2):
        size, with_duals = fig10.paper_condition(box, state, 1e-8)
        _, alone = fig10.primal_condition(box, state, 1e-8)
        assert size < 1e9 and (alone is None or alone > 2 * with_duals)
