"""The method as the paper's authors ran it, where that differs from ours: for the figures that they have kept.

Differences from system.py and newton.py: velocities and angular velocities (these in the body's axes) are the unknowns and are added to; contact
points, normals' arms and slips are those at the end of the step; the slack is the distance itself; xi_0 = mu gamma is an equation; all cones start
at 1.5 e whatever the scales; the products aim at a fixed target and the solve stops wherever they are below the tolerance; the target of the last
corrector is still in the right side when the next predictor begins; 1e-10 is added to the diagonals of the matrix. Contacts are points that ride on
a body, against half spaces that do not move; a body is free, or held in fixed directions by slides and hinges on the world.

Source: the paper's algorithms 1 and 2, and what the results that its repository keeps (github.com/dojo-sim/Dojo.jl, branch DANO,
examples/gradients/data_v2) show of options that the paper leaves open.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.enums import JNT_BALL, JNT_FREE, JNT_SLIDE
from tests.naive import smooth
from tests.naive.hard import cones
from tests.naive.hard.frames import TINY, centres, conj, matrix, moving_bodies
from tests.naive.smooth import product

REGULAR = 1e-10
START = 1.5
BLUR = 1e-14   # of cones' determinants


class Point(NamedTuple):
    """A point of a body, `place` in the axes of its inertial frame, that stays above the plane through the world's origin with this normal."""

    body: int
    place: np.ndarray
    friction: float
    normal: np.ndarray = np.array([0.0, 0, 1])


class Result(NamedTuple):
    """Where a step has stopped."""

    converged: bool
    iterations: int
    x3: np.ndarray            # (nbody, 3)
    by_impulse: np.ndarray    # derivative of x3 by the impulses on bodies, (nbody, 3, nbody, 3)
    r: float
    kappa: float


