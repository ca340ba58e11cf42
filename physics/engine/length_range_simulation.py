"""Pulling a mechanism by one actuator, as the compiler does to find how far the actuator's length can go.

Source: MuJoCo documentation, XML reference, compiler/lengthrange.
"""
from __future__ import annotations

from math import sqrt

from physics.engine.forward import fwd_acceleration, fwd_actuation, fwd_position, fwd_velocity, lacks_room
from physics.engine.inertia.mass_matrix import solve_m_vec
from physics.engine.integrator.implicit import single_step
from physics.engine.integrator.integrate import first_bad, refuse
from physics.engine.solve.constraint_solve import fwd_constraint
from physics.enums import MINVAL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL
from physics.kernels.decorators import helper, kernel


@helper
def set_length_range_force(m, d, out, accel, maxforce):
    """qfrc_applied = the force along output `out` that alone would give an acceleration of size |accel|, at most maxforce if that is positive."""
    for k in range(m.nv):
        d.qfrc_applied[k] = 0.0
        d.qacc_smooth[k] = 0.0
    adr = d.moment_rowadr[out]
    arms = 0.0
    for a in range(adr, adr + d.moment_rownnz[out]):
        x = d.actuator_moment[a]
        d.qfrc_applied[d.moment_colind[a]] = x
        d.qacc_smooth[d.moment_colind[a]] = x
        arms += x * x
    solve_m_vec(m, d, d.qacc_smooth)
    response = 0.0
    for k in range(m.nv):
        response += d.qacc_smooth[k] * d.qacc_smooth[k]
    scale = accel / max(MINVAL, sqrt(response))
    force = sqrt(arms) * abs(scale)
    if maxforce > 0.0 and force > maxforce:
        scale *= maxforce / max(MINVAL, force)
    for k in range(m.nv):
        d.qfrc_applied[k] *= scale


@kernel("m d i f f f", ret="f")
def length_range_step(m, d, out, accel, maxforce, keep):
    """Keep a share of the velocity, then advance one step with actuator output `out` pulled along (accel > 0: longer). Returns its length before.

    The state stays where room was lacking (need_*; call again with keep = 1) or a number is bad (`diverged`).
    """
    d.diverged = 0
    d.need_ncon = 0
    d.need_nefc = 0
    d.need_nJ = 0
    d.need_nH = 0
    for k in range(m.nv):
        d.qvel[k] *= keep
    bad = first_bad(d.qpos, m.nq)
    if bad >= 0:
        refuse(d, WARN_BADQPOS, bad)
        return 0.0
    bad = first_bad(d.qvel, m.nv)
    if bad >= 0:
        refuse(d, WARN_BADQVEL, bad)
        return 0.0
    fwd_position(m, d)
    if lacks_room(d):
        return 0.0
    fwd_velocity(m, d)
    set_length_range_force(m, d, out, accel, maxforce)
    fwd_actuation(m, d)
    fwd_acceleration(m, d)
    fwd_constraint(m, d)
    if lacks_room(d):
        return 0.0
    bad = first_bad(d.qacc, m.nv)
    if bad >= 0:
        refuse(d, WARN_BADQACC, bad)
    else:
        single_step(m, d)
    return d.actuator_length[out]


@kernel("m d i f f f f")
def length_range_run(m, d, out, accel, maxforce, keep, end):
    """Repeat length_range_step as long as the time after it is not above `end`; ends early where a step did not happen."""
    while d.time + m.opt_timestep <= end:
        length_range_step(m, d, out, accel, maxforce, keep)
        if d.diverged != 0 or lacks_room(d):
            return
