"""The response of an actuator in the engine: on the real mechanism, or with all other degrees of freedom held, on a Model and Data of its own.

    real     constraints, contacts and the other actuators as they are, their controls where they stand
    locked   every other degree of freedom has so much armature that it stays; constraints are off: what the one-coordinate simulation is compared with

The model and data that are given stay as they are. Callbacks of the user are not called.
"""
from __future__ import annotations

import numpy as np

from physics.enums import DSBL_CONSTRAINT, ENBL_SLEEP
from physics.model.data import Data
from physics.model.element_index import index_of
from physics.model.model import Model
from physics.model.model_copy import model_beside
from physics.query.rest_state import at_rest
from physics.simulate.step import forward, step
from physics.tuning.servos.axis import axis_of
from physics.tuning.servos.reference import Reference
from physics.tuning.servos.trace import ServoTrace, empty_rows, trace_of

REAL, LOCKED = "real", "locked"
HEAVY = 1e12    # times the largest inertia: held to 1e-12 of what would move it


def pair_beside(m: Model, d: Data) -> tuple[Model, Data]:
    """A Model and a Data of one's own with the values of these, all awake; without callbacks."""
    model = model_beside(m)
    data = Data(model)
    data.copy_fields(d)
    model.opt_enableflags &= ~ENBL_SLEEP
    data.wake()
    return model, data


def lock_others(m: Model, d: Data, actuator: int) -> None:
    """Hold every degree of freedom but those that the actuator's moment has, in this Model and Data: armature, no velocity, and no constraints."""
    w = at_rest(m, d)
    axis = axis_of(m, w, actuator)
    others = np.setdiff1d(np.arange(m.nv), axis.dofs)
    heavy = HEAVY * max(1.0, float(w.M[m.M_rowadr + m.M_rownnz - 1].max(initial=0.0)))
    m.dof_armature[others] += heavy
    m.dof_M0[others] += heavy       # the diagonal of simple dofs is taken from here
    m.opt_disableflags |= DSBL_CONSTRAINT
    d.qvel[others] = 0


def respond(m: Model, d: Data, actuator: int | str, reference: Reference, steps: int, rest: str = REAL, settle: int = 0) -> ServoTrace:
    """Let an actuator, given by index or name, follow a reference for so many steps from the state of d. A run that diverges ends there (trace.steps).

    rest: 'real' or 'locked', see above. settle: steps before that under the reference's first control, so that the mechanism is at rest where it will be.
    Raises KeyError or IndexError for an actuator that does not exist, ValueError for one that has not one output and one control, or another rest, and as `step`.
    """
    i = index_of(m, "actuator", actuator)
    if rest not in (REAL, LOCKED):
        raise ValueError(f"rest is '{REAL}' or '{LOCKED}', not {rest!r}")
    if m.actuator_outnum[i] != 1 or m.actuator_ctrlnum[i] != 1:
        raise ValueError(f"actuator '{m.name('actuator', i)}' ({i}) has {m.actuator_outnum[i]} outputs and {m.actuator_ctrlnum[i]} controls, not one of each")
    m, d = pair_beside(m, d)
    if rest == LOCKED:
        lock_others(m, d, i)
    u = int(m.actuator_ctrladr[i])
    d.ctrl[u] = reference(0.0)
    if settle and step(m, d, settle, autoreset=False) < settle:
        return trace_of(empty_rows(0))
    return _follow(m, d, i, u, reference, steps)


def _follow(m: Model, d: Data, i: int, u: int, reference: Reference, steps: int) -> ServoTrace:
    out, start, rows = int(m.actuator_outadr[i]), float(d.time), empty_rows(steps)
    act = int(m.actuator_actadr[i] + m.actuator_actnum[i] - 1) if m.actuator_actnum[i] else -1
    for k in range(steps + 1):
        now = float(d.time) - start
        d.ctrl[u] = reference(now)
        # forces of this very state, not those of a Runge-Kutta step's last stage
        forward(m, d)
        rows[k] = now, d.ctrl[u], d.actuator_length[out], d.actuator_velocity[out], d.actuator_force[out], d.act[act] if act >= 0 else np.nan
        if k < steps and not step(m, d, 1, autoreset=False):
            return trace_of(rows[:k + 1])
    return trace_of(rows)
