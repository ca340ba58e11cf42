"""How fields are called and written in MJCF: attributes' names, keywords' numbers, angles, orientations."""
from __future__ import annotations

import functools
from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from physics.rotation.orientation import from_notation, normalized, radians
from physics.schema import schema
from physics.schema.numbers import format_float, parse

from ..fields import ENUMS, KINDS, Field, fields_of

ORIENTATIONS = ("quat", "axisangle", "xyaxes", "zaxis", "euler")
_LIMITS = MappingProxyType({f"{name}{part}": f"{name}_{part}" for name in ("solref", "solimp") for part in ("limit", "friction")})
# attribute -> field, where they are not called the same
NAMES: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "geom": {"hfield": "hfieldname", "mesh": "meshname", "fluidcoef": "fluid_coefs", "fluidshape": "fluid_ellipsoid", "shellinertia": "typeinertia"},
    "joint": {"actuatorfrclimited": "actfrclimited", "actuatorfrcrange": "actfrcrange", "actuatorgravcomp": "actgravcomp", **_LIMITS},
    "site": {"mesh": "meshname"},
    "camera": {"target": "targetbody", "projection": "proj", "sensorsize": "sensor_size", "focal": "focal_length", "focalpixel": "focal_pixel", "principal": "principal_length",
               "principalpixel": "principal_pixel"},
    "light": {"target": "targetbody"},
    "mesh": {"vertex": "uservert", "normal": "usernormal", "texcoord": "usertexcoord", "face": "userface"},
    "hfield": {"elevation": "userdata"},
    "skin": {"vertex": "vert"},
    "pair": {"geom1": "geomname1", "geom2": "geomname2"},
    "exclude": {"body1": "bodyname1", "body2": "bodyname2"},
    "tendon": {"actuatorfrclimited": "actfrclimited", "actuatorfrcrange": "actfrcrange", **_LIMITS},
})
_SENSOR_OUTPUTS = ("rgb", "depth", "distance", "normal", "segmentation")


def field_of(kind: str, attribute: str) -> Field | None:
    """The field that an attribute is written into; None where that takes more than a name."""
    name = NAMES.get(kind, {}).get(attribute, "userdata" if attribute == "user" else attribute)
    return fields_of(kind).get(name)


@functools.cache
def keywords(enum: str) -> Mapping[str, int]:
    """Keyword in lower case -> number, of an enumeration."""
    found = {}
    for member in ENUMS[enum]:
        found.setdefault(member.name.partition("_")[2].lower(), int(member))
        found.setdefault(member.name.rpartition("_")[2].lower(), int(member))
    return MappingProxyType(found)


def read_into(values: dict, kind: str, path: str, name: str, text: str) -> bool:
    """Write an attribute into a struct's values. Whether it has a field of its own."""
    spec = schema.lookup(path).attributes.get(name)
    field = field_of(kind, name)
    if spec is None or field is None or field.kind == "orient" or name == "class":
        return False
    value = parse(spec, text)[0]
    if value is None:
        return True
    if field.count:
        numbers = np.ravel(value)
        if spec.repeat or field.name == "scale" and len(numbers) == 1:
            numbers = np.full(field.count, numbers[0]) if len(numbers) == 1 else numbers
        values[field.name][:len(numbers)] = numbers
    elif field.kind in KINDS:
        values[field.name] = KINDS[field.kind](list(value) if field.kind in ("S", "C") else np.ravel(value).tolist())
    elif field.kind.startswith("mjt"):
        values[field.name] = int(value) if isinstance(value, bool) else keywords(field.kind)[str(value).lower()]
    elif field.kind in ("i", "f", "w", "b"):
        if isinstance(value, tuple):
            value = sum(1 << spec.values.index(word) for word in value)
        elif isinstance(value, str):
            value = spec.values.index(value)
        values[field.name] = bool(value) if field.kind == "b" else int(value) if field.kind == "i" else float(value)
    else:
        values[field.name] = value if isinstance(value, str) else text
    return True


def written(field: Field, spec, value, number=format_float) -> str:
    """A field's value as attribute text."""
    if spec.type in ("keyword", "bool", "tri") or spec.values and spec.type != "words":
        if field.kind.startswith("mjt"):
            wanted = int(value)
            return next((word for word in spec.values if keywords(field.kind).get(word.lower()) == wanted), str(wanted)) if spec.type != "bool" else spec.values[bool(wanted)]
        return spec.values[int(value)] if 0 <= int(value) < len(spec.values) else str(int(value))
    if spec.type == "words":
        return " ".join(word for k, word in enumerate(spec.values) if int(value) >> k & 1)
    if field.count or field.kind in ("D", "F", "I"):
        return " ".join([number(float(v)) for v in value])
    if field.kind in ("f", "w", "i", "b"):
        return number(float(value)) if field.kind in ("f", "w") else str(int(value))
    return "".join(value) if field.kind == "C" else str(value)


def same(one, other) -> bool:
    """Whether two values of a field are equal; nothing is equal to nothing."""
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    return one == other or one != one and other != other


def quaternion(orientation, degree: bool, eulerseq: str, quat=None) -> np.ndarray:
    """A unit quaternion: that of the notation that counts, or the one that is given. Raises OrientationError."""
    kind = 0 if orientation is None else int(orientation.type)
    if kind == 0:
        return normalized(np.array([1.0, 0, 0, 0]) if quat is None else quat, "quat")
    name = ORIENTATIONS[kind]
    return from_notation(name, orientation._values[name], bool(degree), eulerseq)


def in_radians(value, degree: bool):
    """An angle, or several, in radians."""
    return radians(value, degree)
