"""Forward dynamics and the step: the order of everything.

    forward = position -> velocity -> actuation -> acceleration -> constraint
    step    = check the state, forward, check the acceleration, integrate
    inverse = position -> velocity -> the force that the given acceleration needs

A stage that lacks room for contacts or constraint rows says how much it needs (need_ncon, need_nefc, need_nJ, need_nH); then
forward and step end at once, the state untouched, and physics/simulate/step.py grows the arrays and calls again.

Source: MuJoCo documentation, Computation chapter, "Simulation pipeline".
"""
from __future__ import annotations

from physics.engine.actuator.actuation import actuation
from physics.engine.actuator.dcmotor import motors_fit
from physics.engine.actuator.transmission import actuator_velocity, transmission
from physics.engine.clamp import is_bad
from physics.engine.collide.collision import collision
from physics.engine.collide.contact import dims_fit
from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.inertia.energy import energy_pos, energy_vel
from physics.engine.inertia.mass_matrix import crb, factor_m
from physics.engine.inertia.rne import rne
from physics.engine.integrator.implicit import single_step
from physics.engine.integrator.integrate import finish_advance, first_bad, refuse, rk4_begin, rk4_collect, rk4_finish, rk4_restore, rk4_stage
from physics.engine.inverse import compare_fwd_inv, give_back_acc, inverse_force
from physics.engine.kinematics.com import com_pos, com_vel
from physics.engine.kinematics.kinematics import kinematics
from physics.engine.passive.passive import passive
from physics.engine.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from physics.engine.sleep.awake import note_awake
from physics.engine.sleep.initial_sleep import begin_asleep, restore_state, save_state
from physics.engine.sleep.wake import may_wake, wake_by_contacts, wake_by_equalities
from physics.engine.smooth_acceleration import fwd_acceleration
from physics.engine.solve.constraint_solve import analyse_islands, fwd_constraint
from physics.engine.solve.delassus_diagonal import delassus_diagonal
from physics.engine.stage_clock import (
    ACTUATION,
    BEGIN,
    COLLISION,
    COM,
    EFC_ROWS,
    ENERGY_POS,
    ENERGY_VEL,
    FACTOR,
    INERTIA,
    INTEGRATE,
    KINEMATICS,
    PASSIVE,
    QACC_SMOOTH,
    REFERENCE,
    RNE,
    SENSOR_ACC,
    SENSOR_POS,
    SENSOR_VEL,
    SOLVE,
    TENDON,
    TRANSMISSION,
    VELOCITY,
    stage_ends,
)
from physics.engine.tendon.tendon import tendon, tendon_velocity
from physics.engine.trace import trace_values
from physics.enums import (
    DSBL_ACTUATION,
    ENBL_DIAGEXACT,
    ENBL_ENERGY,
    ENBL_FWDINV,
    ENBL_INVDISCRETE,
    ENBL_IPC,
    ENBL_SPECULATIVE,
    INT_DISCRETE,
    INT_EULER,
    INT_RK4,
    SOL_NEWTON,
    SOL_PGS,
    STAGE_NONE,
    STAGE_POS,
    STAGE_VEL,
    WARN_BADQACC,
    WARN_BADQPOS,
    WARN_BADQVEL,
)
from physics.kernels.decorators import helper, kernel
from physics.kernels.rows import callback

ENERGIES = 2   # what to look at besides accelerations, as evaluate's `watch`
PENDING_FLAGS = ENBL_IPC | ENBL_SPECULATIVE   # would change the motion and are not there yet


@helper
def lacks_room(d):
    """Whether a stage has asked for more room."""
    return d.need_ncon > 0 or d.need_nefc > 0 or d.need_nJ > 0 or d.need_nH > 0


@kernel()
def contacts(m, d):
    """Contacts, with those of whom they wake, and who is woken by equality constraints.

    Reads: what collision, wake_by_contacts and wake_by_equalities read
    Writes: what collision, wake_by_contacts and wake_by_equalities write
    """
    collision(m, d)
    if lacks_room(d) or not may_wake(m, d):
        return
    if wake_by_contacts(m, d) != 0:
        collision(m, d)   # the woken touch what they rested on
        if lacks_room(d):
            return
    if m.neq > 0:
        wake_by_equalities(m, d)


