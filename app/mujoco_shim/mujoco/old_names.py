"""What scripts of interfaces before 4.0 say: qM, mj_fullM(m, dst, qM), a whole view of what 4.0 has under other names. They do no harm beside the new ones."""
from __future__ import annotations

import numpy as np

import physics

from .functions.calls import put

# fields of flexes before 4.0: there are none here
MODEL_EMPTY = (
    ("i4", "0", "flex_vertedgeadr flex_vertedgenum"), ("i4", "0 2", "flex_vertedge flexvert_J_colind flexvert_J_rowadr flexvert_J_rownnz"), ("f8", "0 4", "flex_vertmetric"),
)
DATA_EMPTY = (("f8", "0 2", "flexvert_J flexvert_length"),)


class OldMassMatrix(np.ndarray):
    """d.qM: the entries of the mass matrix along each dof's chain of ancestors. It remembers whose it is, as mj_fullM of before is given nothing else."""

    owner = None

    def __array_finalize__(self, source):
        self.owner = getattr(source, "owner", None)


def old_mass_matrix(d) -> OldMassMatrix:
    """qM of a Data: a copy, (nM); row after row, each from its diagonal up the chain."""
    m, full = d.model, physics.full_m(d.model, d)
    entries = []
    for i in range(m.nv):
        j = i
        while j >= 0:
            entries.append(full[i, j])
            j = int(m.dof_parentid[j])
    found = np.array(entries).view(OldMassMatrix)
    found.owner = d
    return found


def full_m_either_way(new):
    """mj_fullM(m, d, dst) of 4.0, and mj_fullM(m, dst, qM) of before. new: the former."""

    def mj_fullM(m, d, dst):
        if isinstance(d, np.ndarray):
            target, entries = d, np.asarray(dst).reshape(-1)
            put(target, _full(m._inner, entries), "dst")
            return
        new(m, d, dst)

    mj_fullM.__doc__, mj_fullM.__module__ = new.__doc__, "mujoco"
    return mj_fullM


def _full(m, entries: np.ndarray) -> np.ndarray:
    """The symmetric matrix of entries along the chains. Raises TypeError where there are more or fewer."""
    if entries.size != m.nM:
        raise TypeError(f"qM should be of size {m.nM}, got {entries.size}")
    full, at = np.zeros((m.nv, m.nv)), 0
    for i in range(m.nv):
        j = i
        while j >= 0:
            full[i, j] = full[j, i] = entries[at]
            at, j = at + 1, int(m.dof_parentid[j])
    return full
