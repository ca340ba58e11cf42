"""How short and how long actuators can get: pull them both ways by simulation, or take the limits of what they act on.

Joint and tendon limits and equality constraints hold the mechanism, nothing else acts. Muscles need the numbers.
Source: MuJoCo documentation, XML reference, compiler/lengthrange.
"""
from __future__ import annotations

import math

from physics.compiler.build import Build, Item
from physics.data import Data
from physics.engine.modules import ensure_kernels
from physics.engine.pull import pull_step, pull_until
from physics.enums import (
    DSBL_ACTUATION,
    DSBL_CONTACT,
    DSBL_DAMPER,
    DSBL_FRICTIONLOSS,
    DSBL_GRAVITY,
    DSBL_SPRING,
    ENBL_SLEEP,
    INT_EULER,
    INT_IMPLICIT,
    INT_IMPLICITFAST,
    BiasType,
    GainType,
    TransmissionType,
)
from physics.model import Model
from physics.stepping import grow

OFF = DSBL_ACTUATION | DSBL_CONTACT | DSBL_DAMPER | DSBL_FRICTIONLOSS | DSBL_GRAVITY | DSBL_SPRING
MOST_STEPS = 4_000_000  # of all simulations together, so that a mistaken time cannot hang the program
SHORTEST = 0.01  # of the time constant [s]
_NAMES = ("accel", "interval", "inttotal", "maxforce", "mode", "timeconst", "timestep", "tolrange", "useexisting", "uselimit")


def options(build: Build) -> Item:
    """The settings of compiler/lengthrange; later elements win."""
    found = Item(accel=20.0, interval=2.0, inttotal=10.0, maxforce=0.0, mode="muscle", timeconst=1.0, timestep=0.01, tolrange=0.05, useexisting=True,
                 uselimit=False, element=None)
    for element in build.root.section("compiler"):
        if element.tag == "lengthrange":
            attrs = build.attrs(element)
            found.element = element
            for name in _NAMES:
                if attrs.given(name):
                    setattr(found, name, attrs[name])
    return found


def compute(build: Build, model: Model) -> None:
    """Fill actuator_lengthrange of the actuators that need it. The model must be complete otherwise."""
    opt = options(build)
    wanted = [item for item in build.items["actuator"] if _counts(item, opt.mode) and not (opt.useexisting and item.lengthrange[0] < item.lengthrange[1])]
    pulled = [item for item in wanted if not (opt.uselimit and _take_limit(build, model, item))]
    if not pulled:
        return
    step = opt.timestep if opt.timestep > 0 else model.opt_timestep
    steps = 2 * len(pulled) * opt.inttotal / step
    if not steps <= MOST_STEPS:
        build.error(opt.element or pulled[0].element, f"finding the length ranges would take {steps:.3g} steps, at most {MOST_STEPS} are allowed",
                    "Give the actuators a lengthrange, or lower inttotal")
        return
    if pull_step.key is None:
        ensure_kernels()
    kept = model.opt_disableflags, model.opt_enableflags, model.opt_timestep, model.opt_integrator
    model.opt_disableflags, model.opt_enableflags, model.opt_timestep = OFF, kept[1] & ~ENBL_SLEEP, step
    model.opt_integrator = INT_IMPLICITFAST if kept[3] in (INT_IMPLICIT, INT_IMPLICITFAST) else INT_EULER
    try:
        data = Data(model)
        for item in pulled:
            _pull_both_ways(build, model, data, item, opt)
    finally:
        model.opt_disableflags, model.opt_enableflags, model.opt_timestep, model.opt_integrator = kept


def _counts(item: Item, mode: str) -> bool:
    """Whether an actuator is of the kinds that the mode names."""
    kinds = (item.gaintype, item.biastype)
    muscle, user = kinds[0] == GainType.MUSCLE or kinds[1] == BiasType.MUSCLE, kinds[0] == GainType.USER or kinds[1] == BiasType.USER
    return mode == "all" or (mode in ("muscle", "muscleuser") and muscle) or (mode == "muscleuser" and user)


def _take_limit(build: Build, model: Model, item: Item) -> bool:
    """Copy the range of the joint or tendon, if it has one; without the gear, as the official compiler does."""
    kind = {TransmissionType.JOINT: "joint", TransmissionType.JOINTINPARENT: "joint", TransmissionType.TENDON: "tendon"}.get(item.trntype)
    target = build.items[kind][item.trnid[0]] if kind else None
    if target is None or not target.limited:
        return False
    model.actuator_lengthrange[model.actuator_outadr[item.id]] = target.range
    return True


def _pull_both_ways(build: Build, model: Model, data: Data, item: Item, opt: Item) -> None:
    out = int(model.actuator_outadr[item.id])
    reached = [_pull(model, data, out, sense * opt.accel, opt) for sense in (-1.0, 1.0)]
    name = item.name or f"actuator {item.id}"
    hint = "Give it a lengthrange, limit what it acts on, or change the settings of compiler/lengthrange"
    if None in reached:
        build.error(item.element, f"the length range of '{name}' cannot be found: the simulation is unstable", hint)
        return
    low, high = reached[0][0], reached[1][1]
    model.actuator_lengthrange[out] = low, high
    if not low < high:
        build.error(item.element, f"the length range of '{name}' is empty: {low:g} to {high:g}", hint)
        return
    for word, (least, most) in zip(("short", "long"), reached):
        if most - least > opt.tolrange * (high - low):
            what = f"the length of '{name}' does not settle when it is pulled {word}: it stays between {least:g} and {most:g}"
            if _has_side_site(build, item):
                # written for another rule, under which it may well have settled: 2.x and 3.x models shall open
                build.view(item.element, f"{what}, as side sites wrap since 4.0")
            else:
                build.error(item.element, what, hint)
            return


def _has_side_site(build: Build, item: Item) -> bool:
    """Whether an actuator pulls a tendon whose way around a geom is chosen by a side site."""
    return item.trntype == TransmissionType.TENDON and any(
        getattr(step, "side", None) is not None for step in build.items["tendon"][item.trnid[0]].path)


def _pull(model: Model, data: Data, out: int, accel: float, opt: Item) -> tuple[float, float] | None:
    """Smallest and largest length in the last interval, None where the simulation fails."""
    data.reset()
    least, most = math.inf, -math.inf
    pull = model, data, out, accel, opt.maxforce
    keep = math.exp(-model.opt_timestep / max(SHORTEST, opt.timeconst))
    pull_until(*pull, keep, opt.inttotal - opt.interval)
    while grow(data):
        pull_step(*pull, 1.0)
        if not (data.diverged or data.need_nefc or data.need_nJ or data.need_nH):
            pull_until(*pull, keep, opt.inttotal - opt.interval)
    while data.time < opt.inttotal and not data.diverged:
        length = pull_step(*pull, keep)
        while grow(data):
            length = pull_step(*pull, 1.0)
        least, most = min(least, length), max(most, length)
    if data.diverged:
        return None
    return (least, most) if least <= most else (0.0, 0.0)
