"""How the medium's forces change with the joint velocities, for the implicit integrators.

A body's force changes by a 6x6 matrix B with its velocity; B about the tree's centre of mass, summed over a subtree, gives
the derivative of the joint forces just as a composite inertia gives M: of dof i by dof k it is cdof_i' B cdof_k, with B of
the one nearer the leaves. The kernel `fluid_slopes` finds all these B and their products with cdof; the helpers read them:

    fluid_entry         one entry of the derivative
    add_fluid_rows      the symmetrised derivative, into a matrix with M's rows           (implicitfast)
    add_fluid_square    the derivative of a lone free body, into a 6x6 matrix             (implicitfast)
    add_fluid_pattern   the derivative, into a matrix with the full square pattern        (implicit)

Source: MuJoCo documentation, Computation chapter, "Fluid forces"; derivatives of its formulas worked out by hand.
"""
from __future__ import annotations

from math import pi, sqrt

from physics.engine.kinematics.points import from_com
from physics.engine.linalg.spatial import dot6
from physics.engine.linalg.vec import (
    addscl3,
    addscl9,
    columns3,
    diag3,
    dot3,
    mat_mat3,
    mat_mat_t3,
    norm3,
    outer3,
    scl3,
    scl9,
    skew3,
    unit3,
)
from physics.engine.passive.fluid import (
    box_resistance,
    ellipsoid_volume,
    feels_medium,
    flow,
    geom_inertia,
    geom_mass,
    is_ellipsoidal,
    longest_two,
    semiaxes,
    shadow_weights,
    stokes_sphere,
    times3,
    turning_drag,
)
from physics.enums import INT_DISCRETE, MINVAL
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import ld3, ld6, ld9, off, st6


@helper
def resist_slope(v, linear, square):
    """Derivative of the force -v (linear + square |v|), part by part."""
    return (-linear - 2.0 * square[0] * abs(v[0]), -linear - 2.0 * square[1] * abs(v[1]), -linear - 2.0 * square[2] * abs(v[2]))


@helper
def box_slope(m, body, w, u):
    """Derivatives of the torque by w and of the force by u on the box of a body, part by part."""
    slow_t, slow_f, fast_t, fast_f = box_resistance(m, body)
    return resist_slope(w, slow_t, fast_t), resist_slope(u, slow_f, fast_f)


@helper
def turning_slope(c, w, rho, slow):
    """Derivative by w of the torque -w (slow + rho |C w|), C the diagonal matrix of c; the floor at MINVAL is the official one."""
    cw = times3(c, w)
    s = rho / max(MINVAL, norm3(cw))
    k = -slow - s * dot3(cw, cw)
    return addscl9(diag3((k, k, k)), outer3(w, times3(c, cw)), -s)


@helper
def drag_slope(s, blunt, slender, u, rho, slow):
    """Derivative by u of the force -u (slow + rho |u| (blunt A + slender (most - A))), A the area shown to the flow.

    With e along u and n = N e for the diagonal matrix N of the shadow weights, A grows with sqrt(n.n / n.e), which changes with
    e by sqrt(n.n / n.e) (n.e N n - n.n n) / (n.e n.n).
    """
    longest, middle = longest_two(s)
    weight = shadow_weights(s, longest)
    speed = norm3(u)
    e = unit3(u)
    n = times3(weight, e)
    nn = dot3(n, n)
    ne = dot3(n, e)
    area = 0.0
    change = 0.0
    if ne >= MINVAL:
        area = pi * longest * longest * sqrt(nn / ne)
        change = area * rho * speed * (blunt - slender) / (ne * nn)
    fast = rho * speed * (blunt * area + slender * (pi * longest * middle - area))
    area_slope = addscl3(scl3(times3(weight, n), ne), n, -nn)
    k = -slow - fast
    return addscl9(diag3((k, k, k)), outer3(e, addscl3(scl3(e, fast), area_slope, change)), -1.0)


