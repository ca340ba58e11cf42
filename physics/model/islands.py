"""Islands of the present constraint rows, under the official names: which trees, degrees of freedom and rows belong together.

Two trees are in one island where a row moves both, or where a chain of such rows leads from one to the other. The solver treats each island
alone (engine/solve/constraint_blocks.py), and an island falls asleep as a whole. What is here is worked out anew from the rows for whoever asks.

    trees      0 1 2 3 4        rows tie 0-2 and 3
    island     0 - 0 1 -        -1: no row moves it
    itree      0 2 3 1 4        island after island, then the free ones
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from physics.enums import CNSTR_EQUALITY, CNSTR_FRICTION_DOF, CNSTR_FRICTION_TENDON, DSBL_ISLAND, INT_DISCRETE


class Islands(NamedTuple):
    """How many islands and dofs in them; arrays with a row per island (island_*), tree (tree_*, map_itree2tree), dof and constraint row; addresses are into the sorted lists."""

    nisland: int
    nidof: int
    tree_island: np.ndarray
    island_ntree: np.ndarray
    island_itreeadr: np.ndarray
    map_itree2tree: np.ndarray
    dof_island: np.ndarray
    island_nv: np.ndarray
    island_idofadr: np.ndarray
    island_dofadr: np.ndarray
    map_dof2idof: np.ndarray
    map_idof2dof: np.ndarray
    efc_island: np.ndarray
    island_ne: np.ndarray
    island_nf: np.ndarray
    island_nefc: np.ndarray
    island_iefcadr: np.ndarray
    map_efc2iefc: np.ndarray
    map_iefc2efc: np.ndarray


FIELDS = frozenset(Islands._fields)


def islands_of(m, d) -> Islands:
    """The islands of a Data whose rows have been made; none where the flag `island` is off."""
    on = d.nefc > 0 and not m.opt_disableflags & DSBL_ISLAND
    rows, trees = _rows_and_trees(m, d) if on else (np.zeros(0, int), np.zeros(0, int))
    tied, tied_trees = _couplings(m, d) if on and m.opt_integrator == INT_DISCRETE else (rows[:0], trees[:0])
    parent = _united(m.ntree, np.r_[rows, tied + d.nefc], np.r_[trees, tied_trees])
    tree_island = _numbered(parent)
    n = int(tree_island.max(initial=-1)) + 1
    dof_island = tree_island[m.dof_treeid] if m.nv else np.zeros(0, int)
    efc_island = np.zeros(0, int)
    if n:
        first_of_row = np.flatnonzero(np.r_[True, np.diff(rows) > 0])
        efc_island = tree_island[trees[first_of_row]]
    kind = d.efc_type[:len(efc_island)]
    ntree, nv, nefc = (np.bincount(x[x >= 0], minlength=n) for x in (tree_island, dof_island, efc_island))
    itrees, idofs, iefcs = _sorted(tree_island, n), _sorted(dof_island, n), _sorted(efc_island, n)
    idofadr = _starts(nv)
    return Islands(
        nisland=n, nidof=int(nv.sum()), tree_island=tree_island, island_ntree=ntree, island_itreeadr=_starts(ntree), map_itree2tree=itrees,
        dof_island=dof_island, island_nv=nv, island_idofadr=idofadr, island_dofadr=idofs[idofadr], map_dof2idof=np.argsort(idofs), map_idof2dof=idofs,
        efc_island=efc_island, island_ne=np.bincount(efc_island[kind == CNSTR_EQUALITY], minlength=n),
        island_nf=np.bincount(efc_island[(kind == CNSTR_FRICTION_DOF) | (kind == CNSTR_FRICTION_TENDON)], minlength=n),
        island_nefc=nefc, island_iefcadr=_starts(nefc), map_efc2iefc=np.argsort(iefcs), map_iefc2efc=iefcs)


def _rows_and_trees(m, d) -> tuple[np.ndarray, np.ndarray]:
    """(row, tree) for each stored entry of the Jacobian, row after row."""
    count, start = d.efc_J_rownnz[:d.nefc], d.efc_J_rowadr[:d.nefc]
    rows = np.repeat(np.arange(d.nefc), count)
    entries = np.arange(len(rows)) - np.repeat(np.cumsum(count) - count, count) + np.repeat(start, count)
    return rows, m.dof_treeid[d.efc_J_colind[entries]].astype(int)


def _couplings(m, d) -> tuple[np.ndarray, np.ndarray]:
    """The same for tendons and actuators that the discrete integrator's effective mass matrix holds as rows of their own (engine/solve/effective_mass_rows.py).

    Those within one tree tie nothing: it is in an island only where a constraint row moves it.
    """
    dofs = [m.ten_J_colind.ravel()[m.ten_J_rowadr[t]:][:m.ten_J_rownnz[t]] for t in np.flatnonzero(d.M_eff_tendon)]
    dofs += [d.moment_colind.ravel()[d.moment_rowadr[i]:][:d.moment_rownnz[i]] for i in np.flatnonzero(d.M_eff_output)]
    trees = [m.dof_treeid[x].astype(int) for x in dofs]
    trees = [x for x in trees if len(x) and x.min() != x.max()]
    if not d.M_eff_coupled or not trees:
        return np.zeros(0, int), np.zeros(0, int)
    return np.repeat(np.arange(len(trees)), [len(x) for x in trees]), np.concatenate(trees)


def _united(ntree: int, rows: np.ndarray, trees: np.ndarray) -> np.ndarray:
    """Smallest tree of each tree's group, -1 for trees without rows."""
    parent = np.full(ntree, -1)
    parent[trees] = trees

    def root(t: int) -> int:
        while parent[t] != t:
            parent[t] = parent[parent[t]]
            t = parent[t]
        return t

    same = rows[1:] == rows[:-1]
    for a, b in np.unique(np.stack([trees[:-1][same], trees[1:][same]], 1), axis=0).tolist() if len(rows) > 1 else ():
        a, b = root(a), root(b)
        parent[max(a, b)] = min(a, b)
    for t in np.flatnonzero(parent >= 0).tolist():
        parent[t] = root(t)
    return parent


def _numbered(parent: np.ndarray) -> np.ndarray:
    """Groups by their smallest member -> 0, 1, ... in the order of those; -1 stays."""
    island = np.full(len(parent), -1)
    inside = parent >= 0
    island[inside] = np.unique(parent[inside], return_inverse=True)[1]
    return island


def _sorted(island: np.ndarray, n: int) -> np.ndarray:
    """Members island after island, those of none last."""
    return np.argsort(np.where(island < 0, n, island), kind="stable")


def _starts(count: np.ndarray) -> np.ndarray:
    """Where each begins, one after the other."""
    return np.cumsum(count) - count
