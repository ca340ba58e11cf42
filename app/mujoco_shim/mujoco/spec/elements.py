"""Elements of a MjSpec: what all have, and those without methods of their own."""
from __future__ import annotations

from .fields import copied, fields_of, fresh, give_fields, put

STALE = 1    # what signatures are while the specification was changed since it was compiled


class MjsElement:
    """An element. Made by add_... of a MjSpec, a body or a frame. KIND: its struct, and its namespace."""

    KIND = ""

    def __init__(self, *_arguments):
        raise TypeError(f"mujoco.{type(self).__name__}: No constructor defined!")

    def _begin(self, spec, values: dict, default=None) -> None:
        self.__dict__.update(_values=values, _spec=spec, _origin=spec, _parent=None, _frame=None, _class=default, _id=-1,
                             _compiler=None if spec is None else spec.compiler)

    @classmethod
    def _made(cls, spec, default=None) -> MjsElement:
        """A new one of a specification. default: the MjsDefault whose values it begins with."""
        new = object.__new__(cls)
        pattern = None if default is None else getattr(default, cls.KIND, None)
        new._begin(spec, fresh(cls.KIND) if pattern is None else copied(pattern._values), default)
        new._values["name"] = ""
        return new

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(f"'mujoco.{type(self).__name__}' object has no attribute '{name}'")
        object.__setattr__(self, name, value)

    @property
    def name(self) -> str:
        """Its name; '' for none."""
        return self._values["name"]

    @name.setter
    def name(self, value: str) -> None:
        if self._spec is not None:
            self._spec._rename(self, value)
        put(self._values, NAME, value)

    @property
    def id(self) -> int:
        """Its number in the compiled model; -1 before."""
        return self._id

    @property
    def signature(self) -> int:
        """That of the compiled model, as long as nothing was added or taken away since."""
        return 0 if self._spec is None else self._spec._signature

    @property
    def compiler(self):
        """Settings that its values are read with: those of the specification that it was made in."""
        return self._compiler

    @property
    def classname(self):
        """Its default class."""
        return self._class

    @classname.setter
    def classname(self, value) -> None:
        self.__dict__["_class"] = value

    @property
    def parent(self):
        """The body that it is in; None where it was deleted."""
        return self._parent

    @property
    def frame(self):
        """The frame that it is in; None for none."""
        return self._frame

    def set_frame(self, frame) -> None:
        """Put it into a frame of its body."""
        if frame is not None and frame.parent is not self._parent:
            raise ValueError("the frame is in another body")
        self.__dict__["_frame"] = frame


class _NoClass:
    classname = property(lambda self: (_ for _ in ()).throw(AttributeError(f"{type(self).__name__} has no default class")))


class MjsGeom(MjsElement):
    """A geom."""

    KIND = "geom"


class MjsJoint(MjsElement):
    """A joint."""

    KIND = "joint"


class MjsCamera(MjsElement):
    """A camera."""

    KIND = "camera"


class MjsLight(MjsElement):
    """A light."""

    KIND = "light"


class MjsFlex(MjsElement):
    """A deformable object: a value that no model is compiled with here."""

    KIND = "flex"


class MjsHField(_NoClass, MjsElement):
    """A height field; the elevation begins with the row of lowest y."""

    KIND = "hfield"


class MjsSkin(_NoClass, MjsElement):
    """A skin."""

    KIND = "skin"


class MjsTexture(MjsElement):
    """A texture."""

    KIND = "texture"


class MjsMaterial(MjsElement):
    """A material."""

    KIND = "material"


class MjsPair(MjsElement):
    """A pair of geoms that may touch."""

    KIND = "pair"


class MjsExclude(_NoClass, MjsElement):
    """Two bodies that do not touch."""

    KIND = "exclude"


class MjsEquality(MjsElement):
    """An equality constraint."""

    KIND = "equality"


class MjsSensor(_NoClass, MjsElement):
    """A sensor."""

    KIND = "sensor"


class MjsNumeric(_NoClass, MjsElement):
    """Numbers of the user's."""

    KIND = "numeric"


class MjsText(_NoClass, MjsElement):
    """A text of the user's."""

    KIND = "text"


class MjsTuple(_NoClass, MjsElement):
    """A group of elements."""

    KIND = "tuple"


class MjsKey(_NoClass, MjsElement):
    """A keyframe. Its numbers stand for the joints as they follow each other; attaching and deleting keep each with its joint."""

    KIND = "key"



NAME = fields_of("geom")["name"]
PLAIN = (MjsGeom, MjsJoint, MjsCamera, MjsLight, MjsFlex, MjsHField, MjsSkin, MjsTexture, MjsMaterial, MjsPair, MjsExclude, MjsEquality, MjsSensor, MjsNumeric, MjsText,
         MjsTuple, MjsKey)
for _kind in PLAIN:
    give_fields(_kind, _kind.KIND)
