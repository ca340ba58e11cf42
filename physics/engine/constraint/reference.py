"""What the rows ask for: their velocity and the reference acceleration of a spring and damper along each.

Source: MuJoCo documentation, chapter Computation, "Constraint model: reference acceleration".
"""
from __future__ import annotations

from physics.kernels.decorators import kernel
from physics.kernels.rows import off


@kernel()
def reference_constraint(m, d):
    """Write efc_vel = J qvel and efc_aref = -B vel - K I (pos - margin).

    Reads: qvel, efc_J, efc_J_rownnz, efc_J_rowadr, efc_J_colind, efc_pos, efc_margin, efc_KBIP, nefc
    Writes: efc_vel, efc_aref
    """
    for i in range(d.nefc):
        adr = d.efc_J_rowadr[i]
        row = off(d.efc_J, adr)
        col = off(d.efc_J_colind, adr)
        n = d.efc_J_rownnz[i]
        s = 0.0
        t = 0.0
        k = 0
        while k + 2 <= n:
            s += row[k] * d.qvel[col[k]]
            t += row[k + 1] * d.qvel[col[k + 1]]
            k += 2
        if k < n:
            s += row[k] * d.qvel[col[k]]
        v = s + t
        d.efc_vel[i] = v
        d.efc_aref[i] = -d.efc_KBIP[i, 1] * v - d.efc_KBIP[i, 0] * d.efc_KBIP[i, 2] * (d.efc_pos[i] - d.efc_margin[i])
