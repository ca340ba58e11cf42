"""Velocity of the centre of mass, and angular momentum about it, of each body with its descendants.

With p the momentum, L the spin momentum, x the centre of mass, v its velocity, of a body (b) and of subtrees (i, and its
children c):

    v_i = sum p / sum m,    L_i = L_b + m_b (x_b - x_i) x (v_b - v_i) + sum over c of (L_c + m_c (x_c - x_i) x (v_c - v_i))

Source: any text on mechanics, e.g. Goldstein, "Classical Mechanics", section 1.2 (Koenig's theorem).
"""
from __future__ import annotations

from physics.engine.kinematics.objects import object_velocity
from physics.engine.linalg.vec import add3, cross3, mat_t_vec3, mat_vec3, scl3, sub3
from physics.enums import MINVAL, OBJ_BODY
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld9, st3


@helper
def spin_of(m, d, b, w):
    """Angular momentum of body b about its own centre of mass."""
    r = ld9(d.ximat, b)
    x = mat_t_vec3(r, w)
    return mat_vec3(r, (x[0] * m.body_inertia[b, 0], x[1] * m.body_inertia[b, 1], x[2] * m.body_inertia[b, 2]))


@helper
def orbit(mass, x, y, v, u):
    """Angular momentum of a mass at x moving with v, about y, seen from what moves with u."""
    return cross3(sub3(x, y), scl3(sub3(v, u), mass))


@kernel()
def subtree_vel(m, d):
    """Velocities and angular momenta of all subtrees.

    Reads: xipos, ximat, xpos, geom_xpos, site_xpos, cam_xpos, cvel, subtree_com
    Writes: subtree_linvel, subtree_angmom, flg_subtreevel
    """
    for b in range(m.nbody):
        w, v = object_velocity(m, d, OBJ_BODY, b)
        st3(d.subtree_linvel, b, scl3(v, m.body_mass[b]))
    for b in range(m.nbody - 1, -1, -1):
        p = ld3(d.subtree_linvel, b)
        if b > 0:
            up = m.body_parentid[b]
            st3(d.subtree_linvel, up, add3(ld3(d.subtree_linvel, up), p))
        st3(d.subtree_linvel, b, scl3(p, 1.0 / max(MINVAL, m.body_subtreemass[b])))
    for b in range(m.nbody):
        w, v = object_velocity(m, d, OBJ_BODY, b)
        spin = add3(spin_of(m, d, b, w), orbit(m.body_mass[b], ld3(d.xipos, b), ld3(d.subtree_com, b), v, ld3(d.subtree_linvel, b)))
        st3(d.subtree_angmom, b, spin)
    for b in range(m.nbody - 1, 0, -1):
        up = m.body_parentid[b]
        more = orbit(m.body_subtreemass[b], ld3(d.subtree_com, b), ld3(d.subtree_com, up), ld3(d.subtree_linvel, b), ld3(d.subtree_linvel, up))
        st3(d.subtree_angmom, up, add3(ld3(d.subtree_angmom, up), add3(ld3(d.subtree_angmom, b), more)))
    d.flg_subtreevel = 1
