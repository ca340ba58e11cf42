"""A MjSpec as a text of MJCF, laid out as officially."""
from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr
from types import MappingProxyType

from physics.schema import schema
from physics.spec.element import Element

from ..defaults import PATTERNS, MjsDefault
from ..model_spec import MjSpec
from .write_outside import sections
from .write_settings import settings_elements
from .writing import Writer

_TAGS = MappingProxyType({"actuator": "general"})


def six_digits(value: float) -> str:
    """A number with six digits."""
    return f"{value:.6g}"


def to_xml(spec: MjSpec) -> str:
    """The text."""
    write = Writer(spec, classes=True, number=six_digits)
    found = settings_elements(write)
    default = _default(write, spec._default)
    if default.children:
        found.append(default)
    rest = {section.tag: section for section in sections(write)}
    world = write.element("worldbody", {}, write.in_body(spec._world, "main"))
    ordered = [*found, *(rest[tag] for tag in ("custom", "asset") if tag in rest), *([world] if world.children else []),
               *(rest[tag] for tag in ("contact", "tendon", "equality", "actuator", "sensor", "keyframe") if tag in rest)]
    lines = [f"<!-- {escape(spec.comment)} -->"] if spec.comment else []
    lines += [f"<mujoco model={quoteattr(spec.modelname)}>", *"\n\n".join(_shown(one, 1) for one in ordered).split("\n"), "</mujoco>"]
    return "\n".join(lines) + "\n"


def _default(write: Writer, default: MjsDefault) -> Element:
    """A default class: what differs from the one around."""
    around = default._around
    children = []
    for kind in PATTERNS:
        pattern, tag = getattr(default, kind.KIND), _TAGS.get(kind.KIND, kind.KIND)
        path = f"default/{tag}"
        if kind.KIND == "flex" or schema.lookup(path) is None:
            continue
        before = write.first_values(kind.KIND) if around is None else getattr(around, kind.KIND)._values
        attrs = write.attributes(pattern, path, before, skip={"texture", "input"})
        if "alt" in pattern._values:
            attrs.update(write.orientation(pattern, before))
        if attrs:
            children.append(write.element(tag, attrs))
    children += [_default(write, inner) for inner in default._inside]
    return write.element("default", {"class": default.name} if around is not None else {}, children)


def _shown(element: Element, depth: int) -> str:
    """Lines of an element."""
    space = "  " * depth
    head = f"{space}<{element.tag}" + "".join(f" {name}={quoteattr(value)}" for name, value in element.attrs.items())
    if not element.children:
        return head + "/>"
    return "\n".join([head + ">", *(_shown(child, depth + 1) for child in element.children), f"{space}</{element.tag}>"])