@helper
def position_stages(m, d, timed):
    """The body of fwd_position; timed: whether the profiler is told as each stage ends (a constant, so that a step nobody times pays nothing)."""
    if d.sleep_due != 0:
        compute_sleep_state(m, d)
        if lacks_room(d):
            return
    kinematics(m, d)
    stage_ends(m, d, timed, KINEMATICS)
    com_pos(m, d)
    stage_ends(m, d, timed, COM)
    tendon(m, d)
    stage_ends(m, d, timed, TENDON)
    crb(m, d)
    stage_ends(m, d, timed, INERTIA)
    factor_m(m, d)
    stage_ends(m, d, timed, FACTOR)
    contacts(m, d)
    stage_ends(m, d, timed, COLLISION)
    if lacks_room(d):
        return
    make_constraint(m, d)
    if lacks_room(d):
        return
    if m.opt_enableflags & ENBL_DIAGEXACT:
        delassus_diagonal(m, d)
        if lacks_room(d):
            return
    stage_ends(m, d, timed, EFC_ROWS)
    transmission(m, d)
    stage_ends(m, d, timed, TRANSMISSION)


@kernel()
def fwd_position(m, d):
    """All that follows from the position.

    Reads: qpos, mocap_pos, mocap_quat, sleep_due
    Writes: what kinematics, com_pos, tendon, crb, factor_m, contacts, make_constraint, delassus_diagonal, transmission and compute_sleep_state write
    """
    position_stages(m, d, False)


@helper
def velocity_stages(m, d, timed):
    """The body of fwd_velocity; timed: as of position_stages."""
    tendon_velocity(m, d)
    actuator_velocity(m, d)
    com_vel(m, d)
    stage_ends(m, d, timed, VELOCITY)
    passive(m, d)
    stage_ends(m, d, timed, PASSIVE)
    reference_constraint(m, d)
    stage_ends(m, d, timed, REFERENCE)
    rne(m, d)
    stage_ends(m, d, timed, RNE)


@kernel()
def fwd_velocity(m, d):
    """All that follows from position and velocity.

    Reads: qvel and what fwd_position writes
    Writes: what tendon_velocity, actuator_velocity, com_vel, passive, reference_constraint and rne write
    """
    velocity_stages(m, d, False)


@kernel()
def fwd_actuation(m, d):
    """Actuator forces and activation rates.

    Reads: ctrl, act and what fwd_position and fwd_velocity write
    Writes: what actuation writes
    """
    actuation(m, d)


@helper
def forget_needs(d):
    """No stage has asked for room yet."""
    d.need_ncon = 0
    d.need_nefc = 0
    d.need_nJ = 0
    d.need_nH = 0


@helper
def motion_until_velocity(m, d, skip, watch, timed):
    """What follows from position and velocity, as far as `skip` (a Stage) does not take it as done. False where room was lacking.

    watch: 0 no sensors and energies, 1 both, 2 energies (in the last stage of Runge-Kutta: those are what a step leaves). timed: as of position_stages.
    """
    energy = watch != 0 and m.opt_enableflags & ENBL_ENERGY != 0
    if skip < STAGE_VEL:
        d.flg_energyvel = 0
    if skip < STAGE_POS:
        d.flg_energypos = 0
        if timed:
            position_stages(m, d, True)
        else:
            fwd_position(m, d)
        if lacks_room(d):
            return False
        if watch == 1 and m.nsensor > 0:
            sensor_pos(m, d)
            stage_ends(m, d, timed, SENSOR_POS)
            if lacks_room(d):
                return False
        if energy and d.flg_energypos == 0:
            energy_pos(m, d)
            stage_ends(m, d, timed, ENERGY_POS)
        elif watch != 0 and d.flg_energypos == 0:   # nobody asks for them: better none than those of an earlier pass
            d.energy[0] = 0.0
            d.energy[1] = 0.0
    if skip < STAGE_VEL:
        d.flg_subtreevel = 0
        if timed:
            velocity_stages(m, d, True)
        else:
            fwd_velocity(m, d)
        if watch == 1 and m.nsensor > 0:
            sensor_vel(m, d)
            stage_ends(m, d, timed, SENSOR_VEL)
        if energy and d.flg_energyvel == 0:
            energy_vel(m, d)
            stage_ends(m, d, timed, ENERGY_VEL)
    return True


