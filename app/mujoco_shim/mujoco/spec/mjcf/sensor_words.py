"""Sensors in MJCF and as structs: which attributes name what they look at."""
from __future__ import annotations

from types import MappingProxyType

from physics.schema import schema
from physics.schema.numbers import parse

from ..fields import ENUMS

_TYPE, _OBJ = ENUMS["mjtSensor"], ENUMS["mjtObj"]
_OTHER = MappingProxyType({"distance": "GEOMDIST", "normal": "GEOMNORMAL", "fromto": "GEOMFROMTO", "jointactuatorfrc": "JOINTACTFRC", "tendonactuatorfrc": "TENDONACTFRC"})
TYPE_OF = MappingProxyType({tag: int(_TYPE[f"mjSENS_{_OTHER.get(tag, tag.upper())}"]) for tag in schema.lookup("sensor").children if tag != "plugin"})
TAG_OF = MappingProxyType({number: tag for tag, number in TYPE_OF.items()})
# attribute -> object's type, of what a sensor looks at and of what it refers to
FIRST = MappingProxyType({"site": "SITE", "joint": "JOINT", "tendon": "TENDON", "actuator": "ACTUATOR", "body": "BODY", "mesh": "MESH", "geom1": "GEOM", "body1": "BODY",
                          "subtree1": "XBODY", "camera": "CAMERA"})
SECOND = MappingProxyType({"geom2": "GEOM", "body2": "BODY", "subtree2": "XBODY", "geom": "GEOM"})
_ONE = frozenset(("touch rangefinder jointpos jointvel tendonpos tendonvel actuatorpos actuatorvel actuatorfrc jointactuatorfrc tendonactuatorfrc jointlimitpos jointlimitvel "
                  "jointlimitfrc tendonlimitpos tendonlimitvel tendonlimitfrc insidesite distance e_potential e_kinetic clock").split())
_OTHERS = MappingProxyType({"camprojection": 2, "ballquat": 4, "framequat": 4, "fromto": 6})
_CONTACT, _RAYS = (1, 3, 3, 1, 3, 3, 3, 3, 3), (1, 3, 3, 3, 3, 1)
_BIT_WORDS = MappingProxyType({"contact": schema.lookup("sensor/contact").attributes["data"].values, "rangefinder": schema.lookup("sensor/rangefinder").attributes["data"].values})
_REDUCE = schema.lookup("sensor/contact").attributes["reduce"].values


def second_of(tag: str, attribute: str) -> bool:
    """Whether an attribute names what the sensor refers to, not what it looks at."""
    return attribute in SECOND or (tag, attribute) in (("camprojection", "camera"), ("insidesite", "site"))


def read_objects(values: dict, tag: str, attrs) -> None:
    """Write the attributes that name objects, and those that only some sensors have, into a struct's values."""
    values["type"] = TYPE_OF[tag]
    for attribute, name in attrs.items():
        if attribute in ("objtype", "reftype"):
            values[attribute] = int(_OBJ[f"mjOBJ_{name.upper()}"])
        elif attribute in ("objname", "refname"):
            values[attribute] = name
        elif attribute in FIRST or attribute in SECOND:
            kind, place = {**FIRST, **SECOND}[attribute], "ref" if second_of(tag, attribute) else "obj"
            values[f"{place}type"], values[f"{place}name"] = int(_OBJ[f"mjOBJ_{kind}"]), name
    if tag in _BIT_WORDS:
        words = attrs.get("data", _BIT_WORDS[tag][0]).split()
        values["intprm"][0] = sum(1 << k for k, word in enumerate(_BIT_WORDS[tag]) if word in words)
    if tag == "contact":
        values["intprm"][1:] = _REDUCE.index(attrs.get("reduce", "none")), int(attrs.get("num", 1))
    if tag == "insidesite" and attrs.get("enclosed") == "true":
        values["intprm"][0] = 1
    if tag == "user":
        values["dim"] = int(attrs.get("dim", 0))
        for name, enum in (("datatype", "mjtDataType"), ("needstage", "mjtStage")):
            word = parse(schema.lookup("sensor/user").attributes[name], attrs.get(name, ""))[0] or ("real" if name == "datatype" else "acc")
            prefix = "mjDATATYPE_" if name == "datatype" else "mjSTAGE_"
            values[name] = int(ENUMS[enum][prefix + str(word).upper()])


