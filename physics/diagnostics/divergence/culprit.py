"""What made a run diverge, in the order in which it is looked for:

    an input that is no number, or larger than a state may be
    of the sources that lead (growth.py) the one that is beyond its limit of stability (ratios.py): too stiff; where the body that it moves is tiny beside its neighbours, the
        body; where many elements are beyond theirs, the time step
    a source that pushes in the direction of motion: a gain with the wrong sign
    else the one that leads, by what it is: a control or force that is out of all proportion, an overlap at the start, the medium, fast rotation, a weight

Each kind has its own remedies (remedies.py).
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics import enums
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.growth import Growth
from physics.diagnostics.divergence.ratios import Ratio, Stiff, integrator_word
from physics.diagnostics.divergence.sources import Source
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.recording.last_steps import LastSteps

INPUT, GAIN, SIGN, STIFFNESS, DAMPING, CONSTRAINT, INERTIA, TIMESTEP = "input", "gain", "sign", "stiffness", "damping", "constraint", "inertia", "timestep"
FORCE, CONTROL, OVERLAP, MEDIUM, ROTATION, ACTIVATION, RUNAWAY, UNKNOWN = "force", "control", "overlap", "medium", "rotation", "activation", "runaway", "unknown"
IN_WORDS: Mapping[str, str] = MappingProxyType({
    INPUT: "an input that is no number",
    GAIN: "actuator gain too high for the time step",
    SIGN: "a force that drives the motion instead of holding it back: a gain, stiffness or damping with the wrong sign",
    STIFFNESS: "spring too stiff for the time step",
    DAMPING: "damping too high for the time step",
    CONSTRAINT: "constraint too stiff for the time step",
    INERTIA: "mass or inertia tiny beside its neighbours",
    TIMESTEP: "time step too long for the model",
    FORCE: "applied force out of proportion",
    CONTROL: "control out of proportion",
    OVERLAP: "deep overlap",
    MEDIUM: "drag of the medium too strong for the time step",
    ROTATION: "rotation too fast for the integrator",
    ACTIVATION: "activation faster than the time step",
    RUNAWAY: "nothing holds the motion back",
    UNKNOWN: "no single element stands out",
})
WEAK = frozenset({UNKNOWN, RUNAWAY})    # told where there is nothing else
STRONG, WEAKER = 0.5, 1e-3      # growth in a step by a wrong sign: certain whoever leads; of one that leads
MOST_BEYOND = 3         # elements beyond their limits that are told though they did not lead
BEYOND = 0.95           # load from which an element counts as beyond its limit
LED = 0.08              # share of the growth, from which a source counts among those that lead
TINY_RATIO = 1e3        # of masses or inertias, from which a body counts as tiny
NEAR = 0.2              # load from which an element counts as near its limit
MANY, SEVERAL = 0.5, 3  # share of the elements of a kind, and how many, from which they are many
ALIKE = 5.0             # times the usual stiffness or damping of its kind, up to which an element is like the others
OUTLIER = 30.0          # times the usual gain of its kind, from which a gain counts as wrong, not the body
TURN = 0.1              # rad or m in a step, from which a motion is fast for the integrator
JUMP = 100.0            # times what it was before, from which an input is out of proportion
DEEP = 0.2              # of the smaller geom's size, from which an overlap is deep
BIG = 1e10              # a number of the state that is larger is bad (physics.enums.MAXVAL)
KIND_OF: Mapping[str, str] = MappingProxyType({
    sources.ACTUATOR: GAIN, sources.SPRING: STIFFNESS, sources.TENDON_SPRING: STIFFNESS, sources.DAMPER: DAMPING, sources.TENDON_DAMPER: DAMPING, sources.MEDIUM: MEDIUM,
    sources.ACTIVATION: ACTIVATION, **dict.fromkeys((sources.EQUALITY, sources.LIMIT, sources.TENDON_LIMIT, sources.CONTACT, sources.FRICTION, sources.TENDON_FRICTION), CONSTRAINT),
    sources.APPLIED: FORCE, sources.BODY_APPLIED: FORCE, sources.GYROSCOPIC: ROTATION, sources.WEIGHT: RUNAWAY, sources.COMPENSATION: RUNAWAY,
})


@dataclass(frozen=True, slots=True)
class Culprit:
    """kind: a key of IN_WORDS; elements: what it is, the first to be named, () for the model as a whole; source: what exerts the force, None where none does; stiff: what is
    known of it against the time step; evidence: sentences."""

    kind: str
    elements: tuple[Element, ...] = ()
    source: Source | None = None
    stiff: Stiff | None = None
    evidence: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """In a line."""
        return f"{' and '.join(map(str, self.elements))}: {IN_WORDS[self.kind]}" if self.elements else IN_WORDS[self.kind].capitalize()


def culprits(m: Model, steps: LastSteps, growth: Growth, stiff: Sequence[Stiff], ratios: Sequence[Ratio]) -> list[Culprit]:
    """Who may have done it, the likeliest first; at least one."""
    by_source = {one.source: one for one in reversed(stiff)}
    shares = dict(growth.leaders)
    leading = [(source, share) for source, share in growth.leaders if share >= LED]
    beyond = [one for one in stiff if one.load >= BEYOND]
    led = sorted((one for one in beyond if shares.get(one.source, 0.0) >= LED), key=lambda one: -shares[one.source] * min(one.load, 3.0))
    found = bad_inputs(m, steps)
    found += [_wrong_sign(m, one, shares) for one in stiff if one.growth(m.opt_timestep) >= STRONG]
    worst = led[0] if led else beyond[0] if beyond else None
    if worst is not None and many_beyond(worst, stiff):
        found.append(_of_timestep(m, stiff))
    found += [_too_stiff(m, one, shares, stiff, ratios) for one in led]
    found += [_activation(m, one) for one in beyond if one.source.kind == sources.ACTIVATION]
    found += [_wrong_sign(m, by_source[source], shares) for source, _share in leading if source in by_source and by_source[source].growth(m.opt_timestep) >= WEAKER]
    others = [_by_what_it_is(m, steps, growth, source, share, by_source.get(source)) for source, share in leading if source not in {one.source for one in led}]
    found += [one for one in others if one.kind in (CONTROL, FORCE)]
    found += [_too_stiff(m, one, shares, stiff, ratios) for one in beyond[:MOST_BEYOND] if one not in led]
    found += [one for one in others if one.kind not in (CONTROL, FORCE)]
    causes = [one for one in found if one.kind not in WEAK and (one.kind != ROTATION or spins(m, steps, growth, one.source.id))]
    unique = {(one.kind == TIMESTEP, one.source): one for one in reversed(causes or found)}
    return list(reversed(unique.values())) or [Culprit(UNKNOWN)]


def spins(m: Model, steps: LastSteps, growth: Growth, body: int) -> bool:
    """Whether a body's joints already turned far in a step before the growth began: else its Coriolis forces follow from what else grew."""
    dofs = np.flatnonzero(np.asarray(m.dof_bodyid) == body)
    row = max(0, min(growth.onset, len(steps) - 1) - 1)
    return bool(len(dofs)) and float(np.abs(steps.columns("qvel")[row, dofs]).max()) * m.opt_timestep > TURN


