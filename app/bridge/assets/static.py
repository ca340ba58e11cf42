"""Geoms and sites as the scene has them: what does not change from frame to frame (kept by app/bridge/model_visuals.py)."""
from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from app.bridge.derived_from import derived_from
from physics.model.model import Model
from render.scene import shapes

GREY = (0.5, 0.5, 0.5, 1.0)  # a geom or site of this colour takes its material's
NGROUP = 6


@dataclass(frozen=True, slots=True)
class Drawn:
    """Geoms or sites: shape, size (n, 3) as the scene wants it, colour, material, body, group, whether static, flags, mesh, size as the model has it."""

    shape: np.ndarray
    size: np.ndarray
    rgba: np.ndarray
    matid: np.ndarray
    bodyid: np.ndarray
    group: np.ndarray
    static: np.ndarray
    flags: np.ndarray
    dataid: np.ndarray
    texsize: np.ndarray

    def visible(self, groups, with_static: bool) -> np.ndarray:
        """Indices of what is drawn with these group switches."""
        keep = np.asarray(groups, bool)[self.group] & (self.rgba[:, 3] != 0)
        return np.flatnonzero(keep if with_static else keep & ~self.static)


def _sizes(shape, size) -> np.ndarray:
    """MJCF sizes as scene sizes: a sphere has its radius three times, capsules and cylinders twice before the half length."""
    out = np.array(size, np.float32)
    ball, round_ = shape == shapes.SPHERE, np.isin(shape, (shapes.CAPSULE, shapes.CYLINDER))
    out[ball] = out[ball, :1]
    out[round_, 2] = out[round_, 1]
    out[round_, 1] = out[round_, 0]
    out[np.isin(shape, (shapes.MESH, shapes.SDF, shapes.HFIELD))] = 1.0
    return out


def _colours(m: Model, rgba, matid) -> np.ndarray:
    out = np.array(rgba, np.float32)
    use = (matid >= 0) & (out == GREY).all(axis=1)
    out[use] = m.mat_rgba[matid[use]]
    return out


def _drawn(m: Model, what: str, flags: np.ndarray) -> Drawn:
    field = lambda name: np.array(getattr(m, f"{what}_{name}"))  # noqa: E731
    shape, matid, bodyid = field("type").astype(np.int8), field("matid"), field("bodyid")
    static = m.body_weldid[bodyid] == 0
    dataid = field("dataid")
    size = _sizes(shape, field("size"))
    field_of_heights = shape == shapes.HFIELD   # the scene has them as meshes after the model's own
    dataid[field_of_heights] += m.nmesh
    shape[field_of_heights] = shapes.MESH
    return Drawn(shape, size, _colours(m, field("rgba"), matid), matid, bodyid,
                 np.clip(field("group"), 0, NGROUP - 1), static, flags | np.where(static, shapes.STATIC, 0).astype(np.uint8), dataid,
                 np.asarray(field("size"), np.float32))


@derived_from("geom_type", "geom_size", "geom_rgba", "geom_matid", "geom_group", "geom_dataid", "geom_castshadow", "geom_bodyid", "body_weldid", "mat_rgba")
def drawn_geoms(m: Model) -> Drawn:
    """The geoms of a model."""
    return _drawn(m, "geom", np.where(m.geom_castshadow, shapes.MODEL_GEOM, shapes.PICKABLE).astype(np.uint8))


@derived_from("site_type", "site_size", "site_rgba", "site_matid", "site_group", "site_dataid", "site_bodyid", "body_weldid", "mat_rgba")
def drawn_sites(m: Model) -> Drawn:
    """The sites of a model; rays pass through them."""
    return _drawn(m, "site", np.full(m.nsite, shapes.CAST_SHADOW, np.uint8))


@derived_from("body_weldid")
def static_bodies(m: Model) -> np.ndarray:
    """Whether each body is the world or welded to it."""
    return np.asarray(m.body_weldid == 0)
