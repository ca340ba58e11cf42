"""A new <composite>: from the settings that most users need to the element, in a body of its own where its kind grows from one.

    CompositeSettings --composite(version, parent, settings)--> Change

What each kind makes of them: physics/expand/composite. Source of names and units: MuJoCo's XML reference of 3.12, "composite", and, of the kinds that MuJoCo 3 has no more, that of 2.3.7.
MuJoCo 4 has none: for it they are written out (inlining/composites.py).
"""
from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from editor.edits.element_patches import NewElement
from editor.edits.version import Version
from editor.structure.create import free_prefix
from editor.structure.draft import Change, Draft, Refusal
from editor.wording import what
from editor.structure.inlining.composites import inline_composite
from editor.structure.legality import in_world, why_not
from physics.schema.numbers import format_floats
from physics.spec.element import Element

__all__ = ["FORMS", "KINDS", "ROOTS", "CompositeSettings", "Kind", "composite", "holders", "proposed", "why_no_composite"]

FORMS: Mapping[str, str] = MappingProxyType({      # of a cable: the words of its curve
    "line x": "s 0 0", "line y": "0 s 0", "line z": "0 0 s", "arc": "cos(s) sin(s) 0", "helix": "cos(s) sin(s) s", "wave": "s sin(s) 0", "points": ""})
ROOTS = ("free", "ball", "none")
PLAIN_RGBA = (0.5, 0.5, 0.5, 1.0)
CONTACT: Mapping[str, str] = MappingProxyType({"contype": "0", "conaffinity": "0"})
MOST_POINTS = 20_000


