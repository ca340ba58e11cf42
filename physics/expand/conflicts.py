"""Options, sizes and picture settings that an attached model and the model around it both give.

The attribute `conflict` of <compiler> decides: 'warning' keeps the outer model's values, 'error' refuses, 'merge' takes the smaller, the
larger or the union of both as suits the setting. Source: MuJoCo's programming chapter, "Attribute Merging".
"""

from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.schema import schema
from physics.schema.numbers import parse
from physics.spec.element import Element, new_id

__all__ = ["Global", "GlobalSettings"]

Global = tuple[str, str]  # section path such as 'visual/map', attribute

_SMALLER = (
    *(("option", name) for name in ("timestep", "tolerance", "ls_tolerance", "noslip_tolerance", "ccd_tolerance", "sleep_tolerance")),
    ("visual/map", "znear"), ("visual/global", "realtime"),
)
_SIZES = ("njmax", "nconmax", "nuserdata", "nkey", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site", "nuser_cam", "nuser_tendon",
          "nuser_actuator", "nuser_sensor")
_LARGER = (
    *(("option", name) for name in ("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints")),
    *(("size", name) for name in _SIZES), ("visual/map", "zfar"),
)
_NEITHER = tuple(("option", name) for name in (
    "impratio", "density", "viscosity", "o_margin", "integrator", "cone", "jacobian", "solver", "gravity", "wind", "magnetic", "o_solref",
    "o_solimp", "o_friction"))
_MERGE = MappingProxyType({**{key: min for key in _SMALLER}, **{key: max for key in _LARGER}, **{key: None for key in _NEITHER}})
_GROUPS = ("option", "actuatorgroupdisable")
_ADDED = frozenset({"override", "energy", "fwdinv", "invdiscrete", "multiccd", "sleep", "diagexact", "ipc", "speculative"})  # flags that are off unless set


class GlobalSettings:
    """The settings of one model that may conflict. texts: (section path, attribute) -> text in force."""

    def __init__(self, root: Element) -> None:
        self.texts: dict[Global, str] = {}
        self.policy = "warning"
        for top in root.children:
            if top.tag == "compiler":
                self.policy = top.attrs.get("conflict", self.policy)
            elif top.tag in ("option", "size", "visual"):
                self._read(top, top.tag)
                for child in top.children:
                    if child.tag != "flag" or not top.included(child):   # the compiler leaves it out
                        self._read(child, f"{top.tag}/{child.tag}")
        self.given = frozenset(key for key in self.texts if key[0] != "size")   # sizes count as given when they are not the default
        self.adopted: dict[Global, str] = {}

    def _read(self, element: Element, path: str) -> None:
        for name, text in element.attrs.items():
            if (path, name) in _MERGE or path == "option/flag" or (path, name) == _GROUPS:
                self.texts[path, name] = text

    def _is_given(self, key: Global) -> bool:
        return key in self.given or (key[0] == "size" and key in self.texts and not _equal(self.value(key), _default(key)))

    def value(self, key: Global):
        """The value in force: a number, a keyword or an array; the language's default where nothing is given."""
        spec = schema.lookup(key[0]).attributes[key[1]]
        text = self.texts.get(key)
        return _default(key) if text is None else parse(spec, text)[0]

    def meet(self, other: GlobalSettings) -> tuple[list[str], list[str]]:
        """Settle what an attached model gives otherwise: (errors, warnings), in words; what is adopted goes to `adopted`."""
        errors: list[str] = []
        warnings: list[str] = []
        taken: dict[Global, str] = {}
        for key in other.texts:
            if key[0] == "option/flag":
                self._flag(key, other, errors, warnings, taken)
            elif key == _GROUPS:
                self._groups(other, errors, warnings, taken)
            elif other._is_given(key) and not _equal(self.value(key), other.value(key)):
                self._plain(key, other, errors, warnings, taken)
        if not errors:
            self.texts.update(taken)
            self.adopted.update(taken)
        return errors, warnings

    def _plain(self, key: Global, other: GlobalSettings, errors: list, warnings: list, taken: dict) -> None:
        shown = f"{key[1]} is {self.texts.get(key, 'not given')} here and {other.texts[key]} in the attached model"
        if not self._is_given(key):
            if self.policy == "merge":
                taken[key] = other.texts[key]
            warnings.append(f"{shown}, which is {'taken' if self.policy == 'merge' else 'left aside'}")
        elif self.policy == "error" or (self.policy == "merge" and _MERGE[key] is None):
            errors.append(shown)
        elif self.policy == "merge":
            wanted = _MERGE[key](self.value(key), other.value(key))
            taken[key] = self.texts[key] if wanted == self.value(key) else other.texts[key]
            warnings.append(f"{shown}; {taken[key]} is taken")
        else:
            warnings.append(f"{shown}, which is left aside")

    def _flag(self, key: Global, other: GlobalSettings, errors: list, warnings: list, taken: dict) -> None:
        mine, theirs = self.texts.get(key), other.texts[key]
        sets = theirs == ("enable" if key[1] in _ADDED else "disable")
        if self.policy == "merge":
            if sets and mine != theirs:
                taken[key] = theirs
        elif key in self.given and mine != theirs:
            (errors if self.policy == "error" else warnings).append(f"flag {key[1]} is {mine} here and {theirs} in the attached model")

    def _groups(self, other: GlobalSettings, errors: list, warnings: list, taken: dict) -> None:
        mine = set((self.texts.get(_GROUPS) or "").split())
        theirs = set(other.texts[_GROUPS].split())
        if self.policy == "merge" and theirs - mine:
            taken[_GROUPS] = " ".join(sorted(mine | theirs))

    def elements(self, origin) -> list[Element]:
        """Elements that say what was adopted; last in the model they win."""
        found = []
        for (path, name), text in self.adopted.items():
            top, _, inner = path.partition("/")
            element = Element(new_id(), inner or top, {name: text}, (), origin)
            found.append(Element(new_id(), top, {}, (element,), origin) if inner else element)
        return found


def _default(key: Global):
    spec = schema.lookup(key[0]).attributes[key[1]]
    return parse(spec, spec.default)[0] if spec.default is not None else None


def _equal(a, b) -> bool:
    if a is None or b is None:
        return a is b
    return bool(np.array_equal(a, b))