def _kind(number: int) -> str:
    try:
        return _OBJ(number).name.removeprefix("mjOBJ_")
    except ValueError:
        return "UNKNOWN"


def object_attributes(values: dict) -> tuple[str, dict[str, str]]:
    """(tag, attributes) of a struct's values. Raises ValueError, as the official compiler, for numbers that mean nothing."""
    tag = TAG_OF[values["type"]]
    known = schema.lookup(f"sensor/{tag}").attributes
    found: dict[str, str] = {}
    bits, reduce, count = (int(n) for n in values["intprm"])
    if tag in _BIT_WORDS:
        _check_bits(tag, values, bits, reduce, count)
        found["data"] = " ".join(word for k, word in enumerate(_BIT_WORDS[tag]) if bits >> k & 1)
    if tag == "contact":
        found.update(reduce=_REDUCE[reduce], num=str(count))
    for place in ("obj", "ref"):
        kind, name = _kind(values[f"{place}type"]), values[f"{place}name"]
        if not name:
            continue
        if f"{place}type" in known:
            found[f"{place}type"], found[f"{place}name"] = kind.lower(), name
            continue
        attribute = next((a for a, of in {**FIRST, **SECOND}.items() if of == kind and a in known and second_of(tag, a) == (place == "ref")), None)
        if attribute is None:
            raise ValueError(f"sensor must be attached to another kind of element than {kind.lower()}" if place == "obj" else f"sensor cannot refer to a {kind.lower()}")
        found[attribute] = name
    if tag == "insidesite" and bits:
        found["enclosed"] = "true"
    if tag == "user":
        found.update(dim=str(values["dim"]), datatype=("real", "positive", "axis", "quaternion")[values["datatype"]], needstage=("pos", "pos", "vel", "acc")[values["needstage"]])
    return tag, found


def _check_bits(tag: str, values: dict, bits: int, reduce: int, count: int) -> None:
    most, limit = len(_BIT_WORDS[tag]), "mjNCONDATA" if tag == "contact" else "mjNRAYDATA"
    if tag == "contact":
        if values["objname"] and _kind(values["objtype"]) not in ("BODY", "XBODY", "GEOM", "SITE"):
            raise ValueError("first matching criterion: if set, must be (x)body, geom or site")
        if values["refname"] and _kind(values["reftype"]) not in ("BODY", "XBODY", "GEOM"):
            raise ValueError("second matching criterion: if set, must be (x)body or geom")
    if bits <= 0:
        raise ValueError(f"data spec (intprm[0]) must be positive, got {bits}")
    if not bits & (1 << most) - 1:
        raise ValueError(f"data spec intprm[0]={bits} must have at least one bit set of the first {limit} bits")
    if bits >> most:
        raise ValueError(f"data spec intprm[0]={bits} has bits set beyond the first {limit} bits")
    if tag == "contact":
        if not 0 <= reduce < len(_REDUCE):
            raise ValueError(f"unknown reduction criterion. got {reduce}")
        if count <= 0:
            raise ValueError("num (intprm[2]) must be positive in sensor")


def data_size(values: dict) -> int:
    """How many numbers a sensor gives; of a camera's rangefinder for one pixel, of tactile ones 0."""
    tag, bits = TAG_OF[values["type"]], int(values["intprm"][0])
    if tag == "user":
        return values["dim"]
    if tag in ("contact", "rangefinder"):
        sizes = _CONTACT if tag == "contact" else _RAYS
        return sum(size for k, size in enumerate(sizes) if bits >> k & 1) * (max(1, int(values["intprm"][2])) if tag == "contact" else 1)
    return 1 if tag in _ONE else 0 if tag == "tactile" else _OTHERS.get(tag, 3)