@dataclass(frozen=True, slots=True)
class CompositeSettings:
    """What is asked for; of these a kind reads what its row of KINDS says.

    prefix: of all names, '' for one that is free. count: bodies along x, y and z, of a cable points. form: of a cable, one of FORMS: length along s [m], radius of cos(s) and sin(s) [m],
    halfturns of these over the whole length; points: x y z of each point of the form 'points' [m]. spacing: from body to body [m]; offset: in what it stands in [m].
    root: how the first body, or the one that all others grow from, is joined to what it stands in: one of ROOTS.
    shape, size: of the geoms, type and MJCF's numbers [m]; density [kg/m³]; friction: the first of the three numbers; contacts: whether the geoms collide.
    damping, stiffness, armature, frictionloss: of the joints, in the units of their kind. twist, stretch, shear: more joints or tendons, held by constraints.
    pins: (x, y) numbers of bodies of a grid that do not move. skin: whether one is drawn in place of the geoms. plain: what it makes is written in its place.
    """

    kind: str = "cable"
    prefix: str = ""
    count: tuple[int, int, int] = (21, 1, 1)
    form: str = "line x"
    length: float = 1.0
    radius: float = 0.2
    halfturns: float = 2.0
    points: tuple[float, ...] = ()
    spacing: float = 0.05
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    root: str = "none"
    shape: str = "capsule"
    size: tuple[float, ...] = (0.01,)
    density: float = 1000.0
    friction: float = 1.0
    contacts: bool = True
    rgba: tuple[float, float, float, float] = PLAIN_RGBA
    damping: float = 0.0
    stiffness: float = 0.0
    armature: float = 0.0
    frictionloss: float = 0.0
    twist: bool = False
    stretch: bool = False
    shear: bool = False
    pins: tuple[tuple[int, int], ...] = ()
    skin: bool = False
    plain: bool = False


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of composites. words: what it is called; tip: what it makes; dims: how many of its counts are asked for; shapes: its geoms may have; reads: further settings that it has.

    around: what the name of the body that it grows from ends with, '' where it has none. start: what a new one has. newest: the last MuJoCo that reads such a <composite>.
    """

    words: str
    tip: str
    dims: int
    shapes: tuple[str, ...]
    reads: frozenset[str]
    start: CompositeSettings
    around: str = ""
    newest: str = "2.3.7"

    @property
    def in_body(self) -> bool:
        """Whether it comes in a body of its own."""
        return bool(self.around)


_SOFT = ("sphere", "capsule", "ellipsoid")
_JOINTS = frozenset({"damping", "stiffness", "armature", "frictionloss"})
_BODY = "body"      # the body around it may have any name

KINDS: Mapping[str, Kind] = MappingProxyType({
    "cable": Kind("Cable", "A chain of bodies with ball joints along a curve, with a site at both ends", 1, ("capsule", "cylinder", "box"), _JOINTS | {"form", "root"},
                  CompositeSettings("cable", damping=0.001), newest="3"),
    "rope": Kind("Rope", "A chain of bodies along x, each joined to the one before by two hinges", 1, _SOFT, _JOINTS | {"root", "spacing", "twist", "stretch"},
                 CompositeSettings("rope", count=(11, 1, 1), size=(0.01, 0.02), damping=0.005), "B0"),
    "loop": Kind("Loop", "A rope whose ends are held together", 1, _SOFT, _JOINTS | {"root", "spacing", "twist", "stretch"},
                 CompositeSettings("loop", count=(20, 1, 1), size=(0.01, 0.02), damping=0.005), "B0"),
    "cloth": Kind("Cloth", "A sheet of bodies joined by hinges and tendons", 2, _SOFT, _JOINTS | {"root", "spacing", "twist", "stretch", "shear", "skin"},
                  CompositeSettings("cloth", count=(9, 9, 1), size=(0.015, 0.01), damping=0.001, root="free", offset=(0.0, 0.0, 1.0)), "B{x}_{y}"),
    "grid": Kind("Grid", "A net of spheres that slide along x, y and z, held together by tendons", 2, ("sphere",), _JOINTS | {"spacing", "shear", "skin", "pins"},
                 CompositeSettings("grid", count=(7, 7, 1), shape="sphere", size=(0.01,), pins=((0, 0), (6, 0)), offset=(0.0, 0.0, 1.0))),
    "particle": Kind("Particles", "Bodies that slide along x, y and z by themselves", 3, _SOFT, _JOINTS | {"spacing", "skin"},
                     CompositeSettings("particle", count=(4, 4, 4), shape="sphere", size=(0.02,), offset=(0.0, 0.0, 0.5))),
    "box": Kind("Soft box", "A body with a shell of bodies around it that slide outwards", 3, _SOFT, _JOINTS | {"root", "spacing", "skin"},
                CompositeSettings("box", count=(5, 5, 5), size=(0.015, 0.03), root="free", offset=(0.0, 0.0, 0.5)), _BODY),
    "cylinder": Kind("Soft cylinder", "The same with the shape of a cylinder along z", 3, _SOFT, _JOINTS | {"root", "spacing", "skin"},
                     CompositeSettings("cylinder", count=(5, 5, 7), size=(0.015, 0.03), root="free", offset=(0.0, 0.0, 0.5)), _BODY),
    "ellipsoid": Kind("Soft ellipsoid", "The same with the shape of an ellipsoid", 3, _SOFT, _JOINTS | {"root", "spacing", "skin"},
                      CompositeSettings("ellipsoid", count=(6, 5, 4), size=(0.015, 0.03), root="free", offset=(0.0, 0.0, 0.5)), _BODY),
})
SIZES: Mapping[str, int] = MappingProxyType({"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3})     # numbers of a geom's size


def proposed(version: Version, kind: str, parent: int) -> CompositeSettings:
    """What a new composite of a kind has in a body of this document: a prefix that is free, and a root that is possible there."""
    settings = replace(KINDS[kind].start, prefix=free_prefix(Draft(version), kind))
    if settings.root == "free" and why_no_composite(version, parent, settings):
        settings = replace(settings, root="none", offset=(0.0, 0.0, 0.0))
    holder = version.element(parent)
    if holder is not None and holder.tag == "worldbody" and not any(settings.offset):
        settings = replace(settings, offset=(0.0, 0.0, 1.0))
    return settings


def holders(version: Version) -> list[tuple[Element, int]]:
    """Where a composite can be put: the world, bodies, frames and replicates of the texts, in their order, each with how deep it stands."""
    found: list[tuple[Element, int]] = []
    stack = [(world, 0) for world in reversed(list(version.root.all("worldbody")))] if version.root is not None else []
    while stack:
        element, depth = stack.pop()
        found.append((element, depth))
        stack.extend((child, depth + 1) for child in reversed(element.children) if child.tag in ("body", "frame", "replicate"))
    return found


def why_no_composite(version: Version, parent: int, settings: CompositeSettings) -> str:
    """Why a composite with these settings cannot stand in an element, '' where it can."""
    kind = KINDS.get(settings.kind)
    if kind is None:
        return f"There is no composite of type '{settings.kind}'"
    if reason := why_not(version, parent, "body" if kind.in_body else "composite"):
        return reason
    if "root" in kind.reads and settings.root == "free" and not in_world(version, parent):
        return "A free joint can only be in a body of the world: choose another root, or put it into the world"
    return ""


def composite(version: Version, parent: int, settings: CompositeSettings) -> Change:
    """A composite behind all that an element holds. Raises Refusal where it may not stand there, or where the settings make none."""
    draft = Draft(version)
    draft.element(parent)
    if reason := why_no_composite(version, parent, settings):
        raise Refusal(reason)
    _refuse_settings(settings)
    if not settings.prefix:
        settings = replace(settings, prefix=free_prefix(draft, settings.kind))
    new = new_composite(settings, draft.names().unique("body", f"{settings.prefix}body"))
    made = [draft.insert(new, last_in=parent)]
    if settings.plain:
        inner = next(one for one in draft.element(made[0]).walk() if one.tag == "composite")
        change = inline_composite(draft.version, inner.id)
        draft.put(change.edit.patches)
        made = made if KINDS[settings.kind].in_body else [draft.version.ids[file][start] for file, start in change.places]
    return draft.change(f"Add {KINDS[settings.kind].words.lower()} '{settings.prefix.rstrip('_') or settings.prefix}' to {what(version.element(parent))}", made)


def _refuse_settings(settings: CompositeSettings) -> None:
    """What a text cannot say, or what says nothing; all else the compiler tells."""
    kind = KINDS[settings.kind]
    numbers = (*settings.offset, *settings.size, *settings.points, settings.spacing, settings.length, settings.radius, settings.halfturns, settings.density, settings.friction,
               settings.damping, settings.stiffness, settings.armature, settings.frictionloss)
    if not all(map(math.isfinite, numbers)):
        raise Refusal("A number is not finite")
    if settings.shape not in kind.shapes:
        raise Refusal(f"The geoms of a {settings.kind} are {' or '.join(kind.shapes)}")
    if settings.form not in FORMS or settings.root not in ROOTS:
        raise Refusal("There is no such form or root")
    if any(character in settings.prefix for character in "<>/\"&") or settings.prefix != settings.prefix.strip():
        raise Refusal("The prefix begins the names of all that is made: it has no blanks at its ends, no quotes, no / and no < >")
    if "form" in kind.reads and settings.form == "points":
        if len(settings.points) % 3 or len(settings.points) < 6:
            raise Refusal("A cable needs two points or more, each of three numbers")
        if len(settings.points) > 3 * MOST_POINTS:
            raise Refusal(f"These are more than {MOST_POINTS} points")
    elif kind.dims == 1 and settings.count[0] < (3 if settings.kind == "loop" else 2):
        raise Refusal(f"A {settings.kind} needs {'three bodies' if settings.kind == 'loop' else 'two points' if settings.kind == 'cable' else 'two bodies'} or more")
    if min(settings.count[:kind.dims]) < 1:
        raise Refusal("Counts are 1 or more")
    if any(not (0 <= x < settings.count[0] and 0 <= y < settings.count[1]) for x, y in settings.pins) and "pins" in kind.reads:
        raise Refusal("A pin lies outside the counts")


def new_composite(settings: CompositeSettings, body_name: str = "body") -> NewElement:
    """The element, in a body where its kind grows from one. body_name: of a body that may have any."""
    kind = KINDS[settings.kind]
    count = (*settings.count[:kind.dims], 1, 1, 1)[:3]
    inner = NewElement("composite", _attributes(settings, kind, count), _parts(settings, kind, count))
    if not kind.in_body:
        return inner
    name = body_name if kind.around == _BODY else settings.prefix + kind.around.format(x=count[0] // 2, y=count[1] // 2)
    attrs = {"name": name} | ({"pos": format_floats(settings.offset)} if any(settings.offset) else {})
    joint = {"free": (NewElement("freejoint"),), "ball": (NewElement("joint", {"type": "ball"} | _joint_values(settings)),)}.get(settings.root, ())
    return NewElement("body", attrs, (*joint, inner))


def _attributes(settings: CompositeSettings, kind: Kind, count: Sequence[int]) -> dict[str, str]:
    attrs = {"type": settings.kind, "prefix": settings.prefix}
    if "form" in kind.reads:
        if settings.form == "points":
            attrs["vertex"] = format_floats(settings.points)
        else:
            attrs |= {"count": " ".join(map(str, count)), "curve": FORMS[settings.form], "size": format_floats((settings.length, settings.radius, settings.halfturns))}
        attrs["initial"] = settings.root
    else:
        attrs |= {"count": " ".join(map(str, count)), "spacing": format_floats((settings.spacing,))}
    if any(settings.offset) and not kind.in_body:
        attrs["offset"] = format_floats(settings.offset)
    if settings.kind == "cloth":
        attrs["flatinertia"] = "0.01"
    return attrs


def _parts(settings: CompositeSettings, kind: Kind, count: Sequence[int]) -> tuple[NewElement, ...]:
    """The elements in a composite that say how its parts look."""
    parts: list[NewElement] = []
    if values := _joint_values(settings):
        parts.append(NewElement("joint", {"kind": "main"} | values))
    parts += [NewElement("joint", {"kind": word} | values) for word in ("twist", "stretch") if word in kind.reads and getattr(settings, word)]
    if "shear" in kind.reads and settings.shear:
        parts.append(NewElement("tendon", {"kind": "shear"}))
    if "skin" in kind.reads and settings.skin:
        parts.append(NewElement("skin", {"texcoord": "true"} | ({"rgba": format_floats(settings.rgba)} if settings.rgba != PLAIN_RGBA else {})))
    parts.append(NewElement("geom", _geom_values(settings, kind, count)))
    if "pins" in kind.reads:
        parts += [NewElement("pin", {"coord": f"{x} {y}" if count[1] > 1 else f"{x}"}) for x, y in settings.pins]
    return tuple(parts)


def _joint_values(settings: CompositeSettings) -> dict[str, str]:
    return {name: format_floats((value,)) for name in ("damping", "stiffness", "armature", "frictionloss") if (value := getattr(settings, name))}


def _geom_values(settings: CompositeSettings, kind: Kind, count: Sequence[int]) -> dict[str, str]:
    size = list(settings.size[:SIZES[settings.shape]])
    if "form" in kind.reads:    # the length of each geom is that of its edge
        if settings.shape != "box":
            size = size[:1]
        elif settings.form != "points":     # half of it, which the skin of a cable of boxes reads
            size[0] = round(0.5 * settings.length / max(1, count[0] - 1), 6) or size[0]
    attrs = {"type": settings.shape, "size": format_floats(size)}
    if settings.rgba != PLAIN_RGBA:
        attrs["rgba"] = format_floats(settings.rgba)
    if settings.density != 1000.0:
        attrs["density"] = format_floats((settings.density,))
    if settings.friction != 1.0:
        attrs["friction"] = f"{format_floats((settings.friction,))} 0.005 0.0001"
    return attrs | ({} if settings.contacts else CONTACT)
