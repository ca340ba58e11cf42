"""Actuators: what they act on, their gain, bias and activation, ranges and controls."""
from __future__ import annotations

import math

from physics.compiler.build import Build
from physics.compiler.elements import servo_checks, tendon_paths
from physics.compiler.elements.joints import is_limited
from physics.compiler.items import ActuatorItem
from physics.enums import JNT_HINGE, JNT_SLIDE, BiasType, CtrlInput, DynType, GainType, TransmissionType
from physics.spec.actuator_counts import state_count
from physics.spec.actuator_shortcuts import Actuators

# attribute -> transmission, kind of its target
_TARGETS = (
    ("joint", TransmissionType.JOINT, "joint"), ("jointinparent", TransmissionType.JOINTINPARENT, "joint"),
    ("tendon", TransmissionType.TENDON, "tendon"), ("cranksite", TransmissionType.SLIDERCRANK, "site"),
    ("site", TransmissionType.SITE, "site"), ("body", TransmissionType.BODY, "body"),
)
_INTERP = ("zoh", "linear", "cubic")
_ACT_STORED = (TransmissionType.JOINT, TransmissionType.JOINTINPARENT, TransmissionType.TENDON)
_NOT_FINITE = ("gear", "gainprm", "biasprm", "dynprm", "damping", "armature", "delay")


def gather(build: Build) -> None:
    """Make the items of actuators; those that act on something left out are left out."""
    settings = Actuators(build.source.resolver, build.problems.error)
    for element in build.source.root.section("actuator"):
        if element.tag == "plugin":
            build.source.partial = True
            continue
        s = settings.settings(element)
        target = _target(build, element, s)
        if target is None:
            build.source.partial = True
            continue
        item = build.items.add("actuator", element, vars(s), **target)
        item.interp = _INTERP.index(item.interp)
        servo_checks.controls(build, item)
        _inherit(build, item)
        _limits(build, item)
        _check(build, item)
        _ranges(item)
        if item.gaintype == GainType.SO3:
            item.trntype = TransmissionType.SO3


def _target(build: Build, element, s) -> dict | None:
    """Transmission type and ids; None when the target was left out or is missing."""
    found = [(name, kind, space) for name, kind, space in _TARGETS if element.attrs.get(name)]
    if not found:
        build.problems.error(element, "the actuator has nothing to act on", "Give it a joint, tendon, site or body")
        return None
    name, kind, space = found[-1]
    first = build.items.id(space, element.attrs[name])
    second = -1
    for other, of in (("slidersite", TransmissionType.SLIDERCRANK), ("refsite", TransmissionType.SITE)):
        if element.attrs.get(other):
            if kind != of:
                build.problems.error(element, f"'{other}' does not go with '{name}'", attr=other)
            second = build.items.id("site", element.attrs[other])
    if kind == TransmissionType.SLIDERCRANK:
        if not element.attrs.get("slidersite"):
            build.problems.error(element, "a slider-crank needs a slidersite", attr="cranksite")
        if s.cranklength <= 0:
            build.problems.error(element, "the crank length must be positive", attr="cranklength")
    elif build.source.attrs(element).own("cranklength"):
        build.problems.error(element, f"'cranklength' does not go with '{name}'", attr="cranklength")
    return None if first < 0 else dict(trntype=kind, trnid=(first, second))


def _inherit(build: Build, item: ActuatorItem) -> None:
    """inheritrange: the range of the target, widened about its middle."""
    servo = item.gaintype == GainType.PID or (item.gaintype == GainType.FIXED and item.gainprm[0] == -item.biasprm[1])
    if not (item.inheritrange > 0 and servo and item.biastype == BiasType.AFFINE):
        return
    if item.dyntype not in (DynType.NONE, DynType.FILTEREXACT, DynType.PID, DynType.INTEGRATOR):
        build.problems.error(item.element, "inheritrange is for position and integrated-velocity servos", attr="inheritrange")
        return
    if item.trntype == TransmissionType.JOINT:
        target = build.items["joint"][item.trnid[0]]
        fits = target.type in (JNT_HINGE, JNT_SLIDE)
    else:
        fits = item.trntype == TransmissionType.TENDON
        target = build.items["tendon"][item.trnid[0]] if fits else None
    if not fits:
        build.problems.error(item.element, "inheritrange needs a hinge, a slide or a tendon", attr="inheritrange")
    elif target.range[0] == target.range[1]:
        build.problems.error(item.element, f"inheritrange, but '{target.name}' has no range", attr="inheritrange")
    else:
        low, high = target.range
        mean, radius = 0.5 * (high + low), 0.5 * (high - low) * item.inheritrange
        setattr(item, "actrange" if item.dyntype == DynType.INTEGRATOR else "ctrlrange", (mean - radius, mean + radius))


