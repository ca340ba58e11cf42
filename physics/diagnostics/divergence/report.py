"""The post-mortem of a divergence as a whole: what happened, who led, what is too stiff, the largest forces, curves of the guilty quantities, remedies.

    LastSteps --analyse--> DivergenceReport --tries--> (remedy, outcome) one after the other
"""
from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from physics.diagnostics.divergence import sources
from physics.diagnostics.divergence.culprit import UNKNOWN, Culprit, culprits
from physics.diagnostics.divergence.growth import Growth, growth_of, leading_dofs
from physics.diagnostics.divergence.ratios import Ratio, Stiff, mass_ratios, stiff_elements
from physics.diagnostics.divergence.remedies import Remedy, of_culprit, remedies
from physics.diagnostics.divergence.remedy_inputs import ControlSpan, control_span
from physics.diagnostics.divergence.sources import Source, units_of
from physics.diagnostics.divergence.stopping import Stopping, check
from physics.diagnostics.divergence.trial import Outcome, start_row, try_remedy, varying_inputs
from physics.errors import ViewOnlyError
from physics.model.data import Data
from physics.model.elements import Element, element
from physics.model.model import Model
from physics.model.model_copy import model_beside, put_live_values
from physics.recording.last_steps import LastSteps
from physics.simulate.step import forward

MOST_STIFF, MOST_RATIOS, MOST_FORCES = 8, 6, 6      # that a report holds
MOST_QUANTITIES = 5
CHECKED, CHECK_REMEDIES, CHECK_WALL = 4, 2, 0.5     # suspects that are checked, remedies that are tried for each, s of computing for one


@dataclass(frozen=True, slots=True)
class LargestForce:
    """source; force: the largest of its numbers over the window, in `unit` ('N', 'N m', 'N, N m' of what has both); growth: how many times that at the window's begin."""

    source: Source
    force: float
    growth: float
    unit: str


@dataclass(frozen=True, slots=True)
class DivergenceReport:
    """what: what happened, in a sentence; time, number: of the last good entry; onset: (number, time) of the entry from which it grew; rate: factor per step; dof: that led, as
    (number, joint, share), None where there is none; culprits: the likeliest first; stiffest, ratios, forces: lists, the worst first; quantities: texts of
    physics/quantities to plot; remedies; rewind: entries from the last good one to where remedies begin; varying: {field of inputs: its rows} that were not the same
    all the way from there; growth: the numbers behind it."""

    what: str
    time: float
    number: int
    onset: tuple[int, float]
    rate: float
    dof: tuple[int, Element, float] | None
    culprits: tuple[Culprit, ...]
    stiffest: tuple[Stiff, ...]
    ratios: tuple[Ratio, ...]
    forces: tuple[LargestForce, ...]
    quantities: tuple[str, ...]
    remedies: tuple[Remedy, ...]
    rewind: int
    varying: Mapping[str, tuple[int, ...]]
    growth: Growth

    @property
    def culprit(self) -> Culprit:
        """The likeliest."""
        return self.culprits[0]


class PostMortem:
    """Of recorded last steps. model: a copy of the Model with the values of then, for one thread. stopping: asked now and then whether to give up.
    Raises ViewOnlyError, ValueError, GivenUp."""

    def __init__(self, steps: LastSteps, stopping: Stopping = bool):
        self.steps, self._stopping = steps, stopping
        self.model = model_beside(steps.model)
        if steps.live:
            put_live_values(self.model, steps.live)
        self.report = self._analyse()

    def _analyse(self) -> DivergenceReport:
        m, steps = self.model, self.steps
        growth = growth_of(m, steps, self._stopping)
        stiff = self._stiff(growth)
        ratios = mass_ratios(m, _touching(m, growth))
        found = culprits(m, steps, growth, stiff, ratios)
        controls = control_span(steps, growth.onset)
        found = self._checked(found, growth, controls)
        check(self._stopping)
        last = len(steps) - 1
        onset = min(growth.onset, last)
        dof = next(iter(leading_dofs(growth.first, found[0].source)), None)
        return DivergenceReport(
            steps.found.text if steps.found is not None else f"The step at time {steps.refused.time:g} s could not be completed", float(steps.time[-1]), steps.number + last,
            (steps.number + onset, float(steps.time[onset])), growth.rate, (dof[0], element(m, "joint", int(m.dof_jntid[dof[0]])), dof[1]) if dof is not None else None,
            tuple(found), tuple(stiff[:MOST_STIFF]), tuple(ratios[:MOST_RATIOS]), tuple(largest_forces(m, growth)[:MOST_FORCES]), quantities_of(m, found[0], dof),
            tuple(remedies(m, found, controls)), last - start_row(growth), varying_inputs(steps, start_row(growth)), growth)

    def _stiff(self, growth: Growth) -> list[Stiff]:
        """What is stiff in the state in which it began, and constraint rows as they were worst in the window."""
        m, d = self.model, Data(self.model)
        self.steps.put(d, growth.first[0].row if growth.first else len(self.steps) - 1)
        try:
            with np.errstate(all="ignore"):
                forward(m, d)
                found = {one.source: one for one in stiff_elements(m, d, [source for source, _share in growth.leaders], self._stopping)}
        except (ViewOnlyError, ValueError):
            found = {}
        for source, one in growth.rows.items():
            if source not in found or one.load > found[source].load:
                found[source] = one
        return sorted(found.values(), key=lambda one: -one.load)

    def _checked(self, found: list[Culprit], growth: Growth, controls: ControlSpan) -> list[Culprit]:
        """The same, those first with whose own remedy the run survives: what does not help when it is taken away was not to blame."""
        if len(found) < 2 or found[0].kind == UNKNOWN:
            return found
        helped: list[bool] = []
        for culprit in found[:CHECKED]:
            outcomes = [try_remedy(self.model, self.steps, growth, remedy, self._stopping, CHECK_WALL) for remedy in of_culprit(self.model, culprit, controls)[:CHECK_REMEDIES]
                        if not self._stopping()]
            helped.append(any(outcome.survives for outcome in outcomes))
            if helped[-1]:
                break
        if not any(helped):
            return found
        first = helped.index(True)
        return [found[first], *found[:first], *found[first + 1:]]

    def tries(self, stopping: Stopping = bool, known: Container[Remedy] = ()) -> Iterator[tuple[Remedy, Outcome]]:
        """Each remedy with what becomes of it, one after the other; without those that are known. Ends where it is to be given up."""
        for remedy in self.report.remedies:
            if remedy in known:
                continue
            if stopping():
                return
            outcome = try_remedy(self.model, self.steps, self.report.growth, remedy, stopping)
            if stopping():
                return      # in the midst of it: nothing is known
            yield remedy, outcome


