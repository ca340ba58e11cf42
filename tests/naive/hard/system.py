"""The unknowns of a step, their residual, and its matrix, all of it: velocities of every body, impulses of every joint, joint rates, cones.

Between a body and the one that carries it stands a joint with six impulses `lam` (about the body's centre of mass as it was at the start);
what the joint lets through is told by one rate per dof, and the joint's own equation is that the impulses do no work along the dof but that of
its forces. Nothing is eliminated.

Fixed tendons have limits and dry friction as joints do: in the lists of both they come behind the joints and the dofs.
"""
from __future__ import annotations

import numpy as np

from physics.enums import DSBL_DAMPER, DSBL_FRICTIONLOSS, DSBL_GRAVITY, DSBL_LIMIT, JNT_BALL, JNT_FREE, JNT_SLIDE, TENDON_FIXED
from tests.naive import smooth
from tests.naive.hard import cones
from tests.naive.hard.frames import TINY, centres, conj, matrix, motions, moving_bodies, turned_by
from tests.naive.hard.rows import contact_rows
from tests.naive.smooth import product


class System:
    """One step from the state of a Data whose stages up to actuation have been computed. Exact complementarity kappa [J], 0: as far as the tolerances.

    gap_unit: how much the products of gaps and of distances from limits count beside those of friction. 1: all are energies, h: gaps are lengths, as the paper measures them.
    """

    def __init__(self, m, d, kappa=0.0, rows=None, gap_unit=1.0):
        self.m, self.h, self.kappa, self.gap_unit = m, m.opt_timestep, kappa, gap_unit
        self.bodies = moving_bodies(m)
        self.at = {b: 6 * i for i, b in enumerate(self.bodies)}
        self.qpos2, self.qvel = d.qpos.copy(), d.qvel.copy()
        self.gravity = np.zeros(3) if m.opt_disableflags & DSBL_GRAVITY else np.array(m.opt_gravity)
        self.rows = contact_rows(m, d) if rows is None else rows
        self.x2, self.q2 = centres(m, self.qpos2)
        for b in range(m.nbody):
            if b not in self.at:
                self.x2[b] = 0.0
        self.motion2 = motions(m, self.qpos2)
        self.inertia = np.array([matrix(q) @ np.diag(m.body_inertia[b]) @ matrix(q).T for b, q in enumerate(self.q2)])
        # what the last step and the forces have left to every body (16), (17): the momentum carried to index 2, in world axes
        x1, q1 = centres(m, smooth.move(m, self.qpos2, -self.h * self.qvel))
        self.given = np.zeros((m.nbody, 6))
        for b in self.bodies:
            v, s, w = self._rates((x1[b] - self.x2[b]) / -self.h, product(self.q2[b], conj(q1[b])))
            self.given[b, :3] = m.body_mass[b] * (v + self.h * self.gravity) + self.h * d.xfrc_applied[b, :3]
            self.given[b, 3:] = s * self.inertia[b] @ w - self.h / 2 * np.cross(w, self.inertia[b] @ w) + self.h * d.xfrc_applied[b, 3:]
        # forces on the dofs: given ones, and how they change until the end of the step
        damping, stiffness = slopes(m, self.qvel)
        self.tau = self.h * (d.qfrc_passive + d.qfrc_applied + d.qfrc_actuator + damping * self.qvel)
        self.slope = m.dof_armature + self.h * damping + self.h**2 * stiffness
        self.tendons = fixed_tendons(m)
        self.limits = [] if m.opt_disableflags & DSBL_LIMIT else [
            (int(j), side) for j in np.flatnonzero([*m.jnt_limited, *m.tendon_limited])
            for side in ((1,) if j < m.njnt and m.jnt_type[j] == JNT_BALL else (1, 0)) if self._may_be_reached(j)]
        self.dry = [] if m.opt_disableflags & DSBL_FRICTIONLOSS else [
            (dof, self.h * loss) for dof, loss in zip([*np.eye(m.nv), *self.tendons], [*m.dof_frictionloss, *m.tendon_frictionloss], strict=True) if loss > 0]
        self.start()

    def _may_be_reached(self, j):
        """Whether an end of a joint's range is near enough to count; every one does at a point of the central path."""
        if self.kappa > 0:
            return True
        if j >= self.m.njnt:
            (low, high), length = self.m.tendon_range[j - self.m.njnt], self._length(j, self.qpos2)
            return min(high - length, length - low) <= 20 * self.h * self._tendon_speed(self.tendons[j - self.m.njnt])
        a, (low, high) = self.m.jnt_qposadr[j], self.m.jnt_range[j]
        if self.m.jnt_type[j] == JNT_BALL:
            return True
        return min(high - self.qpos2[a], self.qpos2[a] - low) <= 20 * self.h * self._joint_speed(j, [self.m.jnt_dofadr[j]])

    def _fall(self):
        """The speed that a fall of one step gives; where there is no gravity something else of 0.1 m/s2 may push."""
        return self.h * max(np.linalg.norm(self.gravity), 0.1)

    def _joint_speed(self, j, dofs):
        """The speed that a joint may have: what it has, and what a fall of one step gives, at 0.1 m where it turns."""
        fall = self._fall()
        return np.linalg.norm(self.qvel[dofs]) + (fall if self.m.jnt_type[j] == JNT_SLIDE else fall / 0.1)

    def _length(self, j, qpos):
        """Length of the fixed tendon that comes as j behind the joints."""
        m, dofs = self.m, self.tendons[j - self.m.njnt]
        return sum(dofs[m.jnt_dofadr[i]] * qpos[m.jnt_qposadr[i]] for i in range(m.njnt))

    def _tendon_speed(self, dofs):
        """The speed that a fixed tendon may have, as its joints."""
        m = self.m
        return abs(dofs @ self.qvel) + sum(abs(x) * self._fall() / (1.0 if m.jnt_type[m.dof_jntid[k]] == JNT_SLIDE else 0.1) for k, x in enumerate(dofs))

    def _rates(self, v, turn):
        """(v, s, w) of a turn (s, u): w = 2 u / h, s the scalar, positive."""
        turn = turn if turn[0].real > 0 else -turn
        return v, turn[0], 2 * turn[1:] / self.h

    # ---------------------------------------------------------------- where things are

    def place(self, qpos3):
        """Take the joint coordinates qpos3 as those at the end."""
        self.qpos3 = qpos3
        self.x3, self.q3 = centres(self.m, qpos3)
        self.motion3 = motions(self.m, qpos3)
        self.rates = smooth_difference(self.m, self.qpos2, qpos3, self.h)

    def arms(self, row):
        """From each body's centre of mass to the point where the forces act, as at the start."""
        return [row.point - self.x2[b] for b in row.bodies]

    def pair(self, row, moved=None, angle=None, which=None):
        """(before, after, motion) of a row's two bodies; body `which` moved and turned besides by these (complex) steps."""
        before, after, motion = [], [], []
        for k, b in enumerate(row.bodies):
            before.append(self.x2[b])
            if b == 0:
                after.append((np.zeros(3), np.array([1.0, 0, 0, 0])))
                motion.append((np.zeros(3), np.zeros(3)))
                continue
            x, q = self.x3[b], self.q3[b]
            if k == which:
                x, q = x + moved, turned_by(q, angle)
            turn = product(q, conj(self.q2[b]))
            v, _, w = self._rates((x - self.x2[b]) / self.h, turn)
            after.append((x, turn))
            motion.append((v, w))
        return before, after, motion

    # ---------------------------------------------------------------- residuals

    def momentum(self, b, moved=None, angle=None):
        """Momentum of body b at the beginning of the step's second half, in world axes (16), (17)."""
        x, q = self.x3[b], self.q3[b]
        if moved is not None:
            x, q = x + moved, turned_by(q, angle)
        v, s, w = self._rates((x - self.x2[b]) / self.h, product(q, conj(self.q2[b])))
        inertia = self.inertia[b]
        return np.concatenate([self.m.body_mass[b] * v, s * inertia @ w + self.h / 2 * np.cross(w, inertia @ w)])

    def impulses(self, cones_):
        """Contact impulses on every body about its centre of mass, (nbody, 6); cones_: per row (s, gamma, eta, xi) with xi without its first."""
        out = np.zeros((self.m.nbody, 6))
        for row, (_, gamma, _, xi) in zip(self.rows, cones_, strict=True):
            force, torque = row.impulse(gamma, xi)
            for sign, b, arm in zip((-1, 1), row.bodies, self.arms(row), strict=True):
                if b:
                    out[b] += sign * np.concatenate([force, np.cross(arm, force) + torque])
        return out

    def slack(self, j, side):
        """Distance of a joint from its limit at the trial coordinates, over h; side 1: the upper one, or that of a ball's angle."""
        m = self.m
        if j >= m.njnt:
            (low, high), length = m.tendon_range[j - m.njnt], self._length(j, self.qpos3)
            return (high - length if side else length - low) / self.h
        a, (low, high) = m.jnt_qposadr[j], m.jnt_range[j]
        if m.jnt_type[j] == JNT_BALL:
            return (max(low, high) - np.linalg.norm(smooth.log(self.qpos3[a:a + 4]))) / self.h
        return ((high - self.qpos3[a]) if side else (self.qpos3[a] - low)) / self.h

    def closing(self, j, side, qpos):
        """(dofs, how their rates take the joint towards its limit) at these coordinates."""
        m = self.m
        if j >= m.njnt:
            return list(range(m.nv)), self.tendons[j - m.njnt] * (1.0 if side else -1.0)
        k = m.jnt_dofadr[j]
        if m.jnt_type[j] != JNT_BALL:
            return [k], np.array([1.0 if side else -1.0])
        turn = smooth.log(qpos[m.jnt_qposadr[j]:m.jnt_qposadr[j] + 4])
        size = np.linalg.norm(turn)
        return [k, k + 1, k + 2], turn / size if size > 1e-9 else np.zeros(3)

    def residual(self):
        """(bodies without joint impulses (nbody, 6), dofs (nv), rows: (gap, slips, product, products), limits: (slack, product), dry friction: (rate, products))."""
        body = np.zeros((self.m.nbody, 6))
        for b in self.bodies:
            body[b] = self.momentum(b) - self.given[b]
        body -= self.impulses(self.cone)
        dof = np.einsum("bik,bi->k", self.motion2, body) + self.slope * self.rates - self.m.dof_armature * self.qvel - self.tau
        rows = []
        for row, (s, gamma, eta, xi) in zip(self.rows, self.cone, strict=True):
            before, after, motion = self.pair(row)
            slip = row.friction * row.slips(self.arms(row), motion) - eta[1:]
            products = cones.product(eta, np.array([gamma, *xi])) if row.cone else np.zeros(0)
            rows.append((row.gap(before, after) / self.h - s, slip, s * gamma, products))
        limits = []
        for (j, side), (s, gamma) in zip(self.limits, self.bound, strict=True):
            limits.append((self.slack(j, side) - s, s * gamma))
            dofs, push = self.closing(j, side, self.qpos2)
            dof[dofs] += gamma * push
        dry = []
        for (along, loss), (tau, forwards, backwards) in zip(self.dry, self.rub, strict=True):
            dof -= tau * along
            dry.append((along @ self.rates - forwards + backwards, forwards * (loss + tau), backwards * (loss - tau)))
        return body, dof, rows, limits, dry

    def violations(self):
        """(r, kappa): the largest of the residuals (49), and of the products' distance from kappa (50)."""
        _, dof, rows, limits, dry = self.residual()
        r, k = [0.0, *np.abs(dof)], [0.0]
        for gap, slip, product_, products in rows:
            r += [abs(gap), *np.abs(slip)]
            k.append(abs(self.gap_unit * product_ - self.kappa))
            if len(products):
                k += list(np.abs(products - self.kappa * cones.identity(len(products))))
        for slack, product_ in limits:
            r.append(abs(slack))
            k.append(abs(self.gap_unit * product_ - self.kappa))
        for rate, *both in dry:
            r.append(abs(rate))
            k += [abs(x - self.kappa) for x in both]
        return max(r), max(k)

    # ---------------------------------------------------------------- the start

    def start(self):
        """The first point: the velocity of the last step, cones on a central path by physical scales."""
        m, h = self.m, self.h
        self.place(smooth.move(m, self.qpos2, h * self.qvel))
        fall = self._fall()
        trees = [[m.body_treeid[b] for b in row.bodies if b] for row in self.rows]
        self.cone, self.bound, self.rub = [], [], []
        for row, own in zip(self.rows, trees, strict=True):
            before, after, motion = self.pair(row)
            speed = fall + sum(np.linalg.norm(v) + np.linalg.norm(arm) * np.linalg.norm(w) for arm, (v, w), b in zip(self.arms(row), motion, row.bodies, strict=True) if b)
            lighter = min(own, key=lambda t: m.body_subtreemass[m.tree_bodyadr[t]])
            mass, number = m.body_subtreemass[m.tree_bodyadr[lighter]], sum(other.count(lighter) for other in trees)
            s = max(row.gap(before, after) / h, speed)
            n = len(row.friction)
            eta = np.zeros(row.cone)
            if n:
                eta[0] = row.friction[:2].max() * speed + 1.5 * np.linalg.norm(row.friction * row.slips(self.arms(row), motion))
            self.cone.append((s, mass * speed**2 / (number * s), eta, np.zeros(n)))
        for j, side in self.limits:
            dofs, _ = self.closing(j, side, self.qpos2)
            of_tendon = j >= m.njnt
            speed = self._tendon_speed(self.tendons[j - m.njnt]) if of_tendon else self._joint_speed(j, dofs)
            s = max(self.slack(j, side), speed)
            self.bound.append((s, (1 / m.tendon_invweight0[j - m.njnt] if of_tendon else m.dof_M0[dofs[0]]) * speed**2 / s))
        self.rub = [(0.0, *[self._tendon_speed(along)] * 2) for along, _ in self.dry]

    # ---------------------------------------------------------------- the matrix

    def layout(self):
        """Where the unknowns lie: (bodies' motion over h, joint impulses, dofs, rows, limits, dry friction, number of all)."""
        n, nv = 6 * len(self.bodies), self.m.nv
        rows, end = [], 2 * n + nv
        for row in self.rows:
            rows.append(end)
            end += 2 if not row.cone else 1 + 2 * row.cone
        limits = [end + 2 * i for i in range(len(self.limits))]
        end += 2 * len(self.limits)
        return 0, n, 2 * n, rows, limits, [end + 3 * i for i in range(len(self.dry))], end + 3 * len(self.dry)

    def matrix(self):
        """Derivative of all residuals by all unknowns (29): bodies, joints' geometry, dofs, then rows and limits."""
        m, h = self.m, self.h
        _, lam, rate, rows_at, limits_at, dry_at, n = self.layout()
        out = np.zeros((n, n))
        for b in self.bodies:
            i = self.at[b]
            for k in range(6):
                step = np.zeros(6, complex)
                step[k] = 1j * TINY * h
                out[i:i + 6, i + k] = self.momentum(b, step[:3], step[3:]).imag / TINY
            # the wrench of a joint, about the centre of mass of the body, and what its parent feels of it
            out[i:i + 6, lam + i:lam + i + 6] = -np.eye(6)
            a = m.body_parentid[b]
            if a in self.at:
                arm = self.x2[b] - self.x2[a]
                carried = np.eye(6)
                carried[3:, :3] = [[0, -arm[2], arm[1]], [arm[2], 0, -arm[0]], [-arm[1], arm[0], 0]]
                out[self.at[a]:self.at[a] + 6, lam + i:lam + i + 6] = carried
            # what a joint lets through: motion = that of the parent, carried, + axes . rates
            out[lam + i:lam + i + 6, i:i + 6] = np.eye(6)
            if a in self.at:
                arm = self.x3[b] - self.x3[a]
                through = np.eye(6)
                through[:3, 3:] = [[0, arm[2], -arm[1]], [-arm[2], 0, arm[0]], [arm[1], -arm[0], 0]]
                out[lam + i:lam + i + 6, self.at[a]:self.at[a] + 6] = -through
            for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
                out[lam + i:lam + i + 6, rate + k] = -self.motion3[b, :, k]
                out[rate + k, lam + i:lam + i + 6] = self.motion2[b, :, k]
        out[rate:rate + m.nv, rate:rate + m.nv] = np.diag(self.slope)
        for row, at, variables in zip(self.rows, rows_at, self.cone, strict=True):
            self._row_matrix(out, row, at, *variables)
        for (j, side), at, (s, gamma) in zip(self.limits, limits_at, self.bound, strict=True):
            dofs, push = self.closing(j, side, self.qpos2)
            _, slope = self.closing(j, side, self.qpos3)
            for k, one, two in zip(dofs, push, slope, strict=True):
                out[rate + k, at + 1] = one
                out[at, rate + k] = -two
            out[at, at] = -1.0
            out[at + 1, at], out[at + 1, at + 1] = gamma, s
        for (along, loss), at, (tau, forwards, backwards) in zip(self.dry, dry_at, self.rub, strict=True):
            out[rate:rate + m.nv, at] = -along
            out[at, rate:rate + m.nv], out[at, at + 1], out[at, at + 2] = along, -1.0, 1.0
            out[at + 1, at], out[at + 1, at + 1] = forwards, loss + tau
            out[at + 2, at], out[at + 2, at + 2] = -backwards, loss - tau
        return out

    def _row_matrix(self, out, row, at, s, gamma, eta, xi):
        """Equations at .. : gap, slips, product, products. Unknowns: s, gamma, eta, xi without its first."""
        n = len(row.friction)
        product_at, products_at = at + 1 + n, at + 2 + n
        for which, b in enumerate(row.bodies):
            if not b:
                continue
            sign = 2 * which - 1
            for k in range(6):
                step = np.zeros(6, complex)
                step[k] = 1j * TINY * self.h
                before, after, motion = self.pair(row, step[:3], step[3:], which)
                out[at, self.at[b] + k] = row.gap(before, after).imag / (TINY * self.h)
                out[at + 1:at + 1 + n, self.at[b] + k] = row.friction * row.slips(self.arms(row), motion).imag / TINY
            arm = self.arms(row)[which]
            for column, direction in [(at + 1, (1.0, np.zeros(n))), *((at + 3 + n + k, (0.0, np.eye(n)[k])) for k in range(n))]:
                force, torque = row.impulse(*direction)
                out[self.at[b]:self.at[b] + 6, column] -= sign * np.concatenate([force, np.cross(arm, force) + torque])
        out[at, at] = -1.0
        out[product_at, at], out[product_at, at + 1] = gamma, s
        if n:
            # columns: s, gamma, eta (n + 1), xi (n)
            first_eta, first_xi = at + 2, at + 3 + n
            out[at + 1:at + 1 + n, first_eta + 1:first_eta + 1 + n] = -np.eye(n)
            by_eta, by_xi = cones.arrow(np.array([gamma, *xi])), cones.arrow(eta)
            out[products_at:products_at + n + 1, first_eta:first_eta + n + 1] = by_eta
            out[products_at:products_at + n + 1, at + 1] = by_xi[:, 0]
            out[products_at:products_at + n + 1, first_xi:first_xi + n] = by_xi[:, 1:]


