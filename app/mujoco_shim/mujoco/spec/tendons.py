"""Tendons and what their paths go over."""
from __future__ import annotations

from types import MappingProxyType

from .elements import MjsElement
from .fields import ENUMS, give_fields

PULLEY, JOINT, SITE, SPHERE, CYLINDER = (int(ENUMS["mjtWrap"][f"mjWRAP_{name}"]) for name in ("PULLEY", "JOINT", "SITE", "SPHERE", "CYLINDER"))
WORDS = MappingProxyType({PULLEY: "pulley", JOINT: "joint", SITE: "site", SPHERE: "geom", CYLINDER: "geom"})
_CYLINDER_GEOM = int(ENUMS["mjtGeom"].mjGEOM_CYLINDER)


class MjsWrap:
    """One part of a tendon's path."""

    def __init__(self, tendon, kind: int, name: str = "", side: str = "", value: float = 0.0):
        self.__dict__.update(_tendon=tendon, _kind=kind, _name=name, _side=side, _value=float(value), info="")

    def _find(self, kind: str, name: str):
        spec = self._tendon._spec
        return spec._find(kind, name) if name and spec is not None else None

    @property
    def type(self):
        """What the path does here; a geom's shape once it is known."""
        kind = self._kind
        if kind == SPHERE:
            geom = self.target
            kind = CYLINDER if geom is not None and geom._values["type"] == _CYLINDER_GEOM else SPHERE
        return ENUMS["mjtWrap"](kind)

    @property
    def target(self):
        """The joint, site or geom; None of a pulley."""
        return self._find(WORDS[self._kind], self._name)

    @property
    def sidesite(self):
        """The site on whose side of a geom the path goes."""
        return self._find("site", self._side)

    @property
    def coef(self) -> float | None:
        """A joint's coefficient."""
        return self._value if self._kind == JOINT else None

    @property
    def divisor(self) -> float | None:
        """A pulley's."""
        return self._value if self._kind == PULLEY else None


class MjsTendonPath(tuple):
    """The parts of a tendon's path in order."""

    __slots__ = ()


class MjsTendon(MjsElement):
    """A tendon."""

    KIND = "tendon"

    def _begin(self, spec, values, default=None) -> None:
        super()._begin(spec, values, default)
        self.__dict__["_path"] = []

    def _wrap(self, *what) -> MjsWrap:
        self._path.append(MjsWrap(self, *what))
        if self._spec is not None:
            self._spec._changed()
        return self._path[-1]

    def wrap_site(self, name: str) -> MjsWrap:
        """Go on through a site."""
        return self._wrap(SITE, name)

    def wrap_geom(self, name: str, sidesite: str) -> MjsWrap:
        """Go on around a geom."""
        return self._wrap(SPHERE, name, sidesite)

    def wrap_joint(self, name: str, coef: float) -> MjsWrap:
        """Add a joint's position, times a coefficient."""
        return self._wrap(JOINT, name, "", coef)

    def wrap_pulley(self, divisor: float) -> MjsWrap:
        """Go on in branches."""
        return self._wrap(PULLEY, "", "", divisor)

    @property
    def path(self) -> MjsTendonPath:
        """What it goes over."""
        return MjsTendonPath(self._path)

    def default(self):
        """Its default class."""
        return self._class


give_fields(MjsTendon, "tendon")