def analyse(steps: LastSteps) -> DivergenceReport:
    """The report alone. Raises as PostMortem."""
    return PostMortem(steps).report


def _touching(m: Model, growth: Growth) -> Iterator[tuple[int, int]]:
    """Pairs of bodies that touch in the window."""
    pairs = {source.bodies(m) for moment in growth.moments for source in moment.sources if source.kind == sources.CONTACT}
    yield from (pair for pair in sorted(pairs) if len(pair) == 2)


def largest_forces(m: Model, growth: Growth) -> list[LargestForce]:
    """By source, the largest over the window first."""
    first = growth.moments[0].sources if growth.moments else {}
    most: dict[Source, float] = {}
    for moment in growth.moments:
        for source, one in moment.sources.items():
            if np.isfinite(one.force):
                most[source] = max(most.get(source, 0.0), one.force)
    found = [LargestForce(source, force, force / first[source].force if source in first and first[source].force > 0 else float("inf"), units_of(m, source)[0])
             for source, force in most.items()]
    return sorted(found, key=lambda one: -one.force)


def quantities_of(m: Model, culprit: Culprit, dof: tuple[int, float] | None) -> tuple[str, ...]:
    """Texts to plot: acceleration, velocity and position of the leading dof, the force of the culprit."""
    found = []
    if dof is not None:
        found += [f"qacc[{dof[0]}]", f"qvel[{dof[0]}]"]
    source = culprit.source
    if source is not None:
        found += {
            sources.ACTUATOR: lambda: [f"actuator_force[{int(m.actuator_outadr[source.id])}]", *([f"ctrl[{int(m.actuator_ctrladr[source.id])}]"] if m.actuator_ctrlnum[source.id] else [])],
            sources.ACTIVATION: lambda: [f"act[{int(m.actuator_actadr[source.id])}]"],
            sources.CONTACT: lambda: _contact_texts(m, source),
            sources.EQUALITY: lambda: ["norm(qfrc_constraint)"], sources.LIMIT: lambda: [f"qfrc_constraint[{int(m.jnt_dofadr[source.id])}]"],
            sources.TENDON_LIMIT: lambda: [f"ten_length[{source.id}]"],
            sources.SPRING: lambda: [f"qfrc_spring[{int(m.jnt_dofadr[source.id])}]"], sources.DAMPER: lambda: [f"qfrc_damper[{int(m.jnt_dofadr[source.id])}]"],
            sources.TENDON_SPRING: lambda: [f"ten_tension[{source.id}]"], sources.TENDON_DAMPER: lambda: [f"ten_velocity[{source.id}]", f"ten_tension[{source.id}]"],
            sources.MEDIUM: lambda: ["norm(qfrc_fluid)"], sources.GYROSCOPIC: lambda: ["norm(qfrc_bias)"],
            sources.APPLIED: lambda: [f"qfrc_applied[{int(m.jnt_dofadr[source.id])}]"], sources.BODY_APPLIED: lambda: [f"norm(xfrc_applied[{source.id}])"],
        }.get(source.kind, list)()
    if dof is not None:
        found.append(f"qpos[{position_of(m, dof[0])}]")
    return tuple(dict.fromkeys(found))[:MOST_QUANTITIES]


def _contact_texts(m: Model, source: Source) -> list[str]:
    names = [m.name("geom", geom) for geom in source.id]
    if all(names):
        return [f'norm(contact(geom("{names[0]}"), geom("{names[1]}")).force)', f'contact(geom("{names[0]}"), geom("{names[1]}")).dist']
    return ["max(contact_dist)", "norm(qfrc_constraint)"]


def position_of(m: Model, dof: int) -> int:
    """A coordinate that belongs to a dof; of a rotation one of its quaternion."""
    joint = int(m.dof_jntid[dof])
    offset = dof - int(m.jnt_dofadr[joint])
    return int(m.jnt_qposadr[joint]) + offset

