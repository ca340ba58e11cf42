"""What may help against a divergence, in the order in which it is worth trying: first what acts on the culprit, then what acts on the whole model.

Each is a few values; how large they are follows from how far the culprit is beyond its limit (ratios.py), so that it ends at a quarter of it.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from types import MappingProxyType

import numpy as np

from physics import enums
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.changes import Change, InputChange
from physics.diagnostics.divergence.culprit import CONTROL, INPUT, TIMESTEP, Culprit
from physics.diagnostics.divergence.dof_remedies import more_at_dofs
from physics.diagnostics.divergence.ratios import Stiff, dof_number, integrator_word
from physics.diagnostics.divergence.remedy import Remedy, rounded
from physics.diagnostics.divergence.remedy_inputs import ControlSpan, held_controls
from physics.diagnostics.divergence.sources import Source
from physics.model.elements import element
from physics.model.model import Model

AIM = 0.25              # load that a remedy aims at
SOFT = 4.0              # time steps that a constraint's time constant gets, at least
SOFTER = 2.0            # times as slow as a constraint was, at least
SHORTER = (2, 4, 10)    # parts of the time step
ITERATIONS, LS_ITERATIONS = 200, 100
INTEGRATORS = (enums.Integrator.IMPLICITFAST, enums.Integrator.IMPLICIT, enums.Integrator.RK4, enums.Integrator.DISCRETE)
MUSCLE_FORCE, MUSCLE_SCALE = 2, 3       # in gainprm and biasprm


def remedies(m: Model, culprits: list[Culprit], controls: ControlSpan | None = None) -> list[Remedy]:
    """For these culprits, of which the first is the likeliest. controls: as they were recorded; without them none is held."""
    found: list[Remedy] = [Remedy("rewind, nothing changed", why="The run does the same again unless its inputs were to blame.")]
    for culprit in culprits[:3]:
        found += of_culprit(m, culprit, controls)
    found += of_whole(m)
    unique: dict[tuple, Remedy] = {}
    for remedy in found:
        unique.setdefault((remedy.changes, remedy.inputs), remedy)
    return list(unique.values())


def of_culprit(m: Model, culprit: Culprit, controls: ControlSpan | None = None) -> list[Remedy]:
    """Those that act on a culprit."""
    source = culprit.source
    if culprit.kind == TIMESTEP:
        return list(shorter(m))[::-1]
    if source is None:
        return []
    found = list(MAKERS.get(source.kind, nothing)(m, source, culprit.stiff))
    if source.kind == sources.ACTUATOR and controls is not None:
        what, blamed = element(m, "actuator", source.id), culprit.kind in (CONTROL, INPUT)
        held = [Remedy(f"{what}: {words}", inputs=(change,)) for words, change in held_controls(m, source.id, controls, blamed)]
        found = [*held, *found] if blamed else [*found, *held]
    return found + list(more_at_dofs(m, source, culprit.stiff, AIM))


def of_whole(m: Model) -> Iterator[Remedy]:
    """Those that act on the whole model."""
    yield from shorter(m)
    for integrator in INTEGRATORS:
        if integrator != m.opt_integrator:
            yield Remedy(f"integrator {integrator_word(integrator)}", (Change("opt_integrator", int(integrator)),))
    if m.opt_disableflags & enums.DSBL_REFSAFE:
        yield Remedy("refsafe on", (Change("opt_disableflags", False, int(enums.DisableBit.REFSAFE)),), why="Time constants of constraints are kept above two time steps.")
    if m.opt_disableflags & enums.DSBL_EULERDAMP:
        yield Remedy("eulerdamp on", (Change("opt_disableflags", False, int(enums.DisableBit.EULERDAMP)),), why="Joint damping is taken at the end of the step.")
    if m.opt_disableflags & enums.DSBL_CLAMPCTRL:
        yield Remedy("clampctrl on", (Change("opt_disableflags", False, int(enums.DisableBit.CLAMPCTRL)),), why="Controls are kept within their ranges.")
    if m.opt_iterations < ITERATIONS:
        yield Remedy(f"solver iterations {ITERATIONS}", (Change("opt_iterations", ITERATIONS), Change("opt_ls_iterations", max(LS_ITERATIONS, int(m.opt_ls_iterations)))))


def shorter(m: Model) -> Iterator[Remedy]:
    """Parts of the time step."""
    yield from (Remedy(f"time step {rounded(m.opt_timestep / part):g} s", (Change("opt_timestep", rounded(m.opt_timestep / part)),)) for part in SHORTER)


def _less(stiff: Stiff | None) -> float:
    """What to multiply stiffness and damping by."""
    return min(0.5, AIM / stiff.load) if stiff is not None and stiff.load > 0 else 0.1


# ------------------------------------------------------------------ by kind of source

def nothing(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """For what nothing of its own helps."""
    yield from ()


def of_actuator(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Lower gain and bias together; where it drives the motion, the bias with the other sign."""
    i, what = source.id, element(m, "actuator", source.id)
    gain, bias = np.array(m.actuator_gainprm[i]), np.array(m.actuator_biasprm[i])
    if stiff is not None and stiff.drives and m.actuator_biastype[i] == enums.BIAS_AFFINE:
        turned = bias.copy()
        turned[1:3] = -np.abs(turned[1:3])
        yield Remedy(f"{what}: bias with the other sign", (Change("actuator_biasprm", tuple(turned), i, f'biasprm="{_numbers(turned[:3])}"', what),))
    elif stiff is not None and (stiff.stiffness or stiff.damping):
        factor = _less(stiff)
        if m.actuator_gaintype[i] == enums.GAIN_MUSCLE:
            for prm in (gain, bias):
                prm[MUSCLE_FORCE if prm[MUSCLE_FORCE] > 0 else MUSCLE_SCALE] *= factor
        else:
            gain, bias = gain * factor, bias * factor
        changes = [Change("actuator_gainprm", tuple(gain), i, f'gainprm="{_numbers(gain[:3])}"', what)]
        if m.actuator_biastype[i] != enums.BIAS_NONE:
            changes.append(Change("actuator_biasprm", tuple(bias), i, f'biasprm="{_numbers(bias[:3])}"', what))
        yield Remedy(f"{what}: gain and bias times {rounded(factor):g}", tuple(changes))


