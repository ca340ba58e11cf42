"""Shells: geoms as thick as their contact margin makes them, seen through. Contacts begin where two shells meet.

A shell is the surface at that distance: edges and corners of boxes, cylinders and convex meshes are rounded (offsets.py). What an explicit pair
says of its margin is shown in a colour of its own, half of it on either geom.
"""
from __future__ import annotations

import numpy as np

from app.bridge.assets.meshes import hull_numbers
from app.bridge.assets.static import drawn_geoms
from app.bridge.derived_from import derived_from
from app.bridge.model_visuals import ModelVisuals
from app.bridge.options import VisOptions
from app.bridge.quantities.canvas import FILL_GLOW, QuantityCanvas
from app.bridge.quantities.offsets import Net, box_net, convex_net, cylinder_net, ellipsoid_net
from physics.enums import ENBL_OVERRIDE
from physics.model.model import Model
from physics.runtime.snapshot import Snapshot
from render.scene import shapes
from render.scene.snapshot import MeshAsset, SceneAssets

SHELL, PAIR = (0.4, 0.9, 1.0, 0.2), (1.0, 0.75, 0.35, 0.2)
LIFTED = (shapes.PLANE, shapes.HFIELD)   # shells of these lie above, not around
FLOOR = 0.4         # times as dense are those above floors, which may be all of a picture
MOST_SHELLS = 1000  # different ones


def margins(m: Model) -> np.ndarray:
    """How thick each geom's shell is (ngeom,) [m]; where margins of two geoms add up, an overridden one is shared."""
    if m.opt_enableflags & ENBL_OVERRIDE:
        return np.full(m.ngeom, m.opt_o_margin * (1.0 if m.flg_maxmargin else 0.5))
    return np.array(m.geom_margin, float)


def pair_margins(m: Model) -> tuple[np.ndarray, np.ndarray]:
    """Geoms (n,) of explicit pairs and how thick their shells are (n,) [m]: half of the pair's margin each, said once for a geom in several alike."""
    margin = np.full(m.npair, m.opt_o_margin) if m.opt_enableflags & ENBL_OVERRIDE else np.array(m.pair_margin, float)
    both = np.stack([np.concatenate([m.pair_geom1, m.pair_geom2]), np.tile(margin / 2, 2)], axis=1)
    both = np.unique(both[both[:, 1] > 0], axis=0)
    return both[:, 0].astype(int), both[:, 1]


def _box(visuals: ModelVisuals, geom: int) -> Net:
    return box_net(visuals.model.geom_size[geom])


def _cylinder(visuals: ModelVisuals, geom: int) -> Net:
    return cylinder_net(*visuals.model.geom_size[geom, :2])


def _ellipsoid(visuals: ModelVisuals, geom: int) -> Net:
    return ellipsoid_net(visuals.model.geom_size[geom])


def _mesh(visuals: ModelVisuals, geom: int) -> Net | None:
    number = visuals.of(hull_numbers)[geom]
    if number < 0:
        return None
    hull = visuals.assets.meshes[number]
    return convex_net(np.asarray(hull.vertex, float), np.asarray(hull.face))


ROUNDED = ((shapes.BOX, _box), (shapes.CYLINDER, _cylinder), (shapes.ELLIPSOID, _ellipsoid), (shapes.MESH, _mesh))


class _Shells:
    """Meshes of shells among a model's assets, after its own: {what a shell is made of: its number}."""

    def __init__(self, assets: SceneAssets):
        self.assets, self.numbers, self.own = assets, {}, len(assets.meshes)

    def make_room(self) -> None:
        """Forget all where margins were changed very often."""
        if len(self.numbers) >= MOST_SHELLS:
            del self.assets.meshes[self.own:]
            self.numbers.clear()

    def add(self, key: tuple, net: Net | None, length: float) -> None:
        """Make a shell, or note that there is none."""
        self.numbers[key] = len(self.assets.meshes) if net is not None else -1
        if net is not None:
            corner = net.grown(length).reshape(-1, 3).astype(np.float32)
            self.assets.meshes.append(MeshAsset(corner, net.normal.reshape(-1, 3).astype(np.float32), np.arange(len(corner), dtype=np.int32).reshape(-1, 3)))


@derived_from()
def _shells_of(m: Model) -> list[_Shells]:
    """The present shells of a model's visuals, in a list of one; none at first."""
    return []


