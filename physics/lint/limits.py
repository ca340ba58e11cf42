"""Rules about ranges: given and not used, missing for a servo, wider than the joint's, and forces that do not suffice to hold a pose."""
from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from physics.diagnostics.advice.finding import count, named, number, percent, sentence
from physics.enums import BIAS_AFFINE, BIAS_NONE, DSBL_ACTUATION, DYN_NONE, GAIN_FIXED, TRN_JOINT, TRN_JOINTINPARENT, TRN_TENDON
from physics.lint.finding import NOTE, WARNING, Finding
from physics.lint.fix import Fix, SetAttribute, numbers_text
from physics.lint.joint_kinds import free_joints, scalar_joints
from physics.lint.subject import Subject
from physics.query.hold_torque import hold_torque
from physics.spec.element import Element

# kind of item, attribute of the range, of its switch
RANGES = (("joint", "range", "limited"), ("tendon", "range", "limited"), ("joint", "actuatorfrcrange", "actuatorfrclimited"), ("actuator", "ctrlrange", "ctrllimited"),
          ("actuator", "forcerange", "forcelimited"), ("actuator", "actrange", "actlimited"))
BEYOND = 0.1            # of the joint's range
FULL = 0.9              # of a forcerange
MOST_WORK = 60_000      # actuators times dofs of a model whose forces at rest are computed


def limits_unused(s: Subject) -> Iterator[Finding]:
    """Ranges that do nothing as their switch is off."""
    for kind, name, switch in RANGES:
        by_class: dict[int, list[tuple[int, Element]]] = {}
        for i in range(len(s.m.names[kind])):
            element = s.of(kind, i)
            if element is None or element.tag in ("freejoint", "composite", "attach"):
                continue
            attrs = s.attrs(element)
            if name not in attrs.spec.attributes or switch not in attrs.spec.attributes or not attrs.given(name):
                continue
            values = attrs[name]
            if values is None or not np.any(values) or attrs[switch] != "false":
                continue
            off = attrs.source(switch)
            by_class.setdefault(off.id if off is not None else element.id, []).append((i, element))
        for rows in by_class.values():
            yield _unused(s, kind, rows, name, switch)


def _unused(s: Subject, kind: str, rows: list[tuple[int, Element]], name: str, switch: str) -> Finding:
    """Of items whose switch is written in one place, a default class or the element itself."""
    i, element = rows[0]
    attrs = s.attrs(element)
    off = attrs.source(switch)
    from_class = off is not None and off is not element
    others = f", and so have {count(len(rows) - 1, 'other')}" if len(rows) > 1 else ""
    text = (f"{sentence(named(s.m, kind, i))} has {name} {' '.join(map(number, map(float, attrs[name])))}{others}; it limits nothing, as {switch} is false"
            f"{' in the default class' if from_class else ''}.")
    remedy = f'{switch}="true" if it is to be limited; else take the range away, so that nobody relies on it.'
    fixes = []
    own = [s.written(e) if s.attrs(e).source(name) is e and sum(name in layer.attrs for layer in s.attrs(e).layers) == 1 else None for _i, e in rows]
    if None not in own:
        fixes.append(Fix(f"Take {name} away", tuple(dict.fromkeys(SetAttribute(e.id, name, None) for e in own)), keeps=True))
    if (there := s.written(off)) is not None:
        fixes.append(Fix(f"Set {switch} to true", (SetAttribute(there.id, switch, "true"),)))
    return s.finding("limits_unused", NOTE, off if from_class else element, text, remedy, s.items(kind, *(i for i, _e in rows)), fixes, name)


# ------------------------------------------------------------------ servos

def _servo_range(s: Subject, i: int) -> tuple[str, int, np.ndarray] | None:
    """(kind, number, range in units of the control) of the joint or tendon that a position servo moves; None where it has no range, or this is no such servo."""
    m = s.m
    if m.actuator_biastype[i] != BIAS_AFFINE or m.actuator_gaintype[i] != GAIN_FIXED or m.actuator_biasprm[i, 1] >= 0 or m.actuator_dyntype[i] != DYN_NONE:
        return None
    kp = m.actuator_gainprm[i, 0]
    if kp <= 0 or abs(kp + m.actuator_biasprm[i, 1]) > 1e-6 * kp or m.actuator_biasprm[i, 0]:
        return None
    gear, target = float(m.actuator_gear[m.actuator_outadr[i], 0]), int(m.actuator_trnid[i, 0])
    if m.actuator_trntype[i] in (TRN_JOINT, TRN_JOINTINPARENT) and scalar_joints(m)[target] and m.jnt_limited[target]:
        return "joint", target, np.sort(gear * m.jnt_range[target])
    if m.actuator_trntype[i] == TRN_TENDON and m.tendon_limited[target]:
        return "tendon", target, np.sort(gear * m.tendon_range[target])
    return None


def _range(ends) -> str:
    return f"{number(float(ends[0]))} to {number(float(ends[1]))}"


def servo_range(s: Subject) -> Iterator[Finding]:
    """Position servos without a ctrlrange on a joint that has a range, or with one that goes far beyond it."""
    m = s.m
    for i in range(m.nactuator):
        found, element = _servo_range(s, i), s.of("actuator", i)
        if found is None or element is None:
            continue
        kind, target, reach = found
        c = int(m.actuator_ctrladr[i])
        if not m.actuator_ctrllimited[c]:
            yield _unlimited(s, i, element, kind, target, reach)
            continue
        given, width = m.actuator_ctrlrange[c], float(reach[1] - reach[0])
        beyond = max(float(reach[0] - given[0]), float(given[1] - reach[1]))
        if width > 0 and beyond > BEYOND * width:
            yield _too_wide(s, i, element, kind, target, reach, given, beyond / width)