def _limits(build: Build, item: ActuatorItem) -> None:
    for what in ("force", "ctrl", "act"):
        keyword, interval = getattr(item, what + "limited"), getattr(item, what + "range")
        setattr(item, what + "limited", is_limited(build, item.element, keyword, interval, what + "range", what + "limited"))
    if item.actlimited and item.dyntype == DynType.NONE:
        build.problems.error(item.element, "actrange is given, but the actuator has no activation", attr="actrange")


def _check(build: Build, item: ActuatorItem) -> None:
    element = item.element
    for name in _NOT_FINITE:
        value = getattr(item, name)
        if not all(map(math.isfinite, value if isinstance(value, tuple) else (value,))):
            build.problems.error(element, f"'{name}' is not finite", attr=name)
    for name, given in (("damping", any(item.damping)), ("armature", item.armature != 0)):
        if given and item.trntype not in _ACT_STORED:
            build.problems.error(element, f"{name} needs an actuator on a joint or tendon", attr=name)
    _states(build, item)
    servo_checks.muscle(build, item)
    if item.delay > 0 and item.nsample <= 0:
        build.problems.error(element, "a delay needs nsample, the number of values kept", attr="delay")
    if (item.delay > 0 or item.nsample > 0) and item.ctrlnum == 0:
        build.problems.error(element, "an actuator without inputs has no controls to keep or delay", attr="nsample")
    if not build.problems.room(element, "kept controls", max(0, item.nsample) * (1 + item.ctrlnum), "nsample"):
        item.nsample = 0
    if not build.problems.room(element, "activations", max(0, item.actdim), "actdim"):
        item.actdim = 1


def _states(build: Build, item: ActuatorItem) -> None:
    """Number of activation states."""
    dyntype, states = item.dyntype, state_count(item)
    if item.actdim < 0:
        item.actdim = states if dyntype == DynType.DCMOTOR or item.gaintype != GainType.DCMOTOR else int(dyntype != DynType.NONE)
    if item.actdim > 1 and dyntype not in (DynType.USER, DynType.DCMOTOR, DynType.PID) and item.gaintype != GainType.SO3:
        build.problems.error(item.element, "actdim above 1 is for dyntype user, dcmotor and pid", attr="actdim")
    elif item.actdim == 1 and dyntype == DynType.NONE:
        build.problems.error(item.element, "actdim is 1, but the actuator has no activation", attr="actdim")
    elif item.actdim == 0 and dyntype not in (DynType.NONE, DynType.DCMOTOR):
        build.problems.error(item.element, "actdim is 0, but the actuator has an activation", attr="actdim")
    if DynType.DCMOTOR == dyntype or GainType.DCMOTOR == item.gaintype:
        if item.actdim != states:
            build.problems.error(item.element, f"these parameters of a motor make {states} states, not {item.actdim}", attr="actdim")
    if dyntype == DynType.DCMOTOR and not item.actearly:
        build.problems.error(item.element, "a motor's force follows its states at the end of the step", "Write actearly=\"true\"", "actearly")


def _ranges(item: ActuatorItem) -> None:
    """Range of each control: those of a pid's velocity and feed-forward are their own."""
    item.ranges = [(item.ctrllimited, item.ctrlrange)] * item.ctrlnum
    if item.gaintype == GainType.PID:
        inputs = [bit for bit in (CtrlInput.POS, CtrlInput.VEL, CtrlInput.FF) if item.ctrlspec & bit]
        own = {CtrlInput.VEL: item.velrange, CtrlInput.FF: item.ffrange}
        item.ranges = [(own[b][0] < own[b][1], own[b]) if b in own else (item.ctrllimited, item.ctrlrange) for b in inputs]