# ------------------------------------------------------------------ inputs

def bad_inputs(m: Model, steps: LastSteps) -> list[Culprit]:
    """Inputs of the refused step that are no numbers or too large for a state. Not what has grown with the motion, as of a controller that reads the state."""
    found = []
    sound = good_state(steps.refused)
    for name, rows_of in (("xfrc_applied", "body"), ("qfrc_applied", "dof"), ("ctrl", "ctrl")):
        array = np.asarray(getattr(steps.refused, name))
        array = array.reshape(len(array), array.shape[1] if array.ndim > 1 else 1)
        with np.errstate(invalid="ignore"):
            bad = np.flatnonzero(~(np.abs(array) < BIG).all(axis=1))
        for row in bad[:3].tolist():
            what, source = _of_input(m, name, row)
            value = array[row][~(np.abs(array[row]) < BIG)][0]
            if not sound or np.isfinite(value) and value_before(steps, name, row) * JUMP > abs(value):
                continue
            found.append(Culprit(INPUT, (what,), source, None, (f"{name} of {what} was {value:g} when the step was refused.",)))
    return found


def good_state(state) -> bool:
    """Whether positions and velocities are numbers of ordinary size."""
    with np.errstate(invalid="ignore"):
        return bool((np.abs(state.qpos) < BIG).all() and (np.abs(state.qvel) < BIG).all())


