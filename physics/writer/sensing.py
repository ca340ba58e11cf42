"""Sensors."""
from __future__ import annotations

from types import MappingProxyType

from physics.enums import (
    OBJ_UNKNOWN,
    SENS_CONTACT,
    SENS_INSIDESITE,
    SENS_PLUGIN,
    SENS_RANGEFINDER,
    SENS_USER,
    ContactData,
    ObjType,
    RayData,
    SensorDataType,
    SensorType,
    Stage,
)
from physics.schema.schema import ElementSpec, lookup
from physics.spec.names import OBJECT_NAMESPACE
from physics.writer import tables
from physics.writer.draft import Draft, Node
from physics.writer.rows import attributes, bit_words, keyword

# sensors whose tag is not the name of their type
_TAGS = MappingProxyType({
    "jointactfrc": "jointactuatorfrc", "tendonactfrc": "tendonactuatorfrc", "geomdist": "distance", "geomnormal": "normal",
    "geomfromto": "fromto",
})
_SUBTREE = MappingProxyType({"xbody": "subtree"})   # what contact sensors call a body with all below it


def write(draft: Draft) -> None:
    """The sensor section."""
    section = Node("sensor")
    for s in range(draft.model.nsensor):
        _sensor(draft, section, s)
    if section.children:
        draft.root.children.append(section)


def _sensor(draft: Draft, section: Node, s: int) -> None:
    m = draft.model
    kind = int(m.sensor_type[s])
    if kind == SENS_PLUGIN:
        draft.warn(f"{draft.title('sensor', s)}: plugins are not written; the sensors after it move forward")
        return
    name = SensorType(kind).name.lower()
    path = f"sensor/{_TAGS.get(name, name)}"
    spec = lookup(path)
    attrs = attributes(draft, path, tables.SENSOR, s)
    attrs.update(_object(draft, spec, int(m.sensor_objtype[s]), int(m.sensor_objid[s]), "obj", "1"))
    attrs.update(_object(draft, spec, int(m.sensor_reftype[s]), int(m.sensor_refid[s]), "ref", "2"))
    attrs.update(_special(m, spec, s, kind))
    draft.element(section, path, "sensor", s, attrs)


def _object(draft: Draft, spec: ElementSpec, kind: int, index: int, prefix: str, number: str) -> dict[str, str]:
    """The attributes that name what a sensor is attached to, or what it measures against."""
    if kind == OBJ_UNKNOWN or index < 0:
        return {}
    word = ObjType(kind).name.lower()
    name = draft.refer(OBJECT_NAMESPACE[word], index)
    if prefix + "type" in spec.attributes:
        return {prefix + "type": word, prefix + "name": name}
    for attribute in (word + number, _SUBTREE.get(word, word) + number, word, _SUBTREE.get(word, word)):
        if attribute in spec.attributes:
            return {attribute: name}
    draft.warn(f"a {spec.tag} sensor cannot be attached to a {word}")
    return {}


def _special(m, spec: ElementSpec, s: int, kind: int) -> dict[str, str | None]:
    bits, second, third = m.sensor_intprm[s].tolist()
    known = spec.attributes
    if kind == SENS_CONTACT:
        return {"data": keyword(known["data"], " ".join(bit_words(ContactData, bits))), "num": str(third) if third != 1 else None,
                "reduce": keyword(known["reduce"], known["reduce"].values[second])}
    if kind == SENS_RANGEFINDER:
        return {"data": keyword(known["data"], " ".join(bit_words(RayData, bits)))}
    if kind == SENS_INSIDESITE:
        return {"enclosed": "true" if bits else None}
    if kind == SENS_USER:
        return {"dim": str(int(m.sensor_dim[s])), "datatype": keyword(known["datatype"], SensorDataType(int(m.sensor_datatype[s])).name.lower()),
                "needstage": keyword(known["needstage"], Stage(int(m.sensor_needstage[s])).name.lower())}
    return {}
