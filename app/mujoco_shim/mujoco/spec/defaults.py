"""Default classes."""
from __future__ import annotations

from .actuators import MjsActuator
from .bodies import MjsSite
from .elements import MjsCamera, MjsEquality, MjsFlex, MjsGeom, MjsJoint, MjsLight, MjsMaterial, MjsPair, MjsTexture
from .fields import copied, fresh
from .meshes import MjsMesh
from .tendons import MjsTendon

PATTERNS = (MjsJoint, MjsGeom, MjsSite, MjsCamera, MjsLight, MjsFlex, MjsMesh, MjsTexture, MjsMaterial, MjsPair, MjsEquality, MjsTendon, MjsActuator)


class MjsDefault:
    """What elements of a class begin with: `geom`, `joint` and so on are elements that are in no model."""

    def __init__(self, name: str, around: MjsDefault | None, spec):
        self.__dict__.update(_name=name, _around=around, _inside=[], _spec=spec)
        for kind in PATTERNS:
            pattern = object.__new__(kind)
            pattern._begin(None, fresh(kind.KIND) if around is None else copied(getattr(around, kind.KIND)._values), self)
            pattern.__dict__["_compiler"] = None if spec is None else spec.compiler
            self.__dict__[kind.KIND] = pattern
        if around is not None:
            around._inside.append(self)

    def __setattr__(self, name, value):
        if name == "name":
            self._spec._rename_default(self, value)
        elif name in self.__dict__ and not name.startswith("_"):
            mine = getattr(self, name)
            mine._values.update(copied(value._values))
        else:
            raise AttributeError(f"'mujoco.MjsDefault' object has no attribute '{name}'")

    @property
    def name(self) -> str:
        """The class's name; the first one is called main."""
        return self._name

    def _walk(self):
        """This class and those inside."""
        yield self
        for one in self._inside:
            yield from one._walk()