def value_before(steps: LastSteps, name: str, row: int) -> float:
    """Size of an input in the step before the refused one."""
    fields = steps.inputs_of(len(steps) - 2) if len(steps) > 1 else {}
    array = np.asarray(fields.get(name, np.zeros(0))).reshape(-1)
    width = array.size // max(1, np.asarray(getattr(steps.refused, name)).shape[0])
    return float(np.abs(array[row * width:(row + 1) * width]).max(initial=0.0))


def _of_input(m: Model, name: str, row: int) -> tuple[Element, Source]:
    if name == "xfrc_applied":
        return element(m, "body", row), Source(sources.BODY_APPLIED, row)
    if name == "qfrc_applied":
        joint = int(m.dof_jntid[row])
        return element(m, "joint", joint), Source(sources.APPLIED, joint)
    actuator = actuator_of_ctrl(m, row)
    return element(m, "actuator", actuator), Source(sources.ACTUATOR, actuator)


def actuator_of_ctrl(m: Model, row: int) -> int:
    """The actuator that takes a control."""
    return int(np.searchsorted(m.actuator_ctrladr, row, side="right")) - 1


# ------------------------------------------------------------------ too stiff

def many_beyond(one: Stiff, stiff: Sequence[Stiff]) -> bool:
    """Whether so many elements are beyond their limits, or near them, that none of them is to blame: most of the worst one's kind are beyond, or most are near and the worst
    is no stiffer than others are."""
    if one.of_row:
        return False    # with refsafe none is beyond: it was made so
    alike = [other.load for other in stiff if other.source.kind == one.source.kind]
    near, over = sum(load >= NEAR for load in alike), sum(load >= BEYOND for load in alike)
    return near >= SEVERAL and (over >= max(SEVERAL, MANY * len(alike)) or near >= MANY * len(alike) and outlier(one, stiff) < ALIKE)


def _of_timestep(m: Model, stiff: Sequence[Stiff]) -> Culprit:
    over, near, worst = sum(one.load >= BEYOND for one in stiff), sum(one.load >= NEAR for one in stiff), stiff[0]
    return Culprit(TIMESTEP, (), worst.source, worst, (
        f"Of {len(stiff)} springs, dampers, servos and constraint rows {over} are beyond the limit of stability at a time step of {m.opt_timestep:g} s, {near} are near it.", _beyond(m, worst)))


def _too_stiff(m: Model, one: Stiff, shares: Mapping[Source, float], stiff: Sequence[Stiff], ratios: Sequence[Ratio]) -> Culprit:
    source = one.source
    evidence = [_led(m, source, shares.get(source, 0.0)), _beyond(m, one)]
    tiny = _tiny(m, source, one, ratios)
    if tiny is not None and source.kind != sources.MEDIUM and outlier(one, stiff) < OUTLIER:
        evidence.append(f"{tiny.element} has {tiny.less:.3g} {_unit(tiny)} beside {tiny.more:.3g} {_unit(tiny)} of {tiny.other}: 1 to {tiny.ratio:.3g}.")
        return Culprit(INERTIA, tuple(dict.fromkeys((tiny.element, *source.elements(m)))), source, one, tuple(evidence))
    return Culprit(KIND_OF[source.kind], source.elements(m), source, one, tuple(evidence))


