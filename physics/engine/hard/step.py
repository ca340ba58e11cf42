"""A step with hard contact: forces - rows - solve - look again - report - advance. Whole, or it does not happen.

    hard_status  0 converged, 1 coarse and counted, 2 failed: the state stays, `diverged` tells as for a bad acceleration
    qvel'        (qpos' [-] qpos) / h, the difference quotient, so that the state is that of the soft engine

Source: Dojo (physics/engine/hard/__init__.py), algorithm 2.
"""
from __future__ import annotations

from physics.engine.actuator.activation import advance_act
from physics.engine.actuator.actuation import actuation
from physics.engine.actuator.delay_history import keep_controls
from physics.engine.actuator.transmission import actuator_velocity, transmission
from physics.engine.forward import state_is_bad
from physics.engine.hard.contact.geoms import geoms_back
from physics.engine.hard.contact.mocap import find_mocap_motion, note_mocap
from physics.engine.hard.forces import BARE, WATCHED, WHOLE, forget_hard_needs, hard_forces, hard_position
from physics.engine.hard.report import report, reserve_rows
from physics.engine.hard.rescue import COARSE, FAILED, LACKING
from physics.engine.hard.stage_numbers import INTEGRATE, REPORT, SENSORS
from physics.engine.hard.whole_step import solve_whole
from physics.engine.integrator.integrate import first_bad, refuse
from physics.engine.kinematics.com import com_pos, com_vel
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.passive.passive import passive
from physics.engine.sensor.delays import keep_sensors
from physics.engine.sensor.stages import sensor_acc
from physics.engine.stage_clock import BEGIN, stage_ends
from physics.engine.tendon.tendon import tendon, tendon_velocity
from physics.engine.trace import trace_values
from physics.enums import DSBL_SENSOR, WARN_BADQACC
from physics.kernels.decorators import helper, kernel


@kernel("m d", ret="i")
def reserve(m, d):
    """Ask for the room of bodies, dofs and coordinates, all of it or none. Returns 1 where it is there.

    Reads: maxhb, maxhv, maxhq
    Writes: need_nhb, need_nhv, need_nhq
    """
    if d.maxhb >= m.nbody and d.maxhv >= m.nv and d.maxhq >= m.nq:
        return 1
    d.need_nhb = m.nbody
    d.need_nhv = max(m.nv, 1)
    d.need_nhq = max(m.nq, 1)
    return 0


@helper
def begin_counts(m, d):
    """Nothing has been counted of this step; how mocap bodies move in it."""
    d.hard_h = m.opt_timestep
    d.hard_niter = 0
    d.hard_halved = 0
    d.hard_looked = 0
    d.hard_nrestart = 0
    d.hard_stuck = 0
    d.hard_eased = 0
    find_mocap_motion(m, d)


@kernel("m d i", ret="i")
def solve_state(m, d, watch):
    """Everything that follows from the state, and the end of the step. Returns 0 where room was lacking or a callback raised; hard_status tells the rest.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied
    Writes: all computed fields
    """
    forget_hard_needs(d)
    if reserve(m, d) == 0:
        return 0
    begin_counts(m, d)
    if hard_position(m, d, watch) == 0:
        return 0
    hard_forces(m, d, watch)
    if d.cb_error != 0:
        return 0
    status = solve_whole(m, d)
    if status == LACKING:
        return 0
    d.hard_status = status
    # back to the start: looking again has placed geoms at the end, parts of a step all else
    if d.hard_halved > 0:
        parts_back(m, d)
    elif d.hard_moved != 0:
        geoms_back(m, d)
    if reserve_rows(m, d) == 0:
        return 0
    for k in range(m.nv):
        d.qacc[k] = (d.hard_vel0[k] - d.qvel[k]) / m.opt_timestep
    report(m, d)
    stage_ends(m, d, d.cb_stage != 0, REPORT)
    d.flg_rnepost = 0
    if m.nsensor > 0 and watch != BARE and status < FAILED:
        sensor_acc(m, d)
        stage_ends(m, d, d.cb_stage != 0, SENSORS)
    return 1


