"""Steps, and the parts of a step one by one. These take MjModel and MjData themselves, as callbacks and timers belong to them."""
from __future__ import annotations

from time import perf_counter
from types import MappingProxyType

import numpy as np

import physics
from physics.engine import forward as chain
from physics.engine import inverse as inverse_chain
from physics.engine.actuator.transmission import transmission
from physics.engine.constraint.reference import reference_constraint
from physics.engine.constraint.rows import make_constraint
from physics.engine.inertia.energy import energy_pos, energy_vel
from physics.engine.inertia.mass_matrix import crb, factor_m
from physics.engine.inertia.rne_post_constraint import rne_post_constraint
from physics.engine.integrator.implicit import single_step
from physics.engine.kinematics import kinematics as poses
from physics.engine.kinematics.com import com_pos, com_vel
from physics.engine.kinematics.subtree import subtree_vel
from physics.engine.passive.passive import passive
from physics.engine.sensor.stages import sensor_acc, sensor_pos, sensor_vel
from physics.engine.solve.delassus_diagonal import delassus_diagonal
from physics.engine.tendon.tendon import tendon
from physics.enums import DSBL_AUTORESET, ENBL_DIAGEXACT, MAXVAL, WARN_BADQACC, WARN_BADQPOS, WARN_BADQVEL, Integrator
from physics.simulate.step import call, check_pair, check_runs, skip_of, start_over

from ..errors import FatalError
from ..hooks import HOOKS

STEP, FORWARD, INVERSE = 0, 1, 2     # rows of mjtTimer
_BAD = MappingProxyType({WARN_BADQPOS: "QPOS", WARN_BADQVEL: "QVEL", WARN_BADQACC: "QACC"})


def structs(m, d):
    """Ours of both, with the process's callbacks in place. Raises TypeError for anything else."""
    try:
        if d._hooks != HOOKS.version:
            d._hook()
        mm, dd = m._inner, d._inner
        if dd.model is not mm:
            d._belong(m)
        return mm, dd
    except AttributeError:
        raise TypeError(f"incompatible function arguments: needs an MjModel and its MjData, got {type(m).__name__} and {type(d).__name__}") from None


def _timed(d, row: int, began: float, calls: int = 1) -> None:
    """Count a call and its time."""
    home = d._timed
    home.timer_number[row] += calls
    home.timer_duration[row] += (HOOKS.clock or perf_counter)() - began


def _clock() -> float:
    return _checked_time(HOOKS.clock()) if HOOKS.clock else perf_counter()


def _checked_time(value) -> float:
    if not isinstance(value, int | float):
        raise TypeError("mjcb_time callback did not return a number")
    return float(value)


def _text(kind: int, at: int, time: float) -> str:
    return f"Nan, Inf or huge value in {_BAD[kind]} at DOF {at}. The simulation is unstable. Time = {time:.4f}."


def diverged(m, d) -> bool:
    """After a step that was refused, which has counted the warning: tell it, and start over unless the flag autoreset is off. Whether it started over."""
    mm, dd = m._inner, d._inner
    kind, at, time = dd.diverged, dd.diverged_id, dd.time
    if kind in _BAD:
        HOOKS.warn(_text(kind, at, time))
    return start_over(mm, dd)


def mj_step(m, d, nstep=1):
    """mj_step(m: mujoco._structs.MjModel, d: mujoco._structs.MjData, nstep: int = 1) -> None

    Advance by a time step. Optionally, repeat nstep times. A state that diverged starts over from the initial one, as the flag autoreset says.
    """
    mm, dd = structs(m, d)
    began = _clock()
    left, anew = nstep, False     # anew: this step is taken from the initial state; bad from there too, it is left away
    while left > 0:
        done = physics.step(mm, dd, left, False)
        left -= done
        if not left:
            break
        if not done and anew:
            left -= 1
        anew = diverged(m, d)
        if not anew:
            dd.time += mm.opt_timestep
            left -= 1
    _timed(d, STEP, began, nstep)


def mj_step1(m, d):
    """mj_step1(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None

    First half of a step: what does not depend on controls and applied forces.
    """
    mm, dd = structs(m, d)
    if not physics.step1(mm, dd, False) and diverged(m, d):
        physics.step1(mm, dd, False)


