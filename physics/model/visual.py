"""Settings of the picture that a model carries (MJCF's visual element): plain values under their official names."""
from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Global:
    """Camera, picture size and speed of a model as it opens."""

    cameraid: int = -1
    orthographic: int = 0
    fovy: float = 45.0
    ipd: float = 0.068
    azimuth: float = 90.0
    elevation: float = -45.0
    linewidth: float = 1.0
    glow: float = 0.3
    realtime: float = 1.0
    offwidth: int = 640
    offheight: int = 480
    ellipsoidinertia: int = 0
    bvactive: int = 0


@dataclass(slots=True)
class Quality:
    """Resolution of shadows and shapes."""

    shadowsize: int = 4096
    offsamples: int = 4
    numslices: int = 28
    numstacks: int = 16
    numquads: int = 4


@dataclass(slots=True)
class Headlight:
    """The light that moves with the camera."""

    ambient: tuple = (0.1, 0.1, 0.1)
    diffuse: tuple = (0.4, 0.4, 0.4)
    specular: tuple = (0.5, 0.5, 0.5)
    active: int = 2


@dataclass(slots=True)
class Map:
    """Factors between physical and drawn quantities; the clipping planes in units of the model's extent."""

    stiffness: float = 100.0
    stiffnessrot: float = 500.0
    force: float = 0.005
    torque: float = 0.1
    alpha: float = 0.3
    fogstart: float = 3.0
    fogend: float = 10.0
    znear: float = 0.01
    zfar: float = 50.0
    haze: float = 0.3
    shadowclip: float = 1.0
    shadowscale: float = 0.6
    actuatortendon: float = 2.0


@dataclass(slots=True)
class Scale:
    """Sizes of drawn decorations in units of the model's mean body size."""

    forcewidth: float = 0.1
    contactwidth: float = 0.3
    contactheight: float = 0.1
    connect: float = 0.2
    com: float = 0.4
    camera: float = 0.3
    light: float = 0.3
    selectpoint: float = 0.2
    jointlength: float = 1.0
    jointwidth: float = 0.1
    actuatorlength: float = 0.7
    actuatorwidth: float = 0.2
    framelength: float = 1.0
    framewidth: float = 0.1
    constraint: float = 0.1
    slidercrank: float = 0.2
    frustum: float = 10.0


@dataclass(slots=True)
class Rgba:
    """Colours of drawn decorations."""

    fog: tuple = (0.0, 0.0, 0.0, 1.0)
    haze: tuple = (1.0, 1.0, 1.0, 1.0)
    force: tuple = (1.0, 0.5, 0.5, 1.0)
    inertia: tuple = (0.8, 0.2, 0.2, 0.6)
    joint: tuple = (0.2, 0.6, 0.8, 1.0)
    actuator: tuple = (0.2, 0.25, 0.2, 1.0)
    actuatornegative: tuple = (0.2, 0.6, 0.9, 1.0)
    actuatorpositive: tuple = (0.9, 0.4, 0.2, 1.0)
    com: tuple = (0.9, 0.9, 0.9, 1.0)
    camera: tuple = (0.6, 0.9, 0.6, 1.0)
    light: tuple = (0.6, 0.6, 0.9, 1.0)
    selectpoint: tuple = (0.9, 0.9, 0.1, 1.0)
    connect: tuple = (0.2, 0.2, 0.8, 1.0)
    contactpoint: tuple = (0.9, 0.6, 0.2, 1.0)
    contactforce: tuple = (0.7, 0.9, 0.9, 1.0)
    contactfriction: tuple = (0.9, 0.8, 0.4, 1.0)
    contacttorque: tuple = (0.9, 0.7, 0.9, 1.0)
    contactgap: tuple = (0.5, 0.8, 0.9, 1.0)
    rangefinder: tuple = (1.0, 1.0, 0.1, 1.0)
    constraint: tuple = (0.9, 0.0, 0.0, 1.0)
    slidercrank: tuple = (0.5, 0.3, 0.8, 1.0)
    crankbroken: tuple = (0.9, 0.0, 0.0, 1.0)
    frustum: tuple = (1.0, 1.0, 0.0, 0.2)
    bv: tuple = (0.0, 1.0, 0.0, 0.5)
    bvactive: tuple = (1.0, 0.0, 0.0, 0.5)


@dataclass(slots=True)
class Visual:
    """All picture settings of a model: m.vis."""

    global_: Global = field(default_factory=Global)
    quality: Quality = field(default_factory=Quality)
    headlight: Headlight = field(default_factory=Headlight)
    map: Map = field(default_factory=Map)
    scale: Scale = field(default_factory=Scale)
    rgba: Rgba = field(default_factory=Rgba)
