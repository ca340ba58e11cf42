"""Shells: geoms as thick as their contact margin makes them, seen through. Contacts begin where two shells meet."""
from __future__ import annotations

import numpy as np

from app.bridge.options import VisOptions
from app.bridge.quantities.drawing import Drawing
from app.bridge.static import drawn_geoms
from physics.enums import ENBL_OVERRIDE
from physics.model import Model
from render.scene import shapes

SHELL = (0.4, 0.9, 1.0, 0.13)
LIFTED = (shapes.PLANE, shapes.HFIELD)   # shells of these lie above, not around


def margins(m: Model) -> np.ndarray:
    """How thick each geom's shell is (ngeom,) [m]; where margins of two geoms add up, an overridden one is shared."""
    if m.opt_enableflags & ENBL_OVERRIDE:
        return np.full(m.ngeom, m.opt_o_margin * (1.0 if m.flg_maxmargin else 0.5))
    return np.array(m.geom_margin, float)


def add_shells(m: Model, snapshot, options: VisOptions, draw: Drawing) -> None:
    """Visible geoms that can touch, grown by their margin. Boxes keep sharp corners; meshes grow as the box around them does."""
    drawn, margin = drawn_geoms(m), margins(m)
    touches = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
    ids = drawn.visible(options.geomgroup, options.flags["Static Body"])
    ids = ids[(margin[ids] > 0) & touches[ids]]
    if not len(ids):
        return
    g, thick, kind = draw.out.geoms, margin[ids, None], m.geom_type[ids]
    rows = g.add(len(ids))
    size, mat = drawn.size[ids].astype(float), snapshot.geom_xmat[ids].reshape(-1, 3, 3)
    pos = np.array(snapshot.geom_xpos[ids], float)
    lifted, mesh = np.isin(kind, LIFTED), kind == shapes.MESH
    solid = ~lifted & ~mesh
    size[solid] += thick[solid]
    capsule = kind == shapes.CAPSULE
    size[capsule, 2] -= thick[capsule, 0]
    pos[lifted] += thick[lifted] * mat[lifted, :, 2]
    middle, half = m.geom_aabb[ids[mesh], :3], np.maximum(m.geom_aabb[ids[mesh], 3:], 1e-9)
    growth = 1 + thick[mesh] / half
    size[mesh] = growth
    pos[mesh] += np.einsum("nij,nj->ni", mat[mesh], middle * (1 - growth))
    g.shape[rows], g.dataid[rows], g.size[rows], g.pos[rows], g.mat[rows] = drawn.shape[ids], drawn.dataid[ids], size, pos, mat.reshape(-1, 9)
    g.rgba[rows], g.flags[rows] = SHELL, shapes.DECOR
    g.objtype[rows], g.objid[rows], g.bodyid[rows] = shapes.OBJ_GEOM, ids, m.geom_bodyid[ids]


def shell_legend(m: Model, options: VisOptions, draw: Drawing) -> None:
    """The largest margin; a word where there is none."""
    most = float(margins(m).max(initial=0.0))
    rule = "a shell meets a geom" if m.flg_maxmargin else "shells meet"
    draw.legend("Margin of contacts", (*SHELL[:3], 0.7), note=f"true size, up to {1000 * most:.3g} mm; contact where {rule}" if most > 0 else "no geom has a margin")
