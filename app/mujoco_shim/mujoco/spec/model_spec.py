"""MjSpec: a model that can be edited. It is compiled by Linkwork's compiler; nothing of the official module is used."""
from __future__ import annotations

import os
from types import MappingProxyType

import numpy as np

from ..errors import FatalError
from ..missing import NotHereError, text_of
from ..model_structs import MjOption, MjStatistic, MjVisual
from . import bodies
from .actuators import MjsActuator
from .bodies import MjsBody
from .compiler_settings import MjsCompiler
from .defaults import MjsDefault
from .elements import STALE, MjsEquality, MjsExclude, MjsFlex, MjsHField, MjsKey, MjsMaterial, MjsNumeric, MjsPair, MjsSensor, MjsSkin, MjsText, MjsTexture, MjsTuple
from .fields import MjsAuthored, put_keywords
from .meshes import MjsMesh
from .plugins import MjsPlugin
from .tendons import MjsTendon
from .vectors import text, whole

OUTSIDE = MappingProxyType({kind.KIND: kind for kind in (MjsMesh, MjsHField, MjsSkin, MjsTexture, MjsMaterial, MjsPair, MjsExclude, MjsEquality, MjsTendon, MjsActuator, MjsSensor, MjsNumeric,
                                        MjsText, MjsTuple, MjsKey, MjsFlex, MjsPlugin)})
LISTS = MappingProxyType({kind: {"mesh": "meshes", "equality": "equalities", "flex": "flexes"}.get(kind, kind + "s") for kind in OUTSIDE})
_WITH_CLASS = ("mesh", "texture", "material", "pair", "equality", "tendon", "actuator")
SIZES = MappingProxyType({"memory": -1, "nemax": 0, "nuserdata": 0, "nuser_body": -1, "nuser_jnt": -1, "nuser_geom": -1, "nuser_site": -1, "nuser_cam": -1, "nuser_tendon": -1,
         "nuser_actuator": -1, "nuser_sensor": -1, "nkey": 0, "njmax": -1, "nconmax": -1, "nstack": -1})
TEXTS = MappingProxyType({"modelname": "MuJoCo Model", "comment": "", "modelfiledir": ""})
TIMERS = 9


