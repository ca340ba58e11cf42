"""Attaching one MjSpec, or a part of it, to another: the elements themselves move, with the names that prefix and suffix make of theirs, and all that belongs to them."""
from __future__ import annotations

from pathlib import PurePosixPath
from types import MappingProxyType

from .bodies import KINDS, MjsFrame
from .conflicts import merge_settings
from .copying import copy_with_twins
from .deleting import REFERRING, inside, references
from .mjcf.keyframes import pin
from .vectors import Vector

_ALONG = ("mesh", "hfield", "texture", "material", "numeric", "text")
_NAMING = MappingProxyType({"geom": ("material", "meshname", "hfieldname"), "site": ("material", "meshname"), "camera": ("targetbody",), "light": ("targetbody", "texture"),
           "mesh": ("material",), "tendon": ("material",), "skin": ("material",), "actuator": ("target", "refsite", "slidersite"), "sensor": ("objname", "refname"),
           "equality": ("name1", "name2"), "pair": ("geomname1", "geomname2"), "exclude": ("bodyname1", "bodyname2")})
_LISTS = MappingProxyType({"material": "textures", "skin": "bodyname", "tuple": "objname"})
_EMPTY = "attaching with an empty prefix may prevent the model from being saved correctly"


def frame_at(site) -> MjsFrame:
    """A new frame where a site is."""
    frame = site._parent.add_frame(pos=site.pos, quat=site.quat)
    frame.alt = site.alt
    frame.__dict__.update(_frame=site._frame, _compiler=site._compiler)
    return frame


def _source(parent, child, part):
    """(specification, part) to take from: a copy where copies are wanted. Raises ValueError for what is attached already."""
    if part is not None and part._spec is parent and not parent._copying:
        raise ValueError("Error: Child element is in the parent spec; enable deep copy to attach a copy of it.")
    if parent._copying:
        new, twins = copy_with_twins(child)
        return new, twins[part]
    if child.__dict__.get("_moved"):
        raise ValueError("Error: Child spec is already attached by reference; enable deep copy to attach a spec more than once.")
    return child, part


def attach(parent, child, prefix: str | None = None, suffix: str | None = None, site=None, frame=None):
    """Put all of another MjSpec where a site or a frame is; names get prefix and suffix. Gives the frame that it stands in. Raises ValueError."""
    for kind, place in (("site", site), ("frame", frame)):
        if isinstance(place, str) and parent._find(kind, place) is None:
            raise ValueError(f"{kind.capitalize()} not found.")
    site = parent._find("site", site) if isinstance(site, str) else site
    frame = parent._find("frame", frame) if isinstance(frame, str) else frame
    if (site is None) == (frame is None):
        raise ValueError("Only one of frame or site can be specified." if site is not None else "Either frame or site must be specified.")
    if (frame or site)._spec is not parent:
        raise ValueError("Frame spec does not match parent spec." if site is None else "Site spec does not match parent spec.")
    assets = merged_assets(parent, child, prefix or "", suffix or "")
    source, _part = _source(parent, child, None)
    if frame is None:
        frame = frame_at(site)
    inner = source._world.add_frame()
    for kind in KINDS:
        for one in source._world._children[kind]:
            if one._frame is None and one is not inner:
                one.__dict__["_frame"] = inner
    _move(parent, source, frame._parent, frame, inside(inner), inner, prefix, suffix)
    parent.__dict__["_assets"] = assets
    child.__dict__["_parent"] = parent
    source.__dict__["_moved"] = True
    return inner


def attach_part(body, frame, part, prefix, suffix):
    """A body or a frame of another MjSpec into a body."""
    parent, child = body._owner(), part._origin if part._spec is None else part._spec
    assets = merged_assets(parent, child, prefix or "", suffix or "")
    source, part = _source(parent, child, part)
    if part is source._world:
        raise ValueError("the world is attached with MjSpec.attach")
    _move(parent, source, body, frame, inside(part), part, prefix, suffix)
    parent.__dict__["_assets"] = assets
    child.__dict__["_parent"] = parent
    return part


def attach_body(place, body, prefix: str | None = None, suffix: str | None = None):
    """Put a body of another MjSpec, with all that belongs to it, where this frame or site is; its names get prefix and suffix. Gives the body. Raises ValueError."""
    return attach_part(place._parent, place if place.KIND == "frame" else frame_at(place), body, prefix, suffix)


def attach_frame(body, frame, prefix: str | None = None, suffix: str | None = None):
    """Put a frame of another MjSpec, with its contents and all that belongs to them, into this body. Gives the frame. Raises ValueError."""
    return attach_part(body, None, frame, prefix, suffix)


