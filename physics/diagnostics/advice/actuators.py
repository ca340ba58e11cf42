"""Rules about actuators: controls beyond their range, forces and activations at their limits, joints pressed against their limits."""
from __future__ import annotations

import numpy as np

from physics.diagnostics.advice.evidence import Evidence, per_thing
from physics.diagnostics.advice.finding import INFO, WARNING, Finding, elements_of, named, number, percent, sentence
from physics.diagnostics.advice.sample import Sample
from physics.engine.kinematics.joints import is_slide
from physics.enums import CNSTR_LIMIT_JOINT, DSBL_ACTUATION, DSBL_CLAMPCTRL, TRN_JOINT, TRN_JOINTINPARENT

AT = 1e-6       # of a range: so near to its end is at it
LEAST = 0.1     # of the force that its actuators may have: a joint that is pressed with less is left alone
PUSH = 0.3      # of a limit's force: what an actuator presses a joint against its limit with


def _at_ends(values: np.ndarray, ranges: np.ndarray) -> np.ndarray:
    """-1 at the lower end of a range or below, 1 at the upper or above, else 0. values (samples, n), ranges (n, 2)."""
    near = AT * np.maximum(ranges[:, 1] - ranges[:, 0], 1e-12)
    return np.where(values >= ranges[:, 1] - near, 1, np.where(values <= ranges[:, 0] + near, -1, 0))


def _owners(m, address: str, columns: np.ndarray) -> np.ndarray:
    """Actuators that controls (actuator_ctrladr) or outputs (actuator_outadr) belong to."""
    return np.searchsorted(getattr(m, address), columns, side="right") - 1


def _end(ranges: np.ndarray, side: int) -> float:
    return float(ranges[1] if side > 0 else ranges[0])


def clamped_ctrl(e: Evidence) -> list[Finding]:
    """Controls beyond their range, which are clamped; and controls that change and are mostly at an end of it. One that rests at an end was put there."""
    m = e.m
    if not m.nu or m.opt_disableflags & (DSBL_CLAMPCTRL | DSBL_ACTUATION):
        return []
    ctrl, ranges, limited = e.stack("ctrl"), m.actuator_ctrlrange, m.actuator_ctrllimited.astype(bool)
    near = AT * np.maximum(ranges[:, 1] - ranges[:, 0], 1e-12)
    beyond = ((ctrl > ranges[:, 1] + near) | (ctrl < ranges[:, 0] - near)) & limited
    moving = (np.ptp(ctrl, axis=0) > near) & limited
    beyond &= (ctrl != 0).any(axis=0)       # nobody has set it yet
    so = beyond | ((_at_ends(ctrl, ranges) != 0) & moving)
    share, last = e.seen(so)
    out = []
    for i in np.flatnonzero(share > 0):
        actuator = int(_owners(m, "actuator_ctrladr", i))
        name, worst = named(m, "actuator", actuator), float(ctrl[np.argmax(np.abs(ctrl[:, i] - ranges[i].mean())), i])
        low, high = map(number, ranges[i])
        if beyond[:, i].any():
            text = f"The ctrl of {name} is {number(worst)}, beyond its ctrlrange {low} to {high}: what acts is the end of the range."
            remedy = "Scale or limit the controller's output, or widen ctrlrange where the machine allows more."
        else:
            text = f"The ctrl of {name} is at an end of its ctrlrange {low} to {high} in {percent(share[i])} of the time."
            remedy = "What it is to do needs more than it may: slower motion, other gains, or a stronger actuator."
        out.append(Finding("ctrl_limit", elements_of(m, "actuator", [actuator]), float(share[i]), float(last[i]), text, remedy, float(share[i]),
                           WARNING if beyond[:, i].any() else INFO, name, str(i)))
    return out


def force_at_limit(e: Evidence) -> list[Finding]:
    """Actuators whose force, and joints whose total actuator force, is at an end of its range that is not 0."""
    m = e.m
    if not m.nactuator or m.opt_disableflags & DSBL_ACTUATION:
        return []
    out = []
    force = e.stack("actuator_force")
    owner = _owners(m, "actuator_outadr", np.arange(force.shape[1]))
    out += _forces(e, force, m.actuator_forcerange[owner], m.actuator_forcelimited[owner].astype(bool), "actuator", owner, "forcerange")
    joints = np.flatnonzero(m.jnt_actfrclimited & _is_scalar(m))
    total = e.stack("qfrc_actuator")[:, m.jnt_dofadr[joints]]
    out += _forces(e, total, m.jnt_actfrcrange[joints], np.ones(len(joints), bool), "joint", joints, "actuatorfrcrange")
    return out


