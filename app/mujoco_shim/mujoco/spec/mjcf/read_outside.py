"""What stands outside the bodies: assets, contacts, tendons, equalities, actuators, sensors, custom values and keyframes."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.schema import schema
from physics.schema.numbers import parse

from ..fields import ENUMS
from .sensor_words import read_objects
from .words import keywords

_OBJ, _TRN = ENUMS["mjtObj"], ENUMS["mjtTrn"]
_TARGETS = MappingProxyType({"joint": "JOINT", "jointinparent": "JOINTINPARENT", "tendon": "TENDON", "site": "SITE", "body": "BODY", "cranksite": "SLIDERCRANK"})


def read_outside(reader) -> None:
    """All of it, in the order of the text."""
    root = reader.root
    for element in root.section("asset"):
        if element.tag in ("mesh", "hfield", "texture", "material", "skin"):
            _asset(reader, element)
    for element in root.section("deformable"):
        if element.tag == "skin":
            _asset(reader, element)
        else:
            raise ValueError("XML Error: flexes are not in Linkwork's compatibility module")
    for element in root.section("contact"):
        reader.add(element.tag, element, f"contact/{element.tag}")
    for element in root.section("tendon"):
        _tendon(reader, element)
    for element in root.section("equality"):
        _equality(reader, element)
    for element in root.section("actuator"):
        _actuator(reader, element)
    for element in root.section("sensor"):
        new = reader.add("sensor", element, f"sensor/{element.tag}")
        if element.tag != "plugin":
            read_objects(new._values, element.tag, element.attrs)
    for element in root.section("custom"):
        _custom(reader, element)
    for element in root.section("keyframe"):
        new = reader.add("key", element, "keyframe/key")
        layout = reader.expanded.keys.get(element.id)
        if layout is not None:
            new.__dict__["_layout"] = layout
    for plugin in root.section("extension"):
        for instance in plugin.all("instance"):
            new = reader.add("plugin", instance, "extension/plugin/instance")
            new._values["plugin_name"] = plugin.attrs.get("plugin", "")
            new.config = {one.attrs.get("key", ""): one.attrs.get("value", "") for one in instance.all("config")}


def _asset(reader, element) -> None:
    new = reader.add(element.tag, element, f"asset/{element.tag}")
    values = new._values
    if element.tag == "hfield" and values["userdata"]:
        rows = np.array(values["userdata"]).reshape(max(1, values["nrow"]), -1)
        values["userdata"] = type(values["userdata"])(rows[::-1].ravel().tolist())    # a text begins with the row of highest y
    for bone in element.all("bone") if element.tag == "skin" else ():
        known = schema.lookup("asset/skin/bone").attributes
        numbers = {name: np.ravel(parse(known[name], bone.attrs.get(name, ""))[0]).tolist() for name in ("bindpos", "bindquat", "vertid", "vertweight")}
        values["bodyname"].append(bone.attrs.get("body", ""))
        values["bindpos"].extend(numbers["bindpos"])
        values["bindquat"].extend(numbers["bindquat"])
        values["vertid"].append([int(n) for n in numbers["vertid"]])
        values["vertweight"].append(numbers["vertweight"])


def _tendon(reader, element) -> None:
    new = reader.add("tendon", element, f"tendon/{element.tag}")
    for part in element.children:
        if part.tag == "site":
            new.wrap_site(part.attrs.get("site", ""))
        elif part.tag == "geom":
            new.wrap_geom(part.attrs.get("geom", ""), part.attrs.get("sidesite", ""))
        elif part.tag == "pulley":
            new.wrap_pulley(float(part.attrs.get("divisor", 1)))
        elif part.tag == "joint":
            new.wrap_joint(part.attrs.get("joint", ""), float(part.attrs.get("coef", 1)))


def _equality(reader, element) -> None:
    new = reader.add("equality", element, f"equality/{element.tag}")
    values, attrs, tag = new._values, element.attrs, element.tag
    values["type"] = keywords("mjtEq")[tag]
    kind = "site" if "site1" in attrs else "body" if tag in ("connect", "weld") else tag
    if kind in ("site", "body"):
        values["objtype"] = int(_OBJ[f"mjOBJ_{kind.upper()}"])
    values.update(name1=attrs.get(f"{kind}1", attrs.get(kind, "")), name2=attrs.get(f"{kind}2", ""))
    known, data = schema.lookup(f"equality/{tag}").attributes, values["data"]
    if tag in ("connect", "weld"):
        data[:3] = 0
    for name, first in (("anchor", 0), ("relpose", 3), ("torquescale", 10), ("polycoef", 0)):
        value = parse(known[name], attrs[name])[0] if name in known and name in attrs else None
        if value is not None:
            numbers = np.ravel(value)
            data[first:first + len(numbers)] = numbers


def _actuator(reader, element) -> None:
    new = reader.add("actuator", element, "actuator/general" if element.tag == "plugin" else f"actuator/{element.tag}")
    values, attrs = new._values, element.attrs
    reader.law(values, reader.actuators.settings(element))
    for name, kind in _TARGETS.items():
        if attrs.get(name):
            values.update(trntype=int(_TRN[f"mjTRN_{kind}"]), target=attrs[name])
    values.update(refsite=attrs.get("refsite", ""), slidersite=attrs.get("slidersite", ""))


def _custom(reader, element) -> None:
    new = reader.add(element.tag, element, f"custom/{element.tag}")
    values = new._values
    if element.tag == "numeric" and not values["size"]:
        values["size"] = len(values["data"])
    for part in element.all("element") if element.tag == "tuple" else ():
        values["objtype"].append(int(_OBJ[f"mjOBJ_{part.attrs.get('objtype', 'unknown').upper()}"]))
        values["objname"].append(part.attrs.get("objname", ""))
        values["objprm"].append(float(part.attrs.get("prm", 0)))