@kernel()
def parts_back(m, d):
    """After a step in parts: what follows from the state at its start. The contacts stay those of its last part, and what that part found.

    Reads: qpos, qvel
    Writes: what kinematics, com_pos, tendon, transmission, tendon_velocity, actuator_velocity, com_vel, passive and actuation write
    """
    kinematics(m, d)
    com_pos(m, d)
    tendon(m, d)
    transmission(m, d)
    tendon_velocity(m, d)
    actuator_velocity(m, d)
    com_vel(m, d)
    passive(m, d)
    actuation(m, d)


@helper
def worst_dof(m, d):
    """The dof with the largest residual."""
    found = 0
    for k in range(m.nv):
        if not (abs(d.hard_r[k]) <= abs(d.hard_r[found])):
            found = k
    return found


@kernel("m d i", ret="i")
def evaluate(m, d, skip):
    """Solve the step that follows from the present state without taking it: accelerations, forces, sensors. Returns 0 where room was lacking, else 1.

    Where there is no solution it says so as a step does (`diverged`, a warning): what stands in Data is then the best that was found, and satisfies nothing.
    skip: a Stage; all is computed whatever is taken as done.

    Reads: hard_status and what solve_state reads
    Writes: diverged, diverged_id, warning_number, warning_lastinfo and what solve_state writes
    """
    if solve_state(m, d, WHOLE) == 0:
        return 0
    d.diverged = 0
    if d.hard_status == FAILED:
        refuse(d, WARN_BADQACC, max(0, worst_dof(m, d)))
    return 1


@helper
def note_status(m, d):
    """Count the step by its status; 1 where it happens."""
    if d.hard_status == FAILED:
        d.hard_nfailed += 1
        refuse(d, WARN_BADQACC, max(0, worst_dof(m, d)))
        return 0
    if d.hard_halved > 0:
        d.hard_nhalved += 1
    d.hard_nstuck += d.hard_stuck
    if d.hard_eased > 0:
        d.hard_neased += 1
    if d.hard_status == COARSE:
        d.hard_ncoarse += 1
    return 1


@helper
def advance(m, d):
    """Take the state to the end of the step."""
    if m.nhistory > 0:
        keep_controls(m, d)
        if m.nsensor > 0 and m.opt_disableflags & DSBL_SENSOR == 0:
            keep_sensors(m, d)
    advance_act(m, d, d.act_dot)
    for k in range(m.nq):
        d.qpos[k] = d.hard_qpos[k]
    for k in range(m.nv):
        d.qvel[k] = d.hard_vel0[k]
        d.qacc_warmstart[k] = d.qacc[k]
    d.time += m.opt_timestep
    note_mocap(m, d)


@kernel("m d", ret="i")
def step(m, d):
    """Advance the state by one time step. Returns 1, or 0 with the state untouched: room was lacking (need_*), the state holds a bad number or no solution was found
    (`diverged`), or a callback raised (cb_error).

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, mocap_before, qfrc_applied, xfrc_applied, qacc
    Writes: time, qpos, qvel, act, mocap_before, qacc_warmstart, diverged, diverged_id, warning_number, warning_lastinfo, hard_ncoarse, hard_nhalved, hard_nstuck, hard_neased, hard_nfailed and all computed fields
    """
    stage_ends(m, d, d.cb_stage != 0, BEGIN)
    if state_is_bad(m, d):
        return 0
    if solve_state(m, d, WATCHED) == 0 or d.cb_error != 0:
        return 0
    if note_status(m, d) == 0:
        return 0
    bad = first_bad(d.qacc, m.nv)
    if bad >= 0:
        return refuse(d, WARN_BADQACC, bad)
    if d.trace_cap > 0:
        trace_values(m, d)
    advance(m, d)
    stage_ends(m, d, d.cb_stage != 0, INTEGRATE)
    return 1
