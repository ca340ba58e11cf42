"""How the gap and the slips of a contact row change by the motion of its bodies, and blocks of bodies from that and the change of impulses."""
from __future__ import annotations

from physics.engine.hard.system.blocks import add_six
from physics.engine.linalg.spatial import addscl6
from physics.engine.linalg.vec import cross3
from physics.kernels.decorators import helper
from physics.kernels.rows import ld3, ld4, ld6, ld9, off
from physics.kernels.simd import vbc, vfma, vld, vset, vst

SLIDING, WHOLE = 2, 5   # directions that loops go over: of what a row lacks there is no friction, and all its numbers are 0


@helper
def slip_count(d, c):
    """Directions of row c that friction acts in: 0, 2, 3 or 5; none in a projection of positions. Loops over them go to SLIDING or to WHOLE, so that their lengths are known to
    the compiler."""
    if d.hard_project != 0:
        return 0
    return d.hrow_dim[c] - 1


@helper
def turn_slope(t, y):
    """Slope of w . y by the turn at the trial pose, w = E nu: E' y = s y + u x y."""
    k = cross3((t[1], t[2], t[3]), y)
    return t[0] * y[0] + k[0], t[0] * y[1] + k[1], t[0] * y[2] + k[2]


@helper
def put3(p, at, v):
    """p[at:at+3] = v."""
    p[at] = v[0]
    p[at + 1] = v[1]
    p[at + 2] = v[2]


@helper
def turn_slopes(d, c, i):
    """Write the slopes of row c by the turn of its body i: five slips, then the gap."""
    out = off(d.hrow_turn, 36 * c + 18 * i)
    b = d.hrow_body[c, i]
    f = ld9(d.hrow_dir, c)
    a = ld6(d.hrow_arm, c)
    r = ld6(d.hrow_reach, c)
    arm = (a[0], a[1], a[2]) if i == 0 else (a[3], a[4], a[5])
    reach = (r[0], r[1], r[2]) if i == 0 else (r[3], r[4], r[5])
    put3(out, 15, cross3(reach, ld3(d.hrow_normal, c)))
    n = slip_count(d, c)
    if n == 0:
        return
    t = ld4(d.hard_turn, b)
    put3(out, 0, turn_slope(t, cross3(arm, (f[0], f[1], f[2]))))
    put3(out, 3, turn_slope(t, cross3(arm, (f[3], f[4], f[5]))))
    if n > SLIDING:
        put3(out, 6, turn_slope(t, (f[6], f[7], f[8])))
        put3(out, 9, turn_slope(t, (f[0], f[1], f[2])))
        put3(out, 12, turn_slope(t, (f[3], f[4], f[5])))


@helper
def slope_row(d, c, i, k):
    """Slopes of slip k of row c, or of its gap with k = 5, by (nu_lin, nu_ang) of body i, without the sign."""
    w = off(d.hrow_turn, 36 * c + 18 * i + 3 * k)
    if k == 5:
        z = ld3(d.hrow_normal, c)
        return z[0], z[1], z[2], w[0], w[1], w[2]
    if k < 2:
        t = off(d.hrow_dir, 9 * c + 3 * k)
        return t[0], t[1], t[2], w[0], w[1], w[2]
    return 0.0, 0.0, 0.0, w[0], w[1], w[2]


@helper
def add_outer(p, at, u, v):
    """Three rows of eight at p[at:] += u v', v of six."""
    block = off(p, at)
    add_six(block, 0, v, u[0])
    add_six(block, 1, v, u[1])
    add_six(block, 2, v, u[2])


@helper
def add_wrench_rows(block, arm, x, y, z, u, v, w, sign):
    """Block += sign times six rows: the forces' (x, y, z) and, about the centre of mass, the torques' arm x (x, y, z) + (u, v, w)."""
    add_six(block, 0, x, sign)
    add_six(block, 1, y, sign)
    add_six(block, 2, z, sign)
    add_six(block, 3, addscl6(addscl6(u, z, arm[1]), y, -arm[2]), sign)
    add_six(block, 4, addscl6(addscl6(v, x, arm[2]), z, -arm[0]), sign)
    add_six(block, 5, addscl6(addscl6(w, y, arm[0]), x, -arm[1]), sign)


