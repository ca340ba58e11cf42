"""The positions of a step that are a projection (engine/hard/overlaps.py), and how they change with the state and the controls.

The projection starts from where the velocities lead, z_v = z2 + h v', and asks of each body, with impulses along the normals alone,
    F(z3) - F(z_v) = J_n' gamma,   F the momentum that a step to there ends with
so that what it begins with enters by z2 and by v' only. A column of positions is then the implicit derivative of this equation along dz2 and dv', the latter that of the
velocities' own solution.

`d` holds the velocities' solution, `e` is a copy that is nudged (engine/hard/sensitivity.py).
"""
from __future__ import annotations

from physics.engine.hard.overlaps import hold_solution, keep_velocities, rest_on_solution
from physics.engine.hard.rescue import FAILED
from physics.engine.hard.sensitivity import NOTHING, POSITION, WIDE, add_residual, factor_all, look_nudged, nudge, solve_at
from physics.kernels.decorators import kernel


@kernel("m d f f", ret="i")
def project_at(m, d, kappa, recover):
    """From the solution for the velocities: positions projected at exactly this point of the central path, the matrix factored there. Returns the status.

    d stays at the projection (hard_project) until end_projection.
    Reads: hard_qd
    Writes: hard_vel0, hard_project, and what hold_solution, rest_on_solution, solve_at and factor_all write
    """
    keep_velocities(m, d)
    hold_solution(m, d)
    rest_on_solution(m, d)
    d.hard_project = 1
    status = solve_at(m, d, kappa, recover)
    if status < FAILED:
        factor_all(m, d)
    return status


@kernel("m d d")
def end_projection(m, d, e):
    """Both solve steps again.

    Reads: nothing
    Writes: hard_project
    """
    d.hard_project = 0
    e.hard_project = 0


@kernel("m d d i f", ret="i")
def add_projected(m, d, e, k, step):
    """Add to the right sides of d what the projection's residual changes by where hard_vel0 of e is that of d at a nudge by `step`, and position k is nudged with it (-1: none).
    Returns as look_nudged."""
    what = POSITION if k >= 0 else NOTHING
    nudge(m, d, e, what, max(k, 0), step)
    e.hard_project = 0
    e.hard_recover = d.hard_recover + WIDE * abs(step)
    found = look_nudged(m, d, e, what)
    if found == 0:
        return 0
    rest_on_solution(m, e)
    e.hard_project = 1
    add_residual(m, d, e, 0.5 / step)
    return found
