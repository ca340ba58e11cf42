"""MjOption, MjStatistic and MjVisual: parts of an MjModel, and structs by themselves."""
from __future__ import annotations

from dataclasses import fields
from types import MappingProxyType

import numpy as np

from physics.model import visual

from .structs import OptionStruct, OwnStruct


def _array(*numbers: float) -> np.ndarray:
    return np.array(numbers, float)


class MjOption(OptionStruct):
    """Options of a simulation."""

    PREFIX = "opt_"
    FIELDS = MappingProxyType({
        "timestep": 0.002, "impratio": 1.0, "tolerance": 1e-8, "ls_tolerance": 0.01, "noslip_tolerance": 1e-6, "ccd_tolerance": 1e-6, "sleep_tolerance": 1e-3,
        "gravity": _array(0, 0, -9.81), "wind": _array(0, 0, 0), "magnetic": _array(0, -0.5, 0), "density": 0.0, "viscosity": 0.0, "o_margin": 0.0, "o_solref": _array(0.02, 1),
        "o_solimp": _array(0.9, 0.95, 0.001, 0.5, 2), "o_friction": _array(1, 1, 0.005, 0.0001, 0.0001), "integrator": 0, "cone": 0, "jacobian": 2, "solver": 2, "iterations": 100,
        "ls_iterations": 50, "noslip_iterations": 0, "ccd_iterations": 35, "disableflags": 0, "enableflags": 0, "disableactuator": 0, "sdf_initpoints": 40, "sdf_iterations": 10,
    })


class MjStatistic(OptionStruct):
    """Sizes of a model."""

    PREFIX = "stat_"
    FIELDS = MappingProxyType({"meaninertia": 0.0, "meanmass": 0.0, "meansize": 0.0, "extent": 0.0, "center": _array(0, 0, 0)})


def _group(name: str, ours: type) -> type:
    """A struct with the fields of one of ours: tuples become arrays."""
    plain = ours()
    values = {f.name: np.array(value, np.float32) if isinstance(value := getattr(plain, f.name), tuple) else value for f in fields(ours)}
    return type(name, (OwnStruct,), {"FIELDS": MappingProxyType(values), "__doc__": ours.__doc__, "__module__": __name__})


MjVisualGlobal = _group("MjVisualGlobal", visual.Global)
MjVisualQuality = _group("MjVisualQuality", visual.Quality)
MjVisualHeadlight = _group("MjVisualHeadlight", visual.Headlight)
MjVisualMap = _group("MjVisualMap", visual.Map)
MjVisualScale = _group("MjVisualScale", visual.Scale)
MjVisualRgba = _group("MjVisualRgba", visual.Rgba)


class MjVisual(OwnStruct):
    """Picture settings of a model. Arrays here are the struct's own: `write` hands them to the Model when it is saved, copied or drawn."""

    FIELDS = MappingProxyType({"global_": MjVisualGlobal, "quality": MjVisualQuality, "headlight": MjVisualHeadlight, "map": MjVisualMap, "scale": MjVisualScale,
                               "rgba": MjVisualRgba})
    Headlight, Rgba = MjVisualHeadlight, MjVisualRgba

    @classmethod
    def of(cls, ours: visual.Visual) -> MjVisual:
        """That of a Model."""
        new = cls()
        for name in cls.FIELDS:
            mine, theirs = getattr(new, name), getattr(ours, name)
            for field in mine.FIELDS:
                setattr(mine, field, getattr(theirs, field))
        return new

    def write(self, ours: visual.Visual) -> None:
        """Give a Model these settings."""
        for name in self.FIELDS:
            mine, theirs = getattr(self, name), getattr(ours, name)
            for field in mine.FIELDS:
                value = getattr(mine, field)
                setattr(theirs, field, tuple(value.tolist()) if isinstance(value, np.ndarray) else value)


setattr(MjVisual, "global", MjVisual.global_)     # the official name, which Python's grammar keeps for itself
