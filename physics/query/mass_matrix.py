"""The inertia matrix M of the state that `forward` has computed last: as a matrix, its products and its solutions."""
from __future__ import annotations

import numpy as np

from physics.engine import point_velocity
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.arguments import vector
from physics.simulate.step import check_pair


def full_m(m: Model, d: Data, dofs: np.ndarray | None = None) -> np.ndarray:
    """M as a new symmetric (nv, nv) array [kg, kg m, kg m2]; with `dofs` (n) their rows and columns alone, (n, n), in that order and with no room for the others."""
    check_pair(m, d)
    if dofs is None:
        full = np.zeros((m.nv, m.nv))
        rows = np.repeat(np.arange(m.nv), m.M_rownnz)
        full[rows, m.M_colind] = d.M
        full[m.M_colind, rows] = d.M
        return full
    full, place = np.zeros((len(dofs), len(dofs))), np.full(m.nv, -1)
    place[dofs] = np.arange(len(dofs))
    for k, dof in enumerate(dofs):
        part = slice(int(m.M_rowadr[dof]), int(m.M_rowadr[dof] + m.M_rownnz[dof]))
        columns = place[m.M_colind[part]]
        there = columns >= 0
        full[k, columns[there]] = full[columns[there], k] = d.M[part][there]
    return full


def mul_m(m: Model, d: Data, x) -> np.ndarray:
    """M x: the momentum of velocities x, or the force of accelerations x; x (nv), or (n, nv) for n vectors."""
    return _each(point_velocity.mul_m, m, d, x)


def solve_m(m: Model, d: Data, y) -> np.ndarray:
    """M^-1 y: the acceleration that forces y give; y (nv), or (n, nv) for n vectors."""
    check_pair(m, d)
    if not d.aba_trees:
        _ = d.qLD       # an image of a Data whose trees ABA solves has rows due: reading makes them
    return _each(point_velocity.solve_m, m, d, y)


def _each(kernel, m: Model, d: Data, x) -> np.ndarray:
    check_pair(m, d)
    many = np.ndim(x) == 2
    out = []
    for row in x if many else [x]:
        d.query_in[:] = vector(row, m.nv, "vector")
        kernel(m, d)
        out.append(d.query_out.copy())
    return np.array(out).reshape(len(out), m.nv) if many else out[0]
