"""What holds a pose: the force of each degree of freedom at rest, and the controls that give it.

    qfrc = qfrc_bias - qfrc_passive - support          at qvel = qacc = 0
    qfrc = moment' force + J_eq' efc                   force of each actuator, and of equality constraints, by least squares
    force = gain * input + bias                        the input, and from it the control

Applied forces (xfrc_applied, qfrc_applied) do not count. Source: MuJoCo documentation, Computation chapter, "Inverse dynamics" and "Actuation model".
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from physics.engine.actuator.muscle import muscle_bias, muscle_gain
from physics.enums import (
    BIAS_AFFINE,
    BIAS_MUSCLE,
    BIAS_NONE,
    CNSTR_EQUALITY,
    DSBL_ACTUATION,
    DYN_FILTER,
    DYN_FILTEREXACT,
    DYN_INTEGRATOR,
    DYN_MUSCLE,
    DYN_NONE,
    GAIN_AFFINE,
    GAIN_FIXED,
    GAIN_MUSCLE,
    TRN_TENDON,
)
from physics.model.data import Data
from physics.model.model import Model
from physics.query.bounded_least_squares import bounded_least_squares
from physics.query.rest_state import at_rest

NEGLIGIBLE = 1e-9   # of the largest force: below that a gain or a remainder counts as none


class Hold(NamedTuple):
    """qfrc (nv) [N, N m]: what each dof must be given to stay, support taken off; support (nv): what was counted as support; gravcomp (nv): the part that
    joints with actuatorgravcomp give by themselves; remainder (nv): what actuators cannot give, or the actuatorfrcrange of a tendon or joint cuts off, zero where the
    pose can be held.

    Of each actuator (nactuator): force, its unit per unit of moment, NaN of one that is off or has several outputs; input: what its gain multiplies at rest (of
    one with activation the activation), NaN where its law has none; ctrl: the control for it, 0 where an integrator needs none; share: of its control or force
    range that it takes, 1 at the end of the range, NaN where there is no range; within: whether it is inside all of its ranges."""

    qfrc: np.ndarray
    support: np.ndarray
    gravcomp: np.ndarray
    remainder: np.ndarray
    force: np.ndarray
    input: np.ndarray
    ctrl: np.ndarray
    share: np.ndarray
    within: np.ndarray


def hold_torque(m: Model, d: Data, contacts: bool = False, scratch: Data | None = None) -> Hold:
    """What holds the present pose of d, which stays as it is.

    contacts: count the present contact forces of d as support, as they were computed last. Equality constraints always help, as in closed loops: what they
    transmit is found together with the actuator forces. scratch: a Data of the same Model to compute in; without one it is made here.
    Raises ViewOnlyError as `forward`.
    """
    w = at_rest(m, d, scratch)
    support = contact_support(m, d) if contacts else np.zeros(m.nv)
    given = np.where(np.asarray(m.jnt_actgravcomp, bool)[m.dof_jntid], w.qfrc_gravcomp, 0.0) if m.nv else np.zeros(0)
    qfrc = w.qfrc_bias - w.qfrc_passive - support
    gain, bias = _laws(m, w)
    single = (m.actuator_outnum == 1) & ~_off(m)
    out = m.actuator_outadr[single]
    moment = moment_matrix(m, w)[out]
    low, high = _one_sided(m, gain[single], bias[single], np.flatnonzero(single))
    loops = _equality_rows(m, w)
    unbounded = np.full(len(loops), np.inf)
    columns = np.vstack([moment, loops]).T
    found = bounded_least_squares(columns, qfrc - given, np.r_[low, -unbounded], np.r_[high, unbounded])
    remainder = qfrc - given - columns @ found
    remainder += _cut_off(m, moment, found[:len(out)], np.flatnonzero(single), given)
    remainder[np.abs(remainder) < NEGLIGIBLE * max(1.0, np.abs(qfrc).max(initial=0.0))] = 0.0
    force = np.full(m.nactuator, np.nan)
    force[single] = found[:len(out)]
    with np.errstate(divide="ignore", invalid="ignore"):
        wanted = np.where(np.abs(gain) > NEGLIGIBLE, (force - bias) / gain, np.nan)
    return Hold(qfrc, support, given, remainder, force, wanted, *_controls(m, wanted, force))


def _cut_off(m: Model, moment: np.ndarray, force: np.ndarray, actuators: np.ndarray, given: np.ndarray) -> np.ndarray:
    """(nv) what the ranges of tendons, then of joints, take away of these actuators' forces; moment (n, nv) and force (n) are theirs, given (nv) comes beside them."""
    share = np.ones(len(force))
    tendon = np.where(m.actuator_trntype[actuators] == TRN_TENDON, m.actuator_trnid[actuators, 0], -1)
    for t in np.flatnonzero(np.asarray(m.tendon_actfrclimited, bool)).tolist():
        total = float(force[tendon == t].sum())     # all of them pull on the same string, and are made smaller alike
        if total:
            share[tendon == t] = np.clip(total, *m.tendon_actfrcrange[t]) / total
    cut = moment.T @ (force * (1.0 - share))
    limited = np.flatnonzero(np.asarray(m.jnt_actfrclimited, bool))
    dofs = m.jnt_dofadr[limited]
    pushed = (moment.T @ force - cut + given)[dofs]
    cut[dofs] += pushed - np.clip(pushed, *m.jnt_actfrcrange[limited].T)
    return cut


