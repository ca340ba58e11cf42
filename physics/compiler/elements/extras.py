"""Custom fields and keyframes."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.compiler.build import Build
from physics.compiler.elements import attached_keys
from physics.compiler.items import Item
from physics.compiler.source import numbers
from physics.enums import ObjType
from physics.rotation.quaternion import unit
from physics.spec.names import OBJECT_NAMESPACE

_GROUPS = MappingProxyType({"mpos": 3, "mquat": 4})


def customs(build: Build) -> None:
    """numeric and text fields; tuples and keyframes by name only, so that others can refer to them."""
    for element in build.source.root.section("keyframe"):
        build.items.add("key", element)
    for element in build.source.root.section("custom"):
        a = build.source.attrs(element)
        if element.tag == "numeric":
            _numeric(build, a)
        elif element.tag == "tuple":
            build.items.add("tuple", element)
        elif element.tag == "text":
            data = element.attrs.get("data", "")
            build.items.add("text", element, data=data.encode() + b"\0")
            build.words.texts[element.name] = data
            if not data:
                build.problems.error(element, "the text is empty")
    out = build.fields.rows
    for kind, values in (("numeric", "data"), ("text", "data")):
        rows = [getattr(item, values) for item in build.items[kind]]
        sizes = [len(row) for row in rows]
        out[f"{kind}_size"], out[f"{kind}_adr"] = sizes, np.concatenate([[0], np.cumsum(sizes)])[:-1]
        build.fields.sizes[f"n{kind}data"] = sum(sizes)
    out["numeric_data"] = [x for item in build.items["numeric"] for x in item.data]
    out["text_data"] = list(b"".join(item.data for item in build.items["text"]))


def _numeric(build: Build, a) -> None:
    data = numbers(a["data"])
    size = a["size"]
    size = len(data) if not size else int(size)
    if size < len(data):
        build.problems.error(a.element, f"size is {size}, but {len(data)} values are given", attr="size")
    if not 0 < size <= 10**7 or a["size"] == 0:
        build.problems.error(a.element, "a numeric field needs values or a size that is not absurd", attr="size")
        size = max(1, len(data))
    if not build.problems.room(a.element, "fields", size - len(data), "size"):
        size = len(data)
    build.items.add("numeric", a.element, data=(*data, *(0.0,) * (size - len(data))))


def tuples(build: Build) -> None:
    """tuple fields; everything they may name exists by now."""
    for item in build.items["tuple"]:
        item.entries = [entry for child in item.element.children if (entry := _entry(build, child)) is not None]
        if not item.element.children:
            build.problems.error(item.element, "the tuple is empty")
    out, rows = build.fields.rows, [item.entries for item in build.items["tuple"]]
    sizes = [len(row) for row in rows]
    out["tuple_size"], out["tuple_adr"] = sizes, np.concatenate([[0], np.cumsum(sizes)])[:-1]
    flat = [entry for row in rows for entry in row]
    build.fields.sizes["ntupledata"] = len(flat)
    for k, name in enumerate(("objtype", "objid", "objprm")):
        out["tuple_" + name] = [entry[k] for entry in flat]


def _entry(build: Build, element) -> tuple[int, int, float] | None:
    """(ObjType, id, number) of what a tuple names; None where it was left out or cannot be named."""
    kind = element.attrs.get("objtype", "")
    space = OBJECT_NAMESPACE.get(kind)
    if space is None:
        what = f"there is no kind of element called '{kind}'" if kind else "'objtype' is missing"
        build.problems.error(element, what, "A tuple names body, joint, geom, site and the like", "objtype")
        return None
    found = build.items.id(space, element.attrs.get("objname", "")) if space in build.items else -1
    if found < 0:
        build.source.partial = True
        return None
    return int(ObjType[kind.upper()]), found, build.source.attrs(element)["prm"]


def keyframes(build: Build) -> None:
    """Keyframes; what is not given is the initial state."""
    sizes = build.fields.sizes
    mocaps = [b for b in build.items["body"] if b.mocap]
    initial = dict(
        qpos=build.fields.rows["qpos0"], qvel=[0.0] * sizes["nv"], act=[0.0] * sizes["na"], ctrl=[0.0] * sizes["nu"],
        mpos=[x for b in mocaps for x in b.pos], mquat=[x for b in mocaps for x in b.quat],
    )
    keys, wanted = build.items["key"], build.words.nkey
    missing = max(0, wanted - len(keys))
    asking = build.source.root.all("size")[-1] if missing else keys[-1].element if keys else build.source.root
    if not build.problems.room(asking, "keyframes", max(wanted, len(keys)) * sum(map(len, initial.values()))):
        return
    for key in keys:
        a = build.source.attrs(key.element)
        key.time = a["time"]
        if len(numbers(a["plastic"])) and not build.source.partial:
            build.problems.error(key.element, "the model has nothing that yields, the keyframe has values of plastic", attr="plastic")
        for name, start in initial.items():
            setattr(key, name, _key_values(build, a, name, start))
        _normalise(build, key)
    for _ in range(missing):
        build.items.add("key", None, time=0.0, **{n: list(v) for n, v in initial.items()})
    build.fields.column("key", key_time="time", **{"key_" + n: n for n in initial})


def _key_values(build: Build, a, name: str, start: list) -> list:
    """A keyframe's list; what it leaves out at the end is as it is at the start, bodies moved by hand one by one."""
    given, group = list(numbers(a[name])), _GROUPS.get(name, 1)
    layout = build.source.expanded.keys.get(a.element.id)
    if layout is not None and given:
        return attached_keys.spread(build, a.element, layout, name, given, start)
    if len(given) > len(start) and not build.source.partial:
        build.problems.error(a.element, f"the model has {len(start)} values of {name}, the keyframe {len(given)}", attr=name)
        return list(start)
    if not np.isfinite(given).all():
        build.problems.error(a.element, f"'{name}' is not finite", attr=name)
    given = given[:len(given) // group * group]
    return (given + list(start[len(given):]))[:len(start)]


def _normalise(build: Build, key: Item) -> None:
    for joint in build.items["joint"]:
        if joint.nq >= 4:
            k = joint.qposadr + joint.nq - 4
            key.qpos[k:k + 4] = _unit_quat(key.qpos[k:k + 4])
    for k in range(0, len(key.mquat), 4):
        turned, length = unit(key.mquat[k:k + 4])
        if length:   # zeros stay, unlike those of joints
            key.mquat[k:k + 4] = turned


def _unit_quat(q) -> tuple:
    turned, length = unit(q)
    return turned if length else (1.0, 0.0, 0.0, 0.0)
