"""The distance constraint of MuJoCo until 2.2.1: two geoms are kept at a distance.

    1 row    dist - distance, dist the signed distance of the geoms, which changes along the normal at the point between them

Geoms that cannot move against each other, and planes and height fields among themselves, have no row.

Source: MuJoCo 2.2.1, XML reference, equality/distance; the rows that it makes.
"""
from __future__ import annotations

from physics.engine.collide.distance import geom_distance, no_room_for
from physics.engine.constraint.append import put_row, reserve
from physics.engine.constraint.contact_rows import contact_basis
from physics.engine.constraint.impedance import ld2, ld5
from physics.engine.kinematics.points import count_columns, last_dof
from physics.enums import CNSTR_EQUALITY
from physics.kernels.decorators import helper, kernel

UNBOUNDED = 1e9  # larger distances are none


@helper
def ordered_geoms(m, i):
    """The geoms of constraint i, the one of the smaller type first."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    if m.geom_type[one] > m.geom_type[two]:
        return two, one
    return one, two


@kernel("m d i")
def distance_row(m, d, i):
    """Append the row of distance constraint i.

    The point between the geoms is written beyond the contacts, as if it were one; where they fill their room, need_ncon asks for more.
    Reads: ncon, geom_xpos, geom_xmat, subtree_com, cdof
    Writes: contact_geom, contact_pos, contact_frame, need_ncon
    """
    one, two = ordered_geoms(m, i)
    b1 = m.geom_bodyid[one]
    b2 = m.geom_bodyid[two]
    nnz = count_columns(m, last_dof(m, b1), last_dof(m, b2))
    if nnz == 0 or no_room_for(m, d, one, two):
        return
    dist = geom_distance(m, d, one, two, UNBOUNDED)
    if dist >= UNBOUNDED:
        return
    row = reserve(d, 1, nnz)
    if row < 0:
        return
    d.contact_geom[d.ncon, 0] = one
    d.contact_geom[d.ncon, 1] = two
    contact_basis(m, d, d.efc_J_rowadr[row], nnz, 1, d.ncon)
    weight = m.body_invweight0[b1, 0] + m.body_invweight0[b2, 0]
    put_row(m, d, row, CNSTR_EQUALITY, i, dist - m.eq_data[i, 0], 0.0, 0.0, weight, ld2(m.eq_solref, i), ld5(m.eq_solimp, i))