@kernel("m d", ret="i")
def call_control(m, d):
    """Let the user's callback set the controls. Returns 0 where the solver lacks room: then it was not asked, so that it is asked once a step.

    Reads: cb_control, nefc and what analyse_islands reads
    Writes: what the callback and analyse_islands write
    """
    if d.nefc > 0:
        analyse_islands(m, d)
        if lacks_room(d):
            return 0
    callback(d.cb_control, m, d)
    return 1


@helper
def accelerations(m, d, watch, timed):
    """Accelerations, position and velocity being looked at; with watch 1 their sensors too. False where room was lacking."""
    fwd_actuation(m, d)
    stage_ends(m, d, timed, ACTUATION)
    fwd_acceleration(m, d)
    stage_ends(m, d, timed, QACC_SMOOTH)
    fwd_constraint(m, d)
    stage_ends(m, d, timed, SOLVE)
    if lacks_room(d):
        return False
    if watch == 1:   # the later stages of Runge-Kutta leave what the first one's sensors asked for
        d.flg_rnepost = 0
        if m.nsensor > 0:
            sensor_acc(m, d)
            stage_ends(m, d, timed, SENSOR_ACC)
    return True


@helper
def evaluation(m, d, skip, watch, timed):
    """The body of evaluate; timed: as of position_stages."""
    forget_needs(d)
    if not motion_until_velocity(m, d, skip, watch, timed):
        return 0
    if d.cb_control != 0 and m.opt_disableflags & DSBL_ACTUATION == 0:
        if call_control(m, d) == 0:
            return 0
    return int(accelerations(m, d, watch, timed))


@kernel("m d i i", ret="i")
def evaluate(m, d, skip, watch):
    """Accelerations for the present state. Returns 0 where room was lacking, else 1.

    watch: 0 nothing else, 1 sensors and energies, 2 energies. skip: the Stage whose results, and those before it, are taken as done.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied, qacc_warmstart
    Writes: all computed fields
    """
    return evaluation(m, d, skip, watch, False)


@kernel("m d i i", ret="i")
def evaluate_timed(m, d, skip, watch):
    """As evaluate, with the profiler told as each stage ends.

    Reads: cb_stage and what evaluate reads
    Writes: cb_id and what evaluate writes
    """
    return evaluation(m, d, skip, watch, True)


@kernel("m d i")
def forward_from(m, d, skip):
    """Accelerations and everything else that follows from the present state; skip: the Stage that is taken as done.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied, qacc_warmstart
    Writes: all computed fields
    """
    evaluate(m, d, skip, 1)


@kernel()
def forward(m, d):
    """Accelerations and everything else that follows from the present state.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied, qacc_warmstart
    Writes: all computed fields
    """
    evaluate(m, d, STAGE_NONE, 1)


@kernel("m d i")
def inverse_from(m, d, skip):
    """The force that the acceleration in qacc needs: qfrc_inverse; skip: the Stage that is taken as done.

    Reads: qpos, qvel, act, ctrl, qacc, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied
    Writes: qfrc_inverse, qfrc_constraint, efc_force, efc_state, with invdiscrete what actuation writes, under the discrete integrator what fwd_acceleration writes,
        and what fwd_position, fwd_velocity and the sensors write
    """
    forget_needs(d)
    if not motion_until_velocity(m, d, skip, 1, False):
        return
    if m.opt_enableflags & ENBL_INVDISCRETE or m.opt_integrator == INT_DISCRETE:
        fwd_actuation(m, d)   # the integrators' derivative depends on the actuators
    if m.opt_integrator == INT_DISCRETE:
        fwd_acceleration(m, d)   # builds the effective mass matrix
        if d.nefc > 0:
            analyse_islands(m, d)   # tells which free bodies no row touches
            if lacks_room(d):
                return
    inverse_force(m, d)
    d.flg_rnepost = 0
    if m.nsensor > 0:
        sensor_acc(m, d)
    give_back_acc(m, d)


