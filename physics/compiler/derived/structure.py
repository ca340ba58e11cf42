"""What follows from the tree alone: parents of dofs, kinematic trees, and the sparse patterns of the mass matrix.

M is the lower triangle by rows, columns rising, the diagonal last; dofs of simple bodies keep only the diagonal. D is the
full square pattern, without that exception. B lists for each body the dofs that move it or anything below it.
"""
from __future__ import annotations

import itertools

import numpy as np

from physics.compiler.build import Build
from physics.compiler.elements import bodies, tendon_paths
from physics.enums import SLEEP_ALLOWED, SLEEP_AUTO, SLEEP_AUTO_ALLOWED, SLEEP_AUTO_NEVER, SLEEP_INIT, TransmissionType

DEEP = 900  # mean square length of a tree's rows of M from which the recursion pays (measured: chains of about 50)


def build_structure(build: Build) -> None:
    """Fill dof_parentid, dof_treeid, tree_*, dof_Madr, dof_simplenum, body_simple and the patterns."""
    out = build.fields.rows
    parent, chains = _parents(build)
    out["dof_parentid"] = parent
    simple = _simple(build)
    out["dof_simplenum"] = _simplenum(build, simple)
    _trees(build, parent)
    lengths = [len(chain) for chain in chains]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(int)
    out["dof_Madr"] = starts[:-1]
    build.fields.sizes["nM"] = int(starts[-1])
    _mass_pattern(build, chains, lengths, starts)
    _depth(build, lengths)
    _incidence(build)
    _tendons(build)
    build.chains = chains


def _parents(build: Build) -> tuple[list[int], list[list[int]]]:
    """Parent of each dof, and each dof's chain from its root to itself."""
    parent: list[int] = []
    chains: list[list[int]] = []
    for body in build.items["body"]:
        last = body.parent.lastdof if body.parent else -1
        if body.joints:
            for dof in range(body.joints[0].dofadr, body.joints[-1].dofadr + body.joints[-1].nv):
                parent.append(last)
                chains.append([*chains[last], dof] if last >= 0 else [dof])
                last = dof
        body.lastdof = last
    return parent, chains


def _simple(build: Build) -> list[int]:
    """body_simple: the inertia of a tendon, its own or lent by an actuator, couples the bodies along it."""
    lent = {item.trnid[0]: item for item in build.items["actuator"] if item.trntype == TransmissionType.TENDON and item.armature}
    for tendon in build.items["tendon"]:
        if tendon.armature or tendon.id in lent:
            for body in tendon_paths.bodies(tendon):
                body.simple = 0
        if tendon.id in lent and any(step.type in tendon_paths.WRAPS for step in tendon.path):
            build.problems.error(lent[tendon.id].element, f"armature, but tendon '{tendon.name}' wraps around geoms and cannot have any", attr="armature")
    build.fields.column("body", body_simple="simple")
    return build.fields.rows["body_simple"]


def _simplenum(build: Build, simple: list[int]) -> list[int]:
    count, found = 0, []
    for body in reversed(build.fields.rows["dof_bodyid"]):
        count = count + 1 if simple[body] else 0
        found.append(count)
    return found[::-1]


def _trees(build: Build, parent: list[int]) -> None:
    out, items = build.fields.rows, build.items["body"]
    treeid, ntree = [], 0
    for p in parent:
        ntree += p == -1
        treeid.append(ntree - 1)
    out["dof_treeid"] = treeid
    body_tree = [treeid[items[b.weldid].joints[0].dofadr] if items[b.weldid].joints else -1 for b in items]
    out["body_treeid"] = body_tree
    first_body, bodies_in = [0] * ntree, [0] * ntree
    for b, tree in enumerate(body_tree):
        if tree >= 0:
            first_body[tree] = b if not bodies_in[tree] else first_body[tree]
            bodies_in[tree] += 1
    first_dof = [treeid.index(t) for t in range(ntree)] if ntree < 50 else np.searchsorted(treeid, range(ntree))
    out["tree_bodyadr"], out["tree_bodynum"], out["tree_dofadr"] = first_body, bodies_in, first_dof
    out["tree_dofnum"] = np.bincount(treeid, minlength=ntree) if ntree else []
    build.fields.sizes["ntree"] = ntree
    out["tree_sleep_policy"] = _sleep(build, body_tree, bodies.sleep_policy(build, body_tree, ntree))


def _sleep(build: Build, body_tree: list[int], policy: list[int]) -> list[int]:
    """Actuated trees never sleep by themselves, nor trees that share a stiff or damped tendon."""

    def wake(tree: int) -> None:
        if tree >= 0 and policy[tree] == SLEEP_AUTO:
            policy[tree] = SLEEP_AUTO_NEVER

    for item in build.items["actuator"]:
        for body in _acted_bodies(build, item):
            wake(body_tree[body.id])
    rows, counts = [], []
    for k, tendon in enumerate(build.items["tendon"]):
        trees = list(dict.fromkeys(body_tree[b.id] for b in tendon_paths.bodies(tendon) if body_tree[b.id] >= 0))
        rows.append([*trees, -1, -1][:2])
        counts.append(len(trees))
        acts = build.fields.rows["tendon_actuatorid"][k] != -1 if "tendon_actuatorid" in build.fields.rows else False
        if len(trees) > 2 or (len(trees) == 2 and (any(tendon.stiffness) or any(tendon.damping) or acts)):
            for tree in trees:
                wake(tree)
                if policy[tree] in (SLEEP_ALLOWED, SLEEP_INIT):
                    build.problems.error(tendon.element, "a tree that this tendon couples to another cannot sleep")
    build.fields.rows["tendon_treeid"], build.fields.rows["tendon_treenum"] = rows, counts
    return [SLEEP_AUTO_ALLOWED if p == SLEEP_AUTO else p for p in policy]


