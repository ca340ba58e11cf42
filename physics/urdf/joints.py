"""URDF joints: which link hangs on which, and the joint elements that move it.

A planar joint becomes two slides and a hinge; a joint that mimics another becomes a joint equality (q = offset + multiplier q').
"""
from __future__ import annotations

from types import MappingProxyType

from physics.rotation.quaternion import from_z, matrix, unit
from physics.schema.numbers import format_floats
from physics.spec.element import Element
from physics.urdf.source import Robot, make

__all__ = ["FOLLOWS", "KINDS", "follow", "movers"]

# URDF type -> MJCF type ('' for none)
KINDS = MappingProxyType({
    "revolute": "hinge", "continuous": "hinge", "prismatic": "slide", "fixed": "", "floating": "free", "planar": "planar", "spherical": "ball",
})
FOLLOWS = ("revolute", "continuous", "prismatic")  # kinds that can mimic and be mimicked


def movers(robot: Robot, joint: Element, name: str) -> list[Element]:
    """The MJCF joints of a URDF joint: none for a fixed one, three for a planar one. name: '' leaves them unnamed."""
    kind = KINDS.get(joint.attrs.get("type", ""), "")
    axis = _axis(robot, joint, kind)
    if not kind:
        return []
    common, limits = _dynamics(robot, joint), _limits(robot, joint)
    label = {"name": (name, joint, "name")} if name else {}
    if kind == "planar":
        m = matrix(from_z(unit(tuple(map(float, axis[0].split())))[0]))
        parts = (("_TX", "slide", (format_floats(m[0::3]), *axis[1:]), limits), ("_TY", "slide", (format_floats(m[1::3]), *axis[1:]), {}),
                 ("_RZ", "hinge", axis, {}))
        return [make("joint", joint, {**({"name": (name + end, joint, "name")} if name else {}), "type": what, "axis": along, **common, **extra})
                for end, what, along, extra in parts]
    return [make("joint", joint, {**label, "type": kind, **({"axis": axis} if kind in ("hinge", "slide") else {}), **common, **limits})]


def _axis(robot: Robot, joint: Element, kind: str) -> tuple:
    """The joint's axis as (text, element, attribute); x when none is given."""
    element = robot.child(joint, "axis")
    if element is None:
        return "1 0 0", joint, "type"
    axis = robot.numbers(element, "xyz", 3, required=True)
    if axis is None:
        return "1 0 0", element, "xyz"
    if kind == "planar" and not unit(axis)[1] > 0:
        robot.error(element, "the joint's axis has no direction", attribute="xyz")
        return "1 0 0", element, "xyz"
    return format_floats(axis), element, "xyz"


def _dynamics(robot: Robot, joint: Element) -> dict:
    element = robot.child(joint, "dynamics")
    found = {}
    for ours, theirs in (("damping", "damping"), ("frictionloss", "friction")) if element is not None else ():
        value = robot.number(element, theirs)
        if value is not None:
            found[ours] = (format_floats(value), element, theirs)
    return found


def _limits(robot: Robot, joint: Element) -> dict:
    """range, limited and actuatorfrcrange; limits that cannot hold are kept as numbers and switched off."""
    element = robot.child(joint, "limit")
    if element is None:
        return {}
    lower, upper, effort = (robot.number(element, name) for name in ("lower", "upper", "effort"))
    if joint.attrs.get("type") == "continuous":
        lower = upper = None   # it turns without end, whatever is written
    found: dict = {}
    low, high = lower or 0.0, upper or 0.0
    if low or high:
        found["range"] = (format_floats((low, high)), element, "lower" if lower is not None else "upper")
    if (lower is None) != (upper is None) or low > high or (lower is not None and low == high):
        found["limited"] = "false"
        if low or high:
            why = "only one of lower and upper is given" if (lower is None) != (upper is None) else (
                "its limits are equal" if low == high else "its lower limit is above the upper one")
            robot.warn(element, f"the joint is not limited: {why}")
    if effort:
        found["actuatorfrcrange"] = (format_floats((-abs(effort), abs(effort))), element, "effort")
    return found


def follow(robot: Robot, joint: Element, name: str, joints: dict[str, Element]) -> Element | None:
    """The equality of a joint that mimics another; None (with a warning or error) where there is none.

    name: of our joint in the model; joints: URDF name -> joint element, the first of each name.
    """
    mimic = robot.child(joint, "mimic") if KINDS.get(joint.attrs.get("type", "")) else None
    if mimic is None:
        return None
    other = robot.text(mimic, "joint")
    factor, offset = robot.number(mimic, "multiplier"), robot.number(mimic, "offset")
    kinds = [element.attrs.get("type", "") if element is not None else "" for element in (joint, joints.get(other))]
    if not other:
        return None
    if other not in joints:
        robot.warn(mimic, f"there is no joint '{other}' to mimic; the joint moves freely", attribute="joint")
    elif joints[other] is joint:
        robot.error(mimic, "a joint cannot mimic itself", attribute="joint")
    elif not name or any(kind not in FOLLOWS for kind in kinds):
        robot.warn(mimic, "the mimic is left out: both joints must have names and be revolute, continuous or prismatic")
    else:
        numbers = (0.0 if offset is None else offset, 1.0 if factor is None else factor, 0.0, 0.0, 0.0)
        return make("joint", mimic, {"joint1": (name, joint, "name"), "joint2": (other, mimic, "joint"),
                                     "polycoef": (format_floats(numbers), mimic, "multiplier" if factor is not None else "joint")})
    return None