def outlier(one: Stiff, stiff: Sequence[Stiff]) -> float:
    """How many times stiffer, or more damped, than usual for its kind in this model; 1 where there are no others to compare with."""
    others = [other for other in stiff if other.source.kind == one.source.kind and other.source != one.source]
    found = [1.0]
    for name in ("stiffness", "damping"):
        usual = [abs(getattr(other, name)) for other in others if getattr(other, name)]
        if usual and getattr(one, name):
            found.append(abs(getattr(one, name)) / float(np.median(usual)))
    return max(found)


def _tiny(m: Model, source: Source, one: Stiff, ratios: Sequence[Ratio]) -> Ratio | None:
    """The ratio of a body that the source moves and that is tiny beside a neighbour."""
    bodies = set(moved_bodies(m, source))
    return next((ratio for ratio in ratios if ratio.ratio >= TINY_RATIO and ratio.element.id in bodies), None)


def moved_bodies(m: Model, source: Source) -> tuple[int, ...]:
    """Numbers of the bodies that a source moves directly: of an actuator or tendon those of its joints, of an equality those it ties."""
    if source.kind in (sources.ACTUATOR, sources.ACTIVATION):
        kind, number = m.actuator_trntype[source.id], int(m.actuator_trnid[source.id, 0])
        if kind in (enums.TransmissionType.JOINT, enums.TransmissionType.JOINTINPARENT):
            return (int(m.jnt_bodyid[number]),)
        if kind == enums.TransmissionType.TENDON:
            return tendon_bodies(m, number)
        return (number,) if kind == enums.TransmissionType.BODY else (int(m.site_bodyid[number]),) if number >= 0 else ()
    if sources.ELEMENTS.get(source.kind) == "tendon":
        return tendon_bodies(m, source.id)
    if source.kind == sources.EQUALITY:
        return equality_bodies(m, source.id)
    return source.bodies(m)


def tendon_bodies(m: Model, tendon: int) -> tuple[int, ...]:
    """Bodies of the dofs that a tendon moves."""
    start = int(m.ten_J_rowadr[tendon])
    return tuple(sorted({int(m.dof_bodyid[k]) for k in m.ten_J_colind[start:start + int(m.ten_J_rownnz[tendon])]}))


def equality_bodies(m: Model, number: int) -> tuple[int, ...]:
    """Bodies that an equality constraint ties."""
    found, kind = [], int(m.eq_objtype[number])
    for thing in (int(m.eq_obj1id[number]), int(m.eq_obj2id[number])):
        if thing < 0:
            continue
        if kind == enums.ObjType.JOINT:
            found.append(int(m.jnt_bodyid[thing]))
        elif kind == enums.ObjType.SITE:
            found.append(int(m.site_bodyid[thing]))
        elif kind == enums.ObjType.TENDON:
            found += tendon_bodies(m, thing)
        elif kind == enums.ObjType.BODY:
            found.append(thing)
    return tuple(found)


def _activation(m: Model, one: Stiff) -> Culprit:
    tau = 1 / one.damping
    return Culprit(ACTIVATION, one.source.elements(m), one.source, one, (
        f"The time constant of {one.source.elements(m)[0]} is {tau:.3g} s: with a filter that is advanced explicitly it has to be more than half the time step, {m.opt_timestep / 2:g} s.",))


# ------------------------------------------------------------------ by what it is

def _wrong_sign(m: Model, one: Stiff, shares: Mapping[Source, float]) -> Culprit:
    return Culprit(SIGN, one.source.elements(m), one.source, one, (_led(m, one.source, shares.get(one.source, 0.0)), _sign(one)))


def _by_what_it_is(m: Model, steps: LastSteps, growth: Growth, source: Source, share: float, one: Stiff | None) -> Culprit:
    kind, evidence = KIND_OF[source.kind], [_led(m, source, share)]
    if one is not None and one.load > 0:
        evidence.append(_beyond(m, one))
    if source.kind == sources.ACTUATOR:
        said = _control(m, steps, growth, source.id)
        kind, evidence = (CONTROL, [*evidence, said]) if said else (RUNAWAY if one is None else GAIN, evidence)
    elif source.kind == sources.CONTACT:
        said = _overlap(m, growth, source)
        kind, evidence = (OVERLAP, [*evidence, said]) if said else (kind, evidence)
    elif source.kind in (sources.SPRING, sources.DAMPER, sources.TENDON_SPRING, sources.TENDON_DAMPER, sources.MEDIUM, sources.EQUALITY, sources.LIMIT) and (one is None or one.load < 0.5):
        kind = UNKNOWN
    return Culprit(kind, source.elements(m), source, one, tuple(evidence))


