"""What a model's sensors read, in words: names, units, what they are on, which numbers are one quantity, and which are a picture. No Qt.

A picture is what a camera's range finder sees, and what a user sensor gives whose first two user values are a width and a height with
width times height times 3 values (as officially).
"""
from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from physics.enums import (
    DATATYPE_POSITIVE,
    OBJ_CAMERA,
    RAYDATA_DEPTH,
    RAYDATA_DIST,
    SENS_RANGEFINDER,
    SENS_TACTILE,
    SENS_USER,
    ObjType,
    SensorType,
)
from physics.quantities.sensor_units import sensor_unit

MOST_BARS = 32   # of one sensor; of longer ones the largest number is shown
COMPONENTS = MappingProxyType({1: ("",), 2: ("x", "y"), 3: ("x", "y", "z"), 4: ("w", "x", "y", "z"), 6: ("x1", "y1", "z1", "x2", "y2", "z2")})
KINDS = MappingProxyType({ObjType.XBODY: "body", ObjType.BODY: "body", ObjType.JOINT: "joint", ObjType.GEOM: "geom", ObjType.SITE: "site", ObjType.CAMERA: "camera",
                          ObjType.TENDON: "tendon", ObjType.ACTUATOR: "actuator", ObjType.MESH: "mesh"})


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of a sensor, or the largest of many. sensor: its id; component: 'x', ... where it has several; adr, count: place in sensordata; cutoff 0: none."""

    sensor: int
    name: str
    component: str
    adr: int
    count: int
    unit: str
    cutoff: float
    positive: bool

    @property
    def title(self) -> str:
        """Name with component."""
        return f"{self.name} {self.component}".rstrip()


@dataclass(frozen=True, slots=True)
class Picture:
    """A sensor whose values are a picture. stride: numbers per pixel; first: the one that is shown; colours: 3 of a user sensor, else 1 (a distance)."""

    sensor: int
    name: str
    width: int
    height: int
    adr: int
    stride: int
    first: int
    colours: int


def type_word(m, i: int) -> str:
    """The type of sensor i as the language has it."""
    return SensorType(int(m.sensor_type[i])).name.lower().replace("_", "-")


def sensor_name(m, i: int) -> str:
    """Its name, or its number."""
    return m.names["sensor"][i] or f"sensor {i}"


def place_of(m, i: int) -> str:
    """What a sensor is on, and what it measures against: 'site tip against body base'."""
    def named(kind: int, number: int) -> str:
        word = KINDS.get(kind, "")
        return f"{word} {m.names[word][number] or number}" if word and 0 <= number < len(m.names[word]) else ""

    on, against = named(int(m.sensor_objtype[i]), int(m.sensor_objid[i])), named(int(m.sensor_reftype[i]), int(m.sensor_refid[i]))
    return f"{on} against {against}" if on and against else on or against


def picture_of(m, i: int) -> Picture | None:
    """The picture that sensor i gives, or None."""
    kind, dim, adr, name = int(m.sensor_type[i]), int(m.sensor_dim[i]), int(m.sensor_adr[i]), sensor_name(m, i)
    if kind == SENS_RANGEFINDER and int(m.sensor_objtype[i]) == OBJ_CAMERA:
        width, height = map(int, m.cam_resolution[m.sensor_objid[i]])
        fields = int(m.sensor_intprm[i, 0])
        wanted = RAYDATA_DEPTH if fields >> RAYDATA_DEPTH & 1 else RAYDATA_DIST
        if width * height == 0 or not fields >> wanted & 1:
            return None
        stride = dim // (width * height)
        return Picture(i, name, width, height, adr, stride, stride - 1 if wanted == RAYDATA_DEPTH else 0, 1)
    if kind == SENS_USER and m.nuser_sensor >= 2:
        width, height = (int(v) for v in m.sensor_user[i, :2])
        if width > 0 and height > 0 and 3 * width * height == dim:
            return Picture(i, name, width, height, adr, 3, 0, 3)
    return None


def pixels(picture: Picture, sensordata) -> np.ndarray:
    """(height, width, 3) bytes: colours as they are (0 to 1, or 0 to 255), distances from white (near) to dark grey (far), black where nothing is hit."""
    count = picture.width * picture.height
    values = np.asarray(sensordata[picture.adr:picture.adr + count * picture.stride], float).reshape(picture.height, picture.width, picture.stride)
    if picture.colours == 3:
        shown = values[..., :3] * (255.0 if values.max(initial=0.0) <= 1.0 else 1.0)
        return np.clip(shown, 0, 255).astype(np.uint8)
    distance = values[..., picture.first]
    hit = distance >= 0
    near, far = (distance[hit].min(), distance[hit].max()) if hit.any() else (0.0, 1.0)
    grey = np.where(hit, 255.0 - 205.0 * (distance - near) / max(far - near, 1e-9), 0.0)
    return np.repeat(grey[..., None].astype(np.uint8), 3, axis=2)


def readings(m) -> dict[str, list[Reading]]:
    """{type of sensor: its readings}, in the order in which the types first appear; sensors whose values are pictures are left out."""
    groups: dict[str, list[Reading]] = {}
    for i in range(m.nsensor):
        if picture_of(m, i) is not None:
            continue
        dim, adr, name = int(m.sensor_dim[i]), int(m.sensor_adr[i]), sensor_name(m, i)
        shared = (sensor_unit(m, i), float(m.sensor_cutoff[i]), int(m.sensor_datatype[i]) == DATATYPE_POSITIVE)
        rows = groups.setdefault(type_word(m, i), [])
        if int(m.sensor_type[i]) == SENS_TACTILE and dim % 3 == 0:
            rows += [Reading(i, name, f"largest {word}", adr + k * dim // 3, dim // 3, unit, *shared[1:])
                     for k, (word, unit) in enumerate((("depth", "m"), ("slip 1", "m/s"), ("slip 2", "m/s")))]
        elif dim > MOST_BARS:
            rows.append(Reading(i, name, f"largest of {dim}", adr, dim, *shared))
        else:
            words = COMPONENTS.get(dim) or tuple(map(str, range(dim)))
            rows += [Reading(i, name, word, adr + k, 1, *shared) for k, word in enumerate(words)]
    return groups


def value_of(reading: Reading, sensordata) -> float:
    """What a reading says; of many numbers the one farthest from 0."""
    if reading.count == 1:
        return float(sensordata[reading.adr])
    values = sensordata[reading.adr:reading.adr + reading.count]
    return float(values[np.argmax(np.abs(values))])
