"""A model about one moment with its rows as they are there: what an impact does with nothing but these, and with what is taken away.

    M a + C v + K q = f_smooth + J' f        f_i = -s'(J_i a - aref_i)        aref_i = aref_i0 - b_i J_i v - k_i d_i P_i q

M, J, P, K, C stay those of the moment; rows push, let go and slide by the engine's own costs s (one-sided, bounded, elliptic cones). So what differs from the engine is where
bodies have moved to. Each of `Parts` can be made simpler, down to the one coordinate of the tuner.

Source: MuJoCo documentation, chapter Computation, "Constraint model", "Constraint solver", "Numerical integration".
"""
from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from physics.diagnostics.constraint_rows import dense_jacobian
from physics.enums import (
    CNSTR_CONTACT_ELLIPTIC,
    CNSTR_CONTACT_FRICTIONLESS,
    CNSTR_CONTACT_PYRAMIDAL,
    CNSTR_FRICTION_DOF,
    CNSTR_FRICTION_TENDON,
    CNSTR_LIMIT_JOINT,
    CNSTR_LIMIT_TENDON,
    ConstraintState,
)
from physics.query.mass_matrix import full_m

MOST_ITERATIONS, SHARE = 100, 1e-10     # of Newton's method, of the force that may be left


class Kind(IntEnum):
    """How a row's force follows from its residual."""

    ALWAYS = 0
    PUSHES = 1
    BOUNDED = 2
    CONE = 3


ONE_SIDED = (CNSTR_CONTACT_FRICTIONLESS, CNSTR_CONTACT_PYRAMIDAL, CNSTR_LIMIT_JOINT, CNSTR_LIMIT_TENDON)


@dataclass(frozen=True)
class Parts:
    """What is counted. lets_go: whether the other rows let go and slide as they do, or hold as they do at the moment; dry: the same of the dry friction of joints and tendons;
    own: the same of the contact's own points and friction; smooth: servos, springs, dampers and gravity as they follow the motion, or as forces that stay."""

    lets_go: bool = True
    dry: bool = True
    own: bool = True
    smooth: bool = True


class Frozen:
    """rows: those of the contact. The state is (q, v), displacements of all dofs from the moment and their speeds."""

    def __init__(self, m, d, rows: np.ndarray, smooth: tuple[np.ndarray, np.ndarray], ends: np.ndarray):
        n = int(d.nefc)
        self.M, self.h, self.force = full_m(m, d), float(m.opt_timestep), np.array(d.qfrc_smooth)
        self.K, self.C = smooth
        self.ends = ends
        J = dense_jacobian(m, d, range(n))
        self.J, self.P, self.D = J, position_jacobian(d, J), np.array(d.efc_D[:n])
        self.kd, self.b = d.efc_KBIP[:n, 0] * d.efc_KBIP[:n, 2], np.array(d.efc_KBIP[:n, 1])
        self.pos, self.aref, self.bound = d.efc_pos[:n] - d.efc_margin[:n], np.array(d.efc_aref[:n]), np.array(d.efc_frictionloss[:n])
        self.state, self.pushes, self.qacc = np.array(d.efc_state[:n]), np.array(d.efc_force[:n]), np.array(d.qacc)
        types = np.array(d.efc_type[:n])
        self.kinds = np.select([np.isin(types, ONE_SIDED), np.isin(types, (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON)), types == CNSTR_CONTACT_ELLIPTIC],
                               [Kind.PUSHES, Kind.BOUNDED, Kind.CONE], Kind.ALWAYS)
        self.cones = [(np.arange(first, first + int(d.contact_dim[k])), float(d.contact_mu[k]), np.array(d.contact_friction[k, :int(d.contact_dim[k]) - 1]))
                      for k in range(d.ncon) if (first := int(d.contact_efc_address[k])) >= 0 and types[first] == CNSTR_CONTACT_ELLIPTIC]
        self.mine = np.isin(np.arange(n), rows)
        self._add_friction_of(d, rows)
        w = self.D[rows] / self.D[rows].sum()
        self.rows, self.j, self.depth = rows, w @ J[rows], -float(w @ self.pos[rows])

    def _add_friction_of(self, d, rows) -> None:
        """Tangential rows of an elliptic contact belong to it, too."""
        for cone, _mu, _friction in self.cones:
            if cone[0] in rows:
                self.mine[cone] = True

    # ------------------------------------------------------------------ a run

    def run(self, parts: Parts, q: np.ndarray, v: np.ndarray, steps: int, until_off: bool = False) -> np.ndarray:
        """(steps + 1, 2): r and its speed; until_off: only until the contact has touched and is off again."""
        rows, free0, K, C, ends = self._counted(parts)
        H = self.M + self.h * ends
        a, out, touched = self.qacc.copy(), [], False
        for _ in range(steps + 1):
            r, u = float(self.j @ q) - self.depth, float(self.j @ v)
            out.append((r, u))
            touched |= r < 0.0
            if until_off and touched and r >= 0.0 and u > 0.0:
                break
            smooth = free0 - K @ q - C @ v
            a, f = rows.solve(self.M, smooth, q, v, a)
            v = v + self.h * np.linalg.solve(H, smooth + rows.J.T @ f)
            q = q + self.h * v
        return np.array(out)

    def _counted(self, parts: Parts):
        zero = np.zeros_like(self.K)
        kinds, keep, force = self.kinds.copy(), np.ones(len(self.kinds), bool), self.force.copy()
        cones = self.cones
        extra = None
        held = self.state == ConstraintState.QUADRATIC
        dry = self.kinds == Kind.BOUNDED
        for simple, which in ((not parts.lets_go, ~self.mine & ~dry), (not parts.dry, dry), (not parts.own, self.mine)):
            if simple:
                # what pushes stays, in both directions; what does not never will; what slides pushes as now
                kinds[which] = Kind.ALWAYS
                keep &= ~which | held
                sliding = which & ~held
                force += self.J[sliding].T @ self.pushes[sliding]
                cones = [cone for cone in cones if not which[cone[0][0]]]
        if not parts.own:
            # its rows along the normal as one that pushes, the rest of them as it is now
            extra = self.rows[held[self.rows]]
        rows = Rows(self, kinds, keep, cones, extra)
        return rows, force, self.K if parts.smooth else zero, self.C if parts.smooth else zero, self.ends if parts.smooth else zero