def _control(m: Model, steps: LastSteps, growth: Growth, actuator: int) -> str:
    """Why the control of an actuator is out of proportion; '' where it is not."""
    first, count = int(m.actuator_ctrladr[actuator]), int(m.actuator_ctrlnum[actuator])
    for row in range(first, first + count):
        begin = growth.first[0].row if growth.first else len(steps) - 1
        past = np.abs(steps.columns("ctrl")[:max(1, begin), row])
        now = max(abs(float(steps.refused.ctrl[row])), float(np.abs(steps.columns("ctrl")[begin:, row]).max(initial=0.0)))
        low, high = (float(x) for x in m.actuator_ctrlrange[row])
        usual = float(np.median(past)) if len(past) else 0.0
        if high > low and now > 2 * max(abs(low), abs(high)):
            return f"Its control is {now:.3g}; its range is {low:g} to {high:g}, and it is not clamped."
        if now > JUMP * max(usual, 1.0) or usual > 0 and now > JUMP * usual:
            return f"Its control is {now:.3g}; before it was {usual:.3g}."
    return ""


def _overlap(m: Model, growth: Growth, source: Source) -> str:
    depth = max((moment.sources[source].depth for moment in growth.first if source in moment.sources), default=0.0)
    sizes = [size for geom in source.id if (size := _size(m, geom)) > 0]
    if not sizes or depth < DEEP * min(sizes):
        return ""
    return f"The two overlap by {depth:.3g} m when it begins; the smaller one has a size of {min(sizes):.3g} m."


def _size(m: Model, geom: int) -> float:
    """The smallest size of a geom [m]; 0 for a plane, which has none."""
    size = np.asarray(m.geom_size[geom])
    return float(size[size > 0].min(initial=float(m.geom_rbound[geom]))) if m.geom_type[geom] != enums.GeomType.PLANE else 0.0


# ------------------------------------------------------------------ sentences

def _led(m: Model, source: Source, share: float) -> str:
    return f"{source_text(m, source)} has {100 * share:.0f} % of what drives the growth." if share > 0 else f"{source_text(m, source)} drives no part of the growth."


def source_text(m: Model, source: Source) -> str:
    """A source in words: 'joint spring of joint knee', 'contact of geom foot and geom floor'."""
    of = " and ".join(map(str, source.elements(m)))
    return of[0].upper() + of[1:] if source.kind in ("actuator", "equality") else f"{source.kind.capitalize()}: {of}"


def _beyond(m: Model, one: Stiff) -> str:
    parts = []
    if one.stiffness:
        parts.append(f"stiffness {one.stiffness:.3g}")
    if one.damping:
        parts.append(f"damping {one.damping:.3g}")
    inertia = f" on an inertia of {1 / one.inverse:.3g}{_inertia_unit(m, one)}" if one.inverse else ""
    return (f"{source_text(m, one.source)}: {' and '.join(parts)}{inertia} is {one.load:.3g} times what {integrator_word(m.opt_integrator)} can take "
            f"with a time step of {m.opt_timestep:g} s.")


def _sign(one: Stiff) -> str:
    what = "damping" if one.damping < 0 else "stiffness"
    return f"Its {what} is {min(one.damping, one.stiffness):.3g}: it pushes in the direction of the motion, so that any motion grows, whatever the time step."


def _inertia_unit(m: Model, one: Stiff) -> str:
    """With a space before it; '' where the coordinate is of no one kind."""
    return {"m": " kg", "rad": " kg m2"}.get(sources.units_of(m, one.source)[1], "")


def _unit(ratio: Ratio) -> str:
    return "kg" if ratio.what == "mass" else "kg m2"
