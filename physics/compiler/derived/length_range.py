"""How short and how long actuators can get: pull them both ways by simulation, or take the limits of what they act on.

Joint and tendon limits and equality constraints hold the mechanism, nothing else acts. Muscles need the numbers.
Source: MuJoCo documentation, XML reference, compiler/lengthrange.
"""
from __future__ import annotations

from physics.compiler.build import Build
from physics.compiler.items import Item
from physics.compiler.settings import parts
from physics.enums import BiasType, GainType, TransmissionType
from physics.model.model import Model

MOST_STEPS = 4_000_000  # of all simulations together, so that a mistaken time cannot hang the program
_NAMES = ("accel", "interval", "inttotal", "maxforce", "mode", "timeconst", "timestep", "tolrange", "useexisting", "uselimit")


def options(build: Build) -> Item:
    """The settings of compiler/lengthrange; later elements win."""
    found = Item(accel=20.0, interval=2.0, inttotal=10.0, maxforce=0.0, mode="muscle", timeconst=1.0, timestep=0.01, tolrange=0.05, useexisting=True,
                 uselimit=False, element=None)
    for attrs in parts(build, "compiler", "lengthrange"):
        found.element = attrs.element
        for name in _NAMES:
            if attrs.given(name):
                setattr(found, name, attrs[name])
    return found


def compute(build: Build, model: Model) -> None:
    """Fill actuator_lengthrange of the actuators that need it. The model must be complete otherwise."""
    opt = options(build)
    wanted = find_wanted(build, opt)
    pulled = [item for item in wanted if not (opt.uselimit and _take_limit(build, model, item))]
    if not pulled:
        return
    if opt.interval < 0:
        build.problems.error(opt.element, "with a negative interval no length would be looked at", "Give the time at the end over which lengths shall settle", "interval")
        return
    step = opt.timestep if opt.timestep > 0 else model.opt_timestep
    steps = 2 * len(pulled) * opt.inttotal / step
    if not steps <= MOST_STEPS:
        build.problems.error(opt.element or pulled[0].element, f"finding the length ranges would take {steps:.3g} steps, at most {MOST_STEPS} are allowed",
                    "Give the actuators a lengthrange, or lower inttotal")
        return
    from physics.compiler.derived import length_simulation  # the engine takes long to import, and few models need it here

    length_simulation.run(build, model, pulled, opt, step)


def find_wanted(build: Build, opt: Item) -> list[Item]:
    """The actuators that need a length range. opt: the settings."""
    return [item for item in build.items["actuator"] if _counts(item, opt.mode) and not (opt.useexisting and item.lengthrange[0] < item.lengthrange[1])]


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
