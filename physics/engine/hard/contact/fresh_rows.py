"""Where a solve begins again from a solution: that is lifted from the edges of the cones, and rows that looking again has added begin by what they ask for."""
from __future__ import annotations

from math import sqrt

from physics.engine.hard.contact.cones import ETA, ETA0, IMPULSE, INSIDE, SIZE, SLACK, XI, fifth, row_scales, squared
from physics.engine.hard.contact.gaps import gap_asked, slip_of_row
from physics.engine.hard.contact.row_slopes import WHOLE, slip_count
from physics.engine.hard.start_scales import fall_speed
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import off

LEAST = 1e-2   # of a fall's speed: what a row is asked for at least


@kernel("m d f")
def lift_solved(m, d, product):
    """Lift the rows of the present island from a solution, so that slack times impulse, and eta_0 with it, are at least `product` [J], by as little as may be.

    Of what slides friction loses as much as on the central path of that product, of other friction at its edge a tenth.
    Reads: hard_h, hrow_at, hard_rowfirst, hard_rowend, hrow_dim, hard_project
    Writes: hrow_var
    """
    fall = fall_speed(m, d)
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        n = slip_count(d, c)
        x = off(d.hrow_var, 16 * c)
        gamma = max(x[IMPULSE], product / max(x[SLACK], fall))
        x[IMPULSE] = gamma
        gap = product / gamma
        x[SLACK] = max(x[SLACK], gap)
        if n > 0:
            slip2 = squared(x, ETA, n)
            x[ETA0] = max(x[ETA0], 0.5 * gap + sqrt(0.25 * gap * gap + slip2))
            size = sqrt(squared(x, XI, n))
            most = gamma * max(INSIDE, sqrt(slip2) / x[ETA0])
            if size > most:
                for k in range(n):
                    x[XI + k] = x[XI + k] * (most / size)


@helper
def begin_sliding(d, c, x, gamma, speed):
    """Put the cone of row c on the central path: against the slip that there is, on the scale of that speed."""
    v = slip_of_row(d, c)
    slip2 = 0.0
    for k in range(WHOLE):
        e = d.hrow_mu[c, k] * fifth(v, k)
        x[ETA + k] = e
        slip2 += e * e
    x[ETA0] = max(d.hrow_mu[c, 0], d.hrow_mu[c, 1]) * speed + sqrt(slip2)
    for k in range(WHOLE):
        x[XI + k] = -gamma / x[ETA0] * x[ETA + k]


@kernel("m d i", ret="f")
def start_fresh(m, d, fresh):
    """Put the rows of the present island from `fresh` on upon a central path by what they ask for: the speed at which they overlap at the trial pose. Returns the
    product [J] for all to begin at, at least that of a fall's speed: from nearer to the edges impulses that hold each other come to others only by small steps.

    Reads: hard_mocap, hard_x, hard_turn, hard_vel, hard_treerow, hard_recover, hard_h, hrow_at, hard_rowfirst, hard_rowend, hrow_body, hrow_kind, hrow_dim, hard_project, hrow_dir,
        hrow_arm, hrow_witness, hrow_mu, hrow_drive, hrow_shape, hrow_rest, hrow_floor
    Writes: hrow_var, hrow_normal, hrow_reach
    """
    fall = fall_speed(m, d)
    most = 0.0
    for at in range(d.hard_rowfirst, d.hard_rowend):
        c = d.hrow_at[at]
        if c < fresh:
            continue
        x = off(d.hrow_var, 16 * c)
        speed, mass = row_scales(m, d, c, fall)
        gap = gap_asked(m, d, c)
        speed = min(speed, max(LEAST * fall, abs(gap)))
        slack = max(gap, speed)
        gamma = mass * speed * speed / slack
        for k in range(SIZE):
            x[k] = 0.0
        x[SLACK] = slack
        x[IMPULSE] = gamma
        if slip_count(d, c) > 0:
            begin_sliding(d, c, x, gamma, speed)
        most = max(most, mass * max(speed, fall) * max(speed, fall))
    return most
