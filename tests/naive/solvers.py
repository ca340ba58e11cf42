"""The solvers' iterations once more, plainly: dense matrices and textbook formulas."""
from __future__ import annotations

import numpy as np

from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL, CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON
from tests.naive.constraint import dense_j, full_m, gradient


def lowest(m, d, q, p):
    """The step along p at which the cost is least, by halving an interval around the zero of its slope."""
    low, high = 0.0, 1.0
    while p @ gradient(m, d, q + high * p) < 0:
        low, high = high, 2 * high
    for _ in range(200):
        mid = 0.5 * (low + high)
        low, high = (mid, high) if p @ gradient(m, d, q + mid * p) < 0 else (low, mid)
    return 0.5 * (low + high)


def conjugate_gradients(m, d, q, steps, polak_ribiere=False):
    """Accelerations after each of so many steps from q, preconditioned with M."""
    inverse = np.linalg.inv(full_m(m, d))
    g = gradient(m, d, q)
    p = -inverse @ g
    found = []
    for _ in range(steps):
        q = q + lowest(m, d, q, p) * p
        found.append(q)
        new = gradient(m, d, q)
        y = new - g
        if polak_ribiere:
            beta = max(0.0, new @ inverse @ y / (g @ inverse @ g))
        else:
            beta = (y @ inverse @ new - 2 * (y @ inverse @ y) * (p @ new) / (p @ y)) / (p @ y)
            beta = max(beta, -1 / (np.linalg.norm(p) * min(0.01, np.linalg.norm(new))))
        g, p = new, -inverse @ new + beta * p
    return found


def random_numbers():
    """PCG32 with its state in 64 bits, the first number thrown away."""
    state, first = 0, True
    while True:
        old = state
        state = (old * 6364136223846793005 + 1) % 2**64
        x, turn = (((old >> 18) ^ old) >> 27) % 2**32, old >> 59
        if not first:
            yield (x >> turn | x << (32 - turn)) % 2**32
        first = False


def dual(m, d):
    """A + R and b of the problem in forces."""
    jac = dense_j(m, d)
    a = jac @ np.linalg.solve(full_m(m, d), jac.T)
    return a + np.diag(d.efc_R[:d.nefc]), jac @ d.qacc_smooth - d.efc_aref[:d.nefc]


def blocks(d):
    """Rows that are solved together."""
    found, i = [], 0
    while i < d.nefc:
        n = d.contact_dim[d.efc_id[i]] if d.efc_type[i] == CNSTR_CONTACT_ELLIPTIC else 1
        found.append(slice(i, i + n))
        i += n
    return found


def within(d, rows, f):
    """The forces brought to what the rows allow, tangents scaled."""
    kind = d.efc_type[rows.start]
    if kind == CNSTR_CONTACT_ELLIPTIC:
        if f[0] < 0:
            return 0 * f
        size = np.linalg.norm(f[1:] / d.contact_friction[d.efc_id[rows.start], :len(f) - 1])
        return np.array([f[0], *(f[1:] * min(1.0, f[0] / max(size, 1e-300)))])
    if kind == CNSTR_EQUALITY:
        return f
    if kind in (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON):
        return np.clip(f, -d.efc_frictionloss[rows], d.efc_frictionloss[rows])
    return np.maximum(f, 0)


def tangents(a, b, friction, normal):
    """x with the least x' a x / 2 + b' x in the ellipsoid |x / friction| <= normal, by halving an interval around the multiplier."""
    if normal <= 0:
        return 0 * b
    s = np.diag(friction)
    a, b = s @ a @ s, s @ b

    def x(shift):
        return np.linalg.solve(a + shift * np.eye(len(b)), -b)

    low, high = 0.0, 0.0
    if np.linalg.norm(x(0.0)) > normal:
        high = 1.0
        while np.linalg.norm(x(high)) > normal:
            high *= 2
        for _ in range(200):
            mid = 0.5 * (low + high)
            low, high = (mid, high) if np.linalg.norm(x(mid)) > normal else (low, mid)
    return s @ x(high)


def relax(d, a, b, f, rows):
    """Best forces of one block."""
    slope, old, own = a[rows] @ f + b[rows], f[rows].copy(), a[rows, rows]
    if len(old) == 1:
        f[rows] = within(d, rows, old - slope / own[0, 0])
        return
    new = np.zeros_like(old)
    if old[0] < 1e-15:
        new[0] = max(0.0, old[0] - slope[0] / own[0, 0])
    else:
        new = old * (1 + max(-1.0, -(old @ slope) / (old @ own @ old)))
    rest = slope[1:] - own[1:, 1:] @ old[1:] + own[1:, 0] * (new[0] - old[0])
    new[1:] = tangents(own[1:, 1:], rest, d.contact_friction[d.efc_id[rows.start], :len(old) - 1], new[0])
    f[rows] = new


def projected_gauss_seidel(m, d, f, sweeps, row_order=False):
    """Forces after each of so many sweeps from f."""
    (a, b), order, numbers = dual(m, d), blocks(d), random_numbers()
    f, before, streak, found = f.copy(), f.copy(), 0, []
    for k in range(sweeps):
        ahead = f.copy()
        share = (streak - 1) / (streak + 2)
        if not row_order:
            if k > 0 and share > 0:
                ahead = f + share * (f - before)
                for rows in blocks(d):
                    ahead[rows] = within(d, rows, ahead[rows])
            before, f = f, ahead.copy()
            for i in range(len(order) - 1, 0, -1):
                j = next(numbers) % (i + 1)
                order[i], order[j] = order[j], order[i]
        for rows in order:
            relax(d, a, b, f, rows)
        streak = 0 if k > 0 and (f - ahead) @ (ahead - before) < 0 else streak + 1
        found.append(f.copy())
    return found


def without_slip(m, d, f, passes):
    """Forces after so many passes over friction without regularisation."""
    (a, b), f = dual(m, d), f.copy()
    a = a - np.diag(d.efc_R[:d.nefc])
    for _ in range(passes):
        i = 0
        while i < d.nefc:
            kind, dim = d.efc_type[i], d.contact_dim[d.efc_id[i]]
            if kind in (CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON):
                f[i] = np.clip(f[i] - (a[i] @ f + b[i]) / a[i, i], -d.efc_frictionloss[i], d.efc_frictionloss[i])
            elif kind == CNSTR_CONTACT_ELLIPTIC:
                rows = slice(i + 1, i + dim)
                own = a[rows, rows]
                f[rows] = tangents(own, a[rows] @ f + b[rows] - own @ f[rows], d.contact_friction[d.efc_id[i], :dim - 1], f[i])
                i += dim - 1
            elif kind == CNSTR_CONTACT_PYRAMIDAL:
                for k in range(i, i + 2 * (dim - 1), 2):   # f +- x, x no more than f takes
                    way = np.zeros(d.nefc)
                    way[k:k + 2] = 1, -1
                    x = -(way @ (a @ f + b)) / (way @ a @ way)
                    f += np.clip(x, -f[k], f[k + 1]) * way
                i += 2 * (dim - 1) - 1
            i += 1
    return f
