"""Pulling actuators both ways in the engine until their lengths settle; length_range.py says which and why."""
from __future__ import annotations

import math

from physics.compiler.build import Build
from physics.compiler.items import Item
from physics.engine.length_range_simulation import length_range_run, length_range_step
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
    TransmissionType,
)
from physics.model.data import Data
from physics.model.model import Model
from physics.simulate.step import grow
from physics.simulate.warm_up import ensure_engine

OFF = DSBL_ACTUATION | DSBL_CONTACT | DSBL_DAMPER | DSBL_FRICTIONLOSS | DSBL_GRAVITY | DSBL_SPRING
SHORTEST = 0.01  # of the time constant [s]


def run(build: Build, model: Model, items: list[Item], opt: Item, step: float) -> None:
    """Fill actuator_lengthrange of some actuators. opt: settings of compiler/lengthrange; step: of time [s]."""
    if length_range_step.key is None:
        ensure_engine()
    kept = model.opt_disableflags, model.opt_enableflags, model.opt_timestep, model.opt_integrator
    model.opt_disableflags, model.opt_enableflags, model.opt_timestep = OFF, kept[1] & ~ENBL_SLEEP, step
    model.opt_integrator = INT_IMPLICITFAST if kept[3] in (INT_IMPLICIT, INT_IMPLICITFAST) else INT_EULER
    try:
        data = Data(model)
        for item in items:
            _pull_both_ways(build, model, data, item, opt)
    finally:
        model.opt_disableflags, model.opt_enableflags, model.opt_timestep, model.opt_integrator = kept


def _pull_both_ways(build: Build, model: Model, data: Data, item: Item, opt: Item) -> None:
    out = int(model.actuator_outadr[item.id])
    reached = [_pull(model, data, out, sense * opt.accel, opt) for sense in (-1.0, 1.0)]
    name = item.name or f"actuator {item.id}"
    hint = "Give it a lengthrange, limit what it acts on, or change the settings of compiler/lengthrange"
    if None in reached:
        build.problems.error(item.element, f"the length range of '{name}' cannot be found: the simulation is unstable", hint)
        return
    low, high = reached[0][0], reached[1][1]
    model.actuator_lengthrange[out] = low, high
    if not low < high:
        build.problems.error(item.element, f"the length range of '{name}' is empty: {low:g} to {high:g}", hint)
        return
    for word, (least, most) in zip(("short", "long"), reached):
        if most - least > opt.tolrange * (high - low):
            what = f"the length of '{name}' does not settle when it is pulled {word}: it stays between {least:g} and {most:g}"
            if _has_side_site(build, item):
                # written for another rule, under which it may well have settled: 2.x and 3.x models shall open
                build.problems.view(item.element, f"{what}, as side sites wrap since 4.0")
            else:
                build.problems.error(item.element, what, hint)
            return


def _has_side_site(build: Build, item: Item) -> bool:
    """Whether an actuator pulls a tendon whose way around a geom is chosen by a side site."""
    return item.trntype == TransmissionType.TENDON and any(
        getattr(step, "side", None) is not None for step in build.items["tendon"][item.trnid[0]].path)


def _pull(model: Model, data: Data, out: int, accel: float, opt: Item) -> tuple[float, float] | None:
    """Smallest and largest length in the last interval, None where the simulation fails."""
    data.reset()
    least, most = math.inf, -math.inf
    arguments = model, data, out, accel, opt.maxforce
    keep = math.exp(-model.opt_timestep / max(SHORTEST, opt.timeconst))
    length_range_run(*arguments, keep, opt.inttotal - opt.interval)
    while grow(data):
        length_range_step(*arguments, 1.0)
        if not (data.diverged or data.need_nefc or data.need_nJ or data.need_nH):
            length_range_run(*arguments, keep, opt.inttotal - opt.interval)
    while data.time < opt.inttotal and not data.diverged:
        length = length_range_step(*arguments, keep)
        while grow(data):
            length = length_range_step(*arguments, 1.0)
        least, most = min(least, length), max(most, length)
    if data.diverged:
        return None
    return (least, most) if least <= most else (0.0, 0.0)