def of_spring(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer joint spring, with the other sign where it drives."""
    j, what = source.id, element(m, "joint", source.id)
    yield from _scaled(m, "jnt_stiffness", (j,), "stiffness", what, stiff)


def of_damper(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Less joint damping."""
    yield from _scaled(m, "dof_damping", dofs_of(m, source.id), "damping", element(m, "joint", source.id), stiff)


def of_tendon(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer or less damped tendon."""
    what = element(m, "tendon", source.id)
    for field, attribute in (("tendon_stiffness", "stiffness"), ("tendon_damping", "damping")):
        if getattr(m, field)[source.id]:
            yield from _scaled(m, field, (source.id,), attribute, what, stiff)


def _scaled(m: Model, field: str, rows: Sequence[int], attribute: str, what, stiff: Stiff | None) -> Iterator[Remedy]:
    """Less of an element's attribute, which all its rows have; the other sign where it is negative."""
    before = float(getattr(m, field)[rows[0]])
    after = abs(before) if before < 0 else rounded(before * _less(stiff))
    if before and after != before:
        yield Remedy(f"{what}: {attribute} {after:g} in place of {before:g}", _of_rows(field, after, rows, f'{attribute}="{after:g}"', what))


def _of_rows(field: str, value, rows: Sequence[int], text: str, what) -> tuple[Change, ...]:
    """The same value in several rows, which is one attribute of the text."""
    return tuple(Change(field, value, row, text if k == 0 else "", what) for k, row in enumerate(rows))


def dofs_of(m: Model, joint: int) -> tuple[int, ...]:
    """Numbers of a joint's degrees of freedom."""
    return tuple(range(int(m.jnt_dofadr[joint]), int(m.jnt_dofadr[joint]) + dof_number(m, joint)))


def of_equality(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer equality constraint."""
    yield from _softer(m, "eq_solref", (source.id,), "solref", element(m, "equality", source.id), "")


def of_limit(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer limit."""
    kind, field = ("joint", "jnt_solref") if source.kind == sources.LIMIT else ("tendon", "tendon_solref_lim")
    yield from _softer(m, field, (source.id,), "solreflimit", element(m, kind, source.id), "limit of ")


def of_friction(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer row of dry friction."""
    tendon = source.kind == sources.TENDON_FRICTION
    field, rows = ("tendon_solref_fri", (source.id,)) if tendon else ("dof_solref", dofs_of(m, source.id))
    yield from _softer(m, field, rows, "solreffriction", element(m, "tendon" if tendon else "joint", source.id), "dry friction of ")


def _softer(m: Model, field: str, rows: Sequence[int], attribute: str, what, before: str) -> Iterator[Remedy]:
    soft = softer(m, getattr(m, field)[rows[0]])
    yield Remedy(f"{before}{what}: {attribute} {_numbers(soft)}", _of_rows(field, soft, rows, f'{attribute}="{_numbers(soft)}"', what))


def of_contact(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer contact: solref of both geoms, of a pair of the two, or of the override, which stands for all contacts where it is on."""
    if m.opt_enableflags & enums.ENBL_OVERRIDE:
        soft = softer(m, m.opt_o_solref)
        yield Remedy(f"all contacts: o_solref {_numbers(soft)}", (Change("opt_o_solref", soft, None, f'o_solref="{_numbers(soft)}"'),))
        return
    pair = next((k for k in range(m.npair) if {int(m.pair_geom1[k]), int(m.pair_geom2[k])} == set(source.id)), None)
    if pair is not None:
        yield from _softer(m, "pair_solref", (pair,), "solref", element(m, "pair", pair), "contact of ")
        return
    soft = max(softer(m, m.geom_solref[geom]) for geom in source.id)
    yield Remedy(f"contact of {' and '.join(map(str, source.elements(m)))}: solref {_numbers(soft)}",
                 tuple(Change("geom_solref", soft, geom, f'solref="{_numbers(soft)}"', element(m, "geom", geom)) for geom in source.id))


def of_medium(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Integrators that take drag at the end of the step come with the whole model; a thinner medium."""
    yield Remedy("integrator implicit", (Change("opt_integrator", int(enums.Integrator.IMPLICIT)),))
    factor = _less(stiff)
    changes = tuple(Change(f"opt_{name}", rounded(getattr(m, f"opt_{name}") * factor)) for name in ("density", "viscosity") if getattr(m, f"opt_{name}") > 0)
    yield Remedy("medium: " + ", ".join(f"{change.field.removeprefix('opt_')} {change.value:g}" for change in changes), changes)


def of_applied(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Without the force."""
    if source.kind == sources.BODY_APPLIED:
        yield Remedy(f"no force applied to {element(m, 'body', source.id)}", inputs=(InputChange("xfrc_applied", source.id),))
        return
    yield Remedy(f"no force applied to {element(m, 'joint', source.id)}", inputs=tuple(InputChange("qfrc_applied", dof) for dof in dofs_of(m, source.id)))


def of_rotation(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Methods that follow fast rotations."""
    yield Remedy("integrator implicit", (Change("opt_integrator", int(enums.Integrator.IMPLICIT)),), why="It takes Coriolis and centripetal forces at the end of the step.")
    yield Remedy("integrator RK4", (Change("opt_integrator", int(enums.Integrator.RK4)),))


def of_activation(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A slower filter; one that is advanced exactly only the text can say."""
    what, prm = element(m, "actuator", source.id), np.array(m.actuator_dynprm[source.id])
    prm[0] = rounded(4 * m.opt_timestep)
    yield Remedy(f"{what}: time constant {prm[0]:g} s", (Change("actuator_dynprm", tuple(prm), source.id, f'dynprm="{prm[0]:g}"', what),),
                 why='In the text dyntype="filterexact" is another way: it is advanced exactly, whatever the time step.')


def of_weight(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Ordinary gravity."""
    if np.linalg.norm(m.opt_gravity) > 100:
        yield Remedy("gravity 0 0 -9.81", (Change("opt_gravity", (0.0, 0.0, -9.81)),))


MAKERS: Mapping[str, Callable[[Model, Source, Stiff | None], Iterator[Remedy]]] = MappingProxyType({
    sources.ACTUATOR: of_actuator, sources.SPRING: of_spring, sources.DAMPER: of_damper, sources.TENDON_SPRING: of_tendon, sources.TENDON_DAMPER: of_tendon,
    sources.EQUALITY: of_equality, sources.LIMIT: of_limit, sources.TENDON_LIMIT: of_limit, sources.FRICTION: of_friction, sources.TENDON_FRICTION: of_friction,
    sources.CONTACT: of_contact, sources.MEDIUM: of_medium, sources.APPLIED: of_applied, sources.BODY_APPLIED: of_applied, sources.GYROSCOPIC: of_rotation,
    sources.ACTIVATION: of_activation, sources.WEIGHT: of_weight,
})


def softer(m: Model, solref) -> tuple[float, float]:
    """A solref of time constant and critical damping that is softer than this one, of either form, and slow enough for the time step: stiffness and damping are those of a
    time constant SOFTER times as long, at least. Source: MuJoCo documentation, chapter Modeling, "Solver parameters": k = 1 / (timeconst dampratio)^2, b = 2 / timeconst, in
    direct form k = -solref[0], b = -solref[1], but for the width's impedance."""
    first, second = (float(x) for x in solref)
    if first > 0:
        slow = max(first, first * second)
    else:
        slow = max(1 / sqrt(-first) if first < 0 else 0.0, 2 / -second if second < 0 else 0.0)
    return rounded(max(0.02, SOFT * m.opt_timestep, SOFTER * slow)), 1.0


def _numbers(values) -> str:
    return " ".join(f"{float(x):.4g}" for x in values)
