"""What may help against a divergence, in the order in which it is worth trying: first what acts on the culprit, then what acts on the whole model.

Each is a few values; how large they are follows from how far the culprit is beyond its limit (ratios.py), so that it ends at a quarter of it.
"""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import floor, log10
from types import MappingProxyType

import numpy as np

from physics import enums
from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.changes import Change, InputChange
from physics.diagnostics.divergence.culprit import TIMESTEP, Culprit, moved_bodies
from physics.diagnostics.divergence.ratios import Stiff, integrator_word
from physics.diagnostics.divergence.sources import Source
from physics.model.elements import element
from physics.model.model import Model

AIM = 0.25              # load that a remedy aims at
SOFT = 4.0              # time steps that a constraint's time constant gets, at least
SHORTER = (2, 4, 10)    # parts of the time step
ITERATIONS, LS_ITERATIONS = 200, 100
INTEGRATORS = (enums.Integrator.IMPLICITFAST, enums.Integrator.IMPLICIT, enums.Integrator.RK4, enums.Integrator.DISCRETE)
MUSCLE_FORCE, MUSCLE_SCALE = 2, 3       # in gainprm and biasprm


@dataclass(frozen=True, slots=True)
class Remedy:
    """label: in words; changes: of the Model; inputs: of inputs; why: a sentence, '' where the label says all. Nothing of either: to go back and run on as before."""

    label: str
    changes: tuple[Change, ...] = ()
    inputs: tuple[InputChange, ...] = ()
    why: str = ""

    @property
    def live(self) -> bool:
        """Whether all of it can be done while the Model runs."""
        return all(change.live for change in (*self.changes, *self.inputs))

    @property
    def text(self) -> str:
        """What the text has to say, for what cannot be set while the Model runs: a line per change; '' where it is not the text that says it."""
        return "\n".join(f"{change.of}: {change.text}" if change.of is not None else change.text for change in self.changes if change.text)


def remedies(m: Model, culprits: list[Culprit]) -> list[Remedy]:
    """For these culprits, of which the first is the likeliest."""
    found: list[Remedy] = [Remedy("rewind, nothing changed", why="The run does the same again unless its inputs were to blame.")]
    for culprit in culprits[:3]:
        found += of_culprit(m, culprit)
    found += of_whole(m)
    unique: dict[tuple, Remedy] = {}
    for remedy in found:
        unique.setdefault((remedy.changes, remedy.inputs), remedy)
    return list(unique.values())


def of_culprit(m: Model, culprit: Culprit) -> list[Remedy]:
    """Those that act on a culprit."""
    source = culprit.source
    if culprit.kind == TIMESTEP:
        return list(shorter(m))[::-1]
    if source is None:
        return []
    found = list(MAKERS.get(source.kind, nothing)(m, source, culprit.stiff))
    if culprit.stiff is not None and culprit.stiff.inverse != 1.0 and source.kind not in (sources.MEDIUM,):
        found += dof_remedies(m, source, culprit.stiff)
    return found


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


def rounded(x: float, digits: int = 2) -> float:
    """To so many significant digits."""
    return round(x, digits - 1 - floor(log10(abs(x)))) if x and np.isfinite(x) else x


def _less(stiff: Stiff | None) -> float:
    """What to multiply stiffness and damping by."""
    return min(0.5, AIM / stiff.load) if stiff is not None and stiff.load > 0 else 0.1


# ------------------------------------------------------------------ by kind of source

