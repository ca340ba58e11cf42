"""Rules about time: a run that cannot keep up, and the stage that takes most of a step, with what in the model makes it expensive.

Where a step takes less than a fifth of its timestep nothing is said: the run has time to spare.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil
from types import MappingProxyType

import numpy as np

from physics.diagnostics.advice.evidence import Evidence
from physics.diagnostics.advice.finding import SLOW, Finding, count, duration, elements_of, listed, named, number, percent, sentence
from physics.diagnostics.advice.measurement import KindCost, Measurement
from physics.diagnostics.advice.shapes import is_hfield, is_mesh
from physics.enums import (
    CONE_PYRAMIDAL,
    DSBL_MULTICCD,
    ENBL_SLEEP,
    INT_IMPLICIT,
    INT_RK4,
    SENS_CONTACT,
    SENS_GEOMDIST,
    SENS_GEOMFROMTO,
    SENS_GEOMNORMAL,
    SENS_RANGEFINDER,
    SENS_TACTILE,
    SOL_NEWTON,
    GeomType,
    SensorType,
)
from physics.model.elements import Element
from physics.model.model import Model

SPARE = 0.2         # of the timestep: a step that takes less is no matter
MOST = 0.4          # of a step: a stage that takes more is told
MANY_FACES = 12
FEW = 0.1           # of the candidate pairs: fewer touch
MANY_PAIRS = 60
MANY_ENTRIES = 20_000
SOLVE_EACH = 8      # iterations from which their number matters
ROWS = 60           # constraint rows from which theirs does
EXPENSIVE_SENSORS = (SENS_RANGEFINDER, SENS_TACTILE, SENS_GEOMDIST, SENS_GEOMNORMAL, SENS_GEOMFROMTO, SENS_CONTACT)


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a stage is expensive: what is so, what to try, which elements."""

    text: str
    remedy: str
    elements: tuple[Element, ...] = ()


# ------------------------------------------------------------------ keeping up

def behind_real_time(e: Evidence) -> list[Finding]:
    """Steps that take longer than their timestep."""
    h = e.timestep
    costs = np.array([s.step_cost if s.step_cost > 0 else e.step_cost for s in e.samples])
    late = costs > h
    if not late.any():
        return []
    cost = float(np.median(costs[late]))
    text = f"A step takes {duration(cost)} and its timestep is {duration(h)}: the run reaches at most {percent(h / cost)} of real time."
    enough = ceil(11 * cost / _round(cost)) / 10 * _round(cost)
    remedy = f"A timestep of {duration(enough)} or more would keep up, if the model is stable with it; else make the steps cheaper (see which stage takes most)."
    if e.m.opt_integrator == INT_RK4:
        remedy = "implicitfast or Euler in place of RK4, whose steps cost four times as much. " + remedy
    return [Finding("real_time", (), float(late.mean()), float(e.times[late][-1]), text, remedy, cost / h, SLOW)]


def _round(x: float) -> float:
    return 10.0 ** np.floor(np.log10(x))


def stage_times(e: Evidence) -> list[tuple[float, Mapping[str, float]]]:
    """(time, {stage: seconds a step}): of the profiler where it is on, else as measured."""
    told = [(s.time, {name: 1e-6 * us for name, us in s.timers.items() if ":" not in name and name not in ("total", "every")}) for s in e.samples if s.timers]
    return told or [(x.time, x.stages) for x in e.measurements]


def slow_stage(e: Evidence) -> list[Finding]:
    """The stage that takes most of steps that leave the run no time to spare, and why."""
    rows = [(time, stages, sum(stages.values())) for time, stages in stage_times(e)]
    rows = [row for row in rows if row[2] > 0]
    if not rows or not e.measurements or e.step_cost < SPARE * e.timestep:
        return []
    first = [max(stages, key=stages.get) for _, stages, total in rows]
    shares = [stages[name] / total for name, (_, stages, total) in zip(first, rows, strict=True)]
    name = max(set(first), key=first.count)
    so = [f == name and share > MOST for f, share in zip(first, shares, strict=True)]
    if not any(so):
        return []
    newest = max(k for k, there in enumerate(so) if there)
    cause = CAUSES.get(name, _no_cause)(e.m, e.measurements[-1])
    time, stages, total = rows[newest]
    text = (f"Stage '{name}' takes {percent(shares[newest])} of a step (about {duration(shares[newest] * e.step_cost)} of {duration(e.step_cost)}; the timestep is "
            f"{duration(e.timestep)}). {cause.text}")
    return [Finding("slow_stage", cause.elements, sum(so) / len(so), time, text.rstrip(), cause.remedy, shares[newest], SLOW, part=name)]


def four_evaluations(e: Evidence) -> list[Finding]:
    """RK4 where its four evaluations leave no time to spare."""
    if e.m.opt_integrator != INT_RK4 or e.step_cost < 0.5 * e.timestep or not e.samples:
        return []
    text = f"RK4 computes all forces four times in a step: {duration(e.step_cost)} for a timestep of {duration(e.timestep)}."
    remedy = "implicitfast, or Euler, with a smaller timestep: with contacts RK4 is no more accurate, as their forces are not smooth."
    return [Finding("rk4", (), 1.0, float(e.times[-1]), text, remedy, e.step_cost / e.timestep, SLOW)]


