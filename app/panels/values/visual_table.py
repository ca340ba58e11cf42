"""All picture settings and statistics of a model (mjVisual, mjStatistic), with titles and ranges for their editors.

Titles are those of the official window where it has the setting. What each means, and its unit, says the language (physics.schema.schema_docs).
"""
from __future__ import annotations

import math
from types import MappingProxyType
from typing import NamedTuple

from physics.model.visual import Rgba

NUMBER, WHOLE, SWITCH, CHOICE, COLOUR, VECTOR, CAMERA = "number", "whole", "switch", "choice", "colour", "vector", "camera"


class Setting(NamedTuple):
    """One setting. path: as SetVisual takes it ('map.stiffness', 'global_.fovy'), or a field of the statistics ('stat_extent'); words: titles of a choice's numbers."""

    path: str
    title: str
    kind: str = NUMBER
    low: float = -math.inf
    high: float = math.inf
    words: tuple[str, ...] = ()

    @property
    def statistic(self) -> bool:
        """Whether it is a field of the Model, and no value of m.vis."""
        return self.path.startswith("stat_")

    @property
    def target(self) -> str:
        """Its name among the values that differ from the file."""
        return self.path.replace("stat_", "stat.") if self.statistic else "vis." + self.path.replace("global_", "global")

    @property
    def place(self) -> tuple[str, str]:
        """Element and attribute of the language."""
        if self.statistic:
            return "statistic", self.path.removeprefix("stat_")
        group, _, name = self.path.partition(".")
        return f"visual/{group.rstrip('_')}", name


def _numbers(group: str, rows) -> tuple[Setting, ...]:
    return tuple(Setting(f"{group}.{name}", title, NUMBER, 0.0) for name, title in rows)


def _headlight() -> tuple[Setting, ...]:
    colours = tuple(Setting(f"headlight.{name}", name.capitalize(), COLOUR) for name in ("ambient", "diffuse", "specular"))
    return (Setting("headlight.active", "Active", CHOICE, words=("off", "on", "auto")), *colours)


def _quality() -> tuple[Setting, ...]:
    return tuple(Setting(f"quality.{name}", title, WHOLE, low, high) for name, title, low, high in (
        ("shadowsize", "Shadow map size", 0, 16384), ("offsamples", "Offscreen samples", 0, 16), ("numslices", "Slices of round shapes", 3, 512),
        ("numstacks", "Stacks of round shapes", 2, 512), ("numquads", "Quads of planes", 1, 512)))


COLOUR_TITLES = MappingProxyType({
    "actuatornegative": "Actuator negative", "actuatorpositive": "Actuator positive", "com": "Centre of mass", "selectpoint": "Select point",
    "contactpoint": "Contact point", "contactforce": "Contact force", "contactfriction": "Contact friction", "contacttorque": "Contact torque",
    "contactgap": "Contact gap", "slidercrank": "Slider-crank", "crankbroken": "Crank broken", "bv": "Bounding volume", "bvactive": "Bounding volume active"})

SECTIONS: tuple[tuple[str, tuple[Setting, ...]], ...] = (
    ("Headlight", _headlight()),
    ("Free camera", (
        Setting("global_.orthographic", "Orthographic", SWITCH), Setting("global_.fovy", "Field of view", NUMBER, 0.01, 179.0),
        Setting("stat_center", "Centre", VECTOR), Setting("global_.azimuth", "Azimuth"), Setting("global_.elevation", "Elevation", NUMBER, -90.0, 90.0),
        Setting("global_.cameraid", "Camera at start", CAMERA), Setting("global_.ipd", "Eye distance", NUMBER, 0.0))),
    ("Global", (
        Setting("stat_extent", "Extent", NUMBER, 1e-9), Setting("stat_meansize", "Mean size", NUMBER, 1e-9), Setting("stat_meanmass", "Mean mass", NUMBER, 0.0),
        Setting("stat_meaninertia", "Mean inertia", NUMBER, 1e-15), Setting("global_.ellipsoidinertia", "Inertia", CHOICE, words=("box", "ellipsoid")),
        Setting("global_.bvactive", "Colour active bounding volumes", SWITCH), Setting("global_.linewidth", "Line width", NUMBER, 0.0, 64.0),
        Setting("global_.glow", "Glow of the selected", NUMBER, 0.0, 10.0), Setting("global_.realtime", "Speed at start", NUMBER, 1e-3, 16.0),
        Setting("global_.offwidth", "Offscreen width", WHOLE, 1, 32768), Setting("global_.offheight", "Offscreen height", WHOLE, 1, 32768))),
    ("Map", _numbers("map", (
        ("stiffness", "Stiffness"), ("stiffnessrot", "Rot stiffness"), ("force", "Force"), ("torque", "Torque"), ("alpha", "Alpha"), ("fogstart", "Fog start"),
        ("fogend", "Fog end"), ("znear", "Z near"), ("zfar", "Z far"), ("haze", "Haze"), ("shadowclip", "Shadow clip"), ("shadowscale", "Shadow scale"),
        ("actuatortendon", "Actuator tendon")))),
    ("Scale", _numbers("scale", (
        ("forcewidth", "Force width"), ("contactwidth", "Contact width"), ("contactheight", "Contact height"), ("connect", "Connect"), ("com", "Centre of mass"),
        ("camera", "Camera"), ("light", "Light"), ("selectpoint", "Select point"), ("jointlength", "Joint length"), ("jointwidth", "Joint width"),
        ("actuatorlength", "Actuator length"), ("actuatorwidth", "Actuator width"), ("framelength", "Frame length"), ("framewidth", "Frame width"),
        ("constraint", "Constraint"), ("slidercrank", "Slider-crank"), ("frustum", "Frustum")))),
    ("Quality", _quality()),
    ("Colours", tuple(Setting(f"rgba.{name}", COLOUR_TITLES.get(name, name.capitalize()), COLOUR) for name in Rgba.__dataclass_fields__)),
)
