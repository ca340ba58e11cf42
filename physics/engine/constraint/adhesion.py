"""Contacts that stick: they can pull with a force of up to `adhesion` before they break.

The pull is split in two, so that rows and solver know nothing of it: a constant attraction along the normal among the
passive forces, and rows that push back against it without being pressed in any deeper. What is left between the geoms
is the row's force less the attraction.

Source: MuJoCo documentation, chapter Computation, "Adhesion".
"""
from __future__ import annotations

from physics.engine.inertia.wrench import add_wrench, clear_wrenches, spread_wrenches
from physics.engine.linalg.vec import scl3
from physics.enums import CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import kernel
from physics.kernels.rows import ld3


@kernel()
def adhesion_force(m, d):
    """Attraction of all sticking contacts.

    Reads: ncon, contact_adhesion, contact_exclude, contact_geom, contact_pos, contact_frame, subtree_com, cdof
    Writes: qfrc_adhesion (and the scratch rows body_frc)
    """
    none = True
    for i in range(d.ncon):
        pull = d.contact_adhesion[i]
        if pull == 0.0 or d.contact_exclude[i] > 1:
            continue
        if none:
            clear_wrenches(m, d)
            none = False
        f = scl3((d.contact_frame[i, 0], d.contact_frame[i, 1], d.contact_frame[i, 2]), pull)
        x = ld3(d.contact_pos, i)
        add_wrench(m, d, m.geom_bodyid[d.contact_geom[i, 0]], x, (0.0, 0.0, 0.0), f)
        add_wrench(m, d, m.geom_bodyid[d.contact_geom[i, 1]], x, (0.0, 0.0, 0.0), scl3(f, -1.0))
    if not none:
        spread_wrenches(m, d, d.qfrc_adhesion)


@kernel()
def adhesion_reference(m, d):
    """Let the rows of sticking contacts push back against their attraction; the edges of a pyramid share it.

    Reads: ncon, contact_adhesion, contact_efc_address, contact_dim, efc_type, efc_R
    Writes: efc_aref
    """
    for i in range(d.ncon):
        row = d.contact_efc_address[i]
        pull = d.contact_adhesion[i]
        if row < 0 or pull == 0.0:
            continue
        n = 1
        if d.efc_type[row] == CNSTR_CONTACT_PYRAMIDAL:
            n = 2 * (d.contact_dim[i] - 1)
        for k in range(row, row + n):
            d.efc_aref[k] += d.efc_R[k] * pull / n
