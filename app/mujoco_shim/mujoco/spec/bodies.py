"""Bodies, frames and sites: what things are attached to."""
from __future__ import annotations

from abc import abstractmethod
from types import MappingProxyType

from .elements import MjsCamera, MjsElement, MjsGeom, MjsJoint, MjsLight
from .fields import fields_of, give_fields, put, put_keywords
from .meshes import no_flex

KINDS = ("body", "joint", "geom", "site", "camera", "light", "frame")     # what stands in a body
LISTS = MappingProxyType({"body": "bodies", **{kind: kind + "s" for kind in KINDS[1:]}})
_FREE = frozenset({"align", "group", "name"})


class _Holder:
    """What bodies and frames can do: make elements in a body. A frame's class is not that of its contents made so."""

    @abstractmethod
    def _home(self):
        """(body, frame) that new elements stand in."""

    def _add(self, kind: type, default, given) -> MjsElement:
        body, frame = self._home()
        if default is not None and not hasattr(default, "actuator"):
            raise TypeError(f"add_{kind.KIND}(): incompatible function arguments: default is a MjsDefault")
        spec = body._owner()
        new = kind._made(spec, default or body._class)
        new.__dict__.update(_parent=body, _frame=frame)
        put_keywords(new, kind.KIND, given)
        body._children[kind.KIND].append(new)
        spec._changed()
        return new

    def add_geom(self, default=None, **given) -> MjsGeom:
        """A new geom."""
        return self._add(MjsGeom, default, given)

    def add_joint(self, default=None, **given) -> MjsJoint:
        """A new joint."""
        return self._add(MjsJoint, default, given)

    def add_site(self, default=None, **given) -> MjsSite:
        """A new site."""
        return self._add(MjsSite, default, given)

    def add_camera(self, default=None, **given) -> MjsCamera:
        """A new camera."""
        return self._add(MjsCamera, default, given)

    def add_light(self, default=None, **given) -> MjsLight:
        """A new light."""
        return self._add(MjsLight, default, given)

    def add_body(self, default=None, **given) -> MjsBody:
        """A new body."""
        return self._add(MjsBody, default, given)

    def add_frame(self, default=None, **given) -> MjsFrame:
        """A new frame; default: the frame to put it into."""
        body, frame = self._home()
        new = self._add(MjsFrame, None, given)
        new.__dict__["_frame"] = frame if default is None else default
        return new


class MjsFrame(_Holder, MjsElement):
    """A frame: it moves and scales what is in it, and is gone in the compiled model."""

    KIND = "frame"

    def _home(self):
        return self._parent, self

    classname = property(lambda self: (_ for _ in ()).throw(AttributeError("MjsFrame has no attribute 'classname'")))

    @property
    def childclass(self) -> str:
        """Default class of its contents, as text."""
        return self._values["childclass"]

    @childclass.setter
    def childclass(self, value: str) -> None:
        put(self._values, fields_of("frame")["childclass"], value)


class MjsSite(MjsElement):
    """A site."""

    KIND = "site"


class MjsBody(_Holder, MjsElement):
    """A body."""

    KIND = "body"
    KEYWORDS = frozenset({"childclass"})

    def _begin(self, spec, values, default=None) -> None:
        super()._begin(spec, values, default)
        self.__dict__["_children"] = {kind: [] for kind in KINDS}

    def _home(self):
        return self, None

    def _owner(self):
        if self._spec is None:
            raise ValueError("body is not in this model")
        return self._spec

    @property
    def childclass(self) -> str:
        """Default class of its contents."""
        return self._class.name

    @childclass.setter
    def childclass(self, value: str) -> None:
        found = self._owner().find_default(value)
        if found is None:
            raise ValueError(f"there is no default class '{value}'")
        self.__dict__["_class"] = found

    @property
    def fuse(self) -> int:
        """Whether it may be fused with its parent."""
        return self._values["fuse"]

    @fuse.setter
    def fuse(self, value) -> None:
        self._values["fuse"] = int(value)

    def add_freejoint(self, **given) -> MjsJoint:
        """A new free joint."""
        for name in given:
            if name not in _FREE:
                raise TypeError(f"Invalid {name} keyword argument. Valid options are: align, group, name.")
        pattern = self._owner()._plain
        new = self._add(MjsJoint, pattern, {**given, "type": 0})
        new.__dict__["_class"] = self._class
        return new

    make_flex = no_flex

    # ------------------------------------------------ what is inside

    def _walk(self):
        """This body and all below, in the order of the compiled model."""
        waiting = [self]
        while waiting:
            body = waiting.pop()
            yield body
            waiting.extend(reversed(body._children["body"]))

    def find_all(self, kind) -> list:
        """All elements of a kind ('geom', or an mjtObj) in this body and below."""
        from .fields import ENUMS  # late: only here

        name = kind if isinstance(kind, str) else ENUMS["mjtObj"](kind).name.removeprefix("mjOBJ_").lower()
        if name not in KINDS:
            raise ValueError("body.find_all supports the types: body, frame, geom, site, joint, light, camera.")
        found = [element for body in self._walk() for element in ([body] if name == "body" else body._children[name])]
        return found[1:] if name == "body" else found

    def find_child(self, name: str) -> MjsBody | None:
        """The body of a name in this one or below."""
        return next((body for body in self._walk() if body.name == name), None)

    def to_frame(self) -> MjsFrame:
        """Become a frame: all that is in here stands in the parent's frame from now on."""
        parent, spec = self._parent, self._owner()
        if parent is None:
            raise ValueError("the world is no frame")
        frame = parent.add_frame(pos=self.pos, quat=self.quat)
        frame.alt = self.alt
        frame.set_frame(self._frame)
        for kind in KINDS:
            for element in self._children[kind]:
                element.__dict__["_parent"] = parent
                if element._frame is None:
                    element.__dict__["_frame"] = frame
            at = parent._children["body"].index(self) if kind == "body" else len(parent._children[kind])
            parent._children[kind][at:at] = self._children[kind]
            self._children[kind] = []
        parent._children["body"].remove(self)
        spec._forget(self)
        spec._changed()
        return frame


def _list(kind: str) -> property:
    return property(lambda self: list(self._children[kind]), doc=f"Its {LISTS[kind]}.")


def _first(kind: str):
    def first(self):
        return next(iter(self._children[kind]), None)

    first.__name__ = f"first_{kind}"
    first.__doc__ = f"The first {kind} in it; None where there is none."
    return first


def _next(kind: str):
    def following(self, element):
        found = self._children[kind]
        at = next((i for i, one in enumerate(found) if one is element), None)
        if at is None:
            raise ValueError(f"{kind} is not in this body")
        return found[at + 1] if at + 1 < len(found) else None

    following.__name__ = f"next_{kind}"
    following.__doc__ = f"The {kind} after one; None after the last."
    return following


for _kind in KINDS:
    setattr(MjsBody, LISTS[_kind], _list(_kind))
    setattr(MjsBody, f"first_{_kind}", _first(_kind))
    setattr(MjsBody, f"next_{_kind}", _next(_kind))
for _type in (MjsBody, MjsFrame, MjsSite):
    give_fields(_type, _type.KIND)