def nothing(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """For what nothing of its own helps."""
    yield from ()


def of_actuator(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Lower gain and bias together; where it drives the motion, the bias with the other sign; a control that is held within bounds."""
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
    for row in range(int(m.actuator_ctrladr[i]), int(m.actuator_ctrladr[i]) + int(m.actuator_ctrlnum[i])):
        low, high = (abs(float(x)) for x in m.actuator_ctrlrange[row])
        most = max(low, high)
        yield Remedy(f"{what}: control at most {most:g}" if most else f"{what}: control 0", inputs=(InputChange("ctrl", row, most),))


def of_spring(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer joint spring, with the other sign where it drives."""
    j, what = source.id, element(m, "joint", source.id)
    yield from _scaled(m, "jnt_stiffness", j, "stiffness", what, stiff)


def of_damper(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Less joint damping."""
    what, first = element(m, "joint", source.id), int(m.jnt_dofadr[source.id])
    yield from _scaled(m, "dof_damping", first, "damping", what, stiff)


def of_tendon(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer or less damped tendon."""
    what = element(m, "tendon", source.id)
    for field, attribute in (("tendon_stiffness", "stiffness"), ("tendon_damping", "damping")):
        if getattr(m, field)[source.id]:
            yield from _scaled(m, field, source.id, attribute, what, stiff)


def _scaled(m: Model, field: str, row: int, attribute: str, what, stiff: Stiff | None) -> Iterator[Remedy]:
    before = float(getattr(m, field)[row])
    after = abs(before) if before < 0 else rounded(before * _less(stiff))
    if before and after != before:
        yield Remedy(f"{what}: {attribute} {after:g} in place of {before:g}", (Change(field, after, row, f'{attribute}="{after:g}"', what),))


def of_equality(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer equality constraint."""
    what = element(m, "equality", source.id)
    yield Remedy(f"{what}: solref {_numbers(_soft(m))}", (Change("eq_solref", _soft(m), source.id, f'solref="{_numbers(_soft(m))}"', what),))


def of_limit(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer limit."""
    kind, field, attribute = ("joint", "jnt_solref", "solreflimit") if source.kind == sources.LIMIT else ("tendon", "tendon_solref_lim", "solreflimit")
    what = element(m, kind, source.id)
    yield Remedy(f"limit of {what}: solref {_numbers(_soft(m))}", (Change(field, _soft(m), source.id, f'{attribute}="{_numbers(_soft(m))}"', what),))


def of_friction(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer row of dry friction."""
    tendon = source.kind == sources.TENDON_FRICTION
    what = element(m, "tendon" if tendon else "joint", source.id)
    field, row = ("tendon_solref_fri", source.id) if tendon else ("dof_solref", int(m.jnt_dofadr[source.id]))
    yield Remedy(f"dry friction of {what}: solref {_numbers(_soft(m))}", (Change(field, _soft(m), row, f'solreffriction="{_numbers(_soft(m))}"', what),))


def of_contact(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A softer contact: solref of both geoms, and of a pair of the two."""
    soft = _soft(m)
    changes = [Change("geom_solref", soft, geom, f'solref="{_numbers(soft)}"', element(m, "geom", geom)) for geom in source.id]
    for pair in range(m.npair):
        if {int(m.pair_geom1[pair]), int(m.pair_geom2[pair])} == set(source.id):
            changes = [Change("pair_solref", soft, pair, f'solref="{_numbers(soft)}"', element(m, "pair", pair))]
    yield Remedy(f"contact of {' and '.join(map(str, source.elements(m)))}: solref {_numbers(soft)}", tuple(changes))


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
    first = int(m.jnt_dofadr[source.id])
    end = int(m.jnt_dofadr[source.id + 1]) if source.id + 1 < m.njnt else m.nv
    yield Remedy(f"no force applied to {element(m, 'joint', source.id)}", inputs=tuple(InputChange("qfrc_applied", dof) for dof in range(first, end)))


def of_rotation(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """Methods that follow fast rotations."""
    yield Remedy("integrator implicit", (Change("opt_integrator", int(enums.Integrator.IMPLICIT)),), why="It takes Coriolis and centripetal forces at the end of the step.")
    yield Remedy("integrator RK4", (Change("opt_integrator", int(enums.Integrator.RK4)),))


def of_activation(m: Model, source: Source, stiff: Stiff | None) -> Iterator[Remedy]:
    """A slower filter, or one that is advanced exactly, which only the text can say."""
    what, prm = element(m, "actuator", source.id), np.array(m.actuator_dynprm[source.id])
    prm[0] = rounded(4 * m.opt_timestep)
    yield Remedy(f"{what}: time constant {prm[0]:g} s", (Change("actuator_dynprm", tuple(prm), source.id, 'dyntype="filterexact"', what),))


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


def dof_remedies(m: Model, source: Source, stiff: Stiff) -> Iterator[Remedy]:
    """More damping, which Euler and the implicit integrators take at the end of the step, or more armature at the joints that the source moves."""
    joints = [j for body in moved_bodies(m, source) for j in range(int(m.body_jntadr[body]), int(m.body_jntadr[body]) + int(m.body_jntnum[body])) if m.jnt_type[j] >= enums.JointType.SLIDE]
    if source.kind in (sources.SPRING, sources.DAMPER) and m.jnt_type[source.id] >= enums.JointType.SLIDE:
        joints = [source.id]
    elif source.kind == sources.ACTUATOR and m.actuator_trntype[source.id] == enums.TransmissionType.JOINT:
        joints = [j for j in joints if j == int(m.actuator_trnid[source.id, 0])]
    dofs, h = [int(m.jnt_dofadr[j]) for j in joints], m.opt_timestep
    if not dofs or stiff.load <= 0:
        return
    names = " and ".join(str(element(m, "joint", j)) for j in joints[:3])
    if stiff.stiffness > 0 and stiff.load > AIM:
        more = rounded((4 * stiff.load / AIM - 4) / (2 * h * stiff.inverse))
        yield Remedy(f"{names}: {more:g} more damping", tuple(
            Change("dof_damping", float(m.dof_damping[dof]) + more, dof, f'damping="{float(m.dof_damping[dof]) + more:g}"', element(m, "joint", j)) for dof, j in zip(dofs, joints, strict=True)))
    more = rounded((stiff.load / AIM - 1) / stiff.inverse)
    if more > 0:
        yield Remedy(f"{names}: {more:g} more armature", tuple(
            Change("dof_armature", float(m.dof_armature[dof]) + more, dof, f'armature="{float(m.dof_armature[dof]) + more:g}"', element(m, "joint", j)) for dof, j in zip(dofs, joints, strict=True)))


def _soft(m: Model) -> tuple[float, float]:
    return rounded(max(0.02, SOFT * m.opt_timestep)), 1.0


def _numbers(values) -> str:
    return " ".join(f"{float(x):.4g}" for x in values)
