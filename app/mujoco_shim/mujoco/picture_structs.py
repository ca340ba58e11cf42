"""Cameras, options, the mouse and charts of pictures as structs: their values only. A picture's shapes are in scene_structs.py, what draws in pictures/."""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from .structs import OwnStruct


def _of(kind: type, *numbers) -> np.ndarray:
    return np.array(numbers, kind)


_GROUPS = _of(np.uint8, 1, 1, 1, 0, 0, 0)


class MjvCamera(OwnStruct):
    """A camera."""

    FIELDS = MappingProxyType({"type": 0, "fixedcamid": -1, "trackbodyid": -1, "lookat": np.zeros(3), "distance": 2.0, "azimuth": 90.0, "elevation": -45.0, "orthographic": 0})


class MjvOption(OwnStruct):
    """What a picture shows."""

    FIELDS = MappingProxyType({
        "label": 0, "frame": 0, **{f"{kind}group": _GROUPS for kind in ("geom", "site", "joint", "tendon", "actuator", "flex", "skin")},
        "flags": _of(np.uint8, 0, 1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0), "bvh_depth": 1, "flex_layer": 0,
    })


class MjvPerturb(OwnStruct):
    """What the mouse holds."""

    FIELDS = MappingProxyType({
        "select": 0, "flexselect": -1, "skinselect": -1, "active": 0, "active2": 0, "refpos": np.zeros(3), "refquat": _of(float, 1, 0, 0, 0), "refselpos": np.zeros(3),
        "localpos": np.zeros(3), "localmass": 0.0, "scale": 1.0,
    })


class MjvGLCamera(OwnStruct):
    """A camera as OpenGL has it."""

    FIELDS = MappingProxyType({
        "pos": np.zeros(3, np.float32), "forward": np.zeros(3, np.float32), "up": np.zeros(3, np.float32), "frustum_center": 0.0, "frustum_width": 0.0, "frustum_bottom": 0.0,
        "frustum_top": 0.0, "frustum_near": 0.0, "frustum_far": 0.0, "orthographic": 0,
    })


class MjvLight(OwnStruct):
    """A light."""

    FIELDS = MappingProxyType({
        **{name: np.zeros(3, np.float32) for name in ("ambient", "attenuation", "diffuse", "dir", "pos", "specular")}, "bulbradius": 0.0, "castshadow": 0, "cutoff": 0.0,
        "exponent": 0.0, "headlight": 0, "id": 0, "intensity": 0.0, "range": 0.0, "softness": 0.0, "texid": 0, "type": 0,
    })


class MjvFigure(OwnStruct):
    """A chart."""

    FIELDS = MappingProxyType({
        "flg_legend": 1, "flg_ticklabel": _of(np.int32, 1, 1), "flg_extend": 1, "flg_barplot": 0, "flg_selection": 0, "flg_symmetric": 0, "linewidth": 3.0, "gridwidth": 1.0,
        "gridsize": _of(np.int32, 2, 2), "gridrgb": _of(np.float32, 0.4, 0.4, 0.4), "figurergba": _of(np.float32, 0, 0, 0, 1), "panergba": _of(np.float32, 0, 0, 0, 1),
        "legendrgba": _of(np.float32, 0, 0, 0, 0.3), "textrgb": np.ones(3, np.float32), "range": _of(np.float32, (0, 1), (0, 1)), "xformat": "%.0f", "yformat": "%.2g",
        "minwidth": "XXX", "title": "", "xlabel": "", "legendoffset": 0, "subplot": 0, "highlight": np.zeros(2, np.int32), "highlightid": -1, "selection": 0.0,
        "linepnt": np.zeros(100, np.int32), "linename": np.zeros(100, "S100"), "linergb": np.zeros((100, 3), np.float32), "linedata": np.zeros((100, 2002), np.float32), "xaxispixel": np.zeros(2, np.int32), "yaxispixel": np.zeros(2, np.int32),
        "xaxisdata": np.zeros(2, np.float32), "yaxisdata": np.zeros(2, np.float32),
    })


class MjrRendererInfo(OwnStruct):
    """What draws."""

    FIELDS = MappingProxyType({"renderer": "", "backend": ""})


class MjrRect(OwnStruct):
    """A rectangle of pixels."""

    FIELDS = MappingProxyType({"left": 0, "bottom": 0, "width": 0, "height": 0})

    def __init__(self, left, bottom, width, height):
        super().__init__()
        self.left, self.bottom, self.width, self.height = left, bottom, width, height


def default_camera(cam) -> None:
    """Values of a new struct."""
    cam.take(MjvCamera())


def default_option(opt) -> None:
    """Values of a new struct."""
    opt.take(MjvOption())


def default_perturb(pert) -> None:
    """Values of a new struct."""
    pert.take(MjvPerturb())


def default_figure(fig) -> None:
    """Values of a new struct."""
    fig.take(MjvFigure())


def default_info(info) -> None:
    """Values of a new struct."""
    info.take(MjrRendererInfo())


TABLE = MappingProxyType({
    "mjr_defaultRendererInfo": default_info,
    "mjv_defaultCamera": default_camera, "mjv_defaultOption": default_option, "mjv_defaultPerturb": default_perturb, "mjv_defaultFigure": default_figure,
})
