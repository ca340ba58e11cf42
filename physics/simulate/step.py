"""The Python face of the dynamics: step, forward, inverse, reset.

The kernels never allocate. Where contacts or constraint rows do not fit, a kernel ends early and says what it needs;
`grow` makes the room and the call is repeated, with the result that it would have had with room from the start.
"""
from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np

from physics.engine import forward as stages
from physics.engine.inverse import compare_fwd_inv as fwdinv
from physics.enums import DSBL_AUTORESET, ENBL_INVDISCRETE, INT_RK4, Engine, Stage
from physics.errors import ViewOnlyError
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.model.state_fields import load_keyframe
from physics.simulate.engines import engine_of


def check_dynamics(m: Model) -> None:
    """Raise ViewOnlyError, naming what is missing and where, when the model's dynamics cannot be computed (yet).

    Issues from the files are told alone: they know their places.
    """
    issues = m.view_only or engine_of(m).refuses(m)
    if issues:
        raise ViewOnlyError(issues)


def check_runs(m: Model, d: Data) -> None:
    """check_dynamics, quick where nothing is wrong."""
    if m.view_only or engine_of(m).step(m, d, 0) < 0:
        check_dynamics(m)


def check_soft(m: Model, what: str) -> None:
    """Raise ValueError unless the soft engine moves the model: its stages by themselves mean nothing to another."""
    if m.opt_engine != Engine.SOFT:
        raise ValueError(f"{what} belongs to the soft engine; opt.engine picks '{engine_of(m).name}'")


def grow(d: Data) -> bool:
    """Make the room that the last call asked for. Returns whether it asked for any."""
    return d.make_room()


def check_pair(m: Model, d: Data) -> None:
    """Raise TypeError or ValueError unless d is a Data of the Model m, FieldError where wrong whole numbers were written into m: kernels would read wrong memory."""
    if getattr(d, "model", None) is m and isinstance(d, Data):
        m.check_written()
        return
    if not isinstance(m, Model) or not isinstance(d, Data):
        raise TypeError(f"needs a Model and its Data, got {type(m).__name__} and {type(d).__name__}")
    raise ValueError("the Data belongs to another Model")


def check_mocap(m: Model, d: Data) -> None:
    """Raise ValueError, naming the body, where the pose of a user-moved body holds what is no number: contacts would just vanish."""
    if not d.has_mocap or isfinite(float(d.mocap_pos.sum() + d.mocap_quat.sum())):
        return
    for i in range(m.nmocap):
        if not (np.isfinite(d.mocap_pos[i]).all() and np.isfinite(d.mocap_quat[i]).all()):
            body = int((m.body_mocapid == i).argmax())
            raise ValueError(f"mocap pose of body '{m.name('body', body)}' ({body}): {d.mocap_pos[i]}, {d.mocap_quat[i]}")


def call(kernel: Callable, m: Model, d: Data, *arguments) -> int | None:
    """Call a kernel, again where it lacked room, and raise what a callback raised. Returns what the kernel does."""
    result = kernel(m, d, *arguments)
    while not d.cb_error and grow(d):
        result = kernel(m, d, *arguments)
    if d.cb_error:
        d.raise_callback_error()
    return result


def start_over(m: Model, d: Data, autoreset: bool | None = None) -> bool:
    """After a step that was refused for a bad number: reset Data and count the warning, as officially. False where that is not wanted or nothing is bad."""
    if not d.diverged or autoreset is False or autoreset is None and m.opt_disableflags & DSBL_AUTORESET:
        return False
    kind, at, unsolved = d.diverged, d.diverged_id, d.hard_nfailed
    d.reset()
    d.hard_nfailed = unsolved      # steps of the hard engine that were not taken stay counted
    d.warning_number[kind], d.warning_lastinfo[kind] = 1, at
    return True


def step(m: Model, d: Data, nstep: int = 1, autoreset: bool | None = None) -> int:
    """Advance by nstep time steps. Returns how many happened: fewer where the state diverged and is not to start over.

    autoreset: what to do where positions, velocities or accelerations are no sensible numbers. True: as officially, Data is reset, the
    warning counted (physics.warnings) and the step taken from there. False: the step does not happen; d.diverged names the warning,
    d.diverged_id the number at fault (physics.step_error says it in words), and the state is that before. None: as the model's flag
    `autoreset` says, which is on by default.
    Raises ViewOnlyError when the model's dynamics cannot be computed yet, ValueError for mocap poses that are no numbers, and what a
    callback raises.
    """
    if d.__class__ is not Data or d.model is not m:   # as check_pair, without a call
        check_pair(m, d)
    if d.has_mocap:
        check_mocap(m, d)
    if nstep < 0:
        raise ValueError(f"{nstep} steps")
    engine = m.engine_found or engine_of(m)
    done = -1 if m.view_only else engine.step(m, d, nstep)
    if done == nstep:
        return done
    if done < 0:
        check_dynamics(m)
        done = 0
    anew = -1   # the step that is taken anew after a reset: if it is bad from there too, that is the end
    while done < nstep and not d.cb_error:
        if not grow(d):
            if anew == done or not start_over(m, d, autoreset):
                break
            anew = done
        done += engine.step(m, d, nstep - done)
    if d.cb_error:
        d.raise_callback_error()
    return done


