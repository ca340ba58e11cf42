"""Rows of dry friction, limits and contacts once more, plainly: residuals by their definition, Jacobians dense or by differences.

Source: MuJoCo documentation, Computation chapter, "Constraint model" (impedance, reference, pyramids and cones).
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.enums import CONE_ELLIPTIC, DSBL_REFSAFE, JNT_BALL
from tests.naive import smooth

LEAST, MOST, TINY = 1e-4, 0.9999, 1e-15
FRICTION_DOF, FRICTION_TENDON, LIMIT_JOINT, LIMIT_TENDON, FRICTIONLESS, PYRAMIDAL, ELLIPTIC = range(1, 8)


class Row(NamedTuple):
    """One row: its kind and element, residual, margin, friction, Jacobian, (K, B, I) and R."""

    kind: int
    element: int
    pos: float
    margin: float
    loss: float
    jac: np.ndarray
    kbi: tuple
    reg: float


def impedance(solimp, r):
    """I at a distance r beyond the margin."""
    d0, dw, mid = np.clip(np.asarray(solimp)[[0, 1, 3]], LEAST, MOST)
    width, power = max(0.0, solimp[2]), max(1.0, solimp[4])
    if d0 == dw or width <= TINY:
        return (d0 + dw) / 2
    x = min(abs(r) / width, 1.0)
    if x in (0.0, 1.0):
        return (d0, dw)[int(x)]
    y = x if power == 1 else x**power / mid**(power - 1) if x <= mid else 1 - (1 - x)**power / (1 - mid)**(power - 1)
    return d0 + y * (dw - d0)


def spring(m, solref, solimp, fallback=(0.02, 1.0)):
    """(K, B) of the reference acceleration."""
    tc, ratio = solref if (solref[0] > 0) == (solref[1] > 0) else fallback
    dw = np.clip(solimp[1], LEAST, MOST)
    if tc <= 0:
        return -tc / dw**2, -ratio / dw
    tc = tc if m.opt_disableflags & DSBL_REFSAFE else max(tc, 2 * m.opt_timestep)
    return 1 / max(TINY, (dw * tc * ratio)**2), 2 / max(TINY, dw * tc)


def plain(m, kind, element, pos, margin, loss, jac, weight, solref, solimp):
    """A row that stands alone."""
    i = impedance(solimp, pos - margin)
    k, b = spring(m, solref, solimp)
    return Row(kind, element, pos, margin, loss, jac, (0.0 if loss else k, b, i), max(TINY, (1 - i) / i * weight))


def tendon_jacobian(m, d, t):
    """A tendon's row as a dense vector; strings have a twin of their own."""
    return smooth.csr(m.ten_J_rownnz, m.ten_J_rowadr, m.ten_J_colind, d.ten_J, m.nv)[t]


def friction(m, d):
    """Rows of dry friction."""
    for k in np.flatnonzero(m.dof_frictionloss > 0):
        yield plain(m, FRICTION_DOF, k, 0.0, 0.0, m.dof_frictionloss[k], np.eye(m.nv)[k], m.dof_invweight0[k], m.dof_solref[k], m.dof_solimp[k])
    for t in np.flatnonzero(m.tendon_frictionloss > 0):
        yield plain(m, FRICTION_TENDON, t, 0.0, 0.0, m.tendon_frictionloss[t], tendon_jacobian(m, d, t), m.tendon_invweight0[t], m.tendon_solref_fri[t], m.tendon_solimp_fri[t])


def limits(m, d):
    """Rows of limits that are reached."""
    for j in np.flatnonzero(m.jnt_limited):
        q, k = m.jnt_qposadr[j], m.jnt_dofadr[j]
        if m.jnt_type[j] == JNT_BALL:
            turn = smooth.log(d.qpos[q:q + 4])
            angle, row = np.linalg.norm(turn), np.zeros(m.nv)
            row[k:k + 3] = -turn / angle
            sides = [(max(m.jnt_range[j]) - angle, row)]
        else:
            sides = [(d.qpos[q] - m.jnt_range[j, 0], np.eye(m.nv)[k]), (m.jnt_range[j, 1] - d.qpos[q], -np.eye(m.nv)[k])]
        for gap, row in sides:
            if gap < m.jnt_margin[j]:
                yield plain(m, LIMIT_JOINT, j, gap, m.jnt_margin[j], 0.0, row, m.dof_invweight0[k], m.jnt_solref[j], m.jnt_solimp[j])
    for t in np.flatnonzero(m.tendon_limited):
        for sign, end in ((1, m.tendon_range[t, 0]), (-1, m.tendon_range[t, 1])):
            if sign * (d.ten_length[t] - end) < m.tendon_margin[t]:
                yield plain(m, LIMIT_TENDON, t, sign * (d.ten_length[t] - end), m.tendon_margin[t], 0.0, sign * tendon_jacobian(m, d, t), m.tendon_invweight0[t],
                            m.tendon_solref_lim[t], m.tendon_solimp_lim[t])


def contacts(m, d):
    """Rows of contacts that are not excluded."""
    lin, ang = smooth.jacobians(m, d.qpos, d.mocap_pos, d.mocap_quat)
    for i in range(d.ncon):
        if d.contact_exclude[i]:
            continue
        b1, b2 = m.geom_bodyid[d.contact_geom[i]]
        move = [lin[b] - np.cross(d.contact_pos[i] - d.xipos[b], ang[b].T).T for b in (b1, b2)]
        frame = d.contact_frame[i].reshape(3, 3)
        basis = np.concatenate([frame @ (move[1] - move[0]), frame @ (ang[b2] - ang[b1])])
        yield from contact(m, d, i, basis, m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0])


def contact(m, d, i, basis, weight):
    """Rows of contact i, given the six Jacobians of its frame."""
    dim, mu, dist, margin = d.contact_dim[i], d.contact_friction[i], d.contact_dist[i], d.contact_includemargin[i]
    imp = impedance(d.contact_solimp[i], dist - margin)
    k, b = spring(m, d.contact_solref[i], d.contact_solimp[i])
    reg = max(TINY, (1 - imp) / imp * max(TINY, weight))
    if dim == 1:
        yield Row(FRICTIONLESS, i, dist, margin, 0.0, basis[0], (k, b, imp), reg)
    elif m.opt_cone == CONE_ELLIPTIC:
        yield Row(ELLIPTIC, i, dist, margin, 0.0, basis[0], (k, b, imp), reg)
        own = d.contact_solreffriction[i]
        slow = spring(m, own, d.contact_solimp[i], (0.0, 0.0))[1] if own.any() else b
        for e in range(1, dim):
            yield Row(ELLIPTIC, i, 0.0, 0.0, 0.0, basis[e], (0.0, slow, imp), reg / m.opt_impratio * (mu[0] / mu[e - 1])**2)
    else:
        reg = max(TINY, (1 - imp) / imp * max(TINY, weight * (1 + mu[0]**2)))
        for e in range(1, dim):
            for sign in (1, -1):
                yield Row(PYRAMIDAL, i, dist, margin, 0.0, basis[0] + sign * mu[e - 1] * basis[e], (k, b, imp), 2 * mu[0]**2 / m.opt_impratio * reg)
