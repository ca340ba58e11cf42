"""Dry friction of dofs: an impulse of at most h frictionloss, which is only smaller where the dof stands still.

    qd = p - n,   p (h f + tau) = kappa,   n (h f - tau) = kappa,   p, n >= 0, |tau| <= h f

Two orthant pairs that share the impulse tau: the parts of the velocity forwards and backwards are their duals.
All kernels here work on the dofs of the present island.

Source: Dojo (engine/hard/__init__.py), section III (the linearised friction cone, here of one direction).
"""
from __future__ import annotations

from physics.engine.hard.start_scales import fall_speed, turning_speed
from physics.engine.kinematics.joints import is_slide
from physics.enums import DSBL_CONSTRAINT, DSBL_FRICTIONLOSS
from physics.kernels.decorators import helper, kernel

PAIRS = 2   # orthant pairs of a dof


@kernel()
def find_dry_friction(m, d):
    """The largest impulses in the step.

    Reads: hard_h
    Writes: hfri_loss
    """
    idle = m.opt_disableflags & (DSBL_CONSTRAINT | DSBL_FRICTIONLOSS) != 0
    for k in range(m.nv):
        d.hfri_loss[k] = 0.0
        if not idle:
            d.hfri_loss[k] = d.hard_h * m.dof_frictionloss[k]


@kernel()
def start_dry_friction(m, d):
    """No impulse, and both parts of the velocity as what is there and a fall give.

    Reads: hard_qd0, hard_spread, hard_nrub, hfri_at, hard_h
    Writes: hfri_var
    """
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        fall = fall_speed(m, d) if is_slide(m, m.dof_jntid[k]) else turning_speed(m, d)
        speed = d.hard_spread * (abs(d.hard_qd0[k]) + fall)
        d.hfri_var[k, 0] = 0.0
        d.hfri_var[k, 1] = speed
        d.hfri_var[k, 2] = speed


@kernel()
def dry_friction_residuals(m, d):
    """Residuals and products; takes the impulses off hard_g, and raises hard_rv and hard_kv.

    Reads: hfri_loss, hfri_var, hard_qd, hard_kappa, hard_nrub, hfri_at
    Writes: hfri_res, hard_g, hard_rv, hard_kv
    """
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        t = d.hfri_var[k, 0]
        r = d.hard_qd[k] - d.hfri_var[k, 1] + d.hfri_var[k, 2]
        p = d.hfri_var[k, 1] * (d.hfri_loss[k] + t)
        n = d.hfri_var[k, 2] * (d.hfri_loss[k] - t)
        d.hfri_res[k, 0] = r
        d.hfri_res[k, 1] = p
        d.hfri_res[k, 2] = n
        d.hard_g[k] -= t
        d.hard_rv = max(d.hard_rv, abs(r))
        d.hard_kv = max(d.hard_kv, max(abs(p - d.hard_kappa), abs(n - d.hard_kappa)))


@kernel()
def dry_friction_slopes(m, d):
    """Add the slopes of the impulses to hard_H: 1 / (p / (h f + tau) + n / (h f - tau)), and keep what each direction from this point divides by.

    Reads: hfri_loss, hfri_var, hard_nrub, hfri_at
    Writes: hard_H, hfri_slope
    """
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        forwards = 1.0 / (d.hfri_loss[k] + d.hfri_var[k, 0])
        backwards = 1.0 / (d.hfri_loss[k] - d.hfri_var[k, 0])
        slope = 1.0 / (d.hfri_var[k, 1] * forwards + d.hfri_var[k, 2] * backwards)
        d.hfri_slope[k, 0] = forwards
        d.hfri_slope[k, 1] = backwards
        d.hfri_slope[k, 2] = slope
        d.hard_H[k] += slope


@helper
def rooms(d, k):
    """How far the impulse of dof k is from its two bounds."""
    return d.hfri_loss[k] + d.hfri_var[k, 0], d.hfri_loss[k] - d.hfri_var[k, 0]