class Rows:
    """Rows that a step solves for."""

    def __init__(self, of: Frozen, kinds, keep, cones, together):
        index = np.flatnonzero(keep)
        place = np.full(len(kinds), -1)
        place[index] = np.arange(len(index))
        self.J, self.P, self.D, self.kd, self.b = of.J[index], of.P[index], of.D[index], of.kd[index], of.b[index]
        self.pos, self.aref, self.bound, self.kinds = of.pos[index], of.aref[index], of.bound[index], kinds[index]
        self.cones = [(place[rows], mu, friction) for rows, mu, friction in cones]
        self.fixed = np.zeros_like(of.M)
        if together is not None and len(together):
            # H = sum D J' J - G j' j of its rows stays, with dampers; G along the normal pushes only
            at = place[together]
            G = self.D[at].sum()
            w = self.D[at] / G
            j, P, kd, b, pos, aref = ((w @ x[at])[None] for x in (self.J, self.P, self.kd, self.b, self.pos, self.aref))
            # a negative weight takes the normal out of the rows that always act
            self.J, self.P = np.vstack([self.J, j, j]), np.vstack([self.P, P, P])
            self.D = np.r_[self.D, -G, G]
            self.kd, self.b, self.pos, self.aref = np.r_[self.kd, kd, kd], np.r_[self.b, b, b], np.r_[self.pos, pos, pos], np.r_[self.aref, aref, aref]
            self.bound, self.kinds = np.r_[self.bound, 0.0, 0.0], np.r_[self.kinds, Kind.ALWAYS, Kind.PUSHES]

    def solve(self, M, smooth, q, v, a):
        """(acceleration, forces) by Newton's method on the cost that the engine minimises."""
        aref = self.aref - self.b * (self.J @ v) - self.kd * (self.P @ q)
        here = self.pos + self.P @ q < 0.0
        for _ in range(MOST_ITERATIONS):
            f, H = self._forces(self.J @ a - aref, here)
            left = M @ a - smooth - self.J.T @ f
            if np.abs(left).max() <= SHARE * (1.0 + np.abs(smooth).max() + np.abs(self.J.T @ f).max()):
                break
            way = -np.linalg.solve(M + self.J.T @ H @ self.J, left)
            a = a + self._length(M, smooth, aref, here, a, way) * way
        return a, f

    def _length(self, M, smooth, aref, here, a, way) -> float:
        """Where along the way the slope of the cost is zero, by bisection."""
        def slope(t):
            at = a + t * way
            return float(way @ (M @ at - smooth - self.J.T @ self._forces(self.J @ at - aref, here)[0]))
        if slope(1.0) <= 1e-9 * abs(slope(0.0)):
            return 1.0
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if slope(middle) < 0.0 else (low, middle)
        return high

    def _forces(self, x, here):
        """(force of each row, second derivative of the cost by x)."""
        f, h = -self.D * x, self.D.copy()
        off = (self.kinds == Kind.PUSHES) & ((x >= 0.0) | ~here)
        bounded = (self.kinds == Kind.BOUNDED) & (np.abs(f) > self.bound)
        f[bounded] = np.sign(f[bounded]) * self.bound[bounded]
        f[off] = 0.0
        h[off | bounded] = 0.0
        H = np.diag(h)
        for rows, mu, friction in self.cones:
            self._cone(x, here, rows, mu, friction, f, H)
        return f, H

    def _cone(self, x, here, rows, mu, friction, f, H) -> None:
        U = np.r_[mu, friction] * x[rows]
        N, T = U[0], float(np.linalg.norm(U[1:]))
        block = np.ix_(rows, rows)
        if not here[rows[0]] or N >= mu * T:
            f[rows], H[block] = 0.0, 0.0
            return
        if mu * N + T <= 0.0:
            return
        weight, gap = self.D[rows[0]] / (mu * mu * (1.0 + mu * mu)), N - mu * T
        along = U[1:] / T
        slope = np.r_[mu, -mu * friction * along]
        curve = np.zeros((len(rows), len(rows)))
        curve[1:, 1:] = -mu * np.outer(friction, friction) * (np.eye(len(along)) - np.outer(along, along)) / T
        f[rows], H[block] = -weight * gap * slope, weight * (np.outer(slope, slope) + gap * curve)


def position_jacobian(d, J: np.ndarray) -> np.ndarray:
    """What a row's position follows from: the edges of a pyramid all have that of the normal, friction of an elliptic cone has none."""
    out = J.copy()
    for k in range(d.ncon):
        first, dim = int(d.contact_efc_address[k]), int(d.contact_dim[k])
        if first < 0:
            continue
        if d.efc_type[first] == CNSTR_CONTACT_PYRAMIDAL and dim > 1:
            out[first:first + 2 * (dim - 1)] = J[first:first + 2 * (dim - 1)].mean(axis=0)
        elif d.efc_type[first] == CNSTR_CONTACT_ELLIPTIC:
            out[first + 1:first + dim] = 0.0
    return out