def _forces(e: Evidence, force: np.ndarray, ranges: np.ndarray, limited: np.ndarray, kind: str, numbers: np.ndarray, attribute: str) -> list[Finding]:
    side = _at_ends(force, ranges)
    end = np.where(side > 0, ranges[:, 1], ranges[:, 0])
    share, last = e.seen((side != 0) & limited & (np.abs(end) > 0))
    out = []
    for i in np.flatnonzero(share > 0):
        newest = side[np.flatnonzero(side[:, i])[-1], i]
        what = "The force of" if kind == "actuator" else "The total actuator force at"
        name = named(e.m, kind, int(numbers[i]))
        text = f"{what} {name} is at the end {number(_end(ranges[i], newest))} of its {attribute} in {percent(share[i])} of the time: it cannot do what is asked of it."
        remedy = f"A wider {attribute} where the motor has more, less load, smaller gains or a slower target; check whether something blocks it."
        out.append(Finding("force_limit", elements_of(e.m, kind, [numbers[i]]), float(share[i]), float(last[i]), text, remedy, float(share[i]), WARNING, name, str(i)))
    return out


def act_at_limit(e: Evidence) -> list[Finding]:
    """Activations at an end of their range that are driven farther outwards."""
    m = e.m
    limited = np.flatnonzero(m.actuator_actlimited & (m.actuator_actadr >= 0))
    if not len(limited):
        return []
    state = m.actuator_actadr[limited] + m.actuator_actnum[limited] - 1      # the range is that of the last
    act, rate, ranges = e.stack("act")[:, state], e.stack("act_dot")[:, state], m.actuator_actrange[limited]
    share, last = e.seen(_at_ends(act, ranges) * rate > 0)
    out = []
    for i in np.flatnonzero(share > 0):
        name = named(m, "actuator", int(limited[i]))
        low, high = map(number, ranges[i])
        text = f"The activation of {name} is at an end of its actrange {low} to {high} and driven farther."
        remedy = "A control that stops integrating at the limit, or a wider actrange."
        out.append(Finding("act_limit", elements_of(m, "actuator", [limited[i]]), float(share[i]), float(last[i]), text, remedy, float(share[i]), INFO, name))
    return out


def _is_scalar(m) -> np.ndarray:
    """Joints of one dof: slides and hinges."""
    return np.bincount(m.dof_jntid, minlength=m.njnt) == 1


def _strength(m) -> np.ndarray:
    """Largest force of each joint's actuators together, where all have a forcerange; else 0."""
    out = np.zeros(m.njnt)
    for joint in np.unique(m.actuator_trnid[_on_joint(m), 0]):
        mine = np.flatnonzero(_on_joint(m) & (m.actuator_trnid[:, 0] == joint))
        if m.actuator_forcelimited[mine].all():
            gear = np.abs(m.actuator_gear[m.actuator_outadr[mine], 0])
            out[joint] = float((np.abs(m.actuator_forcerange[mine]).max(axis=1) * gear).sum())
    return out


def _on_joint(m) -> np.ndarray:
    return (m.actuator_trntype == TRN_JOINT) | (m.actuator_trntype == TRN_JOINTINPARENT)


def pressed_limits(e: Evidence) -> list[Finding]:
    """Joints at a limit against which their actuators press."""
    m = e.m

    strength, scalar = _strength(m), _is_scalar(m)

    def pressed(sample: Sample) -> dict:
        rows = slice(sample.ne + sample.nf, sample.ne + sample.nf + sample.nl)
        joint, force = sample.efc_id[rows], sample.efc_force[rows]
        here = (sample.efc_type[rows] == CNSTR_LIMIT_JOINT) & (force > 0)
        joint = np.where(here, joint, 0)
        here &= scalar[joint]
        push = -sample.qfrc_actuator[m.jnt_dofadr[joint]] * sample.limit_sign
        here &= (push > PUSH * force) & (push > LEAST * strength[joint])
        return {int(joint[k]): (float(push[k]), float(force[k]), float(sample.limit_sign[k])) for k in np.flatnonzero(here)}

    out = []
    for j, (share, last, figures) in (per_thing(e, pressed).items() if m.nactuator and m.njnt else ()):
        push, force, sign = figures[-1]
        side, end = ("lower", m.jnt_range[j, 0]) if sign > 0 else ("upper", m.jnt_range[j, 1])
        unit = "N" if is_slide(m, j) else "N m"
        name = named(m, "joint", j)
        text = (f"{sentence(name)} is at its {side} limit ({number(end)}) and its actuators press against it with {number(push)} {unit}; "
                f"the limit holds with {number(force)} {unit}.")
        remedy = "A target within the joint's range, or a wider range; a limit that is pressed costs force and solver iterations."
        out.append(Finding("pressed_limit", elements_of(m, "joint", [j]), share, last, text, remedy, push, INFO, name))
    return out