@kernel("m d", ret="i")
def rk4(m, d):
    """Advance by the classical Runge-Kutta method; `forward` has been called. Returns 1, or 0 with the state untouched.

    Where a later stage finds an acceleration that is no sensible number, the step is refused. The official engine takes it, shows
    positions of 1e30 for one step, and resets in the next.

    Reads: time, qpos, qvel, act, qacc, act_dot
    Writes: time, qpos, qvel, act, qacc_warmstart, diverged, diverged_id and all computed fields (of the last stage)
    """
    start = d.time
    rk4_begin(m, d)
    timed = d.cb_stage != 0
    for s in range(1, 4):
        rk4_stage(m, d, s, start)
        stage_ends(m, d, timed, INTEGRATE)
        watch = ENERGIES if s == 3 else 0
        done = evaluate_timed(m, d, STAGE_NONE, watch) if timed else evaluate(m, d, STAGE_NONE, watch)
        if done == 0 or d.cb_error != 0:
            rk4_restore(m, d, start)
            return 0
        rk4_collect(m, d, s)
    done = rk4_finish(m, d, start)
    stage_ends(m, d, timed, INTEGRATE)
    return done


@helper
def state_is_bad(m, d):
    """Whether the state holds a bad number; notes which."""
    d.diverged = 0
    bad = first_bad(d.qpos, m.nq)
    if bad >= 0:
        refuse(d, WARN_BADQPOS, bad)
        return True
    bad = first_bad(d.qvel, m.nv)
    if bad >= 0:
        refuse(d, WARN_BADQVEL, bad)
        return True
    return False


@helper
def acceleration_fails(m, d):
    """Whether the step must not happen: a callback has raised, or the acceleration holds a bad number. Compares with inverse dynamics."""
    if d.cb_error != 0:
        return True
    bad = first_bad(d.qacc, m.nv)
    if bad >= 0:
        refuse(d, WARN_BADQACC, bad)
        return True
    if m.opt_enableflags & ENBL_FWDINV:
        compare_fwd_inv(m, d)
    return False


@kernel()
def settle(m, d):
    """Finish a step in which trees have fallen asleep: their velocities are 0 now, and whatever follows from velocities is found anew.

    What the awake move by is what was found before that.
    Reads: nslept, qacc_step, and what forward_from and finish_advance read
    Writes: nslept, and what forward_from, note_awake and finish_advance write
    """
    d.nslept = 0
    evaluate(m, d, STAGE_POS, 1)
    note_awake(m, d)
    finish_advance(m, d)


@kernel()
def compute_sleep_state(m, d):
    """Compute what sleepers keep, at the positions sleep_qpos and without velocities, and let them sleep; the state stays as it is.

    Sleepers are those of tree_asleep, where sleep_due is 2: a state was restored; where it is 1, after a reset, the trees that are to begin
    asleep, and may. Those of them that lie in one island with others stay awake.
    Reads: sleep_due, sleep_qpos, tree_asleep, qpos, qvel, and what fwd_position reads
    Writes: sleep_due, tree_asleep, flg_subtreevel, flg_rnepost, and what fwd_position, fwd_velocity, the sensors, fwd_acceleration,
        fwd_constraint, save_state, restore_state and begin_asleep write
    """
    due = d.sleep_due
    d.sleep_due = 0
    save_state(m, d)
    fwd_position(m, d)
    if not lacks_room(d):
        if m.nsensor > 0:
            sensor_pos(m, d)
        d.flg_subtreevel = 0
        fwd_velocity(m, d)
        if m.nsensor > 0:
            sensor_vel(m, d)
        fwd_actuation(m, d)
        fwd_acceleration(m, d)
        fwd_constraint(m, d)
    if not lacks_room(d):
        d.flg_rnepost = 0
        if m.nsensor > 0:
            sensor_acc(m, d)
        if due == 1:
            begin_asleep(m, d)
    restore_state(m, d, due)
    if lacks_room(d):
        d.sleep_due = due