def slopes(m, qvel, step=1e-5):
    """(damping, stiffness) of the dofs that act as they are at the end of the step: dampers, linear about the start, and servos on joints."""
    damping, stiffness = np.zeros(m.nv), np.zeros(m.nv)
    if not m.opt_disableflags & DSBL_DAMPER:
        for k in range(m.nv):
            high, low = (smooth.damper_force(m, qvel + sign * step * np.eye(m.nv)[k])[k] for sign in (1, -1))
            damping[k] = max(0.0, (low - high) / (2 * step))
    for i in range(m.nu):
        if m.actuator_trntype[i] == 0 and m.actuator_biastype[i] == 1:
            k, gear = m.jnt_dofadr[m.actuator_trnid[i, 0]], m.actuator_gear[i, 0]
            stiffness[k] -= m.actuator_biasprm[i, 1] * gear**2
            damping[k] -= m.actuator_biasprm[i, 2] * gear**2
    return damping, stiffness


def fixed_tendons(m):
    """How the length of each fixed tendon changes with the dofs (ntendon, nv); zeros for a spatial one."""
    out = np.zeros((m.ntendon, m.nv))
    for t in range(m.ntendon):
        for w in range(m.tendon_adr[t], m.tendon_adr[t] + m.tendon_num[t]):
            if m.tendon_type[t] == TENDON_FIXED:
                out[t, m.jnt_dofadr[m.wrap_objid[w]]] += m.wrap_prm[w]
    return out


def smooth_difference(m, one, two, h):
    """The velocities that lead from the coordinates `one` to `two` in the time h."""
    out = np.zeros(m.nv)
    for j in range(m.njnt):
        a, k, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind not in (JNT_FREE, JNT_BALL):
            out[k] = (two[a] - one[a]) / h
            continue
        if kind == JNT_FREE:
            out[k:k + 3] = (two[a:a + 3] - one[a:a + 3]) / h
            a, k = a + 3, k + 3
        out[k:k + 3] = smooth.log(product(conj(one[a:a + 4]), two[a:a + 4])) / h
    return out
