"""Fields that follow from the tree of bodies and joints, computed anew from a Model: what a file says of them must be the same.

Products and factors of the mass matrix, Jacobians and islands walk these patterns without looking at bounds.
"""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics import enums
from physics.model.index_fields import JOINT_WIDTHS
from physics.model.struct import Struct

Field = tuple[str, np.ndarray]


def derived_fields(m: Struct) -> Iterator[Field]:
    """Pairs (field or size, its values) in an order in which each may rely on those before it; the caller stops at the first difference.

    To be called when every index is inside the model and every member of an enumeration is one.
    """
    yield from _bodies(m)
    yield from _dofs(m)
    yield from _trees(m)
    yield from _mass_pattern(m)
    yield from _incidence(m)
    yield from _tendon_pattern(m)
    yield from _addresses(m)


def _starts(counts: np.ndarray) -> np.ndarray:
    counts = np.asarray(counts, np.int64)
    return np.cumsum(counts) - counts


def _first(counts: np.ndarray) -> np.ndarray:
    """First of each run of rows, -1 where it is empty."""
    return np.where(np.asarray(counts) > 0, _starts(counts), -1)


def _bodies(m: Struct) -> Iterator[Field]:
    """What each body owns. Bodies come in depth-first order, and what they own in the order of bodies."""
    yield "body_parentid", _depth_first(m.body_parentid)
    for field in ("jnt_bodyid", "geom_bodyid"):
        yield field, np.sort(getattr(m, field))
    widths = np.array([JOINT_WIDTHS[kind] for kind in range(len(JOINT_WIDTHS))])[m.jnt_type].reshape(-1, 2)
    counts = np.bincount(m.jnt_bodyid, minlength=m.nbody)
    counts[0] = 0   # the world has no joints: a joint of it makes the next line differ
    yield "body_jntnum", counts
    yield "njnt", counts.sum()
    yield "body_jntadr", _first(counts)
    yield "nq", widths[:, 0].sum()
    yield "nv", widths[:, 1].sum()
    yield "jnt_qposadr", _starts(widths[:, 0])
    yield "jnt_dofadr", _starts(widths[:, 1])
    yield "dof_jntid", np.repeat(np.arange(m.njnt), widths[:, 1])
    yield "dof_bodyid", m.jnt_bodyid[m.dof_jntid]
    dofs = np.bincount(m.dof_bodyid, minlength=m.nbody)
    yield "body_dofnum", dofs
    yield "body_dofadr", _first(dofs)
    geoms = np.bincount(m.geom_bodyid, minlength=m.nbody)
    yield "body_geomnum", geoms
    yield "body_geomadr", _first(geoms)
    user_moved = m.body_mocapid >= 0
    yield "body_mocapid", np.where(user_moved, np.cumsum(user_moved) - 1, -1)
    yield "nmocap", user_moved.sum()
    weld, root = [0] * m.nbody, [0] * m.nbody
    own = (dofs > 0) | user_moved
    for b, (parent, moves) in enumerate(zip(m.body_parentid.tolist(), own.tolist())):
        weld[b] = b if moves else weld[parent]
        root[b] = root[parent] if parent else b
    yield "body_weldid", np.array(weld)
    yield "body_rootid", np.array(root)


def _depth_first(parents: np.ndarray) -> np.ndarray:
    """The parents, or -2 where the order of bodies is not that of a walk through their tree."""
    chain, found = [0], [0]
    for b, parent in enumerate(parents.tolist()[1:], 1):
        while chain and chain[-1] != parent:
            chain.pop()
        found.append(parent if chain else -2)
        if not chain:
            break
        chain.append(b)
    return np.array(found + [-2] * (len(parents) - len(found)))


def _last_dofs(m: Struct) -> list[int]:
    """The last dof that moves each body, -1: none."""
    last = [-1] * m.nbody
    first, count = m.body_dofadr.tolist(), m.body_dofnum.tolist()
    for b, parent in enumerate(m.body_parentid.tolist()):
        last[b] = first[b] + count[b] - 1 if count[b] else last[parent] if b else -1
    return last


def _dofs(m: Struct) -> Iterator[Field]:
    last = _last_dofs(m)
    dofs = np.arange(m.nv)
    begins = m.body_dofadr[m.dof_bodyid] == dofs
    parent = np.where(begins, np.array(last)[m.body_parentid[m.dof_bodyid]], dofs - 1)
    yield "dof_parentid", parent
    yield "dof_treeid", np.cumsum(parent < 0) - 1
    of_weld = m.body_dofadr[m.body_weldid]
    yield "body_treeid", np.where(of_weld >= 0, m.dof_treeid[np.maximum(of_weld, 0)], -1) if m.nv else np.full(m.nbody, -1)
    simple = m.body_simple[m.dof_bodyid] > 0
    runs, n = [], 0
    for one in simple[::-1].tolist():
        n = n + 1 if one else 0
        runs.append(n)
    yield "dof_simplenum", np.array(runs[::-1], int)