# ------------------------------------------------------------------ causes

def _no_cause(_m: Model, _x: Measurement) -> Cause:
    return Cause("", "Look at the stage's row in the Profiler and at what of the model belongs to it.")


def _mesh_facts(m: Model, g: int, faces: int) -> str:
    """What makes a mesh expensive to collide: its hull's vertices, the faces that come together at the contact."""
    mesh = int(m.geom_dataid[g])
    adr = int(m.mesh_graphadr[mesh])
    vertices = int(m.mesh_graph[adr]) if adr >= 0 else int(m.mesh_vertnum[mesh])
    parts = [count(vertices, "vertex") + " in its hull"]
    if faces >= MANY_FACES:
        parts.append(f"{faces} candidate faces at the contact")
    return f"mesh of {named(m, 'geom', g)}: {', '.join(parts)}"


def _hfield_facts(m: Model, field: int, g: int) -> str:
    """How much of a height field a geom covers."""
    h = int(m.geom_dataid[field])
    ncol, nrow = int(m.hfield_ncol[h]), int(m.hfield_nrow[h])
    cell = 2 * m.hfield_size[h, :2] / np.maximum(1, [ncol - 1, nrow - 1])
    across = np.minimum([ncol - 1, nrow - 1], np.ceil(2 * m.geom_rbound[g] / cell) + 1)
    return f"{named(m, 'geom', g)} lies over up to {count(int(2 * across.prod()), 'prism')} of the height field"


def _pair_cause(m: Model, kind: KindCost) -> Cause:
    """Why pairs of a kind take long, told of the slowest."""
    slowest = kind.slowest
    names = " on ".join(GeomType(t).name.lower() for t in kind.types[::-1])
    each = kind.seconds / kind.count
    text = f"Most of it: {count(kind.count, 'candidate pair')} {names}, about {duration(each)} each"
    text += f", the slowest {named(m, 'geom', slowest.geom2)} on {named(m, 'geom', slowest.geom1)} with {duration(slowest.seconds)}"
    facts, remedies = [], []
    for g in (slowest.geom1, slowest.geom2):
        if is_mesh(m, g):
            facts.append(_mesh_facts(m, g, slowest.faces))
    if is_hfield(m, slowest.geom1):
        facts.append(_hfield_facts(m, slowest.geom1, slowest.geom2))
        remedies.append("a coarser height field, or smaller geoms on it")
    if is_mesh(m, slowest.geom1) or is_mesh(m, slowest.geom2):
        remedies.append("primitive geoms (capsules, boxes) in place of meshes for collision, or meshes with fewer vertices (maxhullvert)")
        remedies.append("contype and conaffinity 0 for geoms that are only looked at")
    if slowest.points > 1 and slowest.faces >= MANY_FACES and not m.opt_disableflags & DSBL_MULTICCD:
        remedies.append("multiccd off where one contact of a pair is enough")
    text += f" ({'; '.join(facts)})." if facts else "."
    if not remedies:
        remedies.append("fewer geoms in reach of each other, or spheres and capsules in place of them")
    return Cause(text, f"{_joined(remedies)}.", elements_of(m, "geom", (slowest.geom1, slowest.geom2)))


def _collision(m: Model, x: Measurement) -> Cause:
    """Collision: one kind of pair, or many pairs that never touch."""
    narrow = sum(kind.seconds for kind in x.kinds)
    stage = x.stages.get("collision", 0.0)
    cause = _pair_cause(m, x.kinds[0]) if x.kinds and x.kinds[0].seconds > 0.4 * narrow and x.kinds[0].seconds > 0.3 * stage else None
    if x.ncand >= MANY_PAIRS and x.touching < FEW * x.ncand:
        text = f"{count(x.ncand, 'candidate pair')} of geoms are looked at, of which {x.touching} touch"
        elements: tuple[Element, ...] = ()
        if x.idle_bodies and x.idle_bodies[0][2] >= 0.1 * x.ncand:
            a, b, n = x.idle_bodies[0]
            text += f"; {n} of them are between {named(m, 'body', a)} and {named(m, 'body', b)}, which do not touch"
            elements = elements_of(m, "body", (a, b))
        remedy = "contype and conaffinity, or <exclude>, for pairs that never have to touch"
        if cause is None:
            return Cause(f"{text}.", f"{_joined([remedy])}.", elements)
        return Cause(f"{cause.text} {text}.", f"{cause.remedy} {_joined([remedy])}.", (*cause.elements, *elements))
    return cause or Cause(f"{count(x.ncand, 'candidate pair')} of geoms, {x.touching} touch.", "Fewer geoms that collide: contype and conaffinity, or <exclude>.")