@kernel("m d", ret="i")
def advance_state(m, d):
    """Advance the state from the accelerations found. Returns as step does.

    Reads: nslept, and what single_step and settle read
    Writes: what single_step and settle write
    """
    if single_step(m, d) == 0:
        return 0
    timed = d.cb_stage != 0
    stage_ends(m, d, timed, INTEGRATE)
    if d.nslept > 0:
        settle(m, d)
        stage_ends(m, d, timed, INTEGRATE)
    return 1


@kernel("m d i", ret="i")
def step_from(m, d, skip):
    """As step; skip: the Stage that is taken as done.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied, qacc_warmstart
    Writes: what step writes
    """
    timed = d.cb_stage != 0
    stage_ends(m, d, timed, BEGIN)
    if state_is_bad(m, d):
        return 0
    done = evaluate_timed(m, d, skip, 1) if timed else evaluate(m, d, skip, 1)
    if done == 0 or acceleration_fails(m, d):
        return 0
    if d.trace_cap > 0:
        trace_values(m, d)
    if m.opt_integrator == INT_RK4:
        return rk4(m, d)
    return advance_state(m, d)


@kernel("m d", ret="i")
def step(m, d):
    """Advance the state by one time step. Returns 1, or 0 with the state untouched.

    It returns 0 when room was lacking (need_ncon, need_nefc, need_nJ or need_nH > 0), when the state or its acceleration holds
    a bad number (`diverged` names the warning, `diverged_id` the place) or when a callback has raised (cb_error).

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied, qacc_warmstart
    Writes: time, qpos, qvel, act, qacc_warmstart, diverged, diverged_id, warning_number, warning_lastinfo and all computed fields
    """
    return step_from(m, d, STAGE_NONE)


@kernel("m d", ret="i")
def step1(m, d):
    """First half of a step: all that does not depend on controls and applied forces. Returns 1, or 0 as step does.

    Reads: time, qpos, qvel, mocap_pos, mocap_quat, sleep_due
    Writes: diverged, diverged_id, warning_number, warning_lastinfo, energy, flg_energypos, flg_energyvel, flg_subtreevel, flg_rnepost,
        and what fwd_position, fwd_velocity, the sensors, the energies and the callback write
    """
    timed = d.cb_stage != 0
    stage_ends(m, d, timed, BEGIN)
    if state_is_bad(m, d):
        return 0
    forget_needs(d)
    if not motion_until_velocity(m, d, STAGE_NONE, 1, timed):
        return 0
    if d.cb_control != 0 and call_control(m, d) == 0:
        return 0
    return int(d.cb_error == 0)


@kernel("m d", ret="i")
def step2(m, d):
    """Second half of a step, after step1; Runge-Kutta becomes Euler. Returns 1, or 0 as step does.

    Reads: time, qpos, qvel, act, ctrl, qfrc_applied, xfrc_applied, qacc_warmstart and what step1 writes
    Writes: time, qpos, qvel, act, qacc_warmstart, diverged, diverged_id, warning_number, warning_lastinfo, flg_rnepost and what step writes
    """
    d.diverged = 0
    forget_needs(d)
    timed = d.cb_stage != 0
    stage_ends(m, d, timed, BEGIN)
    if not accelerations(m, d, 1, timed):
        return 0
    if acceleration_fails(m, d):
        return 0
    return advance_state(m, d)


@helper
def runnable(m):
    """Whether the options ask for nothing that is missing and motors and contacts are possible; step.option_issues names what is wrong."""
    integrator = m.opt_integrator
    known = INT_EULER <= integrator <= INT_DISCRETE
    known = known and SOL_PGS <= m.opt_solver <= SOL_NEWTON
    plain = m.opt_enableflags & PENDING_FLAGS == 0 and not is_bad(m.opt_timestep)
    return known and plain and motors_fit(m) and dims_fit(m)


@kernel("m d i", ret="i")
def step_n(m, d, n):
    """Advance by up to n time steps. Returns the number of steps that happened; fewer than n as `step` says, -1 where options forbid it.

    Reads: time, qpos, qvel, act, ctrl, mocap_pos, mocap_quat, qfrc_applied, xfrc_applied, qacc_warmstart
    Writes: what step writes
    """
    if not runnable(m):
        return -1
    for k in range(n):
        if step(m, d) == 0:
            return k
    return n
