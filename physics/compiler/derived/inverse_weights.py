"""Inverse weights: how readily each body and each degree of freedom moves at the initial pose.

A body's is the mean over three directions of J M^-1 J', with J the Jacobian of its centre of mass, or of its turning; with the factor F of a
tree's inverse mass matrix (constants.py) it is a sum of squares of F J'. Source: MuJoCo documentation, Computation chapter (inverse weights).
"""
from __future__ import annotations

import numpy as np

from physics.compiler.build import Build
from physics.compiler.items import Item
from physics.enums import MINVAL

_AT_ONCE = 1 << 18   # numbers


def fill(build: Build, c) -> None:
    """body_invweight0 and dof_invweight0. c: of constants.py."""
    bodies, out = build.items["body"], build.fields.rows
    weights = np.zeros((len(bodies), 2))
    arms = np.array(c.pose.xipos) - c.pose.subtree_com[[b.rootid for b in bodies]]
    alike: dict[tuple, list[Item]] = {}   # bodies in like trees with equally many dofs
    for b in bodies[1:]:
        if b.simple == 2:
            weights[b.id, 0] = 1 / max(MINVAL, b.mass)
        elif out["body_treeid"][b.id] >= 0:
            alike.setdefault((c.place[out["body_treeid"][b.id]][0], len(build.chains[b.lastdof])), []).append(b)
    for (group, count), some in alike.items():
        step = max(1, _AT_ONCE // (count * c.groups[group].inverses.shape[1]))
        for k in range(0, len(some), step):
            ids = [b.id for b in some[k:k + step]]
            weights[ids] = _together(build, c, group, some[k:k + step], arms[ids].T)
    dofs = c.inverse_diagonal.tolist()
    for joint in build.items["joint"]:
        a = joint.dofadr
        if joint.body.simple == 2:
            dofs[a] = 1 / max(MINVAL, joint.body.mass)
        elif joint.nv > 1:   # threes that turn or slide
            for k in range(a, a + joint.nv, 3):
                dofs[k:k + 3] = [sum(dofs[k:k + 3]) / 3] * 3
    out["body_invweight0"], out["dof_invweight0"] = weights, dofs


def _together(build: Build, c, group: int, bodies: list[Item], arms: np.ndarray) -> np.ndarray:
    """Weights (n, 2) of bodies with equally many dofs in trees of a group. arms: their centres of mass (3, n), from those of their trees."""
    alike, trees = c.groups[group], [build.fields.rows["body_treeid"][b.id] for b in bodies]
    places, starts = np.array([c.place[tree][1] for tree in trees]), np.array([c.trees[tree][0] for tree in trees])
    dofs = np.array([build.chains[b.lastdof] for b in bodies])
    here = dofs - starts[:, None]
    x, y, z = arms[:, :, None]
    rot = c.pose.cdof[dofs, :3]
    motion = np.empty((*dofs.shape, 6))
    motion[..., :3], motion[..., 3:] = c.pose.cdof[dofs, 3:], rot
    motion[..., 0] += rot[..., 1] * z - rot[..., 2] * y
    motion[..., 1] += rot[..., 2] * x - rot[..., 0] * z
    motion[..., 2] += rot[..., 0] * y - rot[..., 1] * x
    if alike.branched:
        factors = alike.inverses[places[:, None, None], here[:, :, None], here[:, None, :]]
    elif len(places) == 1 and here[0, -1] == len(here[0]) - 1:   # the first so many dofs: no need to copy
        factors = alike.inverses[places[0]][None, :, :len(here[0])]
    else:
        factors = alike.inverses[places[:, None], :, here].swapaxes(1, 2)
    halves = factors @ motion
    squares = np.sum(halves * halves, axis=1)
    return np.stack((squares[:, :3].sum(axis=1) / 3, squares[:, 3:].sum(axis=1) / 3), axis=1)