def _acted_bodies(build: Build, item) -> list:
    if item.trntype in (TransmissionType.JOINT, TransmissionType.JOINTINPARENT):
        return [build.items["joint"][item.trnid[0]].body]
    if item.trntype == TransmissionType.TENDON:
        return tendon_paths.bodies(build.items["tendon"][item.trnid[0]])
    if item.trntype == TransmissionType.BODY:
        return [build.items["body"][item.trnid[0]]]
    if item.trntype == TransmissionType.SO3 and item.trnid[1] < 0:
        return [build.items["joint"][item.trnid[0]].body]
    return [build.items["site"][site].body for site in item.trnid if site >= 0]


def _mass_pattern(build: Build, chains, lengths, starts) -> None:
    """Patterns of M and D, and the maps between their entries; an entry's key is row * nv + column."""
    out, nv = build.fields.rows, build.fields.sizes["nv"]
    lengths = np.array(lengths, int)
    rows = np.repeat(np.arange(nv), lengths)
    cols = np.fromiter(itertools.chain.from_iterable(chains), int, int(starts[-1]))
    kept = (np.array(out["dof_simplenum"], int)[rows] == 0) | (rows == cols)
    m_rows, m_cols = rows[kept], cols[kept]
    m_keys = m_rows * nv + m_cols
    below = rows != cols
    d_keys = np.sort(np.concatenate([rows * nv + cols, cols[below] * nv + rows[below]]))
    d_rows, d_cols = np.divmod(d_keys, max(nv, 1))
    build.fields.sizes.update(nC=len(m_keys), nD=len(d_keys))
    for name, of_rows, columns in (("M", m_rows, m_cols), ("D", d_rows, d_cols)):
        num = np.bincount(of_rows, minlength=nv)
        out.update({f"{name}_rownnz": num, f"{name}_rowadr": np.cumsum(num) - num, f"{name}_colind": columns})
    out["D_diag"] = lengths - 1
    out["M_rowrun"] = _runs(out["M_rownnz"], np.array(out["dof_parentid"], int))
    lower = np.maximum(d_rows, d_cols) * nv + np.minimum(d_rows, d_cols)
    found = np.minimum(np.searchsorted(m_keys, lower), max(len(m_keys) - 1, 0))
    out["mapM2D"] = np.where(m_keys[found] == lower, found, -1) if len(m_keys) else found
    out["mapD2M"] = np.searchsorted(d_keys, m_keys)
    # along an ancestor chain the diagonal comes first
    out["mapM2M"] = starts[m_rows] + lengths[m_rows] - lengths[m_cols]


def _depth(build: Build, lengths: list[int]) -> None:
    """Mark the trees in which a recursion over bodies costs less than factoring M: that grows with the square of the rows' lengths."""
    count = build.fields.sizes["ntree"]
    squares = np.bincount(build.fields.rows["dof_treeid"], np.square(lengths, dtype=float), minlength=count)
    deep = squares > DEEP * np.maximum(build.fields.rows["tree_dofnum"], 1)
    build.fields.rows["tree_aba"] = deep.astype(np.uint8)
    build.fields.sizes["nabadof"] = build.fields.sizes["nv"] if deep.any() else 0
    build.fields.sizes["nababody"] = len(build.items["body"]) if deep.any() else 0


def _runs(row_lengths: np.ndarray, parent: np.ndarray) -> list[int]:
    """How many dofs just before each one are its nearest ancestors, as far as its row of M holds them."""
    runs: list[int] = []
    for dof, (length, above) in enumerate(zip(row_lengths.tolist(), parent.tolist(), strict=True)):
        runs.append(0 if length == 1 else 1 + runs[above] if above == dof - 1 else 0)
    return runs


def _incidence(build: Build) -> None:
    """Dofs of each body's subtree and of its ancestors."""
    items = build.items["body"]
    below: list[list[int]] = [list(range(b.joints[0].dofadr, b.joints[-1].dofadr + b.joints[-1].nv)) if b.joints else [] for b in items]
    own = [list(row) for row in below]
    for b in reversed(items[1:]):
        below[b.parent.id].extend(below[b.id])
    above: list[list[int]] = []
    for b in items:
        above.append([*above[b.parent.id], *own[b.parent.id]] if b.parent and b.parent.id else [])
    rows = [sorted([*below[b.id], *above[b.id]]) for b in items]
    sizes = [len(row) for row in rows]
    build.fields.rows["B_rownnz"] = sizes
    build.fields.rows["B_rowadr"] = np.concatenate([[0], np.cumsum(sizes)]).astype(int)[:-1]
    build.fields.rows["B_colind"] = list(itertools.chain.from_iterable(rows))
    build.fields.sizes["nB"] = sum(sizes)


def _tendons(build: Build) -> None:
    rows = [t.dofs for t in build.items["tendon"]]
    sizes = [len(row) for row in rows]
    build.fields.rows["ten_J_rownnz"] = sizes
    build.fields.rows["ten_J_rowadr"] = np.concatenate([[0], np.cumsum(sizes)]).astype(int)[:-1]
    build.fields.rows["ten_J_colind"] = [d for row in rows for d in row]
