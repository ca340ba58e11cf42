"""Fixed tendons: a length that is a weighted sum of joint coordinates, with constant Jacobian.

Source: MuJoCo documentation, XML reference, tendon/fixed.
"""
from __future__ import annotations

from physics.kernels.decorators import kernel


@kernel()
def tendon(m, d):
    """Lengths and Jacobians of all tendons.

    Reads: qpos
    Writes: ten_length, ten_J, ten_wrapadr, ten_wrapnum
    """
    for t in range(m.ntendon):
        start = m.ten_J_rowadr[t]
        end = start + m.ten_J_rownnz[t]
        for a in range(start, end):
            d.ten_J[a] = 0.0
        length = 0.0
        path = m.tendon_adr[t]
        for w in range(path, path + m.tendon_num[t]):
            j = m.wrap_objid[w]
            coef = m.wrap_prm[w]
            length += coef * d.qpos[m.jnt_qposadr[j]]
            dof = m.jnt_dofadr[j]
            for a in range(start, end):
                if m.ten_J_colind[a] == dof:
                    d.ten_J[a] += coef
        d.ten_length[t] = length
        d.ten_wrapadr[t] = 0
        d.ten_wrapnum[t] = 0


@kernel()
def tendon_velocity(m, d):
    """Rates of the tendon lengths, J qvel.

    Reads: ten_J, qvel
    Writes: ten_velocity
    """
    for t in range(m.ntendon):
        start = m.ten_J_rowadr[t]
        v = 0.0
        for a in range(start, start + m.ten_J_rownnz[t]):
            v += d.ten_J[a] * d.qvel[m.ten_J_colind[a]]
        d.ten_velocity[t] = v