def merged_assets(parent, child, prefix: str, suffix: str) -> dict:
    """The parent's files with the child's, renamed as officially: without a prefix a folder ends with two separators. Raises ValueError for one that is there."""
    found = dict(parent._assets)
    for key, data in child._assets.items():
        path = PurePosixPath(key)
        folder = "" if str(path.parent) == "." else str(path.parent) + ("/" if prefix else "//")
        name = f"{folder}{prefix}{path.stem}{suffix}{path.suffix}"
        if name in found and not parent._override:
            raise ValueError(f"Asset {key} already exists in parent spec.")
        found[name] = data
    return found


def _move(parent, source, body, frame, moved: list, top, prefix, suffix) -> None:
    """Elements of the source's bodies, and all outside that belongs to them, become the parent's."""
    prefix, suffix = prefix or "", suffix or ""
    followers = _followers(source, moved)
    _check_names(parent, [*moved, *followers], prefix, suffix)
    merge_settings(parent, source)
    pin(parent)
    pin(source)
    keys = list(source._outside["key"])
    classes = _classes(parent, source, prefix, suffix)
    old = top._parent
    for one in (*moved, *followers):
        source._forget(one)
        _rename(one, prefix, suffix)
        one.__dict__.update(_spec=parent, _class=classes.get(one._class, one._class))
        if one.name:
            parent._names[one.KIND][one.name] = one
    for one in moved:
        if one._parent is old:
            body._children[one.KIND].append(one)     # the source goes on listing it
            one.__dict__["_parent"] = body
    top.__dict__["_frame"] = frame
    for one in followers:
        parent._outside[one.KIND].append(one)
    _keys(parent, source, keys, prefix, suffix)
    if not prefix:
        parent._warnings.append(_EMPTY)
    parent._changed()


def _followers(source, moved: list) -> list:
    """Assets, and what refers only to things that move."""
    have = {(one.KIND, one.name) for one in moved if one.name} | {("body", "world")}
    found = [one for kind in _ALONG for one in source._outside[kind]]
    for kind in REFERRING:
        for one in source._outside[kind]:
            places = [place for place in references(one) if place[1]]
            if all(place in have for place in places) and (any(place != ("body", "world") for place in places) or not places and kind == "sensor"):
                found.append(one)
                have.add((kind, one.name))
    return found


def _check_names(parent, elements: list, prefix: str, suffix: str) -> None:
    for one in elements:
        name = f"{prefix}{one.name}{suffix}"
        if one.name and name in parent._names[one.KIND]:
            raise ValueError(f"Error: repeated name '{name}' in {one.KIND}")


def _rename(one, prefix: str, suffix: str) -> None:
    values = one._values

    def new(name: str) -> str:
        return f"{prefix}{name}{suffix}" if name and name != "world" else name

    values["name"] = new(values["name"])
    for field in _NAMING.get(one.KIND, ()):
        values[field] = new(values[field])
    if one.KIND in _LISTS:
        held = values[_LISTS[one.KIND]]
        held[:] = [new(name) for name in held]
    if one.KIND == "frame" and values["childclass"]:
        values["childclass"] = new(values["childclass"])
    for wrap in one._path if one.KIND == "tendon" else ():
        wrap.__dict__.update(_name=new(wrap._name), _side=new(wrap._side))


def _classes(parent, source, prefix: str, suffix: str) -> dict:
    """The source's default classes inside the parent's, main among them as prefix + main; old -> new."""
    found: dict = {source._default._around: parent._default}
    for old in source._default._walk():
        name = f"{prefix}{old.name}{suffix}"
        new = parent.find_default(name)
        if new is None:
            new = parent.add_default(name, found[old._around])
            for kind in vars(new):
                if not kind.startswith("_"):
                    setattr(new, kind, getattr(old, kind))
        found[old] = new
    return found


def _keys(parent, source, keys: list, prefix: str, suffix: str) -> None:
    """Copies of the source's keyframes."""
    from .elements import MjsKey  # late: only here

    for key in keys:
        name = f"{prefix}{key.name}{suffix}" if key.name else ""
        if name and parent._find("key", name) is not None:
            continue
        new = MjsKey._made(parent)
        for field, value in key._values.items():
            if field != "name":
                new._values[field] = type(value)(value) if isinstance(value, Vector) else value
        new.name = name
        new.__dict__["_pins"] = {field: (new._values[field], dict(held)) for field, (vector, held) in key.__dict__.get("_pins", {}).items() if vector is key._values[field]}
        parent._outside["key"].append(new)


