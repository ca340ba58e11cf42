"""What is offered to be added, by its words in menus and in the palette."""
from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["ACTUATORS", "BODIES", "SENSORS"]

BODIES: Mapping[str, tuple[str, str]] = MappingProxyType({      # what bodies are offered: joint, geom
    "Hinge and capsule": ("hinge", "capsule"), "Hinge and cylinder": ("hinge", "cylinder"), "Slide and box": ("slide", "box"), "Ball and capsule": ("ball", "capsule"),
    "Free box": ("free", "box"), "Free sphere": ("free", "sphere"), "Fixed box": ("none", "box")})
ACTUATORS = ("position", "velocity", "motor", "general", "damper")
SENSORS: Mapping[str, tuple[str, ...]] = MappingProxyType({     # by the tag of what they are about
    "joint": ("jointpos", "jointvel", "jointactuatorfrc", "jointlimitpos", "jointlimitvel", "jointlimitfrc"),
    "site": ("accelerometer", "gyro", "velocimeter", "force", "torque", "touch", "magnetometer", "rangefinder", "framepos", "framequat"),
    "body": ("framepos", "framequat", "framelinvel", "frameangvel", "subtreecom", "subtreelinvel", "subtreeangmom"),
    "geom": ("framepos", "framequat"), "camera": ("framepos", "framequat"),
    "spatial": ("tendonpos", "tendonvel", "tendonactuatorfrc"), "fixed": ("tendonpos", "tendonvel", "tendonactuatorfrc"),
})