def _trees(m: Struct) -> Iterator[Field]:
    yield "ntree", np.int64((m.dof_parentid < 0).sum())
    inside = m.body_treeid[m.body_treeid >= 0]
    number = np.bincount(inside, minlength=m.ntree)
    dofs = np.bincount(m.dof_treeid, minlength=m.ntree)
    yield "tree_bodynum", number
    yield "tree_bodyadr", np.array([np.argmax(m.body_treeid == t) for t in range(m.ntree)], int) if m.ntree < 50 else _first_of(m.body_treeid, m.ntree)
    yield "tree_dofnum", dofs
    yield "tree_dofadr", _starts(dofs)
    deep = m.tree_aba.any()
    yield "nabadof", np.int64(m.nv if deep else 0)
    yield "nababody", np.int64(m.nbody if deep else 0)


def _first_of(values: np.ndarray, count: int) -> np.ndarray:
    """Where each of 0 .. count - 1 first occurs."""
    found = np.zeros(count, int)
    places = np.arange(len(values))[::-1]
    of = values[::-1]
    found[of[of >= 0]] = places[of >= 0]
    return found


def _chains(parent: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs (dof, ancestor or itself), sorted by both."""
    rows = [np.arange(len(parent))]
    cols = [rows[0]]
    while True:
        up = parent[cols[-1]]
        on = up >= 0
        if not on.any():
            break
        rows.append(rows[-1][on])
        cols.append(up[on])
    row, col = np.concatenate(rows), np.concatenate(cols)
    order = np.argsort(row * max(len(parent), 1) + col, kind="stable")
    return row[order], col[order]


def _mass_pattern(m: Struct) -> Iterator[Field]:
    """Patterns of M (lower triangle by rows; of simple dofs the diagonal only) and D (full square), and the maps between them."""
    nv = m.nv
    parent = m.dof_parentid.astype(np.int64)
    rows, cols = _chains(parent)
    lengths = np.bincount(rows, minlength=nv)
    starts = _starts(lengths)
    yield "nM", np.int64(len(rows))
    yield "dof_Madr", starts
    simple = m.dof_simplenum > 0
    kept = ~simple[rows] | (rows == cols)
    m_rows, m_cols = rows[kept], cols[kept]
    m_keys = m_rows * nv + m_cols
    below = rows != cols
    d_keys = np.sort(np.concatenate([rows * nv + cols, cols[below] * nv + rows[below]]))
    d_rows, d_cols = np.divmod(d_keys, max(nv, 1))
    for name, of_rows, columns in (("M", m_rows, m_cols), ("D", d_rows, d_cols)):
        num = np.bincount(of_rows, minlength=nv)
        yield f"{name}_rownnz", num
        yield f"{name}_rowadr", _starts(num)
        yield f"{name}_colind", columns
    if (simple[parent[parent >= 0]] & ~simple[parent >= 0]).any():
        yield "body_simple", np.zeros(m.nbody, int)   # a simple body has nothing that moves on it
    long = m.M_rownnz > 1
    yield "M_rowrun", np.where(long & (parent == np.arange(nv) - 1), 1 + m.M_rowrun[parent], 0)
    yield "D_diag", lengths - 1
    lower = np.maximum(d_rows, d_cols) * nv + np.minimum(d_rows, d_cols)
    found = np.minimum(np.searchsorted(m_keys, lower), max(len(m_keys) - 1, 0))
    yield "mapM2D", np.where(m_keys[found] == lower, found, -1) if len(m_keys) else found
    yield "mapD2M", np.searchsorted(d_keys, m_keys)
    yield "mapM2M", starts[m_rows] + lengths[m_rows] - lengths[m_cols]


def _incidence(m: Struct) -> Iterator[Field]:
    """B: for each body the dofs of its subtree and of its ancestors; the world has those of all."""
    body, parent = m.dof_bodyid.astype(np.int64), m.body_parentid.astype(np.int64)
    dofs = np.arange(m.nv)
    of_body, of_dof = [body], [dofs]
    at, which = body, dofs
    while (on := at > 0).any():   # a dof counts for every body above its own
        at, which = parent[at[on]], which[on]
        of_body.append(at)
        of_dof.append(which)
    rows, cols = _chains(m.dof_parentid.astype(np.int64))   # and for every body below it that is no part of its own
    above = np.array(_last_dofs(m))[parent]   # the last dof that moves the parent
    bodies = np.flatnonzero(above >= 0)
    bounds = np.concatenate([_starts(np.bincount(rows, minlength=m.nv)), [len(rows)]])
    for b in bodies.tolist():
        chain = cols[bounds[above[b]]:bounds[above[b] + 1]]
        of_body.append(np.full(len(chain), b))
        of_dof.append(chain)
    keys = np.unique(np.concatenate(of_body) * max(m.nv, 1) + np.concatenate(of_dof))
    owner, columns = np.divmod(keys, max(m.nv, 1))
    num = np.bincount(owner, minlength=m.nbody)
    yield "B_rownnz", num
    yield "B_rowadr", _starts(num)
    yield "B_colind", columns


def moving_dofs(m: Struct, body: int) -> list[int]:
    """Degrees of freedom that move a body, ascending."""
    found: list[int] = []
    while body > 0:
        found.extend(range(m.body_dofadr[body] + m.body_dofnum[body] - 1, m.body_dofadr[body] - 1, -1) if m.body_dofnum[body] else ())
        body = int(m.body_parentid[body])
    return found[::-1]


def _path_bodies(m: Struct, tendon: int) -> list[int]:
    """Bodies that a tendon touches, in the order of its path, once each."""
    owner = {enums.WRAP_JOINT: m.jnt_bodyid, enums.WRAP_SITE: m.site_bodyid, enums.WRAP_SPHERE: m.geom_bodyid, enums.WRAP_CYLINDER: m.geom_bodyid}
    first = int(m.tendon_adr[tendon])
    steps = [(int(m.wrap_type[w]), int(m.wrap_objid[w])) for w in range(first, first + int(m.tendon_num[tendon]))]
    return list(dict.fromkeys(int(owner[kind][k]) for kind, k in steps if kind in owner))


def _tendon_pattern(m: Struct) -> Iterator[Field]:
    """Columns of the tendons' Jacobian, and the trees along each path."""
    yield "tendon_adr", _starts(m.tendon_num)
    columns, trees, counts = [], [], []
    for t in range(m.ntendon):
        touched = _path_bodies(m, t)
        if m.tendon_type[t] == enums.TENDON_FIXED:
            path = slice(int(m.tendon_adr[t]), int(m.tendon_adr[t] + m.tendon_num[t]))
            columns.append(sorted(m.jnt_dofadr[m.wrap_objid[path]].tolist()))
        else:
            columns.append(sorted({dof for body in touched for dof in moving_dofs(m, body)}))
        along = list(dict.fromkeys(int(m.body_treeid[b]) for b in touched if m.body_treeid[b] >= 0))
        trees.append([*along, -1, -1][:2])
        counts.append(len(along))
    sizes = np.array([len(row) for row in columns], int)
    yield "ten_J_rownnz", sizes
    yield "ten_J_rowadr", _starts(sizes)
    yield "ten_J_colind", np.array([dof for row in columns for dof in row], int)
    yield "tendon_treenum", np.array(counts, int)
    yield "tendon_treeid", np.array(trees, int).reshape(-1, 2)


def _addresses(m: Struct) -> Iterator[Field]:
    """Where controls, outputs, activations, kept values and sensor values begin."""
    for name, size in (("ctrl", "nu"), ("out", "nout")):
        yield f"actuator_{name}adr", _starts(getattr(m, f"actuator_{name}num"))
        yield size, getattr(m, f"actuator_{name}num").sum(dtype=np.int64)
    yield "actuator_actadr", _first(m.actuator_actnum)
    yield "na", m.actuator_actnum.sum(dtype=np.int64)
    yield "sensor_adr", _starts(m.sensor_dim)
    yield "nsensordata", m.sensor_dim.sum(dtype=np.int64)
    samples = np.concatenate([m.actuator_history[:, 0], m.sensor_history[:, 0]]).astype(np.int64)
    width = np.concatenate([m.actuator_ctrlnum, m.sensor_dim])
    rings = np.where(samples > 0, 2 + samples * (1 + width), 0)
    adr = _first(rings)
    yield "actuator_historyadr", adr[:m.nactuator]
    yield "sensor_historyadr", adr[m.nactuator:]
    yield "nhistory", rings.sum()
    body = m.geom_bodyid.astype(np.int64)
    one, two = body[m.pair_geom1], body[m.pair_geom2]
    yield "pair_signature", (np.minimum(one, two) << 16) + np.maximum(one, two)
    yield "nJmom", np.int64(sum(_moment_entries(m, i) for i in range(m.nactuator)))


def _moment_entries(m: Struct, i: int) -> int:
    """Most stored entries of an actuator's moments."""
    kind, (one, two) = int(m.actuator_trntype[i]), m.actuator_trnid[i].tolist()
    if kind in (enums.TRN_JOINT, enums.TRN_JOINTINPARENT):
        return JOINT_WIDTHS[int(m.jnt_type[one])][1]
    if kind == enums.TRN_TENDON:
        return int(m.ten_J_rownnz[one])
    if kind == enums.TRN_BODY:
        return m.nv
    if kind == enums.TRN_SO3:
        return 3 if two < 0 else 3 * m.nv
    first = set(moving_dofs(m, int(m.site_bodyid[one])))
    second = set(moving_dofs(m, int(m.site_bodyid[two]))) if two >= 0 else set()
    return len(first | second) if kind == enums.TRN_SLIDERCRANK else len(first ^ second)