def mj_step2(m, d):
    """mj_step2(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None

    Second half of a step.
    """
    mm, dd = structs(m, d)
    if not physics.step2(mm, dd, False) and diverged(m, d):
        physics.forward(mm, dd)
        physics.step2(mm, dd, False)


def mj_forward(m, d):
    """mj_forward(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None

    Everything that follows from the state.
    """
    mm, dd = structs(m, d)
    began = _clock()
    physics.forward(mm, dd)
    _timed(d, FORWARD, began)


def mj_forwardSkip(m, d, skipstage, skipsensor):
    """mj_forwardSkip(m: mujoco._structs.MjModel, d: mujoco._structs.MjData, skipstage: int, skipsensor: int) -> None

    As mj_forward, with the stages up to skipstage taken as done, and without sensors where skipsensor is not 0.
    """
    mm, dd = structs(m, d)
    if skipsensor:
        check_pair(mm, dd)
        check_runs(mm, dd)
        call(chain.evaluate, mm, dd, skip_of(int(skipstage)), 0)
    else:
        physics.forward(mm, dd, int(skipstage))


def mj_inverse(m, d):
    """mj_inverse(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None

    The force that qacc needs: qfrc_inverse.
    """
    mm, dd = structs(m, d)
    began = _clock()
    physics.inverse(mm, dd)
    _timed(d, INVERSE, began)


def mj_inverseSkip(m, d, skipstage, skipsensor):
    """mj_inverseSkip(m: mujoco._structs.MjModel, d: mujoco._structs.MjData, skipstage: int, skipsensor: int) -> None

    As mj_inverse, with the stages up to skipstage taken as done. Sensors are computed with the others.
    """
    mm, dd = structs(m, d)
    physics.inverse(mm, dd, int(skipstage))


def _check(kind: int, field: str):
    def check(m, d):
        mm, dd = structs(m, d)
        bad = np.flatnonzero(~(np.abs(getattr(dd, field)) <= MAXVAL))
        if not len(bad):
            return
        HOOKS.warn(_text(kind, int(bad[0]), dd.time))
        anew = not mm.opt_disableflags & DSBL_AUTORESET
        if anew:
            dd.reset()
        dd.warning_number[kind] += 1
        dd.warning_lastinfo[kind] = int(bad[0])
        if anew and kind == WARN_BADQACC:
            physics.forward(mm, dd)

    return check


def _integrated(integrator: Integrator):
    """One step's integration by this integrator, whatever the option says."""
    def integrate(m, d):
        mm, dd = structs(m, d)
        chosen, mm.opt_integrator = mm.opt_integrator, int(integrator)
        try:
            if integrator == Integrator.RK4:
                call(chain.rk4, mm, dd)
            else:
                call(single_step, mm, dd)
        finally:
            mm.opt_integrator = chosen

    return integrate


def _implicit(m, d):
    kind = Integrator(m._inner.opt_integrator)
    _integrated(kind if kind in (Integrator.IMPLICIT, Integrator.IMPLICITFAST) else Integrator.IMPLICITFAST)(m, d)


def mj_RungeKutta(m, d, N):
    """mj_RungeKutta(m: mujoco._structs.MjModel, d: mujoco._structs.MjData, N: int) -> None

    A step of the explicit Runge-Kutta method of order 4. Raises FatalError for another order.
    """
    if N != 4:
        raise FatalError("mj_RungeKutta: N must be 4 here")
    _integrated(Integrator.RK4)(m, d)


def _rows(mm, dd) -> None:
    """Constraint rows of the present contacts, equalities and limits."""
    call(make_constraint, mm, dd)
    if mm.opt_enableflags & ENBL_DIAGEXACT:
        call(delassus_diagonal, mm, dd)