def contact_support(m: Model, d: Data) -> np.ndarray:
    """Generalised force (nv) of the present contacts, with their friction: J' f of the contact rows."""
    first = d.ne + d.nf
    out = np.zeros(m.nv)
    for c in range(d.ncon):
        adr = int(d.contact_efc_address[c])
        if adr < first:
            continue
        last = next((int(a) for a in d.contact_efc_address[c + 1:d.ncon] if a >= 0), d.nefc)
        for i in range(adr, last):
            _add_row(d, i, d.efc_force[i], out)
    return out


def moment_matrix(m: Model, d: Data) -> np.ndarray:
    """(nout, nv): derivative of the length of each actuator output by the dofs."""
    full = np.zeros((m.nout, m.nv))
    for row in range(m.nout):
        part = slice(d.moment_rowadr[row], d.moment_rowadr[row] + d.moment_rownnz[row])
        np.add.at(full[row], d.moment_colind[part], d.actuator_moment[part])
    return full


def _equality_rows(m: Model, d: Data) -> np.ndarray:
    """(n, nv): Jacobian of the active equality constraints."""
    rows = np.flatnonzero(d.efc_type[:d.ne] == CNSTR_EQUALITY)
    full = np.zeros((len(rows), m.nv))
    for k, i in enumerate(rows.tolist()):
        _add_row(d, i, 1.0, full[k])
    return full


def _add_row(d: Data, i: int, times: float, out: np.ndarray) -> None:
    adr, count = int(d.efc_J_rowadr[i]), int(d.efc_J_rownnz[i])
    out[d.efc_J_colind[adr:adr + count]] += times * d.efc_J[adr:adr + count]


# ------------------------------------------------------------------ laws of actuators

def _off(m: Model) -> np.ndarray:
    groups = np.clip(m.actuator_group, 0, 30)
    grouped = (m.actuator_group >= 0) & (m.actuator_group <= 30)
    return (grouped & (m.opt_disableactuator >> groups & 1).astype(bool)) | bool(m.opt_disableflags & DSBL_ACTUATION)


def _affine(prm: np.ndarray, length: float) -> float:
    return float(prm[0] + prm[1] * length)


# of each law its value at rest: (m, d, actuator, length) -> number; those that are not here have no control that holds
GAINS: Mapping[int, Callable] = MappingProxyType({
    GAIN_FIXED: lambda m, d, i, length: float(m.actuator_gainprm[i, 0]), GAIN_AFFINE: lambda m, d, i, length: _affine(m.actuator_gainprm[i], length),
    GAIN_MUSCLE: lambda m, d, i, length: muscle_gain(m, d, i),
})
BIASES: Mapping[int, Callable] = MappingProxyType({
    BIAS_NONE: lambda m, d, i, length: 0.0, BIAS_AFFINE: lambda m, d, i, length: _affine(m.actuator_biasprm[i], length),
    BIAS_MUSCLE: lambda m, d, i, length: muscle_bias(m, d, i),
})
SETTLED = (DYN_NONE, DYN_FILTER, DYN_FILTEREXACT, DYN_MUSCLE)     # activation becomes what the control is
EXCITATION = (0.0, 1.0)     # what the dynamics of a muscle takes of its control, with or without a ctrlrange