@helper
def kutta_slope(s, u, strength):
    """Derivative by u of the lift strength |u|^2 A (n.e / n.n) x, with A and n as above and x = (n x e) x e = (n.e) e - n.

    The force grows with the square of u, so its derivative is |u| times that at e.
    """
    longest, _middle = longest_two(s)
    weight = shadow_weights(s, longest)
    e = unit3(u)
    n = times3(weight, e)
    ne = dot3(n, e)
    if ne < MINVAL:
        return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    nn = dot3(n, n)
    x = addscl3(scl3(e, ne), n, -1.0)
    # of the factor, times n.e
    factor = addscl3(addscl3(n, times3(weight, n), -ne / nn), e, -ne)
    slope = outer3(x, factor)
    slope = addscl9(slope, diag3((ne - weight[0], ne - weight[1], ne - weight[2])), ne)
    slope = addscl9(slope, outer3(e, n), 2.0 * ne)
    slope = addscl9(slope, outer3(n, e), -2.0 * ne)
    return scl9(slope, strength * pi * longest * longest * norm3(u) / sqrt(nn * ne))


@helper
def product_slope(p, q, v):
    """Derivative of (q v) x v by v, where p = q v."""
    return addscl9(skew3(p), columns3(skew3(v), q), -1.0)


@helper
def ellipsoid_slope(m, geom, w, u):
    """Derivatives of (torque by w, torque by u, force by w, force by u) on the ellipsoid of a geom, in its axes.

    Under the discrete integrator only drag counts: it always brakes, lift and added mass need not.
    """
    rho = m.opt_density
    s = semiaxes(m, geom)
    blunt, slender, angular = m.geom_fluid[geom, 1], m.geom_fluid[geom, 2], m.geom_fluid[geom, 3]
    slow_t, slow_f = stokes_sphere(s)
    mass = scl3(geom_mass(m, geom), rho)
    inertia = scl3(geom_inertia(m, geom), rho)
    p = times3(mass, u)
    magnus = m.geom_fluid[geom, 5] * rho * ellipsoid_volume(s)
    tw = turning_slope(turning_drag(s, slender, angular), w, rho, slow_t * m.opt_viscosity)
    if m.opt_integrator == INT_DISCRETE:
        none = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        return tw, none, none, drag_slope(s, blunt, slender, u, rho, slow_f * m.opt_viscosity)
    tw = addscl9(tw, product_slope(times3(inertia, w), inertia, w), 1.0)
    tu = product_slope(p, mass, u)
    fw = addscl9(skew3(p), skew3(u), -magnus)
    fu = drag_slope(s, blunt, slender, u, rho, slow_f * m.opt_viscosity)
    fu = addscl9(fu, kutta_slope(s, u, m.geom_fluid[geom, 4] * rho), 1.0)
    fu = addscl9(fu, skew3(w), magnus)
    fu = addscl9(fu, columns3(skew3(w), mass), -1.0)
    return tw, tu, fw, fu


@helper
def turned(r, a):
    """The matrix a, given along the axes of r, in world axes."""
    return mat_mat_t3(mat_mat3(r, a), r)


@helper
def add_block(b, at, a, share):
    """Add the 3x3 matrix share A to the 6x6 matrix b, at element `at`."""
    for i in range(3):
        b[at + 6 * i] += share * a[3 * i]
        b[at + 6 * i + 1] += share * a[3 * i + 1]
        b[at + 6 * i + 2] += share * a[3 * i + 2]


@helper
def add_slope(m, d, body, p, tw, tu, fw, fu, share):
    """Add to the body's fluid_slope the derivatives of torque and force at p by the velocity there, moved to the tree's centre of mass."""
    r = skew3(from_com(m, d, body, p))
    # the velocity at p falls by r x w, the torque about the centre gains r x force
    fw = addscl9(fw, mat_mat3(fu, r), -1.0)
    tw = addscl9(addscl9(tw, mat_mat3(tu, r), -1.0), mat_mat3(r, fw), 1.0)
    tu = addscl9(tu, mat_mat3(r, fu), 1.0)
    b = off(d.fluid_slope, 36 * body)
    add_block(b, 0, tw, share)
    add_block(b, 3, tu, share)
    add_block(b, 18, fw, share)
    add_block(b, 21, fu, share)


@kernel("m d i")
def ellipsoid_slopes(m, d, body):
    """Add the derivatives of the medium's forces on the ellipsoids of a body.

    Reads: geom_xpos, geom_xmat, cvel, subtree_com
    Writes: fluid_slope
    """
    first = m.body_geomadr[body]
    for g in range(first, first + m.body_geomnum[body]):
        if m.geom_fluid[g, 0] != 0.0:
            p = ld3(d.geom_xpos, g)
            r = ld9(d.geom_xmat, g)
            w, u = flow(m, d, body, p, r)
            tw, tu, fw, fu = ellipsoid_slope(m, g, w, u)
            add_slope(m, d, body, p, turned(r, tw), turned(r, tu), turned(r, fw), turned(r, fu), m.geom_fluid[g, 0])