@helper
def wanted(d, k, side, target, corrector):
    """A product of dof k less what it is to become, with the second-order term: the bound's room changes by +- tau."""
    c = d.hfri_res[k, 1 + side] - target
    if corrector != 0:
        t = d.hfri_predict[k, 0]
        if side == 1:
            t = -t
        c += d.hfri_predict[k, 1 + side] * t
    return c


@helper
def impulse_change(d, k, target, corrector, dqd):
    """Change of the impulse of dof k with that of its velocity."""
    c = wanted(d, k, 0, target, corrector) * d.hfri_slope[k, 0] - wanted(d, k, 1, target, corrector) * d.hfri_slope[k, 1]
    return -(dqd + d.hfri_res[k, 0] + c) * d.hfri_slope[k, 2]


@kernel("m d f i")
def push_dry_friction(m, d, target, corrector):
    """Take off hard_y, the right side of the dofs, what the residuals alone change the impulses by on the way to the products `target`."""
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        d.hard_y[k] -= impulse_change(d, k, target, corrector, 0.0)


@kernel("m d f i")
def dry_friction_directions(m, d, target, corrector):
    """hfri_step from hard_dir; target, corrector: as of push_dry_friction."""
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        t = impulse_change(d, k, target, corrector, d.hard_dir[k])
        d.hfri_step[k, 0] = t
        d.hfri_step[k, 1] = (-wanted(d, k, 0, target, corrector) - d.hfri_var[k, 1] * t) * d.hfri_slope[k, 0]
        d.hfri_step[k, 2] = (-wanted(d, k, 1, target, corrector) + d.hfri_var[k, 2] * t) * d.hfri_slope[k, 1]


@kernel("m d f", ret="f")
def dry_friction_fraction(m, d, part):
    """How far hfri_step may be followed, at most 1: this part of the way to the edge."""
    a = 1.0
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        forwards, backwards = rooms(d, k)
        t = d.hfri_step[k, 0]
        if t < 0.0:
            a = min(a, -part * forwards / t)
        elif t > 0.0:
            a = min(a, part * backwards / t)
        for side in range(1, 3):
            if d.hfri_step[k, side] < 0.0:
                a = min(a, -part * d.hfri_var[k, side] / d.hfri_step[k, side])
    return a


@kernel("m d f", ret="f")
def dry_friction_products(m, d, fraction):
    """Sum of all products after a part of hfri_step."""
    total = 0.0
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        t = d.hfri_var[k, 0] + fraction * d.hfri_step[k, 0]
        total += (d.hfri_var[k, 1] + fraction * d.hfri_step[k, 1]) * (d.hfri_loss[k] + t)
        total += (d.hfri_var[k, 2] + fraction * d.hfri_step[k, 2]) * (d.hfri_loss[k] - t)
    return total


@kernel("m d f")
def move_dry_friction(m, d, fraction):
    """hfri_var += fraction hfri_step."""
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        for side in range(3):
            d.hfri_var[k, side] += fraction * d.hfri_step[k, side]


@kernel()
def keep_dry_friction(m, d):
    """hfri_predict = hfri_step.

    Reads: hard_nrub, hfri_at, hfri_step
    Writes: hfri_predict
    """
    for at in range(d.hard_nrub // PAIRS):
        k = d.hfri_at[at]
        for side in range(3):
            d.hfri_predict[k, side] = d.hfri_step[k, side]


@helper
def list_dry_friction(m, d):
    """Note the dofs of the present island that have dry friction; -> the number of their orthant pairs."""
    n = 0
    for i in range(d.hard_first, d.hard_end):
        b = d.hard_order[i]
        for k in range(m.body_dofadr[b], m.body_dofadr[b] + m.body_dofnum[b]):
            if d.hfri_loss[k] > 0.0:
                d.hfri_at[n] = k
                n += 1
    return PAIRS * n
