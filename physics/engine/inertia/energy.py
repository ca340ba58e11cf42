"""Potential and kinetic energy.

Source: MuJoCo documentation, Computation chapter, "Energy" and XML reference, option/flag energy.
"""
from __future__ import annotations

from physics.engine.kinematics.joints import joint_spring_energy
from physics.engine.linalg.vec import dot3
from physics.engine.passive.passive import has_joint_spring, tendon_spring_energy
from physics.enums import DSBL_GRAVITY, DSBL_SPRING
from physics.kernels.decorators import kernel
from physics.kernels.rows import ld3


@kernel()
def energy_pos(m, d):
    """Potential energy of gravity and springs [J].

    Reads: xipos, qpos, ten_length
    Writes: energy[0], flg_energypos
    """
    e = 0.0
    if m.opt_disableflags & DSBL_GRAVITY == 0:
        g = (m.opt_gravity[0], m.opt_gravity[1], m.opt_gravity[2])
        for i in range(1, m.nbody):
            e -= m.body_mass[i] * dot3(g, ld3(d.xipos, i))
    if m.opt_disableflags & DSBL_SPRING == 0:
        for j in range(m.njnt):
            if has_joint_spring(m, j):
                e += joint_spring_energy(m, d, j)
        for t in range(m.ntendon):
            e += tendon_spring_energy(m, d, t)
    d.energy[0] = e
    d.flg_energypos = 1


@kernel()
def energy_vel(m, d):
    """Kinetic energy qvel' M qvel / 2 [J].

    Reads: M, qvel
    Writes: energy[1], flg_energyvel
    """
    e = 0.0
    for i in range(m.nv):
        adr = m.M_rowadr[i]
        n = m.M_rownnz[i] - 1
        v = d.qvel[i]
        s = 0.5 * d.M[adr + n] * v
        for a in range(adr, adr + n):
            s += d.M[a] * d.qvel[m.M_colind[a]]
        e += s * v
    d.energy[1] = e
    d.flg_energyvel = 1
