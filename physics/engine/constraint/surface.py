"""Surfaces that move while their geoms do not, as a conveyor's belt: what contacts feel of it.

A geom's surface moves past it by v + w x (x - p) at the point x (geom_surfacevel: v and w in the geom's axes, p its centre).
Between two geoms the difference counts, second less first, along the contact's tangents and as spin about its normal.

Source: MuJoCo documentation, XML reference, geom surfacevel; chapter Computation, "Constraint model: reference acceleration".
"""
from __future__ import annotations

from physics.engine.linalg.vec import add3, cross3, dot3, sub3
from physics.enums import CNSTR_CONTACT_ELLIPTIC, CNSTR_CONTACT_PYRAMIDAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9, st3


@helper
def turned(R, x):
    """A vector in a frame's axes, in the world's."""
    return (R[0] * x[0] + R[1] * x[1] + R[2] * x[2], R[3] * x[0] + R[4] * x[1] + R[5] * x[2], R[6] * x[0] + R[7] * x[1] + R[8] * x[2])


@helper
def spin_of_surface(m, d, g):
    """How a geom's surface turns, in world axes."""
    a = m.geom_surfacevel
    return turned(ld9(d.geom_xmat, g), (a[g, 3], a[g, 4], a[g, 5]))


@helper
def speed_of_surface(m, d, g, spin, x):
    """How a geom's surface moves at the point x, in world axes."""
    a = m.geom_surfacevel
    v = turned(ld9(d.geom_xmat, g), (a[g, 0], a[g, 1], a[g, 2]))
    return add3(v, cross3(spin, sub3(x, ld3(d.geom_xpos, g))))


@kernel("m d i")
def surface_velocity(m, d, k):
    """Velocity of the second geom's surface against the first one's at contact k: along both tangents, and spin.

    Reads: contact_geom, contact_pos, contact_frame, geom_xpos, geom_xmat
    Writes: contact_surfacevel
    """
    x = ld3(d.contact_pos, k)
    f = ld9(d.contact_frame, k)
    g1 = d.contact_geom[k, 0]
    g2 = d.contact_geom[k, 1]
    w1 = spin_of_surface(m, d, g1)
    w2 = spin_of_surface(m, d, g2)
    v = sub3(speed_of_surface(m, d, g2, w2, x), speed_of_surface(m, d, g1, w1, x))
    w = sub3(w2, w1)
    st3(d.contact_surfacevel, k, (dot3((f[3], f[4], f[5]), v), dot3((f[6], f[7], f[8]), v), dot3((f[0], f[1], f[2]), w)))


@kernel()
def add_surface_velocities(m, d):
    """Add to the velocity of contact rows what the surfaces move by themselves: rows are then at rest where both go along.

    Reads: ncon, contact_surfacevel, contact_efc_address, contact_dim, contact_friction, efc_type
    Writes: efc_vel
    """
    for i in range(d.ncon):
        row = d.contact_efc_address[i]
        if row < 0:
            continue
        n = min(d.contact_dim[i] - 1, 3)
        if d.efc_type[row] == CNSTR_CONTACT_ELLIPTIC:
            for k in range(n):
                d.efc_vel[row + 1 + k] += d.contact_surfacevel[i, k]
        elif d.efc_type[row] == CNSTR_CONTACT_PYRAMIDAL:
            for k in range(n):
                v = d.contact_friction[i, k] * d.contact_surfacevel[i, k]
                d.efc_vel[row + 2 * k] += v
                d.efc_vel[row + 2 * k + 1] -= v
