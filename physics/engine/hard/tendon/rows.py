"""Which tendons have limits, dry friction or couplings in a step, and their lengths at its end.

A row is a tendon with its range and dry friction, or an equality of the type tendon. The Jacobian is that of the start of the step, so that lengths are linear in
the step's velocities,

    L3 = L2 + h J qd

For fixed tendons this is exact. Of spatial ones it leaves an error of second order in the step, as contacts with a frozen normal do: what of it there is when
the next step begins, up to what a fall gives in a step (g h^2), that step ends with its velocities, as a path that bends needs it; more is undone by positions
alone (hard_recover). A Jacobian at the trial pose would need the wrapping in each iteration, and paths jump where they leave a geom.

Source: Howell and others, "Dojo: A Differentiable Physics Engine for Robotics", section III (joint limits, linearised friction); MuJoCo documentation, Computation
chapter, "Constraint model" (tendons); XML reference, equality/tendon.
"""
from __future__ import annotations

from physics.engine.hard.start_scales import OVERLAP, fall_speed, turning_speed
from physics.engine.hard.ties import OFF, coupling
from physics.engine.kinematics.joints import is_slide
from physics.enums import DSBL_CONSTRAINT, DSBL_EQUALITY, DSBL_FRICTIONLOSS, DSBL_LIMIT, EQ_TENDON, TENDON_FIXED
from physics.kernels.decorators import helper, kernel

LIMIT, RUB, TIE, FAR = 1, 2, 4, 8   # hten_kind
REACH = 20.0        # times the speed scale: beyond it an end is out of reach
COMPLIANCE = 1e-9   # of what a coupling gives way to a unit of impulse: its compliance in the matrix
SLOWEST = 1e-12     # 1/kg: least inverse inertia that is divided by


# ---------------------------------------------------------------- lengths


@helper
def rate(m, d, t, x):
    """J x of tendon t."""
    s = 0.0
    for a in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
        s += d.ten_J[a] * x[m.ten_J_colind[a]]
    return s


@helper
def row_rate(m, d, r, x, other):
    """J x of row r, with this factor on a second tendon."""
    s = rate(m, d, d.hten_tendon[r], x)
    if d.hten_other[r] >= 0:
        s += other * rate(m, d, d.hten_other[r], x)
    return s


@helper
def push_tendon(m, d, t, to, impulse):
    """to += J' impulse of tendon t."""
    for a in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
        to[m.ten_J_colind[a]] += d.ten_J[a] * impulse


@helper
def push_row(m, d, r, to, impulse):
    """Add to `to` of the dofs what an impulse of row r is, along the map of the start of the step."""
    push_tendon(m, d, d.hten_tendon[r], to, impulse)
    if d.hten_other[r] >= 0:
        push_tendon(m, d, d.hten_other[r], to, d.hten_push[r] * impulse)


@helper
def speed_scale(m, d, t):
    """Speed that tendon t may have after the step: what it has, and what a fall gives."""
    turning = turning_speed(m, d)
    falling = fall_speed(m, d)
    of_fixed = m.tendon_type[t] == TENDON_FIXED
    s = 0.0
    for a in range(m.ten_J_rowadr[t], m.ten_J_rowadr[t] + m.ten_J_rownnz[t]):
        slides = of_fixed and is_slide(m, m.dof_jntid[m.ten_J_colind[a]])
        s += abs(d.ten_J[a]) * (falling if slides else turning)
    # of a spatial tendon no part moves faster than what falls: J has its arms
    return abs(rate(m, d, t, d.hard_qd0)) + (s if of_fixed else max(falling, 0.1 * s))


@helper
def tolerance(m, d, t):
    """What a length may be off by at the start of a step without being taken for off: of spatial tendons what their bending gives in a step."""
    if m.tendon_type[t] == TENDON_FIXED:
        return OVERLAP
    return max(OVERLAP, d.hard_h * fall_speed(m, d))


@helper
def may_stay_of(m, d, t, gap):
    """What of a gap at the start of the step, negative, there may be at its end."""
    if m.tendon_type[t] != TENDON_FIXED and gap > -tolerance(m, d, t):
        return 0.0
    return min(0.0, min(0.0, gap) + d.hard_recover)


@helper
def end_gaps(m, d, t, change):
    """How far tendon t is from its upper and its lower end where it is longer by `change` than at the start of the step."""
    length = d.ten_length[t] + change
    return m.tendon_range[t, 1] - length, length - m.tendon_range[t, 0]


