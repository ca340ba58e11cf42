"""A Sample: copies of the few arrays of Data that the rules look at, taken between two steps in well under a millisecond."""
from __future__ import annotations

from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np

from physics.enums import ENBL_SLEEP
from physics.model.data import Data
from physics.model.model import Model
from physics.model.state_fields import State

PLAIN = ("ctrl", "act", "act_dot", "actuator_force", "qfrc_actuator", "cvel", "xipos", "subtree_com", "warning_number", "warning_lastinfo", "solver_niter")
CONTACT = ("geom", "dist", "dim", "exclude", "solref")
ROWS = ("type", "id", "pos", "force")
CALLBACKS = ("cb_passive", "cb_control")
NSTAT = 200     # iterations that statistics are kept of


@dataclass(frozen=True, slots=True)
class Sample:
    """Arrays as in Data; contact_* have ncon rows, efc_* the rows before those of contacts. limit_sign: entry of the Jacobian of each limit row, the direction along its first
    dof; gradient, improvement: the solver's at its last iteration, an entry per island; tree_asleep: as in Data, none
    while the flag sleep is off; driven: something other than gravity and springs does work;
    state: what goes on from here, for measurements on a Data of one's own; step_cost: of the run, a step [s], 0: not known; timers: of the profiler, as Profile.per_step
    gives them, None while it is off."""

    time: float
    ncon: int
    nefc: int
    ne: int
    nf: int
    nl: int
    contact_geom: np.ndarray
    contact_dist: np.ndarray
    contact_dim: np.ndarray
    contact_exclude: np.ndarray
    contact_solref: np.ndarray
    efc_type: np.ndarray
    efc_id: np.ndarray
    efc_pos: np.ndarray
    efc_force: np.ndarray
    limit_sign: np.ndarray
    ctrl: np.ndarray
    act: np.ndarray
    act_dot: np.ndarray
    actuator_force: np.ndarray
    qfrc_actuator: np.ndarray
    cvel: np.ndarray
    xipos: np.ndarray
    subtree_com: np.ndarray
    warning_number: np.ndarray
    warning_lastinfo: np.ndarray
    solver_niter: np.ndarray
    gradient: np.ndarray
    improvement: np.ndarray
    tree_asleep: np.ndarray
    driven: bool
    state: State
    step_cost: float = 0.0
    timers: Any = None

    def nbytes(self) -> int:
        """Memory of its arrays, without the state."""
        return sum(value.nbytes for f in fields(self) if isinstance(value := getattr(self, f.name), np.ndarray))


def take_sample(m: Model, d: Data, step_cost: float = 0.0, timers=None) -> Sample:
    """Copy what the rules need of a Data after a step (or `forward`)."""
    n, before, limits = d.ncon, d.ne + d.nf + d.nl, d.ne + d.nf
    islands = np.flatnonzero(d.solver_niter)
    last = np.minimum(d.solver_niter[islands], NSTAT) - 1
    found: dict[str, Any] = {name: np.array(getattr(d, name)) for name in PLAIN}
    found |= {f"contact_{name}": np.array(getattr(d, f"contact_{name}")[:n]) for name in CONTACT}
    found |= {f"efc_{name}": np.array(getattr(d, f"efc_{name}")[:before]) for name in ROWS}
    return Sample(
        time=float(d.time), ncon=n, nefc=d.nefc, ne=d.ne, nf=d.nf, nl=d.nl, limit_sign=d.efc_J[d.efc_J_rowadr[limits:before]], gradient=d.solver_gradient[islands, last],
        improvement=d.solver_improvement[islands, last],
        tree_asleep=np.array(d.tree_asleep) if m.opt_enableflags & ENBL_SLEEP else np.zeros(0, np.int32), driven=_is_driven(m, d), state=State.of(d), step_cost=step_cost,
        timers=MappingProxyType(dict(timers)) if timers else None, **found)


def _is_driven(m: Model, d: Data) -> bool:
    """Whether something does work that the energies of Data do not count: actuators, the user, the medium's motion, callbacks, gravity compensation."""
    arrays = d.actuator_force, d.qfrc_applied, d.xfrc_applied, d.xfrc_perturb
    moved = m.nmocap or d.perturb_active or m.flg_surfacevel or (m.opt_wind.any() and (m.opt_density or m.opt_viscosity))
    return bool(moved or d.noise_scale or m.body_gravcomp.any() or any(x.any() for x in arrays) or any(getattr(d, name) for name in CALLBACKS))