@kernel("m d i")
def box_slopes(m, d, body):
    """Add the derivative of the medium's force on the box of a body.

    Reads: xipos, ximat, cvel, subtree_com
    Writes: fluid_slope
    """
    p = ld3(d.xipos, body)
    r = ld9(d.ximat, body)
    w, u = flow(m, d, body, p, r)
    t, f = box_slope(m, body, w, u)
    none = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    add_slope(m, d, body, p, turned(r, diag3(t)), none, none, turned(r, diag3(f)), 1.0)


@helper
def row_times(b, k, c):
    """Row k of the 6x6 matrix b times c."""
    k *= 6
    return b[k] * c[0] + b[k + 1] * c[1] + b[k + 2] * c[2] + b[k + 3] * c[3] + b[k + 4] * c[4] + b[k + 5] * c[5]


@helper
def column_times(b, k, c):
    """Column k of the 6x6 matrix b times c."""
    return b[k] * c[0] + b[k + 6] * c[1] + b[k + 12] * c[2] + b[k + 18] * c[3] + b[k + 24] * c[4] + b[k + 30] * c[5]


@kernel()
def fluid_slopes(m, d):
    """Derivatives of the medium's forces on bodies by their velocities, summed over subtrees, and their products with cdof.

    Reads: xipos, ximat, geom_xpos, geom_xmat, cvel, subtree_com, cdof
    Writes: fluid_slope, fluid_row, fluid_col
    """
    for i in range(m.nbody):
        b = off(d.fluid_slope, 36 * i)
        for k in range(36):
            b[k] = 0.0
        if i > 0 and feels_medium(m, i):
            if is_ellipsoidal(m, i):
                ellipsoid_slopes(m, d, i)
            else:
                box_slopes(m, d, i)
    for i in range(m.nbody - 1, 0, -1):
        p = m.body_parentid[i]
        if p > 0:
            b = off(d.fluid_slope, 36 * i)
            up = off(d.fluid_slope, 36 * p)
            for k in range(36):
                up[k] += b[k]
    for k in range(m.nv):
        c = ld6(d.cdof, k)
        b = off(d.fluid_slope, 36 * m.dof_bodyid[k])
        st6(d.fluid_row, k, (column_times(b, 0, c), column_times(b, 1, c), column_times(b, 2, c),
                             column_times(b, 3, c), column_times(b, 4, c), column_times(b, 5, c)))
        st6(d.fluid_col, k, (row_times(b, 0, c), row_times(b, 1, c), row_times(b, 2, c),
                             row_times(b, 3, c), row_times(b, 4, c), row_times(b, 5, c)))


@helper
def fluid_entry(d, i, k):
    """Derivative of the medium's force on dof i by the velocity of dof k, where one is above the other or they are the same."""
    if k <= i:
        return dot6(ld6(d.fluid_row, i), ld6(d.cdof, k))
    return dot6(ld6(d.cdof, i), ld6(d.fluid_col, k))


@helper
def add_fluid_rows(m, d, mat, s):
    """Add s times the symmetric part of the derivative to a matrix with M's rows."""
    for i in range(m.nv):
        f = ld6(d.fluid_row, i)
        g = ld6(d.fluid_col, i)
        f = (f[0] + g[0], f[1] + g[1], f[2] + g[2], f[3] + g[3], f[4] + g[4], f[5] + g[5])
        adr = m.M_rowadr[i]
        for a in range(adr, adr + m.M_rownnz[i]):
            mat[a] += 0.5 * s * dot6(f, ld6(d.cdof, m.M_colind[a]))


@helper
def add_fluid_square(d, k, a, s):
    """Add s times the derivative of a lone free body, whose first dof is k, to the 6x6 matrix a."""
    for r in range(6):
        f = ld6(d.fluid_row, k + r)
        for c in range(6):
            a[6 * r + c] += s * dot6(f, ld6(d.cdof, k + c))


@helper
def add_fluid_pattern(m, d, mat, s):
    """Add s times the derivative to a matrix with the full square pattern."""
    for i in range(m.nv):
        adr = m.D_rowadr[i]
        for a in range(adr, adr + m.D_rownnz[i]):
            mat[a] += s * fluid_entry(d, i, m.D_colind[a])
