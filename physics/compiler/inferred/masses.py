"""Inferred masses and inertias: of geoms by their density, of bodies by their geoms, and what bounds and scaling make of those that are given."""
from __future__ import annotations

from physics.compiler.elements import solids
from physics.compiler.inferred.rule import Inference, Input, Look, Rule, figures, place
from physics.enums import GeomType
from physics.spec.element import Element

_SHOWN = 8      # geoms that are named in words


def _body_of(look: Look) -> Element | None:
    node = look.resolver.parent(look.element)
    while node is not None and node.tag not in ("body", "worldbody"):
        node = look.resolver.parent(node)
    return node


def inertial_of(body: Element) -> Element | None:
    """The inertial of a body, which may stand in a frame."""
    stack = list(reversed(body.children))
    while stack:
        element = stack.pop()
        if element.tag == "inertial":
            return element
        if element.tag == "frame":
            stack.extend(reversed(element.children))
    return None


def _volume(look: Look) -> tuple[float, str]:
    """What density is multiplied by, and its unit; 0 where it is not known without a Model."""
    size, kind = look.row("geom_size"), look.row("geom_type")
    shell = bool(look.attrs["shellinertia"])
    if not size or look.attrs["type"] == "mesh":
        return 0.0, "m3"
    return solids.volume(GeomType(int(kind[0])), size, shell), "m2" if shell else "m3"


def _geom_mass(look: Look, attribute: str) -> Inference | None:
    """Mass of a geom from its density."""
    body = _body_of(look)
    if attribute == "density":
        return Inference(f"not used: {look.words('mass')} is given", look.input("mass")) if look.given("mass") else None
    if look.given("mass") or body is None or body.tag == "worldbody":
        return None
    low, high = look.settings.grouprange
    if not low <= look.attrs["group"] <= high:
        return Inference(f"none: group {look.attrs['group']} is outside inertiagrouprange {low} {high}", (*look.input("group"), *look.compiler("inertiagrouprange")), value=(0.0,))
    density, (volume, unit) = look.attrs["density"], _volume(look)
    inputs = look.input("density", "size", "fromto", "mesh", "type")
    how = f"{look.words('density')} kg/{unit} x {'surface' if unit == 'm2' else 'volume'}"
    if look.attrs["type"] == "mesh":
        alone = [geom for geom in _geoms(body) if geom is not look.element]
        mass = float(look.model.body_mass[look.model.geom_bodyid[look.item[1]]]) if look.item is not None and not alone and _gathers(look, body) else None
        return Inference(f"{how} of mesh '{look.attrs['mesh']}'" + ("" if mass is None else f" = {mass:.6g} kg"), inputs, value=() if mass is None else (mass,))
    if not volume:
        return Inference(how, inputs)
    return Inference(f"{how} {volume:.6g} {unit} = {density * volume:.6g} kg", inputs, value=(density * volume,))


def _geoms(body: Element) -> list[Element]:
    """Geoms that stand in a body, those in its frames too."""
    found, stack = [], list(reversed(body.children))
    while stack:
        element = stack.pop()
        if element.tag == "geom":
            found.append(element)
        elif element.tag in ("frame", "replicate"):
            stack.extend(reversed(element.children))
    return found


def _gathers(look: Look, body: Element) -> bool:
    """Whether a body's mass is that of its geoms."""
    word = look.settings.inertiafromgeom
    return word == "true" or (word == "auto" and inertial_of(body) is None)


def _adjusted(look: Look) -> tuple[str, tuple[Input, ...]]:
    """What the compiler's settings may have changed of a mass or inertia."""
    s, said, inputs = look.settings, [], ()
    for name, on in (("boundmass", s.boundmass > 0), ("boundinertia", s.boundinertia > 0), ("balanceinertia", s.balanceinertia), ("settotalmass", s.settotalmass > 0)):
        if on:
            said.append(f"{name} {getattr(s, name):g}" if not isinstance(getattr(s, name), bool) else name)
            inputs += look.compiler(name)
    return f", changed by {', '.join(said)}" if said else "", inputs


def _body_mass(look: Look, attribute: str) -> Inference | None:
    """Mass and moments of inertia of a body that has no inertial element, or whose geoms count in spite of it."""
    geoms = _geoms(look.element)
    value = look.row("body_mass" if attribute == "mass" else "body_inertia")
    numbers = f": {figures(value)} {'kg' if attribute == 'mass' else 'kg m2'}" if value else ""
    adjusted, settings = _adjusted(look)
    if not _gathers(look, look.element):
        inertial = inertial_of(look.element)
        if inertial is None:
            return Inference(f"none: inertiafromgeom is false and there is no <inertial>{adjusted}{numbers}", (*look.compiler("inertiafromgeom"), *settings), value=value)
        return Inference(f"of <inertial> ({place(inertial)}){adjusted}{numbers}", ((inertial, "mass" if attribute == "mass" else "diaginertia"), *settings), value=value)
    low, high = look.settings.grouprange
    counted = [geom for geom in geoms if low <= look.resolver.attrs(geom)["group"] <= high]
    named = [geom.name or place(geom) for geom in counted[:_SHOWN]] + (["..."] if len(counted) > _SHOWN else [])
    what = f"of {len(counted)} geom{'' if len(counted) == 1 else 's'} ({', '.join(named)})" if counted else "no geoms"
    if len(counted) < len(geoms):
        what += f", {len(geoms) - len(counted)} outside inertiagrouprange {low} {high}"
        settings += look.compiler("inertiagrouprange")
    return Inference(f"{what}{adjusted}{numbers}", (*((geom, "mass") for geom in counted), *settings), value=value)


def _inertial(look: Look, attribute: str) -> Inference | None:
    """What becomes of an inertial element's own numbers."""
    body = _body_of(look)
    if body is not None and look.settings.inertiafromgeom == "true":
        return Inference("not used: inertiafromgeom is true", look.compiler("inertiafromgeom")) if look.given(attribute) else None
    if attribute == "diaginertia" and look.given("fullinertia"):
        return Inference(f"principal moments of {look.words('fullinertia')}", look.input("fullinertia"))
    if attribute == "quat" and look.given("fullinertia"):
        return Inference(f"principal axes of {look.words('fullinertia')}", look.input("fullinertia"))
    return _settled(look, attribute, body)


def _settled(look: Look, attribute: str, body: Element | None) -> Inference | None:
    """What bounds, balancing and the total mass make of numbers that are given."""
    if attribute not in ("mass", "diaginertia") or look.model is None or body is None:
        return None
    said, inputs = _adjusted(look)
    items = look.model.links.items(body.id)
    if not said or not items:
        return None
    row = items[0][1]
    value = (float(look.model.body_mass[row]),) if attribute == "mass" else tuple(look.model.body_inertia[row].tolist())
    written = look.numbers(attribute)
    if not written or all(abs(a - b) <= 1e-12 * abs(b) for a, b in zip(written, value)):
        return None
    return Inference(f"{look.words(attribute)}{said}: {figures(value)}", (*look.input(attribute), *inputs), value=value)


RULES = (
    Rule("density", "body/geom", ("mass", "density"), _geom_mass),
    Rule("geoms", "body", ("mass", "inertia"), _body_mass),
    Rule("inertial", "body/inertial", ("mass", "diaginertia", "quat", "pos", "fullinertia"), _inertial),
)
