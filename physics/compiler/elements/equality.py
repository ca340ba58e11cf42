"""Equality constraints: what is kept equal, and the anchors and relative poses that follow from the initial pose.

Source: MuJoCo MJCF reference, chapter equality; Computation chapter, "Equality".
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.compiler.build import Build
from physics.compiler.compat import global_coordinates
from physics.compiler.derived.initial_pose import Pose
from physics.compiler.items import Item
from physics.compiler.source import numbers
from physics.enums import JNT_HINGE, JNT_SLIDE, EqType, ObjType
from physics.rotation.quaternion import apply, conj, mul, transpose, unit

_TYPES = MappingProxyType({"connect": EqType.CONNECT, "weld": EqType.WELD, "joint": EqType.JOINT, "tendon": EqType.TENDON,
                           "distance": EqType.DISTANCE})
_ROWS = MappingProxyType({EqType.CONNECT: 3, EqType.WELD: 7, EqType.JOINT: 1, EqType.TENDON: 1, EqType.DISTANCE: 1})  # a weld counts one more than it has
_START = (0.0, 1.0, *(0.0,) * 8, 1.0, 0.0)  # a linear coupling, and the torque scale
_NAMES = MappingProxyType({name: name for name in ("active", "solref", "solimp")})
_COMPUTED = 11  # entry of eq_data that says that the relative pose is the initial one's


def gather(build: Build) -> None:
    """Make the items of equality constraints."""
    for element in build.source.root.section("equality"):
        kind = _TYPES.get(element.tag)
        if kind is None:
            build.source.partial = True
            continue
        a = build.source.attrs(element)
        objtype, one, two = _objects(build, a, kind)
        if one is None:
            build.source.partial = True
            continue
        item = build.items.add("equality", element, a.plain(_NAMES), type=kind, objtype=objtype, obj1=one, obj2=two, data=_data(a, kind, objtype))
        _check(build, item)


def _objects(build: Build, a, kind: EqType) -> tuple[ObjType, int | None, int]:
    """Kind and ids of what is coupled; None for the first id when one of them was left out, -1 for the second when it is not given."""
    sites = kind in (EqType.CONNECT, EqType.WELD) and a.own("site1")
    if kind in (EqType.CONNECT, EqType.WELD):
        word = "site" if sites else "body"
        objtype = ObjType.SITE if sites else ObjType.BODY
    elif kind == EqType.DISTANCE:
        word, objtype = "geom", ObjType.GEOM
    else:
        word, objtype = a.element.tag, ObjType.UNKNOWN
    names = a[word + "1"], a[word + "2"]
    ids = [build.items.id(word, name) if name else None for name in names]
    if ids[1] is None:
        ids[1] = 0 if objtype == ObjType.BODY else -1
    elif ids[1] < 0:
        return objtype, None, -1
    return objtype, (None if ids[0] is None or ids[0] < 0 else ids[0]), ids[1]


def _data(a, kind: EqType, objtype: ObjType) -> list[float]:
    """The 12 numbers before anything is computed."""
    data = list(_START)
    if kind == EqType.CONNECT:
        data[:3] = numbers(a["anchor"]) if objtype == ObjType.BODY else data[:3]
    elif kind == EqType.WELD:
        if objtype == ObjType.BODY:
            data[:10] = (*numbers(a["anchor"]), *numbers(a["relpose"]))
        data[10] = a["torquescale"]
    elif kind == EqType.DISTANCE:
        data = [a["distance"], *(0.0,) * 11]
    elif a.given("polycoef"):
        data[:5] = numbers(a["polycoef"])
        data[a.count("polycoef"):5] = _START[a.count("polycoef"):5]
    return data


def _check(build: Build, item: Item) -> None:
    element = item.element
    if item.obj1 == item.obj2:
        build.problems.error(element, "it couples a thing with itself", "Name two different ones")
    if item.type == EqType.JOINT:
        for name, joint in (("joint1", item.obj1), ("joint2", item.obj2)):
            if joint >= 0 and build.items["joint"][joint].type not in (JNT_HINGE, JNT_SLIDE):
                build.problems.error(element, "only hinge and slide joints can be coupled", attr=name)


def fill(build: Build) -> None:
    """Fields eq_*, but eq_data."""
    build.fields.column("equality", eq_type="type", eq_objtype="objtype", eq_obj1id="obj1", eq_obj2id="obj2", eq_active0="active", eq_solref="solref",
                 eq_solimp="solimp")
    build.fields.sizes["nemax"] = sum(_ROWS[item.type] for item in build.items["equality"])


def complete(build: Build, pose: Pose) -> None:
    """eq_data, with what follows from the initial pose.

    connect: the anchor in the second body's frame. weld of bodies: without a quaternion, the anchor (given in the second body's frame)
    in the first one's, and the second body's orientation in the first one's frame.
    """
    for item in build.items["equality"]:
        data = item.data
        if item.objtype == ObjType.BODY and global_coordinates.is_global(build, item.element):   # anchors are world points there
            data[:3] = _local(pose, item.obj1 if item.type == EqType.CONNECT else item.obj2, data[:3])
        if item.type == EqType.CONNECT:
            if item.objtype == ObjType.BODY:
                data[3:6] = _local(pose, item.obj2, pose.point(item.obj1, data[:3]))
            else:
                data[:] = [0.0] * 12
        elif item.type == EqType.WELD and item.objtype == ObjType.BODY:
            if any(data[6:10]):
                data[6:10] = unit(data[6:10])[0]
            else:
                data[3:6] = _local(pose, item.obj1, pose.point(item.obj2, data[:3]))
                data[6:10] = mul(conj(pose.xquat[item.obj1]), pose.xquat[item.obj2])
                data[_COMPUTED] = 1.0
    build.fields.column("equality", eq_data="data")


def _local(pose: Pose, body: int, point) -> tuple:
    """A world point in a body's frame."""
    return apply(transpose(pose.xmat[body]), np.subtract(point, pose.xpos[body]).tolist())
