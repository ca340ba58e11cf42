"""Actuators: what they act on, their gain, bias and activation, ranges and controls."""
from __future__ import annotations

import math

from physics.compiler import tendon_paths
from physics.compiler.build import Build, Item, numbers
from physics.compiler.joints import is_limited
from physics.compiler.shortcuts import SHORTCUTS, force_law
from physics.enums import JNT_HINGE, JNT_SLIDE, BiasType, DynType, GainType, TransmissionType

# attribute -> transmission, kind of its target
_TARGETS = (
    ("joint", TransmissionType.JOINT, "joint"), ("jointinparent", TransmissionType.JOINTINPARENT, "joint"),
    ("tendon", TransmissionType.TENDON, "tendon"), ("cranksite", TransmissionType.SLIDERCRANK, "site"),
    ("site", TransmissionType.SITE, "site"), ("body", TransmissionType.BODY, "body"),
)
_INTERP = ("zoh", "linear", "cubic")
_ACT_STORED = (TransmissionType.JOINT, TransmissionType.JOINTINPARENT, TransmissionType.TENDON)


def read(build: Build) -> None:
    """Make the items of actuators; kinds that are not built yet are left out."""
    for element in build.root.section("actuator"):
        law = force_law(build, element) if element.tag in SHORTCUTS else None
        target = _target(build, element) if law else None
        if target is None:
            build.partial = True
            continue
        a = build.attrs(element)
        get = lambda name, otherwise, a=a: _maybe(a, name, otherwise)  # noqa: E731
        item = build.add(
            "actuator", element, **law, **target, group=int(get("group", 0)), gear=(*numbers(get("gear", None)), *(0.0,) * 6)[:6],
            ctrlrange=numbers(get("ctrlrange", None)) or (0.0, 0.0), forcerange=numbers(get("forcerange", None)) or (0.0, 0.0),
            actrange=numbers(get("actrange", None)) or (0.0, 0.0), lengthrange=numbers(get("lengthrange", None)) or (0.0, 0.0),
            cranklength=float(get("cranklength", 0.0)), armature=float(get("armature", 0.0)), user=numbers(get("user", None)),
            damping=(*numbers(get("damping", None)), 0.0, 0.0, 0.0)[:3], actearly=bool(get("actearly", False)),
            delay=float(get("delay", 0.0)), nsample=int(get("nsample", 0)), interp=_INTERP.index(get("interp", "zoh")),
            actdim=int(get("actdim", -1)),
        )
        _inherit(build, a, item)
        _limits(build, item, get)
        _check(build, item)


def _maybe(a, name: str, otherwise):
    try:
        value = a[name]
    except KeyError:
        return otherwise
    return otherwise if value is None else value


def _target(build: Build, element) -> dict | None:
    """Transmission type and ids; None when the target was left out or is missing."""
    found = [(name, kind, space) for name, kind, space in _TARGETS if element.attrs.get(name)]
    if not found:
        build.error(element, "the actuator has nothing to act on", "Give it a joint, tendon, site or body")
        return None
    name, kind, space = found[-1]
    first = build.id(space, element.attrs[name])
    second = -1
    for other, of in (("slidersite", TransmissionType.SLIDERCRANK), ("refsite", TransmissionType.SITE)):
        if element.attrs.get(other):
            if kind != of:
                build.error(element, f"'{other}' does not go with '{name}'", attr=other)
            second = build.id("site", element.attrs[other])
    if kind == TransmissionType.SLIDERCRANK and second < 0:
        build.error(element, "a slider-crank needs a slidersite", attr="cranksite")
    return None if first < 0 else dict(trntype=kind, trnid=(first, second))


def _inherit(build: Build, a, item: Item) -> None:
    """inheritrange: the range of the target, widened about its middle."""
    factor = float(_maybe(a, "inheritrange", 0.0))
    servo = item.gaintype == GainType.FIXED and item.gainprm[0] == -item.biasprm[1] and item.biastype == BiasType.AFFINE
    if not factor > 0 or not servo:
        return
    integrates = item.dyntype == DynType.INTEGRATOR
    name = "actrange" if integrates else "ctrlrange"
    if any(getattr(item, name)):
        build.error(item.element, f"{name} and inheritrange cannot both be given", attr="inheritrange")
        return
    if item.trntype == TransmissionType.JOINT:
        target = build.items["joint"][item.trnid[0]]
        fits = target.type in (JNT_HINGE, JNT_SLIDE)
    else:
        fits = item.trntype == TransmissionType.TENDON
        target = build.items["tendon"][item.trnid[0]] if fits else None
    if not fits:
        build.error(item.element, "inheritrange needs a hinge, a slide or a tendon", attr="inheritrange")
    elif target.range[0] == target.range[1]:
        build.error(item.element, f"inheritrange, but '{target.name}' has no range", attr="inheritrange")
    else:
        low, high = target.range
        mean, radius = 0.5 * (high + low), 0.5 * (high - low) * factor
        setattr(item, name, (mean - radius, mean + radius))


