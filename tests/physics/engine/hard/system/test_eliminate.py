"""Elimination along the graph of contacts against one dense solve, with fill: bodies of six dofs by whole blocks, others dof by dof."""
import numpy as np
import pytest

import physics
from physics.engine.hard import step
from physics.engine.hard.system import eliminate
from physics.enums import Engine

FREE = "<freejoint/>"
BALL = '<joint type="ball"/><joint type="slide"/>'


def pile(joint: str) -> str:
    """Two layers of four boxes on each other, turned so that each stands on more than one."""
    boxes = "".join(f'<body pos="{.205 * (k % 2)} {.205 * (k // 2 % 2)} {.1 + .2 * (k // 4)}" euler="0 0 {20 * (k // 4)}">{joint}<geom type="box" size=".1 .1 .1"/></body>' for k in range(8))
    return f'<mujoco><worldbody><geom type="plane" size="9 9 .1"/>{boxes}</worldbody></mujoco>'


@pytest.mark.parametrize("joint", [FREE, BALL], ids=["six dofs", "four dofs"])
def test_directions_of_random_blocks_are_those_of_a_dense_solve(joint):
    physics.ensure_hard()
    m = physics.load_string(pile(joint))
    m.opt.engine = Engine.HARD
    d = physics.Data(m)
    physics.step(m, d, 2)
    assert step.solve_state(m, d, 1) and d.hard_nisland == 1
    pairs = d.hard_pair[:d.hard_npair].copy()
    # more pairs than touch: fill
    assert d.hard_npair > d.hard_ntouch >= 8
    r = np.random.default_rng(0)
    n = m.nbody
    K = np.zeros((6 * n, 6 * n))

    def put(field, k, a, b, block):
        field.reshape(-1, 6, 8)[k, :, :6] = block
        field.reshape(-1, 6, 8)[k, :, 6:] = 0
        K[6 * a:6 * a + 6, 6 * b:6 * b + 6] = block
    for b in range(1, n):
        put(d.hard_block, b, b, b, r.normal(size=(6, 6)) + 20 * np.eye(6))
    for k, (b, c) in enumerate(pairs):
        put(d.hard_upper, k, b, c, r.normal(size=(6, 6)))
        put(d.hard_lower, k, c, b, r.normal(size=(6, 6)))
    # dofs' own terms, right sides
    d.hard_H[:m.nv] = r.uniform(1, 2, m.nv)
    d.hard_wrench[:n] = r.normal(size=(n, 6))
    d.hard_y[:m.nv] = r.normal(size=m.nv)
    S2, S3 = np.zeros((6 * n, m.nv)), np.zeros((6 * n, m.nv))
    for k, b in enumerate(m.dof_bodyid):
        S2[6 * b:6 * b + 6, k], S3[6 * b:6 * b + 6, k] = d.hard_axis2[k], d.hard_axis[k]
    A = S2.T @ K @ S3 + np.diag(d.hard_H[:m.nv])
    wanted = np.linalg.solve(A, -(S2.T @ d.hard_wrench[:n].ravel() + d.hard_y[:m.nv]))
    d.hard_first, d.hard_end = 0, int(d.hard_islandnum[0, 0])
    eliminate.factor(m, d)
    eliminate.solve(m, d)
    assert np.abs(d.hard_dir[:m.nv] - wanted).max() < 1e-9 * np.abs(wanted).max()
    assert np.abs(d.hard_nu[1:n].ravel() - (S3 @ wanted)[6:]).max() < 1e-9 * np.abs(wanted).max()
