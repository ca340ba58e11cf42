"""The Newton matrix of a step in the unknowns and units of the paper's repository, from the plain twin's (tests/naive/hard).

The twin's unknowns are those of the engine: motions, six impulses for each body's joint, a rate for each dof, and cones whose products are all energies. The repository's
are bodies' velocities, impulses along what a joint holds alone, and cones whose gaps are lengths, so that products of gaps are h times as large as ours:
    rows     momenta; what joints hold, at the end of the step, in m and halves of rad; phi - s; xi_0 - mu gamma; v_t - eta_t; s gamma; xi o eta
    columns  v, w; impulses of joints; s [m], gamma [N s], eta [m/s], xi [N s]

Source: Dojo.jl (MIT): src/joints, src/contacts/nonlinear.jl; Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", (29).
"""
from __future__ import annotations

import numpy as np
from scipy.linalg import null_space

from tests.naive.hard.system import System


def cross_matrix(r: np.ndarray) -> np.ndarray:
    """r x."""
    x, y, z = r
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])


def held_directions(axes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """((6, 6 - k) impulses about the centre of mass that do no work along the k axes (6, k) of a joint, which of them are torques). A hinge is held at its axis by
    three forces and two torques, anything else by an orthonormal complement."""
    if axes.shape[1] == 1 and np.linalg.norm(axes[3:]) > 0.5:
        linear, axis = axes[:3, 0], axes[3:, 0]
        arm = np.cross(axis, linear)
        out = np.zeros((6, 5))
        out[:3, :3], out[3:, :3], out[3:, 3:] = np.eye(3), cross_matrix(arm), null_space(axis[None])
        return out, np.arange(5) >= 3
    out = null_space(axes.T) if axes.shape[1] else np.eye(6)
    return out, np.abs(out[:3]).max(axis=0, initial=0.0) < 1e-9


def schur(matrix: np.ndarray, rows: np.ndarray, columns: np.ndarray) -> np.ndarray:
    """What is left once these columns have been eliminated by these rows (numbers of both)."""
    keep_rows, keep_columns = (np.setdiff1d(np.arange(len(matrix)), taken) for taken in (rows, columns))
    return matrix[np.ix_(keep_rows, keep_columns)] - matrix[np.ix_(keep_rows, columns)] @ np.linalg.solve(matrix[np.ix_(rows, columns)], matrix[np.ix_(rows, keep_columns)])


def paper_matrix(system: System) -> tuple[np.ndarray, int]:
    """(R at the system's present point, how many of its rows and columns, the first ones, are those of bodies and joints). Raises ValueError for dry friction, which the paper does not have."""
    if system.dry:
        raise ValueError("the paper's matrix has no dry friction")
    m, h = system.m, system.h
    _, lam, rate, rows_at, limits_at, _, n = system.layout()
    cones = sum(1 for row in system.rows if row.cone)
    r = np.zeros((n + cones, n + cones))
    r[:n, :n] = system.matrix()
    left, right = np.eye(len(r)), np.eye(len(r))
    gone_rows, gone_columns = list(range(rate, rate + m.nv)), list(range(rate, rate + m.nv))
    # joints: impulses along what they hold and along what they let through, of which the latter are forces of the dofs
    for b in system.bodies:
        at = lam + system.at[b]
        own = slice(at, at + 6)
        dofs = range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b])
        before, after = (motion[b][:, dofs] for motion in (system.motion2, system.motion3))
        k = len(dofs)
        (push, turning), (hold, _) = held_directions(before), held_directions(after)
        half = np.where(turning, 0.5, 1.0)
        right[own, own] = np.hstack([push * half, before @ np.linalg.inv(before.T @ before) if k else np.zeros((6, 0))])
        left[own, own] = np.vstack([h * (hold * half).T, np.linalg.pinv(after) if k else np.zeros((0, 6))])
        gone_rows += range(at + 6 - k, at + 6)
        gone_columns += range(at + 6 - k, at + 6)
    # cones: gaps in metres, eta is the slip itself and xi the friction's impulse, whose bound is an unknown of its own
    extra = n
    for row, at in zip(system.rows, rows_at, strict=True):
        n_t = len(row.friction)
        left[at, at] = left[at + 1 + n_t, at + 1 + n_t] = h
        right[at, at] = 1 / h
        if not row.cone:
            continue
        mu, products = row.friction[0], slice(at + 2 + n_t, at + 2 + n_t + row.cone)
        for k in range(n_t):
            left[at + 1 + k, at + 1 + k] = 1 / mu
            right[at + 3 + n_t + k, at + 3 + n_t + k] = 1 / mu
        for k in range(row.cone):
            right[at + 2 + k, at + 2 + k] = mu
        r[products, extra], r[products, at + 1] = r[products, at + 1] / mu, 0.0
        r[extra, extra], r[extra, at + 1] = 1.0, -mu
        extra += 1
    for at in limits_at:
        left[at, at] = left[at + 1, at + 1] = h
        right[at, at] = 1 / h
    whole = schur(left @ r @ right, np.array(gone_rows), np.array(gone_columns))
    return whole, 2 * lam - (len(gone_columns) - m.nv)


def primal_matrix(system: System) -> np.ndarray:
    """R without the cones' unknowns: that of a method whose impulses are functions of the motion."""
    whole, bodies = paper_matrix(system)
    cones = np.arange(bodies, len(whole))
    return schur(whole, cones, cones)
