"""The rules in one table. They look at a run; rules that look at a model at rest, at its text and its start: physics/lint/table.py."""
from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from physics.diagnostics.advice import actuators, constraints, contacts, costs, run
from physics.diagnostics.advice.evidence import Evidence
from physics.diagnostics.advice.finding import Finding


@dataclass(frozen=True, slots=True)
class Rule:
    """find: the findings of a window; kind: theirs. on: share of the samples from which a finding is told; off: below which it is told no more, so that rows do not flicker."""

    kind: str
    title: str
    find: Callable[[Evidence], list[Finding]]
    on: float
    off: float


RULES: tuple[Rule, ...] = (
    Rule("energy", "Energy grows", run.growing_energy, 0.0, 0.0),
    Rule("warning", "Warning of the engine", run.counted_warnings, 0.0, 0.0),
    Rule("unconverged", "The solver does not converge", constraints.unconverged_solver, 0.2, 0.1),
    Rule("violated_equality", "Equality constraint violated", constraints.violated_equalities, 0.7, 0.4),
    Rule("deep_contact", "Contacts deeper than their geoms", contacts.deep_contacts, 0.3, 0.15),
    Rule("missed_contact", "Contacts may be missed", contacts.missed_contacts, 0.2, 0.1),
    Rule("force_limit", "Actuator force at its limit", actuators.force_at_limit, 0.5, 0.3),
    Rule("ctrl_limit", "Control at its limit", actuators.clamped_ctrl, 0.5, 0.3),
    Rule("act_limit", "Activation at its limit", actuators.act_at_limit, 0.5, 0.3),
    Rule("pressed_limit", "Joint pressed against its limit", actuators.pressed_limits, 0.7, 0.4),
    Rule("real_time", "Slower than real time", costs.behind_real_time, 0.6, 0.3),
    Rule("slow_stage", "Where the time goes", costs.slow_stage, 0.5, 0.3),
    Rule("rk4", "Four evaluations a step", costs.four_evaluations, 0.5, 0.3),
    Rule("clamped_timeconst", "Time constant below two timesteps", contacts.clamped_timeconst, 0.5, 0.3),
    Rule("sleep", "Asleep and awake in turn", run.flapping_sleep, 0.5, 0.3),
)
