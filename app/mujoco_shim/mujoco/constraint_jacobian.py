"""efc_J as the official engine shows it: by rows of nv numbers for small models, by entries for large ones. Ours is stored by entries always."""
from __future__ import annotations

import numpy as np

from physics.enums import Jacobian

FEW = 60      # dofs below which `auto` means dense


def shown_sparse(m) -> bool:
    """Whether efc_J is shown by its entries."""
    return m.opt_jacobian == Jacobian.SPARSE or m.opt_jacobian == Jacobian.AUTO and m.nv >= FEW


def dense_jacobian(m, d) -> np.ndarray:
    """The constraint Jacobian as a new array (nefc, nv)."""
    n = d.nefc
    full = np.zeros((n, m.nv))
    count = d.efc_J_rownnz[:n]
    rows = np.repeat(np.arange(n), count)
    places = np.repeat(d.efc_J_rowadr[:n] - (np.cumsum(count) - count), count) + np.arange(count.sum())
    full[rows, d.efc_J_colind[places]] = d.efc_J[places]
    return full


def shown_size(data) -> int:
    """nJ of an MjData."""
    inner = data._inner
    return inner.nJ if shown_sparse(inner.model) else inner.nefc * inner.model.nv


def shown_values(data) -> np.ndarray:
    """efc_J of an MjData; where it is dense a copy."""
    inner = data._inner
    return data._cut("efc_J", "nJ") if shown_sparse(inner.model) else dense_jacobian(inner.model, inner).reshape(-1)


def shown_pattern(name: str, used: str) -> property:
    """efc_J_rownnz, efc_J_rowadr, efc_J_colind of an MjData: zeros where efc_J is dense."""

    def get(data):
        inner = data._inner
        return data._cut(name, used) if shown_sparse(inner.model) else np.zeros(shown_size(data) if used == "nJ" else inner.nefc, np.int32)

    return property(get)