def _numbers(visuals: ModelVisuals, ids, thick) -> np.ndarray:
    """Meshes (n,) of the shells of geoms so thick, -1 for those without one; new ones are added to the assets."""
    m, assets, known = visuals.model, visuals.assets, visuals.of(_shells_of)
    if not known or known[0].assets is not assets:
        known[:] = [_Shells(assets)]
    shells, makers = known[0], dict(ROUNDED)
    shells.make_room()
    before = len(shells.numbers)
    keys = [(kind, mesh, *size, length) for kind, mesh, size, length in zip(m.geom_type[ids].tolist(), m.geom_dataid[ids].tolist(), m.geom_size[ids].tolist(), thick.tolist())]
    for geom, key in zip(ids.tolist(), keys):
        if key not in shells.numbers:
            make = makers.get(key[0])
            shells.add(key, make(visuals, geom) if make is not None else None, key[-1])
    if len(shells.numbers) != before:
        assets.touch()
    return np.array([shells.numbers[key] for key in keys], int)


def add_shells(m: Model, snapshot: Snapshot, options: VisOptions, draw: QuantityCanvas) -> None:
    """Visible geoms that can touch, grown by their margin, and geoms of visible pairs by half of the pair's."""
    touches = (m.geom_contype != 0) | (m.geom_conaffinity != 0)
    drawn = draw.visuals.of(drawn_geoms)
    visible = np.zeros(m.ngeom, bool)
    visible[drawn.visible(options.geomgroup, options.flags["static_body"])] = True
    margin = margins(m)
    own = np.flatnonzero(visible & touches & (margin > 0))
    paired, half = pair_margins(m)
    shown = visible[paired]
    for ids, thick, rgba in ((own, margin[own], SHELL), (paired[shown], half[shown], PAIR)):
        if len(ids):
            _add(m, snapshot, ids, thick, rgba, draw)


def _add(m: Model, snapshot: Snapshot, ids, thick, rgba, draw: QuantityCanvas) -> None:
    """Shells of geoms (n,) so thick (n,): meshes where there are some. Else geoms with larger sizes: exact for balls and capsules; planes and height
    fields are lifted, other meshes grow as the box around them does."""
    drawn, kind, number = draw.visuals.of(drawn_geoms), m.geom_type[ids], _numbers(draw.visuals, ids, thick)
    shape, dataid, size = drawn.shape[ids], drawn.dataid[ids], drawn.size[ids].astype(float)
    mat, pos, thick = snapshot.geom_xmat[ids].reshape(-1, 3, 3), np.array(snapshot.geom_xpos[ids], float), thick[:, None]
    rounded = number >= 0
    lifted, mesh = np.isin(kind, LIFTED), (kind == shapes.MESH) & ~rounded
    solid = ~lifted & ~mesh & ~rounded
    shape[rounded], dataid[rounded], size[rounded] = shapes.MESH, number[rounded], 1.0
    size[solid] += thick[solid]
    capsule = kind == shapes.CAPSULE
    size[capsule, 2] -= thick[capsule, 0]
    pos[lifted] += thick[lifted] * mat[lifted, :, 2]
    middle, half = m.geom_aabb[ids[mesh], :3], np.maximum(m.geom_aabb[ids[mesh], 3:], 1e-9)
    growth = 1 + thick[mesh] / half
    size[mesh] = growth
    pos[mesh] += np.einsum("nij,nj->ni", mat[mesh], middle * (1 - growth))
    g = draw.out.geoms
    rows = g.add(len(ids))
    g.shape[rows], g.dataid[rows], g.size[rows], g.pos[rows], g.mat[rows] = shape, dataid, size, pos, mat.reshape(-1, 9)
    g.rgba[rows], g.flags[rows] = rgba, shapes.DECOR
    g.rgba[rows, 3] *= np.where(lifted, FLOOR, 1.0)
    g.glow[rows] = np.where(lifted, 0.0, FILL_GLOW)   # floors would shine
    g.objtype[rows], g.objid[rows], g.bodyid[rows] = shapes.OBJ_GEOM, ids, m.geom_bodyid[ids]


def shell_legend(m: Model, options: VisOptions, draw: QuantityCanvas) -> None:
    """The largest margins; a word where there are none."""
    most, pairs = float(margins(m).max(initial=0.0)), pair_margins(m)[1]
    rule = "a shell meets a geom" if m.flg_maxmargin else "shells meet"
    if most > 0 or not len(pairs):
        draw.legend("Margin of contacts", (*SHELL[:3], 0.7), note=f"true size, up to {1000 * most:.3g} mm; contact where {rule}" if most > 0 else "no geom has a margin")
    if len(pairs):
        draw.legend("Margin of pairs", (*PAIR[:3], 0.7), note=f"half on either geom, up to {1000 * pairs.max():.3g} mm; contact where both meet")