def _limits(build: Build, item: Item, get) -> None:
    for what in ("ctrl", "force", "act"):
        keyword = getattr(item, "force_" + what + "limited", None) or get(what + "limited", "auto")
        interval = getattr(item, what + "range")
        setattr(item, what + "limited", is_limited(build, item.element, keyword, interval, what + "range", what + "limited"))
    if item.actlimited and item.dyntype == DynType.NONE:
        build.error(item.element, "actrange is given, but the actuator has no activation", attr="actrange")


def _check(build: Build, item: Item) -> None:
    numbers_ = (*item.gear, *item.gainprm, *item.biasprm, *item.dynprm, *item.ctrlrange, *item.forcerange, *item.damping, item.armature)
    if not all(map(math.isfinite, numbers_)):
        build.error(item.element, "an actuator parameter is not finite")
    if (any(item.damping) or item.armature) and item.trntype not in _ACT_STORED:
        build.error(item.element, "damping and armature need an actuator on a joint or tendon")
    if item.trntype == TransmissionType.SLIDERCRANK and item.cranklength <= 0:
        build.error(item.element, "the crank length must be positive", attr="cranklength")
    stateful = item.dyntype != DynType.NONE
    if item.actdim > 1 and item.dyntype not in (DynType.USER, DynType.DCMOTOR):
        build.error(item.element, "actdim above 1 is for dyntype user", attr="actdim")
    elif item.actdim == 1 and not stateful:
        build.error(item.element, "actdim is 1, but the actuator has no activation", attr="actdim")
    elif item.actdim == 0 and stateful and item.dyntype != DynType.DCMOTOR:
        build.error(item.element, "actdim is 0, but the actuator has an activation", attr="actdim")
    if item.actdim < 0:
        item.actdim = int(stateful and item.dyntype != DynType.DCMOTOR)
    if item.delay > 0 and item.nsample <= 0:
        build.error(item.element, "a delay needs nsample, the number of values kept", attr="delay")


def moment_entries(build: Build, item: Item) -> int:
    """Stored entries of the actuator's row of moments."""
    if item.trntype in (TransmissionType.JOINT, TransmissionType.JOINTINPARENT):
        joint = build.items["joint"][item.trnid[0]]
        return joint.nv
    if item.trntype == TransmissionType.TENDON:
        return len(build.items["tendon"][item.trnid[0]].dofs)
    if item.trntype == TransmissionType.BODY:
        return build.sizes["nv"]
    sites = build.items["site"]
    one = tendon_paths.moving_dofs(sites[item.trnid[0]].body)
    two = tendon_paths.moving_dofs(sites[item.trnid[1]].body) if item.trnid[1] >= 0 else set()
    return len(one | two) if item.trntype == TransmissionType.SLIDERCRANK else len(one ^ two)


def fill(build: Build) -> None:
    """Fields actuator_*, but lengths and accelerations."""
    items, out, n = build.items["actuator"], build.out, len(build.items["actuator"])
    build.column("actuator", actuator_trntype="trntype", actuator_dyntype="dyntype", actuator_gaintype="gaintype",
                 actuator_biastype="biastype", actuator_trnid="trnid", actuator_cranklength="cranklength", actuator_dynprm="dynprm",
                 actuator_gainprm="gainprm", actuator_biasprm="biasprm", actuator_actlimited="actlimited", actuator_actrange="actrange",
                 actuator_actearly="actearly", actuator_delay="delay", actuator_armature="armature", actuator_group="group",
                 actuator_forcelimited="forcelimited", actuator_forcerange="forcerange", actuator_ctrllimited="ctrllimited",
                 actuator_ctrlrange="ctrlrange", actuator_gear="gear", actuator_lengthrange="lengthrange", actuator_actnum="actdim",
                 actuator_ctrlspec="ctrlspec")
    build.user("actuator", "nuser_actuator", "actuator_user")
    out["actuator_ctrladr"] = out["actuator_outadr"] = list(range(n))
    out["actuator_ctrlnum"] = out["actuator_outnum"] = [1] * n
    out["actuator_damping"] = [item.damping[0] for item in items]
    out["actuator_dampingpoly"] = [item.damping[1:] for item in items]
    out["actuator_history"] = [(item.nsample, item.interp) for item in items]
    na, history, adr, historyadr = 0, 0, [], []
    for item in items:
        adr.append(na if item.actdim else -1)
        na += item.actdim
        historyadr.append(history if item.nsample > 0 else -1)
        history += 2 + 2 * item.nsample if item.nsample > 0 else 0
    out["actuator_actadr"], out["actuator_historyadr"] = adr, historyadr
    build.sizes.update(nu=n, nout=n, nactuator=n, na=na, nhistory=history, nJmom=sum(moment_entries(build, i) for i in items))
    for name, kind, prefix in (("joint", TransmissionType.JOINT, "jnt"), ("tendon", TransmissionType.TENDON, "tendon")):
        lends = [-1] * len(build.items[name])
        for item in items:
            same = item.trntype == kind or (name == "joint" and item.trntype == TransmissionType.JOINTINPARENT)
            if same and (any(item.damping) or item.armature):
                lends[item.trnid[0]] = item.id if lends[item.trnid[0]] == -1 else -2
        out[prefix + "_actuatorid"] = lends