@helper
def coupling_off(m, d, i, change1, change2):
    """c of equality i where its tendons are longer by this than at the start of the step, and its slope by the second one's length."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    x = 0.0
    if two >= 0:
        x = d.ten_length[two] + change2 - m.tendon_length0[two]
    value, slope = coupling(m, i, x)
    return d.ten_length[one] + change1 - m.tendon_length0[one] - value, slope


# ---------------------------------------------------------------- rows


@helper
def kind_of(m, t):
    """LIMIT and RUB of tendon t, as the model and its flags have it."""
    kind = 0
    if m.ten_J_rownnz[t] > 0:
        if m.tendon_limited[t] != 0 and m.opt_disableflags & DSBL_LIMIT == 0:
            kind += LIMIT
        if m.tendon_frictionloss[t] > 0.0 and m.opt_disableflags & DSBL_FRICTIONLOSS == 0:
            kind += RUB
    return kind


@helper
def couples(m, d, i):
    """Whether equality i couples tendons now, and moves something."""
    if m.eq_type[i] != EQ_TENDON or d.eq_active[i] == 0:
        return False
    if m.ten_J_rownnz[m.eq_obj1id[i]] > 0:
        return True
    return m.eq_obj2id[i] >= 0 and m.ten_J_rownnz[m.eq_obj2id[i]] > 0


@helper
def begin_row(m, d, t, kind):
    """A row of tendon t."""
    r = d.hard_nten
    d.hten_kind[r] = kind
    d.hten_tendon[r] = t
    d.hten_other[r] = -1
    d.hten_eq[r] = -1
    d.hten_push[r] = 0.0
    d.hten_slope[r] = 0.0
    d.hten_loss[r] = 0.0
    d.hten_soft[r] = 0.0
    d.hten_start[r] = 0.0
    d.hten_body[r] = 0
    if m.ten_J_rownnz[t] > 0:
        d.hten_body[r] = m.dof_bodyid[m.ten_J_colind[m.ten_J_rowadr[t]]]
    d.hard_nten = r + 1
    return r


@kernel("m d", ret="i")
def find_tendon_rows(m, d):
    """Rows of all tendons that have any, at the start of the step. Returns 0, with need_nhw and need_nhS, where there is no room.

    Reads: eq_active, ten_length, ten_J, hard_qd0, hard_h, maxhw, maxhS
    Writes: need_nhw, need_nhS, hard_nten, hard_tenoff, and the fields hten_* of rows
    """
    d.hard_nten = 0
    d.hard_tenoff = 0
    if m.ntendon == 0 or m.opt_disableflags & DSBL_CONSTRAINT != 0:
        return 1
    held = m.opt_disableflags & DSBL_EQUALITY == 0
    n = 0
    for t in range(m.ntendon):
        n += int(kind_of(m, t) > 0)
    for i in range(m.neq):
        n += int(held and couples(m, d, i))
    room = n * (n + m.nv + 6 * m.nbody)
    if n > d.maxhw or room > d.maxhS:
        d.need_nhw = n
        d.need_nhS = room
        return 0
    for t in range(m.ntendon):
        kind = kind_of(m, t)
        if kind > 0:
            range_row(m, d, t, kind)
    for i in range(m.neq):
        if held and couples(m, d, i):
            coupling_row(m, d, i)
    return 1


@kernel("m d i i")
def range_row(m, d, t, kind):
    """The row of a tendon's range and dry friction."""
    r = begin_row(m, d, t, kind)
    d.hten_loss[r] = d.hard_h * m.tendon_frictionloss[t]
    if kind & LIMIT:
        upper, lower = end_gaps(m, d, t, 0.0)
        nearer = min(upper, lower)
        if nearer < -tolerance(m, d, t):
            d.hard_tenoff = 1
        if m.opt_hard_kappa == 0.0 and nearer > REACH * d.hard_h * speed_scale(m, d, t):
            d.hten_kind[r] = kind - LIMIT + FAR


@kernel("m d i")
def coupling_row(m, d, i):
    """The row of an equality between tendons."""
    one = m.eq_obj1id[i]
    two = m.eq_obj2id[i]
    r = begin_row(m, d, one, TIE)
    c, slope = coupling_off(m, d, i, 0.0, 0.0)
    weight = m.tendon_invweight0[one]
    off = OFF if m.tendon_type[one] == TENDON_FIXED else tolerance(m, d, one)
    if two >= 0:
        d.hten_other[r] = two
        if d.hten_body[r] == 0:
            d.hten_body[r] = m.dof_bodyid[m.ten_J_colind[m.ten_J_rowadr[two]]]
        weight += slope * slope * m.tendon_invweight0[two]
        off = max(off, OFF if m.tendon_type[two] == TENDON_FIXED else tolerance(m, d, two))
    d.hten_eq[r] = i
    d.hten_push[r] = -slope
    d.hten_slope[r] = -slope
    d.hten_soft[r] = COMPLIANCE * weight + SLOWEST
    if abs(c) > off:
        d.hten_start[r] = c
        d.hard_tenoff = 1


@kernel("m d", ret="i")
def nearer_ends(m, d):
    """Take in the ranges that were taken for out of reach and are overstepped at the trial pose. Returns how many.

    Reads: hard_nten, hten_kind, hten_tendon, hten_body, ten_length, ten_J, hard_qd, hard_h
    Writes: hten_kind, hard_changed
    """
    n = 0
    for r in range(d.hard_nten):
        if d.hten_kind[r] & FAR:
            t = d.hten_tendon[r]
            upper, lower = end_gaps(m, d, t, d.hard_h * rate(m, d, t, d.hard_qd))
            if min(upper, lower) < 0.0:
                d.hten_kind[r] += LIMIT - FAR
                d.hard_changed[m.body_treeid[d.hten_body[r]]] = 1
                n += 1
    return n


@helper
def list_tendon_rows(m, d):
    """Note the rows of the present island, and how many orthant pairs they have."""
    d.hard_ntenrow = 0
    d.hard_ntenpair = 0
    for r in range(d.hard_nten):
        kind = d.hten_kind[r]
        if kind & (LIMIT | RUB | TIE) != 0 and d.hard_bodyisland[d.hten_body[r]] == d.hard_island:
            d.hten_at[d.hard_ntenrow] = r
            d.hard_ntenrow += 1
            d.hard_ntenpair += 2 * int(kind & LIMIT != 0) + 2 * int(kind & RUB != 0)