# official name -> kernels, in their order, of what it does
_STAGES = (
    ("mj_kinematics", (poses.kinematics,), "Poses of bodies, geoms, sites, cameras and lights."), ("mj_comPos", (com_pos,), "Centres of mass, inertias and motion axes."),
    ("mj_camlight", (poses.cameras, poses.lights), "Poses of cameras and lights."), ("mj_tendon", (tendon,), "Lengths, paths and Jacobians of tendons."),
    ("mj_transmission", (transmission,), "Lengths and moment arms of actuators."), ("mj_crb", (crb,), "The mass matrix."), ("mj_makeM", (crb,), "The mass matrix."),
    ("mj_factorM", (factor_m,), "The factors of the mass matrix."), ("mj_fwdKinematics", (poses.kinematics, com_pos, tendon), "All kinematics."),
    ("mj_collision", (chain.collision,), "Contacts."), ("mj_comVel", (com_vel,), "Velocities of bodies and rates of motion axes."), ("mj_passive", (passive,), "Passive forces."),
    ("mj_referenceConstraint", (reference_constraint,), "Reference accelerations of constraint rows."), ("mj_fwdActuation", (chain.fwd_actuation,), "Actuator forces and activation rates."),
    ("mj_fwdAcceleration", (chain.fwd_acceleration,), "All forces but those of constraints, and the acceleration they give."),
    ("mj_fwdConstraint", (chain.fwd_constraint,), "Constraint forces and the acceleration."), ("mj_sensorPos", (sensor_pos,), "Sensors that positions tell."),
    ("mj_sensorVel", (sensor_vel,), "Sensors that velocities tell."), ("mj_sensorAcc", (sensor_acc,), "Sensors that accelerations and forces tell."),
    ("mj_energyPos", (energy_pos,), "Potential energy."), ("mj_energyVel", (energy_vel,), "Kinetic energy."), ("mj_subtreeVel", (subtree_vel,), "Velocity and angular momentum of subtrees."),
    ("mj_rnePostConstraint", (rne_post_constraint,), "Accelerations of bodies and forces between them."), ("mj_invConstraint", (inverse_chain.inv_constraint,), "Constraint forces of qacc."),
    ("mj_projectConstraint", (), "Nothing: the solver does this itself."), ("mj_island", (), "Nothing: islands are found when asked for."), ("mj_flex", (), "Nothing: there are no flexes."),
)


def _stage(kernels):
    def run(m, d):
        mm, dd = structs(m, d)
        check_pair(mm, dd)
        for kernel in kernels:
            call(kernel, mm, dd)

    return run


def _whole(ours):
    """A function of ours of (m, d)."""
    def run(m, d):
        ours(*structs(m, d))

    return run


def _named(name: str, function, text: str):
    function.__name__ = function.__qualname__ = name
    function.__module__ = "mujoco"
    function.__doc__ = f"{name}(m: mujoco._structs.MjModel, d: mujoco._structs.MjData) -> None\n\n{text}\n"
    return function


def stage_functions() -> dict:
    """All of this module by official name."""
    found = {f.__name__: f for f in (mj_step, mj_step1, mj_step2, mj_forward, mj_forwardSkip, mj_inverse, mj_inverseSkip, mj_RungeKutta)}
    more = [(name, _stage(kernels), text) for name, kernels, text in _STAGES]
    more += [
        ("mj_fwdPosition", _whole(physics.fwd_position), "All that follows from the position."), ("mj_fwdVelocity", _whole(physics.fwd_velocity), "All that follows from the velocity."),
        ("mj_invPosition", _whole(physics.fwd_position), "All that follows from the position."), ("mj_invVelocity", _whole(physics.fwd_velocity), "All that follows from the velocity."),
        ("mj_makeConstraint", _whole(_rows), "Constraint rows."), ("mj_compareFwdInv", _whole(physics.compare_fwd_inv), "Forward and inverse dynamics compared: solver_fwdinv."),
        ("mj_checkPos", _check(WARN_BADQPOS, "qpos"), "Start over where a position is no number or huge."),
        ("mj_checkVel", _check(WARN_BADQVEL, "qvel"), "Start over where a velocity is no number or huge."),
        ("mj_checkAcc", _check(WARN_BADQACC, "qacc"), "Start over where an acceleration is no number or huge."),
        ("mj_Euler", _integrated(Integrator.EULER), "Euler integrator, semi-implicit in velocity."), ("mj_implicit", _implicit, "Integrators implicit in velocity."),
    ]
    found.update({name: _named(name, function, text) for name, function, text in more})
    return found
