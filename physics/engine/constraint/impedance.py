"""How hard a constraint row pushes: impedance, stiffness, damping and regularisation from solref and solimp.

Source: MuJoCo documentation, chapter Computation, "Constraint model: parameters"; chapter Modeling, "Solver parameters".
"""
from __future__ import annotations

from math import sqrt

from physics.enums import DSBL_REFSAFE, INT_DISCRETE, MAXIMP, MINIMP, MINVAL
from physics.kernels.decorators import helper
from physics.kernels.rows import off
from physics.kernels.simd import vbc, vset, vst

DEFAULT_SOLREF = (0.02, 1.0)  # stands in where the signs of solref contradict each other


@helper
def ld2(a, i):
    """Row i of an (n, 2) field."""
    return a[i, 0], a[i, 1]


@helper
def ld5(a, i):
    """Row i of an (n, 5) field."""
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3], a[i, 4]


@helper
def clip_impedance(x):
    """x within the allowed range of impedances."""
    return min(MAXIMP, max(MINIMP, x))


@helper
def impedance(solimp, depth):
    """(impedance, its slope) at residual minus margin = depth; solimp = (d0, dwidth, width, midpoint, power)."""
    d0 = clip_impedance(solimp[0])
    dw = clip_impedance(solimp[1])
    width = max(0.0, solimp[2])
    if d0 == dw or width <= MINVAL:
        return 0.5 * (d0 + dw), 0.0
    x = depth / width
    sign = 1.0
    if x < 0.0:
        x = -x
        sign = -1.0
    if x == 0.0:
        return d0, 0.0
    if x >= 1.0:
        return dw, 0.0
    mid = clip_impedance(solimp[3])
    power = max(1.0, solimp[4])
    if power == 1.0:
        y = x
        slope = 1.0
    elif power == 2.0:
        if x <= mid:
            y = x * x / mid
            slope = 2.0 * x / mid
        else:
            y = 1.0 - (1.0 - x) * (1.0 - x) / (1.0 - mid)
            slope = 2.0 * (1.0 - x) / (1.0 - mid)
    elif x <= mid:
        scale = 1.0 / mid ** (power - 1.0)
        y = scale * x ** power
        slope = power * scale * x ** (power - 1.0)
    else:
        scale = 1.0 / (1.0 - mid) ** (power - 1.0)
        y = 1.0 - scale * (1.0 - x) ** power
        slope = power * scale * (1.0 - x) ** (power - 1.0)
    return d0 + y * (dw - d0), slope * sign * (dw - d0) / width


@helper
def usable_solref(m, ref, fallback):
    """solref with contradicting signs replaced by `fallback` and the time constant kept above two time steps (but see resolved)."""
    tc = ref[0]
    ratio = ref[1]
    if (tc > 0.0) != (ratio > 0.0):
        tc = fallback[0]
        ratio = fallback[1]
    if tc > 0.0 and not (m.opt_disableflags & DSBL_REFSAFE) and m.opt_integrator != INT_DISCRETE:
        tc = max(tc, 2.0 * m.opt_timestep)
    return tc, ratio


@helper
def stiffness(ref, dw):
    """K of the reference acceleration: from (timeconst, dampratio), or -ref[0] as given when not positive."""
    if ref[0] > 0.0:
        return 1.0 / max(MINVAL, dw * dw * ref[0] * ref[0] * ref[1] * ref[1])
    return -ref[0] / max(MINVAL, dw * dw)


@helper
def damping(ref, dw):
    """B of the reference acceleration: from (timeconst, dampratio), or -ref[1] as given when not positive."""
    if ref[1] > 0.0:
        return 2.0 / max(MINVAL, dw * ref[0])
    return -ref[1] / max(MINVAL, dw)


@helper
def resolved(m, ref, imp, k, b):
    """(K, B) of a limit or contact: under the discrete integrator the stiffest that a time step can resolve stands in for stiffer ones."""
    if m.opt_integrator == INT_DISCRETE and not (m.opt_disableflags & DSBL_REFSAFE):
        h = m.opt_timestep
        if ref[0] > 0.0 and k * imp * h * h > 1.0:
            k = 1.0 / (imp * h * h)
            b = 2.0 * ref[1] * sqrt(k)
    return k, b


@helper
def regularizer(imp, weight):
    """R of a row with impedance imp whose inverse inertia is `weight`."""
    return max(MINVAL, (1.0 - imp) * weight / imp)


@helper
def put_parameters(d, row, k, b, imp, slope, reg):
    """Write KBIP, R, D and the inverse inertia that fits R."""
    copy_parameters(d, row, k, b, imp, slope, reg, 1.0 / reg, reg * imp / (1.0 - imp))


@helper
def copy_parameters(d, row, k, b, imp, slope, reg, weight, inverse):
    """The same with D = weight and the inverse inertia at hand."""
    d.efc_KBIP[row, 0] = k
    d.efc_KBIP[row, 1] = b
    d.efc_KBIP[row, 2] = imp
    d.efc_KBIP[row, 3] = slope
    d.efc_R[row] = reg
    d.efc_D[row] = weight
    d.efc_diagA[row] = inverse


@helper
def copy_four(d, row, k, b, imp, slope, reg, weight, inverse):
    """The same for four rows."""
    p = off(d.efc_KBIP, 4 * row)
    v = vset(k, b, imp, slope)
    vst(p, 0, v)
    vst(p, 4, v)
    vst(p, 8, v)
    vst(p, 12, v)
    vst(d.efc_R, row, vbc(reg))
    vst(d.efc_D, row, vbc(weight))
    vst(d.efc_diagA, row, vbc(inverse))
