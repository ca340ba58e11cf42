"""The rules in one table."""
from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from physics.lint import assets, contact_settings, inertia, keyframes, limits, naming, stiffness, touching, units
from physics.lint.finding import Finding
from physics.lint.subject import Subject

__all__ = ["RULES", "Rule", "by_id"]


@dataclass(frozen=True, slots=True)
class Rule:
    """find: the findings of a model; meaning: what it means when there are some."""

    id: str
    title: str
    find: Callable[[Subject], Iterable[Finding]]
    meaning: str


RULES: tuple[Rule, ...] = (
    Rule("inertia_triangle", "Impossible inertia", inertia.inertia_triangle,
         "Of the three principal moments of inertia of any body two add up to at least the third. Moments that do not come from a mistake in the export: another reference point, "
         "another unit, or moments in place of products. balanceinertia hides it by a ball's inertia."),
    Rule("massless_mover", "Joint without inertia", inertia.massless_mover,
         "What a joint moves has next to no inertia, so that the smallest force gives an enormous acceleration: runs diverge, or need a tiny timestep."),
    Rule("mass_ratio", "Large ratio of masses", inertia.mass_ratio,
         "Constraints between bodies of very different mass are either too soft for the heavy one or need many solver iterations, and a light link between heavy ones makes the "
         "inertia matrix nearly singular."),
    Rule("initial_penetration", "Inside each other at the start", touching.initial_penetration,
         "Geoms that begin inside each other are pushed apart by contact forces: the model jumps in its first steps, by an energy that nobody put in."),
    Rule("always_touches", "Neighbours always overlap", touching.always_touches,
         "Two shapes overlap in every pose, so that contact forces act between them all the time: they cost time, and work against the joint."),
    Rule("never_touches", "Can touch nothing", touching.never_touches,
         "Bits of contype and conaffinity were given to a geom, and no other geom can touch it: a typing mistake in the bits, or bits of a model that it was once in."),
    Rule("unit_slip", "Degrees or radians", units.unit_slip,
         "Ranges that look like the other unit of angle: joints are locked within a few degrees, or turn without end."),
    Rule("limits_unused", "Range without effect", limits.limits_unused,
         "A range that is written down and switched off: readers of the text, and scripts that read the range, take it for a limit."),
    Rule("servo_range", "Targets of a position servo", limits.servo_range,
         "The ctrlrange of a position servo is the range of its targets. Without one, or with one wider than what it moves, targets press the joint against its limit."),
    Rule("saturated_at_rest", "Too weak to hold a pose", limits.saturated_at_rest,
         "Gravity alone needs all of the actuator's force in this pose, so that nothing is left to move or to correct with."),
    Rule("too_stiff", "Stiffer than the timestep allows", stiffness.too_stiff,
         "A constraint's time constant is too short for the timestep. In the standard format refsafe makes it softer than the text says; the direct format is taken as it is, and "
         "bounces scatter, or gain energy."),
    Rule("stiff_spring", "Spring faster than the timestep", stiffness.stiff_spring,
         "A spring or position gain makes a joint swing so fast that a step is a large part of the period: the motion depends on the timestep, and diverges beyond w h = 2."),
    Rule("friction_as_stiffness", "Friction decides the depth", contact_settings.friction_as_stiffness,
         "With pyramidal cones a contact has one row for each edge, and the rows' inclination, which is the friction, enters the stiffness along the normal: slippery contacts "
         "are stiff, rough ones soft."),
    Rule("mixed_formats", "Two formats of solref meet", contact_settings.mixed_formats,
         "Contact parameters of two geoms of equal priority are averaged by solmix. A direct and a standard solref cannot be: the smaller of each number "
         "counts, which is the direct one."),
    Rule("dead_settings", "Setting that never counts", contact_settings.dead_settings,
         "Numbers that are read and have no effect, as something else decides: whoever changes them wonders why nothing happens."),
    Rule("unused", "Named by nothing", assets.unused,
         "Assets that no element names are read and kept for nothing; a default class without elements is often a misspelt one."),
    Rule("twin_meshes", "Mesh that is there twice", assets.twin_meshes,
         "The same triangles twice in memory and on the graphics card, and two files to be kept the same."),
    Rule("twin_classes", "Default class that is there twice", assets.twin_classes,
         "Two default classes with the same settings drift apart with the first change of one of them."),
    Rule("keyframe", "Keyframe beyond limits", keyframes.keyframes,
         "A keyframe is put into the state as it is: what is beyond a limit is pushed back with the limit's force, and a rotation that is no unit quaternion has "
         "mixed up numbers."),
    Rule("names", "Missing and mistakable names", naming.names,
         "Scripts find elements by name; what has none is found by its number, which changes."),
)


def by_id(rule: str) -> Rule:
    """The rule of that id. Raises KeyError."""
    for row in RULES:
        if row.id == rule:
            return row
    raise KeyError(rule)