@helper
def mixed6(a, u, b, v, c, w):
    """a u + b v + c w, six each."""
    return (a * u[0] + b * v[0] + c * w[0], a * u[1] + b * v[1] + c * w[1], a * u[2] + b * v[2] + c * w[2],
            a * u[3] + b * v[3] + c * w[3], a * u[4] + b * v[4] + c * w[4], a * u[5] + b * v[5] + c * w[5])


@helper
def along(u, v):
    """u . v, six each."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2] + u[3] * v[3] + u[4] * v[4] + u[5] * v[5]


# ---------------------------------------------------------------- rows that slide in two directions, four numbers at a time


@helper
def fours_of(v):
    """Six numbers as two fours, zeros behind."""
    return vset(v[0], v[1], v[2], v[3]), vset(v[4], v[5], 0.0, 0.0)


@helper
def add_three(block, k, a, b, c, g):
    """Row that starts at k of the block += a g1 + b g2 + c g3, g: these as six fours."""
    va = vbc(a)
    vb = vbc(b)
    vc = vbc(c)
    vst(block, k, vfma(va, g[0], vfma(vb, g[2], vfma(vc, g[4], vld(block, k)))))
    vst(block, k + 4, vfma(va, g[1], vfma(vb, g[3], vfma(vc, g[5], vld(block, k + 4)))))


@helper
def add_pushes(block, f, arm, g, sign):
    """Block += sign times the wrenches of unit impulses along t1, t2 and n, at the end of the arm, times g1', g2', g3'; f: the three directions."""
    x = cross3(arm, (f[0], f[1], f[2]))
    y = cross3(arm, (f[3], f[4], f[5]))
    z = cross3(arm, (f[6], f[7], f[8]))
    add_three(block, 0, sign * f[0], sign * f[3], sign * f[6], g)
    add_three(block, 8, sign * f[1], sign * f[4], sign * f[7], g)
    add_three(block, 16, sign * f[2], sign * f[5], sign * f[8], g)
    add_three(block, 24, sign * x[0], sign * y[0], sign * z[0], g)
    add_three(block, 32, sign * x[1], sign * y[1], sign * z[1], g)
    add_three(block, 40, sign * x[2], sign * y[2], sign * z[2], g)


@helper
def three_mixed(a, b, c, j):
    """a j1 + b j2 + c j3 as two fours; j: these as six fours."""
    va = vbc(a)
    vb = vbc(b)
    vc = vbc(c)
    return vfma(va, j[0], vfma(vb, j[2], vc * j[4])), vfma(va, j[1], vfma(vb, j[3], vc * j[5]))


@helper
def add_sliding(d, c, i, w, own, other, both):
    """Add what row c's impulses along t1, t2 and n change by motion of its body i, to the body's own block and to that of the other body's residual.

    w: change of the three by v_1, v_2 and the gap, nine numbers by rows; own, other: where the blocks begin; both: whether the other body moves.
    """
    a = ld6(d.hrow_arm, c)
    arm = (a[0], a[1], a[2]) if i == 0 else (a[3], a[4], a[5])
    across = (a[3], a[4], a[5]) if i == 0 else (a[0], a[1], a[2])
    f = ld9(d.hrow_dir, c)
    one = fours_of(slope_row(d, c, i, 0))
    two = fours_of(slope_row(d, c, i, 1))
    gap = fours_of(slope_row(d, c, i, 5))
    j = (one[0], one[1], two[0], two[1], gap[0], gap[1])
    x = three_mixed(w[0], w[1], w[2], j)
    y = three_mixed(w[3], w[4], w[5], j)
    z = three_mixed(w[6], w[7], w[8], j)
    g = (x[0], x[1], y[0], y[1], z[0], z[1])
    add_pushes(own, f, arm, g, -1.0)
    if both:
        add_pushes(other, f, across, g, 1.0)