class MjSpec:
    """A model that can be edited: elements with fields, in bodies and in lists. `compile` makes a MjModel of it."""

    def __init__(self):
        mine = self.__dict__
        mine.update(_signature=0, _assets={}, _parent=None, _copying=False, _override=True, _strip=False, _timer=np.zeros(TIMERS), _attached=[], _warnings=[])
        mine.update(SIZES, **TEXTS)
        mine["_compiler"] = MjsCompiler()
        mine["_option"], mine["_visual"], mine["_stat"], mine["_authored"] = MjOption(), MjVisual(), MjStatistic(), MjsAuthored()
        for name in ("meaninertia", "meanmass", "meansize", "extent"):
            setattr(self._stat, name, float("nan"))
        self._stat.center[0] = float("nan")
        mine["_plain"] = MjsDefault("main", None, self)     # the language's own values
        mine["_default"] = MjsDefault("main", None, self)
        mine["_outside"] = {kind: [] for kind in OUTSIDE}
        mine["_names"] = {kind: {} for kind in (*OUTSIDE, *bodies.KINDS)}
        mine["_world"] = world = MjsBody._made(self, self._default)
        world._values["name"] = "world"
        mine["_names"]["body"]["world"] = world

    def __setattr__(self, name, value):
        if name in SIZES:
            self.__dict__[name] = whole(value)
        elif name in TEXTS:
            self.__dict__[name] = text(value)
        elif hasattr(type(self), name):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"'mujoco.MjSpec' object has no attribute '{name}'")

    # ------------------------------------------------ reading and writing

    def to_file(self, filename: str) -> None:
        """Write the model as MJCF."""
        with open(filename, "w", encoding="utf-8") as file:
            file.write(self.to_xml())

    def __copy__(self) -> MjSpec:
        return self.copy()

    def __deepcopy__(self, memo) -> MjSpec:
        return memo.setdefault(id(self), self.copy())

    # ------------------------------------------------ parts

    @property
    def worldbody(self) -> MjsBody:
        """The world."""
        return self._world

    @property
    def default(self) -> MjsDefault:
        """The default class main."""
        return self._default

    @property
    def parent(self):
        """The MjSpec that this one was attached to; None for none."""
        return self._parent

    @property
    def authored(self) -> MjsAuthored:
        """What the text has set."""
        return self._authored

    @property
    def timer(self) -> np.ndarray:
        """Seconds of the last compile; only the whole is measured."""
        return self._timer

    @property
    def hasImplicitPluginElem(self) -> bool:
        """No: there are no plugins."""
        return False

    @property
    def _address(self) -> int:
        return id(self)

    @property
    def assets(self) -> dict:
        """Files by name."""
        return self._assets

    @assets.setter
    def assets(self, value: dict) -> None:
        self.__dict__["_assets"] = dict(value)

    @property
    def override_assets(self) -> bool:
        """Whether an attached model's assets win over those of the same name."""
        return self._override

    @override_assets.setter
    def override_assets(self, value: bool) -> None:
        self.__dict__["_override"] = bool(value)

    @property
    def copy_during_attach(self) -> bool:
        """Whether attaching takes copies."""
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value: bool) -> None:
        self.__dict__["_copying"] = bool(value)

    @property
    def strippath(self) -> bool:
        """Whether folders in names of files are left away."""
        return self._strip

    @strippath.setter
    def strippath(self, value: bool) -> None:
        self.__dict__["_strip"] = bool(value)

    @property
    def meshdir(self) -> str:
        """Folder of meshes and height fields."""
        return self._compiler.meshdir

    @meshdir.setter
    def meshdir(self, value: str) -> None:
        self._compiler.meshdir = value

    @property
    def texturedir(self) -> str:
        """Folder of textures."""
        return self._compiler.texturedir

    @texturedir.setter
    def texturedir(self, value: str) -> None:
        self._compiler.texturedir = value

    # ------------------------------------------------ making, finding, taking away

    def _add(self, kind: str, default, given):
        if default is not None and not isinstance(default, MjsDefault):
            raise TypeError(f"add_{kind}(): incompatible function arguments: default is a MjsDefault")
        new = OUTSIDE[kind]._made(self, (default or self._default) if kind in _WITH_CLASS else None)
        put_keywords(new, kind, given)
        self._outside[kind].append(new)
        self._changed()
        return new

    def add_default(self, name: str, parent: MjsDefault | None = None) -> MjsDefault:
        """A new default class inside another. Raises ValueError for a name that is taken."""
        if self.find_default(name) is not None:
            raise ValueError(f"Error: repeated default class name '{name}'")
        return MjsDefault(name, parent or self._default, self)

    def find_default(self, name: str) -> MjsDefault | None:
        """A default class by name."""
        return next((one for one in self._default._walk() if one.name == name), None)

    def _rename_default(self, default: MjsDefault, name: str) -> None:
        if name != default.name and self.find_default(name) is not None:
            raise ValueError(f"Error: repeated default class name '{name}'")
        default.__dict__["_name"] = text(name)

    def _find(self, kind: str, name: str):
        return self._names[kind].get(name) if name else None

    def _rename(self, element, name: str) -> None:
        names = self._names[element.KIND]
        if name and names.get(name, element) is not element:
            raise ValueError(f"Error: repeated name '{name}' in {element.KIND}")
        self._forget(element)
        if name:
            names[name] = element

    def _forget(self, element) -> None:
        names, name = self._names[element.KIND], element._values["name"]
        if names.get(name) is element:
            del names[name]

    def _changed(self) -> None:
        """Something was added or taken away: compiled models are of another one."""
        self.__dict__["_signature"] = STALE

    def detach_body(self, body) -> None:
        """Take a body away."""
        self.delete(body)

    def encode(self, filename: str, model=None, content_type: str | None = None) -> int:
        """Write the model as MJCF; how many bytes. Raises FatalError for another kind of file."""
        if not (content_type == "text/xml" or not content_type and filename.lower().endswith((".xml", ".mjcf"))):
            raise FatalError(f"no encoder for '{filename}'")
        self.to_file(filename)
        return os.path.getsize(filename)

    def activate_plugin(self, name: str) -> None:
        """Plugins are not here."""
        raise NotHereError(text_of("MjSpec.activate_plugin"))


def _later(name: str):
    def missing(self, *_arguments, **_named):
        raise NotHereError(text_of(f"MjSpec.{name}"))

    missing.__name__, missing.__doc__ = name, f"Not here yet: {name}."
    return missing


def _adder(kind: str):
    if kind in _WITH_CLASS:
        def add(self, default=None, **given):
            return self._add(kind, default, given)
    else:
        def add(self, **given):
            return self._add(kind, None, given)
    add.__name__, add.__doc__ = f"add_{kind}", f"A new {kind}."
    return add


def _finder(kind: str):
    def find(self, name: str):
        return self._find(kind, text(name))

    find.__name__, find.__doc__ = kind, f"The {kind} of a name; None where there is none."
    return find


def _taken(name: str) -> property:
    inside = "_" + name

    def put(self, value):
        self.__dict__[inside].take(value)

    return property(lambda self: self.__dict__[inside], put)


for _kind in OUTSIDE:
    setattr(MjSpec, f"add_{_kind}", _adder(_kind))
    setattr(MjSpec, LISTS[_kind], property(lambda self, kind=_kind: list(self._outside[kind])))
for _kind in bodies.KINDS:
    setattr(MjSpec, bodies.LISTS[_kind], property(lambda self, kind=_kind: [self._world, *self._world.find_all("body")] if kind == "body" else self._world.find_all(kind)))
for _kind in (*OUTSIDE, *bodies.KINDS):
    setattr(MjSpec, _kind, _finder(_kind))
for _name in ("option", "visual", "stat", "compiler"):
    setattr(MjSpec, _name, _taken(_name))
for _name in ("copy_back",):
    setattr(MjSpec, _name, _later(_name))