def step1(m: Model, d: Data, autoreset: bool | None = None) -> int:
    """First half of a step: all that does not depend on controls and applied forces, which may be set before `step2`.

    Returns 1, or 0 where the state is bad; autoreset as for `step`.
    """
    check_pair(m, d)
    check_mocap(m, d)
    check_soft(m, "step1")
    check_runs(m, d)
    done = call(stages.step1, m, d)
    return call(stages.step1, m, d) if not done and start_over(m, d, autoreset) else done


def step2(m: Model, d: Data, autoreset: bool | None = None) -> int:
    """Second half of a step, after `step1`. With the integrator RK4 it takes Euler's step. Returns 1, or 0; autoreset as for `step`."""
    check_pair(m, d)
    check_soft(m, "step2")
    check_runs(m, d)
    done = call(stages.step2, m, d)
    if not done and start_over(m, d, autoreset):
        forward(m, d)
        done = call(stages.step2, m, d)
    return done


def forward(m: Model, d: Data, skipstage: int = Stage.NONE) -> None:
    """Compute everything that follows from the present state, without advancing it. Raises ViewOnlyError as `step`.

    Where the hard engine finds no solution d.diverged and the counted warnings say so as for a step that did not happen, and physics.step_error in words.
    skipstage: a physics.enums.Stage; POS takes what depends on positions alone as done, VEL also what depends on velocities.
    """
    check_pair(m, d)
    check_mocap(m, d)
    check_runs(m, d)
    stage = 0 if skipstage is Stage.NONE else skip_of(skipstage)
    engine = engine_of(m)
    while not engine.forward(m, d, stage) and not d.cb_error and grow(d):
        pass
    if d.cb_error:
        d.raise_callback_error()


def fwd_position(m: Model, d: Data) -> None:
    """Compute what follows from positions alone: poses, inertia, contacts, constraint rows, moment arms. Raises as `forward`."""
    check_pair(m, d)
    check_mocap(m, d)
    check_soft(m, "fwd_position")
    check_runs(m, d)
    call(stages.fwd_position, m, d)


def fwd_velocity(m: Model, d: Data) -> None:
    """Compute what follows from velocities, after `fwd_position`: velocities, passive and bias forces. Raises as `forward`."""
    check_pair(m, d)
    check_soft(m, "fwd_velocity")
    check_runs(m, d)
    call(stages.fwd_velocity, m, d)


def inverse(m: Model, d: Data, skipstage: int = Stage.NONE) -> None:
    """The generalised force that the acceleration d.qacc needs at the present position and velocity: d.qfrc_inverse (nv) [N, N m].

    Constraint forces are those of that acceleration; d.qacc stays. With the enable flag `invdiscrete` d.qacc is taken as the change of
    velocity per time that the model's integrator makes. skipstage as in `forward`. Raises ViewOnlyError as `step`, and ValueError for
    `invdiscrete` with RK4, which has no discrete inverse.
    """
    check_pair(m, d)
    check_mocap(m, d)
    check_soft(m, "inverse")
    check_runs(m, d)
    if m.opt_enableflags & ENBL_INVDISCRETE and m.opt_integrator == INT_RK4:
        raise ValueError("invdiscrete: RK4 has no discrete inverse; use another integrator or clear the flag")
    call(stages.inverse_from, m, d, skip_of(skipstage))


def compare_fwd_inv(m: Model, d: Data) -> tuple[float, float]:
    """After `forward`: how far inverse dynamics is from it, |difference| of constraint forces and of applied forces [N, N m].

    Also in d.solver_fwdinv; zero where there are no constraint rows. The enable flag `fwdinv` does this at each step.
    """
    check_pair(m, d)
    check_soft(m, "compare_fwd_inv")
    check_runs(m, d)
    fwdinv(m, d)
    return float(d.solver_fwdinv[0]), float(d.solver_fwdinv[1])


def skip_of(stage: int) -> int:
    """A Stage as a number. Raises ValueError for what is none."""
    return int(Stage(stage))


def reset(m: Model, d: Data, key: int | str | None = None) -> None:
    """Put Data at the model's initial pose, or at a keyframe given by index or name.

    Raises KeyError for a name, IndexError for an index that does not exist.
    """
    check_pair(m, d)
    index = -1 if key is None else index_of(m, "key", key)
    d.reset()
    if index >= 0:
        load_keyframe(m, d, index)
