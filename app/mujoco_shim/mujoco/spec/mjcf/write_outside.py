"""What stands outside the bodies as elements, section by section."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.spec.element import Element

from ..fields import ENUMS
from .keyframes import numbers_of
from .sensor_words import object_attributes
from ..tendons import JOINT, PULLEY, SITE
from .writing import CompileError, Writer, _with_class

_OBJ, _EQ, _TRN = ENUMS["mjtObj"], ENUMS["mjtEq"], ENUMS["mjtTrn"]
_GAIN = ENUMS["mjtGain"]
_INPUTS = ("pos", "vel", "ff", "voltage", "none", "pressure")
_CUBE = ("right", "left", "up", "down", "front", "back")
_TARGETS = MappingProxyType({int(_TRN[f"mjTRN_{kind}"]): name for kind, name in (("JOINT", "joint"), ("JOINTINPARENT", "jointinparent"), ("TENDON", "tendon"), ("SITE", "site"), ("BODY", "body"),
                                                               ("SLIDERCRANK", "cranksite"))})


def sections(write: Writer) -> list[Element]:
    """Assets, contacts, tendons and all that follows, those sections that hold something."""
    spec = write.spec
    lists = spec._outside
    rows = {
        "asset": [_asset(write, one) for kind in ("texture", "material", "mesh", "hfield", "skin") for one in lists[kind]],
        "contact": [write.element(kind, _with_class(write.attributes(one, f"contact/{kind}"), write.classed(one, "main")), (), one) for kind in ("pair", "exclude")
                    for one in lists[kind]],
        "tendon": [_tendon(write, one) for one in lists["tendon"]],
        "equality": [_equality(write, one) for one in lists["equality"]],
        "actuator": [_actuator(write, one) for one in lists["actuator"]],
        "sensor": [_sensor(write, one) for one in lists["sensor"]],
        "custom": [_custom(write, one) for kind in ("numeric", "text", "tuple") for one in lists[kind]],
        "keyframe": [_key(write, one) for one in lists["key"]],
    }
    return [write.element(tag, {}, children) for tag, children in rows.items() if children]


def _asset(write: Writer, one) -> Element:
    kind, values = one.KIND, one._values
    children = []
    if kind == "mesh":
        attrs = write.attributes(one, "asset/mesh", skip={"builtin", "params"})
        if one._shape is not None and not values["uservert"]:
            attrs.update(builtin=one._shape[0], params=write.list(one._shape[1]))
        if not values["file"]:
            attrs.pop("content_type", None)
    elif kind == "hfield":
        attrs = write.attributes(one, "asset/hfield", skip={"elevation"})
        if values["userdata"]:
            rows = np.array(values["userdata"])
            if rows.size != values["nrow"] * values["ncol"]:
                raise CompileError("elevation data length must match nrow*ncol", one)
            attrs["elevation"] = write.list(rows.reshape(values["nrow"], -1)[::-1].ravel())
    elif kind == "texture":
        attrs = write.attributes(one, "asset/texture", skip={"gridlayout"})
        layout = "".join(values["gridlayout"]).rstrip("\0")
        if layout.strip("."):
            attrs["gridlayout"] = layout
        for side, file in zip(_CUBE, values["cubefiles"]):
            if file:
                attrs[f"file{side}"] = write.file(one, "cubefiles", file)
        if values["data"] and write.file_of is not None:
            attrs["file"] = write.file_of(one, "data", "")
            for name in ("builtin", "width", "height", "nchannel"):
                attrs.pop(name, None)
    elif kind == "material":
        attrs = write.attributes(one, "asset/material", skip={"texture"})
        roles = {k: name for k, name in enumerate(values["textures"]) if name and k}     # MJCF has no word for the first role
        if write.reference(one)["textures"] == values["textures"]:
            pass
        elif set(roles) == {1}:
            attrs["texture"] = roles[1]
        else:
            words = {int(member): member.name.removeprefix("mjTEXROLE_").lower() for member in ENUMS["mjtTextureRole"]}
            children = [write.element("layer", {"role": words[k], "texture": name}) for k, name in roles.items()]
        attrs.setdefault("name", "")
    else:
        attrs = write.attributes(one, "asset/skin")
        for k, body in enumerate(values["bodyname"]):
            children.append(write.element("bone", {
                "body": body, "bindpos": write.list(values["bindpos"][3 * k:3 * k + 3]), "bindquat": write.list(values["bindquat"][4 * k:4 * k + 4]),
                "vertid": " ".join(map(str, values["vertid"][k])), "vertweight": write.list(values["vertweight"][k])}))
    return write.element(kind, _with_class(attrs, write.classed(one, "main")), children, one)


def _tendon(write: Writer, one) -> Element:
    fixed = bool(one._path) and one._path[0]._kind == JOINT
    tag = "fixed" if fixed else "spatial"
    if not one._path:
        raise CompileError("tendon path is empty", one)
    attrs = _with_class(write.attributes(one, f"tendon/{tag}"), write.classed(one, "main"))
    return write.element(tag, attrs, [_wrap(write, wrap) for wrap in one._path], one)


def _wrap(write: Writer, wrap) -> Element:
    if wrap._kind == JOINT:
        return write.element("joint", {"joint": wrap._name, "coef": write.number(wrap._value)})
    if wrap._kind == PULLEY:
        return write.element("pulley", {"divisor": write.number(wrap._value)})
    if wrap._kind == SITE:
        return write.element("site", {"site": wrap._name})
    return write.element("geom", {"geom": wrap._name, **({"sidesite": wrap._side} if wrap._side else {})})


def _equality(write: Writer, one) -> Element:
    values, data = one._values, one._values["data"]
    tag = _EQ(values["type"]).name.removeprefix("mjEQ_").lower()
    attrs = _with_class(write.attributes(one, f"equality/{tag}"), write.classed(one, "main"))
    kind = tag
    if tag in ("connect", "weld"):
        kind = "site" if values["objtype"] == int(_OBJ.mjOBJ_SITE) else "body"
        if kind == "body":
            attrs["anchor"] = write.list(data[:3])
            if tag == "weld" and data[3:10].any():
                attrs["relpose"] = write.list(data[3:10])
        if tag == "weld":
            attrs["torquescale"] = write.number(data[10])
    elif tag in ("joint", "tendon"):
        attrs["polycoef"] = write.list(data[:5])
    for k in ("1", "2"):
        if values[f"name{k}"]:
            attrs[kind + k if kind not in ("flex", "flexstrain") else "flex"] = values[f"name{k}"]
    return write.element(tag, attrs, (), one)


def _actuator(write: Writer, one) -> Element:
    values = one._values
    if values["trntype"] not in _TARGETS:
        raise CompileError("missing transmission target for actuator", one)
    attrs = _with_class(write.attributes(one, "actuator/general", skip={"input"}), write.classed(one, "main"))
    attrs[_TARGETS[values["trntype"]]] = values["target"]
    for name in ("refsite", "slidersite"):
        if not values[name]:
            attrs.pop(name, None)
    if values["ctrlspec"] and values["ctrlspec"] != write.reference(one)["ctrlspec"]:
        word = _input(values)
        if word:
            attrs["input"] = word
    return write.element("general", attrs, (), one)


def _input(values: dict) -> str:
    """The attribute input."""
    if values["gaintype"] == int(_GAIN.mjGAIN_SO3):
        return ("", "expmap", "quat")[values["ctrlspec"]] if values["ctrlspec"] < 3 else ""
    return " ".join(word for k, word in enumerate(_INPUTS) if values["ctrlspec"] >> k & 1)


def _sensor(write: Writer, one) -> Element:
    try:
        tag, objects = object_attributes(one._values)
    except ValueError as error:
        raise CompileError(str(error), one) from None
    attrs = write.attributes(one, f"sensor/{tag}", skip={"objtype", "objname", "reftype", "refname", "dim", "datatype", "needstage", "data", "reduce", "num", "enclosed"})
    return write.element(tag, {**objects, **attrs}, (), one)


def _custom(write: Writer, one) -> Element:
    values = one._values
    if one.KIND == "numeric":
        return write.element("numeric", {"name": one.name, "data": write.list(values["data"]), "size": str(values["size"] or len(values["data"]))}, (), one)
    if one.KIND == "text":
        return write.element("text", {"name": one.name, "data": values["data"]}, (), one)
    rows = []
    for k, name in enumerate(values["objname"]):
        kind = _OBJ(values["objtype"][k]).name.removeprefix("mjOBJ_").lower()
        rows.append(write.element("element", {"objtype": kind, "objname": name, "prm": write.number(values["objprm"][k] if k < len(values["objprm"]) else 0.0)}))
    return write.element("tuple", {"name": one.name}, rows, one)


def _key(write: Writer, one) -> Element:
    attrs = {"name": one.name} if one.name else {}
    if one._values["time"]:
        attrs["time"] = write.number(one._values["time"])
    for name in ("qpos", "qvel", "act", "mpos", "mquat", "ctrl", "plastic"):
        numbers = numbers_of(write.spec, one, name)
        if len(numbers):
            attrs[name] = write.list(numbers)
    return write.element("key", attrs, (), one)


