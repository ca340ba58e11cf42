"""mj_setConst: constants of the initial pose, worked out again from masses, inertias, armature, places and lengths that were written into a model.

Statistics stay, as officially. Source: MuJoCo documentation, Computation chapter (inverse weights) and API reference (mj_setConst).
"""
from __future__ import annotations

import numpy as np

import physics
from physics.derivatives.analytic_forces import moment_rows, tendon_rows
from physics.enums import MINVAL, Engine

from ..errors import FatalError


def set_const(m, d) -> None:
    """Write all constants of qpos0 into the model m. d: its Data, which is at qpos0 afterwards."""
    engine, m.opt_engine = m.opt_engine, int(Engine.SOFT)
    try:
        physics.reset(m, d)
        below = m.body_mass.copy()
        for b in range(m.nbody - 1, 0, -1):
            below[m.body_parentid[b]] += below[b]
        m.body_subtreemass = below
        physics.forward(m, d)
        _diagonal(m, d)
        physics.forward(m, d)
        try:
            inverse = np.linalg.inv(physics.full_m(m, d))
        except np.linalg.LinAlgError:
            raise FatalError("mj_setConst: the mass matrix at qpos0 is singular") from None
        _inverse_weights(m, d, inverse)
        _lengths(m, d)
        _frames(m, d)
    finally:
        m.opt_engine = engine


def _turned(d, m, b: int) -> np.ndarray:
    """A body's inertia in world axes."""
    axes = d.ximat[b].reshape(3, 3)
    return (axes * m.body_inertia[b]) @ axes.T


def _diagonal(m, d) -> None:
    """dof_M0, which the mass matrix of simple bodies is made from: what bodies and armature put on its diagonal, sum of m |Jp|^2 + Jr' I Jr."""
    before = np.diagonal(physics.full_m(m, d)) if m.nv else np.zeros(0)
    found = np.array(before)
    simple = m.dof_simplenum > 0
    if simple.any():
        own = m.dof_armature.copy()
        for b in range(1, m.nbody):
            lin, ang = physics.jac_body_com(m, d, b)
            own += m.body_mass[b] * (lin * lin).sum(axis=0) + np.einsum("ik,ij,jk->k", ang, _turned(d, m, b), ang)
        found[simple] = own[simple]
    m.dof_M0 = found


def _inverse_weights(m, d, inverse: np.ndarray) -> None:
    """How readily bodies, dofs and tendons move: means of J M^-1 J'; and how far actuators move the model: |M^-1 J'|."""
    weights = np.zeros((m.nbody, 2))
    for b in range(1, m.nbody):
        weights[b] = [np.einsum("ij,jk,ik->", j, inverse, j) / 3 for j in physics.jac_body_com(m, d, b)]
    alone = m.body_simple == 2     # they only slide
    weights[alone] = np.stack([1 / np.maximum(MINVAL, m.body_mass[alone]), np.zeros(alone.sum())], axis=1)
    weights[m.body_weldid == 0] = 0.0
    m.body_invweight0 = np.maximum(weights, 0.0)
    dofs = np.diagonal(inverse).copy()
    for j in range(m.njnt):     # threes that turn or slide together share their mean
        run = np.flatnonzero(m.dof_jntid == j)
        for k in range(0, len(run) - 2, 3):
            dofs[run[k:k + 3]] = dofs[run[k:k + 3]].mean()
    m.dof_invweight0 = dofs
    if m.ntendon:
        rows = tendon_rows(m, d)
        m.tendon_invweight0 = np.einsum("ij,jk,ik->i", rows, inverse, rows)
    if m.nout:
        m.actuator_acc0 = np.linalg.norm(moment_rows(m, d) @ inverse, axis=1)


def _lengths(m, d) -> None:
    """Lengths of tendons and actuators at qpos0, and springs that rest there."""
    m.tendon_length0 = d.ten_length
    m.actuator_length0 = d.actuator_length
    for t in np.flatnonzero((m.tendon_lengthspring == -1).all(axis=1)):
        m.tendon_lengthspring[t] = d.ten_length[t]


def _frames(m, d) -> None:
    """Places of cameras and lights against the frames and centres of mass that they follow."""
    for c in range(m.ncam):
        body = m.cam_bodyid[c]
        m.cam_pos0[c] = d.cam_xpos[c] - d.xpos[body]
        m.cam_poscom0[c] = d.cam_xpos[c] - d.subtree_com[body]
        m.cam_mat0[c] = d.cam_xmat[c]
    for k in range(m.nlight):
        body = m.light_bodyid[k]
        m.light_pos0[k] = d.light_xpos[k] - d.xpos[body]
        m.light_poscom0[k] = d.light_xpos[k] - d.subtree_com[body]
        m.light_dir0[k] = d.light_xdir[k]

