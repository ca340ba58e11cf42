"""Constraint rows and their solution once more, plainly: dense matrices, Jacobians by differences, a generic minimiser."""
from __future__ import annotations

import numpy as np

from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON


def full_m(m, d):
    """M as a matrix."""
    out = np.zeros((m.nv, m.nv))
    for i in range(m.nv):
        a, n = m.M_rowadr[i], m.M_rownnz[i]
        out[i, m.M_colind[a:a + n]] = d.M[a:a + n]
    return out + np.tril(out, -1).T


def dense_j(m, d):
    """efc_J as a matrix."""
    out = np.zeros((d.nefc, m.nv))
    for i in range(d.nefc):
        a, n = d.efc_J_rowadr[i], d.efc_J_rownnz[i]
        out[i, d.efc_J_colind[a:a + n]] = d.efc_J[a:a + n]
    return out


def cone(d, row, dim, x):
    """Force of an elliptic contact at x = J qacc - aref, and its cost."""
    i = d.efc_id[row]
    mu, scale = d.contact_mu[i], np.array([d.contact_mu[i], *d.contact_friction[i, :dim - 1]])
    u = scale * x
    n, t = u[0], np.linalg.norm(u[1:])
    weight = d.efc_D[row:row + dim]
    if n >= mu * t:
        return np.zeros(dim), 0.0
    if mu * n + t <= 0:
        return -weight * x, 0.5 * weight @ x**2
    w = weight[0] / (mu**2 * (1 + mu**2))
    slope = np.array([1.0, *(-mu * u[1:] / t)])
    return -w * (n - mu * t) * slope * scale, 0.5 * w * (n - mu * t) ** 2


def forces(d, x):
    """Forces of all rows at x, and their cost."""
    f, cost, i = np.zeros(d.nefc), 0.0, 0
    while i < d.nefc:
        kind, weight = d.efc_type[i], d.efc_D[i]
        if kind == CNSTR_CONTACT_ELLIPTIC:
            dim = d.contact_dim[d.efc_id[i]]
            f[i:i + dim], c = cone(d, i, dim, x[i:i + dim])
            cost += c
            i += dim
            continue
        if kind in (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON):
            bound = d.efc_frictionloss[i]
            f[i] = np.clip(-weight * x[i], -bound, bound)
            cost += 0.5 * weight * x[i] ** 2 if abs(weight * x[i]) < bound else bound * (abs(x[i]) - 0.5 * bound / weight)
        elif kind == CNSTR_EQUALITY or x[i] < 0:
            f[i] = -weight * x[i]
            cost += 0.5 * weight * x[i] ** 2
        i += 1
    return f, cost


def total_cost(m, d, qacc):
    """The cost that the accelerations minimise."""
    a = qacc - d.qacc_smooth
    return 0.5 * a @ full_m(m, d) @ a + forces(d, dense_j(m, d) @ qacc - d.efc_aref[:d.nefc])[1]


def gradient(m, d, qacc):
    """Its gradient."""
    jac = dense_j(m, d)
    return full_m(m, d) @ (qacc - d.qacc_smooth) - jac.T @ forces(d, jac @ qacc - d.efc_aref[:d.nefc])[0]


def minimise(m, d):
    """The accelerations of least cost: Newton with derivatives by differences and steps halved until the cost drops."""
    q, h = d.qacc_smooth.copy(), 1e-6
    for _ in range(200):
        g = gradient(m, d, q)
        columns = [(gradient(m, d, q + h * e) - gradient(m, d, q - h * e)) / (2 * h) for e in np.eye(m.nv)]
        step = np.linalg.solve(np.array(columns).T, g)
        alpha, cost = 1.0, total_cost(m, d, q)
        while alpha > 1e-12 and total_cost(m, d, q - alpha * step) > cost:
            alpha *= 0.5
        q = q - alpha * step
        if np.linalg.norm(alpha * step) <= 1e-11 * np.linalg.norm(q):
            break
    return q


def curvature(m, d):
    """J' W J, W the second derivative of the rows' cost at qacc, by differences."""
    jac = dense_j(m, d)
    x = jac @ d.qacc - d.efc_aref[:d.nefc]
    steps = 1e-5 * np.eye(d.nefc)
    w = np.array([forces(d, x - e)[0] - forces(d, x + e)[0] for e in steps]) / 2e-5
    return jac.T @ w @ jac