def _rows_facts(m: Model, x: Measurement) -> tuple[str, list[str]]:
    """What the constraint rows are, and how there would be fewer."""
    remedies = []
    text = f"{count(x.nefc, 'constraint row')} with {count(x.nJ, 'entry')} of the Jacobian, {count(m.nv, 'dof')}"
    wide = (m.geom_condim >= 4) & (m.geom_contype != 0)
    if wide.any():
        rows = 2 * (int(m.geom_condim.max()) - 1) if m.opt_cone == CONE_PYRAMIDAL else int(m.geom_condim.max())
        text += f"; contacts of condim {int(m.geom_condim.max())} have {rows} rows each"
        remedies.append("condim 3 where torsional and rolling friction do not matter")
    if m.opt_cone == CONE_PYRAMIDAL and x.nefc >= ROWS:
        remedies.append("elliptic cones (3 rows a contact of condim 3, not 4)")
    return text, remedies


def _solve(m: Model, x: Measurement) -> Cause:
    """The solver: many rows, many iterations, a large factor, noslip."""
    text, remedies = _rows_facts(m, x)
    text += f"; {count(x.iterations, 'iteration')}"
    if m.opt_solver == SOL_NEWTON and x.nnz >= MANY_ENTRIES:
        text += f", {count(x.nnz, 'entry')} in Newton's factor"
        remedies.append("the CG solver, which needs no factor, or fewer dofs in one island")
    if m.opt_noslip_iterations > 0:
        remedies.append(f"noslip_iterations 0 (now {int(m.opt_noslip_iterations)}): it solves a second problem with the dense matrix of the rows")
    if x.iterations >= SOLVE_EACH:
        remedies.append("Newton in place of the present solver" if m.opt_solver != SOL_NEWTON else "a tolerance that is no smaller than needed")
    if not m.opt_enableflags & ENBL_SLEEP and m.ntree >= 10:
        remedies.append(f"the flag sleep, as many of the {m.ntree} trees may be at rest")
    if not remedies:
        remedies.append("fewer contacts (simpler geoms, contype and conaffinity) or fewer constraints")
    return Cause(f"{text}.", f"{_joined(remedies[:3])}.")


def _efc_rows(m: Model, x: Measurement) -> Cause:
    """Making constraint rows."""
    text, remedies = _rows_facts(m, x)
    return Cause(f"{text}.", f"{_joined([*remedies, 'fewer contacts'])}.")


def _sensors(m: Model, _x: Measurement) -> Cause:
    """Sensors: those that cast rays, or compare geoms and contacts."""
    kinds, counts = np.unique(m.sensor_type, return_counts=True)
    found = sorted(((int(k), int(n)) for k, n in zip(kinds, counts, strict=True)), key=lambda row: (row[0] not in EXPENSIVE_SENSORS, -row[1]))
    text = f"{count(m.nsensor, 'sensor')}: {listed([f'{n} {SensorType(k).name.lower()}' for k, n in found])}."
    expensive = np.flatnonzero(np.isin(m.sensor_type, EXPENSIVE_SENSORS))
    numbers = int(m.sensor_dim[expensive].sum()) if len(expensive) else 0
    if len(expensive):
        text = text.rstrip(".") + f"; those that cast rays or compare geoms give {count(numbers, 'number')}."
    remedy = "Fewer rays, taxels or geoms that they look at, or an interval at which they are read."
    return Cause(text, remedy, elements_of(m, "sensor", expensive[:10]))


def _inertia(m: Model, _x: Measurement) -> Cause:
    """The mass matrix and its factor: dofs in long chains."""
    most = int(m.tree_dofnum.max(initial=0))
    text = f"{count(m.nv, 'dof')}, up to {most} in one tree; the mass matrix has {count(m.nC, 'entry')}."
    return Cause(text, "Fewer joints in one chain, or bodies without joints between them fused (fusestatic).")


def _integrate(m: Model, _x: Measurement) -> Cause:
    """The integrator's own work."""
    if m.opt_integrator == INT_IMPLICIT:
        return Cause("The integrator 'implicit' factors a full, unsymmetric matrix, with the derivatives of Coriolis forces.", "implicitfast, which leaves those derivatives away.")
    return Cause("", "Euler or implicitfast, whichever is not chosen now.")


def _tendon(m: Model, _x: Measurement) -> Cause:
    """Tendon paths."""
    return Cause(f"{count(m.ntendon, 'tendon')} with {count(m.nwrap, 'item')} on their paths.", "Fewer wrapping geoms and sites on the paths.")


def _passive(m: Model, _x: Measurement) -> Cause:
    """Springs, dampers and the medium."""
    fluid = bool(m.opt_density or m.opt_viscosity)
    text = f"The medium (density {number(float(m.opt_density))}, viscosity {number(float(m.opt_viscosity))}) acts on {count(m.nbody - 1, 'body')}." if fluid else ""
    return Cause(text, "density and viscosity 0 where the medium does not matter." if fluid else _no_cause(m, _x).remedy)


def _joined(texts: list[str]) -> str:
    return sentence("; ".join(texts))


CAUSES: Mapping[str, Callable[[Model, Measurement], Cause]] = MappingProxyType(
    {"collision": _collision, "solve": _solve, "efc_rows": _efc_rows, "reference": _efc_rows, "sensors": _sensors, "inertia": _inertia, "factor": _inertia, "integrate": _integrate,
     "tendon": _tendon, "passive": _passive})