def _unlimited(s: Subject, i: int, element: Element, kind: str, target: int, reach: np.ndarray) -> Finding:
    attrs, there = s.attrs(element), s.written(element)
    text = (f"The position servo {named(s.m, 'actuator', i)} has no ctrlrange: a target beyond the range of {named(s.m, kind, target)}, {_range(reach)}, "
            "presses it against its limit.")
    remedy = 'inheritrange="1" takes the range over from what it moves; the window then also has a slider with sensible ends.'
    fix = None
    if there is not None and attrs["ctrllimited"] != "false":
        if element.tag == "position" and kind in ("joint", "tendon") and not attrs.given("ctrlrange"):
            fix = Fix("Take the range over", (SetAttribute(there.id, "inheritrange", "1"),))
        elif s.settings("compiler", "autolimits", "true") == "true":
            fix = Fix("Write the range", (SetAttribute(there.id, "ctrlrange", numbers_text(reach)),))
    return s.finding("servo_range", NOTE, element, text, remedy, s.items("actuator", i), [fix], "none")


def _too_wide(s: Subject, i: int, element: Element, kind: str, target: int, reach, given, share: float) -> Finding:
    attrs, there = s.attrs(element), s.written(element)
    text = (f"The ctrlrange of the position servo {named(s.m, 'actuator', i)}, {_range(given)}, goes beyond the range of {named(s.m, kind, target)}, {_range(reach)}, by "
            f"{percent(share)} of it: targets there press the joint against its limit.")
    remedy = "A ctrlrange no wider than the joint's range, unless the servo is to press against the stop."
    fix = None
    if there is not None and attrs.source("ctrlrange") is element:
        narrow = np.clip(given, reach[0], reach[1])
        if narrow[0] < narrow[1]:
            fix = Fix("Narrow it to the range", (SetAttribute(there.id, "ctrlrange", numbers_text(narrow)),))
    return s.finding("servo_range", NOTE, element, text, remedy, s.items("actuator", i), [fix], "wide", share)


# ------------------------------------------------------------------ forces

def _force_ranges(s: Subject) -> dict[int, tuple[np.ndarray, str]]:
    """By actuator the range of its force, and what it comes from: forcerange, or the ctrlrange of a motor."""
    m, out = s.m, {}
    for i in range(m.nactuator):
        ranges = []
        if m.actuator_forcelimited[i]:
            ranges.append((np.array(m.actuator_forcerange[i]), "forcerange"))
        c = int(m.actuator_ctrladr[i])
        plain = m.actuator_gaintype[i] == GAIN_FIXED and m.actuator_biastype[i] == BIAS_NONE and m.actuator_dyntype[i] == DYN_NONE
        if plain and m.actuator_ctrlnum[i] == 1 and m.actuator_ctrllimited[c]:
            ranges.append((np.sort(m.actuator_gainprm[i, 0] * m.actuator_ctrlrange[c]), "ctrlrange times its gain"))
        if ranges and m.actuator_outnum[i] == 1:
            out[i] = min(ranges, key=lambda row: float(np.abs(row[0]).max()))
    return out


def _tree(m, i: int) -> int:
    """Kinematic tree that an actuator moves; -1 where it is not one joint's."""
    return int(m.dof_treeid[m.jnt_dofadr[m.actuator_trnid[i, 0]]]) if m.actuator_trntype[i] in (TRN_JOINT, TRN_JOINTINPARENT) else -1


def saturated_at_rest(s: Subject) -> Iterator[Finding]:
    """Actuators that need nearly all of their force, or more, to hold qpos0 or a keyframe without contacts. What carries a free body that touches something is not known so,
    nor what loops do with the weight of a free body."""
    m = s.m
    ranges = _force_ranges(s) if s.dynamics and m.nactuator and m.nv else {}
    if not ranges or m.nactuator * m.nv > MOST_WORK or m.opt_disableflags & DSBL_ACTUATION or not np.any(m.opt_gravity):
        return
    free = np.unique(m.dof_treeid[m.jnt_dofadr[free_joints(m)]])
    if len(free) and m.eq_active0.any():
        return
    for pose in s.poses.all:
        name = s.poses.put(pose.key)
        force = hold_torque(m, s.poses.data).force
        held = np.intersect1d(free, m.body_treeid[m.geom_bodyid[pose.geoms.ravel()]])
        for i, (ends, source) in ranges.items():
            if not np.isfinite(force[i]) or _tree(m, i) in held:
                continue
            end = float(ends[1] if force[i] >= 0 else ends[0])
            share = force[i] / end if end * force[i] > 0 else np.inf if abs(force[i]) > 1e-6 * max(1.0, np.abs(ends).max()) else 0.0
            if share <= FULL:
                continue
            text = (f"{sentence(named(m, 'actuator', i))} has to give {number(float(force[i]))} to hold the pose {name} without contacts, and its {source} ends at {number(end)}: "
                    + ("it cannot hold it." if share > 1 else f"that is {percent(float(share))} of what it has."))
            remedy = "A stronger actuator (wider range, larger gear), less mass, gravcomp where the machine has it, or a pose that needs less."
            yield s.finding("saturated_at_rest", WARNING if share > 1 else NOTE, s.of("actuator", i), text, remedy, s.items("actuator", i), weight=float(min(share, 1e9)))
