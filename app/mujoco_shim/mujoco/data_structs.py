"""MjContact, MjWarningStat, MjTimerStat, MjSolverStat and MjLROpt: rows of a Data, and structs by themselves."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from .structs import OwnStruct, RowStruct


def _zeros(n: int, kind: type = float) -> np.ndarray:
    return np.zeros(n, np.int32 if kind is int else np.float64)


class MjContact(RowStruct):
    """A contact."""

    PREFIX = "contact_"
    FIELDS = MappingProxyType({
        "dist": 0.0, "pos": _zeros(3), "frame": _zeros(9), "includemargin": 0.0, "friction": _zeros(5), "solref": _zeros(2), "solreffriction": _zeros(2), "solimp": _zeros(5),
        "mu": 0.0, "H": _zeros(36), "dim": 0, "geom1": 0, "geom2": 0, "geom": _zeros(2, int), "flex": _zeros(2, int), "elem": _zeros(2, int), "vert": _zeros(2, int),
        "exclude": 0, "efc_address": 0, "adhesion": 0.0, "surfacevel": _zeros(3),
    })


class ContactHome:
    """The contacts of a Data. What ours do not have has a place here: no flex, element or vertex (-1), and the cone's Hessian, which nothing computes."""

    _MORE = MappingProxyType({"contact_H": (36, np.float64, 0), "contact_flex": (2, np.int32, -1), "contact_elem": (2, np.int32, -1), "contact_vert": (2, np.int32, -1)})

    def __init__(self, inner):
        self._inner, self._more = inner, {}

    def __getattr__(self, name):
        if name in ("contact_geom1", "contact_geom2"):
            return self._inner.contact_geom[:, int(name[-1]) - 1]
        if name not in self._MORE:
            return getattr(self._inner, name)
        width, dtype, value = self._MORE[name]
        found = self._more.get(name)
        if found is None or len(found) < self._inner.maxcon:
            new = np.full((self._inner.maxcon, width), value, dtype)
            if found is not None:
                new[:len(found)] = found
            found = self._more[name] = new
        return found


class MjWarningStat(RowStruct):
    """How often a warning came up, and what the last was about."""

    PREFIX = "warning_"
    FIELDS = MappingProxyType({"lastinfo": 0, "number": 0})


class MjSolverStat(RowStruct):
    """An iteration of the constraint solver."""

    PREFIX = "solver_"
    FIELDS = MappingProxyType({"improvement": 0.0, "gradient": 0.0, "lineslope": 0.0, "nactive": 0, "nchange": 0, "neval": 0, "nupdate": 0})


class MjTimerStat(RowStruct):
    """Seconds and calls of a part of a step."""

    PREFIX = "timer_"
    FIELDS = MappingProxyType({"duration": 0.0, "number": 0})


class TimerHome:
    """Timers of a Data."""

    COUNT = 15

    def __init__(self):
        self.timer_duration, self.timer_number = np.zeros(self.COUNT), np.zeros(self.COUNT, np.int32)


class MjLROpt(OwnStruct):
    """Options of the search for length ranges."""

    FIELDS = MappingProxyType({
        "mode": 1, "useexisting": 1, "uselimit": 0, "accel": 20.0, "maxforce": 0.0, "timeconst": 1.0, "timestep": 0.01, "inttotal": 10.0, "interval": 2.0, "tolrange": 0.05,
    })
