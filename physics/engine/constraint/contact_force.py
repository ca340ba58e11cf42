"""The force of a contact in its frame, from the forces of its rows."""
from __future__ import annotations

import numpy as np

from physics.enums import CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.guard import checked
from physics.kernels.rows import st6


@helper
def decode_contact(d, i):
    """Force and torque of contact i on geom 2's body along the contact frame's axes: (n, t1, t2, spin, roll1, roll2).

    [N], [N m]. Zero for a contact without rows; below zero where it sticks and is pulled.
    """
    row = d.contact_efc_address[i]
    if row < 0:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    dim = d.contact_dim[i]
    n = d.efc_force[row] - d.contact_adhesion[i]
    t1 = 0.0
    t2 = 0.0
    t3 = 0.0
    t4 = 0.0
    t5 = 0.0
    if d.efc_type[row] == CNSTR_CONTACT_PYRAMIDAL:
        f = d.efc_force
        mu = d.contact_friction
        n += f[row + 1] + f[row + 2] + f[row + 3]
        t1 = mu[i, 0] * (f[row] - f[row + 1])
        t2 = mu[i, 1] * (f[row + 2] - f[row + 3])
        if dim > 3:
            n += f[row + 4] + f[row + 5]
            t3 = mu[i, 2] * (f[row + 4] - f[row + 5])
        if dim > 4:
            n += f[row + 6] + f[row + 7] + f[row + 8] + f[row + 9]
            t4 = mu[i, 3] * (f[row + 6] - f[row + 7])
            t5 = mu[i, 4] * (f[row + 8] - f[row + 9])
        return n, t1, t2, t3, t4, t5
    if dim > 1:
        t1 = d.efc_force[row + 1]
        t2 = d.efc_force[row + 2]
    if dim > 3:
        t3 = d.efc_force[row + 3]
    if dim > 4:
        t4 = d.efc_force[row + 4]
        t5 = d.efc_force[row + 5]
    return n, t1, t2, t3, t4, t5


@kernel()
def contact_forces(m, d):
    """Write the forces of all contacts.

    Reads: ncon, efc_force, efc_type, contact_adhesion, contact_efc_address, contact_dim, contact_friction
    Writes: contact_force
    """
    for i in range(d.ncon):
        st6(d.contact_force, i, decode_contact(d, i))


def contact_force(m, d, i: int, out: np.ndarray) -> np.ndarray:
    """Fill out (6) with the force of contact i on geom 2's body, in the contact frame [N, N m]; returns out."""
    out[:] = decode_contact(checked(d), i)
    return out