def moment_entries(build: Build, item: ActuatorItem) -> int:
    """Stored entries of the actuator's rows of moments."""
    if item.trntype in (TransmissionType.JOINT, TransmissionType.JOINTINPARENT):
        joint = build.items["joint"][item.trnid[0]]
        return joint.nv
    if item.trntype == TransmissionType.TENDON:
        return len(build.items["tendon"][item.trnid[0]].dofs)
    if item.trntype == TransmissionType.BODY:
        return build.fields.sizes["nv"]
    if item.trntype == TransmissionType.SO3:
        return 3 if item.trnid[1] < 0 else 3 * build.fields.sizes["nv"]
    sites = build.items["site"]
    one = tendon_paths.moving_dofs(sites[item.trnid[0]].body)
    two = tendon_paths.moving_dofs(sites[item.trnid[1]].body) if item.trnid[1] >= 0 else set()
    return len(one | two) if item.trntype == TransmissionType.SLIDERCRANK else len(one ^ two)


def fill(build: Build) -> None:
    """Fields actuator_*, but lengths and accelerations."""
    items, out = build.items["actuator"], build.fields.rows
    build.fields.column("actuator", actuator_trntype="trntype", actuator_dyntype="dyntype", actuator_gaintype="gaintype",
                 actuator_biastype="biastype", actuator_trnid="trnid", actuator_cranklength="cranklength", actuator_dynprm="dynprm",
                 actuator_gainprm="gainprm", actuator_biasprm="biasprm", actuator_actlimited="actlimited", actuator_actrange="actrange",
                 actuator_actearly="actearly", actuator_delay="delay", actuator_armature="armature", actuator_group="group",
                 actuator_forcelimited="forcelimited", actuator_forcerange="forcerange", actuator_actnum="actdim", actuator_ctrlspec="ctrlspec",
                 actuator_ctrlnum="ctrlnum", actuator_outnum="outnum")
    build.fields.user("actuator", "nuser_actuator", "actuator_user")
    ranges = [pair for item in items for pair in item.ranges]
    out["actuator_ctrllimited"], out["actuator_ctrlrange"] = [pair[0] for pair in ranges], [pair[1] for pair in ranges]
    out["actuator_gear"] = [item.gear for item in items for _ in range(item.outnum)]
    out["actuator_lengthrange"] = [item.lengthrange for item in items for _ in range(item.outnum)]
    out["actuator_damping"] = [item.damping[0] for item in items]
    out["actuator_dampingpoly"] = [item.damping[1:] for item in items]
    out["actuator_history"] = [(item.nsample, item.interp) for item in items]
    controls = outputs = states = history = 0
    for item in items:
        item.ctrladr, item.outadr = controls, outputs
        item.actadr, item.historyadr = states if item.actdim else -1, history if item.nsample > 0 else -1
        controls, outputs, states = controls + item.ctrlnum, outputs + item.outnum, states + item.actdim
        history += 2 + item.nsample * (1 + item.ctrlnum) if item.nsample > 0 else 0
    build.fields.column("actuator", actuator_ctrladr="ctrladr", actuator_outadr="outadr", actuator_actadr="actadr", actuator_historyadr="historyadr")
    build.fields.sizes.update(nu=controls, nout=outputs, nactuator=len(items), na=states, nhistory=history, nJmom=sum(moment_entries(build, i) for i in items))
    for name, kind, prefix in (("joint", TransmissionType.JOINT, "jnt"), ("tendon", TransmissionType.TENDON, "tendon")):
        lends = [-1] * len(build.items[name])
        for item in items:
            same = item.trntype == kind or (name == "joint" and item.trntype == TransmissionType.JOINTINPARENT)
            if same and (any(item.damping) or item.armature):
                lends[item.trnid[0]] = item.id if lends[item.trnid[0]] == -1 else -2
        out[prefix + "_actuatorid"] = lends