class Repository:
    """A step from (qpos, qvel), with impulses (nbody, 3) [N s] on the centres of mass."""

    def __init__(self, m, qpos, qvel, points, impulses=None):
        self.m, self.h, self.points = m, m.opt_timestep, points
        self.bodies = moving_bodies(m)
        self.impulses = np.zeros((m.nbody, 3)) if impulses is None else impulses
        self.x2, self.q2 = centres(m, qpos)
        x1, q1 = centres(m, smooth.move(m, qpos, -self.h * np.asarray(qvel)))
        self.v15 = (self.x2 - x1) / self.h
        self.w15 = np.array([2 / self.h * product(conj(a), b)[1:] for a, b in zip(q1, self.q2, strict=True)])
        self.held = [self._held_directions(b) for b in self.bodies]
        self.rest = centres(m, m.qpos0)
        count = [len(a) + len(b) for a, b in self.held]
        n = 6 * len(self.bodies)
        self.row_at = np.cumsum([n, *count])
        self.point_at = [int(self.row_at[-1]) + 8 * i for i in range(len(points))]
        self.n = int(self.row_at[-1]) + 8 * len(points)
        self.maps = [self._impulse_map(i) for i in range(len(self.bodies))]

    def _held_directions(self, b):
        """(translations, rotations) that the joints of b do not let through, as rows of unit vectors."""
        m = self.m
        joints = range(m.body_jntadr[b], m.body_jntadr[b] + m.body_jntnum[b])
        if m.body_parentid[b] or any(m.jnt_type[j] == JNT_BALL for j in joints):
            raise ValueError("bodies on the world, free or with slides and hinges")
        if any(m.jnt_type[j] == JNT_FREE for j in joints):
            return np.zeros((0, 3)), np.zeros((0, 3))
        slides = [m.jnt_axis[j] for j in joints if m.jnt_type[j] == JNT_SLIDE]
        hinges = [m.jnt_axis[j] for j in joints if m.jnt_type[j] != JNT_SLIDE]
        return _complement(slides), _complement(hinges)

    def _displacement(self, i, x, q):
        b, (along, about) = self.bodies[i], self.held[i]
        return np.concatenate([along @ (x - self.rest[0][b]), about @ product(conj(self.rest[1][b]), q)[1:]])

    def _impulse_map(self, i):
        """How the held directions of body i push it (rows, 6), as at index 2: force in the world's axes, torque in the body's."""
        b = self.bodies[i]
        out = np.zeros((sum(map(len, self.held[i])), 6))
        for k in range(6):
            step = np.zeros(6, complex)
            step[k] = 1j * TINY
            q = product(self.q2[b], np.array([1, *(step[3:] / 2)]))
            out[:, k] = self._displacement(i, self.x2[b] + step[:3], q).imag / TINY
        return out

    def next_pose(self, b, v, w):
        """(x3, q3) by the velocities of the step (17), (18)."""
        half = self.h / 2 * w
        return self.x2[b] + self.h * v, product(self.q2[b], np.array([np.sqrt(1 - half @ half), *half]))

    def residual(self, z):
        """All equations: bodies, held directions, then per point: slack's product, cone's products, distance, friction's limit, slip."""
        m, h = self.m, self.h
        out = np.zeros(self.n, z.dtype)
        poses = []
        gravity = h * np.array(m.opt_gravity)
        for i, b in enumerate(self.bodies):
            v, w = z[6 * i:6 * i + 3], z[6 * i + 3:6 * i + 6]
            x, q = self.next_pose(b, v, w)
            poses.append((x, q))
            inertia, old, half = m.body_inertia[b], self.w15[b], h / 2
            out[6 * i:6 * i + 3] = m.body_mass[b] * (v - self.v15[b] - gravity) - self.impulses[b]
            out[6 * i + 3:6 * i + 6] = (np.sqrt(1 - half**2 * (w @ w)) * inertia * w + half * np.cross(w, inertia * w)
                                        - np.sqrt(1 - half**2 * (old @ old)) * inertia * old + half * np.cross(old, inertia * old))
            rows = slice(self.row_at[i], self.row_at[i + 1])
            out[6 * i:6 * i + 6] -= self.maps[i].T @ z[rows]
            out[rows] = self._displacement(i, x, q)
        for point, at in zip(self.points, self.point_at, strict=True):
            i = self.bodies.index(point.body)
            (x, q), v, w = poses[i], z[6 * i:6 * i + 3], z[6 * i + 3:6 * i + 6]
            r = matrix(q)
            arm = r @ point.place
            tangents = _complement([point.normal])
            s, eta, gamma, xi = z[at], z[at + 1:at + 4], z[at + 4], z[at + 5:at + 8]
            slip = tangents @ (v + np.cross(r @ w, arm))
            out[at], out[at + 1:at + 4] = s * gamma, cones.product(eta, xi)
            out[at + 4], out[at + 5], out[at + 6:at + 8] = point.normal @ (x + arm) - s, point.friction * gamma - xi[0], slip - eta[1:]
            force = gamma * point.normal + xi[1:] @ tangents
            out[6 * i:6 * i + 3] -= force
            out[6 * i + 3:6 * i + 6] -= r.T @ np.cross(arm, force)
        return out

    def matrix(self, z):
        """Derivative of all equations by all unknowns, with the small numbers on its diagonals."""
        out = np.zeros((self.n, self.n))
        for k in range(self.n):
            step = z.astype(complex)
            step[k] += 1j * TINY
            out[:, k] = self.residual(step).imag / TINY
        ends = self.row_at[-1]
        out[range(ends), range(ends)] += REGULAR
        for at in self.point_at:
            for k in range(4):
                out[at + k, at + k] += REGULAR
                out[at + k, at + 4 + k] += REGULAR
        return out

    def violations(self, z):
        """(r, kappa): the largest of all that is no product, and the largest product."""
        value = np.abs(self.residual(z))
        products = np.zeros(self.n, bool)
        for at in self.point_at:
            products[at:at + 4] = True
        return value[~products].max(), value[products].max(initial=0.0)

    def solve(self, rtol=1e-10, btol=1e-10, undercut=1.0, stalled_undercut=1.0, iterations=50) -> Result:
        """The step, with the repository's options of these names; undercut infinite: no floor under the target."""
        z = np.zeros(self.n)
        for i, b in enumerate(self.bodies):
            z[6 * i:6 * i + 3], z[6 * i + 3:6 * i + 6] = self.v15[b], self.w15[b]
        for at in self.point_at:
            z[[at, at + 1, at + 4, at + 5]] = START
        (r, k), stalls = self.violations(z), 0
        for done in range(iterations):
            if r < rtol and k < btol:
                break
            a, value = self.matrix(z), self.residual(z)
            toward = np.linalg.solve(a, -value)
            reach = self._longest(z, toward, 0.95, 0.95)
            mu, after = self._mean(z), self._mean(z + reach * toward)
            target = max(min(1.0, max(0.0, after / (mu + 1e-20)))**3 * mu, btol / undercut)
            for at in self.point_at:
                value[[at, at + 1]] -= target
                value[at] += toward[at] * toward[at + 4]
                value[at + 1:at + 4] += cones.product(toward[at + 1:at + 4], toward[at + 5:at + 8])
            step = np.linalg.solve(a, -value)
            fraction = max(0.95, 1 - max(r, k)**2)
            alpha = self._longest(z, step, fraction, min(fraction, 0.95))
            for _ in range(10):
                trial = self._slowed(z + alpha * step)
                now = self.violations(trial)
                if not (now[0] > r and now[1] >= k):
                    break
                alpha /= 2
            better = not now[0] < rtol and now[0] < 0.8 * r or not now[1] < btol and now[1] < 0.8 * k
            stalls = max(stalls - 1, 0) if better else stalls + 1
            undercut *= stalled_undercut if stalls >= 3 else 1.0
            z, (r, k) = trial, now
        else:
            done = iterations
        return self._result(z, r < rtol and k < btol, done, r, k)

    def _slowed(self, z):
        """No body turns faster than the step can say."""
        limit = 3.9 / self.h**2
        for i in range(len(self.bodies)):
            w = z[6 * i + 3:6 * i + 6]
            if w @ w > limit:
                z[6 * i + 3:6 * i + 6] = w * (limit / (w @ w))
        return z

    def _longest(self, z, step, orthant, cone):
        alpha = 1.0
        for at in self.point_at:
            for k in (at, at + 4):
                alpha = min(alpha, orthant * cones.edge(z[k:k + 1], step[k:k + 1]))
                alpha = min(alpha, cone * cones.edge(z[k + 1:k + 4], step[k + 1:k + 4], BLUR))
        return alpha

    def _mean(self, z):
        return sum(z[at:at + 4] @ z[at + 4:at + 8] for at in self.point_at) / max(1, 2 * len(self.points))

    def _result(self, z, converged, done, r, k):
        x3 = self.x2.copy()
        inverse = np.linalg.inv(self.matrix(z))
        by_impulse = np.zeros((self.m.nbody, 3, self.m.nbody, 3))
        for i, b in enumerate(self.bodies):
            x3[b] = self.next_pose(b, z[6 * i:6 * i + 3], z[6 * i + 3:6 * i + 6])[0]
            for j, c in enumerate(self.bodies):
                by_impulse[b, :, c] = self.h * inverse[6 * i:6 * i + 3, 6 * j:6 * j + 3]
        return Result(converged, done, x3, by_impulse, r, k)


def _complement(axes):
    """Orthonormal rows that are normal to all of these vectors."""
    if not axes:
        return np.eye(3)
    _, sizes, rows = np.linalg.svd(np.array(axes, float).reshape(-1, 3), full_matrices=True)
    return rows[int((sizes > 1e-9).sum()):]
