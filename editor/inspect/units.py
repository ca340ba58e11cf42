"""The unit of each number of an attribute, as the file has it: angles by <compiler angle>, what depends on a joint by its type."""
from __future__ import annotations

from physics.expand.replicate import angle_settings
from physics.schema.schema import AttributeSpec
from physics.schema.schema_docs import attribute_words
from physics.spec.element import Element

__all__ = ["angle_unit", "is_degrees", "unit_of"]

_TURNING = frozenset({"hinge", "ball"})
_BY_JOINT = frozenset({"body/joint", "default/joint"})


def is_degrees(root: Element) -> bool:
    """Whether angles of the text are in degrees."""
    return angle_settings(root)[0]


def angle_unit(root: Element) -> str:
    """'degree' or 'rad'."""
    return "degree" if is_degrees(root) else "rad"


def unit_of(spec: AttributeSpec, root: Element, kind: str = "", index: int = 0) -> str:
    """The unit of a number of an attribute, '' for none. kind: type of the joint that it belongs to or moves, '' where that is not known."""
    name = spec.name
    if name == "euler" or name == "axisangle" and index == 3:
        return angle_unit(root)
    if name in ("axisangle", "quat", "xyaxes", "zaxis"):
        return ""
    if name == "relpose":
        return "m" if index < 3 else ""
    if name == "springdamper":
        return "s" if index == 0 else ""
    unit = attribute_words(spec)[0]
    if " or " not in unit:
        return unit
    if spec.path in _BY_JOINT and name in ("range", "ref", "springref"):
        return "m" if kind == "slide" else angle_unit(root) if kind in _TURNING else ""
    if spec.path.startswith(("tendon/", "default/tendon")):
        return {"range": "m"}.get(name, unit.partition(" or ")[0])
    if not kind:
        return unit
    straight, _, turning = unit.partition(" or ")
    return turning if kind in _TURNING else straight