def _laws(m: Model, d: Data) -> tuple[np.ndarray, np.ndarray]:
    """Gain and bias (nactuator) of the present lengths, at rest; NaN of a law without."""
    gain, bias = np.full(m.nactuator, np.nan), np.full(m.nactuator, np.nan)
    for i in range(m.nactuator):
        laws = GAINS.get(int(m.actuator_gaintype[i])), BIASES.get(int(m.actuator_biastype[i]))
        if None not in laws and m.actuator_outnum[i] == 1 and m.actuator_ctrlnum[i] == 1:
            length = float(d.actuator_length[m.actuator_outadr[i]])
            gain[i], bias[i] = (law(m, d, i, length) for law in laws)
    return gain, bias


def _one_sided(m: Model, gain: np.ndarray, bias: np.ndarray, actuators: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of forces: of one that its control range allows to pull or to push only, as a muscle, the end of that side; the other side shows by how much it is too weak."""
    low, high = np.full(len(gain), -np.inf), np.full(len(gain), np.inf)
    for k, i in enumerate(actuators.tolist()):
        bounds = _control_range(m, i) if m.actuator_ctrlnum[i] == 1 and m.actuator_dyntype[i] in SETTLED else None
        if bounds is None or not np.isfinite(gain[k]):
            continue
        ends = sorted(gain[k] * np.array(bounds) + bias[k])
        if ends[1] <= 0 and ends[0] < ends[1]:
            high[k] = ends[1]
        elif ends[0] >= 0 and ends[0] < ends[1]:
            low[k] = ends[0]
    return low, high


def _control_range(m: Model, i: int):
    """Range of the first control of an actuator; None where it has none."""
    c = int(m.actuator_ctrladr[i])
    if m.actuator_ctrllimited[c]:
        return tuple(m.actuator_ctrlrange[c].tolist())
    return EXCITATION if m.actuator_dyntype[i] == DYN_MUSCLE else None


def _controls(m: Model, wanted: np.ndarray, force: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Controls for these inputs, the share of the ranges that they and the forces take, and whether they are inside."""
    ctrl, share, within = np.full(m.nactuator, np.nan), np.full(m.nactuator, np.nan), np.ones(m.nactuator, bool)
    for i in range(m.nactuator):
        limits = []
        if m.actuator_dyntype[i] in SETTLED:
            ctrl[i] = wanted[i]
            bounds = _control_range(m, i)
            limits += [(wanted[i], bounds)] if bounds is not None else []
        elif m.actuator_dyntype[i] == DYN_INTEGRATOR and np.isfinite(wanted[i]):
            ctrl[i] = 0.0
        limits += [(wanted[i], m.actuator_actrange[i])] if m.actuator_actlimited[i] else []
        limits += [(force[i], m.actuator_forcerange[i])] if m.actuator_forcelimited[i] else []
        shares = [_share(value, bounds) for value, bounds in limits if np.isfinite(value)]
        share[i] = max(shares, default=np.nan)
        slack = [NEGLIGIBLE * max(1.0, abs(bounds[1] - bounds[0])) for _value, bounds in limits]
        within[i] = all(not np.isfinite(value) or bounds[0] - s <= value <= bounds[1] + s for (value, bounds), s in zip(limits, slack, strict=True))
    return ctrl, share, within


def _share(value: float, bounds) -> float:
    """1 at the end of a range on the value's side of 0, 0 at 0."""
    end = bounds[1] if value >= 0 else bounds[0]
    return float(value / end) if end * value > 0 else 0.0 if value == 0 else np.inf
