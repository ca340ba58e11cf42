"""The formula of a stage with the numbers of what is selected put in.

    for line in with_numbers(m, walk, 3, element): line.text, line.computed, line.stored
"""
from __future__ import annotations

from collections.abc import Callable
from functools import partial

from physics.engine.stage_clock import EFC_ROWS
from physics.engine.step_order import STAGES
from physics.enums import Stage
from physics.model.elements import Element
from physics.pipeline import motion_numbers, position_numbers
from physics.pipeline.line import Line, dof_name, named
from physics.pipeline.position_numbers import row_name
from physics.pipeline.sensor_numbers import sensors
from physics.pipeline.target import Target, target_of
from physics.pipeline.walk import Walk

NUMBERS: tuple[Callable[..., list[Line]], ...] = (
    position_numbers.kinematics, position_numbers.com, position_numbers.tendon, position_numbers.inertia, position_numbers.factored, position_numbers.collision,
    position_numbers.efc_rows, position_numbers.transmission, partial(sensors, stage=int(Stage.POS)), position_numbers.potential_energy,
    motion_numbers.velocity, motion_numbers.passive, motion_numbers.reference, motion_numbers.bias, partial(sensors, stage=int(Stage.VEL)), motion_numbers.kinetic_energy,
    motion_numbers.actuation, motion_numbers.qacc_smooth, motion_numbers.solve, partial(sensors, stage=int(Stage.ACC)), motion_numbers.integrate,
)
"""A function (m, moment after, moment before, target) -> Lines for each row of step_order.STAGES."""
ABOUT: tuple[tuple[str, ...], ...] = (
    ("body",), ("dof",), ("tendon",), ("dof",), ("dof",), ("contact",), ("row",), ("actuator",), (), (), ("body", "actuator"), ("dof",), ("row",), ("dof",), (), (), ("actuator", "dof"),
    ("dof",), ("dof", "row"), (), ("dof",),
)
"""Which elements the formulas of each stage are about."""
NOT_TAKEN = "This step does not take the stage"


def with_numbers(m, walk: Walk, number: int, element: Element | None = None, row: int | None = None, dof: int | None = None) -> tuple[Line, ...]:
    """The formulas of stage `number` for an element of the model (of the first that fits without one), or for a constraint row or dof by number."""
    if not walk[number].ran:
        why = STAGES[number].when
        return (Line(f"{NOT_TAKEN}{': it is taken ' + why if why != 'always' else ''}{'' if walk.done or not walk.problem else '. ' + walk.problem}."),)
    v, b = walk.after(number), walk.after(number - 1)
    return tuple(NUMBERS[number](m, v, b, target_of(m, v, element, row, dof, rows=number >= EFC_ROWS)))


def target_for(m, walk: Walk, number: int, element: Element | None = None, row: int | None = None, dof: int | None = None) -> Target:
    """What `with_numbers` puts numbers in for. Contacts are those of this step once it has found them, those of before until then."""
    return target_of(m, walk.after(number), element, row, dof, rows=number >= EFC_ROWS)


def about(m, walk: Walk, number: int, target: Target) -> str:
    """Those elements of a Target that a stage's formulas are about, in words; '' for none."""
    v, words = walk.after(number), {
        "body": named(m, "body", target.body) if target.body >= 0 else "", "dof": dof_name(m, target.dof) if target.dof >= 0 else "",
        "actuator": named(m, "actuator", target.actuator) if target.actuator >= 0 else "", "tendon": named(m, "tendon", target.tendon) if target.tendon >= 0 else "",
        "contact": str(target.contact) if target.contact >= 0 else "", "row": "",
    }
    if "row" in ABOUT[number] and target.row >= 0:
        words["row"] = f"{target.row}, {row_name(m, v, target.row)}"
    return ", ".join(f"{kind} {words[kind]}" for kind in ABOUT[number] if words[kind])
