"""Taking elements away, with what is in them and what refers to them."""
from __future__ import annotations

from types import MappingProxyType

from .bodies import KINDS
from .defaults import MjsDefault
from .fields import ENUMS
from .mjcf.keyframes import pin
from .tendons import WORDS

_OBJ, _TRN = ENUMS["mjtObj"], ENUMS["mjtTrn"]
_TARGETS = MappingProxyType({int(_TRN[f"mjTRN_{trn}"]): kind for trn, kind in (("JOINT", "joint"), ("JOINTINPARENT", "joint"), ("TENDON", "tendon"), ("SITE", "site"), ("BODY", "body"),
                                                              ("SLIDERCRANK", "site"))})

_EQUALITIES = MappingProxyType({int(ENUMS["mjtEq"].mjEQ_JOINT): "joint", int(ENUMS["mjtEq"].mjEQ_TENDON): "tendon"})


def kind_of(objtype: int) -> str:
    """The namespace of an object's type."""
    try:
        name = _OBJ(int(objtype)).name.removeprefix("mjOBJ_").lower()
    except ValueError:
        return ""
    return "body" if name == "xbody" else name


def references(element) -> list[tuple[str, str]]:
    """(kind, name) of what an element outside the bodies stands and falls with."""
    values, kind = element._values, element.KIND
    if kind == "tendon":
        return [(WORDS[w._kind], w._name) for w in element._path if w._name]
    if kind == "actuator":
        target = _TARGETS.get(values["trntype"], "")
        return [(target, values["target"]), ("site", values["refsite"]), ("site", values["slidersite"])]
    if kind == "sensor":
        return [(kind_of(values["objtype"]), values["objname"]), (kind_of(values["reftype"]), values["refname"])]
    if kind == "equality":
        of = _EQUALITIES.get(values["type"]) or kind_of(values["objtype"])
        return [(of, values["name1"]), (of, values["name2"])]
    if kind == "pair":
        return [("geom", values["geomname1"]), ("geom", values["geomname2"])]
    if kind == "exclude":
        return [("body", values["bodyname1"]), ("body", values["bodyname2"])]
    if kind == "skin":
        return [("body", name) for name in values["bodyname"]]
    return []


REFERRING = ("tendon", "actuator", "sensor", "equality", "pair", "exclude", "skin")


def inside(element) -> list:
    """An element of a body with all that is in it."""
    if element.KIND == "body":
        return [one for body in element._walk() for one in (body, *(child for kind in KINDS if kind != "body" for child in body._children[kind]))]
    if element.KIND != "frame":
        return [element]
    found, body = [element], element._parent
    for kind in KINDS:
        for child in body._children[kind]:
            frame = child._frame
            while frame is not None and frame is not element:
                frame = frame._frame
            if frame is element:
                found += inside(child) if kind == "body" else [child]
    return found


def delete(spec, element) -> None:
    """Take an element away, a body or a frame with what is in it and what refers to it. Raises ValueError for one that is not here."""
    if isinstance(element, MjsDefault):
        return _delete_default(spec, element)
    if element._spec is not spec:
        if element._origin is spec and element._spec is not None or spec._parent is not None:
            raise ValueError("Cannot delete element from an attached mjSpec.")
        raise ValueError(f"{element.KIND} is not in this model")
    if element is spec._world:
        raise ValueError("the world cannot be deleted")
    pin(spec)
    gone = inside(element) if element.KIND in KINDS else [element]
    while gone:
        names = {(one.KIND, one.name) for one in gone if one.name}
        for one in gone:
            _take_away(spec, one)
        cascade = element.KIND in ("body", "frame")     # as officially: of anything else what refers to it stays
        gone = [one for kind in REFERRING for one in spec._outside[kind] if any(place in names for place in references(one))] if cascade else []
    spec._changed()


def _take_away(spec, one) -> None:
    spec._forget(one)
    held = one._parent._children[one.KIND] if one._parent is not None else spec._outside[one.KIND]
    held[:] = [other for other in held if other is not one]
    one.__dict__.update(_spec=None, _parent=None, _frame=None, _id=-1, _gone=True)


def _delete_default(spec, default: MjsDefault) -> None:
    around = default._around
    if around is None:
        raise ValueError("the default class main cannot be deleted")
    around._inside.remove(default)
    lost = set(default._walk())
    for one in (*(one for body in spec.bodies for one in inside(body)), *(one for some in spec._outside.values() for one in some)):
        if one._class in lost:
            one.__dict__["_class"] = around
